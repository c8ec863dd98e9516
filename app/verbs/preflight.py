"""goldsmith preflight: what is missing, weak, duplicated, leaking, identifying or unlicensed before a release."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from app.cli import Call, Outcome
from app.verbs import project
from exports import preflight, release
from exports.preflight import Finding

SHOWN = 8  # keys of items in a line


def arguments(parser: argparse.ArgumentParser) -> None:
    project.argument(parser)


def run(call: Call) -> Outcome:
    """Exit code 1 where something would stop a final release."""
    with project.reading(call, "release") as (_, session):
        found = release.examine(session, progress=call.progress)
    data = {"findings": [one.plain() for one in found], "not_searched": preflight.NOT_SEARCHED}
    lines = words_of(found) or ["nothing was found"]
    return Outcome(data, [*lines, preflight.NOT_SEARCHED], faults=any(one.state == "stops" for one in found))


def words_of(findings: Sequence[Finding]) -> list[str]:
    """A line a finding: its weight, its sentence, the first items, who waived it."""
    return [f"{one.severity:<4} {one.code}: {one.message}{_items(one)}{_state(one)}" for one in findings]


def _items(one: Finding) -> str:
    if not one.items:
        return ""
    more = f" and {len(one.items) - SHOWN:,} more" if len(one.items) > SHOWN else ""
    return f": {', '.join(one.items[:SHOWN])}{more}"


def _state(one: Finding) -> str:
    if one.waiver is not None:
        return f" (waived by {one.waiver['by']}: {one.waiver['reason']})"
    return {"stops": " (stops a final release)", "left_out": " (held back)"}.get(one.state, "")
