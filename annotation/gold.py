"""The answer that stands for an item: kept in the table ``gold``, recomputed from facts, locked by a signature."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from sys import intern
from typing import Any
from uuid import UUID

from sqlalchemy import Text, delete, insert, select, type_coerce
from sqlalchemy.orm import Session

from annotation import canonical
from annotation.answers import Answer, Slot
from annotation.gold_gaps import Missing, count_missing, missing
from annotation.gold_rules import ItemGold, undecided
from annotation.protocol import Protocol
from annotation.store.project import protocol_now
from annotation.store.tables import Gold, Item, SignOff
from annotation.store.types import Json
from annotation.votes import ItemFacts, read_facts, settled

__all__ = ["GoldView", "Missing", "Refreshed", "as_it_would_stand", "count_differing", "count_missing",
           "due_for_adjudication", "gold", "missing", "rebuild", "refresh", "rows_of", "settled", "undecided_items",
           "undecided_slots", "values_sha256", "walk_gold", "write"]


@dataclass(frozen=True, slots=True)
class Refreshed:
    """``undecided``: what an adjudicator must decide once all answers are in (workflow asks); ``locked``: signed."""

    undecided: tuple[Slot, ...]
    values: int
    missing: int
    locked: bool


@dataclass(frozen=True, slots=True)
class GoldView:
    """One value that stands. ``element`` is None outside groups; ``agreement`` = share of agreeing pairs of people."""

    item: UUID
    key: str
    element: str | None
    question: str
    answer: Answer
    rule: str
    n: int
    agreement: float | None
    standing: str
    signed: bool


def refresh(session: Session, item: UUID) -> Refreshed:
    """Recompute the gold of one item in this transaction. A signed item keeps what was signed."""
    protocol = protocol_now(session)
    facts = next(read_facts(session, protocol, [item]))
    found = settled(protocol, facts)
    if facts.signed is None:
        write(session, item, found, locked=False)
    return Refreshed(due_for_adjudication(protocol, found), len(found.values), len(found.missing),
                     facts.signed is not None)


def due_for_adjudication(protocol: Protocol, found: ItemGold) -> tuple[Slot, ...]:
    """Empty where the protocol has no stage adjudicate."""
    if "adjudicate" not in protocol.workflow.stages:
        return ()
    return undecided(found, when=protocol.workflow.adjudicate.when)


def undecided_slots(session: Session, item: UUID) -> tuple[Slot, ...]:
    """What is due for adjudication on ``item`` (once its answers are in), without writing."""
    protocol = protocol_now(session)
    return due_for_adjudication(protocol, settled(protocol, next(read_facts(session, protocol, [item]))))


def undecided_items(session: Session, items: Sequence[UUID]) -> dict[UUID, tuple[Slot, ...]]:
    """``undecided_slots`` of many items, in few queries."""
    protocol = protocol_now(session)
    return {facts.item: due_for_adjudication(protocol, settled(protocol, facts))
            for facts in read_facts(session, protocol, items)}


def rows_of(item: UUID, found: ItemGold, *, locked: bool) -> list[dict[str, Any]]:
    """The rows of table ``gold`` for one item."""
    return [
        {"item": item, "element": slot.element or "", "question": slot.question, "value_json": dict(value.answer),
         "rule": value.rule, "n": value.n,
         "agreement_json": None if value.agreement is None else {
             "metric": "percent_agreement", "level": "nominal", "value": value.agreement, "n": value.n},
         "from_json": {**value.origin, "standing": value.standing}, "locked": locked}
        for slot, value in found.values.items()
    ]


def write(session: Session, item: UUID, found: ItemGold, *, locked: bool) -> None:
    session.execute(delete(Gold).where(Gold.item == item))
    if rows := rows_of(item, found, locked=locked):
        session.execute(insert(Gold), rows)


def values_sha256(rows: Sequence[tuple[str, str, Any]]) -> str:
    """The hash of an item's standing values: what a signature is for. ``rows``: (element, question, answer)."""
    return canonical.sha256([[element, question, answer] for element, question, answer in sorted(
        rows, key=lambda row: row[:2])])


# Columns and not entities: rows written by Core would not be seen through entities loaded before.
COLUMNS = (Gold.item, Gold.element, Gold.question, Gold.value_json, Gold.rule, Gold.n, Gold.agreement_json,
           Gold.from_json, Gold.locked)

