# SPDX-License-Identifier: Apache-2.0
"""EditReward-Bench by scores: pair accuracy with ties at the threshold that makes it largest, and without ties.

After eval_bench.py of arXiv 2509.26346. Gold is a candidate or a tie (two candidates), or a ranking, best first, whose
every pair counts (a list within it is a tie). m is the difference of two scores, a model's tie is |m| <= epsilon; with
ties = (right + both tie) / all pairs, epsilon out of 0 and every |m|, the smallest of equals. Without ties = right /
pairs that gold decides, at epsilon 0. ``strict``: all pairs of an item are right at the epsilon of with ties.
``editreward_verdicts`` is the other scorer, of verdicts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from annotation.errors import N_
from exports.scorer.metric import TIES, Evaluate, Floats, Metric, Parts, Reply, Row, Unit, metrics, ratio, unfit
from exports.scorer.rewards import pick_any, read


def ranks(unit: Unit) -> dict[str, int] | None:
    """The rank of each candidate in gold, 0 the best; equal ranks are a tie. None where gold does not rank them all."""
    if isinstance(unit.gold, str):
        if unit.gold in TIES:
            return dict.fromkeys(unit.candidates, 0)
        return {one: int(one != unit.gold) for one in unit.candidates} if unit.gold in unit.candidates else None
    if not isinstance(unit.gold, list):
        return None
    found: dict[str, int] = {}
    for place, some in enumerate(unit.gold):
        for one in some if isinstance(some, list) else [some]:
            if one in found:
                return None
            found[one] = place
    return found if set(found) == set(unit.candidates) else None


def pairs_of(unit: Unit, reply: Reply) -> list[tuple[int, Fraction | None]]:
    """(gold's sign, difference of scores) of every pair; the difference is None where nothing was answered."""
    place = ranks(unit) or {}
    return [((place[b] > place[a]) - (place[b] < place[a]),
             reply.value[a] - reply.value[b] if reply.status == "given" else None)
            for a, b in combinations(unit.candidates, 2)]


def parts(unit: Unit, reply: Reply) -> Parts:
    """``without_ties``, also by the number of candidates; ``coverage`` counts items that were scored."""
    decided = [(sign, away) for sign, away in pairs_of(unit, reply) if sign]
    right = float(sum(away is not None and sign * away > 0 for sign, away in decided))
    sums = (right, float(len(decided)))
    return {"without_ties": sums, f"without_ties:{len(unit.candidates)}": sums,
            "coverage": (float(reply.status == "given"), 1.0)}


def at_best(points: Sequence[tuple[Unit, Reply]]) -> Evaluate:
    """``with_ties``, the ``epsilon`` where it is largest, and ``strict`` there, for weights of the items."""
    rows = [(n, sign, away) for n, (unit, reply) in enumerate(points) for sign, away in pairs_of(unit, reply)]
    answered = sorted((abs(away), n, sign, away) for n, sign, away in rows if away is not None)
    item = np.asarray([n for _, n, _, _ in answered], dtype=np.intp)
    size = [one for one, *_ in answered]
    tie = np.asarray([sign == 0 for _, _, sign, _ in answered], dtype=np.float64)
    right = np.asarray([sign * away > 0 for _, _, sign, away in answered], dtype=np.float64)
    limits = sorted({Fraction(0), *size})
    count = np.asarray([bisect_right(size, one) for one in limits], dtype=np.intp)
    every = np.asarray([n for n, _, _ in rows], dtype=np.intp)

    def strict(at: int, weights: Floats) -> Floats:
        """The weighted share of items whose every pair is right where the first count[at] pairs are ties."""
        hit = np.where(np.arange(len(item)) < count[at], tie, right)
        good = np.bincount(item, weights=hit, minlength=len(points)) == np.bincount(every, minlength=len(points))
        return ratio(np.stack([weights @ good, weights.sum(axis=1)], axis=1))

    def evaluate(weights: Floats) -> Mapping[str, Floats]:
        mine = weights[:, item]
        start = np.zeros((len(weights), 1))
        ties = np.concatenate([start, np.cumsum(mine * tie, axis=1)], axis=1)[:, count]
        kept = np.concatenate([start, np.cumsum(mine * right, axis=1)], axis=1)
        scores = ties + kept[:, -1:] - kept[:, count]
        best = np.argmax(scores > scores.max(axis=1, keepdims=True) - 1e-9, axis=1)
        total = weights[:, every].sum(axis=1)
        whole = np.full(len(weights), np.nan)
        for at in np.unique(best):
            whole[best == at] = strict(int(at), weights[best == at])
        top = scores[np.arange(len(weights)), best]
        return {"with_ties": ratio(np.stack([top, total], axis=1)),
                "epsilon": np.asarray([float(limits[at]) for at in best]), "strict": whole}

    return evaluate


def oracle(unit: Unit) -> Row:
    place = ranks(unit) or {}
    return {"scores": {one: -place[one] for one in unit.candidates}}


def anti(unit: Unit) -> Row:
    """The reverse; no scores at all where gold ties, since some epsilon would call any two scores a tie."""
    place = ranks(unit) or {}
    if len(set(place.values())) < len(place):
        return {"refused": True}
    return {"scores": {one: place[one] for one in unit.candidates}}


def constants(units: Sequence[Unit]) -> Mapping[str, Row]:
    return pick_any(units)


def check(units: Sequence[Unit]) -> None:
    for unit in units:
        if len(unit.candidates) < 2 or ranks(unit) is None:
            raise unfit(unit, "editreward", N_("it is no candidate, tie or ranking of all candidates"))


metrics.add("editreward", Metric(
    name="editreward", best=1.0, worst=0.0, headline="with_ties", asks=True, proportion=False, read=read, parts=parts,
    whole=at_best, oracle=oracle, anti=anti, constants=constants, check=check,
))
