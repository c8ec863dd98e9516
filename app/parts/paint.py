"""The few strokes that several painted widgets share: the focus ring, a filled round box, an elided line."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app import theme


def fill_box(painter: QPainter, rect: QRect, fill: str | QColor | None, *, edge: str | None = None,
             radius: str = "control", width: int | None = None) -> None:
    """A round box, its border inside ``rect``."""
    line = (width or theme.border("control")) if edge else 0
    box = QRectF(rect).adjusted(line / 2, line / 2, -line / 2, -line / 2)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color(edge), line) if edge else Qt.PenStyle.NoPen)
    if fill is None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
    else:
        painter.setBrush(theme.color(fill) if isinstance(fill, str) else fill)
    painter.drawRoundedRect(box, theme.radius(radius), theme.radius(radius))
    painter.restore()


def focus_ring(painter: QPainter, rect: QRect, *, tone: str = "accent", radius: str = "control") -> None:
    """The ring of 2 px inside ``rect`` that says where the keys go."""
    fill_box(painter, rect, None, edge=tone, radius=radius, width=theme.border("focus"))


def draw_line(painter: QPainter, rect: QRect, text: str, role: str, ink: str, *,
              align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft) -> None:
    """One line of text, elided at the right if it does not fit."""
    painter.setFont(theme.font(role))
    painter.setPen(theme.color(ink))
    shown = theme.metrics(role).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
    painter.drawText(rect, align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
