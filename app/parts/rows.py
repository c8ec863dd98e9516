"""The rows of a table as plain values: columns say how one becomes a cell; chosen rows are known by their ids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QWidget

CELL = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Cell:
    """What one cell shows. ``icon`` stands before the text in ``tone``; ``dots`` are "same", "other", "none";
    ``interval`` is (point, low, high) on the column's scale, low and high maybe None; ``below`` is a second line,
    in a table that has two."""

    text: str = ""
    below: str = ""
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
    does not sort. ``scale`` ends an interval. ``roomy``: the width of words that are cut at ``width``, where the
    columns that stretch have room to spare. ``most``: where a stretching column ends, so that on a wide screen its
    words stay near their numbers."""

    name: str
    title: str
    kind: str = "text"
    width: int = 0
    rank: int = 0
    sort: str = ""
    scale: tuple[float, float] = (0.0, 1.0)
    cell: Callable[[Any], Cell | str] | None = None
    least: int = 200
    roomy: int = 0
    most: int = 0


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

    def renew_rows(self, rows: Sequence[Any]) -> None:
        """Newer figures in the same rows: what is current, chosen and scrolled to stays, and nothing flickers."""
        if len(rows) != len(self._rows):
            self.set_rows(rows)
        elif rows:
            self._rows = list(rows)
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self.columns) - 1))

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
            return cell.tip or "\n".join(filter(None, (cell.text, cell.below))) or None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            cell, title = self.cell(index), self.columns[index.column()].title
            said = cell.text or cell.tip
            if cell.below:
                said = f"{said}. {cell.below}"
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
