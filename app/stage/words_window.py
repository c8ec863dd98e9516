"""The one full-screen window of words: shows a screen after the other, hears Esc, and keeps held keys out."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent, QScreen, QShowEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QStackedLayout, QWidget

from app import theme
from app.parts.chip import Chip
from app.parts.surface import Surface
from app.parts.text import label
from app.stage import keys
from app.stage.screens.base import WordScreen
from app.stage.screens.card import Card
from studies.keyboard import Keyboard
from studies.timing import monotonic_us

TWICE_MS = 3000  # the second Esc comes within this time
_REPEATING = (QLineEdit, QPlainTextEdit, Card)  # where a key that is held is meant to do it again


class WordsWindow(Surface):
    """``show_screen`` puts a screen up and takes the last one away; ``cover`` puts one over it for a while."""

    leave_asked = Signal()         # Esc twice, or the window was asked to close
    experimenter_asked = Signal()  # Ctrl+Alt+E
    key_released = Signal(object)  # KeySeen: maybe of a key that went down in the window of the trials

    def __init__(self, screen: QScreen | None = None, *, pilot: bool = False, parent: QWidget | None = None) -> None:
        super().__init__("page", parent=parent)
        if screen is not None:
            self.setScreen(screen)
            self.setGeometry(screen.geometry())
        self.setWindowTitle("Goldsmith")
        self._keyboard = Keyboard()
        self._over: WordScreen | None = None
        self._may_close = False
        self._stack = QStackedLayout(self)
        self._blank = Surface("page")
        self._blank.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._blank.setAccessibleName(self.tr("One moment"))
        self._stack.addWidget(self._blank)
        self._screen: WordScreen | None = None
        self._pilot = Chip(self.tr("Pilot: this sitting does not count"), kind="info", parent=self)
        self._pilot.setVisible(pilot)
        self._hint = label("", "body", "ink2", parent=self)
        self._hint.hide()
        self._wait = label("", "body", "ink2", parent=self)
        self._wait.hide()
        self._esc = QTimer(self)
        self._esc.setSingleShot(True)
        self._esc.setInterval(TWICE_MS)
        self._esc.timeout.connect(self._hint.hide)

    def set_pilot(self, pilot: bool) -> None:
        self._pilot.set_text(self.tr("Pilot: this sitting does not count"))
        self._pilot.setVisible(pilot)

    # --- screens --------------------------------------------------------------------------------------------

    def screen_shown(self) -> WordScreen | None:
        """What is to be seen: the cover, else the screen below it; None while it is blank."""
        return self._over or self._screen

    def show_screen(self, screen: WordScreen, completed: Callable[[dict], None]) -> None:
        """Put ``screen`` up; ``completed`` gets what is kept of it."""
        self.clear()
        self._screen = screen
        self._put(screen, completed)

    def cover(self, screen: WordScreen, completed: Callable[[dict], None]) -> None:
        """Put a screen over the one that is shown; ``uncover`` brings that back as it was."""
        self.uncover()
        self._over = screen
        self._put(screen, completed)

    def _put(self, screen: WordScreen, completed: Callable[[dict], None]) -> None:
        screen.completed.connect(completed)
        self._stack.addWidget(screen)
        self._stack.setCurrentWidget(screen)
        self._raise_signs()
        self._still()
        screen.focus_first()

    def uncover(self) -> None:
        if self._over is not None:
            self._drop(self._over)
            self._over = None
            self._stack.setCurrentWidget(self._screen or self._blank)
            (self._screen.focus_first if self._screen is not None else self._blank.setFocus)()

    def clear(self) -> None:
        """Blank, as between two screens."""
        self.uncover()
        if self._screen is not None:
            self._drop(self._screen)
            self._screen = None
        self._stack.setCurrentWidget(self._blank)
        self._blank.setFocus()

    def _drop(self, screen: WordScreen) -> None:
        self._stack.removeWidget(screen)
        screen.hide()
        screen.deleteLater()

    def say_wait(self, text: str) -> None:
        """A few words on the blank page while something is read; "" takes them away."""
        self._wait.setText(text)
        self._wait.setVisible(bool(text))
        self._place()

    def _raise_signs(self) -> None:
        self._wait.hide()
        self._pilot.raise_()
        self._hint.raise_()

    # --- keys -----------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """What no screen took: Esc, and the experimenter's way out."""
        way_out = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        if event.key() == Qt.Key.Key_E and event.modifiers() & way_out == way_out:
            self._still()
            self.experimenter_asked.emit()
        elif event.key() == Qt.Key.Key_Escape and self._over is None:
            if self._esc.isActive():
                self._still()
                self.leave_asked.emit()
            else:
                self._esc.start()
                self._hint.setText(self.tr("To stop, press Esc once more"))
                self._hint.show()
                self._hint.raise_()
                self._place()
        else:
            self._still()
            super().keyPressEvent(event)

    @Slot()
    def _still(self) -> None:
        self._esc.stop()
        self._hint.hide()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Keys as they reach the window: one that is held, maybe since the last trial, is heard once."""
        if event.type() in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease) and isinstance(event, QKeyEvent):
            return self._is_repeat(event)
        if event.type() == QEvent.Type.FocusOut:
            self._keyboard = Keyboard()  # what goes up elsewhere is not seen here
        return False

    def _is_repeat(self, event: QKeyEvent) -> bool:
        seen, marked = keys.seen(event, monotonic_us()), event.isAutoRepeat()
        at = 1000 * seen.stamp_ms or seen.receipt_us
        if event.type() == QEvent.Type.KeyRelease:
            if not marked:
                self._keyboard.release(seen.code, at)
                self.key_released.emit(seen)
            return False
        repeat = marked or (event.nativeScanCode() != 0 and self._keyboard.press(seen.code, at) == "repeat")
        return repeat and not isinstance(self.focusWidget(), _REPEATING)

    # --- the window -----------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self.windowHandle().installEventFilter(self)

    def bring_forward(self) -> None:
        """Before the window of the trials, with the focus."""
        self.raise_()
        self.activateWindow()
        if (shown := self.screen_shown()) is not None:
            shown.focus_first()

    def close_for_good(self) -> None:
        """Close without asking: the sitting is over."""
        self._may_close = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        if self._may_close:
            event.accept()
        else:
            event.ignore()
            self.leave_asked.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._place()

    def restyle(self) -> None:
        self._place()

    def _place(self) -> None:
        for part in (self._pilot, self._hint, self._wait):
            part.adjustSize()
        left, top = theme.space("page_left"), theme.space("page_top")
        self._pilot.move((self.width() - self._pilot.width()) // 2, top)
        self._hint.move((self.width() - self._hint.width()) // 2, self.height() - self._hint.height() - left)
        self._wait.move((self.width() - self._wait.width()) // 2, (self.height() - self._wait.height()) // 2)
