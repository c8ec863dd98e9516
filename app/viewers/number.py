"""A number with its unit, in tabular figures and with a true minus."""

from __future__ import annotations

from typing import Any

from app.viewers.base import PictureSource, label_of, viewers
from app.viewers.text import TextViewer


@viewers.register("number")
class NumberViewer(TextViewer):
    def show_field(self, field: Any, value: Any, media: PictureSource | None) -> None:
        self.set_label(field)
        self.text.setAccessibleName(label_of(field))
        unit = getattr(field, "unit", None) or ""
        self.text.show_text("–" if value is None else f"{value} {unit}".strip().replace("-", "\u2212", 1))
