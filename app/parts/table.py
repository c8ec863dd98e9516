"""Tables: rows without a grid, chosen by keys or pointer; columns share the width and leave by rank."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QScrollArea, QScrollBar, QWidget

from app import theme
from app.parts.cells import RowsView, TableDelegate, TableHeader
from app.parts.rows import CELL, Cell, Column, RowsModel

__all__ = ["CELL", "Cell", "Column", "RowsModel", "Table", "TableDelegate", "TableHeader"]


class Table(RowsView):
    """A table without grid. Enter emits ``row_opened``; where it has a check column, Space, Shift and Ctrl choose.

    ``marks_row`` shows the current row as a whole (a list beside a side column) in place of one cell. ``lines``: of
    text in a row, 2 where cells say something ``below``.
    """

    row_opened = Signal(int)
    row_shown = Signal(int)        # the current row changed
    sort_asked = Signal(str, bool)

    def __init__(self, name: str, model: RowsModel, *, marks_row: bool = False, dense: bool = False,
                 lines: int = 1, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.marks_row, self._dense, self._lines, self.hovered = marks_row, dense, lines, -1
        self._page_bar: QScrollBar | None = None
        self._fitted: int | None = None  # to how many rows the height was fitted; 0 for all
        self.setAccessibleName(name)
        self._head = TableHeader(self)
        self.setHorizontalHeader(self._head)
        self.setModel(model)
        self.setItemDelegate(TableDelegate(self))
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._head.setMinimumSectionSize(1)
        self._head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._head.sectionClicked.connect(self._head_pressed)
        self.entered.connect(self._entered)
        self.doubleClicked.connect(self._double_clicked)
        self.restyle()

    def rows_model(self) -> RowsModel:
        model = self.model()
        assert isinstance(model, RowsModel)
        return model

    def set_dense(self, dense: bool) -> None:
        self._dense = dense
        self.restyle()

    def set_sort(self, by: str, *, descending: bool) -> None:
        self._head.sorted_by, self._head.descending = by, descending
        self._head.viewport().update()

    def restyle(self) -> None:
        rows = theme.height("table_row_dense" if self._dense else "table_row", "table")
        rows += (self._lines - 1) * (theme.metrics("caption").height() + theme.space("xxs"))
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(rows)
        if self._fitted is not None:
            self.fit_rows(self._fitted)
        self._share_width()

    def fit_rows(self, most: int = 0) -> None:
        """Be exactly as high as the rows (at most ``most`` of them), where the page scrolls and not the table."""
        self._fitted = most
        rows = self.model().rowCount() if not most else min(most, self.model().rowCount())
        self.setFixedHeight(theme.height("table_head", "label") + rows * self.verticalHeader().defaultSectionSize() + 1)

    def columns_shown(self) -> list[str]:
        return [c.name for n, c in enumerate(self.rows_model().columns) if not self.isColumnHidden(n)]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Rows, but none of which only the upper part would be seen; of the one with the focus any part is."""
        super().paintEvent(event)
        self._follow_page()
        view = self.viewport()
        seen = view.visibleRegion().boundingRect().bottom() + 1
        last = self.rowAt(seen - 1)
        top = self.rowViewportPosition(last)
        has_focus = self.hasFocus() and last == self.currentIndex().row() and seen < view.height()
        if last > 0 and top > 0 and top + self.rowHeight(last) > seen + 1 and not has_focus:
            QPainter(view).fillRect(0, top, view.width(), view.height() - top, theme.color("page"))

    def _follow_page(self) -> None:
        """Which row a page that scrolls cuts is another after each step of its bar."""
        page = self.parentWidget()
        while page is not None and not isinstance(page, QScrollArea):
            page = page.parentWidget()
        bar = page.verticalScrollBar() if page is not None else None
        if bar is not self._page_bar:
            self._page_bar = bar
            if bar is not None:
                bar.valueChanged.connect(self._page_moved)

    @Slot(int)
    def _page_moved(self, _value: int) -> None:
        self.viewport().update()

    def _share_width(self) -> None:
        """Give columns their widths; drop the least important ones where not all fit; the rest stretches."""
        columns, room = self.rows_model().columns, self.viewport().width()
        shown = list(range(len(columns)))

        def needed() -> int:
            return sum(theme.wide(columns[n].width) if columns[n].width else
                       theme.wide(columns[n].least) for n in shown)

        while needed() > room and any(columns[n].rank for n in shown):
            shown.remove(max(shown, key=lambda n: (columns[n].rank, n)))
        stretching = [n for n in shown if not columns[n].width]
        wide = {n: theme.wide(columns[n].width) for n in shown}
        spare = room - sum(wide.values())
        for n in shown:
            more = max(0, theme.wide(columns[n].roomy) - wide[n])
            if more and spare - more >= len(stretching) * theme.wide(theme.size("reading_column")):
                wide[n], spare = wide[n] + more, spare - more
        for n in stretching:
            even = max(theme.wide(40), spare // len(stretching))
            wide[n] = min(even, theme.wide(columns[n].most)) if columns[n].most else even
        rest = spare - sum(wide[n] for n in stretching)
        words = [n for n in stretching if not columns[n].most] if stretching else [
            n for n in shown if columns[n].kind == "text"]
        scales = [n for n in shown if columns[n].kind == "interval"]
        if rest > 0 and words:
            wide[words[-1]] += rest
        elif rest > 0:  # scales are read more finely where they are long; beyond that the room stays free
            for n in scales:
                wide[n] += min(wide[n], rest // len(scales))
        for n in range(len(columns)):
            self.setColumnHidden(n, n not in shown)
            if n in shown:
                self.setColumnWidth(n, wide[n])

    def resizeEvent(self, event: QResizeEvent) -> None:
        now = self.currentIndex()
        was_seen = now.isValid() and 0 <= self.rowViewportPosition(now.row()) < event.oldSize().height()
        super().resizeEvent(event)
        self._share_width()
        if was_seen:
            self.scrollTo(now)  # a column that opens below the table does not take the row out of sight

    # --- keys and pointer -----------------------------------------------------------------------------------

    def _chooses(self) -> bool:
        return any(column.kind == "check" for column in self.rows_model().columns)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at, model = self.currentIndex().row(), self.rows_model()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            if at >= 0:
                self.row_opened.emit(at)
            return
        if self._chooses() and at >= 0:
            if event.key() == Qt.Key.Key_Space:
                model.choose([at], not model.is_chosen(at))
                return
            shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            if shift and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                model.choose([at, at + step], True)
                self._go_to(at + step)
                return
        super().keyPressEvent(event)

    def _go_to(self, at: int) -> None:
        if 0 <= at < self.model().rowCount():
            column = max(0, self.currentIndex().column())
            self.setCurrentIndex(self.model().index(at, column))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index, model = self.indexAt(event.position().toPoint()), self.rows_model()
        was = self.currentIndex().row()
        super().mousePressEvent(event)
        if not index.isValid() or not self._chooses() or event.button() != Qt.MouseButton.LeftButton:
            return
        keys = event.modifiers()
        if keys & Qt.KeyboardModifier.ShiftModifier and was >= 0:
            model.choose(range(min(was, index.row()), max(was, index.row()) + 1), True)
        elif model.columns[index.column()].kind == "check" or keys & Qt.KeyboardModifier.ControlModifier:
            model.choose([index.row()], not model.is_chosen(index.row()))

    def currentChanged(self, current: QModelIndex, previous: QModelIndex) -> None:
        super().currentChanged(current, previous)
        if current.row() != previous.row():
            self.viewport().update()
            self.row_shown.emit(current.row())

    def focusInEvent(self, event: Any) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.model().rowCount():
            shown = [n for n in range(self.model().columnCount()) if not self.isColumnHidden(n)]
            at = 1 if self._chooses() and len(shown) > 1 else 0
            self.setCurrentIndex(self.model().index(0, shown[at] if shown else 0))

    def leaveEvent(self, event: Any) -> None:
        super().leaveEvent(event)
        self.hovered = -1
        self.viewport().update()

    def _entered(self, index: QModelIndex) -> None:
        if self.hovered != index.row():
            self.hovered = index.row()
            self.viewport().update()

    def _double_clicked(self, index: QModelIndex) -> None:
        self.row_opened.emit(index.row())

    def _head_pressed(self, section: int) -> None:
        by = self.rows_model().columns[section].sort
        if by:
            self.sort_asked.emit(by, not self._head.descending if by == self._head.sorted_by else False)
