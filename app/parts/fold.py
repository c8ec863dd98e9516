"""A folded question: its number, what is asked, and what was answered, in one row."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app import theme
from app.parts.paint import draw_line, focus_ring


class FoldRow(QAbstractButton):
    """Pressing it opens the question; elided where it is long, whole in the tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the pointer comes and goes
        self._number, self._answer, self._is_last = 0, "", False
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_question(self, number: int, text: str, answer: str, *, is_last: bool) -> None:
        self._number, self._answer, self._is_last = number, answer, is_last
        self.setText(text)
        self.setAccessibleName(f"{number} {text}")
        self.setAccessibleDescription(answer)
        self.setToolTip(f"{text}\n{answer}" if answer else text)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(theme.wide(240), theme.height("option"))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(1, theme.height("option"))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        rect = self.rect()
        if self.underMouse():
            painter.fillRect(rect, theme.color("hover"))
        if not self._is_last:
            painter.fillRect(0, rect.height() - 1, rect.width(), 1, theme.color("line"))
        left = number_width() + theme.space("s")
        spot = QRect(theme.space("s"), 0, number_width(), rect.height())
        draw_line(painter, spot, str(self._number), "caption", "ink2")
        right = rect.width() - theme.space("s")
        if self._answer:
            side = theme.scaled("icon_small")
            theme.paint_icon(painter, QRect(right - side, (rect.height() - side) // 2, side, side), "check", "good")
            right -= side + theme.space("s")
            wide = min(theme.metrics("button").horizontalAdvance(self._answer) + 2, (right - left) // 2)
            draw_line(painter, QRect(right - wide, 0, wide, rect.height()), self._answer, "button", "ink",
                      align=Qt.AlignmentFlag.AlignRight)
            right -= wide + theme.space("m")
        draw_line(painter, QRect(left, 0, right - left, rect.height()), self.text(), "body",
                  "ink2" if self._answer else "ink")
        if self.hasFocus():
            focus_ring(painter, rect)


def number_width() -> int:
    """The column of the numbers, the same for folded rows and the open question."""
    return theme.metrics("caption").horizontalAdvance("00") + theme.space("m")
