"""Gold through its window: keys in; accessible text, store and files out."""

from __future__ import annotations

import json
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QScrollArea, QWidget

from annotation import assign, gold, notes, own, people, retracting, trail, withdrawing
from annotation.errors import Refused
from annotation.store.opening import open_store
from app.parts.field import Choice
from app.parts.paged import PagedTable
from app.parts.table import Column, RowsModel, Table
from app.settings import Settings
from exports import errata, outlook, release, waivers, writers
from tests import worlds
from tests.rating_world import give
from tests.results_world import CTRL, SHIFT, focused, go, item_keys, key, make, table, texts, type_into
from tests.windows import opened, shown, wait


@pytest.fixture
def project(tmp_path):
    return make(tmp_path)


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


def test_what_was_just_drawn_goes_to_a_folder_that_is_called_like_it(project):
    with opened(project) as window:
        page = go(window, Qt.Key.Key_7)
        key(window, (Qt.Key.Key_Return, CTRL))  # draft 0.1
        QTest.keyClick(focused(), Qt.Key.Key_Return, CTRL)
        for _ in range(2_000):
            if "0.2 is drawn" in page.said():
                break
            QTest.qWait(5)
        key(window, (Qt.Key.Key_E, CTRL | SHIFT))  # before the list of releases is read anew
        said = window.findChild(QWidget, "gold:written").text()
    assert "Release 0.2" in said and said.endswith("-0.2.")


def test_the_values_that_stand_are_listed(project):
    with open_store(project, read_only=True) as store, store.read() as session:
        expected = gold.gold(session)
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        key(window, *[(Qt.Key.Key_PageDown, CTRL)] * 3)
        rows = texts(window, "gold:values")
    assert len(rows) == len(expected)
    colour = next(row for row in rows if row[:2] == ["Item: a0", "Question: colour"])
    assert colour[2] == "Answer: Red" and colour[5] == "Stands: by rule"


def test_a_finding_is_waived_with_a_reason_by_keys_and_taken_back(tmp_path):
    project = make(tmp_path, all_of_them=False)
    with opened(project) as window:
        page = go(window, Qt.Key.Key_7)
        window.findChild(QWidget, "waive:missing_gold").setFocus()
        key(window, Qt.Key.Key_Return)
        assert focused().objectName() == "reason:missing_gold"
        key(window, Qt.Key.Key_Return)
        assert any(one.text() == "A waiver needs a reason." for one in shown(page) if isinstance(one, QLabel))
        type_into(window, "reason:missing_gold", "ask head@hospital.org")
        key(window, Qt.Key.Key_Return)
        assert any("names a person" in one.text() for one in shown(page) if isinstance(one, QLabel))
        type_into(window, "reason:missing_gold", "these two stay open on purpose")
        key(window, Qt.Key.Key_Return)
        assert page.isAncestorOf(focused())  # and not the rail, where Enter would leave the page
        [row] = [one for one in shown(page) if one.objectName().startswith("check:missing_gold:")]
        assert "Waived by demo on" in row.accessibleName()
        assert row.accessibleName().endswith("these two stay open on purpose")
        assert window.findChild(QWidget, "check:missing_gold") is None
        with open_store(project, read_only=True) as store, store.read() as session:
            [waiver] = waivers.standing(session)
        assert (waiver.code, waiver.items, waiver.by) == ("missing_gold", ("a2",), "demo")
        window.findChild(QWidget, f"back:missing_gold:{waiver.id.hex}").setFocus()
        key(window, Qt.Key.Key_Return)
        assert window.findChild(QWidget, "waive:missing_gold").isVisible()
        assert focused() is not None and page.isAncestorOf(focused())
    with open_store(project, read_only=True) as store, store.read() as session:
        assert waivers.standing(session) == ()


def test_a_reason_that_is_not_given_is_put_away_by_escape(tmp_path):
    with opened(make(tmp_path)) as window:
        go(window, Qt.Key.Key_7)
        window.findChild(QWidget, "waive:missing_gold").setFocus()
        key(window, Qt.Key.Key_Return, Qt.Key.Key_Escape)
        assert focused().objectName() == "waive:missing_gold"
        assert not window.findChild(QWidget, "reason:missing_gold").isVisible()


