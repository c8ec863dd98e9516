"""One point of a scale: a key cap, and the value above it where the key says another number."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent

from app import theme
from app.parts.caps import cap_height, cap_width, paint_caps
from app.parts.option import OptionButton
from app.parts.paint import fill_box, focus_ring


class PointButton(OptionButton):
    """``text`` is the value as shown; with a key of the same text the cap alone is painted."""

    def _has_text(self) -> bool:
        return self.text() != self.key

    def row_width(self) -> int:
        wide = cap_width(self.key) if self.key else 0
        if self._has_text():
            wide = max(wide, theme.metrics("strong").horizontalAdvance(self.text()))
        return max(theme.height("option"), wide + theme.space("l"))

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        tall = theme.height("option")
        return tall + (theme.metrics("body").height() + theme.space("xxs") if self._has_text() and self.key else 0)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self.row_width(), self.heightForWidth(0))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        on, chosen, rect = self.isEnabled(), self.isChecked(), self.rect()
        if chosen:
            fill_box(painter, rect, "tint", edge="edge" if theme.is_contrast() else None)
        elif on and self.underMouse():
            fill_box(painter, rect, "hover")
        middle = rect.height() / 2
        if self._has_text():
            role = "strong" if chosen else "body"
            tall = theme.metrics(role).height()
            top = theme.space("xs") if self.key else round(middle - tall / 2)
            painter.setFont(theme.font(role))
            painter.setPen(theme.color("ink" if on else "ink3"))
            painter.drawText(QRect(0, top, rect.width(), tall), Qt.AlignmentFlag.AlignCenter, self.text())
            middle = rect.height() - theme.space("s") - cap_height() / 2
        if self.key:
            state = "off" if not on else "chosen" if chosen else "rest"
            paint_caps(painter, round((rect.width() - cap_width(self.key)) / 2), middle, [self.key], state=state)
        if self.hasFocus():
            focus_ring(painter, rect)
