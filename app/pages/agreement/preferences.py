"""The section Preferences: how far comparisons of pairs can be trusted, and what they say about the candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from time import perf_counter
from typing import Any

from PySide6.QtCore import Slot

from annotation import rating_items, status
from annotation.rating_pairs import pairwise_names
from annotation.rating_preferences import PreferenceReport, preference_reports
from app.context import Context
from app.pages.agreement import names, preference_words
from app.pages.agreement.preference_rows import Measure, measures
from app.pages.agreement.reports import ReportView, choice, fill
from app.pages.agreement.sections import Cancelled, Nothing, Progress, Read, Taken, Way
from app.parts.table import RowsModel, Table


@dataclass(frozen=True, slots=True)
class Preferences:
    """What was read: a report per pairwise question and kind of judge, people before machines."""

    reports: tuple[PreferenceReport, ...]
    asks_pairs: bool
    items: int
    seconds: float


def read_preferences(store: Any, named: Sequence[str], progress: Progress, cancelled: Cancelled) -> Preferences | None:
    """``named``: two fields that name the candidates, () as the store finds them. None where it was cancelled."""
    began = perf_counter()
    asks_pairs = bool(pairwise_names(store.protocol))
    with store.read() as session:
        reports = preference_reports(session, names=named, progress=progress, cancelled=cancelled) if asks_pairs else ()
        items = status.items(session)["total"]
    return None if cancelled() else Preferences(reports, asks_pairs, items, perf_counter() - began)


class PreferencesView(ReportView):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._found: Preferences | None = None
        self._which, self._named = choice(self.tr("Judgements")), choice(self.tr("Candidates are named by"))
        self._which.setObjectName("preferences:which")
        self._which.activated.connect(self._show_report)
        self._named.setObjectName("preferences:named")
        self._named.activated.connect(self.read_asked)
        hidden = [one.name for one in self._protocol.fields if one.private and one.kind in ("text", "tag")]
        fill(self._named, [("", self.tr("as the items say")),
                           *((",".join(two), ", ".join(two)) for two in combinations(hidden[:6], 2))], "")
        self._model = RowsModel(preference_words.measure_columns(self.tr))
        self._frame(Table(self.tr("What can be said of these preferences"), self._model, marks_row=True, lines=2),
                    name="preferences", choices=(self._which, self._named))
        self._strengths = self._plot("preferences:strengths", self._open_strength)
        self._judges = self._plot("preferences:judges", self._open_judge)
        self._circles = self._plot("preferences:circles", self._open_circle)
        self._kinds = self._plot("preferences:kinds", self._open_kind)
        self._panels(self._strengths, self._judges, self._circles, self._kinds)
        self._labelled[1].setVisible(len(hidden) > 1)

    # --- what the page asks ---------------------------------------------------------------------------------

    def reads(self) -> Sequence[Read]:
        named = self._fields()
        return (lambda store, progress, cancelled: read_preferences(store, named, progress, cancelled),)

    def _fields(self) -> tuple[str, ...]:
        return tuple(filter(None, self._named.value().split(",")))

    def empty(self, found: Preferences) -> Nothing | None:
        if not found.asks_pairs:
            return Nothing(self.tr("This protocol compares no pairs"), self.tr(
                "A question of the type pairwise asks which of two is better; the protocols preference-pair and "
                "trustjudge have one."), (Way(self.tr("See the protocol"), "protocol", "protocol", {}),))
        if not found.items:
            return Nothing(self.tr("No items yet"), self.tr("Bring in items with two candidates each."),
                           (Way(self.tr("Bring items in"), "import", "items", {"bring_in": True}),))
        if not any(one.judgements for one in found.reports):
            return Nothing(self.tr("No pair was judged yet"), self.tr(
                "As soon as somebody says which of two is better, sides, circles and strengths stand here."),
                (Way(self.tr("Assign people"), "people", "people", {}),
                 Way(self.tr("See the items"), "items", "items", {})))
        return None

    def show_found(self, found: Preferences) -> None:
        self._found = found
        several = len({one.question for one in found.reports}) > 1
        fill(self._which, [(f"{one.question} {one.kind}", self._called(one, several=several))
                           for one in found.reports], self._which.value())
        self._show_report()
        self.context.status(self.tr("computed in {s} s").format(s=f"{found.seconds:.2f}"))
        self.commands_changed.emit()

    def _called(self, report: PreferenceReport, *, several: bool) -> str:
        is_machine = report.kind == "machine"
        if not several:
            return self.tr("Of machines") if is_machine else self.tr("Of people")
        who = self.tr("of machines") if is_machine else self.tr("of people")
        return f"{names.question(self._protocol, report.question)}, {who}"

    @property
    def can_give(self) -> bool:
        return self._report() is not None

    def taken(self) -> Taken:
        report = self._report()
        assert self._found is not None and report is not None
        return preference_words.taken(self._protocol, self._found.reports, report)

    # --- what is shown --------------------------------------------------------------------------------------

    def _report(self) -> PreferenceReport | None:
        if self._found is None or not self._found.reports:
            return None
        return self._found.reports[max(0, self._which.currentIndex())]

    def _measure(self) -> Measure | None:
        row: Measure | None = self._model.row(self._table.currentIndex().row())
        return row

    @Slot()
    def _show_report(self) -> None:
        report, kept = self._report(), self._measure()
        if report is None:
            return
        self._sentence.setText(preference_words.sentence(self._protocol, report))
        self._method.setText(preference_words.method(report))
        rows = measures(report)
        at = next((n for n, row in enumerate(rows) if kept is not None and row.name == kept.name), 0)
        self._show_rows(self._model, rows, at)
        self._span([row.figure.value is not None for row in rows], "dot", 4)
        self._strengths.show_plot(*preference_words.strengths(report))
        self._circles.show_plot(*preference_words.circles(report))
        self._kinds.show_plot(*preference_words.kinds(report))

    def _row_shown(self, at: int) -> None:
        row, report = self._model.row(at), self._report()
        if row is None or report is None:
            return
        self._say_details(row.title, preference_words.details(row))
        self._judges.show_plot(*preference_words.by_person(report, row))

    # --- ways to items --------------------------------------------------------------------------------------

    def _ask(self, **which: Any) -> None:
        report, fields = self._report(), self._fields()
        if report is not None:
            self.context.jobs.work(self, lambda progress, cancelled: _items(
                self.context.store, report.question, report.kind, {**which, "fields": fields}), then=self._go)

    def _row_opened(self, at: int) -> None:
        row = self._model.row(at)
        if row is not None:
            self._ask(what=row.items)

    @Slot(int)
    def _open_strength(self, at: int) -> None:
        report = self._report()
        if report is not None:
            self._ask(name=preference_words.strength_rows(report)[at][1])

    @Slot(int)
    def _open_judge(self, at: int) -> None:
        report, row = self._report(), self._measure()
        if report is not None and row is not None:
            self._ask(what=row.items, person=report.people[at - 1].person if at else None)

    @Slot(int)
    def _open_circle(self, at: int) -> None:
        report = self._report()
        if report is not None:
            judge = at // max(1, sum(one.bad.value is not None for one in report.violations))
            self._ask(person=report.people[judge - 1].person if judge else None)

    @Slot(int)
    def _open_kind(self, _at: int) -> None:
        self._ask()


def _items(store: Any, question: str, kind: str, which: dict[str, Any]) -> Any:
    with store.read() as session:
        return rating_items.preference_items(session, question, kind, **which)
