"""Which values the protocol wants and that do not stand yet, and why, without settling every item anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import form
from annotation.gold_item import settle
from annotation.protocol import Protocol
from annotation.protocol_models import Group
from annotation.store.project import protocol_now
from annotation.store.tables import Adjudication, AnswerRow, Gold, Item, ItemVersion
from annotation.votes import read_facts, settled

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that should be there and is not, with the reason in words."""

    item: UUID
    key: str
    element: str | None
    question: str
    why: str


def missing(session: Session, question: str | None = None, *, progress: Progress | None = None) -> tuple[Missing, ...]:
    """All of them, by item key. Signed items miss nothing, withdrawn ones are left out.

    Items that nobody has touched miss the same if they have the same shape; items whose gold has the same shape and
    the same deciding values as one that was found complete are complete. Only the rest is settled one by one.
    """
    protocol = protocol_now(session)
    shapes = Shapes(protocol)
    touched = set(session.scalars(select(AnswerRow.item).distinct()))
    touched |= set(session.scalars(select(Adjudication.item).distinct()))
    signatures = _signatures(session, shapes) if touched else {}
    complete: set[Any] = set()
    out: list[Missing] = []
    open_items: list[tuple[UUID, Any]] = []
    items = list(_items(session, shapes))
    for item, key, shape, fields in items:
        if item not in touched:
            out += [Missing(item, key, slot.element, slot.question, why)
                    for slot, why in shapes.untouched(shape, fields).items() if question in (None, slot.question)]
        else:
            kept = signatures.get(item)
            if kept is None or not kept.locked:
                open_items.append((item, None if kept is None or not shapes.decide else (shape, kept.facts)))
    done = 0
    while open_items:
        chunk, open_items = open_items[:1000], open_items[1000:]
        ask = [(item, sig) for item, sig in chunk if sig is None or sig not in complete]
        by_item = dict(ask)
        for facts in read_facts(session, protocol, list(by_item)):
            found = settled(protocol, facts).missing
            if not found and by_item[facts.item] is not None:
                complete.add(by_item[facts.item])
            out += [Missing(facts.item, facts.key, slot.element, slot.question, why)
                    for slot, why in found.items() if question in (None, slot.question)]
        done += len(chunk)
        if progress is not None:
            progress(done, done + len(open_items))
    return tuple(sorted(out, key=lambda one: one.key))


@dataclass(frozen=True, slots=True)
class _Kept:
    facts: Any
    locked: bool


class Shapes:
    """What of an item's fields, and of its gold, decides what is asked: element ids, ``show_if``, deciding values."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self.lists = tuple(dict.fromkeys(entry.for_each for entry in protocol.questions if isinstance(entry, Group)))
        named = {name for question in protocol.asked for name in question.show_if}
        paths = sorted(name for name in named if name.startswith("item."))
        self.parts = tuple(dict.fromkeys(path.split(".")[1] for path in paths))
        self.deciding = frozenset(name for name in named if not name.startswith("item."))
        # A question without a gold rule decides by its most frequent answer, which the gold table does not hold.
        self.decide = self.deciding <= set(protocol.gold)
        self.optional = tuple(question.name for question in protocol.asked
                              if not question.required and question.name in protocol.gold)
        self._untouched: dict[Any, Mapping[Any, str]] = {}

    @property
    def reads_fields(self) -> bool:
        return bool(self.lists or self.parts)

    def of(self, fields: Mapping[str, Any]) -> Any:
        return (tuple(tuple(one.id for one in form.elements(self.protocol, fields, name)) for name in self.lists),
                tuple(repr(fields.get(name)) for name in self.parts))

    def untouched(self, shape: Any, fields: Mapping[str, Any]) -> Mapping[Any, str]:
        if shape not in self._untouched:
            self._untouched[shape] = settle(self.protocol, fields, {}, adjudicated={}, repaired={}).missing
        return self._untouched[shape]


def _items(session: Session, shapes: Shapes) -> Iterator[tuple[UUID, str, Any, Mapping[str, Any]]]:
    where = (Item.state != "withdrawn", Item.kind == "item")
    if not shapes.reads_fields:
        for item, key in session.execute(select(Item.id, Item.key).where(*where)):
            yield item, key, None, {}
        return
    rows = session.execute(select(Item.id, Item.key, ItemVersion.fields_json)
                           .join(ItemVersion, ItemVersion.id == Item.current).where(*where))
    for item, key, fields in rows:
        yield item, key, shapes.of(fields), fields


def _signatures(session: Session, shapes: Shapes) -> dict[UUID, _Kept]:
    """Per item with gold: which slots have a value, the deciding values, and the optional slots somebody answered."""
    voted: dict[UUID, set[tuple[str, str]]] = {}
    if shapes.optional:
        for item, element, question in session.execute(select(
                AnswerRow.item, AnswerRow.element, AnswerRow.question).where(AnswerRow.question.in_(shapes.optional))):
            voted.setdefault(item, set()).add((element, question))
    out = {}
    rows: Any = session.execute(select(Gold.item, Gold.element, Gold.question, Gold.value_json, Gold.locked)
                                .order_by(Gold.item, Gold.element, Gold.question))
    for item, of_item in groupby(rows, key=lambda row: row[0]):
        listed: Sequence[Any] = list(of_item)
        out[item] = _Kept((
            tuple((element, question, repr(value) if question in shapes.deciding else "")
                  for _, element, question, value, _ in listed),
            frozenset(voted.get(item, ()))), any(row[4] for row in listed))
    return out
