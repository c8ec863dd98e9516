# SPDX-License-Identifier: Apache-2.0
"""How scores of several candidates are read, and what best-of-n and the Ties of RewardBench 2 make of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exports.scorer.metric import REFUSED, TIES, UNPARSABLE, Parts, Reply, Row, Unit, given, said, tidy
from exports.scorer.numbers import exact

EQUAL = frozenset({*TIES, "all_equal"})
TIES_WEIGHTS = (0.30, 0.30, 0.20, 0.20, 0.01)  # tied accuracy, ref accuracy, preferred, hard, margin


def right_of(unit: Unit) -> frozenset[str]:
    """The candidates that gold calls right: one, or a list."""
    return frozenset(unit.gold if isinstance(unit.gold, list) else [unit.gold])


def scores_of(unit: Unit, row: Row) -> dict[str, Fraction] | None:
    """A score for every candidate, by candidate; a list stands in public order. An answer is a score of 1.

    The answer is a candidate, its letter in public order, or a tie (then all are equal). None: it says none of these.
    """
    answer = said(row)
    if answer is not None:
        if not isinstance(answer, str):
            return None
        text = tidy(answer)
        letters = {chr(ord("A") + place): one for place, one in enumerate(unit.candidates[:26])}
        chosen = text if text in unit.candidates else letters.get(text)
        if chosen is None and text not in EQUAL:
            return None
        return {one: Fraction(one == chosen) for one in unit.candidates}
    scores: Any = row.get("scores")
    if isinstance(scores, list) and len(scores) == len(unit.candidates):
        scores = dict(zip(unit.candidates, scores, strict=True))
    found = {one: exact(scores.get(one)) for one in unit.candidates} if isinstance(scores, Mapping) else {}
    if not found or any(number is None for number in found.values()):
        return None
    return {one: number for one, number in found.items() if number is not None}


def read(unit: Unit, row: Row) -> Reply:
    """The scores of all candidates."""
    if row.get("refused"):
        return REFUSED
    found = scores_of(unit, row)
    return UNPARSABLE if found is None else given(found)


def credit(unit: Unit, reply: Reply) -> float:
    """1 / k where the right one is among the k with the top score, else 0; with several right, their share of k."""
    if reply.status != "given":
        return 0.0
    top = max(reply.value.values())
    first = [one for one, score in reply.value.items() if score == top]
    return sum(one in right_of(unit) for one in first) / len(first)


@dataclass(frozen=True, slots=True)
class Spread:
    """Of one prompt: ``gap`` = worst right less best wrong, ``width`` = best right less worst right."""

    gap: Fraction
    width: Fraction

    @property
    def is_accurate(self) -> bool:
        return self.gap > 0


def spread(unit: Unit, reply: Reply) -> Spread | None:
    """None where nothing was answered."""
    if reply.status != "given":
        return None
    right = [score for one, score in reply.value.items() if one in right_of(unit)]
    wrong = [score for one, score in reply.value.items() if one not in right_of(unit)]
    return Spread(min(right) - max(wrong), max(right) - min(right))


def margin(ref: Spread | None, tied: Spread | None) -> float:
    """tanh(min of both gaps / width of the tied - 1); 0 where the width is 0; -1, the worst, where one is missing."""
    if ref is None or tied is None:
        return -1.0
    if tied.width == 0:
        return 0.0
    return math.tanh(max(-50.0, min(50.0, float(min(ref.gap, tied.gap) / tied.width))) - 1.0)


def ties_parts(ref: Spread | None, tied: Spread | None, *, has_ref: bool, has_tied: bool) -> Parts:
    """The five terms of the Ties score for one number; the last three only where both prompts of it exist."""
    both = float(has_ref and has_tied)
    preferred = tied is not None and tied.gap > tied.width
    hard = ref is not None and tied is not None and min(ref.gap, tied.gap) > tied.width
    return {
        "tied_accuracy": (float(tied is not None and tied.is_accurate), float(has_tied)),
        "ref_accuracy": (float(ref is not None and ref.is_accurate), float(has_ref)),
        "preferred": (both * float(preferred), both),
        "hard": (both * float(hard), both),
        "margin": (both * margin(ref, tied), both),
    }


def ties_rows(unit: Unit, *, best: bool) -> Row:
    """Scores that reach the best or the worst: right and wrong far apart, the right ones a little apart."""
    right = [one for one in unit.candidates if one in right_of(unit)]
    near = {one: f"{1 if best else 0}.00{place}" for place, one in enumerate(right[:9])}
    near |= dict.fromkeys(right[9:], next(iter(near.values())))
    return {"scores": {one: near.get(one, "0" if best else "1") for one in unit.candidates}}


def pick_any(units: Sequence[Unit]) -> Mapping[str, Row]:
    """Constants: always the first, second, .. in public order, and all equal."""
    most = min(26, max((len(unit.candidates) for unit in units), default=0))
    letters = [chr(ord("A") + place) for place in range(most)]
    return {letter: {"answer": letter} for letter in letters} | {"all_equal": {"answer": "all_equal"}}
