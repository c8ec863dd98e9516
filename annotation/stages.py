"""Keeps table ``item_stage`` in line with the facts: gathers them, asks ``workflow.due``, writes what changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, case, delete, func, insert, select, tuple_, update
from sqlalchemy.orm import Session, aliased

from annotation import gold, queue
from annotation.protocol import Protocol
from annotation.store import bulk
from annotation.store.project import main_round, protocol_now
from annotation.store.tables import (
    Adjudication,
    AnswerRow,
    Flag,
    Item,
    ItemStage,
    ItemVersion,
    SignOff,
    Skip,
    Task,
)
from annotation.store.types import Id
from annotation.workflow import ANSWERING, Due, Facts, due, plan_of

LIVE = ("claimed", "submitted")
CHUNK = 400


# Statements are built once: making an alias costs more than running the query.
_IDS: Any = bindparam("ids", expanding=True, type_=Id())
_tasks = (
    select(Task.item, Task.stage, Task.state, func.count())
    .where(Task.item.in_(_IDS), Task.round == bindparam("in_round", type_=Id()), Task.repeat_no == 0,
           Task.state.in_(LIVE))
    .group_by(Task.item, Task.stage, Task.state))
_items = select(Item.id, Item.rnd, Item.state).where(Item.id.in_(_IDS))
_other_flag, _other_decision, _other_signature, _other_skip = (
    aliased(Flag), aliased(Adjudication), aliased(SignOff), aliased(Skip))
_flagged = select(Flag.item).distinct().where(
    Flag.item.in_(_IDS), Flag.cancels.is_(None),
    ~select(_other_flag.id).where(_other_flag.cancels == Flag.id).exists())
_decisions = select(Adjudication.item, Adjudication.question, Adjudication.value_json).where(
    Adjudication.item.in_(_IDS), Adjudication.cancels.is_(None), Adjudication.second_of.is_(None),
    ~select(_other_decision.id).where(_other_decision.cancels == Adjudication.id).exists())
_signatures = (
    select(ItemVersion.item).distinct().join(SignOff, SignOff.item_version == ItemVersion.id)
    .where(ItemVersion.item.in_(_IDS), SignOff.kind == "sign",
           ~select(_other_signature.id).where(_other_signature.cancels == SignOff.id).exists()))
_skipped = (
    select(Task.item).distinct().join(Skip, Skip.task == Task.id)
    .where(Task.item.in_(_IDS), Task.state == "skipped", Skip.reason.in_(bindparam("reasons", expanding=True)),
           Skip.at == select(func.max(_other_skip.at)).where(_other_skip.task == Task.id).scalar_subquery()))
_here = (ItemStage.item == bindparam("one", type_=Id()), ItemStage.stage == bindparam("at_stage"))
_open = select(ItemStage.open).where(*_here)
_taken = select(func.count()).select_from(Task).where(
    Task.item == ItemStage.item, Task.stage == ItemStage.stage, Task.round == ItemStage.round, Task.repeat_no == 0,
    Task.state.in_(LIVE)).scalar_subquery()
_recount = update(ItemStage).where(*_here).values(
    open=case((ItemStage.state != "open", 0), (ItemStage.want - _taken < 0, 0), else_=ItemStage.want - _taken)
).returning(ItemStage.open).execution_options(synchronize_session=False)


def lock(session: Session, item: UUID) -> None:
    """Nobody else changes this item's facts until this transaction ends (on a server; SQLite has one writer)."""
    if session.get_bind().dialect.name != "sqlite":
        session.execute(select(Item.id).where(Item.id == item).with_for_update(key_share=True))


def refresh(session: Session, item: UUID) -> tuple[Due, ...]:
    """Recompute gold and stages of one item in this transaction, after anything that changes its facts."""
    lock(session, item)
    protocol = protocol_now(session)
    found = gold.refresh(session, item)
    facts = gather(session, protocol, [item])[item]
    wanted = due(plan_of(protocol), with_undecided(facts, bool(found.undecided)))
    _write(session, protocol, item, facts.rnd, wanted)
    return wanted


def open_fresh(session: Session, items: Sequence[tuple[bytes, int]]) -> None:
    """The first stage of items just made, in bulk: (id as 16 bytes, rnd), priority 0. Every walk begins anew."""
    if not items:
        return
    protocol = protocol_now(session)
    round, plan = main_round(session).bytes, plan_of(protocol)
    if plan.stages[0] == "annotate":  # the same for every item of which nothing is known yet
        first = due(plan, Facts(0))
        rows = [(item, d.stage, round, protocol.hash, d.want, d.open, d.state, 0, rnd)
                for item, rnd in items for d in first]
    else:
        rows = [(item, d.stage, round, protocol.hash, d.want, d.open, d.state, 0, rnd)
                for item, rnd in items for d in due(plan, Facts(rnd))]
    bulk.insert_rows(session.connection(), ItemStage,
                     ("item", "stage", "round", "protocol", "want", "open", "state", "order_key", "rnd"), rows)
    queue.rewind(session)


def recount(session: Session, item: UUID, stage: str) -> None:
    """Only the open slots of one stage: enough after a claim and a give-back, which decide nothing."""
    lock(session, item)
    place = {"one": item, "at_stage": stage}
    before = session.execute(_open, place).scalar()
    after = session.execute(_recount, place).scalar()
    if not before and after:
        queue.reopened(session, item, stage)


def recount_claimed(session: Session, item: UUID, stage: str) -> None:
    """The same after a claim, which opens nothing."""
    session.execute(_recount, {"one": item, "at_stage": stage})


def gather(session: Session, protocol: Protocol, items: Iterable[UUID]) -> dict[UUID, Facts]:
    """The facts of some items, all but ``undecided``; few queries however many there are."""
    ids, found = list(items), {}
    for start in range(0, len(ids), CHUNK):
        found.update(_gather(session, protocol, ids[start:start + CHUNK]))
    return found