# --- views ---------------------------------------------------------------------------------------

def gold(session: Session, question: str | None = None, *, item: UUID | None = None, limit: int | None = None
         ) -> tuple[GoldView, ...]:
    """All values that stand (the first ``limit``), by item key, element and question. Withdrawn items have none."""
    return tuple(walk_gold(session, question, item=item, limit=limit))


def walk_gold(session: Session, question: str | None = None, *, item: UUID | None = None, limit: int | None = None
              ) -> Iterator[GoldView]:
    """The same, one by one. Equal answers are one object, which nobody may change."""
    query = (select(*(type_coerce(one, Text) if isinstance(one.type, Json) else one for one in COLUMNS), Item.key)
             .join(Item, Item.id == Gold.item).where(Item.state != "withdrawn")
             .order_by(Item.key, Gold.element, Gold.question))
    if question is not None:
        # No bare column: SQLite would sort all of the question's values rather than walk the keys to the limit.
        query = query.where(Gold.question.concat("") == question)
    if item is not None:
        query = query.where(Gold.item == item)
    if limit is not None:
        query = query.limit(limit)
    read = lru_cache(maxsize=1000)(canonical.loads)
    for of, element, name, value, rule, n, agreement, origin, locked, key in session.connection().execute(query):
        standing = canonical.loads(origin)["standing"]
        yield GoldView(of, key, intern(element) or None, intern(name), read(value), intern(rule), n,
                       read(agreement).get("value") if agreement else None, intern(standing), locked)


def as_it_would_stand(session: Session, item: UUID) -> list[GoldView]:
    """The values that the facts give without the signature."""
    facts = next(read_facts(session, protocol_now(session), [item]))
    found = settled(protocol_now(session), facts).values
    return [GoldView(item, facts.key, slot.element, slot.question, dict(value.answer), value.rule, value.n,
                     value.agreement, value.standing, False)
            for slot, value in sorted(found.items(), key=lambda pair: (pair[0].element or "", pair[0].question))]


# --- the whole table, for doctor -----------------------------------------------------------------

def count_differing(session: Session, *, progress: Callable[[int, int], None] | None = None) -> int:
    """How many rows of the table are not what the facts give (rows too many and too few included)."""
    return sum(len(wrong) for _, wrong, _ in _compared(session, progress))


def rebuild(session: Session, *, progress: Callable[[int, int], None] | None = None) -> int:
    """Write the table anew from the facts; returns how many rows were wrong. Signed values that stand stay."""
    total = 0
    for facts, wrong, found in _compared(session, progress):
        if wrong:
            total += len(wrong)
            write(session, facts.item, found, locked=facts.signed is not None)
    return total


def _compared(session: Session, progress: Callable[[int, int], None] | None
              ) -> Iterator[tuple[ItemFacts, list[tuple[str, str]], ItemGold]]:
    """Each item with the (element, question) of its wrong rows and what should stand."""
    protocol = protocol_now(session)
    items = list(session.scalars(select(Item.id).order_by(Item.id)))
    for done, facts in enumerate(read_facts(session, protocol, items), 1):
        kept = {(row.element, row.question): row._asdict()
                for row in session.execute(select(*COLUMNS).where(Gold.item == facts.item))}
        found = settled(protocol, facts)
        wanted = {(row["element"], row["question"]): row
                  for row in rows_of(facts.item, found, locked=facts.signed is not None)}
        wrong = [key for key in sorted(kept.keys() | wanted.keys()) if kept.get(key) != wanted.get(key)]
        if wrong and facts.signed is not None and _is_as_signed(session, facts.signed, kept):
            wrong = []  # what was signed stands, even where answers changed since
        yield facts, wrong, found
        if progress is not None and done % 1000 == 0:
            progress(done, len(items))


def _is_as_signed(session: Session, signature: UUID, kept: dict[tuple[str, str], dict[str, Any]]) -> bool:
    signed = session.scalar(select(SignOff.gold_sha256).where(SignOff.id == signature))
    return all(row["locked"] for row in kept.values()) and signed == values_sha256(
        [(element, question, row["value_json"]) for (element, question), row in kept.items()])
