"""A tag: a chip in the head of the item."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtWidgets import QHBoxLayout

from app.parts.chip import Chip
from app.viewers.base import PictureSource, Viewer, label_of, viewers


@viewers.register("tag")
class TagViewer(Viewer):
    place: ClassVar[str] = "head"

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.chip = Chip("")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.chip)

    def show_field(self, field: Any, value: Any, media: PictureSource | None) -> None:
        text = "" if value is None else str(value)
        self.chip.set_text(text)
        self.chip.setToolTip(label_of(field))
        self.chip.setAccessibleName(f"{label_of(field)}: {text}")
        self.setVisible(bool(text))
