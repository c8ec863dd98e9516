# SPDX-License-Identifier: Apache-2.0
"""Consistent accuracy of a judge: a pair counts if it is judged right in both orders; and how a judge ages.

The two orders of a pair share the fact ``group`` (or the one that the setting ``group`` names; else the cluster). A
verdict that cannot be read is wrong. The facts ``generator`` (weak or strong) and ``exposure`` (seen or unseen) give
the parts from which the differences of judge shelf life (arXiv 2509.23542) are taken, as shares and not in points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from annotation.errors import N_, Refused, Where
from exports.scorer.metric import GOLD_FILE, Floats, Metric, Parts, Reply, Sums, Unit, metrics, ratio
from exports.scorer.metrics import pairs
from exports.scorer.metrics.circular import group

GENERATORS, EXPOSURES = ("weak", "strong"), ("seen", "unseen")


def together(units: Sequence[Unit], replies: Sequence[Reply]) -> Parts:
    each = [pairs.right(unit, reply) for unit, reply in zip(units, replies, strict=True)]
    both = float(all(each))
    tags = {units[0].fact("generator", "generator"), units[0].fact("exposure", "exposure")}
    return {"consistent": (both, 1.0), "accuracy": (float(sum(each)), float(len(each))),
            "consistent_wrong": (float(not any(each)), 1.0),
            **{name: (both * float(name in tags), float(name in tags)) for name in (*GENERATORS, *EXPOSURES)}}


def finish(sums: Sums) -> Mapping[str, Floats]:
    """What one judge shows: the second figure less the first."""
    return {"strong_minus_weak": ratio(sums["strong"]) - ratio(sums["weak"]),
            "unseen_minus_seen": ratio(sums["unseen"]) - ratio(sums["seen"])}


def differences(weak: Mapping[str, float | None], strong: Mapping[str, float | None]) -> dict[str, float | None]:
    """The differences of shelf life between a judge trained on weak and one trained on strong generators.

    Each argument holds that judge's accuracy on ``weak`` and ``strong`` (and ``seen``, ``unseen``) test pairs; a
    difference is in the unit of these, and None where one of the two is not known. ``question_generalisation`` is of
    the strong judge, or of the weak one where only that has it.
    """
    asked = {
        "future_proof": (weak.get("strong"), weak.get("weak")),
        "refresh_advantage": (strong.get("strong"), weak.get("strong")),
        "back_compatibility": (strong.get("weak"), weak.get("weak")),
        "compatibility_shift": (strong.get("weak"), strong.get("strong")),
        "question_generalisation": next(
            ((one["unseen"], one["seen"]) for one in (strong, weak) if {"seen", "unseen"} <= one.keys()), (None, None)),
    }
    return {name: None if one is None or other is None else one - other for name, (one, other) in asked.items()}


def check(units: Sequence[Unit]) -> None:
    """Gold is a candidate or a tie, and every pair has its two orders."""
    pairs.check(units)
    names = [group(unit) for unit in units]
    count = Counter(names)
    for unit, name in zip(units, names, strict=True):
        if count[name] != 2:
            raise Refused(N_("consistent_accuracy: the group '{group}' has {n} items and not the two orders of a pair"),
                          code="bad_field", group=name, n=count[name], where=Where(file=GOLD_FILE, item=unit.id))


metrics.add("consistent_accuracy", Metric(
    name="consistent_accuracy", best=1.0, worst=0.0, headline="consistent", asks=True, proportion=True,
    read=pairs.read, group=group, together=together, finish=finish, oracle=pairs.oracle, anti=pairs.anti,
    constants=pairs.constants, check=check,
))
