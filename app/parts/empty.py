"""An empty page: what is not there, what to do next, and at most three ways on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import theme
from app.parts.boxes import clear
from app.parts.buttons import CapButton
from app.parts.flow import FlowLayout
from app.parts.text import icon_label, label


class Empty(QWidget):
    """Left-aligned in the middle of the page; ``set_buttons`` takes up to three CapButtons."""

    def __init__(self, icon: str, title: str, text: str, buttons: Sequence[CapButton] = (),
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._block = QWidget()
        self._title = label(title, "title", "ink", wrap=True)
        self._text = label(text, "reading", "ink2", wrap=True)
        column = QVBoxLayout(self._block)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        column.addWidget(icon_label(icon, "ink2", "icon_empty"))
        column.addWidget(self._title)
        column.addWidget(self._text)
        column.addSpacing(theme.space("m") - theme.space("s"))
        self._row = FlowLayout()
        column.addLayout(self._row)
        outer = QVBoxLayout(self)
        outer.addStretch(2)
        outer.addWidget(self._block, 0, Qt.AlignmentFlag.AlignHCenter)
        outer.addStretch(3)
        self.set_buttons(buttons)
        self.restyle()

    def say(self, title: str, text: str) -> None:
        self._title.setText(title)
        self._text.setText(text)
        self.restyle()

    def set_buttons(self, buttons: Sequence[CapButton]) -> None:
        clear(self._row)
        for button in buttons:
            self._row.addWidget(button)

    def restyle(self) -> None:
        self._block.setFixedWidth(theme.size("reading_column") - theme.space("xxl") - theme.space("xl") + theme.wide(0))
