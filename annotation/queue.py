"""The walk to a person's next item: one index, one cursor per person and stage, and what reopened behind it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Integer,
    Select,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.orm import Session, aliased

from annotation.store.tables import Adjudication, Assignment, ItemStage, Task, TaskCursor
from annotation.store.types import Id

BEHIND_LIMIT = 64  # more than this behind a cursor: the walk begins anew
START = (-(2**31), -(2**63), UUID(int=0))
ASSIGNED = "assigned:"


@dataclass(frozen=True, slots=True)
class Candidate:
    """``ahead``: found by walking on from the cursor, which follows when the item is claimed."""

    item: UUID
    order_key: int
    rnd: int
    ahead: bool = False

    @property
    def place(self) -> tuple[int, int, UUID]:
        return (self.order_key, self.rnd, self.item)


def candidates(session: Session, person: UUID, stage: str, *, allow_self: bool, limit: int = 5) -> list[Candidate]:
    """The next items that this person may claim at this stage, best first: what is assigned to him, what
    reopened behind his cursor, what comes after it. An empty list is an empty queue.
    """
    who = {"person": person, "stage": stage}
    if found := _assigned(session, who, allow_self=allow_self, limit=limit):
        return found
    cursor = _cursor(session, person, stage)
    if cursor is not None and cursor.behind_json:
        ids = [UUID(item) for item in cursor.behind_json]
        found = _run(session, _among(allow_self=allow_self), {**who, "ids": ids}, limit=len(ids))
        _keep(session, person, stage, behind=[c.item.hex for c in found])
        if found:
            return found[:limit]
    place = START if cursor is None else (cursor.order_key, cursor.rnd, cursor.item)
    found = _run(session, _after(allow_self=allow_self), {**who, **_bound(place)}, limit=limit, ahead=True)
    if not found and place != START:
        # Nothing ahead: look once from the start, in case something reopened unnoticed.
        found = _run(session, _after(allow_self=allow_self), {**who, **_bound(START)}, limit=limit)
    return found


def count(session: Session, person: UUID, stage: str, *, allow_self: bool) -> int:
    """How many items this person may still claim at this stage."""
    return int(session.execute(_number(allow_self=allow_self), {"person": person, "stage": stage}).scalar_one())


def claimed(session: Session, person: UUID, stage: str, chosen: Candidate) -> None:
    """Move the person's cursor to the item just claimed (or take the item off the list behind it)."""
    if chosen.ahead:
        _keep(session, person, stage, place=chosen.place)
        return
    cursor = _cursor(session, person, stage)
    if cursor is not None and chosen.item.hex in cursor.behind_json:
        _keep(session, person, stage, behind=[i for i in cursor.behind_json if i != chosen.item.hex])


def reopened(session: Session, item: UUID, stage: str) -> None:
    """A slot of this item is free (again): whoever walked past it looks there first."""
    row = session.execute(select(ItemStage.order_key, ItemStage.rnd).where(
        ItemStage.item == item, ItemStage.stage == stage)).first()
    if row is None:
        return
    place = (row.order_key, row.rnd, item)
    for cursor in session.execute(_cursors.where(TaskCursor.stage == stage).with_for_update(key_share=True)).all():
        if (cursor.order_key, cursor.rnd, cursor.item) > place and item.hex not in cursor.behind_json:
            if len(cursor.behind_json) >= BEHIND_LIMIT:
                _forget(session, cursor.person, stage)
            else:
                _keep(session, cursor.person, stage, behind=[*cursor.behind_json, item.hex])
    for cursor in session.execute(_cursors.where(TaskCursor.stage == ASSIGNED + stage)).all():
        if cursor.item > item:
            _forget(session, cursor.person, ASSIGNED + stage)


def rewind(session: Session, *, stage: str | None = None, person: UUID | None = None) -> None:
    """Let walks begin anew: after an import, and when assignments change."""
    query = delete(TaskCursor)
    if stage is not None:
        query = query.where(TaskCursor.stage.in_([stage, ASSIGNED + stage]))
    if person is not None:
        query = query.where(TaskCursor.person == person)
    session.execute(query)


_cursors = select(TaskCursor.person, TaskCursor.order_key, TaskCursor.rnd, TaskCursor.item, TaskCursor.behind_json)
_ME: Any = bindparam("person", type_=Id())
_STAGE: Any = bindparam("stage")
_LIMIT: Any = bindparam("limit", type_=Integer())
_any_assignment = select(Assignment.id).where(Assignment.person == _ME, Assignment.stage == _STAGE).limit(1)


def _standing(which: Any) -> ColumnElement[bool]:
    """An assignment that is not cancelled and is no cancellation."""
    other = aliased(Assignment)
    return and_(which.cancels.is_(None), ~select(other.id).where(other.cancels == which.id).exists())


