"""Rows of a file of answers: gathered by item and person, and read as answers to the protocol's questions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from annotation import answers as given
from annotation.answers import Slot
from annotation.errors import N_, AnswerError, Refused, Where
from annotation.items import fold, normal
from annotation.protocol import Protocol
from annotation.reading.record import Record, Source
from annotation.recipes import key_text

NEEDED = ("item", "person", "question")
_NO = frozenset({"", "false", "0", "no"})


@dataclass(slots=True)
class Group:
    """The rows of one (item, person); ``fault`` refuses them all, ``at_row`` is the row it comes from."""

    item: str
    person: str
    rows: list[Record] = field(default_factory=list)
    fault: Refused | None = None
    at_row: Record | None = None

    def refuse(self, fault: Refused, row: Record | None = None) -> None:
        if self.fault is None:
            self.fault, self.at_row = fault, row


def grouped(source: Source, needed: Sequence[str] = NEEDED) -> tuple[list[Group], list[tuple[Record, Refused]]]:
    """Rows by (item, person) in the order of the file, and the rows that belong to nobody. Where no person is
    ``needed``, by item."""
    if source.columns is not None:
        _check_columns(source.columns, source.file, needed)
    groups: dict[tuple[str, str], Group] = {}
    bad: list[tuple[Record, Refused]] = []
    names: set[str] = set(source.columns or ())
    for record in source.records:
        if record.fault is not None or not isinstance(record.value, dict):
            bad.append((record, record.fault or Refused(N_("the record is no object with named values"),
                                                        code="bad_type")))
            continue
        names.update(record.value)
        missing = next((name for name in needed if not key_text(record.value.get(name))), None)
        if missing is not None:
            bad.append((record, Refused(N_("'{name}' is missing"), code="missing_value", where=Where(key=missing),
                                        name=missing)))
            continue
        item, person = (normal(key_text(record.value[name]) or "") if name in needed else ""
                        for name in ("item", "person"))
        groups.setdefault((fold(item), person), Group(item, person)).rows.append(record)
    if names:
        _check_columns(names, source.file, needed)
    return list(groups.values()), bad


def _check_columns(names: Iterable[str], file: str, needed: Sequence[str]) -> None:
    known = set(names)
    for name in needed:
        if name not in known:
            raise Refused(N_("'{file}' has no '{name}'. It has: {known}."), code="missing_column",
                          where=Where(file=file, line=1, key=name), file=file, name=name,
                          known=", ".join(sorted(known)))
    if not {"answer", "na"} & known:
        raise Refused(N_("'{file}' has no '{name}'. It has: {known}."), code="missing_column",
                      where=Where(file=file, line=1, key="answer"), file=file, name="answer",
                      known=", ".join(sorted(known)))


def answers_of(protocol: Protocol, fields: Mapping[str, Any], group: Group) -> dict[str, Any]:
    """The group's rows as answers, each checked by its question; a fault names its row."""
    answers: dict[str, Any] = {}
    for row in group.rows:
        try:
            name = key_text(row.value["question"]) or ""
            element = key_text(row.value.get("element")) or None
            slot = Slot(name, element)
            if not protocol.has_question(name):
                raise AnswerError(N_("there is no question '{name}'"), name=name,
                                  where=Where(key="question", value=name[:80]))
            if given.get(answers, slot) is not None:
                raise AnswerError(N_("'{slot}' is answered twice"), slot=str(slot), where=Where(key="question",
                                  value=name[:80]))
            list_of = protocol.group_of(name)
            if (list_of is None) != (element is None):
                raise AnswerError(N_("'{name}' is asked for each element: 'element' is missing") if list_of else
                                  N_("'{name}' is asked once: it has no elements"), name=name,
                                  where=Where(key="element", value=element))
            value = next((one for one in fields.get(list_of.for_each) or () if one["id"] == element), None) \
                if list_of else None
            answers = given.put(answers, slot, answer_of_row(protocol, row, slot, fields, value))
        except Refused as fault:
            group.refuse(fault, row)
            raise
    return answers


def answer_of_row(protocol: Protocol, row: Record, slot: Slot, fields: Mapping[str, Any], element: Any
                  ) -> Mapping[str, Any]:
    """The answer of one row. A cell is taken as the text it is where the question takes it so, else read as JSON."""
    question = protocol.question(slot.question)
    if str(row.value.get("na") or "").strip().casefold() not in _NO:
        return {"na": True}
    raw = row.value.get("answer")
    where = Where(key="answer", value=None if raw is None else str(raw)[:80])
    if raw is None or raw == "":
        raise AnswerError(N_("'{name}' has no answer"), name=slot.question, code="missing_value", where=where)
    tries = [raw if given.is_answer(raw) else {"v": raw}]
    if isinstance(raw, str):
        try:
            read = json.loads(raw)
        except (ValueError, RecursionError):
            read = None
        if read is not None:
            tries.append(read if given.is_answer(read) else {"v": read})
    first: Refused | None = None
    for answer in tries:
        try:
            return question.check(answer, fields=fields, element_value=element)
        except Refused as fault:
            # What JSON makes of a cell is what was meant where it is a number, a list or an object.
            first = fault.at(key="answer", value=where.value) if first is None or fault.code == "bad_value" else first
    assert first is not None
    raise first


def times_of(group: Group) -> tuple[int, datetime | None]:
    """The largest ``seconds`` as milliseconds, and the latest ``at``."""
    ms, latest = 0, None
    for row in group.rows:
        try:
            ms = max(ms, _milliseconds(row.value.get("seconds")))
            at = _moment(row.value.get("at"))
        except Refused as fault:
            group.refuse(fault, row)
            raise
        latest = at if latest is None or (at is not None and at > latest) else latest
    return ms, latest


def _milliseconds(value: Any) -> int:
    if value is None or value == "":
        return 0
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        seconds = -1.0
    if not 0 <= seconds <= 1e7 or isinstance(value, bool):
        raise Refused(N_("'{value}' is no number of seconds"), code="bad_value",
                      where=Where(key="seconds", value=str(value)[:80]), value=str(value)[:80])
    return round(seconds * 1000)


def _moment(value: Any) -> datetime | None:
    if value is None or value == "":
        return None
    try:
        at = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        at = None
    if at is None or at.tzinfo is None or not 1970 <= at.year <= 9000:
        raise Refused(N_("'{value}' is no time as 2026-01-31T08:00:00Z"), code="bad_value",
                      where=Where(key="at", value=str(value)[:80]), value=str(value)[:80])
    return at
