"""Two systems on what both answered: the difference with its interval, the test, who alone was right; as a plot too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import figures, theme
from app.jobs import Jobs
from app.pages.score import words
from app.pages.score.reading import turned
from app.pages.score.tables import comparison_columns
from app.parts.field import Choice
from app.parts.paged import PagedTable
from app.parts.table import RowsModel, Table
from app.parts.text import label
from app.plots.comparisons import differences
from app.plots.forest import Row
from app.plots.view import PlotView
from app.settings import Settings

ROWS = 12


class ComparisonPanel(QWidget):
    """A row a pair; the sentence of the current one stands below. With "Against" chosen: one system's pairs, each the
    other less this one. ``reshaped``: the table has other rows."""

    reshaped = Signal()

    def __init__(self, jobs: Jobs, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pairs: Sequence[Mapping[str, Any]] = ()
        self._shown: Sequence[Mapping[str, Any]] = ()
        self.against = Choice(self.tr("Against"))
        self.against.setObjectName("score:against")
        self.against.activated.connect(self._against_chosen)
        self._above = QWidget()
        above = QHBoxLayout(self._above)
        above.setContentsMargins(0, 0, 0, 0)
        above.setSpacing(theme.space("s"))
        name = label(self.tr("Against"), "label", "ink2")
        name.setBuddy(self.against)
        above.addWidget(name)
        above.addWidget(self.against)
        above.addStretch(1)
        self._model = RowsModel(comparison_columns(self.tr), id_of=lambda one: (one["first"], one["second"]))
        self.table = Table(self.tr("Comparison of two systems"), self._model, marks_row=True)
        self.table.setObjectName("score:comparisons")
        self.table.row_shown.connect(self._row_shown)
        self._paged = PagedTable(self.table, size=ROWS)
        self._sentence = label("", "body", wrap=True)
        self._sentence.setObjectName("score:finding")
        self.plot = PlotView(jobs, settings, parent=self)
        self.plot.setObjectName("score:difference-plot")
        self.plot.marked.connect(self._marked)
        self._none = label(self.tr("A comparison needs two files of predictions, or one and people’s."), "body", "ink2",
                           wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        for part in (self._none, self._above, self._paged, self._sentence):
            column.addWidget(part)
        column.addSpacing(theme.space("m"))
        column.addWidget(self.plot)
        column.addStretch(1)

    def show_comparisons(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._pairs = rows
        kept = self.against.value()
        names = dict.fromkeys(name for one in rows for name in (one["first"], one["second"]))
        self.against.set_options([("", self.tr("Every two")), *((name, name) for name in names)])
        self.against.set_value(kept)
        self._show()

    def _show(self) -> None:
        chosen = self.against.value()
        rows = self._pairs if not chosen else [one if one["second"] == chosen else turned(one) for one in self._pairs
                                               if chosen in (one["first"], one["second"])]
        self._shown = rows
        ends = [abs(end) for one in rows if one["difference"] is not None
                for end in (one["difference"], *(one["ci"] or ()))]
        most = figures.scale_of([max(ends, default=0.1)], low=0.0, high=0.1)[1]
        self._model.set_scale("interval", (-most, most))
        self._paged.show_rows(rows, keep_place=True)
        self._none.setVisible(not rows)
        for part in (self._above, self._paged, self._sentence, self.plot):
            part.setVisible(bool(rows))
        self._row_shown(0)
        self.plot.show_plot(differences(
            self.tr("Against {system}").format(system=chosen) if chosen else self.tr("Differences"),
            [self._plotted(one, chosen) for one in rows],
            note=self.tr("first less second, 95 % interval, p by Holm")) if rows else None)

    def _plotted(self, one: Mapping[str, Any], chosen: str) -> Row:
        name = one["first"] if chosen else f"{one['first']} {figures.MINUS} {one['second']}"
        p = one["p_holm"] if one["p_holm"] is not None else one["p"]
        if p is not None:
            name += self.tr(", p {p}").format(p=words.p_value(p))
        return Row(name, one["difference"], None if one["ci"] is None else (one["ci"][0], one["ci"][1]), one["n"],
                   "" if one["difference"] is not None else words.finding(one))

    def fit(self, *, dense: bool) -> None:
        self._paged.fit(dense=dense)

    @Slot(int)
    def _against_chosen(self, _at: int) -> None:
        self._show()
        self.reshaped.emit()

    @Slot(int)
    def _marked(self, at: int) -> None:
        """A row of the plot: the sentence of the same pair."""
        if 0 <= at < len(self._shown):
            self._paged.go_to(at)
            self.table.setFocus()

    @Slot(int)
    def _row_shown(self, _at: int) -> None:
        one = self._paged.current() if self._paged.rows() else None
        self._sentence.setText(words.finding(one) if one is not None else "")
