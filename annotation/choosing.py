"""A person goes to an item of his choice: a place there, with an order drawn, or the sentence why there is none."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import claims, queue
from annotation.errors import N_, Refused
from annotation.store.project import protocol_now
from annotation.store.tables import Item, ItemStage


def claim_open(session: Session, person: UUID, stage: str, item: UUID) -> UUID:
    """Claim a free place at this item for somebody who has no turn there yet. Raises Refused with the reason."""
    allow_self = protocol_now(session).workflow.allow_self
    found = queue.find(session, person, stage, item, allow_self=allow_self)
    if found is None:
        raise _why_not(session, person, stage, item)
    task = claims.claim_chosen(session, person, stage, found)
    if task is None:
        raise _taken()
    return task


def _why_not(session: Session, person: UUID, stage: str, item: UUID) -> Refused:
    place = session.execute(select(ItemStage.state, ItemStage.open, Item.state.label("item_state")).join(
        Item, Item.id == ItemStage.item).where(ItemStage.item == item, ItemStage.stage == stage)).first()
    if place is None:
        withdrawn = session.scalar(select(Item.state).where(Item.id == item)) == "withdrawn"
        return Refused(N_("this item was withdrawn"), code="withdrawn") if withdrawn else \
            Refused(N_("this item has not come to the stage {stage} yet"), code="not_open", stage=stage)
    if place.state == "locked" or claims.is_signed(session, item):
        return Refused(N_("this item is signed; it must be unlocked first"), code="signed")
    if place.open <= 0:
        return _taken()
    if queue.is_reserved(session, person, stage, item):
        return Refused(N_("this item is assigned to others alone"), code="not_assigned")
    return Refused(N_("you have worked on this item at another stage"), code="own_item")


def _taken() -> Refused:
    return Refused(N_("others have taken all places at this item"), code="taken")