def test_what_nothing_is_found_of_is_said_and_what_is_bad_comes_first(tmp_path):
    with opened(make(tmp_path, all_of_them=False)) as window:
        page = go(window, Qt.Key.Key_7)
        rows = [one.objectName() for one in shown(page) if one.objectName().startswith("check:")]
        assert rows[:2] == ["check:open_annotation", "check:missing_gold"]
        assert {"check:leaking", "check:identifying"} <= set(rows[2:])
        row = window.findChild(QWidget, "check:identifying")
        assert row.accessibleName().startswith("Identifying: 0. No address")
        assert any("Names in texts are not searched for" in one.text() for one in shown(page)
                   if isinstance(one, QLabel))


def test_every_format_is_offered_with_what_it_cannot_carry_and_written_by_keys(project, tmp_path):
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        key(window, (Qt.Key.Key_Return, CTRL), (Qt.Key.Key_PageDown, CTRL))
        chosen = window.findChild(Choice, "gold:format")
        assert [chosen.itemData(n) for n in range(chosen.count())] == [
            "bundle", *(one for one in writers.writers if one != "bundle")]
        assert window.findChild(QWidget, "gold:option:private").isVisible()
        for name in ("jsonl", "excel-csv", "inspect"):
            chosen.setFocus()
            key(window, Qt.Key.Key_Home, *[Qt.Key.Key_Down] * chosen.findData(name))
            assert chosen.value() == name
            said = window.findChild(QLabel, "gold:cannot").text()
            assert all(one in said for one in writers.writers[name].cannot)
            assert not window.findChild(QWidget, "gold:option:private").isVisible()
            assert window.findChild(QLineEdit, "gold:path").text().endswith(f"-0.1-{name}")  # a folder of its own
            type_into(window, "gold:path", str(tmp_path / name))
            key(window, Qt.Key.Key_Return)
            assert "rows were read back" in window.findChild(QWidget, "gold:written").text()
            assert (tmp_path / name / "export.json").is_file()
            type_into(window, "gold:path", "")
        assert str(project) not in window.findChild(Settings).get("bundles")  # none of these is a bundle


def test_private_fields_are_written_only_when_switched_on(project, tmp_path):
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        key(window, (Qt.Key.Key_PageDown, CTRL))
        window.findChild(QWidget, "gold:option:private").setFocus()
        key(window, Qt.Key.Key_Space)
        type_into(window, "gold:path", str(tmp_path / "mine"))
        key(window, Qt.Key.Key_Return)
        wait(window)
    assert "model-x" in (tmp_path / "mine/private/items.jsonl").read_text("utf-8")


def test_what_differs_between_two_releases_is_shown_and_explained_by_an_erratum(project):
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        key(window, *[(Qt.Key.Key_PageDown, CTRL)] * 2)
        assert "No release yet" in window.findChild(QLabel, "gold:changes-said").text()
        type_into(window, "gold:version", "1.0")
        key(window, (Qt.Key.Key_Return, CTRL | SHIFT))
    with open_store(project) as store, store.write() as session:
        demo, ben = (people.find(session, who).id for who in ("demo", "ben"))
        last = next(one for one in own.mine(session, ben) if one.key == "a0").revision
        withdrawing.withdraw(session, last, person=ben)
        retracting.retract_item(session, *assign.find_keys(session, ["a1"]), by=demo, reason="its rights ended")
        release.draw(session, by=demo)
    with opened(project) as window:
        page = go(window, Qt.Key.Key_7)
        key(window, *[(Qt.Key.Key_PageDown, CTRL)] * 2)
        assert window.findChild(QLabel, "gold:changes-said").text().startswith("From release 1.0 to 0.1: ")
        rows = {row[0]: row for row in texts(window, "gold:changes")}
        assert rows["Item: a0"][1:3] == ["What: removed", "Gold before and after: colour: Red → nothing; "
                                         "sure: High → nothing"]
        assert rows["Item: a0"][4] == "Why: nobody has said"
        assert rows["Item: a1"][3] == "Through: taken out"
        type_into(window, "gold:why", "an answer was withdrawn")
        key(window, Qt.Key.Key_Return)
        assert texts(window, "gold:changes")[0][4] == "Why: an answer was withdrawn"
        back = window.findChild(QWidget, "erratum:a0")
        assert back.accessibleName() == "Take back: erratum of a0"
        before = window.findChild(Choice, "gold:after")
        before.setFocus()
        key(window, Qt.Key.Key_Down)  # release 1.0 with itself
        assert texts(window, "gold:changes") == []
        assert any("its rights ended" in one.accessibleName() for one in shown(page))
        back = window.findChild(QWidget, "erratum:a0")
        back.setFocus()
        key(window, Qt.Key.Key_Return)
    with open_store(project, read_only=True) as store, store.read() as session:
        assert errata.standing(session) == ()


