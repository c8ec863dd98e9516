"""Items: candidate items come in and become item versions; whether that makes new, changed or no contents."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import Integer, Text, column, insert, select, table, update
from sqlalchemy.orm import Session

from annotation import canonical, workflow
from annotation.errors import N_, Refused, Where
from annotation.store.ids import new_id
from annotation.store.project import main_round, protocol_now
from annotation.store.tables import Adjudication, Item, ItemMedia, ItemStage, ItemTag, ItemVersion, Media, Task
from annotation.store.types import Id, When, now

CHUNK = 5000


@dataclass(frozen=True, slots=True)
class CandidateItem:
    """One row of a file on its way in. ``fields`` are public, ``secret`` private; all in their stored form.

    ``media``: (field, element id or "", sha256 or None where the picture is missing, path as written).
    ``origin`` is whatever the caller wants back with a refusal.
    """

    key: str
    fields: Mapping[str, Any]
    secret: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[tuple[str, str], ...] = ()
    media: tuple[tuple[str, str, str | None, str], ...] = ()
    source_file: str | None = None
    source_row: int | None = None
    origin: Any = None


@dataclass(slots=True)
class Upserted:
    """``stale`` counts the updated items that had answers; ``refused`` holds rows with the reason."""

    new: int = 0
    updated: int = 0
    unchanged: int = 0
    stale: int = 0
    refused: list[tuple[CandidateItem, Refused]] = field(default_factory=list)

    def add(self, other: Upserted) -> None:
        self.new, self.updated = self.new + other.new, self.updated + other.updated
        self.unchanged, self.stale = self.unchanged + other.unchanged, self.stale + other.stale
        self.refused += other.refused


@dataclass(frozen=True, slots=True)
class Plan:
    """What upserting rows would do: rows that are new, and (row, item, rev, answered) of those that change."""

    new: list[tuple[CandidateItem, str]]
    changed: list[tuple[CandidateItem, str, UUID, int, bool]]
    counts: Upserted


def normal(text: str) -> str:
    """A key as it is kept: NFC, without space around it."""
    return unicodedata.normalize("NFC", text).strip()


def fold(key: str) -> str:
    """Two keys with one fold are the same key."""
    return key.lower() if key.isascii() else unicodedata.normalize("NFC", unicodedata.normalize("NFC", key).casefold())


def content_sha256(fields: Mapping[str, Any], secret: Mapping[str, Any]) -> str:
    """The hash kept with an item version: over public and private fields together."""
    return _hash(canonical.dumps(fields), canonical.dumps(secret))


def _hash(fields: str, secret: str) -> str:
    return hashlib.sha256(f'{{"fields":{fields},"secret":{secret}}}'.encode()).hexdigest()


def plan(session: Session, rows: Sequence[CandidateItem]) -> Plan:
    """Compare ``rows`` (at most a few thousand, no two with one key) with the project; writes nothing."""
    found = _known(session, [fold(row.key) for row in rows])
    counts, new, changed = Upserted(), [], []
    for row in rows:
        fields = canonical.dumps(row.fields)
        old = found.get(fold(row.key)) if found else None
        if old is None:
            new.append((row, fields))
            continue
        item, key, rev, sha256 = old
        if key != row.key:
            counts.refused.append((row, Refused(
                N_("the key '{key}' differs from '{other}', which is in the project, in capitals only"),
                code="duplicate_key", where=Where(value=row.key[:80], item=row.key), key=row.key, other=key)))
        elif sha256 == _hash(fields, canonical.dumps(row.secret)):
            counts.unchanged += 1
        else:
            changed.append((row, fields, item, rev))
    answered = _answered(session, [item for _, _, item, _ in changed])
    counts.new, counts.updated, counts.stale = len(new), len(changed), len(answered)
    return Plan(new, [(*change, change[2] in answered) for change in changed], counts)


def upsert(session: Session, rows: Sequence[CandidateItem], *, by: UUID,
           media: Mapping[str, Any] | None = None) -> Upserted:
    """Bring ``rows`` in: new items, new versions of changed ones; an item with answers becomes stale.

    ``media``: the MediaRef by SHA-256 of every picture the rows name.
    """
    total = Upserted()
    for start in range(0, len(rows), CHUNK):
        made = plan(session, rows[start:start + CHUNK])
        write(session, made, by=by, media=media or {})
        total.add(made.counts)
    return total


def write(session: Session, made: Plan, *, by: UUID, media: Mapping[str, Any]) -> None:
    """Write what ``plan`` found, in bulk."""
    at, author = now(), by
    items, versions, secrets, tags, fresh, pictures = [], [], [], [], [], []
    for row, fields in made.new:
        item, version = new_id(), new_id()
        rnd = item.int & 0x7FFFFFFF
        items.append({"id": item, "key": row.key, "key_fold": fold(row.key), "kind": "item", "priority": 0, "rnd": rnd,
                      "current": version, "state": "active", "source_file": row.source_file,
                      "source_row": row.source_row})
        fresh.append((item, rnd))
        _version(row, fields, item, version, 1, versions, secrets, tags, pictures, at, author)
    for row, fields, item, rev, answered in made.changed:
        version = new_id()
        _version(row, fields, item, version, rev + 1, versions, secrets, tags, pictures, at, author)
        new_facts: dict[str, Any] = {"current": version, "source_file": row.source_file, "source_row": row.source_row}
        if answered:
            new_facts["state"] = "stale"
        session.execute(update(Item.__table__).where(Item.id == item, Item.state != "withdrawn").values(**new_facts))
        session.execute(ItemTag.__table__.delete().where(ItemTag.item == item))
    connection = session.connection()
    _write_media(session, {sha256: media[sha256] for _, _, _, sha256, _ in pictures if sha256 in media})
    for target, found in ((_ITEM, items), (_VERSION, versions), (_SECRET, secrets), (ItemTag.__table__, tags)):
        if found:
            connection.execute(insert(target), found)
    if pictures:
        connection.execute(insert(ItemMedia.__table__), [
            dict(zip(("item_version", "field", "element", "sha256", "path"), one, strict=True)) for one in pictures])
    _open_stages(session, fresh)


def _open_stages(session: Session, items: list[tuple[UUID, int]]) -> None:
    """The first stages of new items, as workflow.due gives them for an item of which nothing is known yet."""
    protocol = protocol_now(session)
    flow, main = workflow.plan_of(protocol), main_round(session)
    rows = [{"item": item, "stage": due.stage, "round": main, "protocol": protocol.hash, "want": due.want,
             "open": due.open, "state": due.state, "order_key": 0, "rnd": rnd}
            for item, rnd in items for due in workflow.due(flow, workflow.Facts(rnd))]
    if rows:
        session.connection().execute(insert(ItemStage.__table__), rows)


def _version(row: CandidateItem, fields: str, item: UUID, version: UUID, rev: int, versions: list[Any],
             secrets: list[Any], tags: list[Any], pictures: list[Any], at: Any, by: UUID) -> None:
    secret = canonical.dumps(row.secret)
    versions.append({"id": version, "item": item, "rev": rev, "fields_json": fields, "sha256": _hash(fields, secret),
                     "at": at, "by": by})
    if row.secret:
        secrets.append({"item_version": version, "fields_json": secret})
    tags += [{"item": item, "field": name, "value": value} for name, value in row.tags]
    pictures += [(version, name, element, sha256, path) for name, element, sha256, path in row.media]


# The same tables with JSON columns as plain text: what was dumped for the hash is not dumped twice.
_ITEM = table("item", column("id", Id), column("key", Text), column("key_fold", Text), column("kind", Text),
              column("priority", Integer), column("rnd", Integer), column("current", Id), column("state", Text),
              column("source_file", Text), column("source_row", Integer))
_VERSION = table("item_version", column("id", Id), column("item", Id), column("rev", Integer),
                 column("fields_json", Text), column("sha256", Text), column("at", When), column("by", Id))
_SECRET = table("item_secret", column("item_version", Id), column("fields_json", Text))


def _known(session: Session, folds: list[str]) -> dict[str, tuple[UUID, str, int, str]]:
    """(item, key, rev, sha256) by folded key of those that are in the project already."""
    if session.execute(select(Item.id).limit(1)).first() is None:
        return {}
    rows = session.execute(
        select(Item.key_fold, Item.id, Item.key, ItemVersion.rev, ItemVersion.sha256)
        .join(ItemVersion, ItemVersion.id == Item.current).where(Item.key_fold.in_(folds)))
    return {key_fold: (item, key, rev, sha256) for key_fold, item, key, rev, sha256 in rows}


def _answered(session: Session, items: list[UUID]) -> set[UUID]:
    """Those of ``items`` that somebody answered or decided (a changed text does not fit these answers)."""
    if not items:
        return set()
    given = select(Task.item).where(Task.item.in_(items), Task.state == "submitted")
    decided = select(Adjudication.item).where(Adjudication.item.in_(items))
    return set(session.execute(given.union(decided)).scalars())


def _write_media(session: Session, media: Mapping[str, Any]) -> None:
    if not media:
        return
    there = set(session.execute(select(Media.sha256).where(Media.sha256.in_(list(media)))).scalars())
    new = [{"sha256": ref.sha256, "source_sha256": ref.source_sha256, "mime": ref.mime, "bytes": ref.bytes,
            "width": ref.width, "height": ref.height, "removed_json": list(ref.removed) or None}
           for sha256, ref in media.items() if sha256 not in there]
    if new:
        session.connection().execute(insert(Media.__table__), new)
