"""A second adjudicator decides what the first did, without sight of it: how reliable the decisions are.

The first decision stands, whatever the second says. Nobody is asked for this by the queue: whoever wants to know hands
out items by ``second_queue``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from annotation import adjudicating, canonical, trail
from annotation.adjudication_case import Case, answered_by, case_without, check_adjudicator
from annotation.answers import Answer, Slot
from annotation.done import Done
from annotation.errors import N_, NotAllowed, Refused
from annotation.people import require_right
from annotation.store.project import protocol_now
from annotation.store.tables import Adjudication, Event, Item

OPENED = "open_second"


@dataclass(frozen=True, slots=True)
class Second:
    """An item whose decisions may be made again: ``decided`` are the rows that stand, by slot."""

    item: UUID
    key: str
    decided: Mapping[Slot, UUID]


def second_queue(session: Session, person: UUID, *, share: float = 1.0, limit: int = 500) -> tuple[Second, ...]:
    """Items that others decided and this person may decide again, blind; at most one second decision of each slot.

    ``share``: of the items, drawn by their own random number: the same for everybody and for ever, so that it is not
    the easy ones that are chosen. Left out: items that this person answered, decided, or has seen the outcome of.
    """
    require_right(session, person, "adjudicate")
    second, cancel, own = aliased(Adjudication), aliased(Adjudication), aliased(Adjudication)
    query = (
        select(Item.id, Item.key, Item.rnd, Adjudication.question, Adjudication.element, Adjudication.id)
        .join(Item, Item.id == Adjudication.item)
        .where(Item.state != "withdrawn", *_stands(Adjudication, cancel), Adjudication.second_of.is_(None),
               ~select(own.id).where(own.item == Item.id, own.by == person).exists(),
               ~select(second.id).where(second.second_of == Adjudication.id,
                                        ~select(cancel.id).where(cancel.cancels == second.id).exists()).exists())
        .order_by(Item.rnd, Item.id, Adjudication.id))
    if not protocol_now(session).workflow.allow_self:
        query = query.where(~answered_by(person, Item.id))
    found: dict[UUID, tuple[str, dict[Slot, UUID]]] = {}
    for item, key, rnd, question, element, row in session.execute(query):
        if is_drawn(rnd, share):
            found.setdefault(item, (key, {}))[1][Slot(question, element or None)] = row  # the last decision stands
    out = [Second(item, key, decided) for item, (key, decided) in found.items() if _is_blind(session, person, item)]
    return tuple(out[:limit])


def is_drawn(rnd: int, share: float) -> bool:
    """Whether the item with this random number is in a sample of this share."""
    drawn = int.from_bytes(hashlib.sha256(f"second {rnd}".encode()).digest()[:8], "big")
    return drawn < share * 2**64


def open_second(session: Session, item: UUID, *, person: UUID) -> Case:
    """The case as it was before the first decision (a write: that this person opened it blind is kept).

    Raises NotAllowed to whoever has answered or decided the item or has seen what came of it, Refused where nothing
    is to be decided again.
    """
    decided = _decided(session, item, person)
    if not decided:
        raise Refused(N_("nothing of this item is to be decided again: no other decided it, or somebody did so twice"),
                      code="not_open")
    if not _opened(session, person, item):
        if trail.was_revealed(session, person, item=item) or trail.was_revealed(session, person):
            raise NotAllowed(N_("you have seen what stands for this item, so your decision would not be blind"))
        trail.record(session, OPENED, person=person, ids={"item": item}, payload=_what(person, item))
        trail.reveal(session, person, item=item)  # others' answers are before this person from now on
    return case_without(session, item, frozenset(decided), person=person)


def decide_second(session: Session, item: UUID, values: Mapping[Slot, Answer], *, by: UUID, reason: str = "",
                  order: Mapping[str, Any] | None = None) -> Done:
    """Decide again what others decided. Gold stays as it is. Undone as a decision is.

    Raises NotAllowed as ``open_second`` does, Refused where the case was not opened by it or a slot was not decided.
    """
    decided = _decided(session, item, by)
    if not _opened(session, by, item):
        raise Refused(N_("open the case first, so that it is known what was before you"), code="not_open")
    if not values:
        raise Refused(N_("nothing was decided"), code="missing_value")
    for slot in values:
        if slot not in decided:
            raise Refused(N_("'{slot}' was not decided by another, or twice already"), code="not_open", slot=str(slot))
    case = case_without(session, item, frozenset(decided), person=by)
    return adjudicating.adjudicate_second(session, item, values, of=decided, by=by, case=case, reason=reason,
                                          order=order)


def _decided(session: Session, item: UUID, person: UUID) -> dict[Slot, UUID]:
    """What this person may decide again of the item, by slot the first decision."""
    check_adjudicator(session, person, item)
    rows = session.execute(select(
        Adjudication.id, Adjudication.question, Adjudication.element, Adjudication.by, Adjudication.value_json,
        Adjudication.second_of, Adjudication.cancels).where(Adjudication.item == item).order_by(Adjudication.id)).all()
    cancelled = {row.cancels for row in rows if row.cancels is not None}
    standing = [row for row in rows if row.id not in cancelled and row.value_json is not None]
    if any(row.by == person and row.second_of is None for row in rows):
        raise NotAllowed(N_("you have decided about this item"))
    first = {Slot(row.question, row.element or None): row.id for row in standing if row.second_of is None}
    twice = {row.second_of for row in standing if row.second_of is not None}
    return {slot: row for slot, row in first.items() if row not in twice}


def _stands(row: Any, cancel: Any) -> tuple[Any, ...]:
    return (row.cancels.is_(None), row.question != "", row.value_json.is_not(None),
            ~select(cancel.id).where(cancel.cancels == row.id).exists())


def _is_blind(session: Session, person: UUID, item: UUID) -> bool:
    return _opened(session, person, item) or not (
        trail.was_revealed(session, person, item=item) or trail.was_revealed(session, person))


def _opened(session: Session, person: UUID, item: UUID) -> bool:
    return session.execute(select(Event.seq).where(
        Event.person == person, Event.verb == OPENED,
        Event.payload_sha256 == canonical.sha256(_what(person, item))).limit(1)).first() is not None


def _what(person: UUID, item: UUID) -> dict[str, str]:
    return {"person": person.hex, "item": item.hex}
