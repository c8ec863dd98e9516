# SPDX-License-Identifier: Apache-2.0
"""MCP-Bench: what an agent's calls of tools were worth, counted and judged, as one figure from 0 to 1.

Counted: ``calls`` of the row is ``{"total", "valid", "compliant", "succeeded"}``; valid tool names = valid / total,
schema compliance = compliant / valid, execution success = succeeded / total. Judged from 1 to 10, a list of several
runs counting as its mean: ``judge_score`` is ``{"task_fulfillment", "grounding", "tool_appropriateness",
"parameter_accuracy", "dependency_awareness", "parallelism_and_efficiency"}``. An axis is the mean of its two marks over
10; ``overall`` is the mean of four axes (the counted one: the mean of the three rates).
After arXiv 2508.20453 and Accenture/mcp-bench @09e5233. Own decisions: rates are means over tasks and not over calls; a
task without calls has rates of 0; a mark is divided by 10, so that the lowest mark is 0.1 and only a task that was not
done is worth 0. ``by_servers`` is the mean of the figures of each value of the fact ``servers`` (single, multi).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

import numpy as np

from exports.scorer.judging import (
    COUNTS,
    complete,
    has_failed,
    judged,
    judges,
    on_scale,
    read_verdict,
    refused,
    verdict,
    withheld,
)
from exports.scorer.metric import (
    REFUSED,
    UNPARSABLE,
    Floats,
    Metric,
    Parts,
    Reply,
    Row,
    Sums,
    Unit,
    metrics,
    no_constants,
    ratio,
)

AXES = {
    "task_completion": ("task_fulfillment", "grounding"),
    "tool_usage": ("tool_appropriateness", "parameter_accuracy"),
    "planning": ("dependency_awareness", "parallelism_and_efficiency"),
}
RATES = {"valid_tool_names": ("valid", "total"), "schema_compliance": ("compliant", "valid"),
         "execution_success": ("succeeded", "total")}
NAMES = ("overall", "schema_understanding", *AXES)


def is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def rates(calls: Any) -> dict[str, float] | None:
    """The three rates; None where a count is missing, or a part is more than the whole."""
    if not isinstance(calls, Mapping):
        return None
    found = {}
    for name, (part, whole) in RATES.items():
        above, below = calls.get(part), calls.get(whole)
        if not is_count(above) or not is_count(below) or above > below:
            return None
        found[name] = above / below if below else 0.0
    return found


def read(unit: Unit, row: Row) -> Reply:
    """(rates, axes); a row without counts of calls is unparsable."""
    if row.get("refused"):
        return REFUSED
    counted, judge = rates(row.get("calls")), row.get("judge_score")
    if counted is None:
        return UNPARSABLE
    axes = {}
    for name, criteria in AXES.items():
        marks = [on_scale(judge.get(one), 1.0, 10.0) if isinstance(judge, Mapping) else None for one in criteria]
        read = [one for one in marks if one is not None]
        if len(read) < len(marks):
            return read_verdict(row, None)
        axes[name] = sum(read) / len(read) / 10.0
    schema = sum(counted.values()) / len(counted)
    overall = (schema + sum(axes.values())) / (1 + len(axes))
    return read_verdict(row, {"overall": overall, "schema_understanding": schema, **axes, **counted})


def parts(unit: Unit, reply: Reply) -> Parts:
    """The rates alone are counted, but go with the judgement of their task."""
    found, kept = verdict(reply) or {}, float(not has_failed(reply))
    return {**judged(unit, reply, {name: found.get(name) for name in NAMES}),
            **{name: (found.get(name, 0.0) * kept, kept) for name in RATES},
            f"_of:{unit.fact('servers', 'servers')}": (found.get("overall", 0.0) * kept, kept)}


def finish(sums: Sums) -> Mapping[str, Floats]:
    each = np.stack([ratio(one) for name, one in sums.items() if name.startswith("_of:")])
    there = np.isfinite(each)
    mean = ratio(np.stack([np.where(there, each, 0.0).sum(axis=0), there.sum(axis=0)], axis=1))
    return {**complete(*NAMES)(sums), "by_servers": withheld(sums, mean)}


def oracle(unit: Unit) -> Row:
    return {"answer": "", "calls": dict.fromkeys(("total", "valid", "compliant", "succeeded"), 1),
            "judge_score": {one: 10 for criteria in AXES.values() for one in criteria}}


metrics.add("mcp_bench", Metric(
    name="mcp_bench", best=1.0, worst=0.0, headline="overall", asks=False, proportion=False, sums=COUNTS, read=read,
    parts=parts, finish=finish, beside=judges, oracle=oracle, anti=refused, constants=no_constants,
))
