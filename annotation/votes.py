"""What people said about items, read from the store as votes, adjudications, repairs and signatures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import form
from annotation.answers import Answer, Slot, walk
from annotation.derive import chosen_from, group_field
from annotation.gold_item import Decided, Models, settle
from annotation.gold_model import read_models
from annotation.gold_rules import ItemGold, Vote
from annotation.protocol import Protocol
from annotation.questions.base import number_text
from annotation.store.tables import Adjudication, AnswerRow, Item, ItemVersion, Revision, SignOff

CHUNK = 400  # ids in one IN list: SQLite binds at most 32,766 values


@dataclass(slots=True)
class ItemFacts:
    """One item's facts. ``votes``: answers that count; ``repaired``: of verifiers who saw the standing value."""

    item: UUID
    version: UUID
    key: str
    fields: Mapping[str, Any]
    votes: dict[Slot, list[Vote]] = field(default_factory=dict)
    adjudicated: dict[Slot, Decided] = field(default_factory=dict)
    repaired: dict[Slot, Decided] = field(default_factory=dict)
    signed: UUID | None = None  # the sign_off that stands
    models: Models = field(default_factory=dict)  # people's error rates, where a gold rule reads them


def read_facts(session: Session, protocol: Protocol, items: Sequence[UUID]) -> Iterator[ItemFacts]:
    """The facts of ``items``, in their order, in few queries however many there are."""
    models = read_models(session, protocol)
    for start in range(0, len(items), CHUNK):
        chunk = items[start : start + CHUNK]
        rows = session.execute(select(Item.id, Item.key, Item.current, ItemVersion.fields_json)
                               .join(ItemVersion, ItemVersion.id == Item.current).where(Item.id.in_(chunk)))
        found = {row.id: ItemFacts(row.id, row.current, row.key, row.fields_json, models=models) for row in rows}
        _read_votes(session, protocol, found)
        _read_adjudications(session, protocol, found)
        _read_signatures(session, found)
        yield from (found[item] for item in chunk if item in found)


def settled(protocol: Protocol, facts: ItemFacts) -> ItemGold:
    """All gold of one item by its facts, whatever the table holds."""
    return settle(protocol, facts.fields, facts.votes, adjudicated=facts.adjudicated, repaired=facts.repaired,
                  models=facts.models)


def fits(protocol: Protocol, fields: Mapping[str, Any], slot: Slot, answer: Answer) -> bool:
    """Whether all that an answer names (its element, the candidates in its value) is among these fields.

    An answer to an earlier version of the item may name what is there no more; then it supports no gold.
    """
    of = group_field(protocol, slot.question) if slot.element is not None else None
    if of is not None and slot.element not in {one.id for one in form.elements(protocol, fields, of)}:
        return False
    chosen = chosen_from(protocol, slot.question)
    if chosen is None or answer.get("na"):
        return True
    value = answer.get("v")
    return {str(one) for one in (value if isinstance(value, list) else [value])} <= {
        *(one.id for one in form.elements(protocol, fields, chosen)), *_TIES}


_TIES = ("tie", "both_good", "both_bad")


def vote_of(protocol: Protocol, slot: Slot, answer: Answer, person: UUID, revision: UUID | None) -> Vote:
    """A vote with the text and the number by which its question compares answers."""
    if answer.get("na"):
        return Vote(person, answer, None, None, revision)
    if protocol.has_question(slot.question):
        question = protocol.question(slot.question)
        return Vote(person, answer, question.text_form(answer), question.number_form(answer), revision)
    value = answer.get("v")  # derived
    number = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    return Vote(person, answer, number_text(value), number, revision)


def _read_votes(session: Session, protocol: Protocol, found: dict[UUID, ItemFacts]) -> None:
    rows = session.execute(
        select(AnswerRow.item, AnswerRow.counts, Revision.id, Revision.person, Revision.stage, Revision.shown,
               Revision.after_reveal, Revision.answers_json, Revision.item_version)
        .join(Revision, Revision.id == AnswerRow.revision)
        .where(AnswerRow.item.in_(found), AnswerRow.repeat_no == 0)
        .distinct().order_by(Revision.id)).all()  # ids rise with time
    earlier = _fields_of(session, {row.item_version for row in rows if row.item_version != found[row.item].version})
    for item, counts, revision, person, stage, shown, after_reveal, given, version in rows:
        facts = found[item]
        said = [*walk(given), *walk(form.derived(protocol, earlier.get(version, facts.fields), given))]
        if version in earlier:
            said = [(slot, answer) for slot, answer in said if fits(protocol, facts.fields, slot, answer)]
        if counts:
            for slot, answer in said:
                facts.votes.setdefault(slot, []).append(vote_of(protocol, slot, answer, person, revision))
        elif stage == "verify" and shown == "standing" and not after_reveal:
            for slot, answer in said:
                facts.repaired[slot] = Decided(answer, revision)


def _fields_of(session: Session, versions: set[UUID]) -> dict[UUID, Mapping[str, Any]]:
    if not versions:
        return {}
    return {row.id: row.fields_json for row in session.execute(
        select(ItemVersion.id, ItemVersion.fields_json).where(ItemVersion.id.in_(versions)))}


def _read_adjudications(session: Session, protocol: Protocol, found: dict[UUID, ItemFacts]) -> None:
    rows = session.execute(select(
        Adjudication.id, Adjudication.item, Adjudication.element, Adjudication.question, Adjudication.value_json,
        Adjudication.cancels).where(Adjudication.item.in_(found), Adjudication.second_of.is_(None))
        .order_by(Adjudication.id)).all()
    cancelled = {row.cancels for row in rows if row.cancels is not None}
    for row in rows:
        if row.id not in cancelled and row.value_json is not None:
            slot = Slot(row.question, row.element or None)
            if fits(protocol, found[row.item].fields, slot, row.value_json):
                found[row.item].adjudicated[slot] = Decided(row.value_json, row.id)


def _read_signatures(session: Session, found: dict[UUID, ItemFacts]) -> None:
    rows = session.execute(select(SignOff.id, SignOff.kind, SignOff.cancels, ItemVersion.item)
                           .join(ItemVersion, ItemVersion.id == SignOff.item_version)
                           .where(ItemVersion.item.in_(found)).order_by(SignOff.id)).all()
    cancelled = {row.cancels for row in rows if row.cancels is not None}
    for row in rows:
        if row.kind == "sign" and row.id not in cancelled:
            found[row.item].signed = row.id


def signature_of(session: Session, item: UUID) -> UUID | None:
    """The signature that stands on an item (on any version of it), or None."""
    rows = session.execute(select(SignOff.id, SignOff.kind, SignOff.cancels).join(
        ItemVersion, ItemVersion.id == SignOff.item_version).where(ItemVersion.item == item).order_by(SignOff.id)).all()
    cancelled = {row.cancels for row in rows if row.cancels is not None}
    return next((row.id for row in reversed(rows) if row.kind == "sign" and row.id not in cancelled), None)
