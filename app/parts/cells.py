"""How cells and heads of a table are painted: one delegate for every kind of cell, one head."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from app import theme
from app.parts.paint import draw_line, focus_ring
from app.parts.rows import Cell, RowsModel, ticks

_Index = QModelIndex | QPersistentModelIndex


class RowsView(QTableView):
    """A table that the delegate can ask: whether it marks the current row as a whole, and which row is pointed at."""

    marks_row = False
    hovered = -1


class TableDelegate(QStyledItemDelegate):
    """Paints text, icon and text, numbers, checks, dots, and dot with interval; hairline below every row."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        model, view = index.model(), self.parent()
        if not isinstance(model, RowsModel) or not isinstance(view, RowsView):
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
            wide = min(view.viewport().width(), view.horizontalHeader().length())
            focus_ring(painter, QRect(0, rect.top(), wide, rect.height() - 1))
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
        if cell.below:
            upper, lower = painter.fontMetrics().height(), theme.metrics("caption").height()
            top = box.center().y() - (upper + theme.space("xxs") + lower) // 2 + 1
            under = QRect(box.left(), top + upper + theme.space("xxs"), box.width(), lower)
            box = QRect(box.left(), top, box.width(), upper)
        shown = painter.fontMetrics().elidedText(cell.text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
        if cell.below:
            draw_line(painter, under, cell.below, "caption", "ink2", align=align)

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


def _tick(value: float) -> str:
    return f"{value:g}".replace("-", "\u2212")


def _labelled(low: float, high: float, width: int) -> list[float]:
    """The marks of a scale that have a number: every second, 0 among them, where the ends, which stand inside, would
    touch those beside them."""
    marks, wide = ticks(low, high), theme.metrics("axis").horizontalAdvance
    if len(marks) < 4:
        return marks
    for end, beside in ((marks[0], marks[1]), (marks[-1], marks[-2])):
        room = abs(beside - end) / (high - low) * width - wide(_tick(beside)) / 2
        if end in (low, high) and room - wide(_tick(end)) < theme.space("s"):
            return [mark for mark in marks if round(mark / (marks[1] - marks[0])) % 2 == 0]
    return marks


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
        model = self.model()
        painter.fillRect(rect, theme.color("page"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), theme.border("control"), theme.color("edge"))
        if not isinstance(model, RowsModel):
            return
        column = model.columns[at]
        box = rect.adjusted(theme.space("s"), 0, -theme.space("s"), 0)
        if column.kind == "interval":
            low, high = column.scale
            room = theme.wide(40)
            for value in _labelled(low, high, box.width()):
                at_x = box.left() + round((value - low) / (high - low) * box.width())
                text = _tick(value)
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
