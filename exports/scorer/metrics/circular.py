# SPDX-License-Identifier: Apache-2.0
"""Circular accuracy: a question is right only if it is right in every rotation of its options (MMBench).

The rotations of one question share the fact ``group`` (or the one that the setting ``group`` names; else the cluster),
and the fact ``rotation`` counts them from 0. There are as many as options; a group that lacks one is refused. A
question with an option like "all of the above" is not rotated and stands alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from annotation.errors import N_, Refused, Where
from exports.scorer.metric import GOLD_FILE, Metric, Parts, Reply, Unit, metrics
from exports.scorer.metrics import accuracy

FIXED = re.compile(r"\b(all|none|both|neither)\b.*\b(above|these|options|choices)\b", re.IGNORECASE)


def group(unit: Unit) -> str:
    named = unit.fact("group", "group")
    return str(named if named is not None else unit.cluster if unit.cluster is not None else unit.id)


def right(unit: Unit, reply: Reply) -> bool:
    assert accuracy.metric.parts is not None
    return accuracy.metric.parts(unit, reply)["accuracy"][0] == 1.0


def together(units: Sequence[Unit], replies: Sequence[Reply]) -> Parts:
    """``vanilla_all`` over all rotations, ``vanilla_0`` over those that stand first."""
    each = [right(unit, reply) for unit, reply in zip(units, replies, strict=True)]
    first = [one for one, unit in zip(each, units, strict=True)
             if len(units) == 1 or unit.fact("rotation", "rotation") in (0, "0")]
    return {"circular": (float(all(each)), 1.0), "vanilla_all": (float(sum(each)), float(len(each))),
            "vanilla_0": (float(sum(first)), float(len(first)))}


def check(units: Sequence[Unit]) -> None:
    """Gold is among the choices, and every group is complete."""
    accuracy.check(units)
    groups: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        groups[group(unit)].append(unit)
    for name, some in groups.items():
        if len(some) == 1 and any(FIXED.search(text) for _, text in some[0].choices):
            continue
        wanted = {len(unit.choices) for unit in some} | {len({unit.choices for unit in some})}
        if wanted != {len(some)}:
            raise Refused(N_("circular: the group '{group}' has {n} items, and not one for each rotation of its "
                             "{options} options"), code="bad_field", group=name, n=len(some),
                          options=len(some[0].choices), where=Where(file=GOLD_FILE, item=some[0].id))


metrics.add("circular", Metric(
    name="circular", best=1.0, worst=0.0, headline="circular", asks=True, proportion=True, read=accuracy.read,
    group=group, together=together, oracle=accuracy.oracle, anti=accuracy.anti, constants=accuracy.constants,
    check=check,
))
