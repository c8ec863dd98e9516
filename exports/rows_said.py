"""What people said about the items of a release: answers, decisions and signatures, read for many items at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from operator import itemgetter
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Text, select, type_coerce
from sqlalchemy.orm import Session

from annotation.answers import Answer, walk
from annotation.derive import chosen_from, derived, group_field
from annotation.protocol import Protocol
from annotation.store.project import protocol_by
from annotation.store.tables import Adjudication, ItemVersion, Revision, SignOff, Task
from annotation.store.types import as_stored, storing
from annotation.votes import fits
from exports.disguise import Disguise, disguise, public_answer, public_element, shown_order
from exports.frozen import Frozen, FrozenItem, parsed

Row = dict[str, Any]
PLACE = ("id", "element", "question", "stage", "round", "annotator", "adjudicator", "signer")
PARAMETERS = 10_000  # ids in one IN list: SQLite takes 32,766, PostgreSQL 65,535


@dataclass(slots=True)
class Names:
    """What a protocol says of a question, looked up once: it is asked for every row."""

    protocol: Protocol
    _kept: dict[str, tuple[bool, str | None, str | None]] = field(default_factory=dict)
    derives: bool = False

    def __post_init__(self) -> None:
        self.derives = bool(self.protocol.derive)

    def of(self, name: str) -> tuple[bool, str | None, str | None]:
        """(whether answers are free text, the list it repeats over, the list its values are chosen from)."""
        found = self._kept.get(name)
        if found is None:
            found = self._kept[name] = (is_free_text(self.protocol, name), group_field(self.protocol, name),
                                        chosen_from(self.protocol, name))
        return found

    def element(self, name: str, element: str | None, found: Disguise) -> str | None:
        if element is None or self.of(name)[1] is None:
            return element
        return public_element(self.protocol, name, element, found)

    def answer(self, name: str, answer: Answer, found: Disguise) -> dict[str, Any]:
        """An answer whose value names public ids."""
        return dict(answer) if self.of(name)[2] is None else public_answer(self.protocol, name, answer, found)


@dataclass(frozen=True, slots=True)
class Said:
    """The stored rows of some items, by the item's place in the release; ids as the driver gives them."""

    revisions: Mapping[str, Sequence[Any]]
    adjudications: Mapping[str, Sequence[Any]]
    signoffs: Mapping[str, Sequence[Any]]
    versions: Mapping[Any, Any]  # earlier versions of the items, that somebody answered

    def mean_length(self) -> float:
        """Of the answers, in characters."""
        lengths = [len(row.answers) for rows in self.revisions.values() for row in rows]
        return sum(lengths) / max(len(lengths), 1)


def read_said(session: Session, some: Sequence[FrozenItem]) -> Said:
    """All that the release names for these items, in the order of their ids."""
    def raw(column: Any) -> Any:
        return as_stored(session, column).label(column.key)

    revisions = _by_item(session, some, "revisions", select(
        raw(Revision.id), raw(Revision.person), Revision.stage, Revision.protocol,
        type_coerce(Revision.answers_json, Text).label("answers"), Revision.shown, Revision.active_ms,
        type_coerce(Revision.at, BigInteger).label("at"), raw(Revision.item_version),
        type_coerce(Task.order_json, Text).label("order"), raw(Task.round)).join(Task, Task.id == Revision.task),
        Revision.id)  # in the order in which ``Speech.annotations`` takes them
    stored = storing(session)
    adjudications = _by_item(session, some, "adjudications", select(
        raw(Adjudication.id), Adjudication.element, Adjudication.question, raw(Adjudication.by),
        Adjudication.value_json, Adjudication.reason, Adjudication.inputs_json,
        type_coerce(Adjudication.at, BigInteger).label("at")), Adjudication.id)
    signoffs = _by_item(session, some, "signoffs", select(
        raw(SignOff.id), raw(SignOff.person), SignOff.meaning, SignOff.method,
        type_coerce(SignOff.at, BigInteger).label("at")), SignOff.id)
    own = {stored(item.item_version) for item in some}
    earlier = sorted({row.item_version for rows in revisions.values() for row in rows} - own)
    versions = {row.id: row for row in by_ids(session, select(
        raw(ItemVersion.id), ItemVersion.rev, ItemVersion.fields_json), ItemVersion.id, earlier)}
    return Said(revisions, adjudications, signoffs, versions)


