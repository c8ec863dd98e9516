"""A release as drawn: everything that a bundle says and that the project may change later."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Any
from uuid import UUID

from sqlalchemy import Text, func, insert, select, type_coerce
from sqlalchemy.orm import Session

from annotation import canonical
from annotation.answers import Answer
from annotation.errors import N_, Unknown
from annotation.store import bulk
from annotation.store.tables import ItemVersion, Release, ReleaseGold, ReleaseItem, ReleasePerson
from annotation.store.types import as_stored, as_uuid

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
    """The items of a stored release by public id; only ``PART`` of them are in memory at any time."""

    PART = 2_000

    def __init__(self, session: Session, release: UUID) -> None:
        self._session, self._release = session, release
        self._n: int | None = None

    def __len__(self) -> int:
        if self._n is None:
            self._n = self._session.scalars(select(func.count()).select_from(ReleaseItem).where(
                ReleaseItem.release == self._release)).one()
        return self._n

    def __contains__(self, item: object) -> bool:
        return any(one == item for one in self)

    def __iter__(self) -> Iterator[FrozenItem]:
        after = ""
        while part := self._session.execute(select(
                as_stored(self._session, ReleaseItem.item_version).label("item_version"), ReleaseItem.public_id,
                ReleaseItem.split, ReleaseItem.cluster, type_coerce(ReleaseItem.slices_json, Text).label("slices"),
                type_coerce(ReleaseItem.media_json, Text).label("media"),
                type_coerce(ReleaseItem.sources_json, Text).label("sources"))
                .where(ReleaseItem.release == self._release, ReleaseItem.public_id > after)
                .order_by(ReleaseItem.public_id).limit(self.PART)).all():
            gold = self._gold([one.item_version for one in part])
            for one in part:
                yield FrozenItem(as_uuid(one.item_version), one.public_id, one.split, one.cluster,
                                 parsed(one.slices), tuple(parsed(one.media)), decoded(one.sources),
                                 tuple(gold.get(one.item_version, ())))
            after = part[-1].public_id

    def _gold(self, versions: list[Any]) -> dict[Any, list[FrozenGold]]:
        """By the id of the item's version as the driver gives it."""
        found: dict[Any, list[FrozenGold]] = {}
        stored = as_stored(self._session, ReleaseGold.item_version)
        for one in self._session.execute(
                select(stored.label("item_version"), ReleaseGold.element, ReleaseGold.question,
                       type_coerce(ReleaseGold.value_json, Text).label("value"),
                       type_coerce(ReleaseGold.about_json, Text).label("about"))
                .where(ReleaseGold.release == self._release, stored.in_(versions))):
            found.setdefault(one.item_version, []).append(
                FrozenGold(one.element or None, one.question, parsed(one.value), parsed(one.about)))
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
    session.execute(insert(Release).values(
        id=release, version=frozen.version, kind=frozen.kind, protocol=frozen.protocol,
        manifest_sha256=manifest_sha256, salt=frozen.salt, facts_json=dict(frozen.facts), created=frozen.created,
        by=by, note=note))
    text = canonical.dumps
    items = ((release, one.item_version, one.public_id, one.split, one.cluster, text(dict(one.slices)),
              text([dict(m) for m in one.media]), text(dict(one.sources))) for one in frozen.items)
    gold = ((release, item.item_version, one.element or "", one.question, text(dict(one.answer)),
             text(dict(one.about)), item.split, item.public_id) for item in frozen.items for one in item.gold)
    people = ((release, person, one.pseudonym, text({"kind": one.kind, "roles": list(one.roles)}))
              for person, one in frozen.people.items())
    connection = session.connection()
    for table, names, rows in (
            (ReleaseItem, "release item_version public_id split cluster slices_json media_json sources_json", items),
            (ReleaseGold, "release item_version element question value_json about_json split public_id", gold),
            (ReleasePerson, "release person pseudonym facts_json", people)):
        while some := list(islice(rows, CHUNK)):
            bulk.insert_rows(connection, table, names.split(), some)
