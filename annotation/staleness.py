"""Whether an item is stale: something that stands on it was said of a text that is no longer its own."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import ColumnElement, Text, and_, select, type_coerce, update
from sqlalchemy.orm import Session, aliased

from annotation.revisions import standing_of
from annotation.store.tables import Adjudication, Attestation, Item, ItemVersion, Revision, SignOff

KEPT, KEPT_NO_MORE = "still_valid", "not_still_valid"  # kinds of attestation


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


def old_contents(session: Session, item: UUID) -> tuple[str, frozenset[str]]:
    """The hash of what the item says now, and of every other contents of which something is said that stands."""
    versions = session.execute(select(ItemVersion.id, ItemVersion.sha256, Item.current).join(
        Item, Item.id == ItemVersion.item).where(ItemVersion.item == item).order_by(ItemVersion.rev)).all()
    content = {row.id: row.sha256 for row in versions}
    wanted = content[versions[0].current]
    if set(content.values()) == {wanted}:
        return wanted, frozenset()
    answers = [one.revision for one in standing_of(session, item=item)]
    seen = set(session.scalars(select(Revision.item_version).where(Revision.id.in_(answers))))
    cancel = aliased(SignOff)
    seen |= set(session.scalars(select(SignOff.item_version).where(
        SignOff.item_version.in_(content), SignOff.kind == "sign",
        ~select(cancel.id).where(cancel.cancels == SignOff.id).exists())))
    for decision in decisions_of(session, item):
        seen.add(max((row.id for row in versions if row.id < decision), default=versions[0].id))  # ids rise with time
    return wanted, frozenset(content[version] for version in seen) - {wanted}


def decisions_of(session: Session, item: UUID) -> tuple[UUID, ...]:
    """The decisions about an item that stand, the oldest first."""
    cancelled = aliased(Adjudication)
    return tuple(session.scalars(select(Adjudication.id).where(
        Adjudication.item == item, Adjudication.cancels.is_(None), Adjudication.second_of.is_(None),
        Adjudication.question != "",
        ~select(cancelled.id).where(cancelled.cancels == Adjudication.id).exists()).order_by(Adjudication.id)))


def kept_contents(session: Session, item: UUID, wanted: str) -> frozenset[str]:
    """The contents of which somebody said that what was said of them holds for ``wanted``, too."""
    kept: dict[str, list[str]] = {}
    for made, kind, value in session.execute(
            select(Attestation.id, Attestation.kind, Attestation.value_json).where(about(item))
            .order_by(Attestation.id)):
        if kind == KEPT_NO_MORE:
            kept.pop(value["cancels"], None)
        elif value["content"] == wanted:
            kept[made.hex] = value["of"]
    return frozenset(content for of in kept.values() for content in of)


def about(item: UUID) -> ColumnElement[bool]:
    """The attestations that what was said of an item holds, and those that cancel one."""
    return and_(Attestation.kind.in_((KEPT, KEPT_NO_MORE)),
                type_coerce(Attestation.value_json, Text).like(f"%{item.hex}%"))


def _is_stale(session: Session, item: UUID) -> bool:
    wanted, old = old_contents(session, item)
    return bool(old) and not old <= kept_contents(session, item, wanted)