def test_gold_that_hangs_on_old_error_rates_is_said_and_recounted(tmp_path):
    text = worlds.text("stages: [annotate], people_per_item: 2", gold="{rule: dawid_skene, threshold: 0.8}", questions=(
        "  - {name: colour, type: choice, text: Which?, options: [{value: red}, {value: blue}]}\n"))
    path = tmp_path / "W.goldsmith"
    with worlds.make(path, text, n=6) as store:
        for n in range(6):
            for who in ("ana", "ben"):
                give(store, who, f"a{n}", {"colour": {"v": ("red", "blue")[n % 2]}})
    with opened(path) as window:
        page = go(window, Qt.Key.Key_7)
        line = window.findChild(QWidget, "gold:stale")
        assert line.isVisible() and "error rates were counted" in line.text()
        assert not window.findChild(QAbstractButton, "gold:draw").isEnabled()
        next(one for one in line.findChildren(QAbstractButton) if one.text() == "Recount").setFocus()
        key(window, Qt.Key.Key_Return)
        assert page.said().startswith("Recounted over 6 items")
        assert not line.isVisible() and window.findChild(QAbstractButton, "gold:draw").isEnabled()


def test_that_somebody_who_answers_is_shown_gold_is_recorded_first(project):
    with open_store(project) as store, store.write() as session:
        ana, demo = (people.find(session, who).id for who in ("ana", "demo"))
        people.set_roles(session, "ana", add=("researcher",), by=demo)
        assert not trail.was_revealed(session, ana)
    with opened(project, person="ana") as window:
        window.go("gold")
        wait(window)
        page = window.page()
        assert "the trail now says that you were shown" in page.said()
    with open_store(project, read_only=True) as store, store.read() as session:
        assert trail.was_revealed(session, ana)


def test_a_paged_table_is_as_high_as_its_rows_and_is_turned_by_keys(qapp):
    rows = [f"row {n}" for n in range(45)]
    table = Table("Rows", RowsModel([Column("one", "One", cell=lambda row: row)]), marks_row=True)
    paged = PagedTable(table, size=20)
    paged.show_rows(rows)
    assert table.model().rowCount() == 20
    assert table.height() == table.horizontalHeader().height() + 20 * table.rowHeight(0) + 1
    for expected in (20, 5, 5):
        QTest.keyClick(table, Qt.Key.Key_PageDown)
        assert table.model().rowCount() == expected
    assert paged.current() == "row 40"
    paged.show_rows(rows[:41], keep_place=True)
    assert paged.current() == "row 40"
    QTest.keyClick(table, Qt.Key.Key_PageUp)
    assert paged.current() == "row 39"
    paged.show_rows(rows[:3])
    assert table.model().rowCount() == 3 and not any(
        one.isVisibleTo(paged) for one in paged.findChildren(QAbstractButton))


def test_the_look_at_the_items_says_how_far_it_is_and_is_stopped_by_escape(project, monkeypatch):
    seen = []

    def slowly(_store, progress, cancelled):
        progress(3, 10)
        while not cancelled():
            time.sleep(0.01)
        seen.append("stopped")
        raise Refused("the look at the items was stopped", code="cancelled")

    monkeypatch.setattr("app.pages.gold.reading.examine", slowly)
    with opened(project) as window:
        window.go("gold")
        page, since = window.page(), time.monotonic()
        while "3 of 10" not in [one.text() for one in shown(page) if isinstance(one, QLabel)]:
            assert time.monotonic() - since < 10
            QTest.qWait(20)
        page.action("gold.stop").trigger()
        wait(window)
        assert "Stopped" in page.said() and seen == ["stopped"]
        assert not page.action("gold.stop").isEnabled()


