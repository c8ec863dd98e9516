"""What lies over a page: Esc and F1 close it, on every page, and no key of the page behind acts meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QTableView, QWidget

from app.keys import KeyHelp
from app.palette import Palette
from app.parts.overlay import Overlay
from tests.windows import make_project, opened, shown, wait

NO, CTRL, SHIFT, ALT = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier,
                        Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier)
Key = Qt.Key


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return make_project(tmp_path_factory.mktemp("overlays"))


@pytest.fixture
def window(project, qapp):
    with opened(project) as made:
        made.activateWindow()
        QTest.qWaitForWindowActive(made)
        yield made


def press(window, key, modifiers=NO) -> None:
    """To what has the focus."""
    QTest.keyClick(QApplication.focusWidget() or window, key, modifiers)


def noting(acted: list[str], id: str) -> Callable[..., None]:
    return lambda *_: acted.append(id)


def over(window) -> list[QWidget]:
    return [one for one in window.findChildren(Overlay) if one.isVisible()]


@pytest.mark.parametrize("way_in", [(Key.Key_F1, NO), (Key.Key_P, CTRL | SHIFT)])
@pytest.mark.parametrize("way_out", [Key.Key_Escape, Key.Key_F1])
def test_on_no_page_does_a_key_act_behind_an_overlay(window, way_in, way_out):
    acted: list[str] = []
    with_escape = set()
    for name in window.seen_pages():
        window.go(name)
        wait(window)
        press(window, *way_in)
        assert over(window), name
        actions = window.page().actions_by_id.values()
        for action in actions:
            action.setEnabled(True)  # as if the page could do all it ever does
            action.triggered.connect(noting(acted, action.objectName()))
        for keys in (one for action in actions for one in action.shortcuts()):
            if keys == QKeySequence("Esc"):
                with_escape.add(name)
            elif keys != QKeySequence("F1"):
                press(window, keys[0].key(), keys[0].keyboardModifiers())
        assert acted == [] and over(window), (name, acted)
        press(window, way_out)
        assert acted == [] and not over(window), (name, acted)
        window.update_commands()
        wait(window)
    assert {"items", "gold", "people", "agreement", "score"} <= with_escape


def test_the_panel_of_an_item_stays_open_behind_the_help(window):
    press(window, Key.Key_5, ALT)
    wait(window)
    table = next(one for one in shown(window.page()) if isinstance(one, QTableView))
    table.setFocus()
    press(window, Key.Key_Return)
    wait(window)
    page = window.page()
    assert page.action("items.back").isEnabled()
    press(window, Key.Key_F1)
    press(window, Key.Key_Escape)
    assert not over(window) and page.action("items.back").isEnabled(), "Esc closed the panel"
    press(window, Key.Key_Escape)
    wait(window)
    assert not page.action("items.back").isEnabled()


def test_what_would_come_in_stays_behind_the_help(window, tmp_path):
    file = tmp_path / "more.jsonl"
    file.write_text('{"id": "more-1", "question": "q"}\n', "utf-8")
    window.go("items", bring_in=True, file=str(file))
    wait(window)
    assert window.page().is_bringing
    for way_out in (Key.Key_Escape, Key.Key_F1):
        press(window, Key.Key_F1)
        assert over(window)
        press(window, way_out)
        assert not over(window) and window.page().is_bringing
    press(window, Key.Key_Escape)
    assert not window.page().is_bringing


def test_going_elsewhere_closes_what_is_open(window):
    press(window, Key.Key_5, ALT)
    wait(window)
    press(window, Key.Key_F1)
    press(window, Key.Key_6, ALT)
    wait(window)
    assert window.page().name == "agreement" and not over(window)
    press(window, Key.Key_F1)
    assert [type(one) for one in over(window)] == [KeyHelp]
    press(window, Key.Key_P, CTRL | SHIFT)
    assert [type(one) for one in over(window)] == [Palette]
    assert "Keys on this page" not in {one.text() for one in shown(window) if isinstance(one, QLabel)}
    press(window, Key.Key_Escape)
    assert not over(window)


def test_what_the_page_gives_the_focus_to_meanwhile_has_it_afterwards(window):
    window.go("people")
    wait(window)
    field = next(one for one in window.page().findChildren(QWidget) if one.isVisible() and one.focusPolicy()
                 and one is not QApplication.focusWidget())
    for keys in ((Key.Key_F1, NO), (Key.Key_P, CTRL | SHIFT)):
        press(window, *keys)
        inside = QApplication.focusWidget()
        field.setFocus()
        assert QApplication.focusWidget() is inside, "the page took the focus from what lies over it"
        press(window, Key.Key_Escape)
        assert not over(window) and QApplication.focusWidget() is field
        window.page().focus_first()


def test_typing_in_the_palette_is_taken_back_there(window):
    window.go("preferences")
    press(window, Key.Key_P, CTRL | SHIFT)
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "home")
    press(window, Key.Key_Z, CTRL)
    assert field.text() == ""
    press(window, Key.Key_Escape)
