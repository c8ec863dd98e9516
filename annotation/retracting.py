"""Taking an item, or all answers of a person, out for good: nothing of it is handed out any more, in no release."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from annotation import claims, people, rights, stages, trail, withdrawing
from annotation.canonical import check_text
from annotation.done import Done
from annotation.errors import N_, NotAllowed, Refused, Unknown
from annotation.store.ids import new_id
from annotation.store.tables import Item, Retraction, Revision, Task
from annotation.store.types import now

CHANGED = frozenset({"answers", "progress", "tasks", "items", "gold", "adjudication", "releases"})


@dataclass(frozen=True, slots=True)
class Retracted:
    """``answers`` count no more; ``signed``: keys of items whose answers stand until they are unlocked, and are not
    handed out either.
    """

    answers: int
    signed: tuple[str, ...]


def retract_item(session: Session, item: UUID, *, by: UUID, reason: str) -> Done:
    """The item leaves the project's work and every bundle written from now on; releases keep their counts and hashes.

    Refused without a reason, or where it was taken out before.
    """
    people.require_right(session, by, "release")
    words = _words(reason)
    if session.scalar(select(Item.id).where(Item.id == item)) is None:
        raise Unknown(N_("there is no item {item}"), item=item.hex)
    if session.scalar(select(Retraction.id).where(Retraction.item == item)) is not None:
        raise Refused(N_("this item was taken out before"), code="withdrawn")
    session.execute(update(Item).where(Item.id == item).values(state="withdrawn"))
    stages.refresh(session, item)
    _keep(session, by=by, reason=words, item=item)
    return Done("Take item out", CHANGED, None, Retracted(0, ()))


def retract_person(session: Session, person: UUID, *, by: UUID, reason: str) -> Done:
    """A person's answers count no more and leave no more: allowed to that person and to owners and researchers."""
    if person != by and not rights.may(people.by_id(session, by).roles, "withdraw_others"):
        raise NotAllowed(N_("only the person, a researcher or an owner can take a person's answers out"))
    words = _words(reason)
    if session.scalar(select(Retraction.id).where(Retraction.person == person)) is not None:
        raise Refused(N_("this person's answers were taken out before"), code="withdrawn")
    rows = session.execute(
        select(Task.id, Task.item, Item.key).join(Item, Item.id == Task.item)
        .where(Task.person == person, Task.state == "submitted").order_by(Item.key)).all()
    signed, answers = [], 0
    for row in rows:
        if claims.is_signed(session, row.item):
            signed.append(row.key)
            continue
        last = session.scalars(select(Revision.id).where(Revision.task == row.id).order_by(
            Revision.id.desc()).limit(1)).one()
        withdrawing.withdraw(session, last, person=by, reason=words)
        answers += 1
    _keep(session, by=by, reason=words, person=person)
    return Done("Take answers out", CHANGED, None, Retracted(answers, tuple(signed)))


def _keep(session: Session, *, by: UUID, reason: str, item: UUID | None = None, person: UUID | None = None) -> None:
    made = new_id()
    session.execute(insert(Retraction).values(id=made, item=item, person=person, reason=reason, by=by, at=now()))
    what = {"item": item} if item is not None else {"of": person}
    trail.record(session, "retract", person=by, ids={"retraction": made, **what})


def _words(reason: str) -> str:
    words = " ".join(check_text(reason).split())
    if not words:
        raise Refused(N_("say why"), code="missing_value")
    return words