@pytest.mark.parametrize(("size", "text"), [((1280, 720), 100), ((1280, 720), 200), ((800, 600), 100)])
def test_no_section_is_wider_than_the_window(project, size, text):
    with opened(project, size=size) as window:
        window.findChild(Settings).set("text_size", text)
        go(window, Qt.Key.Key_7)
        key(window, (Qt.Key.Key_Return, CTRL))
        for _ in range(4):
            for area in window.page().findChildren(QScrollArea):
                if area.isVisible() and area.widget() is not None:
                    assert area.widget().minimumSizeHint().width() <= area.viewport().width()
            key(window, (Qt.Key.Key_PageDown, CTRL))


# --- for double-blind review ------------------------------------------------------------------------------------

def blind_by_keys(window, out):
    """Draw a draft, switch on the anonymous export and write it."""
    go(window, Qt.Key.Key_7)
    key(window, (Qt.Key.Key_Return, CTRL), (Qt.Key.Key_PageDown, CTRL))
    window.findChild(QWidget, "gold:option:private").setFocus()
    key(window, Qt.Key.Key_Space)
    window.findChild(QWidget, "gold:option:anonymous").setFocus()
    key(window, Qt.Key.Key_Space)
    suggested = window.findChild(QLineEdit, "gold:path").text()
    type_into(window, "gold:path", str(out))
    key(window, Qt.Key.Key_Return)
    return suggested


def test_an_anonymous_export_says_what_it_leaves_out_and_is_remembered(project, tmp_path):
    out = tmp_path / "blind"
    with opened(project) as window:
        suggested = blind_by_keys(window, out)
        assert suggested.endswith("gold-0.1-anonymous")  # not the project's name
        assert not window.findChild(QAbstractButton, "gold:option:private").isChecked()
        said = window.findChild(QLabel, "gold:blind")
        assert said.isVisible() and "keys of items" in said.text() and "before the named bundle" in said.text()
        written = window.findChild(QWidget, "gold:written").text()
        assert str(out) in written and "It names nobody" in written
        assert str(project) not in window.findChild(Settings).get("bundles")  # Score opens with a named one
    texts_of = [path.read_bytes() for path in out.rglob("*") if path.is_file()]
    assert not any(word in one for one in texts_of for word in (b'"a0"', b"model-x", b"Two questions 0.1"))
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        key(window, (Qt.Key.Key_PageDown, CTRL))
        assert window.findChild(QAbstractButton, "gold:option:anonymous").isChecked()
        chosen = window.findChild(Choice, "gold:format")
        chosen.setFocus()
        key(window, Qt.Key.Key_Home, *[Qt.Key.Key_Down] * chosen.findData("csv"))
        assert not window.findChild(QLabel, "gold:blind").isVisible()
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        assert window.findChild(Choice, "gold:format").value() == "csv"


def test_the_boxes_of_the_options_of_an_export_stand_below_each_other(project):
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        key(window, (Qt.Key.Key_PageDown, CTRL))
        assert len({window.findChild(QAbstractButton, f"gold:option:{name}").width()
                    for name in ("private", "anonymous")}) == 1


def test_a_text_that_names_somebody_stops_the_anonymous_export_with_its_line(project, tmp_path):
    with open_store(project) as store, store.write() as session:
        people.add(session, "eva", name="text 3", roles=("annotator",), by=people.find(session, "demo").id)
    with opened(project) as window:
        blind_by_keys(window, tmp_path / "blind")
        written = window.findChild(QWidget, "gold:written").text()
    assert "names a person" in written and "items.jsonl" in written and written.endswith("Nothing was written.")
    assert not list(tmp_path.glob("*blind*"))


