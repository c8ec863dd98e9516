"""The heads of a case's columns, and the bar that keeps them in sight while the answers below scroll."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QSizePolicy, QWidget

from annotation.review import CaseAnswer
from app import theme
from app.parts.caps import cap_width, paint_caps
from app.parts.paint import draw_line, focus_ring
from app.questions.options import cap_of


def _tr(text: str) -> str:
    return QCoreApplication.translate("CaseGrid", text)


class AnswerHead(QAbstractButton):
    """The head of a column: its digit, "Answer 2", "taken", the time it took."""

    def __init__(self, answer: CaseAnswer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the pointer comes and goes
        self._answer = answer
        self._time = say_time(answer.active_ms)
        words = _tr("Verification {n}") if answer.stage == "verify" else _tr("Answer {n}")
        self.setText(words.format(n=answer.n))
        self.setObjectName(f"answer:{answer.n}")
        self.setAccessibleName(self.text())
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def nextCheckState(self) -> None:  # noqa: N802 - Qt's name
        """Painted from the page's state."""

    def sizeHint(self) -> QSize:  # noqa: N802
        wide = cap_width("0") + theme.metrics("strong").horizontalAdvance(self.text()) + 3 * theme.space("m")
        return QSize(wide, theme.height("button") + theme.space("m"))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter, rect = QPainter(self), self.rect()
        if not self.isChecked() and self.underMouse():
            painter.fillRect(rect, theme.color("hover"))
        x: float = theme.space("s")
        cap = cap_of(self._answer.n - 1)
        if cap:
            x = paint_caps(painter, x, rect.height() / 2, [cap], state="chosen" if self.isChecked() else "rest")
        x += theme.space("s")
        wide = theme.metrics("strong").horizontalAdvance(self.text()) + 2
        draw_line(painter, QRect(round(x), 0, wide, rect.height()), self.text(), "strong", "ink")
        x += wide + theme.space("s")
        right = rect.width() - theme.space("m")
        taken = _tr("taken")
        if self.isChecked():
            wide = theme.metrics("label").horizontalAdvance(taken) + 2
            draw_line(painter, QRect(round(x), 0, wide, rect.height()), taken, "label", "accent_ink")
            x += wide + theme.space("s")
        if right - x >= theme.metrics("caption").horizontalAdvance(self._time):
            draw_line(painter, QRect(round(x), 0, round(right - x), rect.height()), self._time, "caption", "ink2",
                      align=Qt.AlignmentFlag.AlignRight)
        if self.hasFocus():
            focus_ring(painter, rect.adjusted(0, 2, 0, -2))


class HeadBar(QWidget):
    """Lies over the first row of a grid, with its columns; ``set_top`` moves it down with what is scrolled."""

    def __init__(self, grid: QGridLayout, corner: QWidget, heads: Sequence[AnswerHead], inner: QWidget) -> None:
        super().__init__(inner)
        self._corner, self._heads = corner, tuple(heads)
        for part in (corner, *heads):
            part.setParent(self)
        self._edge = theme.border("hairline")
        high = max(part.sizeHint().height() for part in (corner, *heads))
        self.setFixedHeight(high + self._edge)
        self._places = [QWidget(inner) for _ in (corner, *heads)]
        for n, (place, part) in enumerate(zip(self._places, (corner, *heads), strict=True)):
            place.setFixedHeight(self.height())
            place.setMinimumWidth(part.sizeHint().width() if n else 0)
            grid.addWidget(place, 0, n)
        inner.installEventFilter(self)

    def set_top(self, y: int) -> None:
        self.move(0, max(0, y))
        self.raise_()

    def eventFilter(self, _inner: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest, QEvent.Type.Show):
            self._fit()
        return False

    def _fit(self) -> None:
        inner = self.parentWidget()
        self.resize(inner.width(), self.height())
        for place, part in zip(self._places, (self._corner, *self._heads), strict=True):
            part.setGeometry(place.x(), 0, place.width(), self.height() - self._edge)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("page"))
        for head in self._heads:
            if head.isChecked():
                painter.fillRect(QRect(head.x(), 0, head.width(), self.height()), theme.color("tint"))
        left = self._corner.x()
        painter.fillRect(left, self.height() - self._edge, self.width() - left, self._edge, theme.color("edge"))


def say_time(ms: int) -> str:
    """52 s, 1 min 31 s."""
    minutes, seconds = divmod(round(ms / 1000), 60)
    if not minutes:
        return _tr("{s} s").format(s=seconds)
    return _tr("{m} min {s} s").format(m=minutes, s=seconds) if seconds else _tr("{m} min").format(m=minutes)
