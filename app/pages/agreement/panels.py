"""The plots of the question that is shown: slices as a forest, or week by week; pairs of people; confused answers."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotation.agreement.result import Result
from app.context import Context
from app.i18n import sentence
from app.pages.agreement import names, words
from app.pages.agreement.comparing import SliceDifferences
from app.pages.agreement.cuts import WITHOUT
from app.pages.agreement.details import Details
from app.plots.forest import Forest, Row
from app.plots.grid import Cell, Grid, confusion
from app.plots.lines import Line, Lines, Point
from app.plots.view import PlotView


class SlicePanel(QWidget):
    """``opened`` carries the place of a slice in the details, -1 for all items."""

    opened = Signal(int)

    def __init__(self, context: Context, fields: list[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fields = fields
        self.plot = PlotView(context.jobs, context.settings)
        self.plot.setObjectName("agreement:slices")
        self.plot.marked.connect(self._marked)
        self.differences = SliceDifferences(context)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.plot)
        column.addWidget(self.differences)
        column.addStretch(1)

    def show_slices(self, whole: Result, details: Details) -> None:
        self.differences.show_details(details)
        if details.no_slices is not None:
            self.plot.show_plot(None, sentence(details.no_slices))
        elif not details.slices:
            self.plot.show_plot(None, self.tr("Choose a field to see each of its values.") if self._fields else
                                self.tr("The protocol has no field to slice by."))
        elif details.by == "week":
            self.plot.show_plot(over_time(self.tr("Week by week"), whole, details.slices))
        elif details.by == WITHOUT:
            self.plot.show_plot(forest(self.tr("Leaving one person out"), self.tr("Everybody"), whole, details.slices,
                                       name=self.tr("without {name}")))
        else:
            self.plot.show_plot(forest(self.tr("By slice: {field}").format(
                field=dict(self._fields).get(details.by, details.by)), self.tr("All items"), whole, details.slices))

    @Slot(int)
    def _marked(self, at: int) -> None:
        self.opened.emit(at if isinstance(self.plot.plot(), Lines) else at - 1)


def forest(title: str, all_words: str, whole: Result, slices: tuple[Result, ...], *, name: str = "{name}") -> Forest:
    """The whole over its slices, called by ``name``; the method of the intervals stands in the note."""
    rows = [row_of(all_words, whole, stands_out=True)]
    rows += [row_of(name.format(name=one.by["value"] if one.by else ""), one) for one in slices]
    low = 0.0 if all(one.value is None or one.value >= 0 for one in (whole, *slices)) else None
    short = words.short_of_interval(next((one for one in (whole, *slices) if one.ci is not None), whole))
    note = "; ".join(part for part in (names.symbol(whole), short) if part)
    return Forest(title, tuple(rows), note, reference=whole.value, low=low, high=1.0 if whole.metric not in (
        "mae", "mard") else None)


def over_time(title: str, whole: Result, slices: tuple[Result, ...]) -> Lines:
    """One line over the weeks, the whole as a dashed line."""
    points = tuple(Point(one.value, one.ci, one.n_items, (one.reason or "").partition(";")[0]) for one in slices)
    short = words.short_of_interval(next((one for one in slices if one.ci is not None), whole))
    low = min([0.0, *(one.value for one in slices if one.value is not None)])
    return Lines(title, tuple(one.by["value"] if one.by else "" for one in slices), (Line("", points),),
                 "; ".join(part for part in (names.symbol(whole), short) if part), low=low, reference=whole.value)


def row_of(name: str, one: Result, *, stands_out: bool = False) -> Row:
    return Row(name, one.value, one.ci, one.n_items, (one.reason or "").partition(";")[0], stands_out=stands_out)


class GridPanel(QWidget):
    """One grid; ``opened`` carries row and column of a cell."""

    opened = Signal(int, int)

    def __init__(self, context: Context, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot = PlotView(context.jobs, context.settings)
        self.plot.setObjectName(name)
        self.plot.marked.connect(self._marked)
        self._columns = 1
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.plot)
        column.addStretch(1)

    def show_pairs(self, whole: Result, details: Details) -> None:
        """Every two people; the coefficient itself, its items below."""
        people = details.names
        self._columns = max(1, len(people))
        if len(people) < 2:
            self.plot.show_plot(None, self.tr("By pair of people: nobody shares items with anybody yet."))
            return
        place = {number: n for n, number in enumerate(details.people)}
        cells: list[list[Cell | None]] = [[None] * len(people) for _ in people]
        for pair in details.pairs:
            one = pair.result
            cell = Cell(one.value, one.n_items, reason=one.reason or "")
            cells[place[pair.first]][place[pair.second]] = cells[place[pair.second]][place[pair.first]] = cell
        self.plot.show_plot(Grid(self.tr("By pair of people"), people, people, tuple(map(tuple, cells)),
                                 names.symbol(whole)))

    def show_confusion(self, protocol: Any, details: Details) -> None:
        """What one person and another said about the same items, all pairs of people together."""
        said = [names.said(protocol, details.asked.question, answer) for answer in details.answers]
        self._columns = max(1, len(said))
        if len(said) < 2 or not details.counts.sum():
            self.plot.show_plot(None, self.tr("Confused answers: only one answer was given so far."))
            return
        self.plot.show_plot(confusion(
            self.tr("Confused answers"), said, details.counts.tolist(), down=self.tr("one said"),
            across=self.tr("another said"), note=self.tr("pairs of answers to an item")))

    @Slot(int)
    def _marked(self, at: int) -> None:
        self.opened.emit(at // self._columns, at % self._columns)
