"""Checking: whether what was kept of sittings fits their plans, has no gap, and is what the trail says it was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import canonical
from annotation.store.project import meta
from annotation.store.tables import Event, Sitting, SittingEvent, Trial
from studies.fact_rows import facts_sha256
from studies.plan import Plan
from studies.sittings import REGISTERED, facts

CODE = "study"


def faults(session: Session) -> list[dict[str, str]]:
    """What ``doctor`` says of the studies, as its other faults."""
    return [{"code": CODE, "message": line} for line in _lines(session)]


def _lines(session: Session) -> Iterator[str]:
    ends = _told(session, ("sitting_end", "sitting_reopen"))
    begins = {said["sitting"]: payload for said, payload in _told(session, ("sitting_begin",))}
    states = {said["sitting"]: said["state"] for said, _ in ends}
    for sitting, plan_json, state in session.execute(
            select(Sitting.id, Sitting.plan_json, Sitting.state).order_by(Sitting.at)).all():
        about = f"sitting {sitting.hex}"
        if state != (told := states.get(sitting.hex, "open")):
            yield f"{about} is {state}, and the trail says {told}"
        if begins.get(sitting.hex) != canonical.sha256(plan_json):
            yield f"the plan of {about} is not the one that it began with"
        yield from _rows(session, sitting, Plan.from_json(plan_json), about)
    for said, _ in ends:
        kept = facts(session, UUID(said["sitting"]))[:said["facts"]]
        if facts_sha256(kept) != said["facts_sha256"]:
            yield f"what was kept of sitting {said['sitting']} is not what it was when it ended"
    documents = {said["study"]: said["document_sha256"] for said, _ in _told(session, ("study_register",))}
    for key, text in meta(session).items():
        if key.startswith(REGISTERED):
            study = key.removeprefix(REGISTERED)
            if documents.get(study) != canonical.sha256(canonical.loads(text)):
                yield f"the registration of study {study[:12]} is not the one that the trail names"


def _rows(session: Session, sitting: UUID, plan: Plan, about: str) -> Iterator[str]:
    numbers = list(session.scalars(select(SittingEvent.seq).where(SittingEvent.sitting == sitting)))
    seen: set[tuple[int, int, int]] = set()
    for row in session.execute(select(Trial.block, Trial.position, Trial.item_version, Trial.condition,
                                      Trial.quality_json).where(Trial.sitting == sitting)):
        numbers.append(row.quality_json["seq"])
        place = f"trial {row.position} of block {row.block} of {about}"
        showing = (row.block, row.position, row.quality_json["attempt"])
        if showing in seen:
            yield f"{place} has two rows for showing {showing[2]}"
        seen.add(showing)
        if not (0 <= row.block < len(plan.blocks) and 0 <= row.position < len(plan.blocks[row.block].trials)):
            yield f"{place} is not in its plan"
        elif (row.item_version.hex, row.condition) != _shown(plan, row.block, row.position):
            yield f"{place} is of another item or condition than its plan says"
    if sorted(numbers) != list(range(len(numbers))):
        yield f"the numbers of what was kept of {about} have a gap"


def _shown(plan: Plan, block: int, position: int) -> tuple[str, str]:
    planned = plan.trial(block, position)
    return planned.version, planned.condition


def _told(session: Session, verbs: tuple[str, ...]) -> list[tuple[dict[str, Any], str]]:
    """(ids, hash of the payload) of these lines of the trail, the oldest first."""
    return [(row.ids_json, row.payload_sha256) for row in session.execute(
        select(Event.ids_json, Event.payload_sha256).where(Event.verb.in_(verbs)).order_by(Event.at))]
