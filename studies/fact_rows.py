"""Facts as rows: each is checked, written once under its number, and found again by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID, uuid5

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from annotation import canonical
from annotation.errors import N_, Refused
from annotation.store.tables import SittingEvent, Trial
from annotation.store.types import now
from studies import sittings
from studies.facts import EVENTS, Event, Fact, TrialRecord
from studies.model_parts import FREE_TEXT

FREE = frozenset({"demographics", "debrief", "aborted", "refused_consent"})  # events with texts that somebody wrote
OUTCOMES = ("answered", "timeout", "skipped", "aborted")


def facts_sha256(facts: Sequence[Fact]) -> str:
    """The hash of a sitting's facts in their order, as the trail keeps it."""
    return canonical.sha256([asdict(one) for one in facts])


def checked(fact: Fact) -> dict[str, Any]:
    """The fact as plain JSON; ValueError for one that no sitting can hold, Refused for half a letter."""
    if isinstance(fact, Event):
        if fact.kind not in EVENTS:
            raise ValueError(f"no event is called {fact.kind!r}")
        if fact.kind in FREE and any(isinstance(one, str) and len(one) > FREE_TEXT for one in fact.data.values()):
            raise ValueError(f"a text of {fact.kind} has more than {FREE_TEXT} characters")
    else:
        if fact.outcome not in OUTCOMES:
            raise ValueError(f"no trial ends as {fact.outcome!r}")
        if fact.attempt < 1 or min(fact.block, fact.position) < 0:
            raise ValueError("attempts are counted from 1, places from 0")
        if any(us is not None and us < 0 for us in (fact.rt_us, fact.rt_receipt_us)):
            raise ValueError("nobody answers before the clock has started")
        if fact.outcome == "answered" and fact.response is None:
            raise ValueError("a trial that was answered has a response")
        if fact.outcome == "timeout" and (fact.response, fact.rt_us, fact.rt_receipt_us) != (None, None, None):
            raise ValueError("who did not answer in time has no response and no time")
    said = asdict(fact)
    canonical.dumps(said)  # refuses what no text and no number can be, before the database does
    return said


def write(session: Session, sitting: UUID, seq: int, fact: Fact) -> None:
    """One more row. Refused for a trial whose place is not in the plan, or which was kept under another number."""
    if isinstance(fact, Event):
        session.execute(insert(SittingEvent).values(
            sitting=sitting, seq=seq, kind=fact.kind, at_us=fact.at_us, data_json=fact.data or None))
    else:
        session.execute(insert(Trial).values(_trial_row(session, sitting, seq, fact)))


def trial_id(sitting: UUID, seq: int) -> UUID:
    """The id that the trial with this number has, whichever machine keeps it."""
    return uuid5(sitting, str(seq))


def kept_at(session: Session, sitting: UUID, *numbers: int) -> dict[int, dict[str, Any]]:
    """What was kept under these numbers, as plain JSON; those that are not there yet are left out."""
    found: dict[int, dict[str, Any]] = {}
    for row in session.execute(select(SittingEvent.seq, SittingEvent.kind, SittingEvent.at_us, SittingEvent.data_json)
                               .where(SittingEvent.sitting == sitting, SittingEvent.seq.in_(numbers))):
        found[row.seq] = asdict(Event(row.kind, row.at_us, row.data_json or {}))
    for row in session.execute(sittings.trial_columns.where(
            Trial.id.in_([trial_id(sitting, seq) for seq in numbers]))):
        found[row.quality_json["seq"]] = asdict(sittings.trial_of(row))
    return found


def _trial_row(session: Session, sitting: UUID, seq: int, fact: TrialRecord) -> dict[str, Any]:
    plan = sittings.plan_of(session, sitting)
    try:
        planned = plan.trial(fact.block, fact.position)
    except IndexError:
        raise Refused(N_("the plan has no trial {position} in block {block}"), code="bad_value",
                      position=fact.position, block=fact.block) from None
    shown = session.scalars(select(Trial.quality_json).where(
        Trial.sitting == sitting, Trial.block == fact.block, Trial.position == fact.position))
    if any(quality["attempt"] == fact.attempt for quality in shown):
        raise Refused(N_("showing {attempt} of this trial was kept before"), code="exists", attempt=fact.attempt)
    if fact.response is not None and fact.response not in planned.options:
        raise ValueError("the response is none of the options that were shown")
    return {"id": trial_id(sitting, seq), "sitting": sitting, "block": fact.block, "position": fact.position,
            "item_version": UUID(planned.version), "condition": planned.condition,
            "order_json": {"options": list(planned.options), "keys": list(planned.keys)},
            "response_json": None if fact.response is None else {"v": fact.response}, "outcome": fact.outcome,
            "onset_us": fact.onset_us, "rt_us": fact.rt_us, "rt_receipt_us": fact.rt_receipt_us,
            "quality_json": {**fact.quality, "seq": seq, "attempt": fact.attempt}, "at": now()}


