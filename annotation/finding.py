"""Finding items: by text, state, stage, tag or id, a page at a time, quick at 200,000 items."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Text, func, or_, select, type_coerce
from sqlalchemy.orm import Session, aliased

from annotation.errors import N_, Unknown
from annotation.store.project import protocol_now
from annotation.store.tables import Flag, Item, ItemStage, ItemTag, ItemVersion, Query, QueryMessage, Task

SORTS = ("key", "updated", "state")
STATES = ("active", "stale", "withdrawn")
STAGE_STATES = ("waiting", "open", "done", "locked")
FEW = 20_000


@dataclass(frozen=True, slots=True)
class StageView:
    """How far one item is at a stage that it has reached."""

    want: int
    open: int
    state: str


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One line of the Items page. ``text`` is the first text of the item, ``answers`` counts submitted tasks."""

    id: UUID
    key: str
    rev: int
    state: str
    updated: datetime
    text: str
    tags: Mapping[str, str]
    stages: Mapping[str, StageView]
    answers: int
    flags: int
    queries: int


@dataclass(frozen=True, slots=True)
class Page:
    """``total`` counts all items that fit, ``rows`` are those from ``offset`` on."""

    rows: tuple[ItemRow, ...]
    total: int
    offset: int


def find_items(session: Session, *, text: str = "", state: str | None = None, stage: str | None = None,
               stage_state: str | None = None, tag: tuple[str, str] | None = None,
               ids: Collection[UUID] | None = None, sort: str = "key", descending: bool = False, offset: int = 0,
               limit: int = 100) -> Page:
    """A page of items. ``text`` stands anywhere in the key or the public fields, capitals of A-Z alike.

    ``stage`` with ``stage_state``: waiting (not reached), open, done or locked; without: reached. ``ids``: only
    these. Raises Unknown for an unknown sort, state or stage.
    """
    for given, known, kind in ((sort, SORTS, N_("order")), (state, STATES, N_("state")),
                               (stage_state, STAGE_STATES, N_("state of a stage")),
                               (stage, protocol_now(session).workflow.stages, N_("stage"))):
        if given is not None and given not in known:
            raise Unknown(N_("There is no {kind} '{name}'. There are: {known}."), kind=kind, name=given,
                          known=", ".join(known))
    asked = _Asked(text.strip(), state, stage, stage_state, tag, None if ids is None else tuple(ids),
                   session.get_bind().dialect.name == "postgresql")
    total = _count(session, asked)
    query = select(Item.id).where(*_rules(asked, walking=total > FEW))
    order = _order(sort, descending=descending)
    page = session.execute(query.order_by(*order).offset(offset).limit(limit)).scalars().all() if total else ()
    return Page(_rows(session, page), total, offset)


def item_of_key(session: Session, key: str) -> UUID:
    """The item with this key, or Unknown."""
    found = session.execute(select(Item.id).where(Item.key == key)).scalar()
    if found is None:
        raise Unknown(N_("there is no item '{key}'"), key=key)
    return found


@dataclass(frozen=True, slots=True)
class _Asked:
    text: str
    state: str | None
    stage: str | None
    stage_state: str | None
    tag: tuple[str, str] | None
    ids: tuple[UUID, ...] | None
    postgres: bool


def _count(session: Session, asked: _Asked) -> int:
    """How many items fit; one filter alone is counted in its own index."""
    alone = [name for name in ("text", "state", "stage", "tag") if getattr(asked, name)]
    if asked.ids is None and alone == ["stage"] and asked.stage_state != "waiting":
        query = select(func.count()).select_from(ItemStage).where(*_stage_rules(asked))
    elif asked.ids is None and alone == ["tag"] and asked.tag is not None:
        query = select(func.count()).select_from(ItemTag).where(
            ItemTag.field == asked.tag[0], ItemTag.value == asked.tag[1])
    else:
        query = select(func.count()).select_from(Item).where(*_rules(asked, walking=False))
    return int(session.execute(query).scalar_one())


