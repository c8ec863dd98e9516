"""Room for a text that somebody writes: says how much is left, and keeps all of it until it is short enough."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from app.parts.field import set_fault
from app.parts.line import LineInPlace
from app.parts.text import label
from studies.model_parts import FREE_TEXT

NEAR = FREE_TEXT - 200  # from here on it says how much there is


class Room(QWidget):
    """Stands below ``field``, hidden while there is much room. Nothing is cut: who is over has to shorten it."""

    grew = Signal()  # it came, went, or says something else: whoever lays out looks again

    def __init__(self, field: QLineEdit | QPlainTextEdit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = field
        self._left = label("", "caption", "ink2")
        self._over = LineInPlace("bad")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._left)
        column.addWidget(self._over)
        field.textChanged.connect(self._typed)
        self.hide()

    @property
    def is_over(self) -> bool:
        return self._length() > FREE_TEXT

    def _length(self) -> int:
        field = self._field
        return len((field.text() if isinstance(field, QLineEdit) else field.toPlainText()).strip())

    @Slot()
    def _typed(self) -> None:
        n = self._length()
        too_many = self.tr("This is too long to be kept: {n} characters, and {most} at most. Shorten it, or leave it "
                           "out.").format(n=f"{n:,}", most=f"{FREE_TEXT:,}") if n > FREE_TEXT else ""
        left = self.tr("{n} of {most} characters").format(n=f"{n:,}", most=f"{FREE_TEXT:,}") if n >= NEAR else ""
        self._left.setText("" if too_many else left)
        self._left.setVisible(bool(left) and not too_many)
        self._over.say("bad", too_many) if too_many else self._over.hush()
        set_fault(self._field, bool(too_many))
        self._field.setAccessibleDescription(too_many or left)
        was, shown = not self.isHidden(), bool(left or too_many)
        self.setVisible(shown)
        if was != shown or too_many:
            self.grew.emit()
