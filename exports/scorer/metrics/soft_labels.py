# SPDX-License-Identifier: Apache-2.0
"""Soft labels: a system's probabilities of the options against the shares of people who chose each.

With q the shares of people (their answers stand in the bundle) and p the answer: ``scores`` by option or in their
order, not below 0 and summing to 1 (within 0.01; then scaled), or one ``answer``, which is all of the probability.

``brier``           sum over options of (p - q)^2, from 0 to 2
``cross_entropy``   - sum q ln p, with p not below 1e-12; ``entropy`` is what people themselves leave (- sum q ln q),
                    and ``excess_cross_entropy`` the difference, which is 0 for p = q
``soft_f1``         sum over options of min(p, q), which is 2 sum min / (sum p + sum q), and 1 - half the Manhattan
                    distance of LeWiDi 2025; ``soft_macro_f1`` takes 2 sum min / (sum p + sum q) over the items for each
                    option and then the mean of the options (own definition)
``top``             the share of items where the most probable option is (one of) the most frequent

The value of ``soft_brier``, ``soft_cross_entropy`` and ``soft_f1`` is the one of its name. An answer that is missing,
refused or no distribution has the worst figure that there is. Items without a person's answer have no distribution:
they are not scored, and ``without_people`` says how many they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from annotation.errors import N_, Refused
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
    is_number,
    matched,
    metrics,
    ratio,
    said,
    unfit,
)
from exports.scorer.people import shares

LEAST, NEAR = 1e-12, 0.01
WORST = -math.log(LEAST)


def distribution(unit: Unit, row: Row) -> dict[str, float] | None:
    """The probability of each option; None where the row gives none."""
    scores = row.get("scores")
    if scores is None:
        option = matched(unit, said(row))
        return None if option is None else {one: float(one == option) for one in unit.options}
    if isinstance(scores, list):
        if len(scores) != len(unit.options):
            return None
        scores = dict(zip(unit.options, scores, strict=True))
    if not isinstance(scores, Mapping) or set(scores) - set(unit.options):
        return None
    values = [scores.get(option, 0.0) for option in unit.options]
    if any(not is_number(one) or one < 0 for one in values) or abs(sum(values) - 1.0) > NEAR:
        return None
    return {option: value / sum(values) for option, value in zip(unit.options, values, strict=True)}


def read(unit: Unit, row: Row) -> Reply:
    if row.get("refused"):
        return REFUSED
    found = distribution(unit, row)
    return UNPARSABLE if found is None else given(found)


def parts(unit: Unit, reply: Reply) -> Parts:
    people = shares(unit)
    if not people:
        return {"without_people": (1.0, 1.0)}
    entropy = -sum(q * math.log(q) for q in people.values() if q > 0)
    found: dict[str, tuple[float, float]] = {"entropy": (entropy, 1.0), "without_people": (0.0, 1.0)}
    if reply.status != "given":
        return {**found, "brier": (2.0, 1.0), "cross_entropy": (WORST, 1.0),
                "excess_cross_entropy": (WORST - entropy, 1.0), "soft_f1": (0.0, 1.0), "top": (0.0, 1.0),
                **{f"_f1:{option}": (0.0, q) for option, q in people.items()}}
    p: Mapping[str, float] = reply.value
    excess = sum(q * math.log(q / max(p[option], LEAST)) for option, q in people.items() if q > 0)
    shared = {option: min(p[option], q) for option, q in people.items()}
    most = max(people.values())
    top = [option for option in p if p[option] == max(p.values())]
    right = sum(people[option] == most for option in top) / len(top)
    return {**found, "brier": (sum((p[option] - q) ** 2 for option, q in people.items()), 1.0),
            "cross_entropy": (entropy + excess, 1.0), "excess_cross_entropy": (excess, 1.0),
            "soft_f1": (sum(shared.values()), 1.0), "top": (right, 1.0),
            **{f"_f1:{option}": (2.0 * shared[option], p[option] + q) for option, q in people.items()}}


def finish(sums: Sums) -> Mapping[str, Floats]:
    """Over the options that people or the system named at all."""
    options = [ratio(one) for name, one in sums.items() if name.startswith("_f1:")]
    if not options:
        return {}
    each = np.stack(options)
    there = np.isfinite(each)
    return {"soft_macro_f1": ratio(np.stack([np.where(there, each, 0.0).sum(axis=0), there.sum(axis=0)], axis=1))}


def oracle(unit: Unit) -> Row:
    people = shares(unit)
    return {"scores": people} if people else {"answer": unit.gold}


def anti(unit: Unit) -> Row:
    """All of the probability on the option that the fewest chose: the worst where that is nobody."""
    people = shares(unit)
    return {"answer": min(people, key=lambda option: people[option]) if people else None}


def constants(units: Sequence[Unit]) -> Mapping[str, Row]:
    """Every option; and the same probability for all of them, where all items have the same options."""
    every = list(dict.fromkeys(option for unit in units for option in unit.options))[:100]
    same = {unit.options for unit in units}
    uniform = {"uniform": {"scores": dict.fromkeys(every, 1.0 / len(every))}} if len(same) == 1 and every else {}
    return {**uniform, **{option: {"answer": option} for option in every}}


def check(units: Sequence[Unit]) -> None:
    """There are options, and somebody's answers."""
    for unit in units:
        if len(unit.options) < 2:
            raise unfit(unit, "soft labels", N_("its question has no options"))
    if units and not any(shares(unit) for unit in units):
        raise Refused(N_("the bundle holds no answers of people to '{question}', so there are no soft labels"),
                      code="no_annotations", question=units[0].question)


def _add(name: str, headline: str, best: float, worst: float | None) -> None:
    metrics.add(name, Metric(
        name=name, best=best, worst=worst, headline=headline, asks=True, proportion=False,
        sums=frozenset({"without_people"}), read=read, parts=parts, finish=finish, oracle=oracle, anti=anti,
        constants=constants, check=check,
    ))


_add("soft_brier", "brier", 0.0, 2.0)
_add("soft_cross_entropy", "excess_cross_entropy", 0.0, WORST)
_add("soft_f1", "soft_f1", 1.0, 0.0)
