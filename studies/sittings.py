"""Sittings, read: the studies of a project, who sat for them, and every fact of a sitting in its order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from annotation.errors import N_, Fault, Unknown
from annotation.store.project import meta, store_of
from annotation.store.tables import Person, Release, Sitting, SittingEvent, StudyVersion, Trial
from studies.facts import Event, Fact, TrialRecord
from studies.kept import read_kept
from studies.model import Study
from studies.picking import items
from studies.plan import Plan

__all__ = ["Counts", "OpenSitting", "SittingView", "StudyView", "counts", "facts", "items", "load", "of_study",
           "open_sitting", "studies"]

STATES = ("open", "completed", "aborted", "withdrawn", "excluded")
HELD = frozenset({"open", "completed"})     # sittings that take a place in their list
RESULTS = frozenset({"completed"})          # sittings whose trials results and exports are made of; never a pilot
REMOVED, REGISTERED = "study.removed.", "study.registered."  # and the study's hash: keys of the project's facts
# Events that somebody who looks over a sitting wants to know of.
FLAGS = ("resumed", "focus_lost", "minimised", "full_screen_left", "screen_changed", "scale_changed", "suspended",
         "clock_jump")


@dataclass(frozen=True, slots=True)
class StudyView:
    """One version of a study; ``completed`` of ``wanted`` people, ``open`` under way, ``pilots`` beside them.

    ``findings``: what rules that came after it say of its text.
    """

    hash: str
    id: str
    version: int
    title: str
    release: str
    at: datetime
    wanted: int
    completed: int
    open: int
    pilots: int
    registered: bool
    findings: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenSitting:
    """What it takes to go on with a sitting. ``state`` is ``open`` unless it has ended."""

    id: UUID
    plan: Plan
    study: Study
    participant: str
    state: str = "open"


@dataclass(frozen=True, slots=True)
class SittingView:
    """``done`` of ``planned`` trials of the blocks in earnest; ``last``: when the last of them was saved.

    ``flags``: what happened in it, by the names of events, and ``not_synchronised`` or ``unstable`` of its display.
    ``reason`` is what was said when it ended otherwise than by its last screen.
    """

    id: UUID
    participant: str
    list_no: int
    number: int
    state: str
    pilot: bool
    language: str
    done: int
    planned: int
    at: datetime
    last: datetime | None
    flags: tuple[str, ...]
    reason: str = ""

    @property
    def in_results(self) -> bool:
        """Whether results and exports are made of it."""
        return self.state in RESULTS and not self.pilot


@dataclass(frozen=True, slots=True)
class Counts:
    """How many sittings of a study ended how, pilots apart; ``by_list``: (completed, open) of each list begun."""

    wanted: int
    completed: int = 0
    open: int = 0
    aborted: int = 0
    withdrawn: int = 0
    excluded: int = 0
    pilots: int = 0
    by_list: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    def of_lists(self, lists: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Completed and open by list, as ``design.least_filled`` takes them."""
        pairs = [self.by_list.get(number, (0, 0)) for number in range(lists)]
        return tuple(one[0] for one in pairs), tuple(one[1] for one in pairs)


def studies(session: Session) -> tuple[StudyView, ...]:
    """The studies of the project, the newest first; those that were taken out again are left out."""
    known = meta(session)
    rows = session.execute(select(StudyVersion.hash, StudyVersion.at, Release.version).outerjoin(
        Release, Release.id == StudyVersion.release).order_by(StudyVersion.at.desc(), StudyVersion.hash)).all()
    found = []
    for row in rows:
        if REMOVED + row.hash in known:
            continue
        study, n = load(session, row.hash), counts(session, row.hash)
        found.append(StudyView(row.hash, study.id, study.version, study.title, row.version or "", row.at, study.people,
                               n.completed, n.open, n.pilots, REGISTERED + row.hash in known, study.findings))
    return tuple(found)


def load(session: Session, hash: str) -> Study:
    """The study with this hash (or its first 8 digits or more), as it was kept; Unknown where there is none."""
    kept: dict[str, Study] = store_of(session).memory.setdefault("studies", {})
    if hash not in kept:
        rows = session.execute(select(StudyVersion.hash, StudyVersion.text).where(
            StudyVersion.hash.startswith(hash, autoescape=True))).all() if len(hash) >= 8 else []
        if len(rows) != 1:
            raise Unknown(N_("this project has no study {hash}"), hash=hash[:12])
        if rows[0].hash not in kept:
            kept[rows[0].hash] = read_kept(rows[0].text)
        return kept[rows[0].hash]
    return kept[hash]


def open_sitting(session: Session, id: UUID) -> OpenSitting:
    """The sitting with its plan and study; Unknown where there is none."""
    row = session.execute(select(Sitting.study, Sitting.state, Person.handle).join(
        Person, Person.id == Sitting.participant).where(Sitting.id == id)).one_or_none()
    if row is None:
        raise Unknown(N_("there is no sitting {id}"), id=id.hex)
    return OpenSitting(id, plan_of(session, id), load(session, row.study), row.handle, row.state)


