"""The last screen: thanks, why it ended, and that the window may be closed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.parts.line import LineInPlace
from app.stage.screens.base import NARROW, WordScreen


class LastScreen(WordScreen):
    """``completed``: {}: the window closes. ``fault`` is a sentence about what did not work."""

    def __init__(self, heading: str, text: str = "", *, fault: str = "", parent: QWidget | None = None) -> None:
        super().__init__(width=NARROW, parent=parent)
        self.add_heading(heading)
        if fault:
            self.column.addWidget(LineInPlace("bad", fault))
        if text:
            self.add_text(text)
        self.add_primary(self.tr("Close"), "Return").clicked.connect(self._tell)
        self.end_foot()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Escape:
            self._tell()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _tell(self) -> None:
        self.complete()
