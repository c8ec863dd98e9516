"""What is due for one item: a pure function from the item's facts to the slots wanted and open at each stage."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from annotation.protocol import Protocol

ANSWERING = ("annotate", "verify")  # stages at which people answer by tasks; the others are done on the item


@dataclass(frozen=True, slots=True)
class Plan:
    """What the protocol says about its stages, as this file needs it."""

    stages: tuple[str, ...]
    people: int
    sample: float | None = None
    only: str | None = None

    @property
    def adjudicates(self) -> bool:
        return "adjudicate" in self.stages


def plan_of(protocol: Protocol) -> Plan:
    flow = protocol.workflow
    return Plan(tuple(flow.stages), flow.people_per_item, flow.verify.sample, flow.verify.only)


@dataclass(frozen=True, slots=True)
class Facts:
    """One item in one round.

    ``submitted`` and ``claimed``: people per stage. ``more``: people asked for beyond the plan (answers
    that route to another person, items sent back). ``escalated``: somebody routed it to adjudication at
    once. ``undecided``: the gold rules leave something for an adjudicator (asked only once the answers
    are in). ``signed``: a signature stands.
    """

    rnd: int
    active: bool = True
    submitted: Mapping[str, int] = field(default_factory=dict)
    claimed: Mapping[str, int] = field(default_factory=dict)
    flagged: bool = False
    more: int = 0
    escalated: bool = False
    undecided: bool = False
    adjudicated: bool = False
    signed: bool = False


@dataclass(frozen=True, slots=True)
class Due:
    """``want`` 0 with state done: the stage was passed over. A stage that is not reached yet has no Due."""

    stage: str
    want: int
    open: int
    state: str  # open, done, locked


def due(plan: Plan, facts: Facts) -> tuple[Due, ...]:
    """The stages reached, in order. Every stage ends: ``want`` has a bound and each answer counts towards it."""
    if not facts.active:
        return ()
    reached: list[Due] = []
    for stage in plan.stages:
        found = _WANTED[stage](plan, facts)
        reached.append(found)
        if found.state == "open":
            break
    if facts.signed:
        return tuple(Due(d.stage, d.want, 0, "done" if d.stage == "sign" else "locked") for d in reached)
    return tuple(reached)


def is_drawn(rnd: int, sample: float) -> bool:
    """Whether the item with this random number is in a sample of this share: the same answer for ever."""
    drawn = int.from_bytes(hashlib.sha256(f"verify {rnd}".encode()).digest()[:8], "big")
    return drawn < sample * 2**64


def _annotate(plan: Plan, facts: Facts) -> Due:
    there = facts.submitted.get("annotate", 0)
    if facts.escalated and plan.adjudicates:
        return Due("annotate", there, 0, "done")
    return _answering("annotate", plan.people + min(facts.more, plan.people), facts)


def _verify(plan: Plan, facts: Facts) -> Due:
    if facts.escalated and plan.adjudicates:
        wanted = False
    elif plan.only == "flagged":
        wanted = facts.flagged
    else:
        wanted = plan.sample is None or is_drawn(facts.rnd, plan.sample)
    return _answering("verify", max(int(wanted), facts.submitted.get("verify", 0)), facts)


def _adjudicate(plan: Plan, facts: Facts) -> Due:
    needed = facts.undecided or (facts.escalated and not facts.adjudicated)
    return Due("adjudicate", int(needed or facts.adjudicated), int(needed), "open" if needed else "done")


def _sign(plan: Plan, facts: Facts) -> Due:
    return Due("sign", 1, int(not facts.signed), "done" if facts.signed else "open")


def _answering(stage: str, want: int, facts: Facts) -> Due:
    there = facts.submitted.get(stage, 0)
    free = max(0, want - there - facts.claimed.get(stage, 0))
    return Due(stage, want, free, "open") if there < want else Due(stage, want, 0, "done")


_WANTED = {"annotate": _annotate, "verify": _verify, "adjudicate": _adjudicate, "sign": _sign}
