"""Every two systems on what both answered: the difference with its interval, the test, who alone was right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import figures, theme
from app.pages.score import words
from app.pages.score.tables import comparison_columns
from app.parts.paged import PagedTable
from app.parts.table import RowsModel, Table
from app.parts.text import label

ROWS = 12


class ComparisonPanel(QWidget):
    """A row a pair; the sentence of the current one stands below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = RowsModel(comparison_columns(self.tr), id_of=lambda one: (one["first"], one["second"]))
        self.table = Table(self.tr("Comparison of two systems"), self._model, marks_row=True)
        self.table.setObjectName("score:comparisons")
        self.table.row_shown.connect(self._row_shown)
        self._paged = PagedTable(self.table, size=ROWS)
        self._sentence = label("", "body", wrap=True)
        self._sentence.setObjectName("score:finding")
        self._none = label(self.tr("A comparison needs two files of predictions, or one and people’s."), "body", "ink2",
                           wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        for part in (self._none, self._paged, self._sentence):
            column.addWidget(part)
        column.addStretch(1)

    def show_comparisons(self, rows: Sequence[Mapping[str, Any]]) -> None:
        ends = [abs(end) for one in rows if one["difference"] is not None
                for end in (one["difference"], *(one["ci"] or ()))]
        most = figures.scale_of([max(ends, default=0.1)], low=0.0, high=0.1)[1]
        self._model.set_scale("interval", (-most, most))
        self._paged.show_rows(rows, keep_place=True)
        self._none.setVisible(not rows)
        for part in (self._paged, self._sentence):
            part.setVisible(bool(rows))
        self._row_shown(0)

    def fit(self, *, dense: bool) -> None:
        self._paged.fit(dense=dense)

    @Slot(int)
    def _row_shown(self, _at: int) -> None:
        one = self._paged.current() if self._paged.rows() else None
        self._sentence.setText(words.finding(one) if one is not None else "")
