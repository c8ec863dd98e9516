"""Brings in second decisions that were taken outside a window: a table of item, question, answer and reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from annotation import people
from annotation.answer_rows import Group, answers_of, grouped
from annotation.answers import Answer, Slot, walk
from annotation.answers_in import items_of_keys
from annotation.errors import N_, AnswerError, Refused, Where
from annotation.items import fold
from annotation.protocol import Protocol
from annotation.reading.opening import open_source
from annotation.reading.record import Record
from annotation.recipes import key_text
from annotation.refused_rows import RefusedFile
from annotation.rows_taken import Tally
from annotation.second_adjudication import decide_second
from annotation.store.project import Store, protocol_now

NEEDED = ("item", "question")


@dataclass(frozen=True, slots=True)
class DecisionsReport:
    """``rows`` = accepted + refused; ``decisions`` counts the accepted items."""

    rows: int
    accepted: int
    refused: int
    refusals: tuple[dict[str, Any], ...]
    decisions: int
    refused_file: str | None

    def as_json(self) -> dict[str, Any]:
        return {"rows": self.rows, "accepted": self.accepted, "refused": self.refused,
                "refusals": list(self.refusals), "decisions": self.decisions, "refused_file": self.refused_file}


def import_second(store: Store, file: str | Path, *, by: UUID, strict: bool = False,
                  refused: str | Path | None = None, progress: Callable[[int, int], None] | None = None
                  ) -> DecisionsReport:
    """One second decision for each item in ``file`` (CSV, TSV, JSONL, parquet), in one transaction.

    Columns: item (key), question, answer; optional element, na, reason. The rows of an item are refused together:
    where its case was not opened by this person, where he has answered or decided it, and where an answer is bad.
    Raises Refused, with nothing changed, where the file cannot be read, a column is missing, nothing is accepted, or
    a row is refused under ``strict``.
    """
    path = Path(file)
    with ExitStack() as stack:
        source = stack.enter_context(open_source(path))
        groups, bad = grouped(source, NEEDED)
        target = stack.enter_context(RefusedFile(path, Path(refused) if refused else None))
        session = stack.enter_context(store.write())
        people.require_right(session, by, "adjudicate")
        protocol = protocol_now(session)
        tally = Tally(target, source.file, source.columns or ())
        for row, fault in bad:
            tally.rows += 1
            tally.refuse(row, fault, item=None)
        known = items_of_keys(session, {fold(group.item) for group in groups})
        for n, group in enumerate(groups):
            tally.rows += len(group.rows)
            _decide(session, protocol, group, tally, known=known, by=by)
            if progress is not None and n % 100 == 0:
                progress(n, len(groups))
        tally.settle(strict=strict)
        target.write()
    return DecisionsReport(tally.rows, tally.accepted, tally.refused, tuple(tally.refusals), tally.revisions,
                           str(target.path) if tally.refused else None)


def _decide(session: Session, protocol: Protocol, group: Group, tally: Tally, *,
            known: Mapping[str, tuple[UUID, str, Mapping[str, Any]]], by: UUID) -> None:
    """One item as one decision, or every row of it refused; what was begun for a refused one is undone."""
    try:
        with session.begin_nested():
            item = known.get(fold(group.item))
            if item is None or item[1] == "withdrawn":
                raise Refused(N_("there is no item '{item}'"), code="unknown_item",
                              where=Where(key="item", value=group.item[:80]), item=group.item)
            values = _values(protocol, item[2], group)
            reasons = dict.fromkeys(str(row.value.get("reason") or "").strip() for row in group.rows)
            decide_second(session, item[0], values, by=by, reason="; ".join(filter(None, reasons)))
    except Refused as fault:
        group.refuse(fault)
        tally.refuse_all(group)
        return
    tally.accepted += len(group.rows)
    tally.revisions += 1


def _values(protocol: Protocol, fields: Mapping[str, Any], group: Group) -> dict[Slot, Answer]:
    """What the rows decide; a fault names its row."""
    found: dict[Slot, Answer] = {}
    for row in group.rows:
        try:
            name = key_text(row.value["question"]) or ""
            read = {Slot(name): _computed(row)} if name in protocol.derive else dict(walk(
                answers_of(protocol, fields, Group(group.item, "", [row]))))
            for slot, answer in read.items():
                if slot in found:
                    raise AnswerError(N_("'{slot}' is answered twice"), slot=str(slot),
                                      where=Where(key="question", value=name[:80]))
                found[slot] = answer
        except Refused as fault:
            group.refuse(fault, row)
            raise
    return found


def _computed(row: Record) -> Answer:
    """The value of a question that is computed from others: what its cell says in JSON, else the text that it is."""
    raw = row.value.get("answer")
    if isinstance(raw, str):
        try:
            read = json.loads(raw)
        except (ValueError, RecursionError):
            return {"v": raw}
        return {"v": read if isinstance(read, (int, float)) and not isinstance(read, bool) else raw}
    return {"v": raw}
