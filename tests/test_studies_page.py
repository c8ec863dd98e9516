"""The page Studies: a text becomes a study by keys, faults are told as one types, sittings and results are shown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTableView,
)

from exports.studies.writing import Written
from studies import keeping, registering, sittings
from studies.facts import TrialRecord
from tests import study_world as world
from tests.windows import opened, wait

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def project(tmp_path):
    store = world.make(tmp_path / "P.goldsmith", n=8)
    store.close()
    return tmp_path / "P.goldsmith"


def sat(project, n, *, state="completed", wrong=False, **more):
    """``n`` people sat: helped, they are twice as fast; ``wrong``: about half of their answers are."""
    from annotation.store.opening import open_store

    with open_store(project) as store:
        study = world.add(store)
        for _ in range(n):
            opened_ = world.begin(store, study, **more)
            facts = []
            for fact in world.whole(opened_):
                if isinstance(fact, TrialRecord):
                    shown = opened_.plan.trial(fact.block, fact.position)
                    no = wrong and fact.position % 4 < 2
                    fact = replace(fact, response={"yes": "no", "no": "yes"}[shown.correct] if no else shown.correct,
                                   rt_us=2_000_000 if shown.condition == "bare" else 1_000_000)
                facts.append(fact)
            with store.write() as session:
                for seq, fact in enumerate(facts):
                    keeping.append(session, opened_.id, seq, fact)
            if state != "open":
                world.end(store, opened_.id, state)
    return study


def studies_page(window):
    window.go("studies")
    wait(window)
    return window.page()


def words(page):
    return " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())


def checked(qtbot, page):
    qtbot.waitUntil(lambda: "Checking the text" not in words(page))  # the check comes a moment after the last key


def test_without_a_study_the_page_says_what_one_is_and_offers_the_shelf(project, qtbot):
    with opened(project) as window:
        page = studies_page(window)
        assert "No study yet" in words(page)
        assert "Open a file" in {button.text() for button in page.findChildren(QAbstractButton) if button.isVisible()}


def test_a_text_is_kept_by_keys_and_stands_in_the_project(project, qtbot):
    with opened(project) as window:
        page = studies_page(window)
        page.begin_text(world.STUDY)
        checked(qtbot, page)
        wait(window)
        assert "24" not in words(page) and "Trials in earnest" in words(page)
        qtbot.keyClick(page.findChild(QPlainTextEdit, "studies:text"), Qt.Key.Key_S, CTRL)
        wait(window)
        assert "3 of" not in words(page) and "0 of 4 completed" in words(page)
        with window.opened().store.read() as session:
            (view,) = sittings.studies(session)
            assert sittings.load(session, view.hash).text == world.STUDY
        window.jobs().undo()
        wait(window)
        with window.opened().store.read() as session:
            assert sittings.studies(session) == ()


def test_faults_are_told_with_their_line_and_nothing_can_be_kept_until_they_are_mended(project, qtbot):
    with opened(project) as window:
        page = studies_page(window)
        page.begin_text(world.STUDY.replace("deadline: 20", "deadlin: 20"))
        checked(qtbot, page)
        wait(window)
        line = next(n for n, one in enumerate(world.STUDY.splitlines(), 1) if "deadline" in one)
        assert f"Line {line}, trial.deadlin" in words(page)
        assert not page.can_keep
        code = page.findChild(QPlainTextEdit, "studies:text")
        code.setPlainText(world.STUDY)
        checked(qtbot, page)
        wait(window)
        assert "Line" not in words(page) and page.can_keep


def test_two_texts_with_one_version_cannot_both_be_kept(project, qtbot):
    sat(project, 1)
    with opened(project) as window:
        page = studies_page(window)
        page.findChild(QPlainTextEdit, "studies:text").setPlainText(world.STUDY.replace("people: 4", "people: 5"))
        checked(qtbot, page)
        wait(window)
        assert not page.can_keep and "another version" in words(page)


def test_a_text_that_is_not_kept_is_there_the_next_time(project, qtbot):
    changed = world.STUDY.replace("version: 1", "version: 2")
    with opened(project) as window:
        studies_page(window).begin_text(changed)
    with opened(project) as window:
        page = studies_page(window)
        assert page.findChild(QPlainTextEdit, "studies:text").toPlainText() == changed


def test_sittings_are_listed_and_one_is_excluded_with_a_reason_and_taken_back(project, qtbot):
    study = sat(project, 2)
    with opened(project) as window:
        page = studies_page(window)
        page.show_section(1)
        table = page.findChild(QTableView, "studies:sittings")
        assert table.model().rowCount() == 2 and "2 of 4 completed" in words(page)
        exclude = page.findChild(QAbstractButton, "studies:exclude")
        exclude.click()
        assert "Say why" in words(page)
        page.findChild(QLineEdit, "studies:reason").setText("a" * 2001)
        exclude.click()
        assert "The reason has 2,001 characters, and at most 2,000 can be kept." in words(page)
        page.findChild(QLineEdit, "studies:reason").clear()
        qtbot.keyClicks(page.findChild(QLineEdit, "studies:reason"), "the fire alarm rang")
        exclude.click()
        wait(window)
        assert "1 of 4 completed, 1 excluded" in words(page)
        window.jobs().undo()
        wait(window)
        assert "2 of 4 completed" in words(page)
        with window.opened().store.read() as session:
            assert {one.state for one in sittings.of_study(session, study)} == {"completed"}


@pytest.mark.parametrize("state, why", [
    ("aborted", "was broken off, and that is final: its place in the list is free"), ("completed", "is complete"),
    ("excluded", "is excluded"), ("withdrawn", "is withdrawn")])
def test_a_sitting_that_has_ended_says_why_nobody_goes_on_with_it(project, qtbot, state, why):
    sat(project, 1, state=state)
    with opened(project) as window:
        page = studies_page(window)
        page.show_section(1)
        resume = page.findChild(QAbstractButton, "studies:resume")
        assert not resume.isEnabled() and why in words(page)
        assert why in resume.toolTip() and why in resume.accessibleDescription()


def test_a_sitting_under_way_can_be_gone_on_with_while_another_text_is_being_written(project, qtbot, monkeypatch):
    sat(project, 1, state="open")
    begun = []
    monkeypatch.setattr("app.pages.studies.deeds.open_stage", lambda _jobs, wanted, **_: begun.append(wanted) or Sat())
    with opened(project) as window:
        page = studies_page(window)
        page.findChild(QPlainTextEdit, "studies:text").setPlainText(world.STUDY.replace("people: 4", "people: 5"))
        page.show_section(1)
        resume = page.findChild(QAbstractButton, "studies:resume")
        assert resume.isEnabled() and not resume.toolTip() and not resume.accessibleDescription()
        assert not page.findChild(QLabel, "studies:why_not_on").isVisible()
        resume.click()
        (wanted,) = begun
        assert wanted.resume and wanted.participant == page.findChild(QTableView, "studies:sittings").model(
            ).index(0, 0).data()


class Sat(QObject):
    """A sitting that nobody sees."""

    ended = Signal(str)


def test_results_say_how_much_faster_people_were(project, qtbot):
    sat(project, 4)
    with opened(project) as window:
        page = studies_page(window)
        page.show_section(2)
        wait(window)
        assert "In “helped” people were 50 % faster than in “bare”" in words(page)
        assert page.findChild(QTableView, "studies:conditions").model().rowCount() == 2


def test_the_n_beside_a_time_counts_right_answers_and_that_beside_a_share_all_of_them(project, qtbot):
    sat(project, 2, wrong=True)
    with opened(project) as window:
        page = studies_page(window)
        page.show_section(2)
        wait(window)
        panel = page._results
        cells = panel._table.rows_model()._rows
        for cell, time, share in zip(cells, panel._times.plot().rows, panel._shares.plot().rows, strict=True):
            assert 0 < cell.time.n < cell.trials and (time.n, share.n) == (cell.time.n, cell.trials)
        assert {row.n for row in panel._rules.plot().rows} == {sum(cell.time.n for cell in cells)}
        model = page.findChild(QTableView, "studies:conditions").model()
        tips = [model.index(0, n).data(Qt.ItemDataRole.ToolTipRole) for n in (3, 4, 5)]
        assert [f"of {n} answers" in tip for n, tip in zip((cells[0].trials, *[cells[0].time.n] * 2), tips,
                                                          strict=True)] == [True] * 3


def test_a_study_is_registered_before_anybody_sits_and_not_after(project, qtbot):
    from annotation.store.opening import open_store

    with open_store(project) as store:
        study = world.add(store)
    with opened(project) as window:
        page = studies_page(window)
        assert page.can_register
        page.action("studies.register").trigger()
        wait(window)
        assert "Registered" in words(page) and not page.can_register
        with window.opened().store.read() as session:
            assert registering.registered(session, study) is not None
    sat(project, 1)
    with opened(project) as window:
        assert not studies_page(window).can_register


def test_a_section_without_anything_to_press_leaves_the_focus_on_its_tab(project, qtbot):
    from annotation.store.opening import open_store

    with open_store(project) as store:
        world.add(store)
    with opened(project) as window:
        window.activateWindow()
        page = studies_page(window)
        page.findChild(QPlainTextEdit, "studies:text").setFocus()
        for at in (1, 2):
            page.show_section(at)
            wait(window)
            assert page.focusWidget() is page._tabs.current(), "never on the button that begins a sitting"
        export = page.findChild(QAbstractButton, "studies:export")
        assert not export.isVisible(), "there is nothing to export"


def test_the_text_keeps_its_least_lines_when_the_letters_grow(project, qtbot):
    from annotation.store.opening import open_store

    with open_store(project) as store:
        world.add(store)
    with opened(project) as window:
        page = studies_page(window)
        code = page.findChild(QPlainTextEdit, "studies:text")
        window._settings.set("text_size", 200)
        wait(window)
        try:
            assert code.viewport().height() >= 10 * code.line_height() and not code.horizontalScrollBar().isVisible()
        finally:
            window._settings.set("text_size", 100)


@pytest.mark.parametrize("format", ["csv", "predictions"])
def test_trials_are_exported_into_a_new_folder(project, qtbot, tmp_path, monkeypatch, format):
    sat(project, 1)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out"), ""))
    with opened(project) as window:
        page = studies_page(window)
        page.findChild(QComboBox, "studies:format").set_value(format)
        page.action("studies.export").trigger()
        wait(window)
        assert any((tmp_path / "out").iterdir()) and "rows of 1 participant are in" in page.said()


def test_what_was_exported_is_told_in_the_number_it_has(project, qtbot):
    with opened(project) as window:
        page = studies_page(window)
        page._exported(Written("out", "csv", 1, 1, {"open": 1}, ()))
        assert "1 row of 1 participant is in out." in page.said()
        assert "1 sitting is not in it: 1 under way." in page.said()
        page._exported(Written("out", "csv", 1200, 2, {"open": 1, "aborted": 1}, ()))
        assert "1,200 rows of 2 participants are in out." in page.said() and "2 sittings are not in it" in page.said()


def test_two_studies_of_one_title_are_told_apart_and_the_chooser_says_all_of_it(project, qtbot):
    from annotation.store.opening import open_store

    with open_store(project) as store:
        world.add(store)
    with opened(project) as window:
        which = studies_page(window).findChild(QComboBox, "studies:which")
        title = which.itemText(0).removesuffix(", version 1")
        assert which.itemText(0) == f"{title}, version 1" and ":" not in title
    with open_store(project) as store:
        world.add(store, world.STUDY.replace("with-help", "with-other-help"))
    with opened(project) as window:
        which = studies_page(window).findChild(QComboBox, "studies:which")
        assert {which.itemText(n) for n in range(2)} == {
            f"with-help: {title}, version 1", f"with-other-help: {title}, version 1"}
        window.resize(1280, 720)
        wait(window)
        which.grab()
        assert not which.toolTip(), "nothing of it is cut where there is room"


def test_after_a_sitting_is_left_out_enter_does_nothing_to_it(project, qtbot):
    study = sat(project, 1)
    with opened(project) as window:
        page = studies_page(window)
        window.activateWindow()
        page.show_section(1)
        wait(window)
        page.findChild(QLineEdit, "studies:reason").setText("asleep")
        exclude = page.findChild(QAbstractButton, "studies:exclude")
        exclude.setFocus()
        QTest.keyClick(exclude, Qt.Key.Key_Return)
        wait(window)
        assert not exclude.isEnabled()
        assert isinstance(QApplication.focusWidget(), QTableView)  # and not Withdraw, which comes next
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        wait(window)
        with window.opened().store.read() as session:
            assert [one.state for one in sittings.of_study(session, study)] == ["excluded"]


def test_the_name_of_the_page_has_room_beside_a_long_title(project, qtbot):
    with opened(project) as window:
        page = studies_page(window)
        page.begin_text(world.STUDY.replace("title: ", "title: What people who have never seen any of it can do, "))
        checked(qtbot, page)
        qtbot.keyClick(page.findChild(QPlainTextEdit, "studies:text"), Qt.Key.Key_S, CTRL)
        wait(window)
        assert "What people who" in page.findChild(QComboBox, "studies:which").currentText()
        head = next(one for one in page.findChildren(QLabel) if one.accessibleName().startswith("Studies"))
        assert head.text().startswith("Studies<")


def test_an_annotator_does_not_see_the_page(project, qtbot):
    with opened(project, person="ana") as window:
        window.go("studies")
        assert window.page().name != "studies"
