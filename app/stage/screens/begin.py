"""Before trials: what comes, how many there are, and that Space begins."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.parts.text import label
from app.stage.screens.base import NARROW, WordScreen
from app.stage.screens.keys_drawn import KeysDrawn


class BeginScreen(WordScreen):
    """``completed``: {}. ``text`` is the study's own Markdown, ``said`` lines of ours below it."""

    def __init__(self, heading: str, *, text: str = "", said: Sequence[str] = (), keys: Sequence[str] = (),
                 words: Sequence[str] = (), button: str = "", aside: str = "", parent: QWidget | None = None) -> None:
        super().__init__(width=NARROW, parent=parent)
        self.add_heading(heading)
        if text:
            self.add_text(text)
        for line in said:
            self.column.addWidget(label(line, "reading", "ink", wrap=True))
        if keys:
            self.column.addWidget(KeysDrawn(keys, words))
        self.add_primary(button or self.tr("Begin")).clicked.connect(self._tell)
        self.add_aside(aside)

    @Slot()
    def _tell(self) -> None:
        self.complete()
