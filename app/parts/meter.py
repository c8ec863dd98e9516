"""A meter: how far, as a bar 6 px high; the count in words always stands beside it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme


class Meter(QWidget):
    """``mine`` is gold, work of others grey. ``width`` 0 takes what the layout gives."""

    def __init__(self, *, mine: bool = False, width: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._done, self._of, self._mine, self._width = 0, 0, mine, width
        across = QSizePolicy.Policy.Fixed if width else QSizePolicy.Policy.Expanding
        self.setSizePolicy(across, QSizePolicy.Policy.Fixed)

    def set_value(self, done: int, of: int, *, mine: bool | None = None) -> None:
        self._done, self._of = done, of
        self._mine = self._mine if mine is None else mine
        self.setAccessibleName(self.tr("{done} of {of}").format(done=done, of=of))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self._width or theme.wide(120), theme.size("meter") + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tall = theme.size("meter")
        track = QRectF(0, (self.height() - tall) / 2, self.width(), tall)
        painter.setPen(QPen(theme.color("edge"), 1) if theme.is_contrast() else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("hover"))
        painter.drawRoundedRect(track.adjusted(0.5, 0.5, -0.5, -0.5) if theme.is_contrast() else track,
                                tall / 2, tall / 2)
        share = self._done / self._of if self._of else 0.0
        if share <= 0:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent" if self._mine else "ink2"))
        painter.setClipRect(QRectF(track.left(), track.top(), max(2.0, track.width() * min(1.0, share)), tall))
        painter.drawRoundedRect(track, tall / 2, tall / 2)
