"""A plain text, as it is."""

from __future__ import annotations

from typing import Any

from app.parts.reading import ReadingText
from app.viewers.base import LabelledViewer, PictureSource, label_of, viewers


@viewers.register("text")
class TextViewer(LabelledViewer):
    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.text = ReadingText(self)
        self.text.heading = self.label
        self.column.addWidget(self.text)

    def show_field(self, field: Any, value: Any, media: PictureSource | None) -> None:
        self.set_label(field)
        self.text.setAccessibleName(label_of(field))
        self.text.show_text("" if value is None else str(value))
