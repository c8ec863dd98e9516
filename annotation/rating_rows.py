"""What the store knows about the people who answer, as plain rows: times, checks with a known answer, repeats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session, aliased

from annotation import answers as answers_of
from annotation.protocol import Protocol
from annotation.store.project import protocol_now
from annotation.store.tables import AnswerRow, Item, ItemSecret, Person, Revision, Round, Skip, Task
from annotation.store.types import as_stored, as_uuid
from annotation.votes import vote_of

ANSWERING = ("annotate", "verify")
CHECKS = ("gold_check", "attention")
NA_KEY = "\x00na"  # as Vote.key has it


@dataclass(frozen=True, slots=True)
class Known:
    """A person of the project, as the reports name him."""

    id: UUID
    handle: str
    kind: str


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer to an item whose answer is known. ``kind``: gold_check or attention; both keys as votes compare."""

    person: UUID
    item: UUID
    kind: str
    question: str
    given: str
    expected: str


@dataclass(frozen=True, slots=True)
class Repeated:
    """One repeat of an answer: the first that counts, and what the same person said again. None is N/A."""

    person: UUID
    item: UUID
    element: str
    stage: str
    question: str
    repeat_no: int
    first: str | None
    first_number: float | None
    again: str | None
    again_number: float | None


def everybody(session: Session) -> dict[UUID, Known]:
    """All people and machines by id, in the order of their handles."""
    return {row.id: Known(row.id, row.handle, row.kind) for row in session.execute(
        select(Person.id, Person.handle, Person.kind).order_by(Person.handle))}


def seconds_per_task(session: Session) -> dict[UUID, list[float]]:
    """Active seconds of every submitted turn by person; 0 where nobody measured them.

    A turn submitted twice counts once with all its time. Training, practice and checks are other work: left out.
    """
    out: dict[Any, list[float]] = {}
    for person, ms in session.execute(
            select(as_stored(session, Task.person), Task.active_ms).where(Task.state == "submitted", *_work())):
        out.setdefault(person, []).append(ms / 1000.0)
    return {as_uuid(person): found for person, found in out.items()}


def skips(session: Session) -> dict[UUID, int]:
    """How many turns each person gave up, of the same work."""
    return dict(session.execute(
        select(Skip.person, func.count(Skip.task.distinct())).join(Task, Task.id == Skip.task)
        .where(Task.state == "skipped", *_work()).group_by(Skip.person)).all())


def _work() -> tuple[Any, ...]:
    return (Task.stage.in_(ANSWERING), Task.round.in_(select(Round.id).where(Round.kind != "training")),
            Task.item.not_in(select(Item.id).where(Item.kind != "item")))


def checked(session: Session) -> list[Checked]:
    """First answers to gold checks and attention items beside what was expected of them, in the order of time.

    ``item_secret.expected_json`` has the shape of answers, ``{"verdict": {"v": "yes"}}``; a bare value is read as
    ``{"v": value}``. Answers given after others' were shown say nothing about the person and are left out.
    """
    protocol = protocol_now(session)
    rows = session.execute(
        select(AnswerRow.person, AnswerRow.item, Item.kind, AnswerRow.question, AnswerRow.element, AnswerRow.value_text,
               AnswerRow.na, Revision.item_version, ItemSecret.expected_json)
        .join(Item, Item.id == AnswerRow.item).join(Revision, Revision.id == AnswerRow.revision)
        .join(ItemSecret, ItemSecret.item_version == Revision.item_version)
        .where(Item.kind.in_(CHECKS), Item.state != "withdrawn", AnswerRow.repeat_no == 0,
               AnswerRow.stage.in_(ANSWERING), ~Revision.after_reveal, Revision.shown == "nothing")
        .order_by(Revision.id, AnswerRow.question, AnswerRow.element))
    keys: dict[UUID, dict[answers_of.Slot, str]] = {}
    out = []
    for person, item, kind, question, element, text, na, version, expected in rows:
        if version not in keys:
            keys[version] = expected_keys(protocol, expected)
        wanted = keys[version].get(answers_of.Slot(question, element or None))
        if wanted is not None:
            out.append(Checked(person, item, kind, question, NA_KEY if na else text, wanted))
    return out


def expected_keys(protocol: Protocol, expected: Any) -> dict[answers_of.Slot, str]:
    """By slot the key of the expected answer, by which votes are compared."""
    if not isinstance(expected, Mapping):
        return {}
    plain = {name: _as_answer(protocol, name, value) for name, value in expected.items()
             if name in protocol.value_names}
    nobody = UUID(int=0)
    return {slot: vote_of(protocol, slot, answer, nobody, None).key for slot, answer in answers_of.walk(plain)}


def _as_answer(protocol: Protocol, name: str, value: Any) -> Any:
    if answers_of.is_answer(value):
        return value
    if isinstance(value, Mapping) and protocol.has_question(name) and protocol.group_of(name) is not None:
        return {element: one if answers_of.is_answer(one) else {"v": one} for element, one in value.items()}
    return {"v": value}


def repeated(session: Session) -> list[Repeated]:
    """Answers that people gave again, each beside their own first one, in the order of time.

    The first counts as a judgement; the repeat was given blind, in round main or recheck, and never after the person
    saw what came of the others' answers. Whatever else was asked again measures memory or obedience.
    """
    first = aliased(AnswerRow)
    form_hash = protocol_now(session).form_hash
    rows = session.execute(
        select(AnswerRow.person, AnswerRow.item, AnswerRow.element, AnswerRow.stage, AnswerRow.question,
               AnswerRow.repeat_no, first.value_text, first.value_num, first.na, AnswerRow.value_text,
               AnswerRow.value_num, AnswerRow.na)
        .join(first, and_(first.item == AnswerRow.item, first.element == AnswerRow.element,
                          first.question == AnswerRow.question, first.stage == AnswerRow.stage,
                          first.person == AnswerRow.person, first.repeat_no == 0))
        .join(Revision, Revision.id == AnswerRow.revision).join(Task, Task.id == Revision.task)
        .join(Round, Round.id == Task.round).join(Item, Item.id == AnswerRow.item)
        .where(AnswerRow.repeat_no > 0, first.counts, Revision.shown == "nothing", ~Revision.after_reveal,
               Round.kind.in_(("main", "recheck")), Item.state != "withdrawn", AnswerRow.form_hash == form_hash,
               first.form_hash == form_hash)
        .order_by(Revision.id, AnswerRow.question, AnswerRow.element))
    return [Repeated(person, item, element, stage, question, number,
                     None if was_na else was, None if was_na else was_number,
                     None if na else text, None if na else value)
            for person, item, element, stage, question, number, was, was_number, was_na, text, value, na in rows]
