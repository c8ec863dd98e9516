"""The audit trail: who did what to which ids, chained per device, without a text or a name in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from annotation import canonical
from annotation.store import chain
from annotation.store.chain import ChainReport
from annotation.store.project import store_of
from annotation.store.tables import Event

__all__ = ["ChainReport", "record", "reveal", "verify_chain", "was_revealed"]


def record(session: Session, verb: str, *, person: UUID | None, ids: Mapping[str, Any], payload: Any = None) -> None:
    """Append one event in this transaction. ``payload`` is hashed, not kept; short texts in it must be salted."""
    chain.append(session, store_of(session).device, verb, person=person, ids=ids, payload=payload)


def reveal(session: Session, person: UUID, *, item: UUID | None = None) -> None:
    """Remember that ``person`` was shown what comes from others: of one item, or (None) of the project.

    Agreement, gold, an adjudication case or an item's history call this before they show. A later
    change of that person's answer is marked ``after_reveal``. One event per person and item.
    """
    if not was_revealed(session, person, item=item):
        ids = {"item": item} if item else {}
        record(session, "reveal", person=person, ids=ids, payload=_what(person, item))


def was_revealed(session: Session, person: UUID, *, item: UUID | None = None) -> bool:
    """Whether exactly this (the item, or with None the project) was revealed to ``person``."""
    return session.execute(select(Event.seq).where(
        Event.person == person, text("verb = 'reveal'"),  # the literal lets the partial index serve
        Event.payload_sha256 == canonical.sha256(_what(person, item))).limit(1)).first() is not None


def verify_chain(session: Session) -> ChainReport:
    """Whether every line of every device's chain fits the line before."""
    return chain.verify(session)


def _what(person: UUID, item: UUID | None) -> dict[str, str]:
    return {"person": person.hex, "item": item.hex if item else ""}
