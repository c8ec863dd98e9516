"""Tables: one delegate that paints every kind of cell, one head, a model of rows, and choosing by keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app import theme
from app.parts.paint import draw_line, focus_ring

CELL = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Cell:
    """What one cell shows. ``icon`` stands before the text in ``tone``; ``dots`` are "same", "other", "none";
    ``interval`` is (point, low, high) on the column's scale, low and high maybe None."""

    text: str = ""
    icon: str = ""
    tone: str = "ink2"
    ink: str = "ink"
    strong: bool = False
    tip: str = ""
    dots: tuple[str, ...] = ()
    interval: tuple[float, float | None, float | None] | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """``kind``: text, number (right), check (the row is chosen), dots, interval. ``width`` at 100 % text; 0
    stretches from ``least`` on (a text of which less is seen says nothing). ``rank``: 0 always stays, the highest
    leaves first where the table is too narrow. ``sort`` names the order to ask for when the head is pressed; ""
    does not sort. ``scale`` ends an interval."""

    name: str
    title: str
    kind: str = "text"
    width: int = 0
    rank: int = 0
    sort: str = ""
    scale: tuple[float, float] = (0.0, 1.0)
    cell: Callable[[Any], Cell | str] | None = None
    least: int = 200


def ticks(low: float, high: float) -> list[float]:
    """Round numbers from ``low`` to ``high``, five or so, for the scale of an interval."""
    step = next(step for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, float("inf")) if (high - low) / step <= 6)
    if step == float("inf"):
        return [low, high]
    return [round(low + n * step, 6) for n in range(int((high - low) / step + 1e-6) + 1)]


class RowsModel(QAbstractTableModel):
    """Rows of any plain values; each column says how one becomes a Cell. ``chosen`` holds the ids of rows."""

    chosen_changed = Signal()

    def __init__(self, columns: Sequence[Column], *, id_of: Callable[[Any], Any] = id,
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.id_of = id_of
        self.chosen: set[Any] = set()
        self._rows: list[Any] = []

    def set_scale(self, name: str, scale: tuple[float, float]) -> None:
        """Other ends for an interval column."""
        self.columns = tuple(replace(one, scale=scale) if one.name == name else one for one in self.columns)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def set_rows(self, rows: Sequence[Any]) -> None:
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def row(self, at: int) -> Any | None:
        return self._rows[at] if 0 <= at < len(self._rows) else None

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's default
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's default
        return 0 if parent.isValid() else len(self.columns)

    def cell(self, index: _Index) -> Cell:
        row, column = self.row(index.row()), self.columns[index.column()]
        if row is None or column.cell is None:
            return Cell()
        made = column.cell(row)
        return Cell(made) if isinstance(made, str) else made

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == CELL:
            return self.cell(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cell(index).text
        if role == Qt.ItemDataRole.ToolTipRole:
            cell = self.cell(index)
            return cell.tip or cell.text or None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            cell, title = self.cell(index), self.columns[index.column()].title
            said = cell.text or cell.tip
            return f"{title}: {said}" if title else said
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        return None

    def is_chosen(self, at: int) -> bool:
        row = self.row(at)
        return row is not None and self.id_of(row) in self.chosen

    def choose(self, rows: Sequence[int], chosen: bool) -> None:
        for at in rows:
            row = self.row(at)
            if row is not None:
                (self.chosen.add if chosen else self.chosen.discard)(self.id_of(row))
        self._repaint()

    def clear_chosen(self) -> None:
        self.chosen.clear()
        self._repaint()

    def _repaint(self) -> None:
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, len(self.columns) - 1))
        self.chosen_changed.emit()


