"""Work: drafts reach the disk, everything can be taken back, and an item can be left by other ways than an answer."""

import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPlainTextEdit, QWidget
from sqlalchemy import select

from annotation.store.tables import Flag, Query, QueryMessage, Revision, Skip, Task
from tests.desk import ALT, CTRL, Desk, make

CTRL_SHIFT = CTRL | Qt.KeyboardModifier.ShiftModifier
PROTOCOL = """\
id: desk
version: 1
title: A desk
guidelines: |
  # How to judge
  A *door* is a door. Ask when in doubt.
fields:
  - {name: text, kind: text, label: Text, required: true}
questions:
  - {name: q, type: choice, text: Which?, options: [{value: red}, {value: blue}]}
  - {name: note, type: text, text: Note, required: false}
workflow: {stages: [annotate], people_per_item: 3}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make(tmp_path, PROTOCOL, [{"id": f"i{n}", "text": f"text {n}"} for n in range(4)])


def test_a_choice_is_on_disk_at_once_and_typing_soon_after(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        item = desk.wait_for_item()
        desk.keys("2")
        desk.wait(lambda: desk.drafts().get(item) == {"q": {"v": "blue"}})
        desk.wait(lambda: desk.find("work:saved", QLabel).text().startswith("saved "))
        desk.keys("\thello")
        assert desk.find("work:saved", QLabel).text() == "", "what was typed is not on disk yet"
        desk.wait(lambda: desk.drafts().get(item) == {"q": {"v": "blue"}, "note": {"v": "hello"}})


def test_typing_without_a_pause_is_saved_within_two_seconds(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        item = desk.wait_for_item()
        desk.keys("1\t")
        begun = time.monotonic()
        while "note" not in desk.drafts().get(item, {}):
            desk.press("x")
            QTest.qWait(100)
            assert time.monotonic() - begun < 30  # two seconds, and what a busy machine adds
        assert time.monotonic() - begun > 0.5, "each key was saved by itself"


def test_a_draft_survives_a_change_of_page_and_a_restart(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        item = desk.wait_for_item()
        desk.keys("2\tunfinished")
        desk.go("home")  # at once, before any timer
        desk.wait(lambda: desk.drafts().get(item, {}).get("note") == {"v": "unfinished"})
        desk.go("work")
        assert desk.item == item
        desk.press(Qt.Key.Key_Tab)
        desk.keys(" words")
    with Desk(qtbot, path, "ana") as desk:  # closed in the middle of typing, and opened again
        assert desk.wait_for_item() == item
        assert desk.find("q:q=blue", QAbstractButton).isChecked()
        assert desk.find("q:note").findChild(QPlainTextEdit).toPlainText() == "unfinished words"
        desk.keys("\n")
        [(key, _who, answers)] = desk.wait_for_revisions(1)
        assert key == item and answers["q"] == {"v": "blue"} and "words" in answers["note"]["v"]


def test_undo_and_redo_walk_through_the_draft_then_through_what_was_submitted(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        desk.keys("12")
        desk.press("z", CTRL)
        assert desk.find("q:q=red", QAbstractButton).isChecked()
        desk.press("z", CTRL_SHIFT)
        assert desk.find("q:q=blue", QAbstractButton).isChecked()
        desk.keys("\n")
        desk.wait_for_item(other_than=first)
        desk.wait_for_revisions(1)
        desk.press("z", CTRL)
        desk.wait(lambda: desk.item == first)
        assert not desk.revisions() and desk.find("q:q=blue", QAbstractButton).isChecked()
        desk.press("z", CTRL_SHIFT)
        [(key, _who, answers)] = desk.wait_for_revisions(1)
        assert (key, answers) == (first, {"q": {"v": "blue"}})


def test_a_text_box_keeps_its_own_undo_and_gives_way_when_it_has_none(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        desk.keys("1\tword")
        box = desk.find("q:note").findChild(QPlainTextEdit)
        desk.press("z", CTRL)
        assert box.toPlainText() == ""
        desk.press("z", CTRL)
        desk.wait(lambda: not desk.find("q:q=red", QAbstractButton).isChecked() or box.toPlainText() == "word")


def test_a_skip_takes_one_of_the_protocols_reasons_and_can_be_taken_back(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        desk.keys("2")
        desk.press("k", CTRL)
        assert "Why do you skip" in desk.texts()
        desk.press(Qt.Key.Key_Escape)
        assert desk.item == first and desk.find("q:q=blue").hasFocus()
        desk.press("k", CTRL)
        desk.press("1")
        desk.wait_for_item(other_than=first)
        desk.wait(lambda: desk.read(select(Skip.reason)) == [("not_my_field",)])
        desk.press("z", CTRL)
        desk.wait(lambda: desk.item == first)
        assert desk.find("q:q=blue", QAbstractButton).isChecked(), "the draft came back"


def test_a_flag_is_one_key_and_one_more_takes_it_back(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        desk.press("l", CTRL)
        desk.wait(lambda: len(desk.read(select(Flag.id))) == 1)
        desk.wait(lambda: any(w.accessibleName() == "Flagged" and w.isVisible()
                              for w in desk.page.findChildren(QWidget)))
        desk.press("l", CTRL)
        desk.wait(lambda: len(desk.read(select(Flag.id))) == 2)
        [cancels] = [row for row in desk.read(select(Flag.cancels)) if row[0] is not None]
        assert cancels


def test_a_query_is_written_in_place_and_names_its_question(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        item = desk.wait_for_item()
        desk.press("e", CTRL)
        desk.press(Qt.Key.Key_Return)
        assert "Write your question first" in desk.texts()
        desk.keys("Is this 1 door?")
        assert not desk.find("q:q=red", QAbstractButton).isChecked(), "a digit in the box is no answer"
        desk.press(Qt.Key.Key_Return)
        desk.wait(lambda: desk.read(select(QueryMessage.text)) == [("Is this 1 door?",)])
        assert desk.read(select(Query.question)) == [("q",)]
        assert desk.item == item and desk.find("q:q=red").hasFocus()


def test_a_pause_blanks_the_screen_and_stops_the_clock(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        QTest.qWait(300)
        desk.press(Qt.Key.Key_F9)
        assert "The clock stands still" in desk.texts()
        assert not any(label.text().startswith("text ") and not label.visibleRegion().isEmpty()
                       for label in desk.page.findChildren(QLabel))
        desk.press("1")
        QTest.qWait(1500)
        desk.press(Qt.Key.Key_F9)
        assert not desk.find("q:q=red", QAbstractButton).isChecked(), "a key behind the cover answered"
        desk.keys("1\n")
        desk.wait_for_revisions(1)
        [(active, wall)] = desk.read(select(Revision.active_ms, Revision.wall_ms))
        assert wall - active >= 1400
        [(gaps,)] = desk.read(select(Task.gaps_json).where(Task.state == "submitted"))
        assert any(not focused and length >= 1400 for _start, length, focused in gaps)


def test_the_answer_before_opens_again_and_a_change_makes_a_new_revision(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        desk.keys("1\n")
        second = desk.wait_for_item(other_than=first)
        desk.keys("1\n")
        third = desk.wait_for_item(other_than=second)
        desk.wait_for_revisions(2)
        desk.press(Qt.Key.Key_Left, ALT)
        desk.wait(lambda: desk.item == second)
        desk.press(Qt.Key.Key_Left, ALT)
        desk.wait(lambda: desk.item == first)
        desk.keys("2\n")
        desk.wait(lambda: desk.item == third)
        [*_rest, (key, _who, answers)] = desk.wait_for_revisions(3)
        assert (key, answers) == (first, {"q": {"v": "blue"}})
        assert len(desk.read(select(Revision.id).where(Revision.supersedes.is_not(None)))) == 1


def test_go_to_finds_ones_own_answer_by_its_key(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        desk.keys("1\n")
        desk.wait_for_item(other_than=first)
        desk.wait_for_revisions(1)
        desk.press("g", CTRL)
        desk.keys("nothing")
        desk.press(Qt.Key.Key_Return)
        desk.wait(lambda: "There is no item 'nothing'" in desk.texts())
        desk.focus().clear()
        desk.keys(first)
        desk.press(Qt.Key.Key_Return)
        desk.wait(lambda: desk.item == first)


def test_the_guideline_opens_beside_the_item_and_is_searched(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        desk.press(Qt.Key.Key_F2)
        assert desk.find("guideline:search", QLineEdit).hasFocus()
        desk.keys("door")
        assert "1 of 2" in desk.texts()
        desk.press(Qt.Key.Key_Escape)
        assert not desk.find("guideline").isVisible() and desk.find("q:q=red").hasFocus()


def test_f6_goes_from_the_answers_round_to_the_item_and_digits_still_answer(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        seen = []
        for _ in range(8):
            desk.press(Qt.Key.Key_F6)
            seen.append(desk.focus().accessibleName())
            if desk.focus().accessibleName() == "Item":
                break
        assert seen[-1] == "Item"
        desk.press("2")
        assert desk.find("q:q=blue", QAbstractButton).isChecked()


def test_the_next_item_is_claimed_ahead_and_given_back_on_leaving(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        claimed = select(Task.id).where(Task.state == "claimed")
        desk.wait(lambda: len(desk.read(claimed)) == 2)
        desk.go("home")
        desk.wait(lambda: len(desk.read(claimed)) == 1)


def test_nothing_is_left_claimed_by_somebody_who_only_looked(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        desk.wait(lambda: len(desk.read(select(Task.id).where(Task.state == "claimed"))) == 2)
    with Desk(qtbot, path, "ben", page="home") as desk:
        assert desk.read(select(Task.id).where(Task.state == "claimed")) == []


def test_the_last_item_is_followed_by_a_sentence_and_ways_on(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        item = None
        for _ in range(4):
            item = desk.wait_for_item(other_than=item)
            desk.keys("1\n")
        desk.wait(lambda: desk.item is None)
        assert "Nothing waits for you here" in desk.texts()
        assert desk.focus().accessibleName() == "Home"
        desk.wait_for_revisions(4)


def test_while_a_question_of_the_page_is_open_nothing_is_submitted(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        desk.keys("2")
        desk.press("k", CTRL)
        desk.keys("\n")
        assert "Why do you skip" in desk.texts() and "Answer this first, or leave it with Esc." in desk.texts()
        assert desk.item == first and desk.read(select(Skip.reason)) == []
        desk.press("1")
        second = desk.wait_for_item(other_than=first)
        desk.wait(lambda: desk.read(select(Skip.reason)) == [("not_my_field",)])
        desk.keys("1")
        desk.press("e", CTRL)
        desk.keys("why")
        desk.keys("\n")
        assert desk.item == second and desk.revisions() == [] and desk.read(select(Query.id)) == []
        desk.press(Qt.Key.Key_Escape)
        desk.keys("\n")
        desk.wait_for_item(other_than=second)
        assert [row[:2] for row in desk.wait_for_revisions(1)] == [(second, "ana")]
