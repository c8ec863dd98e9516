"""Agreement, Gold and Score through their windows: keys in; accessible text, store and files out."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget

from annotation import answers_in, gold, judgements, people
from annotation.disputed import disputed
from annotation.store.opening import open_store
from app import figures
from app.parts.table import Table
from app.settings import Settings
from exports import outlook
from tests.windows import make_project, opened, shown, wait

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PROTOCOL = """\
id: two-questions
version: 1
title: Two questions
fields:
  - {name: text, kind: text, label: Text, required: true}
  - {name: topic, kind: tag, label: Topic}
  - {name: maker, kind: text, private: true}
questions:
  - {name: colour, type: choice, text: Which colour?, options: [{value: red, label: Red}, {value: blue, label: Blue}]}
  - {name: sure, type: level, text: How sure?, options: [{value: low}, {value: mid}, {value: high}]}
workflow: {stages: [annotate], people_per_item: 2, blind: true}
gold: {colour: {rule: majority, min_people: 2}, sure: {rule: majority, min_people: 2}}
agreement:
  - {question: colour, metric: krippendorff_alpha, level: nominal}
  - {question: colour, metric: percent_agreement}
  - {question: sure, metric: krippendorff_alpha, level: ordinal}
export: {scorer: {metric: accuracy, question: colour}}
"""
# colour: they differ on a2 alone; "sure" is always the same, so that alpha is undefined.
COLOURS = {"ana": "red red red blue blue blue".split(), "ben": "red red blue blue blue blue".split()}


def make(folder: Path, *, said: bool = True, all_of_them: bool = True) -> Path:
    """Six items in two topics, answered by ana and ben from a file (``all_of_them`` off: a5 is left open)."""
    from annotation import importing, protocol
    from annotation.store import opening

    path = folder / "Results ümlaut.goldsmith"
    rows = [{"id": f"a{n}", "text": f"text {n}", "topic": "even" if n % 2 == 0 else "odd", "maker": "model-x"}
            for n in range(6)]
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with opening.create(path, protocol=protocol.loads(PROTOCOL), title="Two questions", owner="demo") as store:
        with store.read() as session:
            by = people.find(session, "demo").id
        importing.import_file(store, folder / "items.jsonl", by=by)
        with store.write() as session:
            for handle in COLOURS:
                people.add(session, handle, roles=("annotator",), by=by)
        if said:
            given = [{"item": f"a{n}", "person": who, "question": question, "answer": value}
                     for who, colours in COLOURS.items() for n, colour in enumerate(colours)
                     for question, value in (("colour", colour), ("sure", "high")) if n < 5 or all_of_them]
            (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in given), "utf-8")
            report = answers_in.import_answers(store, folder / "answers.jsonl", by=by)
            assert report.refused == 0, report.refusals
    return path


@pytest.fixture
def project(tmp_path):
    return make(tmp_path)


def focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def key(window, *keys) -> None:
    """One key press after another, each to what has the focus: a Qt key or (key, modifiers)."""
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    for one in keys:
        pressed, with_keys = one if isinstance(one, tuple) else (one, Qt.KeyboardModifier.NoModifier)
        QTest.keyClick(QApplication.focusWidget() or window, pressed, with_keys)
    wait(window)


def go(window, digit) -> QWidget:
    window.activateWindow()
    key(window, (digit, Qt.KeyboardModifier.AltModifier))
    return window.page()


def table(window, name: str):
    return window.findChild(QWidget, name)


def texts(window, name: str) -> list[list[str]]:
    """What a reader is told of every cell of a table."""
    model = table(window, name).model()
    role = Qt.ItemDataRole.AccessibleTextRole
    return [[model.data(model.index(row, column), role) for column in range(model.columnCount())]
            for row in range(model.rowCount())]


def item_keys(window) -> list[str]:
    """The keys of the items that the page Items lists."""
    model = next(one for one in window.page().findChildren(Table) if one.accessibleName() == "Items").model()
    column = next(n for n in range(model.columnCount()) if model.headerData(n, Qt.Orientation.Horizontal) == "Key")
    return [model.data(model.index(row, column)) for row in range(model.rowCount())]


def type_into(window, name: str, text: str) -> None:
    field = window.findChild(QLineEdit, name)
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_A, CTRL)
    QGuiApplication.clipboard().setText(text)  # pasted: QTest cannot press an umlaut
    QTest.keyClick(field, Qt.Key.Key_V, CTRL)


def answer_the_dialog(text: str) -> None:
    """Type a path into the file dialog that comes next, and press Enter."""
    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        if dialog is None:
            QTimer.singleShot(20, answer)
            return
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        field.setText(text)
        QTest.keyClick(field, Qt.Key.Key_Return)

    QTimer.singleShot(20, answer)


# --- agreement --------------------------------------------------------------------------------------------------

def test_agreement_says_what_the_verb_says(project):
    with open_store(project, read_only=True) as store, store.read() as session:
        expected = judgements.agreement(session)
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        rows = texts(window, "agreement:results")
        sentence = window.findChild(QLabel, "agreement:sentence").text()
    alpha, percent, undefined = expected
    assert rows[0] == ["Question: Which colour?", "Coefficient: Krippendorff’s α, nominal",
                       f"Value and interval: {figures.with_interval(alpha.value, alpha.ci)}",
                       f"Value: {alpha.value:.2f}", f"95 % interval: {figures.interval(alpha.ci)}", "Items: 6",
                       "People: 2", "Judgements: 12"]
    assert rows[1][3] == f"Value: {percent.value:.2f}" == "Value: 0.83"
    assert undefined.value is None
    assert rows[2][2] == "Value and interval: everyone always gave the same answer"
    assert sentence.startswith(f"On “Which colour?” agreement is {alpha.value:.2f}")


def test_the_method_and_the_reason_stand_in_words(project):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        said = " ".join(label.text() for label in window.page().findChildren(QLabel))
        assert "BCa bootstrap over items, 10,000 draws, seed 0" in said
        assert "rests on the people" in said
        table(window, "agreement:results").setFocus()
        key(window, Qt.Key.Key_Down, Qt.Key.Key_Down)
        details = window.findChild(QLabel, "agreement:details").text()
    assert "is undefined: everyone always gave the same answer; chance agreement is 1" in details


def test_slices_and_disputed_items_follow_the_row(project):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        assert [row[0] for row in texts(window, "agreement:slices")] == ["Slice: All items", "Slice: even",
                                                                         "Slice: odd"]
        assert texts(window, "agreement:disputed") == [
            ["Item: a2", "Answers: 1 of 2 gave the most frequent answer", "What people say: 1 Blue, 1 Red"]]
        table(window, "agreement:slices").setFocus()
        key(window, Qt.Key.Key_Down, Qt.Key.Key_Down)
        assert texts(window, "agreement:disputed") == []


@pytest.mark.parametrize(("name", "downs", "where"), [("agreement:results", 0, "ids"), ("agreement:disputed", 0, "ids"),
                                                      ("agreement:slices", 1, "tag")])
def test_enter_leads_to_the_items(project, name, downs, where):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        table(window, name).setFocus()
        key(window, *[Qt.Key.Key_Down] * downs, Qt.Key.Key_Return)
        assert window.page().name == "items"
        keys = item_keys(window)
    assert keys == (["a2"] if where == "ids" else ["a0", "a2", "a4"])


def test_agreement_is_computed_anew_when_answers_change(tmp_path):
    project = make(tmp_path, all_of_them=False)
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        assert texts(window, "agreement:results")[0][5] == "Items: 5"
        late = tmp_path / "late.jsonl"
        late.write_text("".join(json.dumps({"item": "a5", "person": who, "question": q, "answer": v}) + "\n"
                                for who in COLOURS for q, v in (("colour", "blue"), ("sure", "high"))), "utf-8")

        def bring(_progress, _cancelled):
            from annotation.done import Done

            answers_in.import_answers(window.opened().store, late, by=window.opened().person.id)
            return Done("Answers", frozenset({"answers"}))

        window.jobs().store_work(window, bring)
        wait(window)
        wait(window)
        assert texts(window, "agreement:results")[0][5] == "Items: 6"


def test_the_table_is_copied_as_markdown_and_saved_as_csv(project, tmp_path):
    with opened(project) as window:
        go(window, Qt.Key.Key_6)
        key(window, (Qt.Key.Key_C, CTRL | SHIFT))
        copied = QGuiApplication.clipboard().text()
        target = tmp_path / "numbers ü.csv"
        answer_the_dialog(str(target))
        key(window, (Qt.Key.Key_S, CTRL))
        said = window.page().said()
    assert copied.splitlines()[0].startswith("| Question ") and "Krippendorff’s α, ordinal" in copied
    assert "BCa bootstrap" in copied
    rows = list(csv.DictReader(io.StringIO(target.read_bytes().decode("utf-8-sig"))))
    assert [row["metric"] for row in rows[:3]] == ["krippendorff_alpha", "percent_agreement", "krippendorff_alpha"]
    assert float(rows[1]["value"]) == pytest.approx(5 / 6)
    assert rows[2]["value"] == "" and rows[2]["reason"].startswith("everyone always")
    assert str(target) in said


def test_nobody_judged_twice_is_an_empty_page_with_a_way_on(tmp_path):
    with opened(make(tmp_path, said=False)) as window:
        page = go(window, Qt.Key.Key_6)
        words = " ".join(label.text() for label in shown(page) if isinstance(label, QLabel))
        assert "Nobody judged the same item twice yet" in words
        next(b for b in shown(page) if isinstance(b, QAbstractButton) and b.text() == "Assign people").setFocus()
        key(window, Qt.Key.Key_Return)
        assert window.page().name == "people"


def test_disputed_items_come_with_their_votes(project):
    with open_store(project, read_only=True) as store, store.read() as session:
        found = disputed(session, judgements.judgements(session, "colour", by="topic"))
        odd = disputed(session, judgements.judgements(session, "colour", by="topic"), by="odd")
    assert (found.judged, found.differing) == (6, 1)
    assert [(row.key, dict(row.votes), row.differ) for row in found.rows] == [("a2", {"red": 1, "blue": 1}, 1.0)]
    assert (odd.judged, odd.differing, odd.items) == (3, 0, ())


# --- gold -------------------------------------------------------------------------------------------------------

def test_a_final_release_is_drawn_exported_and_verified_by_keys(project, tmp_path):
    out = tmp_path / "bundle ü"
    with open_store(project, read_only=True) as store, store.read() as session:
        waits = outlook.outlook(session).waiting
    with opened(project) as window:
        page = go(window, Qt.Key.Key_7)
        assert focused().objectName() == "gold:version"
        type_into(window, "gold:version", "1.0")
        key(window, (Qt.Key.Key_Return, CTRL | SHIFT if waits else CTRL))
        assert "Release 1.0 is drawn" in page.said()
        assert texts(window, "gold:releases")[0][:2] == ["Release: 1.0", "Kind: final"]
        manifest = table(window, "gold:releases").model().row(0).manifest_sha256
        type_into(window, "gold:path", str(out))
        key(window, Qt.Key.Key_Return)
        assert str(out) in window.findChild(QWidget, "gold:written").text()
        key(window, (Qt.Key.Key_V, CTRL | SHIFT))
        verified = window.findChild(QWidget, "gold:verified").text()
        assert "No fault" in verified and "bundle" in verified
        (out / "CARD.md").write_text("other", "utf-8")
        key(window, (Qt.Key.Key_V, CTRL | SHIFT))
        assert "fault" in window.findChild(QWidget, "gold:verified").text()
        assert any("CARD.md" in label.text() for label in page.findChildren(QLabel))
        assert not window.can_undo  # a release is not undone
    with open_store(project, read_only=True) as store, store.read() as session:
        [drawn] = outlook.releases(session)
    assert (drawn.version, drawn.kind, drawn.by, drawn.manifest_sha256) == ("1.0", "final", "demo", manifest)
    assert json.loads((out / "manifest.json").read_text("utf-8"))["version"] == "1.0"
    assert not (out / "private").exists()


def test_what_waits_stops_a_final_release_and_can_be_left_out(tmp_path):
    project = make(tmp_path, all_of_them=False)
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        row = window.findChild(QWidget, "check:open_annotation")
        assert row.accessibleName() == "Answers: 1. Waits for answers."
        type_into(window, "gold:version", "1.0")
        wait(window)
        assert "Settle them or leave them out." in window.findChild(QWidget, "gold:way").text()
        key(window, (Qt.Key.Key_Return, CTRL))
        assert texts(window, "gold:releases") == []
        window.findChild(QWidget, "gold:without").setFocus()
        key(window, Qt.Key.Key_Return)
        assert texts(window, "gold:releases")[0][:2] == ["Release: 1.0", "Kind: final"]
        window.findChild(QWidget, "show:open_annotation").setFocus()
        key(window, Qt.Key.Key_Return)
        assert window.page().name == "items"
        assert item_keys(window) == ["a5"]


def test_a_bad_version_and_a_full_folder_are_said_at_their_fields(project, tmp_path):
    with opened(project) as window:
        page = go(window, Qt.Key.Key_7)
        key(window, (Qt.Key.Key_Return, CTRL))  # a draft
        assert texts(window, "gold:releases")[0][:2] == ["Release: 0.1", "Kind: draft"]
        type_into(window, "gold:version", "one")
        key(window, (Qt.Key.Key_Return, CTRL | SHIFT), (Qt.Key.Key_Return, CTRL))
        assert any("'one' is no version" in label.text() for label in shown(page) if isinstance(label, QLabel))
        assert focused().objectName() == "gold:version" and focused().property("fault")
        type_into(window, "gold:path", str(tmp_path))
        key(window, (Qt.Key.Key_E, CTRL | SHIFT))
        assert any("is not empty" in label.text() for label in shown(page) if isinstance(label, QLabel))
        assert focused().objectName() == "gold:path"
        assert len(texts(window, "gold:releases")) == 1


def test_export_without_a_release_draws_a_draft(project, tmp_path):
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        type_into(window, "gold:path", str(tmp_path / "draft"))
        key(window, (Qt.Key.Key_E, CTRL | SHIFT))
        wait(window)
        assert texts(window, "gold:releases")[0][0] == "Release: 0.1"
        assert window.findChild(Settings).get("bundles")[str(project)] == str(tmp_path / "draft")
    assert json.loads((tmp_path / "draft/manifest.json").read_text("utf-8"))["version"] == "0.1"


def test_the_values_that_stand_are_listed(project):
    with open_store(project, read_only=True) as store, store.read() as session:
        expected = gold.gold(session)
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        rows = texts(window, "gold:values")
    assert len(rows) == len(expected)
    colour = next(row for row in rows if row[:2] == ["Item: a0", "Question: colour"])
    assert colour[2] == "Answer: Red" and colour[5] == "Stands: by rule"


# --- score ------------------------------------------------------------------------------------------------------

@pytest.fixture
def bundle(project, tmp_path):
    """A draft of the project as a bundle, and two files of predictions for it."""
    from exports import release
    from exports.bundle import write_bundle

    with open_store(project) as store:
        with store.write() as session:
            release.draw(session, None, by=people.find(session, "demo").id)
        with store.read() as session:
            write_bundle(session, tmp_path / "bundle")
    answers = {"careful": ["red", "red", "red", "blue", "blue", "blue"], "hasty": ["red"] * 6}
    golden = {row["id"]: row["answer"] for row in map(json.loads, (tmp_path / "bundle/public/gold.jsonl").read_text(
        "utf-8").splitlines()) if row["question"] == "colour"}
    items = sorted((row["key"], row["id"]) for row in map(json.loads, (
        tmp_path / "bundle/public/items.jsonl").read_text("utf-8").splitlines()))
    for name, said in answers.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(
            json.dumps({"id": public, "answer": said[int(key[1:])]}) + "\n" for key, public in items
            if public in golden), "utf-8")
    return tmp_path / "bundle"


def test_predictions_are_scored_beside_baselines_by_keys(project, bundle, tmp_path):
    with opened(project) as window:
        page = go(window, Qt.Key.Key_8)
        assert "No bundle yet" in " ".join(one.text() for one in shown(page) if isinstance(one, QLabel))
        type_into(window, "score:bundle", str(bundle))
        key(window, Qt.Key.Key_Return)
        for name in ("careful", "hasty"):
            type_into(window, "score:predictions", str(tmp_path / f"{name}.jsonl"))
            key(window, Qt.Key.Key_Return)
        rows = texts(window, "score:results")
        sentence = window.findChild(QLabel, "score:sentence").text()
        assert [row[0] for row in rows] == ["Who answered: careful", "Who answered: hasty",
                                            "Who answered: Always right", *[row[0] for row in rows[3:]]]
        assert {"Who answered: Always “red”", "Who answered: Always wrong"} <= {row[0] for row in rows}
        assert rows[0][2] == "Score: 1.00" and sentence.startswith("careful reaches Accuracy 1.00")
        assert [row[0] for row in texts(window, "score:slices")] == ["Slice: even", "Slice: odd"]
        key(window, (Qt.Key.Key_C, CTRL | SHIFT))
        assert "| careful " in QGuiApplication.clipboard().text()
        answer_the_dialog(str(tmp_path / "scores.json"))
        key(window, (Qt.Key.Key_S, CTRL))
        window.findChild(QWidget, "score:baselines").setFocus()
        key(window, Qt.Key.Key_Space)
        assert len(texts(window, "score:results")) == 2
        window.findChild(QWidget, "file:hasty").setFocus()
        key(window, Qt.Key.Key_Delete)
        assert [row[0] for row in texts(window, "score:results")] == ["Who answered: careful"]
    saved = json.loads((tmp_path / "scores.json").read_text("utf-8"))
    assert saved["schema"] == "goldsmith/score/1"
    assert [one["system"] for one in saved["systems"]][:2] == ["careful", "hasty"]


def test_a_faulty_file_is_named_with_line_and_key_and_the_others_are_scored(project, bundle, tmp_path):
    broken = tmp_path / "broken.jsonl"
    first = (tmp_path / "hasty.jsonl").read_text("utf-8").splitlines()[0]
    broken.write_text(first + '\n{"id": "nobody", "answer": "red"}\n', "utf-8")
    with opened(project) as window:
        go(window, Qt.Key.Key_8)
        window.go("score", bundle=str(bundle), files=[str(tmp_path / "careful.jsonl"), str(broken)])
        wait(window)
        line = window.findChild(QWidget, "score:fault:broken")
        assert line.isVisible()
        assert line.text() == "broken.jsonl, line 2, key id: the bundle has no item 'nobody'. The file is not scored."
        assert texts(window, "score:results")[0][0] == "Who answered: careful"
        broken.write_text((tmp_path / "hasty.jsonl").read_text("utf-8"), "utf-8")
        key(window, Qt.Key.Key_F5)
        assert window.findChild(QWidget, "score:fault:broken") is None or not window.findChild(
            QWidget, "score:fault:broken").isVisible()
        assert "Who answered: broken" in [row[0] for row in texts(window, "score:results")]


def test_a_folder_that_is_no_bundle_and_a_file_that_is_not_there_are_said_at_their_fields(project, tmp_path):
    with opened(project) as window:
        page = go(window, Qt.Key.Key_8)
        type_into(window, "score:bundle", str(tmp_path))
        key(window, Qt.Key.Key_Return)
        said = [one.text() for one in shown(page) if isinstance(one, QLabel)]
        assert any("is no bundle: it holds no manifest.json" in text for text in said)
        type_into(window, "score:predictions", str(tmp_path / "gone.jsonl"))
        key(window, Qt.Key.Key_Return)
        assert any("There is no file" in one.text() for one in shown(page) if isinstance(one, QLabel))


def test_the_bundle_exported_last_is_scored_by_itself(project, tmp_path):
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        type_into(window, "gold:path", str(tmp_path / "mine"))
        key(window, (Qt.Key.Key_E, CTRL | SHIFT))
        wait(window)
        go(window, Qt.Key.Key_8)
        assert window.findChild(QLineEdit, "score:bundle").text() == str(tmp_path / "mine")
        assert "Who answered: Always right" in [row[0] for row in texts(window, "score:results")]


# --- figures ----------------------------------------------------------------------------------------------------

def test_figures_are_said_with_a_minus_and_in_words():
    assert figures.value(-0.184) == "−0.18"
    assert figures.value(-0.001) == "0.00"
    assert figures.value(None) == "–"
    assert figures.interval((-0.28, 0.5)) == "−0.28 to 0.50"
    assert figures.scale_of([0.3, None, 0.9]) == (0.0, 1.0)
    assert figures.scale_of([-0.04, 1.0]) == pytest.approx((-0.2, 1.0))
    assert figures.overlap((0.1, 0.4), (0.4, 0.9)) and not figures.overlap((0.1, 0.3), (0.4, 0.9))


def test_an_empty_project_tells_what_to_do_next(tmp_path):
    with opened(make_project(tmp_path, n=0)) as window:
        for digit, words in ((Qt.Key.Key_6, "No items yet"), (Qt.Key.Key_7, "No gold yet"),
                             (Qt.Key.Key_8, "No bundle yet")):
            page = go(window, digit)
            assert words in [one.text() for one in shown(page) if isinstance(one, QLabel)]
            assert any(isinstance(one, QAbstractButton) for one in shown(page))
