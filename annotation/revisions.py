"""Which revision of a task stands, and the answer rows that follow from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from annotation import answers as given
from annotation import canonical, form
from annotation.protocol import Protocol
from annotation.questions.base import number_text
from annotation.store.project import protocol_by
from annotation.store.tables import AnswerRow, Item, ItemVersion, Revision, Round, Task, Withdrawal


@dataclass(frozen=True, slots=True)
class Standing:
    """A standing revision with what its answer rows need."""

    revision: UUID
    task: UUID
    item: UUID
    item_kind: str
    stage: str
    person: UUID
    repeat_no: int
    round_kind: str
    protocol: str
    fields: Mapping[str, Any]
    answers: given.Answers
    shown: str
    after_reveal: bool

    @property
    def counts(self) -> bool:
        """Independent judgements only: ARCHITECTURE.md says why."""
        return (self.shown == "nothing" and not self.after_reveal and self.repeat_no == 0
                and self.round_kind == "main" and self.item_kind == "item" and self.stage in ("annotate", "verify"))


def answers_sha256(answers: given.Answers) -> str:
    """The hash of the canonical JSON of a revision's answers."""
    return canonical.sha256(dict(answers))


_standing = (
    select(Revision.id, Revision.task, Task.item, Item.kind, Revision.stage, Revision.person, Task.repeat_no,
           Round.kind.label("round_kind"), Revision.protocol, ItemVersion.fields_json, Revision.answers_json,
           Revision.shown, Revision.after_reveal)
    .join(Task, Task.id == Revision.task).join(Item, Item.id == Task.item).join(Round, Round.id == Task.round)
    .join(ItemVersion, ItemVersion.id == Revision.item_version)
    .where(Task.state == "submitted", ~select(Withdrawal.id).where(Withdrawal.revision == Revision.id).exists())
    .order_by(Revision.id))


def standing_of(session: Session, *, item: UUID | None = None, items: Sequence[UUID] = (),
                task: UUID | None = None) -> tuple[Standing, ...]:
    """The standing revisions of an item, of some items or of one task, in the order of time: of each submitted
    task the last one that was not withdrawn.
    """
    query = _standing.where(Task.item.in_([item] if item else items) if task is None else Task.id == task)
    last = {row[1]: row for row in session.execute(query)}
    return tuple(Standing(*row) for row in sorted(last.values(), key=lambda row: row[0]))


def answer_rows(protocol: Protocol, standing: Standing) -> list[dict[str, Any]]:
    """The rows of table ``answer`` for one standing revision: asked values, then derived ones."""
    head = {"item": standing.item, "stage": standing.stage, "person": standing.person,
            "repeat_no": standing.repeat_no, "revision": standing.revision, "form_hash": protocol.form_hash,
            "counts": standing.counts}
    rows = []
    for slot, answer in given.walk(standing.answers):
        question = protocol.question(slot.question)
        na = bool(answer.get("na"))
        rows.append({**head, "question": slot.question, "element": slot.element or "", "na": na,
                     "value_text": None if na else question.text_form(answer),
                     "value_num": None if na else question.number_form(answer)})
    for slot, answer in given.walk(form.derived(protocol, standing.fields, standing.answers)):
        na, value = bool(answer.get("na")), answer.get("v")
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        rows.append({**head, "question": slot.question, "element": slot.element or "", "na": na,
                     "value_text": None if na else number_text(value),
                     "value_num": float(value) if is_number and not na else None})  # type: ignore[arg-type]
    return rows


def write_rows(session: Session, task: UUID, *, item: UUID, stage: str, person: UUID, repeat_no: int) -> None:
    """Bring the answer rows of one task into line with its standing revision (none: no rows)."""
    session.execute(delete(AnswerRow).where(
        AnswerRow.item == item, AnswerRow.stage == stage, AnswerRow.person == person,
        AnswerRow.repeat_no == repeat_no))
    for standing in standing_of(session, task=task):
        rows = answer_rows(protocol_by(session, standing.protocol), standing)
        if rows:
            session.execute(insert(AnswerRow), rows)
