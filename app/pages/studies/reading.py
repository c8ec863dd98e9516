"""What the page Studies reads of the project, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotation.errors import Fault, Refused, Unknown
from exports.studies.writing import Written, write_study
from studies import keeping, registering, sittings, trial_rows
from studies.design import design, plan_for
from studies.kept import read_kept
from studies.model import Study
from studies.picking import items, release_of
from studies.plan import Plan
from studies.project_fit import project_faults
from studies.reading import StudyError, fault_at, read_study, shelf, shelf_text
from studies.registering import Deviation, Document
from studies.sittings import Counts, SittingView, StudyView
from studies.summaries import Summary, summarise
from studies.trial_rows import Sat


@dataclass(frozen=True, slots=True)
class Drawn:
    """What one person would see: ``plan`` of the first list, how many ``lists`` and ``items``; or ``why`` nothing."""

    plan: Plan | None
    lists: int = 0
    items: int = 0
    why: Refused | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """One study as it is kept, and what came of it."""

    view: StudyView
    study: Study
    drawn: Drawn
    counts: Counts
    sittings: tuple[SittingView, ...]
    registered: Document | None
    deviations: tuple[Deviation, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A text held against the project: its faults, or the study with what one person would see.

    ``kept``: the project keeps this text, and ``faults`` are of rules that are newer than it.
    """

    faults: tuple[Fault, ...]
    study: Study | None
    drawn: Drawn | None
    kept: bool = False


def read_studies(session: Any) -> tuple[StudyView, ...]:
    return sittings.studies(session)


def read_one(session: Any, hash: str) -> Seen:
    study = sittings.load(session, hash)
    view = next(one for one in sittings.studies(session) if one.hash == hash)
    return Seen(view, study, draw(session, study), sittings.counts(session, hash), sittings.of_study(session, hash),
                registering.registered(session, hash), registering.deviations(session, hash))


def draw(session: Any, study: Study) -> Drawn:
    """The first list, as a person would be given it; a study that cannot be drawn says why."""
    try:
        pool = items(session, study)
        made = design(study, pool)
        plan = plan_for(study, made, list_no=0, number=0, seed=study.seed, pilot=True,
                        language=next(iter(study.languages)))
    except Refused as refused:
        return Drawn(None, why=refused)
    return Drawn(plan, len(made.lists), len(pool))


def check(session: Any, text: str, *, kept: bool = False) -> Checked:
    """All faults of a text at once; without any, or where it is kept as it is, what it would show."""
    try:
        study = read_kept(text) if kept else read_study(text)
    except StudyError as error:
        return Checked(tuple(error.faults), None, None)
    try:
        faults = project_faults(session, study, release_of(session, study))
    except Unknown as unknown:
        faults = fault_at(study, ("items", "release"), str(unknown)).faults
    faults = (*study.findings, *faults)
    return Checked(faults, study, draw(session, study) if kept or not faults else None, kept)


def from_shelf() -> list[tuple[str, str]]:
    """(id, title) of the studies that come with the program."""
    return [(study.id, study.title) for study in shelf()]


def text_of(id: str) -> str:
    return shelf_text(id)


def read_results(session: Any, hash: str, *, pilots: bool = False) -> tuple[Sat, Summary]:
    sat = trial_rows.read(session, hash, pilots=pilots)
    return sat, summarise(sat.study, sat.rows)


def write(session: Any, hash: str, out: str, format: str, *, pilots: bool = False) -> Written:
    return write_study(session, hash, out, format=format, pilots=pilots)


add, end, register = keeping.add, keeping.end, registering.register
