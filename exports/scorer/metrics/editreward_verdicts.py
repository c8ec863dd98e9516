# SPDX-License-Identifier: Apache-2.0
"""EditReward-Bench by verdicts: a group of 2, 3 or 4 candidates counts only if all of its pairs are right.

After inference_{2,3,4}pair_hf.py of arXiv 2509.26346: two candidates must match in three classes (every tie is a tie),
three or four have 3 or 6 pairs. The pairs of a group share the fact ``group`` (or the one that the setting ``group``
names; else the cluster). The overall value weighs every group alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from annotation.errors import N_, Refused, Where
from exports.scorer.metric import GOLD_FILE, Metric, Parts, Reply, Unit, metrics
from exports.scorer.metrics import pairs
from exports.scorer.metrics.circular import group

CANDIDATES = {1: 2, 3: 3, 6: 4}  # pairs of a group -> how many are compared


def together(units: Sequence[Unit], replies: Sequence[Reply]) -> Parts:
    """``2pair``, ``3pair``, ``4pair`` are the groups of that many candidates; ``pairs`` counts single pairs."""
    each = [pairs.right(unit, reply) for unit, reply in zip(units, replies, strict=True)]
    whole = (float(all(each)), 1.0)
    return {"accuracy": whole, f"{CANDIDATES[len(units)]}pair": whole, "pairs": (float(sum(each)), float(len(each)))}


def check(units: Sequence[Unit]) -> None:
    """Gold is a candidate or a tie, and every group is complete."""
    pairs.check(units)
    sizes = Counter(group(unit) for unit in units)
    for unit in units:
        if sizes[group(unit)] not in CANDIDATES:
            raise Refused(N_("editreward_verdicts: the group '{group}' has {n} pairs and not 1, 3 or 6"),
                          code="bad_field", group=group(unit), n=sizes[group(unit)],
                          where=Where(file=GOLD_FILE, item=unit.id))


metrics.add("editreward_verdicts", Metric(
    name="editreward_verdicts", best=1.0, worst=0.0, headline="accuracy", asks=True, proportion=True, read=pairs.read,
    group=group, together=together, oracle=pairs.oracle, anti=pairs.anti, constants=pairs.constants, check=check,
))
