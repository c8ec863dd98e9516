"""The scores as plots: everybody on one scale with people as a band, what the answers did, and one system by slice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QBoxLayout, QWidget

from app import theme
from app.jobs import Jobs
from app.pages.score import words
from app.pages.score.reading import System
from app.plots.forest import Forest, Row
from app.plots.shares import Shares
from app.plots.view import PlotView
from app.settings import Settings
from exports.scorer.metric import metrics

MOST = 30  # baselines and systems in one plot


class PlotsPanel(QWidget):
    """``system_marked`` carries the place of a row of the table that was clicked in a plot."""

    system_marked = Signal(int)

    def __init__(self, jobs: Jobs, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._forest = PlotView(jobs, settings, parent=self)
        self._forest.marked.connect(self.system_marked)
        self._shares = PlotView(jobs, settings, parent=self)
        self._shares.marked.connect(self._share_marked)
        self._names: tuple[str, ...] = ()
        self._places: tuple[int, ...] = ()
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(theme.space("xxl"))
        self._box.addWidget(self._forest, 3)
        self._box.addWidget(self._shares, 2)

    def show_systems(self, rows: Sequence[System]) -> None:
        if not rows:
            self._forest.show_plot(None)
            self._shares.show_plot(None)
            return
        shown = rows[:MOST]
        figure = rows[0].figure
        people = next((one for one in rows if one.kind == "people" and one.figure["ci"] is not None), None)
        band = None if people is None else (people.figure["ci"][0], people.figure["ci"][1])
        low, high = _ends(figure)
        self._forest.show_plot(Forest(
            self.tr("Score"), tuple(Row(words.system(one), one.figure["value"], _pair(one.figure["ci"]), None,
                                        words.reason(one) if one.figure["value"] is None else "", "", one.is_people)
                                    for one in shown),
            note=self.tr("{metric}, 95 % interval; band: people").format(metric=words.headline(figure["metric"]))
            if band else self.tr("{metric}, 95 % interval").format(metric=words.headline(figure["metric"])),
            value_name=words.headline(figure["metric"]), band=band, low=low, high=high))
        self._show_shares(rows)

    def _show_shares(self, rows: Sequence[System]) -> None:
        answering = [(n, one) for n, one in enumerate(rows) if not one.is_baseline and one.figure["n"]][:MOST]
        if not answering:
            self._shares.show_plot(None)
            return
        self._places = tuple(n for n, _ in answering)
        binary = metrics[answering[0][1].figure["metric"]].proportion
        first, last = (_tr("Right"), _tr("Wrong")) if binary else (_tr("Answered"), "")
        self._names = (first, _tr("No answer"), _tr("Refused"), _tr("Unreadable"), *([last] if binary else []))
        counted = tuple((words.system(one), _counts(one.figure, binary)) for _, one in answering)
        # A part that nobody has would only take a place in the legend.
        kept = [n for n, name in enumerate(self._names) if name in (first, last) or any(
            counts[n] for _, counts in counted)]
        self._names = tuple(self._names[n] for n in kept)
        self._shares.show_plot(Shares(self.tr("What the answers did"), self._names, tuple(
            (name, tuple(counts[n] for n in kept)) for name, counts in counted), is_rising=binary))

    def _share_marked(self, at: int) -> None:
        place = at // max(1, len(self._names))
        if place < len(self._places):
            self.system_marked.emit(self._places[place])

    def fit(self, *, narrow: bool) -> None:
        self._box.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)

    def restyle(self) -> None:
        for plot in (self._forest, self._shares):
            plot.restyle()


def by_slice(system: System, field: str, rows: Sequence[Any]) -> Forest | None:
    """One system's slices under its whole."""
    if len(rows) < 2:
        return None
    low, high = _ends(system.figure)
    whole = Row(_tr("All"), system.figure["value"], _pair(system.figure["ci"]), system.figure["n"], words.reason(system)
                if system.figure["value"] is None else "", "", True)
    return Forest(_tr("{system} by {field}").format(system=words.system(system), field=field.replace("_", " ")), (
        whole, *(Row(one["value"] if one["value"] is not None else _tr("without a value"), one["value_of"],
                     _pair(one["ci"]), one["n"], words.slice_reason(one) if one["value_of"] is None else "")
                 for one in rows)), reference=system.figure["value"], low=low, high=high)


def _ends(figure: Any) -> tuple[float | None, float | None]:
    """The ends of the scale; an error has no worst value, so its scale ends where the data do."""
    if figure["worst"] is None:
        return 0.0, None
    return min(figure["best"], figure["worst"]), max(figure["best"], figure["worst"])


def _pair(ci: Any) -> tuple[float, float] | None:
    return None if ci is None else (ci[0], ci[1])


def _counts(figure: Any, binary: bool) -> tuple[float, ...]:
    missing, refused, unread = (figure[name] for name in ("missing", "refused", "unparsable"))
    total = figure["n"]
    # Means over people count answers, not items: shares of what was given are all that can be told.
    rest = max(0.0, total - missing - refused - unread)
    if not binary or figure["value"] is None:
        return (rest, missing, refused, unread, *((0.0,) if binary else ()))
    right = min(rest, round(figure["value"] * total, 1))
    return (right, missing, refused, unread, round(rest - right, 1))


def _tr(text: str) -> str:
    return QCoreApplication.translate("score", text)
