"""Whether an item is stale: something that stands on it was said of a text that is no longer its own."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.orm import Session, aliased

from annotation.revisions import standing_of
from annotation.store.tables import Adjudication, Item, ItemVersion, Revision, SignOff


def refresh(session: Session, item: UUID) -> None:
    """Bring the state of an item that is not withdrawn in line with what stands on it. Contents count, not versions:
    an item whose old text came back is as it was.
    """
    state = session.execute(select(Item.state).where(Item.id == item)).scalar_one()
    if state == "withdrawn":
        return
    now = "stale" if _is_stale(session, item) else "active"
    if now != state:
        session.execute(update(Item).where(Item.id == item).values(state=now)
                        .execution_options(synchronize_session=False))


def after_answer(session: Session, item: UUID, version: UUID) -> None:
    """The same after an answer to ``version`` came or went: nothing to do if that is the text of an active item."""
    current, state = session.execute(select(Item.current, Item.state).where(Item.id == item)).one()
    if state == "stale" or current != version:
        refresh(session, item)


def _is_stale(session: Session, item: UUID) -> bool:
    versions = session.execute(select(ItemVersion.id, ItemVersion.sha256, Item.current).join(
        Item, Item.id == ItemVersion.item).where(ItemVersion.item == item).order_by(ItemVersion.rev)).all()
    content = {row.id: row.sha256 for row in versions}
    wanted = content[versions[0].current]
    if set(content.values()) == {wanted}:
        return False
    answers = [one.revision for one in standing_of(session, item=item)]
    seen = set(session.scalars(select(Revision.item_version).where(Revision.id.in_(answers))))
    cancel, cancelled = aliased(SignOff), aliased(Adjudication)
    seen |= set(session.scalars(select(SignOff.item_version).where(
        SignOff.item_version.in_(content), SignOff.kind == "sign",
        ~select(cancel.id).where(cancel.cancels == SignOff.id).exists())))
    for decision in session.scalars(select(Adjudication.id).where(
            Adjudication.item == item, Adjudication.cancels.is_(None), Adjudication.second_of.is_(None),
            Adjudication.question != "",
            ~select(cancelled.id).where(cancelled.cancels == Adjudication.id).exists())):
        seen.add(max((row.id for row in versions if row.id < decision), default=versions[0].id))  # ids rise with time
    return any(content[version] != wanted for version in seen)
