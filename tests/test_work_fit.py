"""Work, My answers and Adjudicate with real items: nothing cut, nothing sideways, every stop named, at every size."""

import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QApplication, QLabel, QWidget

from annotation import people, protocol, tasks
from annotation.store import opening
from app import theme
from app.item.view import ItemView
from app.parts.buttons import CapButton
from app.parts.chip import Chip
from app.parts.option import OptionButton
from app.parts.reading import ReadingText
from app.viewers.canvas import Canvas
from tests.desk import Desk, answer, make_from_shelf
from tests.test_window import is_cut
from tests.windows import wait

SIZES = [((1280, 720), 100), ((800, 600), 100), ((1280, 720), 200), ((2560, 1440), 100)]
PEOPLE = {"ana": ("annotator",), "ben": ("annotator",), "cem": ("annotator",), "dr-eva": ("physician", "adjudicator")}
STOPS = Qt.FocusPolicy.TabFocus


def faults_of(page: QWidget) -> list[str]:
    """What is cut, scrolls sideways, or can be focused and has no name."""
    found = []
    for widget in page.findChildren(QWidget):
        if not widget.isVisible():
            continue
        name = f"{type(widget.parent()).__name__}/{type(widget).__name__} {widget.objectName()}"
        if isinstance(widget, QAbstractScrollArea) and widget.horizontalScrollBar().isVisible():
            found.append(f"{name} scrolls sideways")
        if isinstance(widget, (QLabel, CapButton, Chip)) and is_cut(widget):
            found.append(f"{name} {widget.text()!r} is cut: {widget.size().toTuple()} of {widget.sizeHint().toTuple()}")
        if isinstance(widget, (OptionButton, ReadingText)) and widget.height() < widget.heightForWidth(widget.width()):
            found.append(f"{name} is {widget.height()} high and wants {widget.heightForWidth(widget.width())}")
        if isinstance(widget, QWidget) and widget.parentWidget() and widget.x() + widget.width() > \
                widget.parentWidget().width() + 1 and not isinstance(widget.parentWidget(), QAbstractScrollArea):
            found.append(f"{name} sticks out of its parent")
        if widget.focusPolicy() & STOPS and not widget.accessibleName() and not (
                isinstance(widget, QAbstractButton) and widget.text()):
            found.append(f"{name} can be focused and has no name")
    return found


def faults_at_rest(page: QWidget) -> list[str]:
    """The same, once layouts have had their time: they come to rest one after the other."""
    until = time.monotonic() + 10
    while (faults := faults_of(page)) and time.monotonic() < until:
        QTest.qWait(40)
    return faults


def labels_of(desk: Desk) -> set[str]:
    """The labels of the item's fields that are on the page (also where one has to scroll to them)."""
    store = desk.window.opened().store
    fields = {field.label for field in store.protocol.fields}
    return {label.text() for label in desk.page.findChildren(QLabel) if label.isVisible()} & fields


def look(desk: Desk, *, labels: set[str] = frozenset()) -> list[str]:  # type: ignore[assignment]
    found = []
    settings = desk.page.context.settings
    for size, text in SIZES:
        settings.set("text_size", text)
        desk.window.resize(*size)
        faults = faults_at_rest(desk.page)
        assert desk.window.size().toTuple() == size, "the window does not fit"
        found += [f"{size} {text} %: {fault}" for fault in faults]
        found += [f"{size} {text} %: the field {label} is gone" for label in labels - labels_of(desk)]
    settings.set("text_size", 100)
    return found


@pytest.mark.parametrize("name", protocol.shelf())
def test_an_item_of_every_protocol_fits_every_size(qtbot, tmp_path: Path, name: str) -> None:
    with Desk(qtbot, make_from_shelf(tmp_path, name), "ana") as desk:
        desk.wait_for_item()
        seen = labels_of(desk)
        assert look(desk, labels=seen) == []
        strays = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w is not desk.window]
        assert strays == []


def test_a_picture_keeps_room_at_large_text_and_a_change_of_theme_moves_nothing(qtbot, tmp_path: Path) -> None:
    path = make_from_shelf(tmp_path, "stare")
    with opening.open_store(path) as store, store.write() as session:
        tasks.claim_key(session, people.find(session, "ana").id, "folding_nets_vsim_001", "annotate")
    with Desk(qtbot, path, "ana") as desk:
        settings = desk.page.context.settings
        desk.wait_for_item()
        seen = set()
        for before, name in (("light", "light"), ("dark", "light"), ("light", "dark"), ("dark", "light")):
            for size, theme_name in ((100, before), (200, name)):
                settings.set("text_size", size)
                settings.set("theme", theme_name)
                if size == 100:
                    wait(desk.window)
            wait(desk.window)
            [item] = [one for one in desk.page.findChildren(ItemView) if one.isVisible()]
            [canvas] = [one for one in item.findChildren(Canvas) if one.isVisible()]
            assert item.fills and canvas.height() * 4 >= item.height(), (canvas.height(), item.height())
            seen.add((item.height(), tuple(is_cut(one) for one in desk.page.findChildren(Chip) if one.isVisible())))
        settings.set("text_size", 100)
        assert len(seen) == 1


def test_what_opens_on_work_fits_every_size(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, make_from_shelf(tmp_path, "cancer-myth-verify"), "ana") as desk:
        desk.wait_for_item()
        desk.keys("\n")  # the line in place
        assert look(desk) == []
        desk.keys("y\t2 more")  # the edit with its changes
        assert look(desk) == []
        for command in ("item.skip", "item.query", "app.guidelines"):
            desk.trigger(command)
            assert look(desk) == [], command
            desk.press(Qt.Key.Key_Escape)
        desk.trigger("item.pause")
        assert look(desk) == []


def test_the_words_of_an_item_wear_the_theme_also_where_they_moved_with_the_text_size(qtbot, tmp_path: Path) -> None:
    with Desk(qtbot, make_from_shelf(tmp_path, "cancer-myth-verify"), "ana") as desk:
        desk.wait_for_item()
        settings = desk.page.context.settings
        for text, name in ((200, "light"), (100, "contrast"), (200, "dark"), (100, "light")):
            settings.set("text_size", text)
            settings.set("theme", name)
            wait(desk.window)
            inks = {label.text(): (label.palette().color(QPalette.ColorRole.WindowText).name(),
                                   theme.color(label.property("ink_token")).name())
                    for label in desk.page.findChildren(QLabel) if label.isVisible() and label.property("ink_token")}
            assert labels_of(desk) <= set(inks)
            assert {words: pair for words, pair in inks.items() if pair[0] != pair[1]} == {}, (text, name)


def test_the_pages_of_a_review_fit_every_size(qtbot, tmp_path: Path) -> None:
    path = make_from_shelf(tmp_path, "cancer-myth-verify", persons=PEOPLE)
    yes = {"is_false": {"v": "yes"}}
    answer(path, "ana", lambda _task: {"is_false": {"v": "no"}})
    answer(path, "ben", lambda _task: {**yes, "sound": {"v": "no"}})
    answer(path, "cem", lambda task: {
        **yes, "sound": {"v": "repair"}, "repaired": {"v": f"Some say: {task.fields['correction']}"}})
    with Desk(qtbot, path, "dr-eva", page="adjudicate") as desk:
        desk.wait_for_item()
        assert look(desk) == []
        desk.press("2")
        desk.trigger("adjudicate.edit")
        assert look(desk) == []
    with Desk(qtbot, path, "ana", page="answers") as desk:
        desk.wait(lambda: any("Today" in label.accessibleName() for label in desk.page.findChildren(QLabel)))
        assert look(desk) == []
