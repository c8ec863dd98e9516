"""What happened to one item, in the order of time: contents, answers, decisions, signatures, flags, queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.staleness import KEPT, about
from annotation.store.tables import (
    Adjudication,
    Assignment,
    Attestation,
    Flag,
    ItemVersion,
    Person,
    Query,
    QueryMessage,
    Revision,
    SignOff,
    Skip,
    Task,
    Withdrawal,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line. ``kind``: contents, kept, kept_no_more, assigned, answer, withdrawn, skipped, decided, taken_back,
    sent_back, signed, unsigned, flag, unflag, query, reply, closed. ``values`` holds what the kind has: ``rev`` and
    ``changed`` (names of fields), ``stage`` and ``answers``, ``question``, ``element`` and ``answer``, ``text`` or
    ``reason``.
    """

    at: datetime
    kind: str
    person: str
    id: UUID
    values: Mapping[str, Any] = field(default_factory=dict)


def history(session: Session, item: UUID) -> tuple[Entry, ...]:
    """Every entry of one item, the oldest first. It shows people and answers: its reader has seen them (reveal)."""
    handles = dict(session.execute(select(Person.id, Person.handle)).all())
    parts = (_contents, _kept, _assignments, _answers, _skips, _decisions, _signatures, _flags, _queries)
    found = [entry for part in parts for entry in part(session, item, handles)]
    return tuple(sorted(found, key=lambda entry: (entry.at, entry.id)))


Handles = Mapping[UUID, str]


def _contents(session: Session, item: UUID, handles: Handles) -> Iterator[Entry]:
    before: Mapping[str, Any] = {}
    for row in session.execute(select(ItemVersion.id, ItemVersion.rev, ItemVersion.fields_json, ItemVersion.at,
                                      ItemVersion.by).where(ItemVersion.item == item).order_by(ItemVersion.rev)):
        now = row.fields_json
        changed = sorted(name for name in {*before, *now} if before.get(name) != now.get(name)) if row.rev > 1 else []
        yield Entry(row.at, "contents", handles[row.by], row.id, {"rev": row.rev, "changed": changed})
        before = now


def _kept(session: Session, item: UUID, handles: Handles) -> Iterator[Entry]:
    for row in session.execute(select(Attestation.id, Attestation.at, Attestation.person, Attestation.kind,
                                      Attestation.value_json).where(about(item))):
        yield Entry(row.at, "kept" if row.kind == KEPT else "kept_no_more", handles[row.person], row.id,
                    {"reason": row.value_json.get("reason", "")})


def _assignments(session: Session, item: UUID, handles: Handles) -> Iterator[Entry]:
    for row in session.execute(select(Assignment.id, Assignment.at, Assignment.by, Assignment.person, Assignment.stage,
                                      Assignment.only, Assignment.cancels).where(Assignment.item == item)):
        yield Entry(row.at, "unassigned" if row.cancels else "assigned", handles[row.by], row.id,
                    {"to": handles[row.person], "stage": row.stage, "only": row.only})


def _answers(session: Session, item: UUID, handles: Handles) -> Iterator[Entry]:
    for row in session.execute(
            select(Revision.id, Revision.at, Revision.person, Revision.stage, Revision.answers_json, Revision.shown,
                   Revision.after_reveal, Revision.supersedes, Revision.active_ms)
            .join(Task, Task.id == Revision.task).where(Task.item == item)):
        yield Entry(row.at, "answer", handles[row.person], row.id, {
            "stage": row.stage, "answers": row.answers_json, "shown": row.shown, "after_reveal": row.after_reveal,
            "changed": row.supersedes is not None, "active_ms": row.active_ms})
    for row in session.execute(
            select(Withdrawal.id, Withdrawal.at, Withdrawal.person, Withdrawal.reason, Withdrawal.revision, Task.stage)
            .join(Revision, Revision.id == Withdrawal.revision).join(Task, Task.id == Revision.task)
            .where(Task.item == item)):
        yield Entry(row.at, "withdrawn", handles[row.person], row.id,
                    {"stage": row.stage, "reason": row.reason, "revision": row.revision})


def _skips(session: Session, item: UUID, handles: Handles) -> Iterator[Entry]:
    for row in session.execute(select(Skip.id, Skip.at, Skip.person, Skip.reason, Task.stage)
                               .join(Task, Task.id == Skip.task).where(Task.item == item)):
        yield Entry(row.at, "skipped", handles[row.person], row.id, {"stage": row.stage, "reason": row.reason})


def _decisions(session: Session, item: UUID, handles: Handles) -> Iterator[Entry]:
    for row in session.execute(select(Adjudication).where(Adjudication.item == item)).scalars():
        kind = "taken_back" if row.cancels else "sent_back" if row.question == "" else "decided"
        yield Entry(row.at, kind, handles[row.by], row.id, {
            "question": row.question, "element": row.element or None, "answer": row.value_json, "reason": row.reason})


def _signatures(session: Session, item: UUID, handles: Handles) -> Iterator[Entry]:
    for row in session.execute(
            select(SignOff.id, SignOff.at, SignOff.person, SignOff.kind, SignOff.meaning, SignOff.reason)
            .join(ItemVersion, ItemVersion.id == SignOff.item_version).where(ItemVersion.item == item)):
        yield Entry(row.at, "signed" if row.kind == "sign" else "unsigned", handles[row.person], row.id,
                    {"meaning": row.meaning, "reason": row.reason})


def _flags(session: Session, item: UUID, handles: Handles) -> Iterator[Entry]:
    for row in session.execute(select(Flag).where(Flag.item == item)).scalars():
        yield Entry(row.at, "unflag" if row.cancels else "flag", handles[row.person], row.id, {"text": row.text})


def _queries(session: Session, item: UUID, handles: Handles) -> Iterator[Entry]:
    for query, question in session.execute(select(Query.id, Query.question).where(Query.item == item)).all():
        messages = session.execute(select(QueryMessage).where(QueryMessage.query == query)
                                   .order_by(QueryMessage.id)).scalars().all()
        for n, row in enumerate(messages):
            kind = "query" if n == 0 else "closed" if row.closes else "reply"
            yield Entry(row.at, kind, handles[row.by], row.id, {"question": question, "text": row.text, "query": query})
