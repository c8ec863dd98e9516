"""What a person did last on this device and has not taken back: read from the trail, for an undo after a restart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from annotation.done import Done, Undo
from annotation.registry import Registry
from annotation.staleness import KEPT_NO_MORE
from annotation.store.tables import (
    Adjudication,
    Assignment,
    Attestation,
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


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a verb of the trail is taken back by. ``label``: as the operation itself says it; ``stands(session, ids)``
    gives the way back, None where it was taken back or is not this person's deed."""

    label: str
    stands: Callable[[Session, Ids], Undo | None]


recalled: Registry[Recalled] = Registry("recalled verb")  # floors above add theirs, as to ``undo.operations``


def recent(session: Session, person: UUID, device: UUID, *, limit: int = 20) -> tuple[Done, ...]:
    """The last operations of this person on this device that can be named from the trail alone, oldest first.

    Left out: what was taken back, answers that came from a file, and changes of people (the trail does not say what
    was before). Whether somebody built on one is asked by ``undo.apply``, which refuses then.
    """
    last = select(func.max(Event.seq)).where(Event.device == device).scalar_subquery()
    lines = session.execute(select(Event.verb, Event.ids_json).where(
        Event.device == device, Event.seq > last - LINES, Event.person == person, Event.verb.in_(tuple(recalled)))
        .order_by(Event.seq.desc())).all()
    found: list[Done] = []
    for line in lines:
        known = recalled[line.verb]
        undo = known.stands(session, line.ids_json)
        if undo is not None and all(undo != later.undo for later in found):  # done, taken back, and done again
            found.append(Done(known.label, undo=undo))
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


def _still_valid(session: Session, ids: Ids) -> Undo | None:
    said = session.scalars(select(Attestation.value_json).where(Attestation.kind == KEPT_NO_MORE))
    return None if any(value["cancels"] == ids["attestation"] for value in said) else Undo(
        "not_still_valid", (ids["attestation"],))


def _ask_again(session: Session, ids: Ids) -> Undo | None:
    states = {_state(session, task) for task in ids["tasks"]}
    return Undo("unask_again", (
        ids["item"], *ids["tasks"], *ids["revisions"], *ids["adjudications"])) if states == {"expired"} else None


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


for _verb, _label, _how in (
        ("submit", "Submit", _submit), ("skip", "Skip", _skip), ("withdraw", "Withdraw", _withdraw),
        ("adjudicate", "Adjudicate", _decide), ("send_back", "Send back", _send_back), ("sign", "Sign", _sign),
        ("flag", "Flag", _flag), ("assign", "Assign", _assign), ("query_open", "Query", _query),
        ("still_valid", "Still valid", _still_valid), ("ask_again", "Ask again", _ask_again)):
    recalled.add(_verb, Recalled(_label, _how))
