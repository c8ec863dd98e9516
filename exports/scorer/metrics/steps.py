# SPDX-License-Identifier: Apache-2.0
"""Steps of a solution: where the first error is, and which steps are right (ProcessBench, arXiv 2412.06559).

Gold and answers are the index of the first wrong step (from 0; -1 where all are right), or a list with true or false
for every step. ``f1`` is the harmonic mean of the share found on faulty traces and of the share of clean traces called
clean. Lists of another length than gold's are unparsable: they are never cut to fit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from annotation.errors import N_
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
    given,
    metrics,
    ratio,
    said,
    unfit,
)
from exports.scorer.numbers import exact


def labels(value: Any) -> tuple[bool, ...] | None:
    """A list of true and false (or 1 and 0) as booleans; None for anything else."""
    if not isinstance(value, list) or not value or any(one not in (0, 1) for one in value):
        return None
    return tuple(bool(one) for one in value)


def first_error(value: Any) -> int | None:
    """The index of the first wrong step, -1 for none; None where ``value`` says neither."""
    each = labels(value)
    if each is not None:
        return each.index(False) if False in each else -1
    number = exact(value)
    return int(number) if number is not None and number.denominator == 1 and number >= -1 else None


def read(unit: Unit, row: Row) -> Reply:
    """(first error, labels or None)."""
    if row.get("refused"):
        return REFUSED
    answer, gold = said(row), labels(unit.gold)
    place, each = first_error(answer), labels(answer)
    if place is None or (each is not None and gold is not None and len(each) != len(gold)):
        return UNPARSABLE
    return given((place, each))


def parts(unit: Unit, reply: Reply) -> Parts:
    """``step_micro`` is over all steps, ``step_macro`` over items; both need gold and answer to name every step."""
    gold, wanted = first_error(unit.gold), labels(unit.gold)
    place, each = reply.value if reply.status == "given" else (None, None)
    faulty = float(gold != -1)
    found = {"first_error": (faulty * float(place == gold), faulty),
             "all_correct": ((1.0 - faulty) * float(place == gold), 1.0 - faulty),
             "exact": (float(place == gold), 1.0)}
    if wanted is not None and (each is not None or reply.status != "given"):
        right = float(sum(one == other for one, other in zip(each, wanted, strict=True))) if each else 0.0
        found |= {"step_micro": (right, float(len(wanted))), "step_macro": (right / len(wanted), 1.0)}
    return found


def finish(sums: Sums) -> Mapping[str, Floats]:
    """F1 is undefined unless there are faulty and clean traces."""
    faulty, clean = ratio(sums["first_error"]), ratio(sums["all_correct"])
    both = faulty + clean
    return {"f1": np.where(both == 0, 0.0, np.divide(2.0 * faulty * clean, both, out=np.full_like(both, np.nan),
                                                      where=both > 0))}


def oracle(unit: Unit) -> Row:
    return {"answer": unit.gold}


def anti(unit: Unit) -> Row:
    """Every step the other way; else an error where there is none and none where there is one."""
    each = labels(unit.gold)
    if each is None:
        return {"answer": 0 if first_error(unit.gold) == -1 else -1}
    return {"answer": [not one for one in each]}


def constants(units: Sequence[Unit]) -> Mapping[str, Row]:
    return {"-1": {"answer": -1}, "0": {"answer": 0}}


def check(units: Sequence[Unit]) -> None:
    for unit in units:
        if first_error(unit.gold) is None:
            raise unfit(unit, "steps", N_("it is neither the index of a step nor true or false for every step"))


metrics.add("steps", Metric(
    name="steps", best=1.0, worst=0.0, headline="f1", asks=True, proportion=False, read=read, parts=parts,
    finish=finish, oracle=oracle, anti=anti, constants=constants, check=check,
))
