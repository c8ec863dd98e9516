"""Undo as data: the reverse of every operation, found by its name, so that it survives a restart."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import assign, notes, people, recheck, review, stale, tasks, withdrawing
from annotation.done import Done, Undo
from annotation.errors import N_, Refused
from annotation.recalling import recent
from annotation.registry import Registry
from annotation.store.tables import Revision

__all__ = ["apply", "operations", "recent"]

Reverse = Callable[[Session, tuple[str, ...], UUID], Done]

# Each takes the session, the ids of the Undo and the person; each refuses, in a sentence, what others built on.
operations: Registry[Reverse] = Registry("undo operation")


def apply(session: Session, undo: Undo, *, person: UUID) -> Done:
    """Take an operation back in this transaction. ``Done.undo`` is the way forward again (redo), where there is one."""
    return operations[undo.operation](session, undo.ids, person)


def _all(ids: tuple[str, ...]) -> tuple[UUID, ...]:
    return tuple(UUID(one) for one in ids)


def _submit_again(session: Session, ids: tuple[str, ...], person: UUID) -> Done:
    """Redo of a submit: the answers that were taken back are given again, as a new revision."""
    task, revision = _all(ids)
    row = session.execute(select(Revision.answers_json).where(Revision.id == revision)).one()
    if tasks.open_task(session, task).person != person:
        raise Refused(N_("only whoever gave this answer can give it again"), code="not_own")
    return tasks.submit(session, task, row.answers_json)


def _change_roles(session: Session, ids: tuple[str, ...], person: UUID) -> Done:
    return people.undo_roles(session, UUID(ids[0]), ids[1:], by=person)


def _set_active(session: Session, ids: tuple[str, ...], person: UUID) -> Done:
    return people.set_active(session, people.by_id(session, UUID(ids[0])).handle, active=ids[1] == "1", by=person)


operations.add("withdraw_submit", lambda s, ids, p: withdrawing.withdraw_submit(s, UUID(ids[0]), person=p))
operations.add("submit_again", _submit_again)
operations.add("unwithdraw", lambda s, ids, p: withdrawing.unwithdraw(s, UUID(ids[0]), _all(ids[1:]), person=p))
operations.add("unskip", lambda s, ids, p: withdrawing.unskip(s, UUID(ids[0]), person=p))
operations.add("skip_again", lambda s, ids, p: tasks.skip(s, UUID(ids[0]), reason=ids[1]))
operations.add("unassign", lambda s, ids, p: assign.undo_assign(s, _all(ids), by=p))
operations.add("assign_again", lambda s, ids, p: assign.redo_assign(s, _all(ids), by=p))
operations.add("remove_person", lambda s, ids, p: people.undo_add(s, UUID(ids[0]), by=p))
operations.add("set_roles", _change_roles)
operations.add("set_active", _set_active)
operations.add("unadjudicate", lambda s, ids, p: review.undo_adjudicate(s, _all(ids), by=p))
operations.add("readjudicate", lambda s, ids, p: review.redo_adjudicate(s, _all(ids), by=p))
operations.add("unsend_back", lambda s, ids, p: review.undo_send_back(s, _all(ids), by=p))
operations.add("unsign", lambda s, ids, p: review.undo_sign(s, UUID(ids[0]), by=p))
operations.add("unflag", lambda s, ids, p: notes.undo_flag(s, UUID(ids[0]), by=p))
operations.add("flag_again", lambda s, ids, p: notes.redo_flag(s, UUID(ids[0]), by=p))
operations.add("unrecheck", lambda s, ids, p: recheck.undo(s, UUID(ids[0]), by=p))
operations.add("close_query", lambda s, ids, p: notes.undo_query(s, UUID(ids[0]), by=p))
operations.add("reopen_query", lambda s, ids, p: notes.reopen_query(s, UUID(ids[0]), UUID(ids[1]), by=p))
operations.add("still_valid", lambda s, ids, p: stale.still_valid(s, UUID(ids[0]), by=p))
operations.add("not_still_valid", lambda s, ids, p: stale.undo_still_valid(s, UUID(ids[0]), by=p))
operations.add("ask_again", lambda s, ids, p: stale.ask_again(s, UUID(ids[0]), by=p))
operations.add("unask_again", lambda s, ids, p: stale.undo_ask_again(s, UUID(ids[0]), _all(ids[1:]), by=p))
