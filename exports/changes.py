"""What differs between two releases of one project, item by item, and through what."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import canonical
from annotation.answers import Answer
from annotation.store.tables import Item, ItemVersion
from exports.frozen import Frozen, FrozenGold, FrozenItem

CHUNK = 400


@dataclass(frozen=True, slots=True)
class GoldChange:
    """``before`` or ``after`` is None where there is no value; elements are those of the store."""

    element: str | None
    question: str
    before: Answer | None
    after: Answer | None
    standing: str | None


@dataclass(frozen=True, slots=True)
class Change:
    """``what``: added, removed, or of gold, contents, split, slices, pictures what differs. ``causes``: adjudication,
    answers, contents, protocol, withdrawn, left_out. ``id`` is the public one, of the newer release if it is there.
    """

    item: UUID
    id: str
    key: str
    what: tuple[str, ...]
    gold: tuple[GoldChange, ...]
    causes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """``items``: how many stand in both and are the same."""

    before: str
    after: str
    same: int
    changes: tuple[Change, ...]

    def counts(self) -> dict[str, int]:
        """Items by what happened to them."""
        found = {"same": self.same, "added": 0, "removed": 0, "gold": 0, "contents": 0, "split": 0, "slices": 0,
                 "pictures": 0}
        for one in self.changes:
            for what in one.what:
                found[what] += 1
        return found


def compare(session: Session, before: Frozen, after: Frozen) -> Difference:
    """``after`` need not be in the store yet. Items are matched by what they are, not by their public ids.

    Only what differs is held in memory: items are told apart by a fingerprint first.
    """
    marks = [{one.item_version: _mark(one) for one in frozen.items} for frozen in (before, after)]
    of = _items_of(session, {version for some in marks for version in some})
    old, new = ({of[version]: mark for version, mark in some.items()} for some in marks)
    differing = {item for item in old.keys() | new.keys() if old.get(item) != new.get(item)}
    ones, others = ({of[one.item_version]: one for one in frozen.items if of[one.item_version] in differing}
                    for frozen in (before, after))
    known = _keys(session, differing)
    changes = []
    for item in sorted(differing, key=lambda item: known[item][0]):
        (key, state), one, other = known[item], ones.get(item), others.get(item)
        if one is None and other is not None:
            changes.append(Change(item, other.public_id, key, ("added",), (), ()))
        elif one is not None and other is None:
            cause = "withdrawn" if state == "withdrawn" else "left_out"
            changes.append(Change(item, one.public_id, key, ("removed",), _gold(one.gold, ()), (cause,)))
        elif one is not None and other is not None and (what := _what(one, other)):
            causes = _causes(one, other, protocol=before.protocol != after.protocol)
            changes.append(Change(item, other.public_id, key, what, _gold(one.gold, other.gold), causes))
    return Difference(before.version, after.version, len(old.keys() | new.keys()) - len(changes), tuple(changes))


def _mark(one: FrozenItem) -> bytes:
    """Equal for equal items; unequal ones are looked at."""
    said = (one.item_version.hex, one.split, sorted(one.slices.items()),
            [(media["field"], media["element"] or "", media["sha256"]) for media in one.media],
            sorted((gold.question, gold.element or "", repr(sorted(gold.answer.items()))) for gold in one.gold))
    return hashlib.sha256(repr(said).encode(errors="surrogatepass")).digest()[:16]


def _what(one: FrozenItem, other: FrozenItem) -> tuple[str, ...]:
    seen = {"gold": bool(_gold(one.gold, other.gold)), "contents": one.item_version != other.item_version,
            "split": one.split != other.split, "slices": dict(one.slices) != dict(other.slices),
            "pictures": _plain(one.media) != _plain(other.media)}
    return tuple(name for name, differs in seen.items() if differs)


def _causes(one: FrozenItem, other: FrozenItem, *, protocol: bool) -> tuple[str, ...]:
    seen = {"adjudication": one.sources["adjudications"].keys() != other.sources["adjudications"].keys(),
            "answers": one.sources["revisions"] != other.sources["revisions"],
            "contents": one.item_version != other.item_version, "protocol": protocol}
    return tuple(name for name, holds in seen.items() if holds)


def _gold(before: Iterable[FrozenGold], after: Iterable[FrozenGold]) -> tuple[GoldChange, ...]:
    old, new = ({(one.element or "", one.question): one for one in some} for some in (before, after))
    return tuple(GoldChange(
        place[0] or None, place[1], old[place].answer if place in old else None,
        new[place].answer if place in new else None, new[place].about["standing"] if place in new else None)
        for place in sorted(old.keys() | new.keys())
        if place not in old or place not in new or _plain(old[place].answer) != _plain(new[place].answer))


def _plain(value: Any) -> str:
    return canonical.dumps(list(map(dict, value)) if isinstance(value, tuple) else dict(value))


def _items_of(session: Session, versions: Iterable[UUID]) -> dict[UUID, UUID]:
    return {row.id: row.item for some in _chunks(sorted(versions)) for row in session.execute(
        select(ItemVersion.id, ItemVersion.item).where(ItemVersion.id.in_(some)))}


def _keys(session: Session, items: Iterable[UUID]) -> Mapping[UUID, tuple[str, str]]:
    return {row.id: (row.key, row.state) for some in _chunks(sorted(items)) for row in session.execute(
        select(Item.id, Item.key, Item.state).where(Item.id.in_(some)))}


def _chunks(things: list[UUID]) -> Iterator[list[UUID]]:
    return (things[start:start + CHUNK] for start in range(0, len(things), CHUNK))
