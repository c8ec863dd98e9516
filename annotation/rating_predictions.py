"""Reads a file of a machine's answers as judgements of the project's items, without storing any of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import literal, select
from sqlalchemy.orm import Session

from annotation.answer_rows import answer_of_row
from annotation.answers import Slot
from annotation.closed_answers import has_classes
from annotation.errors import N_, AnswerError, Refused, Where
from annotation.items import fold, normal
from annotation.protocol import Protocol
from annotation.reading.opening import open_source
from annotation.reading.record import Record
from annotation.recipes import key_text
from annotation.store.project import protocol_now
from annotation.store.tables import Item, ItemVersion
from annotation.store.types import Json
from annotation.votes import vote_of

ITEM, MODEL = ("item", "id", "key"), ("rater", "model", "person", "system")
AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Predicted:
    """One answer of one machine. ``text`` and ``number`` as its question compares answers; both None for N/A."""

    machine: str
    item: UUID
    element: str
    question: str
    text: str | None
    number: float | None


def read_predictions(session: Session, path: str | Path, *, name: str | None = None, questions: Sequence[str] = ()
                     ) -> tuple[Predicted, ...]:
    """Rows of CSV, JSON lines or parquet: ``item`` (or ``id``, ``key``: the item's key), ``answer`` (or ``na``), where
    needed ``element``, ``question`` (else the one of ``questions``) and ``rater`` (or ``model``, ``system``).

    ``name``: what the machine is called where no row says it, else the file's. Other keys are not read. Refused with
    the place: an unknown item, question or element, an answer that its question does not take, and a row that stands
    twice. A comparison with half a file would be one with other items, so nothing is skipped.
    """
    place = Path(path)
    protocol = protocol_now(session)
    with open_source(place) as source:
        rows = [(record, _columns(record, source.file)) for record in source.records]
        closed = {name for name in protocol.value_names if protocol.has_question(name) and has_classes(protocol, name)
                  and protocol.group_of(name) is None}
        named = {key_text(row.get("question")) or (questions[0] if questions else "") for _, row in rows}
        items = _items(session, {fold(row["item"]) for _, row in rows}, with_fields=not named <= closed)
        known: dict[tuple[str, str, str], Mapping[str, Any]] = {}  # answers that no item's fields have a say in
        out: dict[tuple[str, UUID, str, str], Predicted] = {}
        for record, row in rows:
            made = _predicted(protocol, record, row, items, name or place.stem, tuple(questions), source.file,
                              closed=closed, known=known)
            same = (made.machine, made.item, made.element, made.question)
            if same in out:
                raise Refused(N_("'{model}' answers {question} of the item '{item}' twice"), code="duplicate_key",
                              where=_where(source.file, record, "item", row["item"]), model=made.machine,
                              question=made.question, item=row["item"][:80])
            out[same] = made
    if not out:
        raise Refused(N_("'{file}' holds no answers"), code="bad_value", where=Where(file=str(place)), file=str(place))
    return tuple(out.values())


def _where(file: str, record: Record, key: str, value: object = None) -> Where:
    return Where(file=file, line=record.line, key=key, value=None if value is None else str(value)[:80])


def _columns(record: Record, file: str) -> dict[str, Any]:
    """The row with its item and machine under one name."""
    if record.fault is not None:
        raise record.fault.at(file=file, line=record.line)
    if not isinstance(record.value, dict):
        raise Refused(N_("the record is no object with named values"), code="bad_type",
                      where=Where(file=file, line=record.line))
    row = dict(record.value)
    key = next((text for one in ITEM if (text := key_text(row.get(one)))), None)
    if key is None:
        raise Refused(N_("line {line} names no item (item, id or key)"), code="missing_value", line=record.line,
                      where=_where(file, record, "item"))
    return {**row, "item": normal(key), "machine": next((text for one in MODEL if (text := key_text(row.get(one)))),
                                                        None)}


def _items(session: Session, folds: Iterable[str], *, with_fields: bool) -> dict[str, tuple[UUID, Mapping[str, Any]]]:
    wanted = sorted(folds)
    fields_of = ItemVersion.fields_json if with_fields else literal({}, Json)
    found: dict[str, tuple[UUID, Mapping[str, Any]]] = {}
    for start in range(0, len(wanted), AT_ONCE):
        for key, item, fields in session.execute(
                select(Item.key_fold, Item.id, fields_of)
                .join(ItemVersion, ItemVersion.id == Item.current)
                .where(Item.key_fold.in_(wanted[start:start + AT_ONCE]), Item.state != "withdrawn")):
            found[key] = (item, fields)
    return found


def _predicted(protocol: Protocol, record: Record, row: Mapping[str, Any],
               items: Mapping[str, tuple[UUID, Mapping[str, Any]]], name: str, questions: tuple[str, ...], file: str,
               *, closed: Collection[str], known: dict[tuple[str, str, str], Mapping[str, Any]]) -> Predicted:
    there = items.get(fold(row["item"]))
    if there is None:
        raise Refused(N_("there is no item '{item}'"), code="unknown_item",
                      where=_where(file, record, "item", row["item"]), item=row["item"][:80])
    item, fields = there
    question = key_text(row.get("question")) or (questions[0] if len(questions) == 1 else None)
    if question is None:
        raise Refused(N_("line {line} names no question; say which with --question"), code="missing_value",
                      line=record.line, where=_where(file, record, "question"))
    if question not in protocol.value_names:
        raise Refused(N_("there is no question '{name}'"), code="unknown_id",
                      where=_where(file, record, "question", question), name=question[:80])
    slot = Slot(question, key_text(row.get("element")) or None)
    same = (question, repr(row.get("answer")), repr(row.get("na")))
    answer = known.get(same) if slot.element is None else None
    if answer is None:
        try:
            answer = _answer(protocol, record, slot, fields)
        except Refused as fault:
            raise fault.at(file=file, line=record.line) from None
        if question in closed:
            known[same] = answer
    vote = vote_of(protocol, slot, answer, item, None)
    text = None if answer.get("na") else vote.key
    return Predicted(row["machine"] or name, item, slot.element or "", question, text, vote.number)


def _answer(protocol: Protocol, record: Record, slot: Slot, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    if not protocol.has_question(slot.question):  # derived: nobody checks it but who computed it
        return {"v": record.value.get("answer")}
    list_of = protocol.group_of(slot.question)
    if (list_of is None) != (slot.element is None):
        raise AnswerError(N_("'{name}' is asked for each element: 'element' is missing") if list_of else
                          N_("'{name}' is asked once: it has no elements"), name=slot.question,
                          where=Where(key="element", value=slot.element))
    value = None
    if list_of is not None:
        value = next((one for one in fields.get(list_of.for_each) or () if one["id"] == slot.element), None)
        if value is None:
            raise AnswerError(N_("the item has no element '{element}'"), element=str(slot.element)[:80],
                              where=Where(key="element", value=slot.element))
    return answer_of_row(protocol, record, slot, fields, value)
