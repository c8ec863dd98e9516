# SPDX-License-Identifier: Apache-2.0
"""A weighted rubric: S = sum over dimensions of w_d times the sum over criteria of w_c s_c.

The rubric is the setting ``rubric``, or the item's fact of that name, so that every item may have its own weights.
``judge_score`` holds a mark for each criterion on the setting ``scale`` ([0, 10]); a judgement that lacks one has
failed. ``score`` is S with the lowest mark as 0 and the highest as 1; ``grade`` is S as it was marked.
"""

from __future__ import annotations

from collections.abc import Sequence

from annotation.errors import N_, Refused, Where
from exports.scorer import rubrics
from exports.scorer.judging import (
    COUNTS,
    check_scale,
    complete,
    has_failed,
    judged,
    judges,
    read_verdict,
    scale_of,
    verdict,
)
from exports.scorer.metric import Metric, Parts, Reply, Row, Unit, metrics, no_constants

LOW, HIGH = 0.0, 10.0


def rubric_of(unit: Unit) -> rubrics.Rubric:
    """It was checked before."""
    found = rubrics.flat(rubrics.of(unit))
    assert found is not None, unit.id
    return found


def read(unit: Unit, row: Row) -> Reply:
    return read_verdict(row, rubrics.weighted(rubric_of(unit), row.get("judge_score"), *scale_of(unit, LOW, HIGH)))


def parts(unit: Unit, reply: Reply) -> Parts:
    low, high = scale_of(unit, LOW, HIGH)
    grade, kept = verdict(reply), float(not has_failed(reply))
    return {**judged(unit, reply, {"score": None if grade is None else (grade - low) / (high - low)}),
            "grade": ((low if grade is None else grade) * kept, kept)}


def check(units: Sequence[Unit]) -> None:
    check_scale(units)
    for unit in units:
        if rubrics.flat(rubrics.of(unit)) is None:
            raise Refused(N_("{id} has no rubric whose weights are not below 0 and sum to 1 on each level"),
                          code="bad_field", id=unit.id, where=Where(file="public/items.jsonl", item=unit.id))


def _all(unit: Unit, place: int) -> Row:
    return {"judge_score": rubrics.marked(rubric_of(unit), scale_of(unit, LOW, HIGH)[place])}


metrics.add("rubric", Metric(
    name="rubric", best=1.0, worst=0.0, headline="score", asks=False, proportion=False, sums=COUNTS, read=read,
    parts=parts, finish=complete("score"), beside=judges, oracle=lambda unit: _all(unit, 1),
    anti=lambda unit: _all(unit, 0), constants=no_constants, check=check,
))
