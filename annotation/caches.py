"""The derived tables compared with what the facts give, and written anew: answer, item_stage, gold, item_tag."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Table, delete, insert, select
from sqlalchemy.orm import Session

from annotation import gold, queue, stages
from annotation.gold_rules import ItemGold
from annotation.protocol import Protocol
from annotation.revisions import answer_rows, standing_of
from annotation.store.project import protocol_by, protocol_now, store_of
from annotation.store.tables import AnswerRow, Item, ItemStage, ItemTag, ItemVersion
from annotation.votes import read_facts
from annotation.workflow import plan_of

CHUNK = 400
Progress = Callable[[int, int], None]
Rows = list[dict[str, Any]]


def differing(session: Session, *, progress: Progress | None = None) -> dict[str, int]:
    """How many rows of each derived table are not what the facts give (too many and too few included)."""
    counts = {"answer": 0, "item_stage": 0, "gold": gold.count_differing(session), "item_tag": 0}
    for table, items, wanted in _expected(session, progress):
        kept = _kept(session, table, items)
        for item in items:
            counts[table.name] += _differing(table, kept.get(item, []), wanted.get(item, []))
    return counts


def rebuild(session: Session, *, progress: Progress | None = None) -> dict[str, int]:
    """Write what differs anew; returns how many rows were wrong. Answers first: gold and stages read them."""
    counts = {"answer": 0, "item_stage": 0, "gold": 0, "item_tag": 0}
    for only in ((AnswerRow, ItemTag), (ItemStage,)):
        if only == (ItemStage,):
            counts["gold"] = gold.rebuild(session)
        names = {kind.__tablename__ for kind in only}
        for table, items, wanted in _expected(session, progress):
            if table.name not in names:
                continue
            kept = _kept(session, table, items)
            wrong = [item for item in items if _differing(table, kept.get(item, []), wanted.get(item, []))]
            counts[table.name] += sum(_differing(table, kept.get(i, []), wanted.get(i, [])) for i in wrong)
            if wrong:
                session.execute(delete(table).where(table.c.item.in_(wrong)))
            if rows := [row for item in wrong for row in wanted.get(item, [])]:
                session.execute(insert(table), rows)
    queue.rewind(session)
    store_of(session).memory.clear()  # it follows the trail, in which a mended row leaves no line
    return counts


def _expected(session: Session, progress: Progress | None) -> Iterator[tuple[Table, list[UUID], Mapping[UUID, Rows]]]:
    """(table, items, rows by item) as the facts give them, some hundred items at a time."""
    protocol = protocol_now(session)
    items = list(session.execute(select(Item.id).order_by(Item.id)).scalars())
    for start in range(0, len(items), CHUNK):
        chunk = items[start:start + CHUNK]
        yield _table(AnswerRow), chunk, _answers(session, chunk)
        yield _table(ItemTag), chunk, _tags(session, protocol, chunk)
        yield _table(ItemStage), chunk, stages.expected(session, protocol, chunk, _undecided(session, protocol, chunk))
        if progress is not None:
            progress(min(start + CHUNK, len(items)), len(items))


def _table(kind: Any) -> Table:
    table: Table = kind.__table__
    return table


def _answers(session: Session, items: Sequence[UUID]) -> dict[UUID, Rows]:
    found: dict[UUID, Rows] = {}
    for standing in standing_of(session, items=items):
        found.setdefault(standing.item, []).extend(answer_rows(protocol_by(session, standing.protocol), standing))
    return found


def _tags(session: Session, protocol: Protocol, items: Sequence[UUID]) -> dict[UUID, Rows]:
    names = [f.name for f in protocol.fields if f.kind == "tag" and not f.private]
    rows = session.execute(select(Item.id, ItemVersion.fields_json).join(ItemVersion, ItemVersion.id == Item.current)
                           .where(Item.id.in_(items)))
    return {item: [{"item": item, "field": name, "value": fields[name]} for name in names if name in fields]
            for item, fields in rows}


def _undecided(session: Session, protocol: Protocol, items: Sequence[UUID]) -> dict[UUID, bool]:
    if not plan_of(protocol).adjudicates:
        return {}
    settled: dict[UUID, ItemGold] = {f.item: gold.settled(protocol, f) for f in read_facts(session, protocol, items)}
    return {item: bool(gold.due_for_adjudication(protocol, found)) for item, found in settled.items()}


def _kept(session: Session, table: Table, items: Sequence[UUID]) -> dict[UUID, Rows]:
    found: dict[UUID, Rows] = {}
    for row in session.execute(select(table).where(table.c.item.in_(items))):
        found.setdefault(row.item, []).append(dict(row._mapping))
    return found


def _differing(table: Table, kept: Rows, wanted: Rows) -> int:
    """Rows that differ, counted by key: one that is wrong is one, not one too many and one too few."""
    if kept == wanted:
        return 0
    keys = [column.name for column in table.primary_key.columns]

    def by_key(rows: Rows) -> dict[tuple[Any, ...], dict[str, Any]]:
        # The protocol of a stage says under which version it was written last; it is no fact of its own.
        return {tuple(row[k] for k in keys): {k: v for k, v in row.items() if k != "protocol"} for row in rows}

    one, other = by_key(kept), by_key(wanted)
    return sum(one.get(key) != other.get(key) for key in one.keys() | other.keys())
