"""The item on Work at every width: a text is as high as its words where it stands, and nothing scrolls needlessly."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QScrollArea

from app.item.view import ItemView
from app.parts.reading import ReadingText
from tests.desk import CTRL, Desk, make
from tests.windows import wait

WIDTHS = (1100, 1280, 1366, 1400, 1440, 1680, 1920, 2560)
HIGH = 850
SHIFT = Qt.KeyboardModifier.ShiftModifier
PROTOCOL = """\
id: heights
version: 1
title: Heights
fields:
  - {name: question, kind: text, label: Question, required: true, pin: true}
  - {name: context, kind: text, label: Context, required: true, pin: true}
  - {name: answer, kind: markdown, label: Answer}
questions:
  - {name: sound, type: choice, text: Is it sound?, options: [{value: "yes", label: "Yes"}, {value: "no", label: "No"}]}
workflow: {stages: [annotate], people_per_item: 2}
"""
SENTENCE = "This patient asks what follows from a finding of which the letter says hardly more than its name. "
ROWS = [{"id": f"i{n}", "question": SENTENCE * 3, "context": SENTENCE * 2, "answer": f"**Point {n}.** " + SENTENCE * 4}
        for n in range(4)]


def wrong_heights(desk: Desk) -> list[str]:
    """Texts that are not as high as their words, and bars where all has room without one."""
    wait(desk.window)
    item = desk.page.findChild(ItemView)
    found = []
    for text in item.findChildren(ReadingText):
        wanted = text.heightForWidth(text.width())
        if text.isVisible() and text.height() != wanted:
            found.append(f"{text.accessibleName()} is {text.height()} high and wants {wanted}")
    areas = [area for area in item.findChildren(QScrollArea) if area.isVisible()]
    wanted = {area.accessibleName(): area.widget().heightForWidth(area.width()) for area in areas}
    bars = [area.accessibleName() for area in areas if area.verticalScrollBar().isVisible()]
    if bars and sum(wanted.values()) <= item.height():
        found.append(f"{bars} scroll: of {item.height()} they want {wanted}")
    return found


@pytest.mark.parametrize("text_size", [100, 200])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_first_item_of_every_sitting_stands_whole(qtbot, tmp_path: Path, width: int, text_size: int) -> None:
    path = make(tmp_path, PROTOCOL, ROWS)
    with Desk(qtbot, path, "ben", page="home", size=(width, HIGH)) as desk:
        desk.page.context.settings.set("text_size", text_size)
        wait(desk.window)
        desk.press(Qt.Key.Key_Return)  # on Begin
        desk.wait_for_item()
        assert wrong_heights(desk) == []
        desk.press("U", CTRL | SHIFT)
        desk.keys("ana")
        desk.press(Qt.Key.Key_Return)
        desk.wait(lambda: desk.page.objectName() == "page:home")
        desk.go("work")
        desk.wait_for_item()
        assert wrong_heights(desk) == []


def test_an_item_stands_whole_after_every_change_of_the_text_size_and_the_window(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, make(tmp_path, PROTOCOL, ROWS), "ana", size=(1280, HIGH)) as desk:
        desk.wait_for_item()
        for text_size in (125, 85, 150, 100, 200, 115):
            desk.page.context.settings.set("text_size", text_size)
            for width in (1920, 1100, 1440, 1280):
                desk.window.resize(width, HIGH)
                assert wrong_heights(desk) == [], (text_size, width)
        assert QApplication.activeWindow() is desk.window