def test_an_anonymous_export_counts_and_is_stopped_by_escape(project, tmp_path, monkeypatch):
    from exports import blind

    def never(_renaming, _part, look):
        while True:
            look("public/items.jsonl", 1, b"{}")
            time.sleep(0.01)

    monkeypatch.setattr(blind, "write_renamed", never)
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        key(window, (Qt.Key.Key_Return, CTRL), (Qt.Key.Key_PageDown, CTRL))
        window.findChild(QWidget, "gold:option:anonymous").setFocus()
        key(window, Qt.Key.Key_Space)
        type_into(window, "gold:path", str(tmp_path / "blind"))
        page, since = window.page(), time.monotonic()
        QTest.keyClick(focused(), Qt.Key.Key_Return)
        while not any(" of " in one.text() and one.text()[0].isdigit() for one in shown(page) if isinstance(one, QLabel)
                      and one.text()):
            assert time.monotonic() - since < 10
            QTest.qWait(20)
        key(window, Qt.Key.Key_Escape)
        assert page.said() == "Stopped. Nothing was written."
    assert not list(tmp_path.glob("*blind*"))


# --- what only people know ----------------------------------------------------------------------------------------

def test_what_people_state_is_read_from_a_file_stands_in_the_card_and_is_remembered(project, tmp_path):
    about = tmp_path / "über uns.yaml"
    about.write_text("licence: CC-BY-4.0\nauthors: [A. Writer]\nintended_use: tests\n", "utf-8")
    with opened(project) as window:
        page = go(window, Qt.Key.Key_7)
        type_into(window, "gold:about", str(about))
        key(window, (Qt.Key.Key_Return, CTRL))
        assert page.said().endswith("Its card says what über uns.yaml states.")
        type_into(window, "gold:path", str(tmp_path / "mine"))
        key(window, (Qt.Key.Key_E, CTRL | SHIFT))
    assert "A. Writer" in (tmp_path / "mine/CITATION.cff").read_text("utf-8")
    assert "CC-BY-4.0" in (tmp_path / "mine/LICENSE").read_text("utf-8")
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        assert window.findChild(QLineEdit, "gold:about").text() == str(about)
        about.unlink()
    with opened(project) as window:
        go(window, Qt.Key.Key_7)
        assert window.findChild(QLineEdit, "gold:about").text() == ""


@pytest.mark.parametrize(("words", "fault"), [
    ("licence: x\npay2: much\n", "'pay2' is no statement about a data set"), ("licence: [", "is no YAML file"),
    ("authors: {a: b}\n", "'authors' wants one text"), (None, "cannot be read")])
def test_a_file_of_statements_that_cannot_be_used_is_said_at_its_field_and_nothing_is_drawn(
        project, tmp_path, words, fault):
    about = tmp_path / "about.yaml"
    if words is not None:
        about.write_text(words, "utf-8")
    with opened(project) as window:
        page = go(window, Qt.Key.Key_7)
        type_into(window, "gold:about", str(about))
        key(window, (Qt.Key.Key_Return, CTRL))
        said = next(one.text() for one in shown(page) if isinstance(one, QLabel) and fault in one.text())
        assert str(about) in said and focused().objectName() == "gold:about" and focused().property("fault")
        assert texts(window, "gold:releases") == []


def test_warnings_stop_a_final_release_where_that_is_asked_for(project):
    with open_store(project) as store, store.write() as session:
        demo = people.find(session, "demo").id
        for one in release.examine(session):
            if one.severity == "bad":
                waivers.waive(session, one.code, one.items, reason="on purpose", by=demo)
        notes.flag(session, *assign.find_keys(session, ["a1"]), person=demo)  # that is warned of
        assert any(one.severity == "warn" and one.state == "noted" for one in release.examine(session))
    with opened(project) as window:
        page = go(window, Qt.Key.Key_7)
        type_into(window, "gold:version", "1.0")
        wait(window)
        assert window.findChild(QAbstractButton, "gold:draw").isEnabled()
        strict = window.findChild(QAbstractButton, "gold:strict")
        strict.setFocus()
        key(window, Qt.Key.Key_Space)
        assert strict.isChecked() and not window.findChild(QAbstractButton, "gold:draw").isEnabled()
        assert "a final release" in window.findChild(QWidget, "gold:way").text()
        key(window, (Qt.Key.Key_Return, CTRL))
        assert texts(window, "gold:releases") == []
        key(window, Qt.Key.Key_Space, (Qt.Key.Key_Return, CTRL))
        assert "Release 1.0 is drawn" in page.said()
