"""TaskView: everything a page needs to show one person's turn at one item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.answers import Answers, Slot, put
from annotation.errors import N_, Unknown
from annotation.protocol import Protocol
from annotation.revisions import standing_of
from annotation.store.project import protocol_by, protocol_now
from annotation.store.tables import DraftRow, Gold, Item, ItemVersion, Revision, Task, Withdrawal


@dataclass(frozen=True, slots=True)
class TaskView:
    """``fields`` are the public ones, media as ``{"sha256", "path"}``. ``answers``: the draft, else (reopened)
    what stands. ``standing``: what a verifier may see, None where he answers blind. ``shown``: nothing or
    standing. ``revision``: the revision that stands for this task, None before the first submit.
    """

    id: UUID
    item: UUID
    item_version: UUID
    key: str
    rev: int
    stage: str
    round: UUID
    person: UUID
    state: str
    protocol_hash: str
    fields: Mapping[str, Any]
    order: Mapping[str, Any]
    answers: Answers
    standing: Answers | None
    shown: str
    revision: UUID | None
    active_ms: int


def view(session: Session, task: UUID) -> TaskView:
    """The view of a task, or Unknown."""
    row = session.execute(
        select(Task.id, Task.item, Task.item_version, Item.key, ItemVersion.rev, Task.stage, Task.round, Task.person,
               Task.state, Task.protocol, ItemVersion.fields_json, Task.order_json, Task.active_ms,
               DraftRow.answers_json)
        .join(Item, Item.id == Task.item).join(ItemVersion, ItemVersion.id == Task.item_version)
        .outerjoin(DraftRow, DraftRow.task == Task.id).where(Task.id == task)).first()
    if row is None:
        raise Unknown(N_("there is no task {task}"), task=task.hex)
    protocol = protocol_by(session, row.protocol)
    stands = None if row.state == "claimed" else newest_revision(session, task)  # what is claimed stands not yet
    draft = row.answers_json if row.answers_json is not None else stands[1] if stands else {}
    shown = shown_at(protocol, row.stage)
    return TaskView(row.id, row.item, row.item_version, row.key, row.rev, row.stage, row.round, row.person, row.state,
                    row.protocol, row.fields_json, row.order_json or {}, draft,
                    standing_values(session, row.item) if shown == "standing" else None, shown,
                    stands[0] if stands else None, row.active_ms)


def shown_at(protocol: Protocol, stage: str) -> str:
    """What somebody at this stage sees of others before he answers: nothing or standing."""
    return protocol.workflow.verify.shows if stage == "verify" else "nothing"


def newest_revision(session: Session, task: UUID) -> tuple[UUID, Any] | None:
    """(id, answers) of a task's last revision that was not withdrawn."""
    row = session.execute(
        select(Revision.id, Revision.answers_json).where(
            Revision.task == task, ~select(Withdrawal.id).where(Withdrawal.revision == Revision.id).exists())
        .order_by(Revision.id.desc()).limit(1)).first()
    return None if row is None else (row.id, row.answers_json)


def standing_values(session: Session, item: UUID) -> Answers:
    """The values that stand for an item now, asked questions only, as answers."""
    asked = {q.name for q in protocol_now(session).asked}
    values: Answers = {}
    for element, question, value in session.execute(
            select(Gold.element, Gold.question, Gold.value_json).where(Gold.item == item)
            .order_by(Gold.question, Gold.element)):
        if question in asked:
            values = put(values, Slot(question, element or None), value)
    return values


def basis_of(session: Session, item: UUID, shown: str) -> list[str] | None:
    """The revisions (hex ids) from which what was shown follows; None where nothing was shown."""
    if shown == "nothing":
        return None
    return [s.revision.hex for s in standing_of(session, items=[item]) if s.stage == "annotate"]
