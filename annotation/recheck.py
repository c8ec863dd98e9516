"""Rounds of looking again: items that somebody doubts, each with a query that is open until somebody settles it.

A round is kept with the items that it was made of and how they were chosen. Whoever settles a query answers it and,
where gold was wrong, decides anew; until then the query holds a final release up. Nothing else changes: answers stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from annotation import people, trail
from annotation.canonical import check_text
from annotation.done import Done, Undo
from annotation.errors import N_, Refused, Unknown
from annotation.store.ids import new_id
from annotation.store.project import protocol_now
from annotation.store.tables import Item, NamedSample, Person, Query, QueryMessage, Round
from annotation.store.types import now

T = TypeVar("T")
KIND = "recheck"
TOUCHED = frozenset({"queries"})
CHUNK = 400


@dataclass(frozen=True, slots=True)
class Rechecked:
    """``name`` of the round ("" where none was made); ``already``: items that an open query of a round holds."""

    name: str
    items: tuple[UUID, ...]
    already: int


@dataclass(frozen=True, slots=True)
class RecheckView:
    """``open``: items of the round whose query nobody has closed; ``chosen``: how they were found."""

    name: str
    at: datetime
    by: str
    items: tuple[UUID, ...]
    open: tuple[UUID, ...]
    chosen: Mapping[str, Any]


def send(session: Session, items: Sequence[UUID], *, by: UUID, why: str, question: str | None = None,
         chosen: Mapping[str, Any] | None = None) -> Done:
    """Make a round of these items (``Done.value`` is a Rechecked), each with the query ``why``.

    ``why`` is read by whoever looks again, so it should not say what to answer. ``chosen`` is kept with the round:
    plain values, no answers. Refused without items or words; Unknown for an item or question that does not exist.
    """
    people.require_right(session, by, "assign")
    words = check_text(" ".join(why.split()))
    if not words:
        raise Refused(N_("say why these items are to be looked at again"), code="missing_value")
    if question is not None and question not in protocol_now(session).value_names:
        raise Unknown(N_("The protocol has no question '{name}'"), name=question)
    wanted = list(dict.fromkeys(items))
    if not wanted:
        raise Refused(N_("name the items that this is about"), code="missing_value")
    known = set(_ids(session, wanted))
    for item in wanted:
        if item not in known:
            raise Unknown(N_("there is no item {item}"), item=item.hex)
    held = {item for one in rounds(session) for item in one.open}
    taken = [item for item in wanted if item not in held]
    if not taken:
        return Done("Recheck", TOUCHED, None, Rechecked("", (), len(wanted)))
    round, sample, at, name = new_id(), new_id(), now(), _next(session)
    asked = [new_id() for _ in taken]
    session.execute(insert(Round).values(id=round, name=name, kind=KIND, at=at))
    for some in _chunks(list(zip(asked, taken, strict=True))):
        session.execute(insert(Query), [{"id": query, "item": item, "question": question, "by": by, "at": at}
                                        for query, item in some])
        session.execute(insert(QueryMessage), [
            {"id": new_id(), "query": query, "by": by, "text": words, "closes": False, "at": at} for query, _ in some])
    session.execute(insert(NamedSample).values(
        id=sample, name=name, seed=0, items_json=[one.hex for one in taken], by=by, at=at,
        rule_json={"kind": KIND, "round": round.hex, "queries": [one.hex for one in asked],
                   "chosen": dict(chosen or {})}))
    trail.record(session, "recheck", person=by, ids={"round": round, "sample": sample, "items": len(taken)})
    return Done("Recheck", TOUCHED, Undo("unrecheck", (sample.hex,)),
                Rechecked(name, tuple(taken), len(wanted) - len(taken)))


def undo(session: Session, sample: UUID, *, by: UUID) -> Done:
    """Close the queries of a round; Refused where somebody has said something in one of them."""
    rule = session.scalar(select(NamedSample.rule_json).where(NamedSample.id == sample))
    if rule is None or rule.get("kind") != KIND:
        raise Unknown(N_("there is no such round"))
    queries = [UUID(one) for one in rule["queries"]]
    for some in _chunks(queries):
        said = session.scalar(select(func.count()).select_from(QueryMessage).where(QueryMessage.query.in_(some)))
        if said != len(some):
            if said == 2 * len(some) and _closed(session, some) == set(some):
                raise Refused(N_("this round was taken back already"), code="built_on")
            raise Refused(N_("a query of this round was answered since"), code="built_on")
    at = now()
    for some in _chunks(queries):
        session.execute(insert(QueryMessage), [
            {"id": new_id(), "query": one, "by": by, "text": "", "closes": True, "at": at} for one in some])
    trail.record(session, "unrecheck", person=by, ids={"round": UUID(rule["round"]), "sample": sample})
    return Done("Take back recheck", TOUCHED)


def take_back(session: Session, name: str, *, by: UUID) -> Done:
    """Close the queries of the round with this name, as ``undo`` does."""
    people.require_right(session, by, "assign")
    known = {row.name: row.id for row in session.execute(select(
        NamedSample.name, NamedSample.id, NamedSample.rule_json)) if row.rule_json.get("kind") == KIND}
    if name not in known:
        raise Unknown(N_("There is no recheck round '{name}'. There are: {known}."), name=name[:80],
                      known=", ".join(sorted(known)) or "none")
    return undo(session, known[name], by=by)


def rounds(session: Session) -> tuple[RecheckView, ...]:
    """Every round of looking again, the newest first."""
    rows = session.execute(
        select(NamedSample.name, NamedSample.at, Person.handle, NamedSample.items_json, NamedSample.rule_json)
        .join(Person, Person.id == NamedSample.by).order_by(NamedSample.at.desc(), NamedSample.id.desc())).all()
    found = []
    for row in rows:
        if row.rule_json.get("kind") == KIND:
            items = tuple(UUID(one) for one in row.items_json)
            closed = _closed(session, [UUID(one) for one in row.rule_json["queries"]])
            still = tuple(item for item, query in zip(items, row.rule_json["queries"], strict=True)
                          if UUID(query) not in closed)
            found.append(RecheckView(row.name, row.at, row.handle, items, still, row.rule_json["chosen"]))
    return tuple(found)


def _closed(session: Session, queries: Sequence[UUID]) -> set[UUID]:
    """Those whose last message closes them."""
    last: dict[UUID, bool] = {}
    for some in _chunks(queries):
        for query, closes in session.execute(select(QueryMessage.query, QueryMessage.closes).where(
                QueryMessage.query.in_(some)).order_by(QueryMessage.id)):
            last[query] = closes
    return {query for query, closes in last.items() if closes}


def _next(session: Session) -> str:
    names = set(session.scalars(select(Round.name)))
    n = 1
    while f"recheck {n}" in names:
        n += 1
    return f"recheck {n}"


def _ids(session: Session, items: Sequence[UUID]) -> Iterator[UUID]:
    for some in _chunks(items):
        yield from session.scalars(select(Item.id).where(Item.id.in_(some), Item.state != "withdrawn"))


def _chunks(things: Sequence[T]) -> Iterator[Sequence[T]]:
    return (things[start:start + CHUNK] for start in range(0, len(things), CHUNK))