def plan_of(session: Session, id: UUID) -> Plan:
    """The plan of a sitting. It never changes, so the last one is remembered: every trial asks for it."""
    memory = store_of(session).memory
    kept = memory.get("plan")
    if kept is None or kept[0] != id:
        said = session.scalar(select(Sitting.plan_json).where(Sitting.id == id))
        if said is None:
            raise Unknown(N_("there is no sitting {id}"), id=id.hex)
        memory["plan"] = kept = (id, Plan.from_json(said))
    plan: Plan = kept[1]
    return plan


def facts(session: Session, id: UUID) -> tuple[Fact, ...]:
    """Every event and trial of a sitting, in the order in which they were appended."""
    found: dict[int, Fact] = {}
    for row in session.execute(select(SittingEvent.seq, SittingEvent.kind, SittingEvent.at_us, SittingEvent.data_json)
                               .where(SittingEvent.sitting == id)):
        found[row.seq] = Event(row.kind, row.at_us, row.data_json or {})
    for row in session.execute(trial_columns.where(Trial.sitting == id)):
        found[row.quality_json["seq"]] = trial_of(row)
    return tuple(found[seq] for seq in sorted(found))


trial_columns = select(Trial.sitting, Trial.block, Trial.position, Trial.outcome, Trial.response_json, Trial.onset_us,
                       Trial.rt_us, Trial.rt_receipt_us, Trial.quality_json)


def trial_of(row: Any) -> TrialRecord:
    """A row of ``trial_columns`` as the fact it was."""
    quality = dict(row.quality_json)
    quality.pop("seq")
    attempt = quality.pop("attempt")
    response = None if row.response_json is None else row.response_json["v"]
    return TrialRecord(row.block, row.position, attempt, row.outcome, response, row.onset_us, row.rt_us,
                       row.rt_receipt_us, quality)


def of_study(session: Session, hash: str) -> tuple[SittingView, ...]:
    """Every sitting for this version of a study, in the order in which they were begun."""
    rows = session.execute(select(Sitting.id, Sitting.list_no, Sitting.checks_json, Sitting.state, Sitting.at,
                                  Person.handle).join(Person, Person.id == Sitting.participant).where(
        Sitting.study == hash).order_by(Sitting.at, Sitting.id)).all()
    done, last = _progress(session, hash)
    flags = _flags(session, hash)
    return tuple(SittingView(
        id=row.id, participant=row.handle, list_no=row.list_no, number=row.checks_json["number"], state=row.state,
        pilot=row.checks_json["pilot"], language=row.checks_json["language"],
        done=sum(done.get((row.id, block), 0) for block in row.checks_json["main_blocks"]),
        planned=row.checks_json["planned"], at=row.at, last=last.get(row.id), flags=flags.get(row.id, ()),
        reason=row.checks_json["ends"][-1]["reason"] if row.checks_json["ends"] else "") for row in rows)


def counts(session: Session, hash: str) -> Counts:
    """How many sittings there are in each state."""
    wanted = load(session, hash).people
    ended, pilots = dict.fromkeys(STATES, 0), 0
    by_list: dict[int, tuple[int, int]] = {}
    for row in session.execute(select(Sitting.list_no, Sitting.state, Sitting.checks_json)
                               .where(Sitting.study == hash)):
        if row.checks_json["pilot"]:
            pilots += 1
            continue
        ended[row.state] += 1
        completed, open_ = by_list.get(row.list_no, (0, 0))
        by_list[row.list_no] = (completed + (row.state == "completed"), open_ + (row.state == "open"))
    return Counts(wanted, **ended, pilots=pilots, by_list=by_list)


def _progress(session: Session, hash: str) -> tuple[dict[tuple[UUID, int], int], dict[UUID, datetime]]:
    """How many places of each (sitting, block) have a trial, and when the last one of each sitting was saved."""
    done: dict[tuple[UUID, int], int] = {}
    last: dict[UUID, datetime] = {}
    for sitting, block, n, at in session.execute(
            select(Trial.sitting, Trial.block, func.count(Trial.position.distinct()), func.max(Trial.at))
            .join(Sitting, Sitting.id == Trial.sitting).where(Sitting.study == hash, Trial.outcome != "aborted")
            .group_by(Trial.sitting, Trial.block)):
        done[sitting, block] = n
        last[sitting] = max(at, last.get(sitting, at))
    return done, last


def _flags(session: Session, hash: str) -> dict[UUID, tuple[str, ...]]:
    seen: dict[UUID, set[str]] = {}
    for sitting, kind, data in session.execute(
            select(SittingEvent.sitting, SittingEvent.kind, SittingEvent.data_json)
            .join(Sitting, Sitting.id == SittingEvent.sitting)
            .where(Sitting.study == hash, SittingEvent.kind.in_([*FLAGS, "display_check"]))):
        verdict = (data or {}).get("verdict", "synchronised").replace(" ", "_") if kind == "display_check" else kind
        seen.setdefault(sitting, set()).add(verdict)
    order: Sequence[str] = (*FLAGS, "not_synchronised", "unstable")
    return {sitting: tuple(flag for flag in order if flag in found) for sitting, found in seen.items()}
