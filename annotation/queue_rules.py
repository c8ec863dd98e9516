"""Which open items a person may claim: the conditions and the statements of the queue, each built once."""

from __future__ import annotations

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
    func,
    literal_column,
    or_,
    select,
    tuple_,
)
from sqlalchemy.orm import Session, aliased

from annotation.store.tables import Adjudication, Assignment, ItemStage, Task
from annotation.store.types import Id

TAKEN = ("claimed", "submitted", "skipped", "withdrawn")  # tasks that keep a person from taking the item again
TOUCHED = ("claimed", "submitted", "withdrawn")           # tasks at another stage that do

_ME: Any = bindparam("person", type_=Id())
_STAGE: Any = bindparam("stage")
_ROUND: Any = bindparam("round", type_=Id())
_LIMIT: Any = bindparam("limit", type_=Integer())
given = select(func.count()).select_from(Task).where(
    Task.person == _ME, Task.stage == _STAGE, Task.state.in_(TAKEN))
any_assignment = select(Assignment.id).where(Assignment.person == _ME, Assignment.stage == _STAGE).limit(1)


def standing(which: Any) -> ColumnElement[bool]:
    """An assignment that is not cancelled and is no cancellation."""
    other = aliased(Assignment)
    return and_(which.cancels.is_(None), ~select(other.id).where(other.cancels == which.id).exists())


def may(*, allow_self: bool) -> list[ColumnElement[bool]]:
    """May the person take this row of item_stage? Each condition is one look into an index."""
    mine, elsewhere, only, me = aliased(Task), aliased(Task), aliased(Assignment), aliased(Assignment)
    rules: list[ColumnElement[bool]] = [
        ~select(mine.id).where(mine.item == ItemStage.item, mine.stage == ItemStage.stage, mine.person == _ME,
                               mine.round == ItemStage.round,
                               mine.state.in_(TAKEN)).exists(),
        or_(~select(only.id).where(only.item == ItemStage.item, only.stage == ItemStage.stage, only.only,
                                   standing(only)).exists(),
            select(me.id).where(me.item == ItemStage.item, me.stage == ItemStage.stage, me.person == _ME,
                                standing(me)).exists()),
    ]
    if not allow_self:
        decided = aliased(Adjudication)
        rules += [
            ~select(elsewhere.id).where(elsewhere.item == ItemStage.item, elsewhere.stage != ItemStage.stage,
                                        elsewhere.person == _ME,
                                        elsewhere.state.in_(TOUCHED)).exists(),
            ~select(decided.id).where(decided.item == ItemStage.item, decided.by == _ME).exists(),
        ]
    return rules


def _may_of_all(*, allow_self: bool) -> list[ColumnElement[bool]]:
    """The same conditions for a walk along the whole queue on SQLite: the person's own tasks are gathered once
    from their index instead of being looked up for each item (thirty times as fast at 190,000 tasks).
    """
    mine, elsewhere, only, me = aliased(Task), aliased(Task), aliased(Assignment), aliased(Assignment)
    rules: list[ColumnElement[bool]] = [
        ItemStage.round == _ROUND,
        ItemStage.item.not_in(select(mine.item).where(
            mine.person == _ME, mine.stage == _STAGE, mine.round == _ROUND, mine.state.in_(TAKEN))),
        or_(ItemStage.item.not_in(select(only.item).where(only.stage == _STAGE, only.only, standing(only))),
            ItemStage.item.in_(select(me.item).where(me.person == _ME, me.stage == _STAGE, standing(me))))]
    if not allow_self:
        rules += [
            ItemStage.item.not_in(select(elsewhere.item).where(
                elsewhere.person == _ME, elsewhere.stage != _STAGE, elsewhere.state.in_(TOUCHED))),
            ItemStage.item.not_in(select(Adjudication.item).where(Adjudication.by == _ME))]
    return rules


# Statements are kept: making an alias costs more than running the query.
def open_items(rules: list[ColumnElement[bool]]) -> Select[UUID, int, int]:
    # "open > 0" stands as text: a bound 0 would keep the partial index from being used.
    return (select(ItemStage.item, ItemStage.order_key, ItemStage.rnd)
            .where(ItemStage.stage == _STAGE, literal_column("item_stage.open") > literal_column("0"), *rules)
            .order_by(ItemStage.order_key, ItemStage.rnd, ItemStage.item).limit(_LIMIT))


def whole(session: Session, *, allow_self: bool) -> Select[UUID, int, int]:
    """All of them."""
    return from_start(allow_self=allow_self, sqlite=session.get_bind().dialect.name == "sqlite")


def rest(session: Session, *, allow_self: bool) -> Select[UUID, int, int]:
    """As ``whole``, from a place on."""
    return _and_on(whole(session, allow_self=allow_self))


@cache
def from_start(*, allow_self: bool, sqlite: bool) -> Select[UUID, int, int]:
    # PostgreSQL makes a hashed join of "not exists" by itself; its "not in" is slow beyond a size.
    return open_items(_may_of_all(allow_self=allow_self) if sqlite else may(allow_self=allow_self))


@cache
def after(*, allow_self: bool) -> Select[UUID, int, int]:
    """A few items from a place on, each looked at by itself."""
    return _and_on(open_items(may(allow_self=allow_self)))


@cache
def _and_on(items: Select[UUID, int, int]) -> Select[UUID, int, int]:
    place = tuple_(bindparam("order_key", type_=Integer()), bindparam("rnd", type_=BigInteger()),
                   bindparam("item", type_=Id()))
    return items.where(tuple_(ItemStage.order_key, ItemStage.rnd, ItemStage.item) >= place)


@cache
def among(*, allow_self: bool) -> Select[UUID, int, int]:
    return open_items(may(allow_self=allow_self)).where(
        ItemStage.item.in_(bindparam("ids", expanding=True, type_=Id())))


@cache
def number(items: Select[UUID, int, int]) -> Select[int]:
    return select(func.count()).select_from(items.subquery())


@cache
def along_assignments(*, allow_self: bool) -> Select[UUID, int, int]:
    mine = aliased(Assignment)
    return (select(mine.item, ItemStage.order_key, ItemStage.rnd)
            .join(ItemStage, and_(mine.item == ItemStage.item, mine.stage == ItemStage.stage, mine.person == _ME))
            .where(mine.stage == _STAGE, mine.item >= bindparam("item", type_=Id()), standing(mine),
                   literal_column("item_stage.open") > literal_column("0"), *may(allow_self=allow_self))
            .order_by(mine.item).distinct().limit(_LIMIT))
