"""The section Results: accuracy and time in each condition with intervals, the declared comparison, other rules."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import theme
from app.jobs import Jobs
from app.pages.studies import words
from app.parts.table import Cell, Column, RowsModel, Table
from app.parts.text import label
from app.plots.forest import Forest, Row
from app.plots.view import PlotView
from app.settings import Settings
from studies.model import Study
from studies.summaries import Cell as Figures
from studies.summaries import Estimate, Summary
from studies.trial_rows import Sat


class ResultsPanel(QWidget):
    """``show_results`` fills it; with nobody who sat it says so."""

    def __init__(self, jobs: Jobs, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._study: Study | None = None
        self._none = label("", "body", "ink2", wrap=True)
        self._sentence = label("", "reading", "ink", wrap=True)
        self._sentence.setObjectName("studies:finding")
        self._table = Table(self.tr("Conditions"), RowsModel(self._columns(), id_of=lambda row: row.condition),
                            marks_row=True)
        self._table.setObjectName("studies:conditions")
        self._times = PlotView(jobs, settings, parent=self)
        self._shares = PlotView(jobs, settings, parent=self)
        self._rules = PlotView(jobs, settings, parent=self)
        self._method = label("", "caption", "ink2", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("m"))
        column.addWidget(self._none)
        column.addWidget(self._sentence)
        self._parts: list[QWidget] = [self._table, self._method, self._times, self._shares, self._rules]
        for part in self._parts:
            column.addWidget(part)
        column.addStretch(1)

    def _columns(self) -> list[Column]:
        return [
            Column("condition", self.tr("Condition"), least=160, cell=lambda row: Cell(
                words.label(self._study, row.condition) if self._study else row.condition, strong=True)),
            Column("people", self.tr("People"), kind="number", width=72, rank=3, cell=lambda row: str(row.people)),
            Column("trials", self.tr("Trials"), kind="number", width=72, rank=2, cell=lambda row: f"{row.trials:,}"),
            Column("accuracy", self.tr("Right (95 %)"), width=192, cell=lambda row: Cell(
                words.share(row.accuracy), tip=words.made_of(row.accuracy))),
            Column("time", self.tr("Time, geometric mean (95 %)"), width=232, rank=1, cell=lambda row: Cell(
                words.seconds(row.time), tip=words.made_of(row.time))),
            Column("median", self.tr("Median"), kind="number", width=80, rank=4, cell=lambda row: Cell(words.seconds(
                Estimate(row.median)), tip=words.made_of(row.time) if row.median is None else words.of_n(row.time))),
            Column("out", self.tr("Left out"), least=120, rank=5, cell=lambda row: Cell(
                words.cell_note(row) or "–", ink="ink2")),
        ]

    def show_none(self) -> None:
        """Nothing to show yet."""
        self._none.setText(self.tr("Nobody has completed a sitting yet; results come then."))
        self._none.show()
        for part in (self._sentence, *self._parts):
            part.hide()
        for plot in (self._times, self._shares, self._rules):
            plot.show_plot(None)

    def show_results(self, sat: Sat, found: Summary) -> None:
        self._study = study = sat.study
        if not found.trials:
            self.show_none()
            return
        self._none.hide()
        self._sentence.setText(" ".join(words.finding(study, one, found.people) for one in found.compared)
                               if study.timed else "")
        self._sentence.setVisible(bool(self._sentence.text()))
        self._table.rows_model().set_rows(found.cells)
        self._table.fit_rows()
        pilot = any(row.pilot for row in sat.rows)
        self._method.setText(self._said(study, pilots=pilot))
        for part in self._parts:
            part.show()
        self._times.show_plot(_forest(self.tr("Time in seconds, geometric mean of each condition"), study, found.cells,
                                      "time", self.tr("seconds"), high=None))
        self._times.setVisible(study.timed)
        self._shares.show_plot(_forest(self.tr("Share of right answers in each condition"), study, found.cells,
                                       "accuracy", self.tr("share right"), high=1.0))
        self._rules.show_plot(Forest(
            self.tr("Ratio of times under the declared rule and under others"),
            tuple(Row(self.tr("declared") if name == "declared" else name, one.value, _ci(one), n=one.n, reason=one.why,
                      stands_out=name == "declared") for name, one in found.sensitivity),
            value_name=self.tr("ratio"), reference=1.0, low=None, high=None, hollow=True)
            if found.sensitivity else None)
        self._rules.setVisible(bool(found.sensitivity))

    def _said(self, study: Study, *, pilots: bool) -> str:
        times = self.tr("times of right answers") if study.analysis.correct_only else self.tr("times of all answers")
        said = self.tr("{times}; intervals draw participants and items at once. Declared: {method}.").format(
            times=times[:1].upper() + times[1:], method=study.analysis.method)
        return f"{self.tr('Pilots only: they do not count.')} {said}" if pilots else said


def _forest(title: str, study: Study, cells: tuple[Figures, ...], which: str, name: str, *, high: float | None
            ) -> Forest:
    rows = []
    for cell in cells:
        one: Estimate = getattr(cell, which)
        rows.append(Row(words.label(study, cell.condition), one.value, _ci(one), n=one.n, reason=one.why))
    return Forest(title, tuple(rows), value_name=name, low=0.0, high=high, places=2)


def _ci(one: Estimate) -> tuple[float, float] | None:
    return None if one.low is None or one.high is None else (one.low, one.high)
