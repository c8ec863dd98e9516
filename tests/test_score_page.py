"""Score through its window: keys in; accessible text, store and files out."""

from __future__ import annotations

import csv
import json
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QScrollArea, QWidget

from annotation import assign, notes, people, recheck, trail
from annotation.store.opening import open_store
from app import figures
from app.pages.score.plots import PlotsPanel
from app.parts.chip import Chip
from app.parts.field import Choice
from app.parts.flow import flowing
from app.plots.forest import Forest
from app.plots.view import PlotView
from app.settings import Settings
from tests.results_world import (
    CTRL,
    SHIFT,
    answer_the_dialog,
    focused,
    go,
    item_keys,
    key,
    make,
    table,
    texts,
    type_into,
)
from tests.windows import make_project, opened, shown, wait


@pytest.fixture
def project(tmp_path):
    return make(tmp_path)


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
        assert rows[0][2] == "Score: 1.00" and sentence.startswith("careful reaches accuracy 1.00")
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


# --- people, comparisons, items ---------------------------------------------------------------------------------

@pytest.fixture
def readers(bundle, tmp_path):
    """Three people's answers: as gold, but that the third always says red."""
    items = [json.loads(line) for line in (bundle / "public/items.jsonl").read_text("utf-8").splitlines()]
    said = ["red", "red", "red", "blue", "blue", "blue"]
    rows = [{"id": row["key"], "rater": who, "answer": "red" if who == "r3" else said[int(row["key"][1:])]}
            for row in items for who in ("r1", "r2", "r3")]
    (tmp_path / "readers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return tmp_path / "readers.jsonl"


def scoring(window, bundle, *files):
    go(window, Qt.Key.Key_8)
    window.go("score", bundle=str(bundle), files=[str(file) for file in files])
    wait(window)
    return window.page()


def test_people_stand_first_and_are_the_band_of_the_plot(project, bundle, readers, tmp_path):
    with opened(project) as window:
        page = scoring(window, bundle, tmp_path / "hasty.jsonl", readers)
        names = [row[0] for row in texts(window, "score:results")]
        assert names[:4] == ["Who answered: readers, 3 people", "Who answered: readers (majority)",
                             "Who answered: readers (best person)", "Who answered: hasty"]
        assert "people answer" in window.findChild(QLabel, "score:sentence").text()
        plots = [view.plot() for view in page.findChild(PlotsPanel).findChildren(PlotView)]
        forest = next(plot for plot in plots if isinstance(plot, Forest))
        assert [row.stands_out for row in forest.rows[:4]] == [True, True, True, False]
        assert forest.band == forest.rows[0].ci
        assert not [view for view in page.findChildren(PlotView) if view.isWindow()]


def test_two_files_are_compared_by_mcnemar_with_a_sentence(project, bundle, tmp_path):
    with opened(project) as window:
        scoring(window, bundle, tmp_path / "careful.jsonl", tmp_path / "hasty.jsonl")
        key(window, *[(Qt.Key.Key_PageDown, CTRL)] * 2)
        [row] = texts(window, "score:comparisons")
        assert row[0] == "Who: careful − hasty" and row[2] == "Difference: 0.60"
        assert row[4:] == ["p (Holm): 0.250", "Right alone: 3 : 0", "n: 5"]  # 2 * (1/2)^3, exactly
        said = window.findChild(QLabel, "score:finding").text()
        assert said.startswith("careful 1.00, hasty 0.40, over the 5 that both answered") and "exact McNemar" in said


def test_enter_lists_the_items_where_it_and_people_differ_and_one_key_sends_them_to_a_round(project, bundle, tmp_path):
    with opened(project) as window:
        page = scoring(window, bundle, tmp_path / "careful.jsonl", tmp_path / "hasty.jsonl")
        results = table(window, "score:results")
        results.setFocus()
        key(window, Qt.Key.Key_Return)
        assert "none of 5 differs" in window.findChild(QLabel, "score:apart-said").text()
        results.setFocus()
        key(window, Qt.Key.Key_Down, Qt.Key.Key_Return)
        assert "hasty: 3 of 5 differ" in window.findChild(QLabel, "score:apart-said").text()
        rows = texts(window, "score:apart")
        assert [row[1:4] for row in rows] == [
            [f"Item: a{n}", "Gold, by people: Blue", "What it answered: Red"] for n in (3, 4, 5)]
        assert rows[0][5:] == ["Agreed: 1.00", "People: 2"]
        assert focused().objectName() == "score:apart"
        key(window, Qt.Key.Key_Space, Qt.Key.Key_Down, Qt.Key.Key_Space)  # two of the three
        key(window, (Qt.Key.Key_R, CTRL | SHIFT))
        assert page.said() == "Recheck 1: 2 items have an open query now."
        key(window, (Qt.Key.Key_R, CTRL | SHIFT))
        assert "in a recheck round already" in page.said()
        assert window.can_undo
        with open_store(project, read_only=True) as store, store.read() as session:
            [made] = recheck.rounds(session)
            asked = notes.queries(session, only_open=True)
        assert (made.name, len(made.items), made.chosen["system"], made.chosen["metric"]) == (
            "recheck 1", 2, "hasty", "accuracy")
        assert {one.key for one in asked} == {"a3", "a4"} and {one.question for one in asked} == {"colour"}
        assert "Red" not in asked[0].messages[0].text and "red" not in asked[0].messages[0].text
        table(window, "score:apart").setFocus()
        key(window, Qt.Key.Key_Return)
        assert window.page().name == "items" and item_keys(window) == ["a4"]


def test_a_slice_leads_to_its_items_and_a_small_one_has_no_number(project, bundle, tmp_path):
    with opened(project) as window:
        scoring(window, bundle, tmp_path / "hasty.jsonl")
        key(window, (Qt.Key.Key_PageDown, CTRL))
        slices = table(window, "score:slices")
        assert texts(window, "score:slices")[0][:3] == [
            "Slice: even", "Score and interval: n too small", "Score: –"]
        slices.setFocus()
        key(window, Qt.Key.Key_Return)
        assert window.findChild(QLabel, "score:apart-said").text().startswith("hasty, topic even: 1 of 2 differ")
        assert [row[1] for row in texts(window, "score:apart")] == ["Item: a4"]


def test_items_of_another_project_are_said_to_be_elsewhere(bundle, tmp_path):
    (tmp_path / "other").mkdir()
    other = make_project(tmp_path / "other")
    with opened(other) as window:
        page = scoring(window, bundle, tmp_path / "hasty.jsonl")
        table(window, "score:results").setFocus()
        key(window, Qt.Key.Key_Return)
        key(window, (Qt.Key.Key_R, CTRL | SHIFT))
        assert "There is no item 'a3'" in page.said() and "another project" in page.said()


@pytest.mark.parametrize(("size", "text"), [((1280, 720), 100), ((1280, 720), 200), ((800, 600), 100)])
def test_no_section_is_wider_than_the_window(project, bundle, readers, tmp_path, size, text):
    with opened(project, size=size) as window:
        window.findChild(Settings).set("text_size", text)
        page = scoring(window, bundle, tmp_path / "careful.jsonl", tmp_path / "hasty.jsonl", readers)
        table(window, "score:results").setFocus()
        key(window, *[Qt.Key.Key_Down] * 3, Qt.Key.Key_Return)
        for _ in range(5):
            area = page.findChild(QScrollArea)
            assert area.widget().minimumSizeHint().width() <= area.viewport().width()
            key(window, (Qt.Key.Key_PageDown, CTRL))


# --- reading and saving -----------------------------------------------------------------------------------------

def test_letters_are_asked_about_and_read_once_it_is_said_that_they_are(project, bundle, tmp_path):
    rows = [json.loads(line) for line in (tmp_path / "careful.jsonl").read_text("utf-8").splitlines()]
    with (tmp_path / "letters.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("id", "answer"))
        writer.writerows((row["id"], "A" if row["answer"] == "red" else "B") for row in rows)
    with opened(project) as window:
        scoring(window, bundle, tmp_path / "letters.csv")
        line = window.findChild(QWidget, "score:fault:letters")
        assert line.isVisible() and "bare letters" in line.text()
        chosen = window.findChild(Choice, "score:extract")
        chosen.setFocus()
        key(window, Qt.Key.Key_Home, *[Qt.Key.Key_Down] * chosen.findData("letter"))
        assert texts(window, "score:results")[0][:3:2] == ["Who answered: letters", "Score: 1.00"]
        assert not any(one.objectName() == "score:fault:letters" for one in shown(window.page()))


@pytest.mark.parametrize(("name", "begins"), [
    ("scores.json", '{\n "ok": true'), ("scores.md", "Two questions 0.1"), ("scores.tex", "\\documentclass"),
    ("scores.html", "<!doctype html>")])
def test_scores_are_saved_in_the_format_of_the_ending(project, bundle, tmp_path, name, begins):
    with opened(project) as window:
        page = scoring(window, bundle, tmp_path / "hasty.jsonl")
        answer_the_dialog(str(tmp_path / name))
        key(window, (Qt.Key.Key_S, CTRL))
        assert page.said() == f"Saved to {tmp_path / name}."
    assert (tmp_path / name).read_text("utf-8").lower().startswith(begins.lower())


def test_what_is_shown_is_recorded_first_for_somebody_who_answers(project, bundle, tmp_path):
    with open_store(project) as store, store.write() as session:
        ana, demo = (people.find(session, who).id for who in ("ana", "demo"))
        people.set_roles(session, "ana", add=("researcher",), by=demo)
    with opened(project, person="ana") as window:
        window.go("score", bundle=str(bundle), files=[str(tmp_path / "hasty.jsonl")])
        wait(window)
        assert "the trail now says" in window.page().said()
        assert texts(window, "score:results")[0][0] == "Who answered: hasty"
    with open_store(project, read_only=True) as store, store.read() as session:
        assert trail.was_revealed(session, ana)


def test_many_files_break_into_lines_and_never_widen_the_page(qapp):
    row = flowing()
    for n in range(12):
        row.layout().addWidget(Chip(f"a rather long name {n}", removable=True))
    assert row.minimumSizeHint().width() < 300
    one, all_of_them = row.heightForWidth(10_000), row.heightForWidth(300)
    assert all_of_them >= 11 * one


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


# --- stopping ---------------------------------------------------------------------------------------------------

@pytest.fixture
def slowly(monkeypatch):
    """Scores that say how far they are and come to no end; call what comes of it to score as ever."""
    from app.pages.score import reading

    real = reading.score

    def never(_bundle, _files, *, options, **_more):
        options.count(1, 4)
        while True:
            options.tell("")
            time.sleep(0.01)

    monkeypatch.setattr(reading, "score", never)
    return lambda: monkeypatch.setattr(reading, "score", real)


def until_it_counts(page) -> None:
    since = time.monotonic()
    while "1 of 4" not in [one.text() for one in shown(page) if isinstance(one, QLabel)]:
        assert time.monotonic() - since < 10
        QTest.qWait(20)


def test_a_first_score_is_stopped_by_escape_and_nothing_is_shown_of_it(project, bundle, tmp_path, slowly):
    with opened(project) as window:
        go(window, Qt.Key.Key_8)
        window.go("score", bundle=str(bundle), files=[str(tmp_path / "hasty.jsonl")])
        page = window.page()
        until_it_counts(page)
        assert not table(window, "score:results").isVisible()  # nothing half made
        key(window, Qt.Key.Key_Escape)
        assert "Stopped" in [one.text() for one in shown(page) if isinstance(one, QLabel)]
        assert not table(window, "score:results").isVisible() and not page.action("score.stop").isEnabled()
        assert not page.action("score.save").isEnabled()
        slowly()
        again = next(one for one in shown(page) if isinstance(one, QAbstractButton) and one.text() == "Score again")
        again.setFocus()
        key(window, Qt.Key.Key_Return)
        assert texts(window, "score:results")[0][0] == "Who answered: hasty"


def test_the_button_stops_too_and_the_scores_of_before_stay_whole(project, bundle, tmp_path, monkeypatch, request):
    with opened(project) as window:
        page = scoring(window, bundle, tmp_path / "hasty.jsonl")
        before = texts(window, "score:results")
        back = request.getfixturevalue("slowly")
        window.go("score", files=[str(tmp_path / "careful.jsonl")])
        until_it_counts(page)
        stop = next(one for one in shown(page) if isinstance(one, QAbstractButton) and one.text() == "Stop")
        stop.setFocus()
        key(window, Qt.Key.Key_Return)
        assert page.said() == "Stopped. The scores on this page are those of before."
        assert texts(window, "score:results") == before and not stop.isVisible()
        back()
        key(window, Qt.Key.Key_F5)
        assert page.said() == ""
        assert texts(window, "score:results")[0][0] == "Who answered: careful"


def test_what_a_stopped_score_is_told_ends_it(bundle, tmp_path):
    """The scorer itself looks: not only the page leaves it alone."""
    from app.pages.score.reading import options_of, read_scores

    told: list[tuple[int, int]] = []
    files = {name: str(tmp_path / f"{name}.jsonl") for name in ("careful", "hasty")}
    found = read_scores(str(bundle), files, baselines=True, other="", options=options_of("", held_out=False),
                        progress=lambda done, of: told.append((done, of)), cancelled=lambda: bool(told))
    assert found is None and told == [(0, 6)]


# --- one against another ----------------------------------------------------------------------------------------

def test_everybody_is_set_against_one_system_with_the_sign_turned_and_a_plot(project, bundle, readers, tmp_path):
    with opened(project) as window:
        page = scoring(window, bundle, tmp_path / "careful.jsonl", tmp_path / "hasty.jsonl", readers)
        key(window, *[(Qt.Key.Key_PageDown, CTRL)] * 2)
        every = texts(window, "score:comparisons")
        chosen = window.findChild(Choice, "score:against")
        assert [chosen.itemText(n) for n in range(3)] == ["Every two", "careful", "hasty"]
        chosen.setFocus()
        key(window, Qt.Key.Key_Down)
        rows = texts(window, "score:comparisons")
        assert len(rows) < len(every) and rows[0][0] == "Who: hasty − careful" and rows[0][2] == "Difference: −0.60"
        assert rows[0][5] == "Right alone: 0 : 3"
        assert window.findChild(QLabel, "score:finding").text().startswith("hasty 0.40, careful 1.00, over the 5")
        plot = window.findChild(PlotView, "score:difference-plot").plot()
        assert (plot.title, plot.reference, plot.rows[0].label) == ("Against careful", 0.0, "hasty, p 0.250")
        assert plot.rows[0].value == pytest.approx(-0.6)
        key(window, Qt.Key.Key_F5)
        assert chosen.value() == "careful" and texts(window, "score:comparisons") == rows
        assert page.findChild(QScrollArea) is not None


@pytest.fixture
def later(project, tmp_path):
    """The next version of the bundle, in which the gold of one item is another."""
    from annotation import review
    from annotation.answers import Slot
    from exports import release
    from exports.bundle import write_bundle

    with open_store(project) as store:
        with store.write() as session:
            demo = people.find(session, "demo").id
            [item] = assign.find_keys(session, ["a5"])
            review.adjudicate(session, item, {Slot("colour"): {"v": "red"}}, by=demo, reason="it is red")
            release.draw(session, None, by=demo)
        with store.read() as session:
            write_bundle(session, tmp_path / "later")
    return tmp_path / "later"


def test_another_version_of_the_gold_stands_beside_this_one(project, bundle, later, tmp_path):
    with opened(project) as window:
        page = scoring(window, bundle, tmp_path / "hasty.jsonl", tmp_path / "careful.jsonl")
        key(window, (Qt.Key.Key_PageUp, CTRL))
        assert "Name the folder" in window.findChild(QLabel, "score:versions-said").text()
        type_into(window, "score:other", str(later))
        key(window, Qt.Key.Key_Return)
        said = window.findChild(QLabel, "score:versions-said").text()
        assert "gold values that both have, 1 differs" in said
        rows = {row[0]: row for row in texts(window, "score:versions")}
        assert rows["Who answered: hasty"][2] == "By the gold: −0.20"  # 2 of 5 here, 3 of 5 there
        assert rows["Who answered: careful"][2] == "By the gold: 0.20"
        plot = window.findChild(PlotView, "score:version-plot").plot()
        assert {row.label for row in plot.rows} == {"hasty", "careful"}
        answer_the_dialog(str(tmp_path / "both.json"))
        key(window, (Qt.Key.Key_S, CTRL))
        type_into(window, "score:other", str(tmp_path / "gone"))
        key(window, Qt.Key.Key_Return)
        assert any("is no bundle" in one.text() for one in shown(page) if isinstance(one, QLabel))
        assert texts(window, "score:versions") == [] and texts(window, "score:results")[0][0] == "Who answered: careful"
    saved = json.loads((tmp_path / "both.json").read_text("utf-8"))
    assert saved["against"]["gold"]["changed"] == 1