def _by_item(session: Session, some: Sequence[FrozenItem], kind: str, query: Any, column: Any
             ) -> dict[str, list[Any]]:
    made: Callable[[str], Any] = bytes.fromhex if session.get_bind().dialect.name == "sqlite" else UUID
    place = {made(one): item.public_id for item in some for one in item.sources.get(kind, ())}
    found: dict[str, list[Any]] = {}
    for row in by_ids(session, query, column, place):
        found.setdefault(place[row[0]], []).append(row)
    for rows in found.values():
        if len(rows) > 1:
            rows.sort(key=itemgetter(0))
    return found


def by_ids(session: Session, query: Any, column: Any, ids: Iterable[Any]) -> Iterator[Any]:
    """The rows with these ids (as the driver gives them), in the order of the ids: many rows of one page at a time."""
    wanted, stored, connection = sorted(ids), as_stored(session, column), session.connection()
    for part in chunks(wanted, PARAMETERS):
        yield from connection.execute(query.where(stored.in_(part))).all()


def signed_by(session: Session, versions: Sequence[UUID]) -> dict[UUID, list[tuple[str, UUID]]]:
    """(signature, person) of the signatures that stand on these versions of items."""
    rows = session.execute(select(SignOff.id, SignOff.item_version, SignOff.person, SignOff.kind, SignOff.cancels)
                           .where(SignOff.item_version.in_(versions)).order_by(SignOff.id)).all()
    cancelled = {row.cancels for row in rows if row.cancels is not None}
    found: dict[UUID, list[tuple[str, UUID]]] = {}
    for row in rows:
        if row.kind == "sign" and row.id not in cancelled:
            found.setdefault(row.item_version, []).append((row.id.hex, row.person))
    return found


class Speech:
    """Makes the rows of answers, decisions and signatures of one release."""

    def __init__(self, session: Session, frozen: Frozen, protocol: Protocol) -> None:
        self.session, self.frozen, self.protocol = session, frozen, protocol
        self.public = protocol.export.free_text == "public"
        self.stored = stored = storing(session)
        self.people = {stored(person): one.pseudonym for person, one in frozen.people.items()}
        self.rounds = {stored(UUID(id)): name for id, name in frozen.facts["rounds"].items()}
        self._names = {protocol.hash: Names(protocol)}
        self._plain: dict[tuple[str, str], list[Row]] = {}

    def names(self, hash: str) -> Names:
        found = self._names.get(hash)
        if found is None:
            found = self._names[hash] = Names(protocol_by(self.session, hash))
        return found

    def annotations(self, item: FrozenItem, version: Any, found: Disguise, said: Said) -> list[Row]:
        """Somebody may have answered an earlier text: its candidates are disguised too, and do not count if gone."""
        rows: list[Row] = []
        own, id, rev = self.stored(item.item_version), item.public_id, version.rev
        for one in said.revisions.get(id, ()):
            at, person, stage, protocol, answers, shown, active_ms, moment, of, order, round = one
            names, counts = self.names(protocol), item.sources["revisions"][as_hex(at)]
            about = {"id": id, "rev": rev, "stage": stage, "round": self.rounds.get(round, ""),
                     "annotator": self.people[person], "day": day_of(moment), "seconds": active_ms / 1000,
                     "shown": shown, "shown_order": None, "counts": counts}
            if of == own and not order and not found.ids and not names.derives:
                plain = self._plain.get((protocol, answers)) or self._plainly(names, answers, found)
                rows += [{**about, **said} for said in plain]
            else:
                rows += self._annotations_of(about, one, item, version, found, said)
        return sorted(rows, key=_in_item) if len(rows) > 1 else rows

    def _annotations_of(self, about: Row, one: Any, item: FrozenItem, version: Any, found: Disguise, said: Said
                        ) -> list[Row]:
        names, now = self.names(one.protocol), one.item_version == self.stored(item.item_version)
        seen = version if now else said.versions[one.item_version]
        ids = found if now else disguise(names.protocol, seen.fields_json, salt=self.frozen.salt,
                                         public_id=item.public_id)
        answers, order = parsed(one.answers), parsed(one.order)
        slots = [*walk(answers)]
        if names.protocol.derive:
            slots += walk(derived(names.protocol, seen.fields_json, answers))
        return [{
            **about, "rev": seen.rev, "element": names.element(slot.question, slot.element, ids),
            "question": slot.question, **self._shown_answer(names, slot.question, answer, ids),
            "shown_order": shown_order(names.protocol, slot.question, order, ids) if order else None,
            "counts": about["counts"] and (now or fits(names.protocol, version.fields_json, slot, answer)),
        } for slot, answer in slots]

    def _plainly(self, names: Names, text: str, ids: Disguise) -> list[Row]:
        """What is shown of answers that name no candidate: made once for the same text."""
        if len(self._plain) > 20_000:
            self._plain.clear()
        made = self._plain[names.protocol.hash, text] = [
            {"element": slot.element, "question": slot.question,
             **self._shown_answer(names, slot.question, answer, ids)} for slot, answer in walk(parsed(text))]
        return made

    def _shown_answer(self, names: Names, name: str, answer: Answer, found: Disguise) -> Row:
        """The answer, or nothing but ``withheld`` where it is free text and the protocol keeps that back."""
        if not self.public and names.of(name)[0] and not answer.get("na"):
            return {"answer": None, "na": False, "withheld": True}
        shown = names.answer(name, answer, found)
        hidden = not self.public and bool(shown.pop("reason", None))  # a reason is free text beside a choice
        return {**answer_row(shown), "withheld": hidden}

    def adjudications(self, item: FrozenItem, found: Disguise, said: Said, annotations: Iterable[Row]) -> list[Row]:
        decided = said.adjudications.get(item.public_id, ())
        if not decided:
            return []
        inputs: dict[tuple[str, str | None], list[Row]] = {}
        for one in annotations:
            if one["counts"]:
                inputs.setdefault((one["question"], one["element"]), []).append(
                    {key: one[key] for key in ("annotator", "answer", "na", "withheld")})
        names = self.names(self.protocol.hash)
        rows = []
        for row in decided:
            element = names.element(row.question, row.element or None, found)
            prior = item.sources["adjudications"][as_hex(row.id)]
            rows.append({
                "id": item.public_id, "element": element, "question": row.question,
                "adjudicator": self.people[row.by],
                "inputs": inputs.get((row.question, element), []),
                **self.gold_answer(row.question, row.value_json, found),
                "reason": row.reason if self.public else None, "withheld": bool(row.reason) and not self.public,
                "day": day_of(row.at),
                "shown_order": shown_order(self.protocol, row.question, _order_of(row.inputs_json), found),
                "gold_before": None if prior is None else names.answer(row.question, prior, found).get("v"),
            })
        return sorted(rows, key=by_place)

    def gold_answer(self, name: str, answer: Answer, found: Disguise) -> Row:
        """The value as released: a text that became gold is the product itself, a reason beside it is not."""
        shown = self.names(self.protocol.hash).answer(name, answer, found)
        if not self.public:
            shown.pop("reason", None)
        return answer_row(shown)

    def signoffs(self, item: FrozenItem, said: Said) -> list[Row]:
        rows = [{"id": item.public_id, "signer": self.people[row.person], "day": day_of(row.at),
                 "meaning": row.meaning, "method": row.method} for row in said.signoffs.get(item.public_id, ())]
        return sorted(rows, key=lambda row: row["signer"])


