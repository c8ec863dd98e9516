"""A release as drawn: everything that a bundle says and that the project may change later."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import Text, func, insert, select, type_coerce
from sqlalchemy.orm import Session

from annotation import canonical
from annotation.answers import Answer
from annotation.errors import N_, Unknown
from annotation.store import bulk
from annotation.store.tables import ItemVersion, Release, ReleaseGold, ReleaseItem, ReleasePerson
from annotation.store.types import as_stored, as_uuid, storing
from exports.sorting import Shelf

CHUNK = 5000
_decode = json.JSONDecoder().raw_decode  # json.loads looks for white space around it first


@dataclass(frozen=True, slots=True)
class FrozenGold:
    """``about``: rule, n, agreement, standing, signed."""

    element: str | None
    question: str
    answer: Answer
    about: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FrozenItem:
    """``media``: [{field, element, sha256}]; ``sources``: {revisions: {hex: whether it counts},
    adjudications: {hex: the answer object that gold was before, or None}, signoffs: [hex]}.
    """

    item_version: UUID
    public_id: str
    split: str
    cluster: str | None
    slices: Mapping[str, Any]
    media: tuple[Mapping[str, Any], ...]
    sources: Mapping[str, Any]
    gold: tuple[FrozenGold, ...]


class DrawnItem(NamedTuple):
    """The same as the store keeps it: canonical texts; ``gold``: element or "", question, answer and about as texts."""

    public_id: str
    item_version: Any
    split: str
    cluster: str | None
    slices: str
    media: str
    sources: str
    gold: tuple[tuple[str, str, str, str], ...]

    def thawed(self) -> FrozenItem:
        """What the texts say."""
        return FrozenItem(
            as_uuid(self.item_version), self.public_id, self.split, self.cluster, parsed(self.slices),
            tuple(parsed(self.media)), decoded(self.sources),
            tuple([FrozenGold(element or None, question, parsed(value), parsed(about))
                   for element, question, value, about in self.gold]))


class DrawnItems(Collection[FrozenItem]):
    """The items of a release that is not stored yet, by public id; each is made when it is looked at.

    Their texts (a kilobyte an item) lie in a temporary file where they are many. ``values``: how many have gold.
    """

    def __init__(self, items: Iterable[DrawnItem]) -> None:
        self.values = 0
        self._texts = Shelf(self._counted(items))

    def _counted(self, items: Iterable[DrawnItem]) -> Iterator[tuple[Any, ...]]:
        for one in items:
            self.values += len(one.gold)
            yield tuple(one)

    def texts(self) -> Iterator[DrawnItem]:
        """As the store keeps them."""
        return map(DrawnItem._make, self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, item: object) -> bool:
        return any(one == item for one in self)

    def __iter__(self) -> Iterator[FrozenItem]:
        return (one.thawed() for one in self.texts())


@dataclass(frozen=True, slots=True)
class FrozenPerson:
    pseudonym: str
    kind: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Frozen:
    """``facts``: name, tool, about, canary, rounds {hex: name}, findings [{code, n}]; of a stored one also
    the fixed files. ``items`` by public id; those of a stored release are read part by part, each time anew.
    """

    version: str
    kind: str
    protocol: str
    salt: str
    created: datetime
    facts: Mapping[str, Any]
    items: Collection[FrozenItem]
    people: Mapping[UUID, FrozenPerson]


def versions(session: Session) -> tuple[str, ...]:
    """Every release's version, oldest first."""
    return tuple(session.scalars(select(Release.version).order_by(Release.created, Release.id)))


def versions_of(session: Session, item: UUID) -> tuple[UUID, ...]:
    """Every version of an item's contents."""
    return tuple(session.scalars(select(ItemVersion.id).where(ItemVersion.item == item)))


def read(session: Session, version: str) -> Frozen:
    """The release as it was drawn, or Unknown."""
    row = session.execute(select(Release.__table__).where(Release.version == version)).first()
    if row is None:
        raise Unknown(N_("There is no release {version}. There are: {known}."), version=version,
                      known=", ".join(versions(session)) or "none")
    people = session.execute(select(ReleasePerson.person, ReleasePerson.pseudonym, ReleasePerson.facts_json)
                             .where(ReleasePerson.release == row.id))
    return Frozen(
        version=row.version, kind=row.kind, protocol=row.protocol, salt=row.salt, created=row.created,
        facts=row.facts_json,
        items=StoredItems(session, row.id),
        people={one.person: FrozenPerson(one.pseudonym, one.facts_json["kind"], tuple(one.facts_json["roles"]))
                for one in people},
    )


