"""Steps in order, each with its number and maybe a figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout

from app import theme
from app.parts.reading import ReadingText
from app.parts.text import label
from app.viewers.base import LabelledViewer, PictureSource, label_of, viewers
from app.viewers.image import PictureView


@viewers.register("steps")
class StepsViewer(LabelledViewer):
    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(theme.space("m"))
        self._grid.setVerticalSpacing(theme.space("s"))
        self._grid.setColumnStretch(1, 1)
        self.column.addLayout(self._grid)
        self._shown: list[Any] = []

    def show_field(self, field: Any, value: Any, media: PictureSource | None) -> None:
        self.set_label(field)
        for widget in self._shown:
            self._grid.removeWidget(widget)
            widget.deleteLater()
        self._shown = []
        for n, step in enumerate(value or (), 1):
            number = label(f"{n}", "strong", "ink2")
            text = ReadingText()
            text.setAccessibleName(f"{label_of(field)} {n}")
            text.show_text(str(step.get("text", "")) if isinstance(step, Mapping) else str(step))
            self._grid.addWidget(number, 2 * n, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(text, 2 * n, 1)
            self._shown += [number, text]
            if isinstance(step, Mapping) and step.get("figure"):
                figure = PictureView()
                figure.setFixedHeight(theme.size("side_column"))
                figure.show_reference(step["figure"], media, f"{label_of(field)} {n}")
                self._grid.addWidget(figure, 2 * n + 1, 1)
                self._shown.append(figure)
