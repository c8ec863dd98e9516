"""What did not work, in a sentence, and at most two ways on: never a box over a screen."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.parts.line import LineInPlace
from app.parts.text import label
from app.stage.screens.base import BROAD, WordScreen


class FaultScreen(WordScreen):
    """``completed``: {"again": bool}. ``again`` is the text of the button that tries once more, or ""."""

    def __init__(self, heading: str, fault: str, text: str, *, again: str = "", parent: QWidget | None = None) -> None:
        super().__init__(width=BROAD, parent=parent)
        self.add_heading(heading)
        self.column.addWidget(LineInPlace("bad", fault))
        self.column.addWidget(label(text, "reading", "ink", wrap=True))
        if again:
            self.add_primary(again, "Return").clicked.connect(self._again)
            self.add_button(self.tr("Stop here")).clicked.connect(self._stop)
        else:
            self.add_primary(self.tr("Close"), "Return").clicked.connect(self._stop)
        self.end_foot()

    @Slot()
    def _again(self) -> None:
        self.complete({"again": True})

    @Slot()
    def _stop(self) -> None:
        self.complete({"again": False})
