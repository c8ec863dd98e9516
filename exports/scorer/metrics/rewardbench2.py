# SPDX-License-Identifier: Apache-2.0
"""RewardBench 2: the plain mean over its subsets, best-of-n in each, and the Ties score in the subset Ties.

The fact ``subset`` (or the one that the setting ``subset`` names) says where an item belongs; "Ties" in any case. With
all six subsets the best is (5 + 1.01) / 6, since Ties passes 1. A plain mean lets small subsets weigh as much as large.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from annotation.errors import N_
from exports.scorer.metric import Floats, Metric, Parts, Reply, Row, Sums, Unit, metrics, ratio, unfit
from exports.scorer.metrics import best_of_n, rb2_ties
from exports.scorer.rewards import credit, read, ties_rows


def subset(unit: Unit) -> str:
    return str(unit.fact("subset", "subset"))


def is_ties(unit: Unit) -> bool:
    return subset(unit).casefold() == "ties"


def group(unit: Unit) -> str:
    return f"ties:{rb2_ties.group(unit)}" if is_ties(unit) else f"item:{unit.id}"


def together(units: Sequence[Unit], replies: Sequence[Reply]) -> Parts:
    """``subset:NAME`` of all but Ties; the terms of Ties by their own names."""
    if is_ties(units[0]):
        return rb2_ties.together(units, replies)
    return {f"subset:{subset(units[0])}": (credit(units[0], replies[0]), 1.0)}


def finish(sums: Sums) -> Mapping[str, Floats]:
    each = [ratio(one) for name, one in sums.items() if name.startswith("subset:")]
    ties = [rb2_ties.finish(sums)["score"]] if "tied_accuracy" in sums else []
    found = {"subset:Ties": ties[0]} if ties else {}
    return {"score": np.mean([*each, *ties], axis=0), **found}


def oracle(unit: Unit) -> Row:
    return ties_rows(unit, best=True) if is_ties(unit) else best_of_n.oracle(unit)


def anti(unit: Unit) -> Row:
    return ties_rows(unit, best=False) if is_ties(unit) else best_of_n.anti(unit)


def check(units: Sequence[Unit]) -> None:
    best_of_n.check(units)
    rb2_ties.check([unit for unit in units if is_ties(unit)])
    for unit in units:
        if unit.fact("subset", "subset") is None:
            raise unfit(unit, "rewardbench2", N_("its item does not say its subset"))


metrics.add("rewardbench2", Metric(
    name="rewardbench2", best=6.01 / 6.0, worst=-0.01 / 6.0, headline="score", asks=True, proportion=False, read=read,
    group=group, together=together, finish=finish, oracle=oracle, anti=anti, constants=rb2_ties.constants, check=check,
))
