# SPDX-License-Identifier: Apache-2.0
"""Last correct step: how far along the reference steps a solution was right (PuzzleWorld, arXiv 2506.06211).

The index of the last reference step that was judged correct (from 1) over the number of steps; earlier wrong steps are
forgiven. Gold is the list of reference steps, or their number; an answer says true or false for each of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from annotation.errors import N_
from exports.scorer.metric import (
    REFUSED,
    UNPARSABLE,
    Metric,
    Parts,
    Reply,
    Row,
    Unit,
    given,
    is_number,
    metrics,
    no_constants,
    said,
    unfit,
)
from exports.scorer.metrics.steps import labels


def length(unit: Unit) -> int:
    return len(unit.gold) if isinstance(unit.gold, list) else int(unit.gold)


def read(unit: Unit, row: Row) -> Reply:
    """True or false for every step, from the answer or from ``judge_score``."""
    if row.get("refused"):
        return REFUSED
    answer = said(row)
    each = labels(row.get("judge_score") if answer is None else answer)
    return given(each) if each is not None and len(each) == length(unit) else UNPARSABLE


def parts(unit: Unit, reply: Reply) -> Parts:
    """``final``: the last step, so the answer, is right; ``correct_steps``: the share of all steps."""
    each: tuple[bool, ...] = reply.value if reply.status == "given" else ()
    last = max((n for n, right in enumerate(each, 1) if right), default=0)
    n = length(unit)
    return {"score": (last / n, 1.0), "final": (float(last == n), 1.0), "correct_steps": (float(sum(each)), float(n))}


def oracle(unit: Unit) -> Row:
    return {"answer": [True] * length(unit)}


def anti(unit: Unit) -> Row:
    return {"answer": [False] * length(unit)}


def check(units: Sequence[Unit]) -> None:
    for unit in units:
        whole = is_number(unit.gold) and unit.gold == int(unit.gold) and unit.gold > 0
        if not whole and not (isinstance(unit.gold, list) and unit.gold):
            raise unfit(unit, "last_correct_step", N_("it is neither a list of steps nor their number"))


metrics.add("last_correct_step", Metric(
    name="last_correct_step", best=1.0, worst=0.0, headline="score", asks=True, proportion=False, read=read,
    parts=parts, oracle=oracle, anti=anti, constants=no_constants, check=check,
))
