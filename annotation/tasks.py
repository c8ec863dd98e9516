"""One person's turn at one item: claiming it, drafting, submitting, skipping, taking back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from annotation import choosing, claims, people, stages, trail, views
from annotation.claims import LEASE
from annotation.done import Done, Undo
from annotation.errors import N_, NotAllowed, Refused, Unknown
from annotation.items import fold
from annotation.own import MyAnswer, Waiting, mine, progress, waiting
from annotation.store.ids import new_id
from annotation.store.project import protocol_by
from annotation.store.tables import Item, Revision, Skip, Task
from annotation.store.types import now
from annotation.submitting import submit
from annotation.views import TaskView
from annotation.withdrawing import withdraw
from annotation.workflow import ANSWERING

__all__ = ["LEASE", "MyAnswer", "TaskView", "Waiting", "claim_key", "give_back", "keep_time", "mine", "next_task",
           "open_task", "progress", "reopen", "save_draft", "skip", "submit", "waiting", "withdraw"]

def next_task(session: Session, person: UUID, *, stage: str | None = None, besides: UUID | None = None
              ) -> TaskView | None:
    """The person's task to work on: one he holds already, else the next item, claimed with a lease.

    ``stage`` None: the last stage of the protocol at which he may work and something waits. ``besides``:
    a task that is on the screen; then this is the one ahead. None: nothing waits. Raises NotAllowed.
    """
    allowed = [s for s in people.stages(session, person) if s in ANSWERING]
    if stage is not None:
        _require_stage(session, person, stage)
    claims.expire(session, besides=person)
    for name in [stage] if stage is not None else reversed(allowed):
        found = claims.held(session, person, name, besides) or claims.claim_next(session, person, name)
        if found is not None:
            return views.view(session, found)
    return None


def claim_key(session: Session, person: UUID, key: str, stage: str) -> TaskView:
    """The person's turn at the item with this key: his own answer to change, what he has begun, or a new claim.

    Raises Unknown (no such item), NotAllowed (not a stage of his), and Refused with the reason where the item is not
    open for him: skipped by himself, taken by others, assigned to others alone, not due at this stage, signed.
    """
    item = session.execute(select(Item.id).where(Item.key_fold == fold(key.strip()))).scalar()
    if item is None:
        raise Unknown(N_("there is no item '{key}'"), key=key.strip()[:80])
    _require_stage(session, person, stage)
    claims.expire(session, besides=person)
    own = session.execute(select(Task.id, Task.state).where(
        Task.item == item, Task.person == person, Task.stage == stage, Task.repeat_no == 0)
        .order_by(Task.at.desc())).first()
    if own is None:
        return views.view(session, choosing.claim_open(session, person, stage, item))
    if own.state == "skipped":
        raise Refused(N_("you have skipped this item"), code="skipped")
    revision = session.execute(select(Revision.id).where(Revision.task == own.id).order_by(Revision.id.desc()).limit(1)
                               ).scalar()
    if own.state in ("submitted", "withdrawn") and revision is not None:
        return reopen(session, revision, person=person)
    if own.state == "claimed":
        session.execute(update(Task).where(Task.id == own.id).values(lease_until=now() + LEASE))
    else:
        claims.claim_again(session, claims.task_row(session, own.id))
    return views.view(session, own.id)


def open_task(session: Session, task: UUID) -> TaskView:
    """The view of one task; claims nothing."""
    return views.view(session, task)


def give_back(session: Session, task: UUID) -> None:
    """Let go of a claimed task. Its slot is free again; a draft is kept for the person's return."""
    row = claims.task_row(session, task)
    if row.state == "claimed":
        claims.let_go(session, row)


def reopen(session: Session, revision: UUID, *, person: UUID) -> TaskView:
    """One's own answer again, to change it: a submit makes a revision that supersedes it.

    Raises Refused where the item is signed, or was withdrawn and others have taken the place.
    """
    row = session.execute(select(Revision.task, Revision.person, Revision.answers_json)
                          .where(Revision.id == revision)).first()
    if row is None:
        raise Unknown(N_("there is no answer {revision}"), revision=revision.hex)
    task = claims.task_row(session, row.task)
    claims.require_own(session, task, person)
    if claims.is_signed(session, task.item):
        raise Refused(N_("this item is signed; it must be unlocked first"), code="signed")
    if task.state == "withdrawn":
        claims.claim_again(session, task)
        claims.keep_draft(session, task.id, row.answers_json)
    return views.view(session, row.task)


def save_draft(session: Session, task: UUID, answers: Mapping[str, Any]) -> Any:
    """Keep what was answered so far and renew the lease; returns the time that "saved" shows.

    Raises Refused where the task was skipped or withdrawn, or expired and others have taken the place.
    """
    row = claims.task_row(session, task)
    if row.state == "expired":
        claims.claim_again(session, row)
    elif row.state == "claimed":
        session.execute(update(Task).where(Task.id == task).values(lease_until=now() + LEASE))
    elif row.state != "submitted":
        raise Refused(N_("this task is no longer open"), code="not_open")
    return claims.keep_draft(session, task, answers)


def keep_time(session: Session, task: UUID, *, active_ms: int, wall_ms: int, gaps: Sequence[Any] = ()) -> None:
    """The time of a sitting after which the task is left with a draft; it is counted on when one comes back."""
    row = claims.task_row(session, task)
    session.execute(update(Task).where(Task.id == task).values(**claims.with_time(row, active_ms, wall_ms, gaps)))


def skip(session: Session, task: UUID, *, reason: str, active_ms: int = 0, wall_ms: int = 0, gaps: Sequence[Any] = ()
         ) -> Done:
    """Leave this item to others, for one of the protocol's reasons. The draft and the time are kept for an undo."""
    row = claims.task_row(session, task)
    if row.state != "claimed":
        raise Refused(N_("only a task that is being worked on can be skipped"), code="not_open")
    known = [r.value for r in protocol_by(session, row.protocol).workflow.skip]
    if reason not in known:
        raise Unknown(N_("There is no reason '{reason}'. There are: {known}."), reason=reason, known=", ".join(known))
    made = new_id()
    session.execute(insert(Skip).values(id=made, task=task, person=row.person, reason=reason, at=now()))
    session.execute(update(Task).where(Task.id == task).values(
        state="skipped", lease_until=None, **claims.with_time(row, active_ms, wall_ms, gaps)))
    stages.refresh(session, row.item)
    trail.record(session, "skip", person=row.person, ids={"skip": made, "task": task, "item": row.item})
    return Done("Skip", frozenset({"tasks", "progress", "items", "adjudication"}), Undo("unskip", (task.hex,)), made)


def _require_stage(session: Session, person: UUID, stage: str) -> None:
    if stage not in ANSWERING or stage not in people.stages(session, person):
        raise NotAllowed(N_("'{handle}' may not work at the stage {stage}"),
                         handle=people.by_id(session, person).handle, stage=stage)
