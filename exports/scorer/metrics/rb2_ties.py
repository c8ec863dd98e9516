# SPDX-License-Identifier: Apache-2.0
"""The Ties score of RewardBench 2 (arXiv 2506.01937): many right candidates close together and above every wrong one.

Prompts are called ``ref:N`` (one right candidate) and ``tied:N`` (several), by the item's key or the fact that the
setting ``id`` names. With gap = worst right - best wrong and width = best right - worst right of the tied:
0.30 accuracy of tied + 0.30 of ref + 0.20 share gap > width + 0.20 share min(both gaps) > width
+ 0.01 mean tanh(min(both gaps) / width - 1), a width of 0 giving 0. It goes from -0.01 to 1.01. Differences are exact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from annotation.errors import N_, Refused, Where
from exports.scorer.metric import GOLD_FILE, Floats, Metric, Parts, Reply, Row, Sums, Unit, metrics, ratio
from exports.scorer.metrics import best_of_n
from exports.scorer.rewards import TIES_WEIGHTS, read, spread, ties_parts, ties_rows

NAME = re.compile(r"(ref|tied):([0-9]+)")


def name_of(unit: Unit) -> tuple[str, str] | None:
    """("ref" or "tied", number)."""
    found = NAME.fullmatch(str(unit.fact("id", "key")))
    return None if found is None else (found[1], found[2])


def group(unit: Unit) -> str:
    found = name_of(unit)
    assert found is not None, unit.id
    return found[1]


def together(units: Sequence[Unit], replies: Sequence[Reply]) -> Parts:
    kinds = {(name_of(unit) or ("", ""))[0]: spread(unit, reply) for unit, reply in zip(units, replies, strict=True)}
    return ties_parts(kinds.get("ref"), kinds.get("tied"), has_ref="ref" in kinds, has_tied="tied" in kinds)


def finish(sums: Sums) -> Mapping[str, Floats]:
    terms = [ratio(sums[name]) for name in ("tied_accuracy", "ref_accuracy", "preferred", "hard", "margin")]
    return {"score": sum((weight * term for weight, term in zip(TIES_WEIGHTS, terms, strict=True)),
                         start=0.0 * terms[0])}


def check(units: Sequence[Unit]) -> None:
    """Every prompt has its name once, and right and wrong candidates."""
    best_of_n.check(units)
    seen: set[tuple[str, str]] = set()
    for unit in units:
        name = name_of(unit)
        if name is None or name in seen:
            raise Refused(N_("rb2_ties: the item '{key}' is not called ref:N or tied:N, or another one is called so"),
                          code="bad_field", key=str(unit.fact("id", "key"))[:80],
                          where=Where(file=GOLD_FILE, item=unit.id))
        seen.add(name)


def oracle(unit: Unit) -> Row:
    return ties_rows(unit, best=True)


def anti(unit: Unit) -> Row:
    return ties_rows(unit, best=False)


def constants(units: Sequence[Unit]) -> Mapping[str, Row]:
    return {"all_equal": {"answer": "all_equal"}}


metrics.add("rb2_ties", Metric(
    name="rb2_ties", best=1.01, worst=-0.01, headline="score", asks=True, proportion=False, read=read, group=group,
    together=together, finish=finish, oracle=oracle, anti=anti, constants=constants, check=check,
))
