"""The rows of a bundle, file by file, from a release as drawn and from facts that never change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import canonical
from annotation.answers import Answer, walk
from annotation.derive import derived
from annotation.protocol import Protocol
from annotation.store.project import protocol_by
from annotation.store.tables import Adjudication, Item, ItemSecret, ItemVersion, Media, Revision, Task
from annotation.votes import fits
from exports.disguise import (
    Disguise,
    choices,
    disguise,
    media_path,
    public_answer,
    public_element,
    public_fields,
    shown_order,
)
from exports.frozen import Frozen, FrozenItem

CHUNK = 400  # items read at once: ids in one IN list are bounded
Row = dict[str, Any]
# Lines end at "\n" for us, but other readers also split at these three; inside JSON they can only stand in texts.
ESCAPED = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\u0085\u2028\u2029"}


def line(row: Mapping[str, Any]) -> bytes:
    """One line of a bundle's file: canonical JSON, U+0085, U+2028 and U+2029 escaped, then a line feed."""
    return canonical.dumps(row).translate(ESCAPED).encode() + b"\n"


def moment(at: datetime) -> str:
    """ISO-8601 with Z, to the second."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


class Rows:
    """Makes the rows of one release; every method yields them in the order of the file."""

    def __init__(self, session: Session, frozen: Frozen) -> None:
        self.session, self.frozen = session, frozen
        self.protocol = protocol_by(session, frozen.protocol)
        self.media = {row.sha256: row for some in _chunks(sorted(self.pictures())) for row in session.execute(
            select(Media.__table__).where(Media.sha256.in_(some)))}

    def pictures(self) -> set[str]:
        """The hashes of all media that the release holds."""
        return {one["sha256"] for item in self.frozen.items for one in item.media if one["sha256"] is not None}

    def files(self) -> tuple[tuple[str, Callable[[], Iterator[Row]]], ...]:
        """The public files of rows, in the order in which they are written."""
        return (("public/adjudications.jsonl", self.adjudications), ("public/annotations.jsonl", self.annotations),
                ("public/annotators.jsonl", self.annotators), ("public/gold.jsonl", self.gold),
                ("public/items.jsonl", self.items))

    # --- items -----------------------------------------------------------------------------------

    def items(self) -> Iterator[Row]:
        for item, version, found in self._versions():
            places = self._places(item)
            shown = public_fields(self.protocol, version.fields_json, found, places)
            yield {
                "id": item.public_id, "key": version.key, "rev": version.rev, "split": item.split,
                "cluster": item.cluster, "slices": dict(item.slices), "fields": shown,
                "choices": choices(self.protocol, shown), "candidates": found.candidates,
                "media": [self._media_row(one, found) for one in item.media], "canary": self.frozen.facts["canary"],
            }

    def private_items(self) -> Iterator[Row]:
        """Private fields, by public id; items without any have a row with empty fields."""
        for item, version, _ in self._versions():
            secret = self.session.execute(select(ItemSecret.fields_json, ItemSecret.expected_json).where(
                ItemSecret.item_version == item.item_version)).first()
            yield {"id": item.public_id, "key": version.key, "rev": version.rev,
                   "fields": dict(secret.fields_json) if secret else {},
                   "expected": secret.expected_json if secret else None}

    def _places(self, item: FrozenItem) -> dict[tuple[str, str], dict[str, Any]]:
        return {(one["field"], one["element"] or ""): {"sha256": one["sha256"], "path": self._path(one["sha256"])}
                for one in item.media}

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

    # --- gold ------------------------------------------------------------------------------------

    def gold(self) -> Iterator[Row]:
        frozen_at = moment(self.frozen.created)
        for item, version, found in self._versions():
            rows = [{
                "id": item.public_id, "rev": version.rev,
                "element": public_element(self.protocol, one.question, one.element, found), "question": one.question,
                **self._gold_answer(one.question, one.answer, found), **one.about,
                "protocol": self.frozen.protocol, "frozen_at": frozen_at} for one in item.gold]
            yield from sorted(rows, key=by_place)

    def _gold_answer(self, name: str, answer: Answer, found: Disguise) -> Row:
        """The value as released: a text that became gold is the product itself, a reason beside it is not."""
        shown = public_answer(self.protocol, name, answer, found)
        if self.protocol.export.free_text != "public":
            shown.pop("reason", None)
        return _answer(shown)

    # --- what people said ------------------------------------------------------------------------

    def annotations(self) -> Iterator[Row]:
        for item, version, found in self._versions():
            yield from sorted(self._annotations_of(item, version, found), key=by_place)

    def _annotations_of(self, item: FrozenItem, version: Any, found: Disguise) -> Iterator[Row]:
        """Somebody may have answered an earlier text: its candidates are disguised too, and do not count if gone."""
        revisions = item.sources["revisions"]
        query = (select(Revision.id, Revision.person, Revision.stage, Revision.protocol, Revision.answers_json,
                        Revision.shown, Revision.active_ms, Revision.at, Task.order_json, Task.round, ItemVersion.rev,
                        ItemVersion.fields_json)
                 .join(Task, Task.id == Revision.task).join(ItemVersion, ItemVersion.id == Revision.item_version)
                 .where(Revision.id.in_([UUID(one) for one in revisions])).order_by(Revision.id))
        for row in self.session.execute(query):
            protocol = protocol_by(self.session, row.protocol)
            names = found if row.rev == version.rev else disguise(
                protocol, row.fields_json, salt=self.frozen.salt, public_id=item.public_id)
            said = [*walk(row.answers_json), *walk(derived(protocol, row.fields_json, row.answers_json))]
            for slot, answer in said:
                yield {
                    "id": item.public_id, "rev": row.rev,
                    "element": public_element(protocol, slot.question, slot.element, names),
                    "question": slot.question, "stage": row.stage,
                    "round": self.frozen.facts["rounds"].get(row.round.hex, ""),
                    "annotator": self.frozen.people[row.person].pseudonym,
                    **self._shown_answer(protocol, slot.question, answer, names),
                    "day": row.at.strftime("%Y-%m-%d"), "seconds": row.active_ms / 1000, "shown": row.shown,
                    "shown_order": shown_order(protocol, slot.question, row.order_json, names),
                    "counts": revisions[row.id.hex] and (
                        row.rev == version.rev or fits(protocol, version.fields_json, slot, answer)),
                }

    def _shown_answer(self, protocol: Protocol, name: str, answer: Answer, found: Disguise) -> Row:
        """The answer, or nothing but ``withheld`` where it is free text and the protocol keeps that back."""
        public = self.protocol.export.free_text == "public"
        if is_free_text(protocol, name) and not public and not answer.get("na"):
            return {"answer": None, "na": False, "withheld": True}
        shown = public_answer(protocol, name, answer, found)
        hidden = not public and bool(shown.pop("reason", None))  # a verdict's reason is free text beside a choice
        return {**_answer(shown), "withheld": hidden}

    def adjudications(self) -> Iterator[Row]:
        for item, version, found in self._versions():
            yield from sorted(self._adjudications_of(item, version, found), key=by_place)

    def _adjudications_of(self, item: FrozenItem, version: Any, found: Disguise) -> Iterator[Row]:
        before = item.sources["adjudications"]
        if not before:
            return
        query = select(Adjudication.id, Adjudication.element, Adjudication.question, Adjudication.by,
                       Adjudication.value_json, Adjudication.reason, Adjudication.inputs_json, Adjudication.at).where(
            Adjudication.id.in_([UUID(one) for one in before])).order_by(Adjudication.id)
        said: dict[tuple[str, str | None], list[Row]] = {}
        for one in sorted(self._annotations_of(item, version, found), key=by_place):
            if one["counts"]:
                said.setdefault((one["question"], one["element"]), []).append(
                    {key: one[key] for key in ("annotator", "answer", "na", "withheld")})
        public = self.protocol.export.free_text == "public"
        for row in self.session.execute(query):
            element = public_element(self.protocol, row.question, row.element or None, found)
            prior = before[row.id.hex]
            yield {
                "id": item.public_id, "element": element, "question": row.question,
                "adjudicator": self.frozen.people[row.by].pseudonym,
                "inputs": said.get((row.question, element), []),
                **self._gold_answer(row.question, row.value_json, found),
                "reason": row.reason if public else None, "withheld": bool(row.reason) and not public,
                "day": row.at.strftime("%Y-%m-%d"),
                "shown_order": shown_order(self.protocol, row.question, _order_of(row.inputs_json), found),
                "gold_before": None if prior is None else public_answer(
                    self.protocol, row.question, prior, found).get("v"),
            }

    def annotators(self) -> Iterator[Row]:
        """Everybody whose answer or decision stands in the bundle, with the number of items each worked on."""
        items: Counter[UUID] = Counter()
        for some in _chunks(self.frozen.items):
            for workers in self._workers(some).values():
                items.update(workers)
        for person, one in sorted(self.frozen.people.items(), key=lambda pair: pair[1].pseudonym):
            yield {"annotator": one.pseudonym, "kind": one.kind, "roles": list(one.roles), "items": items[person]}

    def _workers(self, some: Sequence[FrozenItem]) -> dict[str, set[UUID]]:
        found: dict[str, set[UUID]] = {}
        for kind, table, column in (("revisions", Revision, Revision.person),
                                    ("adjudications", Adjudication, Adjudication.by)):
            place = {UUID(one): item.public_id for item in some for one in item.sources[kind]}
            for ids in _chunks(list(place)):
                for id, person in self.session.execute(select(table.id, column).where(table.id.in_(ids))):
                    found.setdefault(place[id], set()).add(person)
        return found

    # --- versions --------------------------------------------------------------------------------

    def _versions(self) -> Iterator[tuple[FrozenItem, Any, Disguise]]:
        """Each item with its version's row (rev, fields, key) and its disguise."""
        for some in _chunks(self.frozen.items):
            rows = {row.id: row for row in self.session.execute(
                select(ItemVersion.id, ItemVersion.rev, ItemVersion.fields_json, Item.key)
                .join(Item, Item.id == ItemVersion.item)
                .where(ItemVersion.id.in_([item.item_version for item in some])))}
            for item in some:
                version = rows[item.item_version]
                yield item, version, disguise(self.protocol, version.fields_json, salt=self.frozen.salt,
                                              public_id=item.public_id)


def by_place(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The order of a file: id, element, question, then who said it when."""
    return tuple(str(row.get(key) or "") for key in ("id", "element", "question", "stage", "round", "annotator",
                                                     "adjudicator"))


def is_free_text(protocol: Protocol, name: str) -> bool:
    """Whether answers to ``name`` are words of a person's own, in which a name may stand."""
    return protocol.has_question(name) and protocol.scale_of(name) == "text"


def _order_of(inputs: Any) -> Mapping[str, Any] | None:
    """The order before an adjudicator; projects of before it was kept hold a bare list of answers."""
    return inputs.get("order") if isinstance(inputs, Mapping) else None


def _answer(answer: Answer) -> Row:
    """``{"v": ..}`` as the keys of a row: answer, na, and what stands beside the value (strength, flags, reason)."""
    return {"answer": answer.get("v"), "na": bool(answer.get("na")),
            **{key: value for key, value in answer.items() if key not in ("v", "na")}}


def _chunks(things: Iterable[Any]) -> Iterator[list[Any]]:
    listed = list(things)
    for start in range(0, len(listed), CHUNK):
        yield listed[start : start + CHUNK]
