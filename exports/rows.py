"""The rows of a bundle, item by item, from a release as drawn and from facts that never change."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import Text, select, type_coerce
from sqlalchemy.orm import Session

from annotation import canonical
from annotation.derive import chosen_from
from annotation.store.project import protocol_by
from annotation.store.tables import Item, ItemSecret, ItemVersion, Media
from annotation.store.types import as_stored
from exports.commitments import commitment, secret
from exports.disguise import Disguise, choices, disguise, media_path, public_fields
from exports.frozen import Frozen, FrozenItem, decoded
from exports.rows_said import Said, Speech, by_ids, by_place, chunks, read_said

CHUNK = 12_000  # items whose answers are read at once: the more, the fewer pages of the database are read twice
ANSWERS, MANY = 12_000, 36_000  # such answers: the first time, and at most (with all that is made of them 100 MB)
PART, PARTS = 500, 8_000  # items whose contents are read at once: the first time and at most
TEXT = 8_000_000  # characters of contents or answers that are read at once
Row = dict[str, Any]
# Lines end at "\n" for us, but other readers also split at these three; inside JSON they can only stand in texts.
ESCAPED = {mark: f"\\u{ord(mark):04x}" for mark in "\u0085\u2028\u2029"}


def _encoder() -> Callable[[Any], str]:
    """Canonical JSON, from an encoder that is made once: ``JSONEncoder`` makes one for each call."""
    made = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    make: Any = getattr(json.encoder, "c_make_encoder", None)
    try:
        once = make(None, made.default, json.encoder.encode_basestring, None, ":", ",", True, False, False)
        if once({"a": [1.5, "\u00e9"]}, 0):
            return lambda value: "".join(once(value, 0))
    except TypeError:  # another Python, that has none or wants to be asked otherwise
        pass
    return made.encode


_encode = _encoder()
__all__ = ["ItemRows", "Rows", "by_place", "line", "moment"]


def line(row: Mapping[str, Any]) -> bytes:
    """One line of a bundle's file: canonical JSON, U+0085, U+2028 and U+2029 escaped, then a line feed.

    Raises Refused for what has no canonical JSON.
    """
    try:
        return encoded(row).encode() + b"\n"
    except (ValueError, UnicodeEncodeError):  # no finite number, half a character: said in canonical's words
        canonical.dumps(row)
        raise


def encoded(value: Any) -> str:
    """Canonical JSON with these three escaped; what has none need not be refused."""
    text = _encode(value)
    if "\\u0000" in text:
        text = canonical.dumps(value)  # refused, but where a backslash stands before a "u0000"
    if not text.isascii():
        for mark, escape in ESCAPED.items():
            text = text.replace(mark, escape)
    return text


def moment(at: datetime) -> str:
    """ISO-8601 with Z, to the second."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def fitting(room: int, mean: float, least: int, most: int) -> int:
    """How many texts of a mean length go into some room."""
    return max(least, min(most, int(room / max(mean, 1))))


def _few(items: Iterator[FrozenItem], answers: int) -> Iterator[FrozenItem]:
    """Some of them, with about so many answers."""
    for item in islice(items, CHUNK):
        yield item
        answers -= len(item.sources.get("revisions", ()))
        if answers < 0:
            return


@dataclass(frozen=True, slots=True)
class ItemRows:
    """All rows of one item, each list in the order of its file. ``held_out``: gold, annotations and adjudications
    belong into private/.
    """

    item: Row
    gold: list[Row]
    annotations: list[Row]
    adjudications: list[Row]
    signoffs: list[Row]
    private: Row | None
    held_out: bool


@dataclass(frozen=True, slots=True)
class Version:
    """An item's contents as released."""

    rev: int
    key: str
    fields_json: Mapping[str, Any]


