"""Named views of one thing: one canvas, and a row of names to change between them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.parts.chip import Chip
from app.parts.surface import Surface
from app.parts.text import label
from app.viewers.base import PictureSource, Viewer, label_of, viewers
from app.viewers.image import PictureView

NAMED = 4  # views whose names fit beside each other; more are numbered
_END = re.compile(r"^.*[_\-. /]")  # up to the last sign that parts two words


def _told_apart(names: list[str]) -> list[str]:
    """The names without the words with which all of them begin."""
    first, last = min(names), max(names)
    alike = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    begin = _END.match(first[:alike])
    return [name[begin.end():] or name for name in names] if begin else names


@viewers.register("images")
class ImagesViewer(Viewer):
    """PgUp and PgDn change the view while the canvas has the focus."""

    place: ClassVar[str] = "fill"
    takes_keys: ClassVar[bool] = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = PictureView(self)
        self.setFocusProxy(self.view)
        self._views: list[Mapping[str, Any]] = []
        self._chips: list[Chip] = []
        self._at = 0
        self._media: PictureSource | None = None
        bar = Surface("page", sides="bottom")
        self._names = QHBoxLayout(bar)
        self._names.setContentsMargins(theme.space("xl"), theme.space("s"), theme.space("xl"), theme.space("s"))
        self._names.setSpacing(theme.space("xs"))
        self._count = label("", "caption", "ink2")
        self._names.addStretch()
        self._names.addWidget(self._count)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.view, 1)

    def show_field(self, field: Any, value: Any, media: PictureSource | None) -> None:
        self._views, self._media = list(value or ()), media
        for chip in self._chips:
            self._names.removeWidget(chip)
            chip.deleteLater()
        self._chips = []
        names = _told_apart([str(view.get("name") or n) for n, view in enumerate(self._views, 1)])
        for n, name in enumerate(names):
            chip = Chip(name if len(names) <= NAMED else str(n + 1), checkable=True)
            chip.setToolTip(name)
            chip.clicked.connect(lambda _on=False, n=n: self.show_view(n))
            self._names.insertWidget(n, chip)
            self._chips.append(chip)
        self.setAccessibleName(label_of(field))
        self.show_view(0)

    def show_view(self, n: int) -> None:
        """The n-th view, from 0."""
        if not self._views:
            self.view.show_reference(None, None, self.accessibleName())
            return
        self._at = n % len(self._views)
        for at, chip in enumerate(self._chips):
            chip.setChecked(at == self._at)
        shown = self._views[self._at]
        self._count.setText(f"{self._at + 1} / {len(self._views)}   PgUp PgDn")
        self.view.show_reference(shown.get("image"), self._media,
                                 f"{self.accessibleName()}: {self._chips[self._at].text()}")

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.show_view(self._at + (1 if event.key() == Qt.Key.Key_PageDown else -1))
        else:
            event.ignore()
