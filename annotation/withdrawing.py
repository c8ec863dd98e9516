"""Taking back: a submit, a skip, an answer given long ago; each refused where somebody has built on it."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session, aliased

from annotation import claims, people, rights, stages, staleness, trail
from annotation.done import Done, Undo
from annotation.errors import N_, NotAllowed, Refused, Unknown
from annotation.store.ids import new_id
from annotation.store.tables import Adjudication, DraftRow, Revision, Skip, Task, Withdrawal
from annotation.store.types import now
from annotation.submitting import submit

CHANGED = frozenset({"answers", "progress", "tasks", "items", "drafts", "gold", "adjudication"})
LATER = {"annotate": ("verify",), "verify": ()}


def withdraw(session: Session, revision: UUID, *, person: UUID, reason: str = "") -> Done:
    """Take an answer out for good: it counts no more and its place is free for others.

    Allowed to whoever gave it and to researchers and owners; Refused once the item is signed.
    """
    row = _revision(session, revision)
    task = claims.task_row(session, row.task)
    right = "withdraw_own" if row.person == person else "withdraw_others"
    if not rights.may(people.by_id(session, person).roles, right):
        raise NotAllowed(N_("only whoever gave an answer, a researcher or an owner can withdraw it"))
    if claims.is_signed(session, task.item):
        raise Refused(N_("this item is signed; it must be unlocked first"), code="signed")
    standing = _not_withdrawn(session, row.task)
    if task.state != "submitted" or not standing:
        raise Refused(N_("this answer is withdrawn already"), code="withdrawn")
    _withdraw_rows(session, standing, person=person, reason=reason)
    session.execute(update(Task).where(Task.id == task.id).values(state="withdrawn"))
    session.execute(delete(DraftRow).where(DraftRow.task == task.id))
    claims.after_change(session, task)
    staleness.after_answer(session, task.item, task.item_version)
    trail.record(session, "withdraw", person=person, ids={"revisions": standing, "task": task.id, "item": task.item})
    return Done("Withdraw", CHANGED, Undo("unwithdraw", (task.id.hex, *[r.hex for r in standing])), revision)


def withdraw_submit(session: Session, revision: UUID, *, person: UUID) -> Done:
    """Undo a submit: the answers come back as a draft; an answer that it had replaced stands again.

    The time it took stays with the task and is counted on at the next submit.
    """
    row = _revision(session, revision)
    task = claims.task_row(session, row.task)
    claims.require_own(session, task, person)
    standing = _not_withdrawn(session, row.task)
    if task.state != "submitted" or revision not in standing:
        raise Refused(N_("this answer is withdrawn already"), code="withdrawn")
    if standing[-1] != revision:
        raise Refused(N_("this answer was changed since; take the change back first"), code="built_on")
    refuse_if_built_on(session, task, revision)
    _withdraw_rows(session, [revision], person=person, reason="undo")
    if len(standing) == 1:
        session.execute(update(Task).where(Task.id == task.id).values(
            state="claimed", lease_until=now() + claims.LEASE))
    claims.keep_draft(session, task.id, row.answers_json)
    claims.after_change(session, task)
    staleness.after_answer(session, task.item, task.item_version)
    trail.record(session, "withdraw_submit", person=person,
                 ids={"revision": revision, "task": task.id, "item": task.item})
    return Done("Take back submit", CHANGED, Undo("submit_again", (task.id.hex, revision.hex)), task.id)


def unwithdraw(session: Session, task: UUID, revisions: tuple[UUID, ...], *, person: UUID) -> Done:
    """Undo a withdrawal: the answers are given again, as a new revision, if the place is still free."""
    row = claims.task_row(session, task)
    if row.state != "withdrawn":
        raise Refused(N_("this answer was changed since"), code="built_on")
    last = _revision(session, revisions[-1])
    claims.claim_again(session, row)
    return submit(session, task, last.answers_json)


def unskip(session: Session, task: UUID, *, person: UUID) -> Done:
    """Undo a skip: the task is the person's again, with its draft, if a place is still free."""
    row = claims.task_row(session, task)
    claims.require_own(session, row, person)
    if row.state != "skipped":
        raise Refused(N_("this skip was taken back already"), code="built_on")
    session.execute(update(Task).where(Task.id == task).values(state="expired"))
    stages.refresh(session, row.item)  # a skip may have closed the stage; without it the place counts again
    claims.claim_again(session, row)
    trail.record(session, "unskip", person=person, ids={"task": task, "item": row.item})
    reason = session.execute(
        select(Skip.reason).where(Skip.task == task).order_by(Skip.at.desc()).limit(1)).scalar_one()
    return Done("Take back skip", frozenset({"tasks", "progress", "items", "adjudication"}),
                Undo("skip_again", (task.hex, reason)), task)


def refuse_if_built_on(session: Session, task: object, revision: UUID) -> None:
    """Refused where a signature, an adjudication or a verification came after this answer."""
    item, stage = task.item, task.stage  # type: ignore[attr-defined]
    if claims.is_signed(session, item):
        raise Refused(N_("this item was signed since; it must be unlocked first"), code="built_on")
    other = aliased(Adjudication)
    if session.execute(select(Adjudication.id).where(
            Adjudication.item == item, Adjudication.id > revision, Adjudication.cancels.is_(None),
            Adjudication.second_of.is_(None), Adjudication.question != "",
            ~select(other.id).where(other.cancels == Adjudication.id).exists()).limit(1)).first() is not None:
        raise Refused(N_("this item was adjudicated since; take that back first"), code="built_on")
    if LATER.get(stage) and session.execute(select(Revision.id).join(Task, Task.id == Revision.task).where(
            Task.item == item, Task.stage.in_(LATER[stage]), Task.state == "submitted",
            Revision.id > revision).limit(1)).first() is not None:
        raise Refused(N_("this item was verified since"), code="built_on")


def _revision(session: Session, revision: UUID) -> Revision:
    row = session.execute(select(Revision).where(Revision.id == revision)).scalar()
    if row is None:
        raise Unknown(N_("there is no answer {revision}"), revision=revision.hex)
    return row


def _not_withdrawn(session: Session, task: UUID) -> list[UUID]:
    return list(session.execute(select(Revision.id).where(
        Revision.task == task, ~select(Withdrawal.id).where(Withdrawal.revision == Revision.id).exists())
        .order_by(Revision.id)).scalars())


def _withdraw_rows(session: Session, revisions: list[UUID], *, person: UUID, reason: str) -> None:
    session.execute(insert(Withdrawal), [
        {"id": new_id(), "revision": revision, "person": person, "reason": reason, "at": now()}
        for revision in revisions])
