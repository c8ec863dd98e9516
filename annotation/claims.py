"""Claims: who holds which slot, for how long, and what happens to a slot that is let go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import and_, bindparam, delete, insert, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased

from annotation import form, people, queue, revisions, stages, trail
from annotation.errors import N_, NotAllowed, Refused, Unknown
from annotation.queue import Candidate
from annotation.store.ids import new_id
from annotation.store.project import main_round, protocol_by, protocol_now
from annotation.store.tables import (
    Adjudication,
    DraftRow,
    Item,
    ItemStage,
    ItemVersion,
    Revision,
    SignOff,
    Skip,
    Task,
    Withdrawal,
)
from annotation.store.types import Id, now

LEASE = timedelta(minutes=30)
TRIES = 5
LIVE = ("claimed", "submitted")
TAKEN = N_("others have taken this place in the meantime; your draft is kept")

_columns = (Task.id, Task.item, Task.item_version, Task.stage, Task.round, Task.slot, Task.person, Task.protocol,
            Task.state, Task.repeat_no, Task.active_ms, Task.wall_ms, Task.gaps_json)


_later = aliased(SignOff)
_signature = (
    select(SignOff.id).join(ItemVersion, ItemVersion.id == SignOff.item_version)
    .where(ItemVersion.item == bindparam("one", type_=Id()), SignOff.kind == "sign",
           ~select(_later.id).where(_later.cancels == SignOff.id).exists()).limit(1))


def task_row(session: Session, task: UUID) -> Any:
    """The columns of a task, or Unknown."""
    row = session.execute(select(*_columns).where(Task.id == task)).first()
    if row is None:
        raise Unknown(N_("there is no task {task}"), task=task.hex)
    return row


def with_time(row: Any, active_ms: int, wall_ms: int, gaps: Sequence[Any]) -> dict[str, Any]:
    """The times of a task after one more sitting at it.

    A task keeps all the time its person has spent on it, whatever becomes of the answer: a draft that is left, a skip
    or a submit that is taken back, and what is asked again lose nothing of it. A revision keeps what the task had when
    it was submitted, and so the time of one answer is that of its last revision alone, never a sum over revisions.
    Gaps begin at the milliseconds of the task's wall time.
    """
    more = [[row.wall_ms + start, length, focused] for start, length, focused in gaps]
    return {"active_ms": row.active_ms + active_ms, "wall_ms": row.wall_ms + wall_ms,
            "gaps_json": [*(row.gaps_json or []), *more] or None}


def require_own(session: Session, task: Any, person: UUID) -> None:
    if task.person != person:
        raise NotAllowed(N_("'{handle}' did not give this answer"), handle=people.by_id(session, person).handle)


def held(session: Session, person: UUID, stage: str, besides: UUID | None) -> UUID | None:
    """A task that the person holds already (begun ones first), with its lease renewed."""
    query = (select(Task.id).outerjoin(DraftRow, DraftRow.task == Task.id).where(
        Task.person == person, Task.state == "claimed", Task.stage == stage)
        .order_by(DraftRow.task.is_(None), Task.at).limit(1))
    if besides is not None:
        query = query.where(Task.id != besides)
    found = session.execute(query).scalar()
    if found is not None:
        session.execute(update(Task).where(Task.id == found).values(lease_until=now() + LEASE))
    return found


def claim_next(session: Session, person: UUID, stage: str) -> UUID | None:
    """Claim the next open item of the person's queue; None where it is empty."""
    if (kept := _begun_before(session, person, stage)) is not None:
        return kept
    allow_self = protocol_now(session).workflow.allow_self
    for _ in range(TRIES):
        found = queue.candidates(session, person, stage, allow_self=allow_self)
        for candidate in found:
            task = _claim(session, person, stage, candidate)
            if task is not None:
                queue.claimed(session, person, stage, candidate)
                return task
        if not found:
            return None
    return None


def claim_chosen(session: Session, person: UUID, stage: str, chosen: Candidate) -> UUID | None:
    """Claim an item that the person picked; None where somebody was quicker."""
    task = _claim(session, person, stage, chosen)
    if task is not None:
        queue.claimed(session, person, stage, chosen)
    return task


def claim_item(session: Session, person: UUID, stage: str, item: UUID) -> UUID | None:
    """A task at exactly this item for answers that were given elsewhere: one he holds already, else a free slot.

    None where all slots are taken. No order of options is kept, because none was shown here.
    """
    mine = session.execute(select(*_columns).where(
        Task.item == item, Task.stage == stage, Task.person == person, Task.repeat_no == 0,
        Task.state.in_(("claimed", "expired"))).order_by(Task.state)).first()
    if mine is not None and mine.state == "claimed":
        return mine.id
    if mine is not None:
        claim_again(session, mine)
        return mine.id
    return _claim(session, person, stage, Candidate(item, 0, 0), shown=False)


def claim_again(session: Session, row: Any) -> None:
    """Take a slot for a task that lost its own, keeping its draft; Refused where others have taken them all."""
    stages.lock(session, row.item)
    free = _free_slot(session, row.item, row.stage, row.round)
    if free is None:
        raise Refused(TAKEN, code="taken")
    try:
        with session.begin_nested():
            session.execute(update(Task).where(Task.id == row.id).values(
                state="claimed", slot=free, lease_until=now() + LEASE))
    except IntegrityError:
        raise Refused(TAKEN, code="taken") from None
    stages.refresh(session, row.item)


