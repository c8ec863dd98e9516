"""Adjudicate: a column says all that belongs to an answer, and which one it is, however far one has scrolled."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QTextBrowser, QWidget

from app.settings import Settings
from tests.desk import Desk, answer, make

PEOPLE = {"ana": ("annotator",), "ben": ("annotator",), "dr-eva": ("physician",)}
PROTOCOL = """\
id: desk
version: 1
title: A desk
fields:
  - {name: text, kind: text, label: Text, required: true}
questions:
  - name: fits
    type: verdict
    text: Is the answer right?
    flags: [{value: wrong, label: Answer is wrong}, {value: old, label: Out of date}]
    flags_on: [reject]
  - {name: note, type: text, text: What do you see?}
workflow:
  stages: [annotate, adjudicate]
  people_per_item: 2
  adjudicate: {when: any_difference, role: physician}
gold: {fits: {rule: majority, min_people: 2}, note: {rule: adjudicated}}
"""
LONG = " ".join(["The dose does not hold for children, and the answer does not say so."] * 60)


def said(flags: list[str], reason: str, note: str = "short") -> dict[str, Any]:
    return {"fits": {"v": "reject", "flags": flags, "reason": reason}, "note": {"v": note}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = make(tmp_path, PROTOCOL, [{"id": "i0", "text": "a door"}], persons=PEOPLE)
    answer(made, "ana", lambda _task: said(["wrong", "old"], "The dose is too high.", LONG))
    answer(made, "ben", lambda _task: {"fits": {"v": "repair", "flags": ["old"], "reason": "A newer guideline."},
                                       "note": {"v": LONG + " No."}})
    return made


def column(desk: Desk, words: str) -> list[str]:
    """What the texts say that stand in the cell of the answer that says this."""
    cell = next(one for one in desk.page.findChildren(QTextBrowser)
                if one.isVisible() and one.toPlainText() == words)
    box = cell.parentWidget()
    return [part.toPlainText() if isinstance(part, QTextBrowser) else part.text()
            for part in box.children() if isinstance(part, QWidget) and part.isVisible()]


def test_a_column_shows_the_marks_and_the_reason_of_a_verdict(qtbot: Any, path: Path) -> None:
    with Desk(qtbot, path, "dr-eva", page="adjudicate") as desk:
        desk.wait_for_item()
        assert column(desk, "Reject") == ["Reject", "What is wrong?", "Answer is wrong", "Out of date", "Reason",
                                          "The dose is too high."]
        assert column(desk, "Repair") == ["Repair", "What is wrong?", "Out of date", "Reason", "A newer guideline."]
        names = [one.accessibleName() for one in desk.page.findChildren(QTextBrowser) if one.isVisible()]
        assert any(name.endswith("Reject; What is wrong? Answer is wrong (not all say so), Out of date; "
                                 "Reason: The dose is too high.") for name in names), names


def test_marks_that_not_all_gave_are_strong_and_said_to_differ(qtbot: Any, path: Path) -> None:
    with Desk(qtbot, path, "dr-eva", page="adjudicate") as desk:
        desk.wait_for_item()
        weights = {one.toPlainText(): one.document().defaultFont().weight()
                   for one in desk.page.findChildren(QTextBrowser) if one.isVisible()}
        assert weights["Answer is wrong"] > weights["Out of date"]
        assert "marks differ" in desk.texts()


def test_the_heads_of_the_columns_stay_in_sight_over_long_answers(qtbot: Any, path: Path) -> None:
    with Desk(qtbot, path, "dr-eva", page="adjudicate") as desk:
        desk.wait_for_item()
        head = desk.find("answer:2", QAbstractButton)
        area: Any = head
        while not isinstance(area, QScrollArea):
            area = area.parentWidget()
        bar = area.verticalScrollBar()
        desk.wait(lambda: bar.maximum() > 300)
        at_first = head.mapTo(area, QPoint(0, 0))
        for _ in range(3):
            desk.press(Qt.Key.Key_PageDown)
        assert bar.value() > 300
        assert head.mapTo(area, QPoint(0, 0)) == at_first and not head.visibleRegion().isEmpty()
        desk.press("2")
        assert head.isChecked()
        seen = area.viewport().childAt(head.mapTo(area.viewport(), head.rect().center()))
        assert seen is head, "the answers lie over their heads"


@pytest.mark.parametrize("text", [100, 200])
def test_a_head_stands_over_its_column_at_any_text_size(qtbot: Any, path: Path, text: int) -> None:
    with Desk(qtbot, path, "dr-eva", page="adjudicate") as desk:
        desk.wait_for_item()
        desk.window.findChild(Settings).set("text_size", text)

        def beside() -> bool:
            found = [(one.accessibleName().split()[1], one.parentWidget()) for one in
                     desk.page.findChildren(QTextBrowser) if one.isVisible() and one.accessibleName()[:7] == "Answer "]
            return len(found) == 4 and all(
                (head := desk.find(f"answer:{n[0]}")).mapToGlobal(QPoint(0, 0)).x() == box.mapToGlobal(QPoint(0, 0)).x()
                and head.width() == box.width() for n, box in found)
        desk.wait(beside)
