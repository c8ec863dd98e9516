"""A row of the rail: icon, name, count; the current one carries the gold bar."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app import theme
from app.parts.paint import draw_line, fill_box, focus_ring


class RailRow(QAbstractButton):
    """Checked means: this page is shown. ``set_slim`` leaves the icon, and the name as a tooltip."""

    def __init__(self, name: str, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the pointer comes and goes
        self._icon, self._slim, self._count = icon, False, 0
        self.setText(name)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._name()

    def set_count(self, count: int) -> None:
        self._count = count
        self._name()
        self.update()

    def set_slim(self, slim: bool) -> None:
        self._slim = slim
        self._name()
        self.updateGeometry()
        self.update()

    def _name(self) -> None:
        waiting = self.tr("{name}, {count} waiting").format(name=self.text(), count=self._count)
        self.setAccessibleName(waiting if self._count else self.text())
        self.setToolTip(self.accessibleName() if self._slim else "")

    def nextCheckState(self) -> None:  # noqa: N802 - Qt's name
        """The window says which row is current."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(theme.size("rail_slim"), theme.height("rail_row", "body"))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        current = self.isChecked()
        inner = self.rect().adjusted(theme.space("s"), 0, -theme.space("s"), 0)
        if current:
            framed = theme.is_contrast()
            fill_box(painter, inner, "raised" if theme.is_dark() else "page", edge="accent" if framed else None,
                     width=theme.border("focus"))
            bar, tall = theme.border("rail_bar"), 18
            painter.fillRect(QRect(inner.left(), (self.height() - tall) // 2, bar, tall), theme.color("accent"))
        elif self.underMouse():
            fill_box(painter, inner, "hover")
        ink = "ink" if current else "ink2"
        side = theme.rail_icon()
        x = (self.width() - side) // 2 if self._slim else 20
        theme.paint_icon(painter, QRect(x, (self.height() - side) // 2, side, side), self._icon, ink)
        if not self._slim:
            left = 48 + side - theme.size("icon")
            room = QRect(left, 0, inner.right() - left - theme.space("s"), self.height())
            if self._count:
                wide = theme.metrics("label").horizontalAdvance(f"{self._count:,}") + theme.space("xs")
                painter.setFont(theme.font("label"))
                painter.setPen(theme.color(ink))
                painter.drawText(room.adjusted(0, 0, -2, 0),
                                 Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{self._count:,}")
                room.setWidth(room.width() - wide)
            draw_line(painter, room, self.text(), "strong" if current else "body", ink)
        if self.hasFocus():
            focus_ring(painter, inner)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)


