"""What differs between two releases of one project, item by item, and through what."""

from __future__ import annotations

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
    """``after`` need not be in the store yet. Items are matched by what they are, not by their public ids."""
    items = _items(session, [one.item_version for frozen in (before, after) for one in frozen.items])
    old, new = ({items[one.item_version][0]: one for one in frozen.items} for frozen in (before, after))
    gone = {item for item, (_, state) in _keys(session, old.keys() - new.keys()).items() if state == "withdrawn"}
    keys = {item: key for item, (key, _) in _keys(session, old.keys() | new.keys()).items()}
    changes = []
    for item in sorted(old.keys() | new.keys(), key=keys.__getitem__):
        one, other = old.get(item), new.get(item)
        if one is None and other is not None:
            changes.append(Change(item, other.public_id, keys[item], ("added",), (), ()))
        elif one is not None and other is None:
            cause = "withdrawn" if item in gone else "left_out"
            changes.append(Change(item, one.public_id, keys[item], ("removed",), _gold(one.gold, ()), (cause,)))
        elif one is not None and other is not None and (what := _what(one, other)):
            causes = _causes(one, other, protocol=before.protocol != after.protocol)
            changes.append(Change(item, other.public_id, keys[item], what, _gold(one.gold, other.gold), causes))
    return Difference(before.version, after.version, len(old.keys() | new.keys()) - len(changes), tuple(changes))


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


def _items(session: Session, versions: list[UUID]) -> dict[UUID, tuple[UUID, int]]:
    return {row.id: (row.item, row.rev) for some in _chunks(sorted(set(versions))) for row in session.execute(
        select(ItemVersion.id, ItemVersion.item, ItemVersion.rev).where(ItemVersion.id.in_(some)))}


def _keys(session: Session, items: Iterable[UUID]) -> Mapping[UUID, tuple[str, str]]:
    return {row.id: (row.key, row.state) for some in _chunks(sorted(items)) for row in session.execute(
        select(Item.id, Item.key, Item.state).where(Item.id.in_(some)))}


def _chunks(things: list[UUID]) -> Iterator[list[UUID]]:
    return (things[start:start + CHUNK] for start in range(0, len(things), CHUNK))