class TableDelegate(QStyledItemDelegate):
    """Paints text, icon and text, numbers, checks, dots, and dot with interval; hairline below every row."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        model, view = index.model(), self.parent()
        if not isinstance(model, RowsModel) or not isinstance(view, Table):
            return
        rect: QRect = option.rect
        column, cell, chosen = model.columns[index.column()], model.cell(index), model.is_chosen(index.row())
        current_row = view.marks_row and view.currentIndex().row() == index.row()
        painter.save()
        fill = "tint" if chosen or current_row else "hover" if view.hovered == index.row() else "page"
        painter.fillRect(rect, theme.color(fill))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), theme.border("hairline"), theme.color("line"))
        box = rect.adjusted(theme.space("s"), 0, -theme.space("s"), -1)
        if column.kind == "check":
            side = theme.scaled("icon_small")
            square = QRect(box.left(), box.center().y() - side // 2, side, side)
            theme.paint_icon(painter, square, "chosen_row" if chosen else "row", "accent_ink" if chosen else "ink2")
        elif column.kind == "dots":
            self._dots(painter, box, cell.dots)
        elif column.kind == "interval":
            self._interval(painter, box, cell, column.scale)
        else:
            self._text(painter, box, cell, column.kind == "number")
        painter.restore()
        if not view.hasFocus():
            return
        if view.marks_row and current_row:  # every cell paints its part of one ring around the row
            painter.save()
            painter.setClipRect(rect)
            focus_ring(painter, QRect(0, rect.top(), view.viewport().width(), rect.height() - 1))
            painter.restore()
        elif view.currentIndex() == index and not view.marks_row:
            focus_ring(painter, rect.adjusted(0, 0, 0, -1))

    @staticmethod
    def _text(painter: QPainter, box: QRect, cell: Cell, number: bool) -> None:
        if cell.icon:
            side = theme.scaled("icon_small")
            theme.paint_icon(painter, QRect(box.left(), box.center().y() - side // 2 + 1, side, side), cell.icon,
                             cell.tone)
            box = box.adjusted(side + theme.space("s"), 0, 0, 0)
        align = Qt.AlignmentFlag.AlignRight if number else Qt.AlignmentFlag.AlignLeft
        font = theme.font("table")
        if cell.strong:
            font.setWeight(theme.font("strong").weight())
        painter.setFont(font)
        painter.setPen(theme.color(cell.ink))
        shown = painter.fontMetrics().elidedText(cell.text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)

    @staticmethod
    def _dots(painter: QPainter, box: QRect, dots: Sequence[str]) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = round(10 * theme.scale())
        for n, dot in enumerate(dots):
            left, top = box.left() + n * (side + theme.space("s") - 2), box.center().y() - side / 2 + 0.5
            circle = QRectF(left, top, side, side)
            if circle.right() > box.right() + 1:
                break
            if dot == "same":
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("ink"))
            else:
                pen = QPen(theme.color("ink" if dot == "other" else "ink3"), 2 if dot == "other" else 1)
                if dot == "none":
                    pen.setStyle(Qt.PenStyle.DotLine)
                painter.setPen(pen)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                circle.adjust(1, 1, -1, -1)
            painter.drawEllipse(circle)

    @staticmethod
    def _interval(painter: QPainter, box: QRect, cell: Cell, scale: tuple[float, float]) -> None:
        if cell.interval is None:
            draw_line(painter, box, cell.text, "table", cell.ink)
            return
        low, high = scale

        def x(value: float) -> float:
            return box.left() + (min(max(value, low), high) - low) / (high - low) * box.width()

        for mark in ticks(low, high):
            painter.fillRect(round(x(mark)), box.top(), theme.border("hairline"), box.height(), theme.color("line"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = box.center().y() + 0.5
        point, left, right = cell.interval
        tone = theme.color(cell.tone if cell.tone == "accent_ink" else "ink")
        painter.setPen(QPen(tone, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        if left is not None and right is not None:
            painter.drawLine(QPointF(x(left), middle), QPointF(x(right), middle))
            for end in (x(left), x(right)):
                painter.drawLine(QPointF(end, middle - 4), QPointF(end, middle + 4))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tone)
        if cell.tone == "accent_ink":  # people, as against models: a diamond
            painter.drawPolygon([QPointF(x(point) - 6, middle), QPointF(x(point), middle - 6),
                                 QPointF(x(point) + 6, middle), QPointF(x(point), middle + 6)])
        else:
            painter.drawEllipse(QRectF(x(point) - 4.5, middle - 4.5, 9, 9))

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:
        return QSize(theme.wide(40), theme.height("table_row", "table"))


class TableHeader(QHeaderView):
    """The head: label style over an edge line; the sorted column shows its caret; an interval its scale."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.sorted_by, self.descending = "", False
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.restyle()

    def restyle(self) -> None:
        self.setFixedHeight(theme.height("table_head", "label"))

    def paintSection(self, painter: QPainter, rect: QRect, at: int) -> None:
        model: QAbstractItemModel = self.model()
        painter.fillRect(rect, theme.color("page"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), theme.border("control"), theme.color("edge"))
        if not isinstance(model, RowsModel):
            return
        column = model.columns[at]
        box = rect.adjusted(theme.space("s"), 0, -theme.space("s"), 0)
        if column.kind == "interval":
            low, high = column.scale
            room = theme.wide(40)
            for value in ticks(low, high):
                at_x = box.left() + round((value - low) / (high - low) * box.width())
                text = f"{value:g}".replace("-", "\u2212")
                spot = QRect(at_x - room // 2, box.top(), room, box.height())
                align = Qt.AlignmentFlag.AlignHCenter
                if value in (low, high):  # the ends stay inside the column
                    spot.moveLeft(box.left() if value == low else box.right() - room + 1)
                    align = Qt.AlignmentFlag.AlignLeft if value == low else Qt.AlignmentFlag.AlignRight
                draw_line(painter, spot, text, "axis", "ink2", align=align)
            return
        sorts = column.sort and column.sort == self.sorted_by
        side = theme.scaled("icon_tiny")
        if sorts:
            box = box.adjusted(0, 0, -side, 0)
        align = Qt.AlignmentFlag.AlignRight if column.kind == "number" else Qt.AlignmentFlag.AlignLeft
        draw_line(painter, box, column.title, "label", "ink" if sorts else "ink2", align=align)
        if sorts:
            used = min(box.width(), theme.metrics("label").horizontalAdvance(column.title))
            x = box.right() if column.kind == "number" else box.left() + used + 2
            theme.paint_icon(painter, QRect(x, rect.center().y() - side // 2, side, side),
                             "caret-down" if self.descending else "caret-up", "ink2")


class Table(QTableView):
    """A table without grid. Enter emits ``row_opened``; where it has a check column, Space, Shift and Ctrl choose.

    ``marks_row`` shows the current row as a whole (a list beside a side column) in place of one cell.
    """

    row_opened = Signal(int)
    row_shown = Signal(int)        # the current row changed
    sort_asked = Signal(str, bool)

    def __init__(self, name: str, model: RowsModel, *, marks_row: bool = False, dense: bool = False,
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.marks_row, self._dense, self.hovered = marks_row, dense, -1
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
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
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
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(rows)
        self._share_width()

    def fit_rows(self, most: int = 0) -> None:
        """Be exactly as high as the rows (at most ``most`` of them), where the page scrolls and not the table."""
        rows = self.model().rowCount() if not most else min(most, self.model().rowCount())
        self.setFixedHeight(self._head.height() + rows * self.verticalHeader().defaultSectionSize() + 1)

    def columns_shown(self) -> list[str]:
        return [c.name for n, c in enumerate(self.rows_model().columns) if not self.isColumnHidden(n)]

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
        spare = room - sum(theme.wide(columns[n].width) for n in shown)
        for n, column in enumerate(columns):
            self.setColumnHidden(n, n not in shown)
            if n in shown:
                self.setColumnWidth(n, theme.wide(column.width) if column.width else max(
                    theme.wide(40), spare // len(stretching)))
        if stretching and spare > 0:
            last = stretching[-1]
            self.setColumnWidth(last, self.columnWidth(last) + max(0, spare - sum(map(self.columnWidth, stretching))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

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
