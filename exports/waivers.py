"""Findings that somebody takes on: kept as rows that are never changed, held against what preflight finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.orm import Session, aliased

from annotation import people, trail
from annotation.done import Done
from annotation.errors import N_, Refused, Unknown
from annotation.store.ids import new_id
from annotation.store.tables import Item, Person, Waiver
from annotation.store.types import now
from exports.preflight import Finding, kinds
from exports.preflight.finding import of_kind
from exports.published import published


@dataclass(frozen=True, slots=True)
class WaiverView:
    """``items``: keys; ``by``: the handle of who took it on."""

    id: UUID
    code: str
    items: tuple[str, ...]
    reason: str
    by: str
    person: UUID
    at: datetime


def waive(session: Session, code: str, items: Sequence[str], *, reason: str, by: UUID) -> Done:
    """Take a finding on for these items (keys). What is found later on other items is not waived.

    Raises Unknown for a code or an item that does not exist, Refused without a reason or where the finding
    cannot be waived.
    """
    people.require_right(session, by, "release")
    if not kinds[code].can_waive:
        raise Refused(N_("'{finding}' cannot be waived; it must be settled"), code="not_waivable", finding=code)
    words = published(session, reason)
    ids = _ids(session, items)
    made = new_id()
    session.execute(insert(Waiver).values(id=made, finding=code, items_json=sorted(one.hex for one in ids),
                                          reason=words, by=by, cancels=None, at=now()))
    trail.record(session, "waive", person=by, ids={"waiver": made, "finding": code, "items": len(ids)})
    return Done("Waive", frozenset({"releases"}), None, made)


def take_back(session: Session, waiver: UUID, *, by: UUID) -> Done:
    """A waiver stands no more; a release that stood on it keeps it."""
    people.require_right(session, by, "release")
    row = session.execute(select(Waiver.finding, Waiver.items_json).where(
        Waiver.id == waiver, Waiver.cancels.is_(None))).first()
    if row is None or waiver not in {one.id for one in standing(session)}:
        raise Unknown(N_("there is no waiver {waiver} that stands"), waiver=waiver.hex)
    made = new_id()
    session.execute(insert(Waiver).values(id=made, finding=row.finding, items_json=row.items_json, reason="", by=by,
                                          cancels=waiver, at=now()))
    trail.record(session, "unwaive", person=by, ids={"waiver": waiver})
    return Done("Take back waiver", frozenset({"releases"}), None, made)


def standing(session: Session) -> tuple[WaiverView, ...]:
    """Waivers that stand, oldest first."""
    other = aliased(Waiver)
    rows = session.execute(
        select(Waiver.id, Waiver.finding, Waiver.items_json, Waiver.reason, Waiver.by, Person.handle, Waiver.at)
        .join(Person, Person.id == Waiver.by)
        .where(Waiver.cancels.is_(None), ~select(other.id).where(other.cancels == Waiver.id).exists())
        .order_by(Waiver.id)).all()
    if not rows:
        return ()
    keys = {item.hex: key for item, key in session.execute(select(Item.id, Item.key))}
    return tuple(WaiverView(row.id, row.finding, tuple(sorted(keys[one] for one in row.items_json)), row.reason,
                            row.handle, row.by, row.at) for row in rows)


def held_against(findings: Iterable[Finding], waivers: Iterable[WaiverView]) -> list[Finding]:
    """The findings, each parted into what stands and what was waived, by waiver."""
    by_code: dict[str, list[WaiverView]] = {}
    for one in waivers:
        by_code.setdefault(one.code, []).append(one)
    found: list[Finding] = []
    for finding in findings:
        left = set(finding.items)
        for one in by_code.get(finding.code, ()):
            if covered := left & set(one.items):
                left -= covered
                found.append(replace(of_kind(finding.code, covered), state="waived", waiver=_about(one)))
        if len(left) == len(finding.items):
            found.append(finding)
        elif left:
            found.append(of_kind(finding.code, left, finding.evidence))
    return found


def _about(one: WaiverView) -> Mapping[str, str]:
    return {"id": one.id.hex, "reason": one.reason, "by": one.by, "day": one.at.strftime("%Y-%m-%d")}


def _ids(session: Session, items: Sequence[str]) -> set[UUID]:
    if not items:
        raise Refused(N_("name the items that this is about"), code="missing_value")
    known = {key: item for item, key in session.execute(select(Item.id, Item.key))}
    for key in items:
        if key not in known:
            raise Unknown(N_("there is no item '{key}'"), key=key)
    return {known[key] for key in items}
