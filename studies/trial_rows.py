"""The trials of a study as plain rows, practice and attention checks included, each with what happened to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.store.tables import Sitting
from studies import sittings
from studies.exclusions import excluded
from studies.facts import Event, Fact, TrialRecord
from studies.model import Study
from studies.plan import Plan, PlannedTrial
from studies.trial_row import MICRO, TrialRow


@dataclass(frozen=True, slots=True)
class Participant:
    """Who sat, once each: the opaque handle, what was said of themselves, and how the screen was.

    Somebody may sit for several pilots; then the last of them is told.
    """

    handle: str
    demographics: dict[str, Any]
    display: dict[str, Any]
    calibration: dict[str, Any]
    language: str
    comment: str


@dataclass(frozen=True, slots=True)
class Sat:
    """One study's results: its rows in the order of sittings and showings, and its participants."""

    study: Study
    rows: tuple[TrialRow, ...]
    participants: tuple[Participant, ...]
    left_out: dict[str, int]


def read(session: Session, study_hash: str, *, pilots: bool = False, open_too: bool = False) -> Sat:
    """All rows of the completed sittings of a study; pilots apart (``pilots``: only them).

    ``open_too`` adds sittings that are under way or were broken off (for somebody who watches). Withdrawn and
    excluded sittings never come; ``left_out`` counts sittings by state.
    """
    study = sittings.load(session, study_hash)
    rows: list[TrialRow] = []
    people: dict[str, Participant] = {}
    left_out: dict[str, int] = {}
    taken = sittings.RESULTS | ({"open", "aborted"} if open_too else set())
    seeds = {id: seed for id, seed in session.execute(select(Sitting.id, Sitting.seed).where(
        Sitting.study == study.hash))}
    for view in sittings.of_study(session, study.hash):
        if view.pilot != pilots or view.state not in taken:
            reason = "pilot" if view.pilot and not pilots else view.state
            left_out[reason] = left_out.get(reason, 0) + 1
            continue
        plan = sittings.plan_of(session, view.id)
        facts = sittings.facts(session, view.id)
        people[view.participant] = participant_of(view.participant, view.language, facts)
        rows += _rows(view, seeds[view.id], plan, facts)
    excluded(study, rows)
    return Sat(study, tuple(rows), tuple(people.values()), left_out)


def participant_of(handle: str, language: str, facts: Iterable[Fact]) -> Participant:
    """What one sitting says of the person and the screen; the last word of each kind counts."""
    last: dict[str, dict[str, Any]] = {}
    for fact in facts:
        if isinstance(fact, Event) and fact.kind in ("demographics", "display_check", "calibration", "language",
                                                     "debrief"):
            last[fact.kind] = {**last.get(fact.kind, {}), **fact.data}
    return Participant(
        handle, last.get("demographics", {}), last.get("display_check", {}), last.get("calibration", {}),
        str(last.get("language", {}).get("language", language)), str(last.get("debrief", {}).get("comment", "")))


def _rows(view: sittings.SittingView, seed: int, plan: Plan, facts: Iterable[Fact]) -> Iterator[TrialRow]:
    resumed, index = False, 0
    in_block: dict[int, int] = {}
    made: dict[tuple[int, int], TrialRow] = {}
    rows: list[TrialRow] = []
    for fact in facts:
        if isinstance(fact, Event):
            resumed = resumed or (fact.kind == "started" and bool(fact.data.get("again")))
            continue
        index += 1
        in_block[fact.block] = in_block.get(fact.block, 0) + 1
        planned = plan.trial(fact.block, fact.position)
        row = TrialRow(
            view.participant, view.id, view.number, view.list_no, view.pilot, view.at, seed, fact.block,
            plan.blocks[fact.block].name, index, in_block[fact.block], planned, fact, resumed,
            standing=fact.outcome != "aborted", response_time=_seconds(fact.rt_us),
            response_time_receipt=_seconds(fact.rt_receipt_us), correct=is_correct(planned, fact))
        if row.standing:  # one that was broken off takes nobody's place
            earlier = made.get((fact.block, fact.position))
            if earlier is not None:
                earlier.standing = False
            made[fact.block, fact.position] = row
        rows.append(row)
    yield from rows


def is_correct(planned: PlannedTrial, record: TrialRecord) -> bool | None:
    """None where no answer is known to be right, or the trial was broken off; no answer in time is wrong."""
    if planned.correct is None or record.outcome in ("aborted", "skipped"):
        return None
    return record.response == planned.correct


def _seconds(us: int | None) -> float | None:
    return None if us is None else us / MICRO
