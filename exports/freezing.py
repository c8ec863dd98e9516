"""What a release fixes of each item: public id, split, slices, pictures, gold, and which answers stand behind it.

Read some thousand items at a time; of each the texts that the store gets are laid on disk. What is in memory grows by
gold and public ids alone: about 1.3 kB an item at the peak.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.answers import Slot
from annotation.gold import GoldView
from annotation.gold_item import settle
from annotation.protocol import Protocol
from annotation.store.project import meta, store_of
from annotation.store.tables import (
    Adjudication,
    AnswerRow,
    Item,
    ItemMedia,
    ItemTag,
    ItemVersion,
    Person,
    PersonRole,
    Release,
    ReleaseItem,
    Round,
)
from annotation.store.types import as_stored, as_uuid, storing
from annotation.version import VERSION
from annotation.votes import read_facts
from exports.frozen import DrawnItem, DrawnItems, Frozen, FrozenPerson
from exports.rows_said import as_hex, signed_by

ROLES = ("annotator", "verifier", "adjudicator", "physician")
CHUNK = 2_000
Values = Mapping[UUID, Sequence[GoldView]]
# The canonical text of what came out of the store, and is known to have one.
_text = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode


def freeze(session: Session, protocol: Protocol, *, version: str, kind: str, created: datetime, values: Values,
           public: Mapping[UUID, str], about: Mapping[str, Any]) -> Frozen:
    """The release of the items that ``values`` (gold by item) and ``public`` (their public ids) name; unwritten."""
    drawing = _Drawing(session, protocol, values, public, canary(session))
    items = DrawnItems(drawing.all())  # now, so that all people are known
    return Frozen(
        version=version, kind=kind, protocol=protocol.hash, salt=secrets.token_hex(32), created=created,
        facts={
            "name": meta(session).get("title", protocol.title), "tool": {"name": "goldsmith", "version": VERSION},
            "about": dict(about), "canary": drawing.canary,
            "rounds": {id.hex: name for id, name in session.execute(select(Round.id, Round.name))},
        },
        items=items, people=_pseudonyms(session, map(as_uuid, drawing.people)))


class _Drawing:
    """Reads items of one release to be. ``people``: who answered, decided or signed, as the driver gives ids."""

    def __init__(self, session: Session, protocol: Protocol, values: Values, public: Mapping[UUID, str],
                 canary: str) -> None:
        self.session, self.protocol, self.values, self.public, self.canary = session, protocol, values, public, canary
        self.people: set[Any] = set()
        self._private = {field.name for field in protocol.fields if field.private}
        self._stored, self._there = storing(session), store_of(session).media

    def all(self) -> Iterator[DrawnItem]:
        wanted = sorted(self.values)
        for start in range(0, len(wanted), CHUNK):
            yield from self._items(wanted[start:start + CHUNK])

    def _items(self, chunk: Sequence[UUID]) -> Iterator[DrawnItem]:
        stored = [self._stored(item) for item in chunk]
        rows = {item: (current, cluster) for item, current, cluster in self._read(
            (Item.id, Item.current), (Item.cluster,), Item.id.in_(chunk))}
        current = [as_uuid(rows[item][0]) for item in stored]
        tags, media = self._tags(chunk), self._media(current)
        revisions, decisions = self._revisions(chunk), self._decisions(chunk)
        signoffs = signed_by(self.session, current)
        self.people |= {self._stored(by) for some in signoffs.values() for _, by in some}
        for item, own, now in zip(chunk, stored, current, strict=True):
            version, cluster = rows[own]
            slices = {field: some[0] if len(some) == 1 else some for field, some in tags.get(own, {}).items()}
            sources = {"revisions": revisions.get(own, {}), "adjudications": decisions.get(item, {}),
                       "signoffs": [id for id, _ in signoffs.get(now, ())]}
            yield DrawnItem(
                self.public[item], now.bytes,
                split_of(self.protocol.export.splits, cluster or self.public[item], self.canary), cluster,
                _text(slices), _text(media.get(version, [])), _text(sources),
                tuple([self._gold(view) for view in self.values[item]]))

    def _gold(self, view: GoldView) -> tuple[str, str, str, str]:
        agreement = None if view.agreement is None else {
            "metric": "percent_agreement", "level": "nominal", "value": view.agreement, "n": view.n}
        return view.element or "", view.question, _text(dict(view.answer)), _text({
            "rule": view.rule, "n": view.n, "agreement": agreement, "standing": view.standing, "signed": view.signed})

    def _read(self, ids: Iterable[Any], columns: Iterable[Any], *where: Any, by: Iterable[Any] = ()) -> Iterable[Any]:
        """Rows with ids as the driver gives them, then the other columns."""
        return self.session.connection().execute(select(
            *(as_stored(self.session, one) for one in ids), *columns).where(*where).order_by(*by))

    def _tags(self, chunk: Sequence[UUID]) -> dict[Any, dict[str, list[str]]]:
        tags: dict[Any, dict[str, list[str]]] = {}
        for item, field, value in self._read((ItemTag.item,), (ItemTag.field, ItemTag.value), ItemTag.item.in_(chunk),
                                             by=(ItemTag.item, ItemTag.field, ItemTag.value)):
            if field not in self._private:
                tags.setdefault(item, {}).setdefault(field, []).append(value)
        return tags

    def _media(self, versions: Sequence[UUID]) -> dict[Any, list[dict[str, Any]]]:
        media: dict[Any, list[dict[str, Any]]] = {}
        for version, field, element, sha256 in self._read(
                (ItemMedia.item_version,), (ItemMedia.field, ItemMedia.element, ItemMedia.sha256),
                ItemMedia.item_version.in_(versions),
                by=(ItemMedia.item_version, ItemMedia.field, ItemMedia.element)):
            if field not in self._private:
                kept = sha256 if sha256 is not None and self._there.exists(sha256) else None
                media.setdefault(version, []).append({"field": field, "element": element, "sha256": kept})
        return media

    def _revisions(self, chunk: Sequence[UUID]) -> dict[Any, dict[str, bool]]:
        """The standing revisions per item, each with whether it counts."""
        found: dict[Any, dict[str, bool]] = {}
        for item, revision, person, counts in self._read(
                (AnswerRow.item, AnswerRow.revision, AnswerRow.person), (AnswerRow.counts,),
                AnswerRow.item.in_(chunk)):
            found.setdefault(item, {})[as_hex(revision)] = bool(counts)
            self.people.add(person)
        return found

    def _decisions(self, chunk: Sequence[UUID]) -> dict[UUID, dict[str, Any]]:
        """Per item the standing adjudications, each with what gold would be without them."""
        rows = self.session.execute(select(Adjudication.id, Adjudication.item, Adjudication.by).where(
            Adjudication.item.in_(chunk))).all()
        by, decided = {row.id: row.by for row in rows}, {row.item for row in rows}
        found: dict[UUID, dict[str, Any]] = {}
        for facts in read_facts(self.session, self.protocol, [item for item in chunk if item in decided]):
            if facts.adjudicated:
                without = settle(self.protocol, facts.fields, facts.votes, adjudicated={}, repaired=facts.repaired,
                                 models=facts.models).values
                found[facts.item] = {one.row.hex: _answer_at(without, slot) for slot, one in facts.adjudicated.items()}
                self.people |= {self._stored(by[one.row]) for one in facts.adjudicated.values()}
        return found


def _answer_at(values: Mapping[Slot, Any], slot: Slot) -> Any:
    return dict(values[slot].answer) if slot in values else None


# --- what is drawn -------------------------------------------------------------------------------

def public_ids(session: Session, items: Iterable[UUID]) -> dict[UUID, str]:
    """The id that an item had in earlier releases; a new one is drawn for the others.

    A letter comes first, so that no program takes an id for a number.
    """
    kept = {item: public for item, public in session.execute(
        select(ItemVersion.item, ReleaseItem.public_id).join(ItemVersion, ItemVersion.id == ReleaseItem.item_version))}
    taken = set(kept.values())
    found = {}
    for item in items:
        found[item] = kept.get(item) or _fresh(taken)
        taken.add(found[item])
    return found


def _fresh(taken: set[str]) -> str:
    while (drawn := "g" + secrets.token_hex(8)[1:]) in taken:
        pass
    return drawn


def canary(session: Session) -> str:
    """One string for the data set: that of the first release, else a new one."""
    first = session.scalars(select(Release.facts_json).order_by(Release.created, Release.id).limit(1)).first()
    return first["canary"] if first is not None else f"goldsmith canary GUID {uuid.UUID(bytes=secrets.token_bytes(16))}"


def split_of(splits: Mapping[str, float], unit: str, canary: str) -> str:
    """The split of a cluster (of an item, where it has none): the same in every release of this data set.

    By a hash against the cumulated shares, so that a new item never moves an old one.
    """
    drawn = int.from_bytes(hashlib.sha256(f"{canary}\x1f{unit}".encode()).digest()[:8], "big") / 2**64
    total, below = sum(splits.values()), 0.0
    for name, share in splits.items():
        below += share / total
        if drawn < below:
            return name
    return list(splits)[-1]


def _pseudonyms(session: Session, people: Iterable[UUID]) -> dict[UUID, FrozenPerson]:
    """annotator-01, .. in an order drawn for this release: the same person has another number in the next."""
    drawn = sorted(people)
    secrets.SystemRandom().shuffle(drawn)
    kinds = {person: kind for person, kind in session.execute(select(Person.id, Person.kind))}
    roles: dict[UUID, set[str]] = {}
    for person, role in session.execute(select(PersonRole.person, PersonRole.role)):
        roles.setdefault(person, set()).add(role)
    width = max(2, len(str(len(drawn))))
    return {person: FrozenPerson(f"annotator-{n:0{width}d}", kinds[person],
                                 tuple(role for role in ROLES if role in roles.get(person, ())))
            for n, person in enumerate(drawn, 1)}
