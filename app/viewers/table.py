"""A table in CSV: the first row is the head; numbers right, words left."""

from __future__ import annotations

import csv
import io
from typing import Any

from app.parts.table import Column, RowsModel, Table
from app.questions.number import parse_number
from app.viewers.base import LabelledViewer, PictureSource, label_of, viewers

MOST_ROWS = 12  # more scroll inside the table


@viewers.register("table")
class TableViewer(LabelledViewer):
    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._table: Table | None = None

    def show_field(self, field: Any, value: Any, media: PictureSource | None) -> None:
        self.set_label(field)
        if self._table is not None:
            self.column.removeWidget(self._table)
            self._table.deleteLater()
        head, rows = read_rows(value or "")
        columns = [
            Column(f"c{n}", title, "number" if _is_numbers(rows, n) else "text",
                   cell=lambda row, n=n: row[n] if n < len(row) else "")
            for n, title in enumerate(head)
        ]
        self._table = Table(label_of(field), RowsModel(columns), dense=True)
        self._table.rows_model().set_rows(rows)
        self._table.fit_rows()
        row = self._table.verticalHeader().defaultSectionSize()
        self._table.setMaximumHeight(self._table.horizontalHeader().height() + MOST_ROWS * row)
        self._table.setMinimumHeight(min(self._table.minimumHeight(), self._table.maximumHeight()))
        self.column.addWidget(self._table)


def read_rows(text: str) -> tuple[list[str], list[list[str]]]:
    """The head and the rows of a CSV text; no head where it is empty."""
    rows = [row for row in csv.reader(io.StringIO(text)) if row]
    width = max(map(len, rows), default=0)
    head = rows[0] + [""] * (width - len(rows[0])) if rows else []
    return head, rows[1:]


def _is_numbers(rows: list[list[str]], column: int) -> bool:
    cells = [row[column] for row in rows if column < len(row) and row[column].strip()]
    return bool(cells) and all(parse_number(cell.rstrip("%")) is not None for cell in cells)