def _rules(asked: _Asked, *, walking: bool) -> list[ColumnElement[bool]]:
    """``walking``: many items fit, so the order's index is walked and each item looked at (``exists``) until the
    page is full; else the few that fit are gathered first (``in``) and then put in order.
    """
    rules: list[ColumnElement[bool]] = []
    if asked.state is not None:
        rules.append(Item.state == asked.state)
    if asked.stage is not None:
        reached = select(ItemStage.item).where(*_stage_rules(asked))
        if asked.stage_state == "waiting":
            rules.append(~reached.where(ItemStage.item == Item.id).exists())
        else:
            rules.append(reached.where(ItemStage.item == Item.id).exists() if walking else Item.id.in_(reached))
    if asked.tag is not None:
        tagged = select(ItemTag.item).where(ItemTag.field == asked.tag[0], ItemTag.value == asked.tag[1])
        rules.append(tagged.where(ItemTag.item == Item.id).exists() if walking else Item.id.in_(tagged))
    if asked.ids is not None:
        rules.append(Item.id.in_(asked.ids))
    if asked.text:
        pattern = _pattern(asked.text)
        contents = type_coerce(ItemVersion.fields_json, Text)
        # SQLite's LIKE takes capitals of A-Z alike; PostgreSQL's does not, its ILIKE does.
        like = "ilike" if asked.postgres else "like"
        named = select(ItemVersion.id).where(getattr(contents, like)(pattern, escape="\\"))
        inside = named.where(ItemVersion.id == Item.current).exists() if walking else Item.current.in_(named)
        rules.append(or_(getattr(Item.key, like)(pattern, escape="\\"), inside))
    return rules


def _stage_rules(asked: _Asked) -> list[ColumnElement[bool]]:
    rules: list[ColumnElement[bool]] = [ItemStage.stage == asked.stage]
    if asked.stage_state not in (None, "waiting"):
        rules.append(ItemStage.state == asked.stage_state)
    return rules


def _pattern(text: str) -> str:
    """LIKE's pattern for a text as it stands in canonical JSON."""
    needle = json.dumps(text, ensure_ascii=False)[1:-1]
    for sign in ("\\", "%", "_"):
        needle = needle.replace(sign, "\\" + sign)
    return f"%{needle}%"


def _order(sort: str, *, descending: bool) -> list[Any]:
    # Ids of versions rise with time, so that the newest version's id orders by the last change.
    columns: dict[str, list[Any]] = {"key": [Item.key], "updated": [Item.current], "state": [Item.state, Item.key]}
    return [column.desc() if descending else column for column in columns[sort]]


def _rows(session: Session, page: Sequence[UUID]) -> tuple[ItemRow, ...]:
    """The lines of these items, in their order; a handful of queries for a page."""
    if not page:
        return ()
    first = next((field.name for field in protocol_now(session).fields
                  if field.kind in ("text", "markdown") and not field.private), None)
    stages: dict[UUID, dict[str, StageView]] = {item: {} for item in page}
    for row in session.execute(select(ItemStage.item, ItemStage.stage, ItemStage.want, ItemStage.open, ItemStage.state)
                               .where(ItemStage.item.in_(page))):
        stages[row.item][row.stage] = StageView(row.want, row.open, row.state)
    tags: dict[UUID, dict[str, str]] = {item: {} for item in page}
    for item, name, value in session.execute(select(ItemTag.item, ItemTag.field, ItemTag.value)
                                             .where(ItemTag.item.in_(page))):
        tags[item][name] = value
    answers = _numbers(session, select(Task.item, func.count()).where(Task.item.in_(page), Task.state == "submitted")
                       .group_by(Task.item))
    other = aliased(Flag)
    flags = _numbers(session, select(Flag.item, func.count()).where(
        Flag.item.in_(page), Flag.cancels.is_(None), ~select(other.id).where(other.cancels == Flag.id).exists())
        .group_by(Flag.item))
    closing = select(QueryMessage.id).where(QueryMessage.query == Query.id, QueryMessage.closes)
    queries = _numbers(session, select(Query.item, func.count()).where(Query.item.in_(page), ~closing.exists())
                       .group_by(Query.item))
    found = {row.id: row for row in session.execute(
        select(Item.id, Item.key, Item.state, ItemVersion.rev, ItemVersion.at, ItemVersion.fields_json)
        .join(ItemVersion, ItemVersion.id == Item.current).where(Item.id.in_(page)))}
    return tuple(ItemRow(item, found[item].key, found[item].rev, found[item].state, found[item].at,
                         found[item].fields_json.get(first, "") if first else "", tags[item], stages[item],
                         answers.get(item, 0), flags.get(item, 0), queries.get(item, 0)) for item in page)


def _numbers(session: Session, query: Any) -> dict[UUID, int]:
    return {item: n for item, n in session.execute(query)}
