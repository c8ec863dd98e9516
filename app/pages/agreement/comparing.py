"""Slice against slice: the difference of every two with its interval, and p adjusted for all, when asked for."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotation.agreement.difference import Difference, all_slices_differ
from annotation.errors import Refused
from app import figures, theme
from app.context import Context
from app.i18n import sentence
from app.jobs import Work
from app.pages.agreement import names
from app.pages.agreement.details import Details
from app.pages.agreement.reading import REPLICATES, SEED, Asked
from app.parts.buttons import CapButton
from app.plots.comparisons import differences
from app.plots.forest import Forest, Row
from app.plots.view import PlotView

MOST = 8  # slices: of more, no one reads every two


def _tr(text: str) -> str:
    return QCoreApplication.translate("agreement", text)


class SliceDifferences(QWidget):
    """A button while nobody has asked; then a forest of differences around 0. ``opened``: the two slices of a row."""

    opened = Signal(str, str)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._details: Details | None = None
        self._found: tuple[Difference, ...] = ()
        self._work: Work | None = None
        self._asked = 0
        self.ask = CapButton(self.tr("Compare the slices"), kind="link")
        self.ask.clicked.connect(self._read)
        self.plot = PlotView(context.jobs, context.settings)
        self.plot.setObjectName("agreement:differences")
        self.plot.marked.connect(self._marked)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.ask)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        column.addLayout(row)
        column.addWidget(self.plot)
        self.ask.setVisible(False)

    def show_details(self, details: Details) -> None:
        """Other answers: what was compared is compared anew, if it is still the same question and field."""
        before, self._details = self._details, details
        known = sum(one.value is not None for one in details.slices)
        can = known >= 2 and len(details.slices) <= MOST and bool(details.found.ratings.slices)
        has_asked = self.plot.plot() is not None or self._work is not None
        again = can and has_asked and before is not None and (before.asked, before.by) == (details.asked, details.by)
        self.ask.setVisible(can and not again)
        if again:
            self._read()
        else:
            self._stop()
            self.plot.show_plot(None)

    def _stop(self) -> None:
        self._asked += 1
        if self._work is not None:
            self._work.cancel()
            self._work = None

    @Slot()
    def _read(self) -> None:
        details = self._details
        if details is None:
            return
        self._stop()
        asked, ratings, wanted = self._asked, details.found.ratings, details.asked
        self._work = self._context.jobs.work(
            self, lambda progress, cancelled: all_slices_differ(
                ratings, wanted.metric, field=details.by, level=wanted.level, weights=wanted.weights,
                interval="jackknife" if wanted.interval == "jackknife" else "bca", replicates=REPLICATES, seed=SEED,
                cancelled=cancelled),
            then=lambda found: self._take(asked, wanted, found), failed=self._refuse)

    def _take(self, asked: int, wanted: Asked, found: tuple[Difference, ...]) -> None:
        if asked != self._asked:
            return
        self._work, self._found = None, found
        self.ask.setVisible(False)
        self.plot.show_plot(forest_of(found))

    def _refuse(self, refused: Refused) -> None:
        self._work = None
        self.plot.show_plot(None, sentence(refused))

    @Slot(int)
    def _marked(self, at: int) -> None:
        one = self._found[at]
        if one.first.by is not None and one.second.by is not None:
            self.opened.emit(one.first.by["value"], one.second.by["value"])


def forest_of(found: tuple[Difference, ...]) -> Forest:
    """Each difference; its adjusted p stands in its name, the method of the intervals in the note."""
    shown = next((one for one in found if one.ci is not None), None)
    note = "" if shown is None else _tr("{metric}; {method}, p by Holm").format(
        metric=names.symbol(shown.first), method=names.short_method(shown.ci_method))
    return differences(_tr("Slice against slice"), [_row(one) for one in found], note=note)


def _row(one: Difference) -> Row:
    first, second = ((side.by or {}).get("value", "") for side in (one.first, one.second))
    name = _tr("{first} less {second}").format(first=first, second=second)
    if one.p_holm is not None:
        name += f", p {'< 0.001' if one.p_holm < 0.001 else figures.value(one.p_holm, 3)}"
    items = min(one.first.n_items, one.second.n_items)
    return Row(name, one.value, one.ci, items, (one.reason or "").partition(";")[0])