def by_place(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The order of a file: id, element, question, then who said it when."""
    return tuple(str(row.get(key) or "") for key in PLACE)


def _in_item(row: Row) -> tuple[str, ...]:
    """``by_place`` for the annotations of one item."""
    return row["element"] or "", row["question"], row["stage"], row["round"], row["annotator"]


def is_free_text(protocol: Protocol, name: str) -> bool:
    """Whether answers to ``name`` are words of a person's own, in which a name may stand."""
    return protocol.has_question(name) and protocol.scale_of(name) == "text"


def _order_of(inputs: Any) -> Mapping[str, Any] | None:
    """The order before an adjudicator; projects of before it was kept hold a bare list of answers."""
    return inputs.get("order") if isinstance(inputs, Mapping) else None


def answer_row(answer: Answer) -> Row:
    """``{"v": ..}`` as the keys of a row: answer, na, and what stands beside the value (strength, flags, reason)."""
    row = {"answer": answer.get("v"), "na": bool(answer.get("na"))}
    if len(answer) > 1:
        row.update({key: value for key, value in answer.items() if key not in ("v", "na")})
    return row


def as_hex(stored: Any) -> str:
    return stored.hex if isinstance(stored, UUID) else stored.hex()


@lru_cache(maxsize=4096)
def _day(number: int) -> str:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=number)).strftime("%Y-%m-%d")


def day_of(microseconds: int) -> str:
    """The UTC day of a stored moment."""
    return _day(microseconds // 86_400_000_000)


def chunks(things: Sequence[Any], size: int) -> Iterable[Sequence[Any]]:
    return (things[start : start + size] for start in range(0, len(things), size))
