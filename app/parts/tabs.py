"""The sections of a page in one row: the current one in ink over a gold line; arrow keys go from one to the next."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from app import theme
from app.parts.paint import draw_line, focus_ring
from app.parts.surface import Surface


class Tab(QAbstractButton):
    """One section. ``setChecked`` paints it as current; only the current one is a stop of Tab."""

    moved = Signal(int)  # an arrow key: so many to the right

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the pointer comes and goes
        self.setText(words)
        self.setAccessibleName(words)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def nextCheckState(self) -> None:  # noqa: N802 - Qt's name
        """The row says which one is current."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        wide = theme.metrics("strong").horizontalAdvance(self.text()) + 2 * theme.space("m")
        return QSize(wide, theme.height("field", "strong"))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, rect = QPainter(self), self.rect()
        current = self.isChecked()
        if self.underMouse() and not current:
            painter.fillRect(rect, theme.color("hover"))
        draw_line(painter, rect, self.text(), "strong" if current else "body", "ink" if current else "ink2",
                  align=Qt.AlignmentFlag.AlignHCenter)
        if current:
            thick = theme.border("rail_bar")
            painter.fillRect(QRect(0, rect.height() - thick, rect.width(), thick), theme.color("accent"))
        if self.hasFocus():
            focus_ring(painter, rect.adjusted(0, 0, 0, -theme.border("rail_bar") if current else 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()), 0)
        if step and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.moved.emit(step)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class Tabs(Surface):
    """``chosen`` carries the place of the section that was asked for; ``set_current`` shows it as current."""

    chosen = Signal(int)

    def __init__(self, name: str, titles: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__("page", sides="bottom", parent=parent)
        self.setAccessibleName(name)
        self._tabs = [Tab(title) for title in titles]
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, theme.border("hairline"))
        row.setSpacing(theme.space("xs"))
        for n, tab in enumerate(self._tabs):
            tab.clicked.connect(lambda _on=False, n=n: self.chosen.emit(n))
            tab.moved.connect(lambda step, n=n: self._move(n + step))
            row.addWidget(tab)
        row.addStretch(1)
        self._row = row
        self.set_current(0)

    def add(self, widget: QWidget) -> None:
        """At the right end of the row."""
        self._row.addWidget(widget)

    def current(self) -> QWidget:
        """The tab of the section that is shown."""
        return next(tab for tab in self._tabs if tab.isChecked())

    def set_current(self, at: int) -> None:
        had_focus = any(tab.hasFocus() for tab in self._tabs)
        for n, tab in enumerate(self._tabs):
            tab.setChecked(n == at)
            tab.setFocusPolicy(Qt.FocusPolicy.StrongFocus if n == at else Qt.FocusPolicy.ClickFocus)
        if had_focus:
            self._tabs[at].setFocus()

    def _move(self, to: int) -> None:
        if 0 <= to < len(self._tabs):
            self.chosen.emit(to)
