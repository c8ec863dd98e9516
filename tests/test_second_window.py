"""A second window on the same folder project reads only: every page says so in its place, and nothing is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QTableView

from annotation.store import opening
from tests.desk import CTRL, Desk, answer, make

WHY = "open here for reading only"
PROTOCOL = """\
id: desk
version: 1
title: A desk
fields:
  - {name: text, kind: text, label: Text, required: true}
questions:
  - {name: q, type: choice, text: Which?, options: [{value: red}, {value: blue}]}
workflow:
  stages: [annotate, adjudicate, sign]
  people_per_item: 2
  adjudicate: {when: no_value, role: physician}
  sign: {role: physician}
gold: {q: {rule: majority, min_people: 2}}
"""
PEOPLE = {"ana": ("annotator",), "ben": ("annotator",), "dr-eva": ("physician",)}


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """Two items, one to decide and one to sign; another program writes to the project until the test is over."""
    made = make(tmp_path, PROTOCOL, [{"id": f"i{n}", "text": f"door {n}"} for n in range(2)], persons=PEOPLE)
    answer(made, "ana", lambda _task: {"q": {"v": "red"}})
    answer(made, "ben", lambda task: {"q": {"v": "red" if task.key == "i0" else "blue"}})
    with opening.open_store(made) as writer:
        assert not writer.read_only
        before = writer.content_sha256()
        yield made
        assert writer.content_sha256() == before


def settle(desk: Desk) -> None:
    desk.wait(lambda: desk.window.jobs().is_idle)


def says_why(desk: Desk) -> None:
    desk.wait(lambda: WHY in desk.texts())
    settle(desk)


def go(desk: Desk, page: str) -> None:
    desk.trigger(f"go.{page}")
    desk.wait(lambda: desk.page.objectName() == f"page:{page}")
    settle(desk)


def test_every_page_opens_without_a_fault_and_the_status_line_keeps_the_reason(qtbot, path: Path) -> None:
    for person in ("ana", "dr-eva", "owner"):
        with Desk(qtbot, path, person, page="home") as desk:
            bugs: list[object] = []
            desk.window.jobs().crashed.connect(bugs.append)
            for page in desk.window.seen_pages():
                go(desk, page)
            assert bugs == []
            assert any(WHY in label.text() for label in desk.window.findChildren(QLabel) if label.isVisible())


@pytest.mark.parametrize("person", ["ana", "dr-eva"])
def test_work_says_why_there_is_nothing_to_answer_or_to_sign(qtbot, path: Path, person: str) -> None:
    with Desk(qtbot, path, person) as desk:
        says_why(desk)
        assert "Nothing waits" not in desk.texts() and desk.item is None


def test_an_answer_is_neither_withdrawn_nor_opened_again(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana", page="answers") as desk:
        table = desk.page.findChild(QTableView)
        desk.wait(lambda: table.model().rowCount() == 2)
        table.setFocus()
        desk.press(Qt.Key.Key_Delete, CTRL)
        says_why(desk)
        desk.press(Qt.Key.Key_Return)
        desk.wait(lambda: desk.page.objectName() == "page:work")
        says_why(desk)


def test_a_case_is_not_shown_because_that_could_not_be_kept(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "dr-eva", page="adjudicate") as desk:
        says_why(desk)
        assert "Nothing waits" not in desk.texts() and desk.item is None


def test_items_are_looked_at_but_not_assigned_and_none_come_in(qtbot, path: Path, tmp_path: Path) -> None:
    (tmp_path / "more.jsonl").write_text(json.dumps({"id": "new", "text": "another"}) + "\n", "utf-8")
    with Desk(qtbot, path, "owner", page="home") as desk:
        go(desk, "items")
        table = desk.page.findChild(QTableView)
        desk.wait(lambda: table.model().rowCount() == 2)
        table.setFocus()
        desk.press(Qt.Key.Key_Return)
        desk.wait(lambda: "red" in desk.texts())
        assert WHY not in desk.texts(), "looking is no writing"
        table.setFocus()
        desk.trigger("items.choose_all")
        settle(desk)
        desk.trigger("items.assign")
        settle(desk)
        desk.press(Qt.Key.Key_Return)
        says_why(desk)
        desk.window.go("items", file=str(tmp_path / "more.jsonl"))
        settle(desk)
        desk.trigger("items.take")
        desk.wait(lambda: f"{WHY}. Nothing has been brought in." in desk.texts())


def test_no_release_is_drawn(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "owner", page="home") as desk:
        go(desk, "gold")
        desk.find("gold:version", QLineEdit).setFocus()
        desk.wait(lambda: desk.find("gold:draw").isEnabled())
        desk.press(Qt.Key.Key_Return, CTRL)
        says_why(desk)


def test_nobody_is_added_and_no_role_given(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "owner", page="home") as desk:
        go(desk, "people")
        table = desk.page.findChild(QTableView)
        desk.wait(lambda: table.model().rowCount() == 4)
        desk.find("role:verifier", QAbstractButton).setFocus()
        desk.press(Qt.Key.Key_Space)
        says_why(desk)
        assert not desk.find("role:verifier", QAbstractButton).isChecked()
        desk.press("n", CTRL)
        desk.keys("new-one")
        desk.press(Qt.Key.Key_Return)
        says_why(desk)
        focus = QApplication.focusWidget()
        assert isinstance(focus, QLineEdit) and focus.text() == "new-one"


def test_nothing_of_before_can_be_taken_back(qtbot, path: Path) -> None:
    with Desk(qtbot, path, "ana", page="home") as desk:
        settle(desk)
        desk.press("z", CTRL)
        assert desk.window.jobs().undo_label == ""
