"""A person's own work: the answers given, what waits, how far the queue is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from annotation import canonical, people, queue
from annotation.answers import Answers
from annotation.store.project import protocol_now
from annotation.store.tables import Item, ItemStage, Revision, Task, Withdrawal
from annotation.workflow import ANSWERING

PACE_OF = 50  # the pace is the median of the last so many answers


@dataclass(frozen=True, slots=True)
class MyAnswer:
    revision: UUID
    task: UUID
    item: UUID
    key: str
    stage: str
    at: datetime
    active_ms: int
    answers: Answers
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """``minutes`` at the person's own pace; None where nothing is known of it."""

    stage: str
    items: int
    minutes: float | None


def mine(session: Session, person: UUID, *, limit: int = 200, search: str = "") -> tuple[MyAnswer, ...]:
    """The person's last answers, newest first, one per task; ``search`` looks in keys and answers."""
    newer, sought = aliased(Revision), search.casefold()
    rows = session.execute(
        select(Revision.id, Revision.task, Task.item, Item.key, Revision.stage, Revision.at, Revision.active_ms,
               Revision.answers_json, Withdrawal.id)
        .join(Task, Task.id == Revision.task).join(Item, Item.id == Task.item)
        .outerjoin(Withdrawal, Withdrawal.revision == Revision.id)
        .where(Revision.person == person, ~select(newer.id).where(
            newer.task == Revision.task, newer.id > Revision.id,
            ~select(Withdrawal.id).where(Withdrawal.revision == newer.id).exists()).exists())
        .order_by(Revision.at.desc(), Revision.id.desc()).execution_options(yield_per=200))
    found: dict[UUID, MyAnswer] = {}
    for *facts, withdrawal in rows:
        answer = MyAnswer(*(*facts, withdrawal is not None))
        if answer.task in found or (sought and sought not in _text(answer).casefold()):
            continue
        found[answer.task] = answer
        if len(found) == limit:
            break
    rows.close()
    return tuple(found.values())


def waiting(session: Session, person: UUID) -> tuple[Waiting, ...]:
    """What waits for this person at each of his stages, in the protocol's order."""
    protocol = protocol_now(session)
    found = []
    for stage in people.stages(session, person):
        if stage in ANSWERING:
            n = queue.count(session, person, stage, allow_self=protocol.workflow.allow_self) \
                + _count(session, person, stage, "claimed")
        else:
            n = _due(session, person, stage, allow_self=protocol.workflow.allow_self)
        found.append(Waiting(stage, n, _minutes(session, person, stage, n)))
    return tuple(found)


def progress(session: Session, person: UUID, stage: str) -> tuple[int, int]:
    """(submitted, submitted and still to do) for a person at a stage."""
    done = _count(session, person, stage, "submitted")
    left = queue.count(session, person, stage, allow_self=protocol_now(session).workflow.allow_self)
    return done, done + left + _count(session, person, stage, "claimed")


def _count(session: Session, person: UUID, stage: str, state: str) -> int:
    return int(session.execute(select(func.count()).select_from(Task).where(
        Task.person == person, Task.state == state, Task.stage == stage)).scalar_one())


def _due(session: Session, person: UUID, stage: str, *, allow_self: bool) -> int:
    """Items due for adjudication or signing that this person may take."""
    query = select(func.count()).select_from(ItemStage).where(ItemStage.stage == stage, ItemStage.open > 0)
    if stage == "adjudicate" and not allow_self:
        query = query.where(~select(Task.id).where(
            Task.item == ItemStage.item, Task.person == person,
            Task.state.in_(("claimed", "submitted", "withdrawn"))).exists())
    return int(session.execute(query).scalar_one())


def _minutes(session: Session, person: UUID, stage: str, n: int) -> float | None:
    if stage == "adjudicate":
        return None if n else 0.0
    paces = list(session.execute(select(Revision.active_ms).where(
        Revision.person == person, Revision.stage == stage, Revision.active_ms > 0,
        ~select(Withdrawal.id).where(Withdrawal.revision == Revision.id).exists())
        .order_by(Revision.at.desc()).limit(PACE_OF)).scalars())
    return n * median(paces) / 60_000 if paces else None


def _text(answer: MyAnswer) -> str:
    shown: Mapping[str, Any] = answer.answers
    return f"{answer.key}\n{canonical.dumps(dict(shown))}"
