"""Which values the protocol wants and that do not stand yet, and why, without settling every item anew."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from sqlalchemy import Text, func, or_, select, type_coerce
from sqlalchemy.orm import Session

from annotation import form
from annotation.gold_item import settle
from annotation.protocol import Protocol
from annotation.protocol_models import Group
from annotation.store.project import protocol_now
from annotation.store.tables import Adjudication, AnswerRow, Gold, Item, ItemStage, ItemVersion
from annotation.store.types import as_stored, as_uuid
from annotation.votes import CHUNK, read_facts, settled

Progress = Callable[[int, int], None]
AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that should be there and is not, with the reason in words."""

    item: UUID
    key: str
    element: str | None
    question: str
    why: str


def missing(session: Session, question: str | None = None, *, besides: Collection[str] = (),
            progress: Progress | None = None) -> tuple[Missing, ...]:
    """All of them, by item key. Signed items miss nothing, withdrawn ones are left out.

    ``besides``: states of stages (open, waiting); items with a stage in one of them are left out. Where every item
    is asked the same, the database finds those that lack a value. Items that nobody has touched miss the same if they
    have the same shape; items whose gold has the same shape and the same deciding values as one that was found
    complete are complete. Only the rest is settled one by one.
    """
    protocol = protocol_now(session)
    shapes = Shapes(protocol)
    out: list[Missing] = []
    touched: list[_Item] = []
    for item in _items(session, shapes, besides=besides):
        if item.touched:
            touched.append(item)
        else:
            out += [Missing(as_uuid(item.id), item.key, slot.element, slot.question, why)
                    for slot, why in shapes.untouched(item.shape, item.fields).items()
                    if question in (None, slot.question)]
    signatures = _signatures(session, shapes, [item.id for item in touched] if shapes.everywhere else None)
    complete: set[Any] = set()
    open_items: list[tuple[UUID, Any]] = []
    for item in touched:
        kept = signatures.get(item.id)
        if kept is None or not kept.locked:
            open_items.append((as_uuid(item.id),
                               None if kept is None or not shapes.decide else (item.shape, kept.facts)))
    for start in range(0, len(open_items), AT_ONCE):
        by_item = {item: signature for item, signature in open_items[start:start + AT_ONCE]
                   if signature is None or signature not in complete}
        for facts in read_facts(session, protocol, list(by_item)):
            found = settled(protocol, facts).missing
            if not found and by_item[facts.item] is not None:
                complete.add(by_item[facts.item])
            out += [Missing(facts.item, facts.key, slot.element, slot.question, why)
                    for slot, why in found.items() if question in (None, slot.question)]
        if progress is not None:
            progress(min(start + AT_ONCE, len(open_items)), len(open_items))
    return tuple(sorted(out, key=lambda one: one.key))


def count_missing(session: Session) -> int:
    """How many; without settling a single item where every item is asked the same and nothing is derived."""
    protocol = protocol_now(session)
    shapes = Shapes(protocol)
    if not shapes.everywhere or set(protocol.derive) & set(protocol.gold):
        return len(missing(session))
    unsigned = ~_gold_of(Gold.locked).exists()
    return sum(session.execute(select(func.count()).select_from(Item).where(
        *_COUNTED, _lacks(name), unsigned)).scalar_one() for name in shapes.everywhere)


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
        # What every item must have gold for, whatever is in it; () where that depends on the item or its answers.
        self.everywhere = () if self.reads_fields or self.deciding or self.optional else tuple(protocol.gold)
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


@dataclass(frozen=True, slots=True)
class _Item:
    """``id`` as the driver gives it. ``touched``: somebody answered or decided something."""

    id: Any
    key: str
    touched: bool
    shape: Any
    fields: Mapping[str, Any]


_COUNTED = (Item.state != "withdrawn", Item.kind == "item")


def _items(session: Session, shapes: Shapes, *, besides: Collection[str]) -> Iterator[_Item]:
    """The items that may miss something."""
    touched = or_(select(AnswerRow.item).where(AnswerRow.item == Item.id).exists(),
                  select(Adjudication.item).where(Adjudication.item == Item.id).exists())
    query = select(as_stored(session, Item.id), Item.key, touched).where(*_COUNTED)
    if besides:
        query = query.where(~select(ItemStage.item).where(
            ItemStage.item == Item.id, ItemStage.state.in_(besides)).exists())
    if shapes.everywhere:
        query = query.where(or_(*map(_lacks, shapes.everywhere)))
    if not shapes.reads_fields:
        for item, key, is_touched in session.execute(query):
            yield _Item(item, key, is_touched, None, {})
        return
    rows = session.execute(query.add_columns(ItemVersion.fields_json).join(ItemVersion, ItemVersion.id == Item.current))
    for item, key, is_touched, fields in rows:
        yield _Item(item, key, is_touched, shapes.of(fields), fields)


def _gold_of(*where: Any) -> Any:
    return select(Gold.item).where(Gold.item == Item.id, *where)


def _lacks(name: str) -> Any:
    return ~_gold_of(Gold.element == "", Gold.question == name).exists()


def _signatures(session: Session, shapes: Shapes, items: Sequence[Any] | None) -> dict[Any, _Kept]:
    """Per item with gold: which slots have a value, the deciding values, and the optional slots somebody answered.
    ``items``: only of these (ids as the driver gives them); None: of all.
    """
    voted: dict[Any, set[tuple[str, str]]] = {}
    if shapes.optional:
        for item, element, question in session.execute(select(
                as_stored(session, AnswerRow.item), AnswerRow.element, AnswerRow.question)
                .where(AnswerRow.question.in_(shapes.optional))):
            voted.setdefault(item, set()).add((element, question))
    value = type_coerce(Gold.value_json, Text)  # canonical: the same value has the same text
    query = select(as_stored(session, Gold.item), Gold.element, Gold.question, value, Gold.locked).order_by(
        Gold.item, Gold.element, Gold.question)
    parts = [query] if items is None else [
        query.where(Gold.item.in_([as_uuid(item) for item in items[start:start + CHUNK]]))
        for start in range(0, len(items), CHUNK)]
    out = {}
    deciding, none = shapes.deciding, frozenset[tuple[str, str]]()
    for part in parts:
        rows: Any = session.execute(part)
        for item, of_item in groupby(rows, key=itemgetter(0)):
            listed: Sequence[Any] = list(of_item)
            out[item] = _Kept((
                tuple((element, question, text if question in deciding else "")
                      for _, element, question, text, _ in listed),
                frozenset(voted[item]) if item in voted else none), any(row[4] for row in listed))
    return out
