"""A text in Markdown; HTML in it stays text, pictures in it are not fetched."""

from __future__ import annotations

from typing import Any

from app.viewers.base import PictureSource, label_of, viewers
from app.viewers.text import TextViewer


@viewers.register("markdown")
class MarkdownViewer(TextViewer):
    def show_field(self, field: Any, value: Any, media: PictureSource | None) -> None:
        self.set_label(field)
        self.text.setAccessibleName(label_of(field))
        self.text.show_markdown("" if value is None else str(value))
