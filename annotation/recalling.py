"""What a person did last on this device and has not taken back: read from the trail, for an undo after a restart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from annotation.done import Done, Undo
from annotation.store.tables import (
    Adjudication,
    Assignment,
    Event,
    Flag,
    QueryMessage,
    Revision,
    SignOff,
    Task,
    Withdrawal,
)

LINES = 5000  # of the trail are looked through at most
Ids = Mapping[str, Any]


def recent(session: Session, person: UUID, device: UUID, *, limit: int = 20) -> tuple[Done, ...]:
    """The last operations of this person on this device that can be named from the trail alone, oldest first.

    Left out: what was taken back, answers that came from a file, and changes of people (the trail does not say what
    was before). Whether somebody built on one is asked by ``undo.apply``, which refuses then.
    """
    last = select(func.max(Event.seq)).where(Event.device == device).scalar_subquery()
    lines = session.execute(select(Event.verb, Event.ids_json).where(
        Event.device == device, Event.seq > last - LINES, Event.person == person, Event.verb.in_(_stands))
        .order_by(Event.seq.desc())).all()
    found: list[Done] = []
    for line in lines:
        if (undo := _stands[line.verb](session, line.ids_json)) is not None:
            found.append(Done(_LABELS[line.verb], undo=undo))
            if len(found) == limit:
                break
    return tuple(reversed(found))


def _submit(session: Session, ids: Ids) -> Undo | None:
    stands = session.scalar(select(Revision.id).join(Task, Task.id == Revision.task).where(
        Revision.id == UUID(ids["revision"]), Task.state == "submitted",
        Task.order_json.is_not(None),  # else it came from a file
        ~select(Withdrawal.id).where(Withdrawal.revision == Revision.id).exists()))
    return Undo("withdraw_submit", (ids["revision"],)) if stands else None


def _skip(session: Session, ids: Ids) -> Undo | None:
    return Undo("unskip", (ids["task"],)) if _state(session, ids["task"]) == "skipped" else None


def _withdraw(session: Session, ids: Ids) -> Undo | None:
    stands = _state(session, ids["task"]) == "withdrawn"
    return Undo("unwithdraw", (ids["task"], *ids["revisions"])) if stands else None


def _decide(session: Session, ids: Ids) -> Undo | None:
    return _unless_cancelled(session, Adjudication.item, ids["adjudications"], "unadjudicate")


def _send_back(session: Session, ids: Ids) -> Undo | None:
    return _unless_cancelled(session, Adjudication.item, ids["adjudications"], "unsend_back")


def _sign(session: Session, ids: Ids) -> Undo | None:
    return _unless_cancelled(session, SignOff.item_version, [ids["sign_off"]], "unsign")


def _flag(session: Session, ids: Ids) -> Undo | None:
    return _unless_cancelled(session, Flag.item, [ids["flag"]], "unflag")


def _assign(session: Session, ids: Ids) -> Undo | None:
    return _unless_cancelled(session, Assignment.item, ids["assignments"], "unassign")


def _query(session: Session, ids: Ids) -> Undo | None:
    said = session.scalar(select(func.count()).select_from(QueryMessage).where(
        QueryMessage.query == UUID(ids["query"])))
    return Undo("close_query", (ids["query"],)) if said == 1 else None


_stands: dict[str, Callable[[Session, Ids], Undo | None]] = {
    "submit": _submit, "skip": _skip, "withdraw": _withdraw, "adjudicate": _decide, "send_back": _send_back,
    "sign": _sign, "flag": _flag, "assign": _assign, "query_open": _query}
_LABELS = {  # as the operations themselves say them
    "submit": "Submit", "skip": "Skip", "withdraw": "Withdraw", "adjudicate": "Adjudicate", "send_back": "Send back",
    "sign": "Sign", "flag": "Flag", "assign": "Assign", "query_open": "Query"}


def _state(session: Session, task: str) -> str | None:
    return session.scalar(select(Task.state).where(Task.id == UUID(task)))


def _unless_cancelled(session: Session, about: Any, ids: list[str], operation: str) -> Undo | None:
    """The undo of rows made together, unless a later row about the same thing points to the first of them.

    The first is enough: they are taken back together, and where only some of them were, the undo itself refuses.
    """
    table = about.class_
    later = aliased(table)
    cancelled = session.scalar(select(later.id).join(table, getattr(later, about.key) == about).where(
        table.id == UUID(ids[0]), later.cancels == table.id).limit(1))
    return Undo(operation, tuple(ids)) if cancelled is None else None
