"""What the section People reads, off the window's thread: a report a person, and decisions that were made twice."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any
from uuid import UUID

from annotation import judgements, rating_items, status
from annotation.adjudicator_check import AdjudicatorCheck, adjudicator_check
from annotation.rating_items import BesideOthers
from annotation.rating_people import OnQuestion, PersonReport, people_report
from app.pages.agreement.figure import NOTHING, Figure, of_share
from app.pages.agreement.sections import Cancelled, Progress

MEASURES = ("majority", "competence", "repeats", "gold_checks", "attention")


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person at the question that is shown; ``on`` is None where he never met it."""

    report: PersonReport
    on: OnQuestion | None

    @property
    def is_machine(self) -> bool:
        return self.report.kind == "machine"

    def figure(self, measure: str) -> Figure:
        """One of MEASURES."""
        if self.on is None:
            return NOTHING
        if measure == "competence":
            able = self.on.competence
            return NOTHING if able is None else Figure(able.value, able.ci, able.answers, able.ci_method,
                                                       able.reason or "")
        return of_share(getattr(self.on, measure))


@dataclass(frozen=True, slots=True)
class People:
    """``questions``: those that anybody met, in the order of the protocol. ``hides_others``: others' numbers are not
    for who looks. ``is_final``: competence is there too."""

    reports: tuple[PersonReport, ...]
    questions: tuple[str, ...]
    decisions: tuple[AdjudicatorCheck, ...]
    items: int
    hides_others: bool
    is_final: bool
    seconds: float

    def rows(self, question: str) -> tuple[PersonRow, ...]:
        return tuple(PersonRow(one, next((on for on in one.questions if on.question == question), None))
                     for one in self.reports)

    @property
    def machines(self) -> frozenset[UUID]:
        return frozenset(one.person for one in self.reports if one.kind == "machine")


def read_people(store: Any, *, only: UUID | None, competence: bool, progress: Progress, cancelled: Cancelled
                ) -> People | None:
    """``only``: nobody else's numbers; None where it was cancelled on the way."""
    began = perf_counter()
    with store.read() as session:
        reports = people_report(session, competence=competence, progress=progress, cancelled=cancelled)
        decisions = adjudicator_check(session)
        items = status.items(session)["total"]
    if cancelled():
        return None
    met = {on.question for one in reports for on in one.questions}
    return People(tuple(one for one in reports if only in (None, one.person)),
                  tuple(name for name in store.protocol.value_names if name in met), decisions, items,
                  only is not None, competence, perf_counter() - began)


def read_beside(store: Any, question: str, person: UUID, machines: frozenset[UUID]) -> BesideOthers:
    """One person beside the majority of the other people."""
    with store.read() as session:
        return rating_items.beside_others(judgements.judgements(session, question), person, machines)
