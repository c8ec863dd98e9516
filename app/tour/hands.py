"""A pair of hands at a window: presses real keys and looks at what is shown, never behind it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QWidget

from app import gui
from app.pictures import settle
from app.settings import Settings

NO, CTRL, ALT = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier)
SHIFT = Qt.KeyboardModifier.ShiftModifier
PATIENCE_MS = 4_000
LOOK_MS = 5
PAGES = ("home", "work", "answers", "adjudicate", "items", "agreement", "gold", "score", "people", "protocol",
         "preferences")
_GO = dict(zip(PAGES, [*"1234567890", "-"], strict=True))


class Hands:
    """One person at one window; ``with Hands(project, handle) as hands``. The size is that of a small screen."""

    def __init__(self, project: Path, person: str, *, size: tuple[int, int] = (1280, 720)) -> None:
        self.window: QMainWindow = gui.open_window(str(project), person=person)
        self.window.resize(*size)
        self.wait(self.window.isActiveWindow)

    def __enter__(self) -> Hands:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.window.close()
        # Kept until the event loop has run: a window freed in the middle of a signal takes its menus along.
        self.wait(lambda: not self.window.isVisible())

    # --- keys -----------------------------------------------------------------------------------------------

    def press(self, key: Qt.Key | str, modifiers: Qt.KeyboardModifier = NO) -> None:
        click: Any = QTest.keyClick  # its stub does not know that a character is a key, too
        click(QApplication.focusWidget() or self.window, key, modifiers)

    def type(self, text: str) -> None:
        QTest.keyClicks(QApplication.focusWidget() or self.window, text)

    def submit(self) -> None:
        self.press(Qt.Key.Key_Return, CTRL)

    def go(self, page: str) -> bool:
        """Alt and the page's key; False where this person has no such page."""
        self.press(_GO[page], ALT)
        return self.wait(lambda: self.shows(page))

    def reach(self, name: str) -> bool:
        """Tab until the widget with this object name has the focus."""
        for _ in range(200):
            focus = QApplication.focusWidget()
            if focus is not None and focus.objectName() == name:
                return True
            self.press(Qt.Key.Key_Tab)
        return False

    def write(self, name: str, text: str) -> bool:
        """Reach a field and type over what stands in it."""
        if not self.reach(name):
            return False
        self.press(Qt.Key.Key_A, CTRL)
        self.type(text)
        return True

    # --- what is seen ---------------------------------------------------------------------------------------

    def shows(self, page: str) -> bool:
        found = self.window.findChild(QWidget, f"page:{page}")
        return found is not None and found.isVisible()

    def sees(self, name: str) -> QWidget | None:
        """The visible widget with this object name."""
        return next((w for w in self.window.findChildren(QWidget, name) if w.isVisible()), None)

    def item(self) -> str | None:
        """The key of the item that is shown."""
        return next((label.text() for label in self.window.findChildren(QLabel, "item:key") if label.isVisible()), None)

    def may(self, command: str) -> bool:
        """Whether the command with this id can be given now."""
        found = self.window.findChild(QAction, command)
        return found is not None and found.isEnabled()

    def spoken(self, start: str) -> list[str]:
        """The accessible names, of what is visible, that begin so."""
        return [w.accessibleName() for w in self.window.findChildren(QWidget)
                if w.isVisible() and w.accessibleName().startswith(start)]

    def dress(self, theme: str) -> None:
        """Choose a theme as the Preferences page does."""
        settings = self.window.findChild(Settings)
        settings.set("theme", theme)

    def draw(self, file: Path) -> None:
        """What the window shows once all its results are there."""
        settle(self.window)
        self.window.grab().save(str(file))

    # --- waiting --------------------------------------------------------------------------------------------

    def wait(self, claim: Callable[[], object], *, patience_ms: int = PATIENCE_MS) -> bool:
        """Let the windows work until ``claim`` holds; False where it does not come to hold."""
        if claim():
            return True
        loop, look, end = QEventLoop(), QTimer(), QTimer()
        look.timeout.connect(lambda: loop.quit() if claim() else None)
        end.setSingleShot(True)
        end.timeout.connect(loop.quit)
        look.start(LOOK_MS)
        end.start(patience_ms)
        loop.exec()
        look.stop()
        return bool(claim())