def _may(*, allow_self: bool) -> list[ColumnElement[bool]]:
    """May the person take this row of item_stage? Each condition is one look into an index."""
    mine, elsewhere, only, me = aliased(Task), aliased(Task), aliased(Assignment), aliased(Assignment)
    rules: list[ColumnElement[bool]] = [
        ~select(mine.id).where(mine.item == ItemStage.item, mine.stage == ItemStage.stage, mine.person == _ME,
                               mine.round == ItemStage.round,
                               mine.state.in_(("claimed", "submitted", "skipped", "withdrawn"))).exists(),
        or_(~select(only.id).where(only.item == ItemStage.item, only.stage == ItemStage.stage, only.only,
                                   _standing(only)).exists(),
            select(me.id).where(me.item == ItemStage.item, me.stage == ItemStage.stage, me.person == _ME,
                                _standing(me)).exists()),
    ]
    if not allow_self:
        decided = aliased(Adjudication)
        rules += [
            ~select(elsewhere.id).where(elsewhere.item == ItemStage.item, elsewhere.stage != ItemStage.stage,
                                        elsewhere.person == _ME,
                                        elsewhere.state.in_(("claimed", "submitted", "withdrawn"))).exists(),
            ~select(decided.id).where(decided.item == ItemStage.item, decided.by == _ME).exists(),
        ]
    return rules


# Statements are built once: making an alias costs more than running the query.
@cache
def _open_items(*, allow_self: bool) -> Select[UUID, int, int]:
    # "open > 0" stands as text: a bound 0 would keep the partial index from being used.
    return (select(ItemStage.item, ItemStage.order_key, ItemStage.rnd)
            .where(ItemStage.stage == _STAGE, literal_column("item_stage.open") > literal_column("0"),
                   *_may(allow_self=allow_self))
            .order_by(ItemStage.order_key, ItemStage.rnd, ItemStage.item).limit(_LIMIT))


@cache
def _after(*, allow_self: bool) -> Select[UUID, int, int]:
    place = tuple_(bindparam("order_key", type_=Integer()), bindparam("rnd", type_=BigInteger()),
                   bindparam("item", type_=Id()))
    return _open_items(allow_self=allow_self).where(
        tuple_(ItemStage.order_key, ItemStage.rnd, ItemStage.item) >= place)


@cache
def _among(*, allow_self: bool) -> Select[UUID, int, int]:
    return _open_items(allow_self=allow_self).where(ItemStage.item.in_(bindparam("ids", expanding=True, type_=Id())))


@cache
def _number(*, allow_self: bool) -> Select[int]:
    inner = _open_items(allow_self=allow_self).order_by(None).limit(None).subquery()
    return select(func.count()).select_from(inner)


@cache
def _along_assignments(*, allow_self: bool) -> Select[UUID, int, int]:
    mine = aliased(Assignment)
    return (select(mine.item, ItemStage.order_key, ItemStage.rnd)
            .join(ItemStage, and_(mine.item == ItemStage.item, mine.stage == ItemStage.stage, mine.person == _ME))
            .where(mine.stage == _STAGE, mine.item >= bindparam("item", type_=Id()), _standing(mine),
                   literal_column("item_stage.open") > literal_column("0"), *_may(allow_self=allow_self))
            .order_by(mine.item).distinct().limit(_LIMIT))


def _bound(place: tuple[int, int, UUID]) -> dict[str, Any]:
    return {"order_key": place[0], "rnd": place[1], "item": place[2]}


def _assigned(session: Session, who: dict[str, Any], *, allow_self: bool, limit: int) -> list[Candidate]:
    """Open items assigned to the person, along the index of assignments, with a cursor of its own."""
    if session.execute(_any_assignment, who).first() is None:
        return []
    key = ASSIGNED + who["stage"]
    cursor = _cursor(session, who["person"], key)
    start = cursor.item if cursor else START[2]
    found = _run(session, _along_assignments(allow_self=allow_self), {**who, "item": start}, limit=limit)
    if found:
        _keep(session, who["person"], key, place=(0, 0, found[0].item))
    return found


def _run(session: Session, query: Select[UUID, int, int], bound: dict[str, Any], *, limit: int, ahead: bool = False
         ) -> list[Candidate]:
    return [Candidate(*row, ahead=ahead) for row in session.execute(query, {**bound, "limit": limit})]


def _cursor(session: Session, person: UUID, stage: str) -> Any:
    return session.execute(_cursors.where(TaskCursor.person == person, TaskCursor.stage == stage)).first()


def _keep(session: Session, person: UUID, stage: str, *, place: tuple[int, int, UUID] | None = None,
          behind: list[str] | None = None) -> None:
    new: dict[str, Any] = {} if place is None else _bound(place)
    if behind is not None:
        new["behind_json"] = behind
    there = session.execute(update(TaskCursor).where(TaskCursor.person == person, TaskCursor.stage == stage)
                            .values(**new).execution_options(synchronize_session=False))
    if there.rowcount == 0 and place is not None:  # type: ignore[attr-defined]
        session.execute(insert(TaskCursor).values(
            person=person, stage=stage, behind_json=behind or [], **_bound(place)))


def _forget(session: Session, person: UUID, stage: str) -> None:
    session.execute(delete(TaskCursor).where(TaskCursor.person == person, TaskCursor.stage == stage))
