"""A line in place: what happened, where it happened; moves nothing else and never pops up."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app import theme
from app.parts.buttons import CapButton
from app.parts.paint import fill_box
from app.parts.text import label

KINDS = ("bad", "warn", "good", "info")
_WORDS = {"bad": "x-circle", "warn": "warning", "good": "check-circle", "info": "info"}


class LineInPlace(QWidget):
    """``say(kind, text)`` with at most one button; ``hush`` takes it away."""

    def __init__(self, kind: str = "info", text: str = "", *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind = kind
        self._act: Callable[[], None] | None = None
        self._label = label(text, "body", "ink", wrap=True)
        self._button = CapButton("", kind="plain")
        self._button.clicked.connect(self._pressed)
        self._button.hide()
        self._row = QHBoxLayout(self)
        self._row.setSpacing(theme.space("m"))
        self._row.addWidget(self._label, 1)
        self._row.addWidget(self._button)
        self.restyle()
        if not text:
            self.hide()
        else:
            self.say(kind, text)

    def restyle(self) -> None:
        m, s = theme.space("m"), theme.space("s")
        self._row.setContentsMargins(m + theme.scaled("icon_small") + s, s, s, s)

    def say(self, kind: str, text: str, *, button: str = "", keys: str = "",
            act: Callable[[], None] | None = None) -> None:
        assert kind in KINDS, kind
        self._kind, self._act = kind, act
        self._label.setText(text)
        self.setAccessibleName(text)
        self._button.set_text(button)
        self._button.set_keys(keys)
        self._button.setVisible(bool(button))
        if self.parentWidget() is not None:
            self.show()
        else:  # shown it would come up as a window of its own: let the layout show it that it is put into
            self.setAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide, False)
        self.update()

    def text(self) -> str:
        return self._label.text()

    def hush(self) -> None:
        self._label.setText("")
        self.hide()

    def _pressed(self) -> None:
        if self._act is not None:
            self._act()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        fill_box(painter, self.rect(), f"{self._kind}_tint", edge=self._kind if theme.is_contrast() else None)
        side = theme.scaled("icon_small")
        first = theme.metrics("body").height()
        text = self._label.heightForWidth(self._label.width())
        top = self._label.y() + max(0, self._label.height() - text) // 2
        box = QRect(theme.space("m"), top + (first - side) // 2 + 1, side, side)
        theme.paint_icon(painter, box, _WORDS[self._kind], self._kind)