def with_undecided(facts: Facts, undecided: bool) -> Facts:
    return Facts(facts.rnd, facts.active, facts.submitted, facts.claimed, facts.flagged, facts.more, facts.escalated,
                 undecided, facts.adjudicated, facts.signed)


def expected(session: Session, protocol: Protocol, items: Iterable[UUID],
             undecided: Mapping[UUID, bool]) -> dict[UUID, list[dict[str, Any]]]:
    """What ``item_stage`` should hold for some items, recomputed from facts (for ``doctor``)."""
    round, plan = main_round(session), plan_of(protocol)
    wanted = list(items)
    order = dict(session.execute(select(Item.id, Item.priority).where(Item.id.in_(wanted))).all())
    return {item: [_row(protocol, item, round, kept, rnd=facts.rnd, priority=order[item])
                   for kept in due(plan, with_undecided(facts, undecided.get(item, False)))]
            for item, facts in gather(session, protocol, wanted).items()}


def _gather(session: Session, protocol: Protocol, ids: list[UUID]) -> dict[UUID, Facts]:
    round = main_round(session)
    counts: dict[UUID, dict[str, dict[str, int]]] = {item: {"claimed": {}, "submitted": {}} for item in ids}
    for item, stage, state, n in session.execute(_tasks, {"ids": ids, "in_round": round}):
        counts[item][state][stage] = n
    flagged = set(session.execute(_flagged, {"ids": ids}).scalars())
    more = _routed_answers(session, protocol, ids)
    escalated = _escalated(session, protocol, ids)
    decided, sent_back = _adjudications(session, ids)
    for item, n in sent_back.items():
        more[item] = more.get(item, 0) + n
    signed = _signed(session, ids)
    return {row.id: Facts(
        rnd=row.rnd, active=row.state != "withdrawn", submitted=counts[row.id]["submitted"],
        claimed=counts[row.id]["claimed"], flagged=row.id in flagged, more=more.get(row.id, 0),
        escalated=row.id in escalated and row.id not in sent_back, adjudicated=row.id in decided,
        signed=row.id in signed)
        for row in session.execute(_items, {"ids": ids})}


def _routed_answers(session: Session, protocol: Protocol, ids: list[UUID]) -> dict[UUID, int]:
    """How many people gave an answer that sends the item to one more person."""
    routing = [(q.name, o.value) for q in protocol.asked for o in getattr(q, "options", None) or ()
               if getattr(o, "routes", None) == "another"]
    if not routing:
        return {}
    return dict(session.execute(
        select(AnswerRow.item, func.count(AnswerRow.person.distinct())).where(
            AnswerRow.item.in_(ids), AnswerRow.stage == "annotate", AnswerRow.repeat_no == 0,
            tuple_(AnswerRow.question, AnswerRow.value_text).in_(routing)).group_by(AnswerRow.item)).all())


def _escalated(session: Session, protocol: Protocol, ids: list[UUID]) -> set[UUID]:
    """Items that somebody skipped for a reason that goes to adjudication at once."""
    reasons = [r.value for r in protocol.workflow.skip if r.routes == "adjudicate"]
    if not reasons:
        return set()
    return set(session.execute(_skipped, {"ids": ids, "reasons": reasons}).scalars())


def _adjudications(session: Session, ids: list[UUID]) -> tuple[set[UUID], dict[UUID, int]]:
    """(items with a standing decision, how often each was sent back: rows without a question)."""
    other = aliased(Adjudication)
    decided: set[UUID] = set()
    sent_back: dict[UUID, int] = {}
    for item, question, value in session.execute(
            select(Adjudication.item, Adjudication.question, Adjudication.value_json).where(
                Adjudication.item.in_(ids), Adjudication.cancels.is_(None), Adjudication.second_of.is_(None),
                ~select(other.id).where(other.cancels == Adjudication.id).exists())):
        if question == "":
            sent_back[item] = sent_back.get(item, 0) + 1
        elif value is not None:
            decided.add(item)
    return decided, sent_back


def _signed(session: Session, ids: list[UUID]) -> set[UUID]:
    return set(session.execute(_signatures, {"ids": ids}).scalars())


def _row(protocol: Protocol, item: UUID, round: UUID, kept: Due, *, rnd: int, priority: int) -> dict[str, Any]:
    return {"item": item, "stage": kept.stage, "round": round, "protocol": protocol.hash, "want": kept.want,
            "open": kept.open, "state": kept.state, "order_key": -priority, "rnd": rnd}


def _write(session: Session, protocol: Protocol, item: UUID, rnd: int, wanted: Sequence[Due]) -> None:
    kept = {row.stage: row for row in session.execute(select(
        ItemStage.stage, ItemStage.want, ItemStage.open, ItemStage.state).where(ItemStage.item == item))}
    gone = set(kept) - {d.stage for d in wanted}
    if gone:
        session.execute(delete(ItemStage).where(ItemStage.item == item, ItemStage.stage.in_(gone)))
    for d in wanted:
        old = kept.get(d.stage)
        if old is None:
            priority = session.execute(select(Item.priority).where(Item.id == item)).scalar_one()
            session.execute(insert(ItemStage).values(
                **_row(protocol, item, main_round(session), d, rnd=rnd, priority=priority)))
        elif (old.want, old.open, old.state) != (d.want, d.open, d.state):
            session.execute(update(ItemStage).where(ItemStage.item == item, ItemStage.stage == d.stage).values(
                want=d.want, open=d.open, state=d.state).execution_options(synchronize_session=False))
        if d.open and (old is None or not old.open) and d.stage in ANSWERING:
            queue.reopened(session, item, d.stage)
