# SPDX-License-Identifier: Apache-2.0
"""Best of n: the credit 1 / k where the right candidate shares the top score with k - 1 others (RewardBench 2).

Chance is 1 / n. RewardBench 2 gives a verdict that cannot be read that chance; here it is wrong, and
``accuracy_upstream`` stands beside.
"""

from __future__ import annotations

from collections.abc import Sequence

from annotation.errors import N_
from exports.scorer.metric import Metric, Parts, Reply, Row, Unit, metrics, unfit
from exports.scorer.rewards import credit, pick_any, read, right_of


def parts(unit: Unit, reply: Reply) -> Parts:
    got, n = credit(unit, reply), len(unit.candidates)
    return {"accuracy": (got, 1.0), "accuracy_upstream": (got if reply.status == "given" else 1.0 / n, 1.0),
            "chance": (len(right_of(unit)) / n, 1.0)}


def oracle(unit: Unit) -> Row:
    return {"scores": {one: int(one in right_of(unit)) for one in unit.candidates}}


def anti(unit: Unit) -> Row:
    return {"scores": {one: int(one not in right_of(unit)) for one in unit.candidates}}


def check(units: Sequence[Unit]) -> None:
    """Some candidates are right and some are not."""
    for unit in units:
        if not right_of(unit) or not right_of(unit) < set(unit.candidates):
            raise unfit(unit, "best_of_n", N_("it names no candidate, or all of them"))


metrics.add("best_of_n", Metric(
    name="best_of_n", best=1.0, worst=0.0, headline="accuracy", asks=True, proportion=True, read=read, parts=parts,
    oracle=oracle, anti=anti, constants=pick_any, check=check,
))
