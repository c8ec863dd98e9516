"""A table that is read in pages, so that it is as high as its rows and never scrolls inside a page that scrolls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import figures, theme
from app.parts.buttons import CapButton
from app.parts.rows import RowsModel
from app.parts.table import Table
from app.parts.text import label

PAGE = 20


class PagedTable(QWidget):
    """``show_rows`` gives all rows; PgUp and PgDn, or the buttons, turn. The signals are those of ``table``."""

    def __init__(self, table: Table, *, size: int = PAGE, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table, self._size = table, size
        self._rows: Sequence[Any] = ()
        self._first = 0
        table.installEventFilter(self)
        self._before = CapButton(self.tr("Before"), kind="flat", role="caption", icon="previous")
        self._next = CapButton(self.tr("Next"), kind="flat", role="caption", icon="next")
        self._where = label("", "caption", "ink2")
        self._before.clicked.connect(self.turn_back)
        self._next.clicked.connect(self.turn)
        self._turning = QWidget()
        row = QHBoxLayout(self._turning)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.space("s"))
        for part in (self._before, self._next, self._where):
            row.addWidget(part)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("xs"))
        column.addWidget(table)
        column.addWidget(self._turning)

    def model(self) -> RowsModel:
        return self.table.rows_model()

    def rows(self) -> Sequence[Any]:
        return self._rows

    def show_rows(self, rows: Sequence[Any], *, keep_place: bool = False) -> None:
        """All rows; the first page, or (``keep_place``) the page and row that were shown, as far as they are there."""
        at = self.table.currentIndex().row() if keep_place else 0
        self._rows = rows
        self._first = min(self._first, max(0, len(rows) - 1) // self._size * self._size) if keep_place else 0
        self._show(max(0, at))

    def current(self) -> Any | None:
        return self.model().row(self.table.currentIndex().row())

    def go_to(self, at: int) -> None:
        """The page with this row, and the row as the current one."""
        if 0 <= at < len(self._rows):
            self._first = at // self._size * self._size
            self._show(at - self._first)

    @Slot()
    def turn(self) -> None:
        if self._first + self._size < len(self._rows):
            self._first += self._size
            self._show(0)

    @Slot()
    def turn_back(self) -> None:
        if self._first:
            self._first -= self._size
            self._show(self._size - 1)

    def _show(self, at: int) -> None:
        shown = self._rows[self._first:self._first + self._size]
        self.model().set_rows(shown)
        if shown:
            self.table.setCurrentIndex(self.model().index(min(at, len(shown) - 1), 0))
        self._where.setText(self.tr("{first} to {last} of {all}").format(
            first=figures.count(self._first + 1), last=figures.count(self._first + len(shown)),
            all=figures.count(len(self._rows))))
        self._before.setEnabled(self._first > 0)
        self._next.setEnabled(self._first + self._size < len(self._rows))
        self._turning.setVisible(len(self._rows) > self._size)
        self.table.fit_rows()

    def fit(self, *, dense: bool) -> None:
        self.table.set_dense(dense)
        self.table.fit_rows()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if watched is self.table and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress \
                and len(self._rows) > self._size and event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) \
                and not event.modifiers():
            if event.key() == Qt.Key.Key_PageDown:
                self.turn()
            else:
                self.turn_back()
            return True
        return super().eventFilter(watched, event)
