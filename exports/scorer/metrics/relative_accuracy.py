# SPDX-License-Identifier: Apache-2.0
"""Accuracy of numbers within a share of gold, and within a factor of gold; exact arithmetic, limits included."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from annotation.errors import N_, Refused
from exports.scorer.metric import Metric, Parts, Reply, Unit, metrics
from exports.scorer.numbers import check_numbers, check_positive, constants, exact, far, gold_of, oracle, read

WITHIN, FACTOR = "0.1", "2"


def limit(unit: Unit, setting: str, otherwise: str) -> Fraction:
    """The setting as a number; it was checked before."""
    return exact(unit.settings.get(setting, otherwise)) or Fraction(otherwise)


def relative(unit: Unit, reply: Reply) -> Parts:
    """|answer - gold| <= t |gold|; ``relative_accuracy`` at the setting ``within`` (10 %), beside 10 and 25 %."""
    if reply.status != "given":
        return {"relative_accuracy": (0.0, 1.0), "within_10": (0.0, 1.0), "within_25": (0.0, 1.0)}
    gold = gold_of(unit)
    off = abs(reply.value - gold)
    return {"relative_accuracy": (float(off <= limit(unit, "within", WITHIN) * abs(gold)), 1.0),
            "within_10": (float(off <= Fraction(1, 10) * abs(gold)), 1.0),
            "within_25": (float(off <= Fraction(1, 4) * abs(gold)), 1.0)}


def factor(unit: Unit, reply: Reply) -> Parts:
    """max(answer / gold, gold / answer) <= delta (setting ``delta``, 2); an answer that is not above 0 is wrong."""
    if reply.status != "given" or reply.value <= 0:
        return {"delta_accuracy": (0.0, 1.0)}
    gold = gold_of(unit)
    return {"delta_accuracy": (float(max(reply.value / gold, gold / reply.value) <= limit(unit, "delta", FACTOR)), 1.0)}


def _check_limit(units: Sequence[Unit], metric: str, setting: str, least: int) -> None:
    for unit in units[:1]:  # settings are the same for all units of a metric
        said = unit.settings.get(setting)
        number = exact(said)
        if said is not None and (number is None or number < least):
            raise Refused(N_("{metric}: the setting '{setting}' is '{value}', which is no number from {least} up"),
                          code="bad_field", metric=metric, setting=setting, value=str(said)[:80], least=least)


def check_relative(units: Sequence[Unit]) -> None:
    _check_limit(units, "relative_accuracy", "within", 0)
    check_numbers(units, "relative_accuracy")


def check_factor(units: Sequence[Unit]) -> None:
    _check_limit(units, "delta_accuracy", "delta", 1)
    check_positive(units, "delta_accuracy")


metrics.add("relative_accuracy", Metric(
    name="relative_accuracy", best=1.0, worst=0.0, headline="relative_accuracy", asks=True, proportion=True, read=read,
    parts=relative, oracle=oracle, anti=far, constants=constants, check=check_relative,
))
metrics.add("delta_accuracy", Metric(
    name="delta_accuracy", best=1.0, worst=0.0, headline="delta_accuracy", asks=True, proportion=True, read=read,
    parts=factor, oracle=oracle, anti=far, constants=constants, check=check_factor,
))
