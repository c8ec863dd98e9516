# SPDX-License-Identifier: Apache-2.0
"""PQR of long reports: personalisation, quality and reliability, each from 0 to 10 (Personalized Deep Research Bench).

P and Q are weighted rubrics of two levels, marked 0 to 10; the setting ``rubric``, or the item's fact of that name, is
``{"P": .., "Q": ..}``. R is about claims: with v_i true where the cited page supports a claim,
FA (factual accuracy) = 10 sum v_i / N_cited, CC (citation coverage) = 10 N_cited / N_claims, R = (FA + CC) / 2; the
value is (P + Q + R) / 3. ``judge_score`` is ``{"P": {..}, "Q": {..}, "R": {"supported": [true, ..], "claims": n}}``.
The definition is that of a note on the paper; own decisions: FA is 0 where nothing is cited, CC is 0 without claims,
and a judgement that lacks a mark or a verdict has failed as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.errors import N_, Refused, Where
from exports.scorer import rubrics
from exports.scorer.judging import COUNTS, complete, judged, judges, read_verdict, verdict
from exports.scorer.metric import Metric, Parts, Reply, Row, Unit, metrics, no_constants
from exports.scorer.metrics.claims import marks

TOP = 10.0
NAMES = ("pqr", "personalisation", "quality", "reliability", "factual_accuracy", "citation_coverage")


def rubric_of(unit: Unit, axis: str) -> rubrics.Rubric | None:
    both = rubrics.of(unit)
    return rubrics.flat(both.get(axis)) if isinstance(both, Mapping) else None


def reliability(value: Any) -> tuple[float, float] | None:
    """(FA, CC); None where a verdict is missing or there are fewer claims than cited ones."""
    supported = marks(value.get("supported"), None) if isinstance(value, Mapping) else None
    total = value.get("claims") if isinstance(value, Mapping) else None
    if supported is None or not isinstance(total, int) or isinstance(total, bool) or total < len(supported):
        return None
    cited = len(supported)
    return TOP * sum(supported) / cited if cited else 0.0, TOP * cited / total if total else 0.0


def read(unit: Unit, row: Row) -> Reply:
    """The six figures by name."""
    judge = row.get("judge_score")
    if not isinstance(judge, Mapping):
        return read_verdict(row, None)
    p, q = (rubrics.weighted(rubric_of(unit, axis) or (), judge.get(axis), 0.0, TOP) for axis in "PQ")
    r = reliability(judge.get("R"))
    if p is None or q is None or r is None:
        return read_verdict(row, None)
    both = sum(r) / 2.0
    return read_verdict(row, dict(zip(NAMES, ((p + q + both) / 3.0, p, q, both, *r), strict=True)))


def parts(unit: Unit, reply: Reply) -> Parts:
    return judged(unit, reply, verdict(reply) or dict.fromkeys(NAMES))


def check(units: Sequence[Unit]) -> None:
    for unit in units:
        if any(rubric_of(unit, axis) is None for axis in "PQ"):
            raise Refused(N_("{id} has no rubrics P and Q whose weights are not below 0 and sum to 1 on each level"),
                          code="bad_field", id=unit.id, where=Where(file="public/items.jsonl", item=unit.id))


def _all(unit: Unit, mark: float, supported: list[int]) -> Row:
    return {"judge_score": {**{axis: rubrics.marked(rubric_of(unit, axis) or (), mark) for axis in "PQ"},
                            "R": {"supported": supported, "claims": 1}}}


metrics.add("pqr", Metric(
    name="pqr", best=TOP, worst=0.0, headline="pqr", asks=False, proportion=False, sums=COUNTS, read=read, parts=parts,
    finish=complete(*NAMES), beside=judges, oracle=lambda unit: _all(unit, TOP, [1]),
    anti=lambda unit: _all(unit, 0.0, []), constants=no_constants, check=check,
))