def expire(session: Session, *, besides: UUID) -> None:
    """Let go of claims whose lease is over, other people's only."""
    # "state" as text and no order, so that the partial index on leases serves.
    for row in session.execute(select(*_columns).where(
            text("task.state = 'claimed'"), Task.lease_until < now(), Task.person != besides)
            .limit(50).with_for_update(skip_locked=True)).all():
        let_go(session, row)


def let_go(session: Session, row: Any) -> None:
    """Free the slot of a claimed task: expired where something of it is to be kept, else gone without a trace."""
    used = [select(DraftRow.task).where(DraftRow.task == row.id), select(Revision.id).where(Revision.task == row.id),
            select(Skip.id).where(Skip.task == row.id)]
    if any(session.execute(query.limit(1)).first() is not None for query in used):
        session.execute(update(Task).where(Task.id == row.id).values(state="expired", lease_until=None))
    else:
        session.execute(delete(Task).where(Task.id == row.id))
    stages.recount(session, row.item, row.stage)
    queue.reopened(session, row.item, row.stage, person=row.person)


def keep_draft(session: Session, task: UUID, answers: Mapping[str, Any]) -> datetime:
    at = now()
    there = session.execute(update(DraftRow).where(DraftRow.task == task).values(answers_json=dict(answers), at=at))
    if there.rowcount == 0:  # type: ignore[attr-defined]
        session.execute(insert(DraftRow).values(task=task, answers_json=dict(answers), at=at))
    return at


def is_signed(session: Session, item: UUID) -> bool:
    return session.execute(_signature, {"one": item}).first() is not None


def is_after_reveal(session: Session, row: Any, *, changed: bool) -> bool:
    """Whether an answer given now comes after the person saw what follows from others' answers.

    A first answer: only if this very item was revealed. A change: also after anything of the project was.
    """
    decided = session.execute(select(Adjudication.id).where(
        Adjudication.item == row.item, Adjudication.by == row.person).limit(1)).first() is not None
    return (decided or trail.was_revealed(session, row.person, item=row.item)
            or (changed and trail.was_revealed(session, row.person)))


def after_change(session: Session, row: Any) -> None:
    """Answer rows, gold and stages of the item of a task whose standing answer changed."""
    revisions.write_rows(session, row.id, item=row.item, stage=row.stage, person=row.person, repeat_no=row.repeat_no)
    stages.refresh(session, row.item)


def has_standing(session: Session, task: UUID) -> bool:
    return session.execute(select(Revision.id).where(
        Revision.task == task, ~select(Withdrawal.id).where(Withdrawal.revision == Revision.id).exists()).limit(1)
    ).first() is not None


def _begun_before(session: Session, person: UUID, stage: str) -> UUID | None:
    """A task with a draft whose lease was over: taken up again if its place is still free."""
    for row in session.execute(select(*_columns).join(DraftRow, DraftRow.task == Task.id).where(
            Task.person == person, Task.state == "expired", Task.stage == stage).order_by(Task.at)).all():
        try:
            claim_again(session, row)
        except Refused:
            continue
        return row.id
    return None


def _claim(session: Session, person: UUID, stage: str, candidate: Candidate, *, shown: bool = True) -> UUID | None:
    """A new task in the lowest free slot, or None where another was quicker (the database refuses the k+1st)."""
    round = main_round(session)
    stages.lock(session, candidate.item)
    free = _free_slot(session, candidate.item, stage, round)
    if free is None:
        stages.recount(session, candidate.item, stage)
        return None
    protocol = protocol_now(session)
    version, fields = session.execute(
        select(ItemVersion.id, ItemVersion.fields_json).join(Item, Item.current == ItemVersion.id)
        .where(Item.id == candidate.item)).one()
    task, item = new_id(), candidate.item
    order = form.display_order(protocol_by(session, protocol.hash), fields, seed=f"{item.hex}:{person.hex}",
                               item_seed=item.hex) if shown else None
    made = {"id": task, "item": item, "item_version": version, "stage": stage, "round": round, "slot": free,
            "person": person, "protocol": protocol.hash, "state": "claimed", "order_json": order,
            "lease_until": now() + LEASE, "active_ms": 0, "wall_ms": 0, "repeat_no": 0, "at": now()}
    try:
        with session.begin_nested():
            session.connection().execute(insert(Task), made)
    except IntegrityError:
        stages.recount(session, item, stage)
        return None
    stages.recount_claimed(session, item, stage)
    return task


def _free_slot(session: Session, item: UUID, stage: str, round: UUID) -> int | None:
    rows = session.execute(_slots, {"one": item, "at_stage": stage, "in_round": round}).all()
    taken = {row.slot for row in rows}
    return next((slot for slot in range(1, (rows[0].want if rows else 0) + 1) if slot not in taken), None)


_slots = (
    select(ItemStage.want, Task.slot)
    .outerjoin(Task, and_(Task.item == ItemStage.item, Task.stage == ItemStage.stage,
                          Task.round == bindparam("in_round", type_=Id()), Task.state.in_(LIVE)))
    .where(ItemStage.item == bindparam("one", type_=Id()), ItemStage.stage == bindparam("at_stage"),
           ItemStage.state == "open"))
