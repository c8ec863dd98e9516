"""A row of Home: a cap, two lines, and two numbers at the right; pressed by its digit, Enter or a click."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app import theme
from app.parts.caps import cap_width, paint_caps
from app.parts.paint import draw_line, focus_ring


class TaskRow(QAbstractButton):
    def __init__(self, key: str, title: str, remark: str, first: str = "", second: str = "",
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the pointer comes and goes
        self._key, self._remark, self._first, self._second = key, remark, first, second
        self.setText(title)
        self.setAccessibleName(", ".join(part for part in (title, remark, first, second) if part))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        lines = theme.metrics("strong").height() + theme.metrics("caption").height()
        return QSize(theme.wide(320), max(56, lines + 24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = self.rect()
        if self.underMouse():
            painter.fillRect(rect, theme.color("hover"))
        painter.fillRect(0, rect.bottom(), rect.width(), theme.border("hairline"), theme.color("line"))
        x = theme.space("s")
        if self._key:
            paint_caps(painter, x, rect.height() / 2, [self._key])
        x += max(cap_width(self._key or "1"), theme.size("cap")) + theme.space("l")
        second = max(theme.wide(96), theme.metrics("body").horizontalAdvance(self._second)) if self._second else 0
        first = max(theme.wide(88), theme.metrics("body").horizontalAdvance(self._first)) if self._first else 0
        right = QRect(rect.right() - second - theme.space("s"), 0, second, rect.height())
        draw_line(painter, right, self._second, "body", "ink2", align=Qt.AlignmentFlag.AlignRight)
        left = QRect(right.left() - first, 0, first, rect.height())
        draw_line(painter, left, self._first, "body", "ink", align=Qt.AlignmentFlag.AlignRight)
        above, below = theme.metrics("strong").height(), theme.metrics("caption").height()
        top = (rect.height() - above - below - 2) // 2
        room = left.left() - x - theme.space("m")
        draw_line(painter, QRect(x, top, room, above), self.text(), "strong", "ink")
        draw_line(painter, QRect(x, top + above + 2, room, below), self._remark, "caption", "ink2")
        if self.hasFocus():
            focus_ring(painter, rect)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.click()
            return
        super().keyPressEvent(event)