class StoredItems(Collection[FrozenItem]):
    """The items of a stored release by public id; only ``PART`` of them are in memory at any time.

    ``after`` and ``last``: of those that stand after the one and not after the other.
    """

    PART = 2_000

    def __init__(self, session: Session, release: UUID, after: str = "", last: str | None = None) -> None:
        self._session, self._release, self._after, self._last = session, release, after, last
        self._n: int | None = None

    def between(self, after: str, last: str) -> StoredItems:
        """Some of them."""
        return StoredItems(self._session, self._release, after, last)

    def ids(self) -> list[str]:
        """The public ids, in order."""
        return list(self._session.scalars(select(ReleaseItem.public_id).where(*self._where).order_by(
            ReleaseItem.public_id)))

    def mean_length(self) -> float:
        """Of the contents of the first hundreds of items, in characters."""
        first = select(ReleaseItem.item_version).where(*self._where).order_by(ReleaseItem.public_id).limit(500)
        return float(self._session.scalars(select(func.avg(func.length(type_coerce(ItemVersion.fields_json, Text))))
                                           .where(ItemVersion.id.in_(first))).one() or 0)

    @property
    def _where(self) -> list[Any]:
        return [ReleaseItem.release == self._release, ReleaseItem.public_id > self._after,
                *([] if self._last is None else [ReleaseItem.public_id <= self._last])]

    def __len__(self) -> int:
        if self._n is None:
            self._n = self._session.scalars(select(func.count()).select_from(ReleaseItem).where(*self._where)).one()
        return self._n

    def __contains__(self, item: object) -> bool:
        return any(one == item for one in self)

    def __iter__(self) -> Iterator[FrozenItem]:
        after, connection = self._after, self._session.connection()
        while part := connection.execute(select(
                ReleaseItem.public_id, as_stored(self._session, ReleaseItem.item_version),
                ReleaseItem.split, ReleaseItem.cluster, type_coerce(ReleaseItem.slices_json, Text),
                type_coerce(ReleaseItem.media_json, Text), type_coerce(ReleaseItem.sources_json, Text))
                .where(*self._where, ReleaseItem.public_id > after)
                .order_by(ReleaseItem.public_id).limit(self.PART)).all():
            last = part[-1][0]
            gold = self._gold(after, last)
            for row in part:
                yield DrawnItem._make((*row, tuple(gold.get(row[1], ())))).thawed()
            after = last

    def _gold(self, after: str, last: str) -> dict[Any, list[tuple[str, str, str, str]]]:
        """By the id of the item's version as the driver gives it. The database is to walk the public ids, by which
        the rows were written: without ``coalesce`` it would take the index of the release and read all of it.
        """
        found: dict[Any, list[tuple[str, str, str, str]]] = {}
        for version, *value in self._session.connection().execute(
                select(as_stored(self._session, ReleaseGold.item_version), ReleaseGold.element, ReleaseGold.question,
                       type_coerce(ReleaseGold.value_json, Text), type_coerce(ReleaseGold.about_json, Text))
                .where(func.coalesce(ReleaseGold.release, ReleaseGold.release) == self._release,
                       ReleaseGold.public_id > after, ReleaseGold.public_id <= last)):
            found.setdefault(version, []).append(tuple(value))
        return found


def decoded(text: str) -> Any:
    """The value of a stored JSON text."""
    return _decode(text)[0]


@lru_cache(maxsize=20_000)
def parsed(text: str | None) -> Any:
    """The same value for the same text, so nobody may change it: most answers are like others."""
    return None if text is None else _decode(text)[0]


def write(session: Session, frozen: Frozen, *, release: UUID, manifest_sha256: str, by: UUID, note: str) -> None:
    """Put a drawn release into the store, once and for all."""
    assert isinstance(frozen.items, DrawnItems), "a stored release is not written again"
    session.execute(insert(Release).values(
        id=release, version=frozen.version, kind=frozen.kind, protocol=frozen.protocol,
        manifest_sha256=manifest_sha256, salt=frozen.salt, facts_json=dict(frozen.facts), created=frozen.created,
        by=by, note=note))
    text, own = canonical.dumps, storing(session)(release)
    items = ((own, *one[:-1]) for one in frozen.items.texts())
    gold = ((own, one.item_version, *value, one.split, one.public_id) for one in frozen.items.texts()
            for value in one.gold)
    people = ((own, person, one.pseudonym, text({"kind": one.kind, "roles": list(one.roles)}))
              for person, one in frozen.people.items())
    connection = session.connection()
    for table, names, rows in (
            (ReleaseItem, "release public_id item_version split cluster slices_json media_json sources_json", items),
            (ReleaseGold, "release item_version element question value_json about_json split public_id", gold),
            (ReleasePerson, "release person pseudonym facts_json", people)):
        while some := list(islice(rows, CHUNK)):
            bulk.insert_rows(connection, table, names.split(), some)
