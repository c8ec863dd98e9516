"""The shell and every page in it: keys, names, focus, nothing cut, undo in the menu, late results, dropped files."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QApplication, QLabel, QLineEdit, QWidget

from annotation import people
from app import theme
from app.actions import clashes
from app.commands import command
from app.parts.buttons import CapButton
from app.parts.chip import Chip
from app.parts.overlay import Overlay
from app.parts.text import WrapLabel
from app.settings import DECLARED
from app.window import Window
from tests.windows import make_project, opened, shown, wait

ELIDES_BY_INTENT = (WrapLabel,)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return make_project(tmp_path_factory.mktemp("window"))


@pytest.fixture(scope="module")
def window(project, qapp):
    with opened(project) as made:
        # The pool makes its threads when they are first needed; here, so that no test seems to leave one running.
        both = threading.Barrier(2)
        for _ in range(2):
            made.jobs().work(None, lambda _progress, _cancelled: both.wait(5))
        wait(made)
        yield made


@pytest.fixture(autouse=True)
def _light(qapp, window):
    window.activateWindow()
    window.setFocus()
    yield
    settings = window._settings
    for name in ("theme", "text_size", "slim_rail", "dense_tables"):
        settings.set(name, DECLARED[name].default)
    window.resize(1280, 720)


def each_page(window: Window):
    for page in window.seen_pages():
        window.go(page)
        wait(window)
        yield page


def press(window: Window, id: str) -> None:
    """Trigger a command by its id."""
    next(a for a in window.all_actions() if a.objectName() == id).trigger()


def name_of(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName() or widget.accessibleName() or getattr(widget, 'text', str)()}"


# --- every page -------------------------------------------------------------------------------------------------

def test_no_two_commands_of_a_page_share_a_key(window):
    found = {page: clashes(a for a in window.all_actions() if a.isVisible()) for page in each_page(window)}
    assert {page: keys for page, keys in found.items() if keys} == {}


def test_every_focusable_widget_has_a_name(window):
    nameless = []
    for page in each_page(window):
        nameless += [f"{page}: {name_of(widget)}" for widget in shown(window)
                     if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not widget.accessibleName()
                     and not (isinstance(widget, QAbstractButton) and widget.text())]
    assert nameless == []


@pytest.mark.parametrize(("size", "text"), [((1280, 720), 100), ((800, 600), 100), ((1280, 720), 200)])
def test_nothing_is_cut_and_nothing_scrolls_sideways(window, size, text):
    window._settings.set("text_size", text)
    window.resize(*size)
    cut, sideways, outside = [], [], []
    for page in each_page(window):
        for widget in shown(window.page()):
            if isinstance(widget, QAbstractScrollArea) and widget.horizontalScrollBar().isVisible():
                sideways.append(f"{page}: {name_of(widget)}")
            if widget.x() < 0 or widget.x() + widget.width() > widget.parentWidget().width():
                outside.append(f"{page}: {name_of(widget)} sticks out of its parent")
            if isinstance(widget, (QLabel, CapButton, Chip)) and is_cut(widget):
                cut.append(f"{page}: {name_of(widget)} {widget.text()!r} {widget.size().toTuple()} "
                           f"wants {widget.sizeHint().toTuple()}")
    assert (cut, sideways, outside) == ([], [], [])


def is_cut(widget: QWidget) -> bool:
    """Whether its text does not fit: too narrow, or, where it wraps, not high enough for all lines."""
    if not widget.visibleRegion().boundingRect().isValid():
        return False
    if isinstance(widget, QLabel):
        if not widget.text() or widget.toolTip():
            return False
        if widget.wordWrap():
            return widget.heightForWidth(widget.width()) > widget.height() + 1
        return widget.sizeHint().width() > widget.width() + 1
    return widget.sizeHint().width() > widget.width() or widget.sizeHint().height() > widget.height()


def test_the_focus_can_be_seen_on_every_stop_of_every_page(window, qtbot):
    window.activateWindow()
    unseen = []
    for page in each_page(window):
        for widget in shown(window.page()):
            if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus or not widget.isEnabled():
                continue
            if not widget.visibleRegion().boundingRect().isValid() or widget.focusProxy() is not None:
                continue
            framed = widget.parentWidget() if widget.property("quiet") else widget  # a frame around it wears the ring
            other = next(w for w in shown(window._rail) if isinstance(w, QAbstractButton))
            other.setFocus()
            before = framed.grab().toImage()
            widget.setFocus()
            after = framed.grab().toImage()
            ring = 2 * min(widget.width(), theme.height("table_row", "table"))  # a table rings its current row or cell
            if widget.hasFocus() and pixels_changed(before, after) < ring:
                unseen.append(f"{page}: {name_of(widget)}")
    assert unseen == []


def pixels_changed(before: QImage, after: QImage) -> int:
    # Converted pictures are held by name: their bits do not keep them, and were read after they had been given back.
    held = [image.convertToFormat(QImage.Format.Format_RGB32) for image in (before, after)]
    one, other = (np.array(image.constBits()).view(np.uint32) for image in held)
    return int((one != other).sum())


def test_every_page_can_be_walked_by_tab_and_by_f6(window):
    window.activateWindow()
    for page in each_page(window):
        seen = set()
        for _ in range(60):
            QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
            seen.add(QApplication.focusWidget())
        assert len(seen) > 1, page
        press(window, "view.part")
        first = QApplication.focusWidget()
        press(window, "view.part")
        assert QApplication.focusWidget() is not first, page


def test_no_page_shows_a_window_of_its_own(window):
    for page in each_page(window):
        strays = [name_of(w) for w in QApplication.topLevelWidgets() if w.isVisible() and w is not window]
        assert strays == [], page


# --- the shell ----------------------------------------------------------------------------------------------------

def test_alt_and_a_digit_go_to_the_pages_in_their_order(window, qtbot):
    keys = {"home": "1", "work": "2", "items": "5", "people": "9", "protocol": "0", "preferences": "-"}
    for page, key in keys.items():
        if window.sees(page):
            QTest.keyClick(window, getattr(Qt.Key, f"Key_{'Minus' if key == '-' else key}"),
                           Qt.KeyboardModifier.AltModifier)
            assert window.page().objectName() == f"page:{page}"


def test_an_annotator_sees_home_work_and_own_answers_only(project, window):
    with opened(project, person="ana") as other:  # a second window on one project may only read
        assert set(other.seen_pages()) <= {"home", "work", "answers", "preferences"}
        hidden = other.findChild(QAction, "go.people")
        assert not hidden.isEnabled() and not hidden.isVisible()
        other.go("people")
        assert other.page().name == "home"


def test_the_palette_finds_a_command_by_a_few_letters_and_does_it(window):
    window.go("home")
    press(window, "app.palette")
    field = next(w for w in shown(window) if isinstance(w, QLineEdit))
    assert QApplication.focusWidget() is field
    QTest.keyClicks(field, "prefer")
    QTest.keyClick(field, Qt.Key.Key_Return)
    wait(window)
    assert window.page().name == "preferences"


def test_escape_leaves_an_overlay_and_gives_the_focus_back(window):
    window.go("preferences")
    wait(window)
    before = QApplication.focusWidget()
    press(window, "app.shortcuts")
    assert QApplication.focusWidget() is not before
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is before


def test_an_overlay_closes_when_what_had_the_focus_is_gone(window):
    window.go("preferences")
    wait(window)
    before = QLineEdit(window)
    before.show()
    before.setFocus()
    press(window, "app.shortcuts")
    shiboken6.delete(before)  # as when the page below is built anew
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    press(window, "app.shortcuts")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not [one for one in window.findChildren(Overlay) if one.isVisible()]


def test_the_help_shows_the_keys_of_this_page(window):
    window.go("people")
    wait(window)
    press(window, "app.shortcuts")
    words = {label.text() for label in window.findChildren(QLabel) if label.isVisible()}
    assert {"Add a person", "Undo", "Larger text"} <= words
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)


def test_themes_and_text_size_change_at_once(window):
    for name in ("dark", "contrast", "light"):
        window._settings.set("theme", name)
        image = window.grab().toImage()
        assert image.pixelColor(3, image.height() // 2) == theme.color("window"), name
    press(window, "view.larger")
    assert theme.scale() == 1.1
    press(window, "view.smaller")
    assert theme.scale() == 1.0


def test_the_rail_is_slim_in_a_narrow_window_and_on_command(window):
    assert window._rail.width() == 176
    window.resize(1000, 720)
    assert window._rail.width() == 56
    window.resize(1280, 720)
    press(window, "view.rail")
    assert window._rail.width() == 56
    press(window, "view.rail")
    window._settings.set("text_size", 150)
    assert window._rail.width() == 72


def test_the_menu_says_what_undo_takes_back(window, qtbot):
    undo = window.findChild(QAction, "edit.undo")
    assert not undo.isEnabled()
    window.jobs().run(window, people.set_roles, "ben", add=("verifier",), by=window.opened().person.id)
    qtbot.waitUntil(lambda: undo.text() == "Undo Change roles")
    undo.trigger()
    wait(window)
    assert undo.text() == "Undo" and not undo.isEnabled()
    assert window.findChild(QAction, "edit.redo").text() == "Redo Change roles"


def test_a_page_that_is_not_shown_reads_again_when_it_is(window, qtbot):
    window.go("people")
    wait(window)
    window.go("preferences")
    window.jobs().run(window, people.add, "zoe", roles=("annotator",), by=window.opened().person.id)
    wait(window)
    window.go("people")
    wait(window)
    assert window.page()._model.rowCount() == 6
    window.findChild(QAction, "edit.undo").trigger()
    wait(window)
    assert window.page()._model.rowCount() == 5


def test_a_refusal_is_a_line_on_the_page(window, qtbot):
    window.go("people")
    wait(window)
    window.jobs().run(window, people.set_roles, "demo", remove=("owner",), by=window.opened().person.id)
    wait(window)
    assert window.page().said() == "'demo' is the only owner"
    window.page().hush()


def test_a_dropped_file_goes_where_it_belongs(window, tmp_path, monkeypatch):
    went = []
    monkeypatch.setattr(window, "go", lambda page, **where: went.append((page, where)))
    monkeypatch.setattr(window, "sees", lambda _page: True)
    items, predicted = tmp_path / "ümlaut 😀.csv", tmp_path / "predictions.jsonl"
    items.write_text("id,question\n", "utf-8")
    predicted.write_text('{"id": "x", "answer": "yes"}\n', "utf-8")
    for file in (items, predicted):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(file))])
        window.dropEvent(QDropEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
                                    Qt.KeyboardModifier.NoModifier))
    assert went == [("items", {"file": str(items)}), ("score", {"files": [str(predicted)]})]


def test_the_status_line_says_project_and_person(window):
    words = [label.text() for label in window._status.findChildren(QLabel)]
    assert any("Cancer presuppositions" in text and "demo" in text for text in words)


def test_a_command_needs_a_key_that_no_form_can_want():
    for keys in ("A", "1", "Shift+A", "Space", "Left"):
        with pytest.raises(ValueError, match="belongs to forms"):
            command("x.y", "words", keys=keys)
    for keys in ("Ctrl+A", "Alt+1", "F5", "Esc", "Ctrl++"):
        command("x.y", "words", keys=keys)


def test_what_the_person_likes_is_kept(project, qapp):
    from app.settings import Settings

    with opened(project) as first:
        first._settings.set("slim_rail", True)
        first.resize(1100, 700)
    kept = Settings()
    assert kept.get("slim_rail") is True
    assert not kept.get("geometry").isEmpty()
    assert str(project) in kept.get("recent_projects")
    kept.set("slim_rail", False)


def test_another_person_sits_down_and_sees_what_is_theirs(tmp_path, qapp):
    with opened(make_project(tmp_path)) as other:
        other.activateWindow()
        other.go("people")
        wait(other)
        press(other, "people.switch")
        QTest.keyClicks(QApplication.focusWidget(), "ben")
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        wait(other)
        assert other.opened().person.handle == "ben"
        assert other.page().name == "home"
        assert not other.sees("people")
        other._settings.set("persons", {})


def test_who_types_the_own_name_stays_where_one_sits(tmp_path, qapp):
    with opened(make_project(tmp_path), person="ana") as other:
        other.activateWindow()
        press(other, "people.switch")
        QTest.keyClicks(QApplication.focusWidget(), "ana")  # its letters stand in "annotator" too
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        wait(other)
        assert other.opened().person.handle == "ana"
        other._settings.set("persons", {})


def test_a_person_of_before_is_the_one_who_sits_there_again(tmp_path, qapp):
    project = make_project(tmp_path)
    with opened(project, person="cem"):
        pass
    with opened(project, person=None) as again:
        assert again.opened().person.handle == "cem"


def test_nobody_walks_the_focus_chain():
    """PySide makes what nextInFocusChain returns a child of the widget asked: the menus died of it."""
    walked = [str(path) for path in (Path(__file__).resolve().parent.parent / "app").rglob("*.py")
              if re.search(r"\.(next|previous)InFocusChain\(", path.read_text("utf-8"))]
    assert walked == []
