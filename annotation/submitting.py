"""Submit: one transaction that appends a revision and brings answers, gold, stages and the trail up to date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from annotation import claims, form, revisions, stages, staleness, trail, views
from annotation.done import Done, Undo
from annotation.errors import N_, Refused
from annotation.store.ids import new_id
from annotation.store.project import protocol_by, store_of
from annotation.store.tables import DraftRow, ItemVersion, Revision, Task
from annotation.store.types import now
from annotation.version import VERSION

OTHER_TEXT = "other_text"
_SUBMITTED = frozenset({"answers", "progress", "tasks", "items", "drafts", "gold", "adjudication"})


def submit(session: Session, task: UUID, answers: Mapping[str, Any], *, active_ms: int = 0, wall_ms: int = 0,
           gaps: Sequence[Any] = (), revision: UUID | None = None, at: datetime | None = None,
           again: Revision | None = None, of: UUID | None = None) -> Done:
    """Append a revision with these answers and bring answers, gold and stages up to date.

    ``revision``: an id made by the client; a second submit with it changes nothing. ``at``: when the
    answers were given, where they come from a file. ``active_ms``, ``wall_ms``, ``gaps`` ((start ms, length ms,
    focused)): of this sitting alone; what was spent on the task before is counted on (``claims.with_time``).
    ``again``: the answer of this task that is to stand again as it was given, also where its author has seen more
    since. ``of``: the version of the item that was shown.
    Raises AnswerError, NotFinished, Refused (signed, no longer open; OTHER_TEXT where another text was shown).
    """
    row = claims.task_row(session, task)
    made = revision or new_id()
    if revision is not None:
        known = session.execute(select(Revision.task).where(Revision.id == revision)).scalar()
        if known is not None:
            if known != task:
                raise Refused(N_("the id {revision} belongs to another answer"), code="exists", revision=revision.hex)
            return Done("Submit", _SUBMITTED, Undo("withdraw_submit", (revision.hex,)), revision)
    if row.state == "expired":
        claims.claim_again(session, row)
    elif row.state not in ("claimed", "submitted"):
        raise Refused(N_("this task is no longer open"), code="not_open")
    stages.lock(session, row.item)
    if of is not None and of != row.item_version:
        raise Refused(N_("the text of this item changed, and it is asked again; look at your answers once more"),
                      code=OTHER_TEXT)
    if claims.is_signed(session, row.item):
        raise Refused(N_("this item is signed; it must be unlocked first"), code="signed")
    protocol = protocol_by(session, row.protocol)
    fields = session.execute(select(ItemVersion.fields_json).where(ItemVersion.id == row.item_version)).scalar_one()
    checked = form.check_answers(protocol, fields, answers)
    earlier = session.execute(select(Revision.id).where(Revision.task == task).order_by(Revision.id.desc()).limit(1)
                              ).scalar()
    shown, moment = views.shown_at(protocol, row.stage), now()
    seen = {"shown": again.shown, "basis_json": again.basis_json, "after_reveal": again.after_reveal} if again else {
        "shown": shown, "basis_json": views.basis_of(session, row.item, shown),
        "after_reveal": claims.is_after_reveal(session, row, changed=earlier is not None)}
    spent = claims.with_time(row, active_ms, wall_ms, gaps)
    values = {
        "id": made, "task": task, "item_version": row.item_version, "person": row.person, "stage": row.stage,
        "protocol": row.protocol, "guideline_hash": protocol.guideline_hash, "answers_json": checked,
        "answers_sha256": revisions.answers_sha256(checked), **seen, "supersedes": earlier,
        "active_ms": spent["active_ms"], "wall_ms": spent["wall_ms"], "device": store_of(session).device,
        "app_version": VERSION,
        "at": at or moment,
    }
    session.execute(insert(Revision), [values])
    session.execute(update(Task).where(Task.id == task).values(
        state="submitted", lease_until=None, **spent))
    session.execute(delete(DraftRow).where(DraftRow.task == task))
    claims.after_change(session, row)
    staleness.after_answer(session, row.item, row.item_version)
    trail.record(session, "submit", person=row.person, ids={"revision": made, "task": task, "item": row.item},
                 payload={"revision": made.hex, "answers_sha256": values["answers_sha256"]})
    return Done("Submit", _SUBMITTED, Undo("withdraw_submit", (made.hex,)), made)
