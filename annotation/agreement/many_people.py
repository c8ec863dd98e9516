"""Kappas of many people that keep who said what: Conger's with each person's own margins, Light's mean over pairs.

Fleiss' kappa pools the margins; where people differ in how often they choose an answer the three differ, so that a
number says little without the name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from annotation.agreement.chance import NO_VARIATION
from annotation.agreement.margins import totals, with_margins
from annotation.agreement.metric import Analytic, Build, Metric, metrics
from annotation.agreement.percent import NAMES, item_agreement
from annotation.agreement.ratings import Floats, Ints, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.standard_error import Estimate, linearised
from annotation.agreement.statistic import Linear, Statistic, divide
from annotation.agreement.two_people import NOTHING, cohen_of_pairs
from annotation.agreement.weights import Weighting, weighting_of

NO_COMMON = "no two people judged the same item"
A_PAIR = ("two of the people always gave one and the same answer on what both judged, so that kappa of this pair, and "
          "with it the mean over pairs, says nothing")


def conger_kappa(patterns: Patterns, scale: Scale) -> Statistic:
    """p_e = mean over pairs of people of sum_ck p_gc w_ck p_hk (Conger 1980; Gwet 2014, ch. 2 with missing answers).

    p_gc: share of c among the answers of person g, on items that nobody else judged too. Features: people x V.
    """
    weighting, values = weighting_of(scale), patterns.values
    people = patterns.cells.shape[1]

    def finish(sums: Floats, counts: Floats) -> Floats:
        observed = divide(sums[:, 0], sums[:, 1])
        expected = _between_people(*_margins(counts.reshape(-1, people, values)), weighting)
        return divide(observed - expected, 1.0 - expected, least=NOTHING)

    features = np.column_stack([item_agreement(patterns, weighting), patterns.size >= 2])
    cells = np.where(patterns.cells >= 0, patterns.cells + values * np.arange(people), -1)
    return with_margins(features, cells, np.ones(len(cells)), people * values, finish)


def _margins(counts: Floats) -> tuple[Floats, Floats]:
    """Shares (b, M, V) of counts, 0 for a person without answers, and how many people have answers (b,)."""
    given = counts.sum(axis=-1, keepdims=True)
    return counts / np.maximum(given, 1.0), (given[..., 0] > 0.0).sum(axis=-1).astype(np.float64)


def _between_people(shares: Floats, people: Floats, weighting: Weighting) -> Floats:
    pooled = shares.sum(axis=-2)
    crossed = weighting.between(pooled, pooled) - weighting.between(shares, shares).sum(axis=-1)
    return divide(crossed, people * (people - 1.0))


def conger_estimate(patterns: Patterns, weighting: Weighting) -> Estimate | None:
    """The same with Gwet's linearised standard error (2014, ch. 5): a person's shares are ratios."""
    cells, values = patterns.cells, patterns.values
    given = cells >= 0
    count = patterns.count.astype(np.float64)
    place = np.where(given, cells + values * np.arange(cells.shape[1]), 0)
    counts = totals(place[given], np.broadcast_to(count[:, None], cells.shape)[given],
                    cells.shape[1] * values).reshape(-1, values)
    shares, people = _margins(counts)
    expected = float(_between_people(shares[None], people[None], weighting)[0])
    if not np.isfinite(expected):
        return None
    met = weighting.spread(shares.sum(axis=0) - shares)  # (M, V): what an answer of g meets among the others
    own = (met * shares).sum(axis=1)
    factor = count.sum() / np.maximum(counts.sum(axis=1), 1.0)
    away = np.where(given, met.ravel()[place] - own[None, :], 0.0) @ factor
    return linearised(item_agreement(patterns, weighting), patterns.count, (patterns.size >= 2).astype(np.float64),
                      chance=expected, item_chance=expected + away / float(people * (people - 1.0)))


@dataclass(frozen=True, slots=True)
class MeanOfPairs(Statistic):
    """Mean over pairs of people of a statistic of the items both judged; pairs without such items do not count.

    ``parts``: the patterns that a pair shares, and its statistic on these. One pair is evaluated after the other, so
    that memory does not grow with pairs. NaN where a pair that shares items has no value.
    """

    parts: tuple[tuple[Ints, Statistic], ...]

    def evaluate(self, weights: Floats) -> Floats:
        total, pairs = np.zeros(len(weights)), np.zeros(len(weights))
        for rows, statistic in self.parts:
            part = weights[:, rows]
            shared = part.sum(axis=1) > 0.0
            total += np.where(shared, statistic.evaluate(part), 0.0)
            pairs += shared
        return divide(total, pairs)

    @property
    def width(self) -> int:
        return max((len(rows) + statistic.width for rows, statistic in self.parts), default=0)


def mean_over_pairs(of_pair: Callable[[Ints, Ints, int, Weighting], Statistic]) -> Build:
    """``of_pair``: the statistic of two columns of codes, given V and the weights."""

    def build(patterns: Patterns, scale: Scale) -> Statistic:
        weighting, cells = weighting_of(scale), patterns.cells
        parts = []
        for one, other in combinations(range(cells.shape[1]), 2):
            rows = np.flatnonzero((cells[:, one] >= 0) & (cells[:, other] >= 0))
            if len(rows):
                parts.append((rows, of_pair(cells[rows, one], cells[rows, other], patterns.values, weighting)))
        return MeanOfPairs(tuple(parts))

    return build


def percent_of_pairs(first: Ints, second: Ints, values: int, weighting: Weighting) -> Statistic:
    agreed = first == second if weighting.matrix is None else weighting.matrix[first, second]
    return Linear(np.column_stack([agreed, np.ones(len(first))]).astype(np.float64),
                  lambda sums: divide(sums[:, 0], sums[:, 1]))


def _analytic(patterns: Patterns, scale: Scale) -> Analytic | None:
    found = conger_estimate(patterns, weighting_of(scale))
    return None if found is None else found.analytic()


def _why_light(patterns: Patterns, scale: Scale) -> str | None:
    return A_PAIR if (patterns.size >= 2).any() else NO_COMMON


def _why_pairs(patterns: Patterns, scale: Scale) -> str | None:
    return None if (patterns.size >= 2).any() else NO_COMMON


LIGHT = Metric("light_kappa_mean_pairwise_cohen", {None: mean_over_pairs(cohen_of_pairs)}, A_PAIR, ordered=True,
               weights=NAMES, why=_why_light)
metrics.add("conger_kappa", Metric("conger_kappa", {None: conger_kappa}, NO_VARIATION, ordered=True, least=1,
                                   weights=NAMES, analytic=_analytic, why=_why_pairs))
metrics.add("light_kappa_mean_pairwise_cohen", LIGHT)
metrics.add("light_kappa", LIGHT)
metrics.add("percent_agreement_mean_pairwise", Metric(
    "percent_agreement_mean_pairwise", {None: mean_over_pairs(percent_of_pairs)}, NO_COMMON, ordered=True,
    weights=NAMES))
