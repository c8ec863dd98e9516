"""A surface: one tone of the frame, with hairlines on named sides; and the hairline alone."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme


class Surface(QWidget):
    """``fill`` is a token (window page panel raised canvas); ``sides`` any of "left right top bottom"."""

    def __init__(self, fill: str = "page", *, sides: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fill, self._sides = fill, sides.split()

    def set_fill(self, fill: str) -> None:
        self._fill = fill
        self.update()

    def set_sides(self, sides: str) -> None:
        self._sides = sides.split()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        rect, line = self.rect(), theme.color("line")
        painter.fillRect(rect, theme.color(self._fill))
        thin = theme.border("hairline")
        if "left" in self._sides:
            painter.fillRect(0, 0, thin, rect.height(), line)
        if "right" in self._sides:
            painter.fillRect(rect.width() - thin, 0, thin, rect.height(), line)
        if "top" in self._sides:
            painter.fillRect(0, 0, rect.width(), thin, line)
        if "bottom" in self._sides:
            painter.fillRect(0, rect.height() - thin, rect.width(), thin, line)


class Hairline(QWidget):
    """One line of 1 px; lying by default; ``edge`` below the head of a table."""

    def __init__(self, tone: str = "line", *, upright: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone = tone
        fixed, free = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding
        self.setSizePolicy(*((fixed, free) if upright else (free, fixed)))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(theme.border("hairline"), theme.border("hairline"))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        QPainter(self).fillRect(self.rect(), theme.color(self._tone))