class Rows:
    """Makes the rows of one release."""

    def __init__(self, session: Session, frozen: Frozen) -> None:
        self.session, self.frozen = session, frozen
        self.protocol = protocol_by(session, frozen.protocol)
        self.held_out = frozenset(self.protocol.export.held_out)
        self.speech = Speech(session, frozen, self.protocol)
        self.media: dict[str, Any] = {}
        self._frozen_at = moment(frozen.created)
        by_item = any(chosen_from(self.protocol, name) is not None for name in self.protocol.value_names)
        self._all_choices = None if by_item else choices(self.protocol, {})

    def walk(self, wanted: Iterable[FrozenItem] | None = None) -> Iterator[ItemRows]:
        """Every item of the release (or those ``wanted``) by public id; a part of them is in memory at any time."""
        items = iter(self.frozen.items if wanted is None else wanted)
        size, answers = PART, ANSWERS
        while some := list(_few(items, answers)):
            said, at = read_said(self.session, some), 0
            answers = fitting(TEXT, said.mean_length(), ANSWERS, MANY)
            while part := some[at:at + size]:
                at += len(part)
                versions, secrets = self._versions(part), self._secrets(part)
                self.read_media(one["sha256"] for item in part for one in item.media)
                for item in part:
                    own = self.speech.stored(item.item_version)
                    _, rev, fields, key = versions[own]
                    yield self._rows(item, Version(rev, key, decoded(fields)), secrets.get(own), said)
                size = fitting(TEXT, sum(len(one[2]) for one in versions.values()) / len(part), PART, PARTS)

    def _rows(self, item: FrozenItem, version: Any, private: Any, said: Said) -> ItemRows:
        found = disguise(self.protocol, version.fields_json, salt=self.frozen.salt, public_id=item.public_id)
        annotations = self.speech.annotations(item, version, found, said)
        return ItemRows(
            self._item(item, version, found), self._gold(item, version, found), annotations,
            self.speech.adjudications(item, found, said, annotations), self.speech.signoffs(item, said),
            None if private is None else {
                "id": item.public_id, "key": version.key, "rev": version.rev, "fields": dict(private.fields_json),
                "expected": private.expected_json},
            item.split in self.held_out)

    def _item(self, item: FrozenItem, version: Any, found: Disguise) -> Row:
        places = {(one["field"], one["element"] or ""): {"sha256": one["sha256"], "path": self._path(one["sha256"])}
                  for one in item.media}
        shown = public_fields(self.protocol, version.fields_json, found, places)
        return {
            "id": item.public_id, "key": version.key, "rev": version.rev, "split": item.split,
            "cluster": item.cluster, "slices": dict(item.slices), "fields": shown,
            "choices": self._choices(shown), "candidates": found.candidates,
            "media": [self._media_row(one, found) for one in item.media], "canary": self.frozen.facts["canary"],
        }

    def _choices(self, shown: Mapping[str, Any]) -> Row:
        """Made once where they are the same for every item."""
        if self._all_choices is None:
            return choices(self.protocol, shown)
        return self._all_choices

    def _path(self, sha256: str | None) -> str | None:
        return None if sha256 is None else self.path_of(sha256)

    def path_of(self, sha256: str) -> str:
        """Where a picture lies in the bundle."""
        return media_path(sha256, self.media[sha256].mime)

    def _media_row(self, one: Mapping[str, Any], found: Disguise) -> Row:
        about = None if one["sha256"] is None else self.media[one["sha256"]]
        element = found.ids.get(one["field"], {}).get(one["element"], one["element"]) or None
        return {"field": one["field"], "element": element, "sha256": one["sha256"], "path": self._path(one["sha256"]),
                "w": about and about.width, "h": about and about.height, "licence": about and about.licence,
                "source": about and about.source}

    def _gold(self, item: FrozenItem, version: Any, found: Disguise) -> list[Row]:
        names = self.speech.names(self.protocol.hash)
        rows = [{
            "id": item.public_id, "rev": version.rev, "element": names.element(one.question, one.element, found),
            "question": one.question, **self.speech.gold_answer(one.question, one.answer, found), **one.about,
            "protocol": self.frozen.protocol, "frozen_at": self._frozen_at} for one in item.gold]
        return sorted(rows, key=by_place) if len(rows) > 1 else rows

    # --- held out --------------------------------------------------------------------------------

    def committed(self, gold: Row, digest: bytes) -> tuple[Row, Row]:
        """The commitment's row of a held-out gold value, whose line has this SHA-256, and its salt's."""
        place = {"id": gold["id"], "element": gold["element"], "question": gold["question"]}
        salt = secret(self.frozen.salt, "gold", gold["id"], gold["element"] or "", gold["question"])
        return {**place, "commitment": commitment(salt, digest)}, {**place, "path": None, "salt": salt}

    # --- what is stored --------------------------------------------------------------------------

    def _versions(self, some: Sequence[FrozenItem]) -> dict[Any, Any]:
        """By the id as the driver gives it."""
        ids = [self.speech.stored(item.item_version) for item in some]
        return {row[0]: row for row in by_ids(self.session, select(
            as_stored(self.session, ItemVersion.id).label("id"), ItemVersion.rev,
            type_coerce(ItemVersion.fields_json, Text).label("fields"), Item.key)
            .join(Item, Item.id == ItemVersion.item), ItemVersion.id, ids)}

    def _secrets(self, some: Sequence[FrozenItem]) -> dict[Any, Any]:
        ids = [self.speech.stored(item.item_version) for item in some]
        return {row.id: row for row in by_ids(self.session, select(
            as_stored(self.session, ItemSecret.item_version).label("id"), ItemSecret.fields_json,
            ItemSecret.expected_json), ItemSecret.item_version, ids)}

    def read_media(self, some: Iterable[str | None]) -> None:
        """What the project says of these pictures."""
        wanted = sorted({one for one in some if one is not None} - self.media.keys())
        for part in chunks(wanted, 10_000):
            self.media |= {row.sha256: row for row in self.session.execute(
                select(Media.sha256, Media.mime, Media.bytes, Media.width, Media.height, Media.licence, Media.source)
                .where(Media.sha256.in_(part)))}
