"""Text boxes that leave the command keys to the page and say when somebody typed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from app import theme

# Some platforms give these to text boxes (Ctrl+K deletes to the end of the line, Ctrl+E goes there);
# here they are commands wherever the focus is.
_COMMANDS = frozenset({Qt.Key.Key_K, Qt.Key.Key_L, Qt.Key.Key_E, Qt.Key.Key_G, Qt.Key.Key_H, Qt.Key.Key_B,
                       Qt.Key.Key_0, Qt.Key.Key_Return, Qt.Key.Key_Enter})


def is_command(event: QEvent, *, can_undo: bool, can_redo: bool) -> bool:
    """Whether a shortcut-override event belongs to a command and not to the box. Undo and redo are the box's own
    as long as it has any."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    if event.matches(QKeySequence.StandardKey.Undo):
        return not can_undo
    if event.matches(QKeySequence.StandardKey.Redo):
        return not can_redo
    return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier) and event.key() in _COMMANDS


class _Held:
    """Knows the repeats of a key that went down before the focus came: a digit that opened this box, held too long."""

    _came_just_now = True

    def is_held(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self._came_just_now = True
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self._came_just_now = self._came_just_now and event.isAutoRepeat()
            return self._came_just_now and bool(event.text()) and event.text().isprintable()
        return False


class LineBox(_Held, QLineEdit):
    """One line; Enter says ``submitted``."""

    submitted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.returnPressed.connect(self.submitted)
        self.restyle()

    def restyle(self) -> None:
        self.setFixedHeight(theme.height("field"))

    def event(self, event: QEvent) -> bool:
        if is_command(event, can_undo=self.isUndoAvailable(), can_redo=self.isRedoAvailable()):
            event.ignore()
            return False
        return self.is_held(event) or super().event(event)


class TextBox(_Held, QPlainTextEdit):
    """Several lines; Tab goes on to the next question; as high as its text, within bounds."""

    def __init__(self, parent: QWidget | None = None, *, least_lines: int = 2, most_lines: int = 8) -> None:
        super().__init__(parent)
        self._least, self._most = least_lines, most_lines
        self.document().setDocumentMargin(theme.space("xxs"))
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._grow())
        self._grow()

    def event(self, event: QEvent) -> bool:
        document = self.document()
        if is_command(event, can_undo=document.isUndoAvailable(), can_redo=document.isRedoAvailable()):
            event.ignore()
            return False
        return self.is_held(event) or super().event(event)

    def restyle(self) -> None:
        self._grow()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._grow()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(1, 1)

    def _grow(self) -> None:
        lines = round(self.document().size().height())  # a plain text document counts in lines
        lines = min(self._most, max(self._least, lines))
        self.setFixedHeight(theme.height("field", lines=lines))
