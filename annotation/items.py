"""Items: candidate items come in and become item versions; finding them and their history is one door further."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from json.encoder import encode_basestring as quoted
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, case, delete, insert, select, update
from sqlalchemy.orm import Session

from annotation import canonical, stages, staleness
from annotation.errors import N_, Refused, Where
from annotation.finding import ItemRow, Page, find_items, item_of_key
from annotation.history import Entry, history
from annotation.store import bulk
from annotation.store.ids import new_ids
from annotation.store.tables import Adjudication, Base, Item, ItemMedia, ItemSecret, ItemTag, ItemVersion, Media, Task
from annotation.store.types import EPOCH, now

__all__ = ["CandidateItem", "Entry", "ItemRow", "Page", "Plan", "Upserted", "content_sha256", "find_items", "fold",
           "history", "item_of_key", "normal", "plan", "upsert", "write"]

CHUNK = 5000


@dataclass(slots=True)  # not frozen: one is made for every row, and setting frozen fields takes three times as long
class CandidateItem:
    """One row of a file on its way in. ``fields`` are public, ``secret`` private, both in their stored form;
    ``folded`` is ``fold(key)`` (made if "").

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
    folded: str = ""

    def __post_init__(self) -> None:
        if not self.folded:
            self.folded = fold(self.key)


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
    found = _known(session, [row.folded for row in rows])
    counts, new, changed = Upserted(), [], []
    for row in rows:
        fields = _json(row.fields)
        old = found.get(row.folded)
        if old is None:
            new.append((row, fields))
            continue
        item, key, rev, sha256 = old
        if key != row.key:
            counts.refused.append((row, Refused(
                N_("the key '{key}' differs from '{other}', which is in the project, in capitals only"),
                code="duplicate_key", where=Where(value=row.key[:80], item=row.key), key=row.key, other=key)))
        elif sha256 == _hash(fields, _json(row.secret)):
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
    out = _Out((now() - EPOCH) // timedelta(microseconds=1), by.bytes)
    ids, later = new_ids(2 * len(made.new)), new_ids(len(made.changed))
    fresh = []
    for n, (row, fields) in enumerate(made.new):
        item, first = ids[2 * n], ids[2 * n + 1]
        rnd = int.from_bytes(item[12:], "big") & 0x7FFFFFFF
        out.items.append((item, row.key, row.folded, "item", 0, rnd, first, "active", row.source_file, row.source_row))
        fresh.append((item, rnd))
        out.version(row, fields, item, first, 1)
    for n, (row, fields, item_id, rev, _) in enumerate(made.changed):
        out.version(row, fields, item_id.bytes, later[n], rev + 1)
    _change(session, made, later)
    named = {sha256 for _, _, _, sha256, _ in out.pictures if sha256}
    _write_media(session, {sha256: media[sha256] for sha256 in named if sha256 in media})
    connection = session.connection()
    for target, names, rows in (
            (Item, "id key key_fold kind priority rnd current state source_file source_row", out.items),
            (ItemVersion, "id item rev fields_json sha256 at by", out.versions),
            (ItemSecret, "item_version fields_json", out.secrets),
            (ItemTag, "item field value", out.tags),
            (ItemMedia, "item_version field element sha256 path", out.pictures)):
        bulk.insert_rows(connection, target, names.split(), rows)
    stages.open_fresh(session, fresh)
    for _, _, item_id, _, answered in made.changed:
        if answered:
            stages.refresh(session, item_id)
            staleness.refresh(session, item_id)


@dataclass(slots=True)
class _Out:
    """The rows to be written, a list for each table."""

    at: int
    by: bytes
    items: list[tuple[Any, ...]] = field(default_factory=list)
    versions: list[tuple[Any, ...]] = field(default_factory=list)
    secrets: list[tuple[Any, ...]] = field(default_factory=list)
    tags: list[tuple[Any, ...]] = field(default_factory=list)
    pictures: list[tuple[Any, ...]] = field(default_factory=list)

    def version(self, row: CandidateItem, fields: str, item: bytes, version: bytes, rev: int) -> None:
        secret = _json(row.secret) if row.secret else "{}"
        self.versions.append((version, item, rev, fields, _hash(fields, secret), self.at, self.by))
        if row.secret:
            self.secrets.append((version, secret))
        for name, value in row.tags:
            self.tags.append((item, name, value))
        for name, element, sha256, path in row.media:
            self.pictures.append((version, name, element, sha256, path))


def _change(session: Session, made: Plan, versions: list[bytes]) -> None:
    """Point the changed items at their new versions, and forget their old tags."""
    if not made.changed:
        return
    facts = [{"of": item, "version": UUID(bytes=version), "file": row.source_file, "line": row.source_row,
              "now": "stale" if answered else "active"}
             for (row, _, item, _, answered), version in zip(made.changed, versions, strict=True)]
    # An item that is stale or withdrawn stays so.
    connection, table = session.connection(), Base.metadata.tables["item"]
    connection.execute(update(table).where(table.c.id == bindparam("of")).values(
        current=bindparam("version"), source_file=bindparam("file"), source_row=bindparam("line"),
        state=case((table.c.state == "active", bindparam("now")), else_=table.c.state)), facts)
    tags = Base.metadata.tables["item_tag"]
    connection.execute(delete(tags).where(tags.c.item == bindparam("of")), [{"of": fact["of"]} for fact in facts])


def _json(value: Mapping[str, Any]) -> str:
    """Canonical JSON of values that field kinds have checked (no NaN, no half characters): the checks of
    ``canonical.dumps`` would be done a second time, and take as long as the rest.
    """
    if all(one.__class__ is str for one in value.values()):  # most items; a third of the time
        return "{" + ",".join([f"{quoted(name)}:{quoted(value[name])}" for name in sorted(value)]) + "}"
    return _encode(value)


_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True,
                           separators=(",", ":")).encode


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
        session.execute(insert(Media), new)
