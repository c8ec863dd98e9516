"""What becomes of a stale item: what was said of its old text is still valid, or whoever said it is asked again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from annotation import adjudicating, claims, form, people, rights, stages, staleness, trail
from annotation import answers as given
from annotation.canonical import check_text
from annotation.done import Done, Undo
from annotation.draft import Draft
from annotation.errors import N_, Refused, Unknown
from annotation.revisions import standing_of
from annotation.store.ids import new_id
from annotation.store.project import protocol_by
from annotation.store.tables import (
    Adjudication,
    Attestation,
    DraftRow,
    Item,
    ItemVersion,
    Release,
    ReleaseItem,
    Revision,
    Task,
    Withdrawal,
)
from annotation.store.types import now
from annotation.submitting import submit

TOUCHED = frozenset({"answers", "progress", "tasks", "items", "drafts", "gold", "adjudication"})
RIGHT = "settle_stale"
BEGUN = N_("somebody has begun to answer this item again")
SIGNED = N_("this item was signed since; it must be unlocked first")


@dataclass(frozen=True, slots=True)
class Settles:
    """What can be done about a stale item: ``is_signed``: nothing until it is unlocked; ``may``: whether he may."""

    is_signed: bool
    may: bool


def settles(session: Session, item: UUID, *, person: UUID) -> Settles | None:
    """None where the item is not stale."""
    if session.scalar(select(Item.state).where(Item.id == item)) != "stale":
        return None
    return Settles(claims.is_signed(session, item), rights.may(people.by_id(session, person).roles, RIGHT))


def still_valid(session: Session, item: UUID, *, by: UUID, reason: str = "") -> Done:
    """Say that what stands on a stale item holds for its text of now; where the text changes again, it is stale again.

    Raises NotAllowed, Refused (not stale, signed).
    """
    wanted = _open_to(session, item, by)
    _, old = staleness.old_contents(session, item)
    made = new_id()
    session.execute(insert(Attestation).values(
        id=made, person=by, kind=staleness.KEPT, at=now(),
        value_json={"item": item.hex, "content": wanted, "of": sorted(old), "reason": check_text(reason.strip())}))
    staleness.refresh(session, item)
    trail.record(session, "still_valid", person=by, ids={"item": item, "attestation": made},
                 payload={"content": wanted, "of": sorted(old)})
    return Done("Still valid", TOUCHED, Undo("not_still_valid", (made.hex,)), made)


def undo_still_valid(session: Session, attestation: UUID, *, by: UUID) -> Done:
    """The item is stale again. Refused where that was said already, or a final release holds the item since."""
    people.require_right(session, by, RIGHT)
    row = session.execute(select(Attestation.value_json, Attestation.at).where(Attestation.id == attestation)).one()
    item = UUID(row.value_json["item"])
    cancelled = session.scalars(select(Attestation.value_json).where(Attestation.kind == staleness.KEPT_NO_MORE))
    if any(value["cancels"] == attestation.hex for value in cancelled):
        raise Refused(N_("this was taken back already"), code="built_on")
    if claims.is_signed(session, item):
        raise Refused(SIGNED, code="built_on")
    released = session.scalar(select(Release.version).join(ReleaseItem, ReleaseItem.release == Release.id).join(
        Item, Item.current == ReleaseItem.item_version).where(
        Item.id == item, Release.kind == "final", Release.created >= row.at).limit(1))
    if released is not None:
        raise Refused(N_("release {version} holds this item since"), code="built_on", version=released)
    made = new_id()
    session.execute(insert(Attestation).values(
        id=made, person=by, kind=staleness.KEPT_NO_MORE, at=now(),
        value_json={"item": item.hex, "cancels": attestation.hex}))
    staleness.refresh(session, item)
    trail.record(session, "not_still_valid", person=by, ids={"item": item, "attestation": made, "cancels": attestation})
    return Done("Not still valid", TOUCHED, Undo("still_valid", (item.hex,)), made)


def ask_again(session: Session, item: UUID, *, by: UUID, reason: str = "") -> Done:
    """Take what was said of the old text out; whoever said it finds the item again, his answers as a draft.

    Answers to an edit are not in the draft, since they begin with the old text. Decisions about the old text are
    taken back. Raises NotAllowed, Refused (not stale, signed).
    """
    wanted = _open_to(session, item, by)
    current = session.execute(select(ItemVersion.id, ItemVersion.fields_json).join(
        Item, Item.current == ItemVersion.id).where(Item.id == item)).one()
    decisions = list(staleness.decisions_of(session, item))
    if decisions:  # all of them: they rest on answers of which some are asked again
        adjudicating.undo_adjudicate(session, decisions, by=by)
    asked, gone = [], []
    for one in standing_of(session, item=item):
        if _content_of(session, one.revision) != wanted:
            asked.append(one.task)
            gone += _ask(session, one, current, by=by, reason=check_text(reason.strip()) or "asked again")
    stages.refresh(session, item)
    staleness.refresh(session, item)
    trail.record(session, "ask_again", person=by, ids={
        "item": item, "tasks": asked, "revisions": gone, "adjudications": decisions})
    ids = (item, *asked, *gone, *decisions)
    return Done("Ask again", TOUCHED, Undo("unask_again", tuple(one.hex for one in ids)), len(asked))


def undo_ask_again(session: Session, item: UUID, ids: tuple[UUID, ...], *, by: UUID) -> Done:
    """What was said of the old text stands again. Refused once somebody has begun to answer or decide again.

    ``ids``: the tasks that were asked again, the answers that were taken out, and the decisions that rested on them.
    """
    people.require_right(session, by, RIGHT)
    if claims.is_signed(session, item):
        raise Refused(SIGNED, code="built_on")
    rows = [claims.task_row(session, task) for task in session.scalars(
        select(Task.id).where(Task.id.in_(ids)).order_by(Task.at))]
    stood = [session.execute(select(Revision).where(Revision.task == row.id, Revision.id.in_(ids))
                             .order_by(Revision.id.desc()).limit(1)).scalar_one() for row in rows]
    if any(row.state != "expired" or _is_begun(session, row, last) for row, last in zip(rows, stood, strict=True)):
        raise Refused(BEGUN, code="built_on")
    decided = [one for one in ids if session.get(Adjudication, one) is not None]
    if decided and staleness.decisions_of(session, item):
        raise Refused(N_("this item was adjudicated since; take that back first"), code="built_on")
    for row, last in zip(rows, stood, strict=True):
        claims.claim_again(session, row)
        session.execute(update(Task).where(Task.id == row.id).values(item_version=last.item_version))
        submit(session, row.id, last.answers_json, again=last)
    if decided:
        adjudicating.decide_again(session, decided, by=by)
    staleness.refresh(session, item)
    trail.record(session, "unask_again", person=by, ids={"item": item, "tasks": [row.id for row in rows]})
    return Done("Take back asking again", TOUCHED, Undo("ask_again", (item.hex,)), item)


def _is_begun(session: Session, row: Any, last: Revision) -> bool:
    """Whether the draft is no longer what was laid there when its author was asked again."""
    fields = session.execute(select(ItemVersion.fields_json).where(ItemVersion.id == row.item_version)).scalar_one()
    order = session.execute(select(Task.order_json).where(Task.id == row.id)).scalar_one()
    draft = session.execute(select(DraftRow.answers_json).where(DraftRow.task == row.id)).scalar()
    return draft != _draft(protocol_by(session, row.protocol), fields, order, last.answers_json)


def _open_to(session: Session, item: UUID, by: UUID) -> str:
    """The hash of what the item says now; NotAllowed or Refused where nothing can be done about it."""
    people.require_right(session, by, RIGHT)
    stages.lock(session, item)
    state = session.scalar(select(Item.state).where(Item.id == item))
    if state is None:
        raise Unknown(N_("there is no item {item}"), item=item.hex)
    if state != "stale":
        raise Refused(N_("this item is not stale: nothing was said of another text"), code="not_open")
    if claims.is_signed(session, item):
        raise Refused(N_("this item is signed; it must be unlocked first"), code="signed")
    return str(session.scalar(select(ItemVersion.sha256).join(Item, Item.current == ItemVersion.id)
                              .where(Item.id == item)))


def _content_of(session: Session, revision: UUID) -> str | None:
    return session.scalar(select(ItemVersion.sha256).join(Revision, Revision.item_version == ItemVersion.id)
                          .where(Revision.id == revision))


def _ask(session: Session, one: Any, current: Any, *, by: UUID, reason: str) -> list[UUID]:
    """Withdraw what stands of one task, and make it its author's again, of the text of now."""
    row = claims.task_row(session, one.task)
    gone = list(session.scalars(select(Revision.id).where(
        Revision.task == one.task, ~select(Withdrawal.id).where(Withdrawal.revision == Revision.id).exists())
        .order_by(Revision.id)))
    session.execute(insert(Withdrawal), [
        {"id": new_id(), "revision": revision, "person": by, "reason": reason, "at": now()} for revision in gone])
    protocol = protocol_by(session, row.protocol)
    order = form.display_order(protocol, current.fields_json, seed=f"{row.item.hex}:{row.person.hex}",
                               item_seed=row.item.hex)
    session.execute(update(Task).where(Task.id == one.task).values(
        state="expired", item_version=current.id, order_json=order, lease_until=None))
    session.execute(delete(DraftRow).where(DraftRow.task == one.task))
    claims.keep_draft(session, one.task, _draft(protocol, current.fields_json, order, one.answers))
    claims.after_change(session, row)
    return gone


def _draft(protocol: Any, fields: Any, order: Any, answers: given.Answers) -> given.Answers:
    """The answers that can be given to this text, too."""
    draft = Draft(protocol, fields, order=order)
    draft.take(answers)
    return draft.answers
