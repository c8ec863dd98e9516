"""What an adjudicator sees: the items that wait, and one item with all its answers and nobody's name."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from annotation import answers as answers_of
from annotation import form, gold, people, trail
from annotation.answers import Answer, Answers, Slot
from annotation.errors import N_, NotAllowed, Unknown
from annotation.protocol import Protocol
from annotation.revisions import Standing, standing_of
from annotation.store.project import protocol_now
from annotation.store.tables import Adjudication, Item, ItemStage, ItemVersion, Revision, Skip, Task
from annotation.votes import read_facts, settled, vote_of


@dataclass(frozen=True, slots=True)
class DueItem:
    """An item that waits: ``slots`` are what must be decided, ``people`` how many answered it."""

    item: UUID
    key: str
    slots: tuple[Slot, ...]
    people: int


@dataclass(frozen=True, slots=True)
class CaseAnswer:
    """One person's answers under a number; ``stage`` says whether he annotated or verified."""

    n: int
    revision: UUID
    stage: str
    answers: Answers
    active_ms: int


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One slot across the people. ``cells[i]`` is the answer of ``answers[i]``, None where he gave none: he left it
    empty (``empty``), or was not asked it.

    ``agrees``: all who answered gave the same. ``odd``: columns whose answer is not the most frequent one.
    ``standing``: the value that stands now. ``base``: for texts, what a difference is shown against (the text that
    stands, for an edit else the item's own text).
    """

    slot: Slot
    text: str
    due: bool
    agrees: bool
    cells: tuple[Answer | None, ...]
    odd: tuple[int, ...]
    empty: tuple[int, ...]
    standing: Answer | None
    base: str | None
    why: str | None


@dataclass(frozen=True, slots=True)
class Case:
    """One item before an adjudicator. ``reason_required``: the protocol wants a reason with each decision.

    ``order``: in which order options and candidates are shown to this adjudicator, drawn as for a task; empty where
    the case is not opened for somebody.
    """

    item: UUID
    version: UUID
    key: str
    rev: int
    fields: Mapping[str, Any]
    order: Mapping[str, Any]
    protocol_hash: str
    answers: tuple[CaseAnswer, ...]
    rows: tuple[CaseRow, ...]
    due: tuple[Slot, ...]
    standing: Answers
    reason_required: bool
    skips: tuple[str, ...]
    earlier: tuple[tuple[Slot, Answer, str], ...]


def adjudication_queue(session: Session, person: UUID, *, limit: int = 500) -> tuple[DueItem, ...]:
    """Items that wait for a decision which this person may take, in the order of the queue."""
    view = people.require_right(session, person, "adjudicate")
    protocol = protocol_now(session)
    query = (select(ItemStage.item).where(ItemStage.stage == "adjudicate", ItemStage.open > 0)
             .order_by(ItemStage.order_key, ItemStage.rnd, ItemStage.item).limit(limit))
    if not protocol.workflow.allow_self:
        query = query.where(~answered_by(view.id, ItemStage.item))
    items = list(session.scalars(query))
    counts = dict(session.execute(select(Task.item, func.count(Task.person.distinct())).where(
        Task.item.in_(items), Task.state == "submitted").group_by(Task.item)).all())
    return tuple(DueItem(facts.item, facts.key, gold.due_for_adjudication(protocol, gold.settled(protocol, facts)),
                         counts.get(facts.item, 0))
                 for facts in read_facts(session, protocol, items))


def waiting_for_others(session: Session, person: UUID) -> int:
    """How many items wait for a decision that this person may not take, having answered them."""
    if protocol_now(session).workflow.allow_self:
        return 0
    return session.scalar(select(func.count()).select_from(ItemStage).where(
        ItemStage.stage == "adjudicate", ItemStage.open > 0, answered_by(person, ItemStage.item))) or 0


def answered_by(person: UUID, item: Any) -> Any:
    """As a condition: ``person`` has a standing turn (annotate or verify) at ``item``."""
    return exists().where(Task.item == item, Task.person == person, Task.state == "submitted")


def check_adjudicator(session: Session, person: UUID, item: UUID) -> None:
    """Raise NotAllowed unless this person may decide about this item."""
    view = people.require_right(session, person, "adjudicate")
    if not protocol_now(session).workflow.allow_self and session.scalar(select(answered_by(person, item))):
        raise NotAllowed(N_("'{handle}' has answered this item and cannot adjudicate it"), handle=view.handle)


def open_case(session: Session, item: UUID, *, person: UUID) -> Case:
    """The case, and the fact that this person has now seen others' answers (a write)."""
    check_adjudicator(session, person, item)
    trail.reveal(session, person, item=item)
    return adjudication_case(session, item, person=person)


def adjudication_case(session: Session, item: UUID, *, person: UUID | None = None) -> Case:
    """The case without writing: for a page call ``open_case``, which records that answers were revealed."""
    return _case(session, item, person, hide=frozenset())


def case_without(session: Session, item: UUID, decided: frozenset[Slot], *, person: UUID) -> Case:
    """The case as it was before anybody decided ``decided``: these are due, and no decision is in it."""
    return _case(session, item, person, hide=decided)


def _case(session: Session, item: UUID, person: UUID | None, *, hide: frozenset[Slot]) -> Case:
    protocol = protocol_now(session)
    row = session.execute(select(Item.key, Item.current, ItemVersion.rev, ItemVersion.fields_json)
                          .join(ItemVersion, ItemVersion.id == Item.current).where(Item.id == item)).first()
    if row is None:
        raise Unknown(N_("there is no item {item}"), item=item.hex)
    facts = next(read_facts(session, protocol, [item]))
    if hide:
        facts.adjudicated.clear()
    found = settled(protocol, facts)
    given = sorted((one for one in standing_of(session, item=item) if one.repeat_no == 0),
                   key=lambda one: _place(item, one.person))
    times = dict(session.execute(select(Revision.id, Revision.active_ms).where(
        Revision.id.in_([one.revision for one in given]))).all())
    due = tuple(sorted(hide, key=str)) if hide else gold.due_for_adjudication(protocol, found)
    standing: dict[str, Any] = {}
    for slot, value in found.values.items():
        standing = answers_of.put(standing, slot, value.answer)
    derived = [dict(answers_of.walk(form.derived(protocol, one.fields, one.answers))) for one in given]
    order = {} if person is None else form.display_order(
        protocol, facts.fields, seed=f"{item.hex}:{person.hex}", item_seed=item.hex)
    asked = form.order_slots(protocol, form.all_slots(protocol, facts.fields), order)
    slots = [slot for slot in (*asked, *(s for s in due if s.element is None))
             if slot in due or any(answers_of.get(one.answers, slot) is not None for one in given)]
    return Case(
        item, row.current, row.key, row.rev, row.fields_json, order, protocol.hash,
        tuple(CaseAnswer(n, one.revision, one.stage, one.answers, times[one.revision])
              for n, one in enumerate(given, 1)),
        tuple(_row(protocol, facts.fields, slot, given, derived, due, standing, found.missing.get(slot))
              for slot in dict.fromkeys(slots)),
        due, standing, protocol.workflow.adjudicate.reason == "required", _skips(session, item),
        () if hide else _earlier(session, item))


def _place(item: UUID, person: UUID) -> bytes:
    """Orders people within one item: always the same way there, another way at the next item."""
    return hashlib.sha256(b"case" + item.bytes + person.bytes).digest()


def _row(protocol: Protocol, fields: Mapping[str, Any], slot: Slot, given: list[Standing],
         derived: list[dict[Slot, Answer]], due: tuple[Slot, ...], standing: Answers, why: str | None) -> CaseRow:
    cells = tuple(answers_of.get(one.answers, slot) or more.get(slot)
                  for one, more in zip(given, derived, strict=True))
    votes = [None if cell is None else vote_of(protocol, slot, cell, one.person, one.revision).key
             for cell, one in zip(cells, given, strict=True)]
    said = [key for key in votes if key is not None]
    most = max((said.count(key) for key in said), default=0)
    common = {key for key in said if said.count(key) == most}
    odd = tuple(n for n, key in enumerate(votes) if key is not None and key not in common)
    if len(common) > 1:  # a tie: nobody is the odd one
        odd = ()
    empty = tuple(n for n, (cell, one) in enumerate(zip(cells, given, strict=True))
                  if cell is None and slot in form.visible_slots(protocol, one.fields, one.answers))
    stands = answers_of.get(standing, slot)
    text = protocol.question(slot.question).text if protocol.has_question(slot.question) else slot.question
    return CaseRow(slot, text, slot in due, len(set(said)) <= 1, cells, odd, empty, stands,
                   _base(protocol, fields, slot, stands), why)


def _base(protocol: Protocol, fields: Mapping[str, Any], slot: Slot, stands: Answer | None) -> str | None:
    if stands is not None and isinstance(stands.get("v"), str) and protocol.scale_of(slot.question) == "text":
        return str(stands["v"])
    on = getattr(protocol.question(slot.question), "on", None) if protocol.has_question(slot.question) else None
    source = fields.get(on) if isinstance(on, str) else None
    return source if isinstance(source, str) else None


def _skips(session: Session, item: UUID) -> tuple[str, ...]:
    """Reasons for which people left the item, by time."""
    return tuple(session.scalars(select(Skip.reason).join(Task, Task.id == Skip.task)
                                 .where(Task.item == item, Task.state == "skipped").order_by(Skip.at)))


def _earlier(session: Session, item: UUID) -> tuple[tuple[Slot, Answer, str], ...]:
    """Decisions that stand, with their reasons."""
    rows = session.execute(select(
        Adjudication.id, Adjudication.question, Adjudication.element, Adjudication.value_json, Adjudication.reason,
        Adjudication.cancels).where(Adjudication.item == item, Adjudication.second_of.is_(None))
        .order_by(Adjudication.id)).all()
    cancelled = {row.cancels for row in rows}
    last = {Slot(row.question, row.element or None): (row.value_json, row.reason) for row in rows
            if row.id not in cancelled and row.value_json is not None}
    return tuple((slot, value, reason) for slot, (value, reason) in last.items())
