"""Kappas of many people that keep who said what: Conger's with each person's own margins, Light's mean over pairs.

Fleiss' kappa pools the margins; where people differ in how often they choose an answer the three differ, so that a
number says little without the name.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from annotation.agreement.chance import NO_PAIRS, NO_VARIATION, why_unpaired
from annotation.agreement.margins import totals, with_margins
from annotation.agreement.metric import Analytic, Build, Metric, metrics
from annotation.agreement.percent import NAMES, item_agreement
from annotation.agreement.ratings import NONE, Floats, Ints, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.standard_error import Estimate, linearised
from annotation.agreement.statistic import Linear, Statistic, divide, linear
from annotation.agreement.two_people import NOTHING, agreed, cohen_of_pairs
from annotation.agreement.weights import Weighting, weighting_of

A_PAIR = ("two of the people always gave one and the same answer on what both judged, so that kappa of this pair, and "
          "with it the mean over pairs, says nothing")
TABLES = 20_000       # cells of the tables of all pairs together
ENTRIES = 20_000_000  # answers that meet another


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


# Tables (..., V, V) of what two people answered to the same items -> a value each, NaN where undefined.
OfTables = Callable[[Floats, Weighting], Floats]
# The same from two columns of codes without gaps, in memory that does not grow with values squared.
OfPair = Callable[[Ints, Ints, int, Weighting], Statistic]


def percent_of_tables(tables: Floats, weighting: Weighting) -> Floats:
    same = (np.trace(tables, axis1=-2, axis2=-1) if weighting.matrix is None
            else (tables * weighting.matrix).sum(axis=(-2, -1)))
    return divide(same, tables.sum(axis=(-2, -1)))


def kappa_of_tables(tables: Floats, weighting: Weighting) -> Floats:
    n = np.maximum(tables.sum(axis=(-2, -1)), 1.0)[..., None]
    expected = weighting.between(tables.sum(axis=-1) / n, tables.sum(axis=-2) / n)
    return divide(percent_of_tables(tables, weighting) - expected, 1.0 - expected, least=NOTHING)


def percent_of_pair(first: Ints, second: Ints, values: int, weighting: Weighting) -> Statistic:
    """Of two columns of codes (K,), neither with gaps; the same as ``percent_of_tables`` of their table."""
    return Linear(np.column_stack([agreed(first, second, weighting), np.ones(len(first))]),
                  lambda sums: divide(sums[:, 0], sums[:, 1]))


def mean_over_pairs(of_tables: OfTables, of_pair: OfPair) -> Build:
    """Mean over pairs of people of a value of the items both judged. Pairs without such items do not count; NaN where
    a pair that shares items has no value.

    Features: the table V x V of every pair. Where these are too many (a slider, fifty people) one pair is taken
    after the other by its margins, at the price of a pass over its items for each batch of resamples; nothing grows
    with V squared.
    """

    def build(patterns: Patterns, scale: Scale) -> Statistic:
        weighting, cells, values = weighting_of(scale), patterns.cells, patterns.values
        pairs = list(combinations(range(cells.shape[1]), 2))
        features = len(pairs) * values**2
        if features > TABLES or len(pairs) * len(cells) > ENTRIES:
            return PairByPair(patterns, weighting, of_pair)

        def finish(sums: Floats) -> Floats:
            tables = sums.reshape(-1, len(pairs), values, values)
            shared = tables.any(axis=(-2, -1))
            each = np.where(shared, of_tables(tables, weighting), 0.0)
            return divide(each.sum(axis=1), shared.sum(axis=1))

        rows, places = [], []
        for number, pair in enumerate(pairs):
            row, place = _met(cells, pair, values)
            rows.append(row)
            places.append(place + number * values**2)
        row, place = np.concatenate([*rows, NONE]), np.concatenate([*places, NONE])
        return linear(row, place, np.ones(len(row)), (len(cells), features), finish)

    return build


def _met(cells: Ints, pair: tuple[int, int], values: int) -> tuple[Ints, Ints]:
    """The patterns in which both answered, and their place in a table V x V."""
    one, other = cells[:, pair[0]], cells[:, pair[1]]
    row = np.flatnonzero((one >= 0) & (other >= 0))
    return row, one[row] * values + other[row]


class PairByPair(Statistic):
    """The mean over pairs, each from the answers and margins of its two people."""

    def __init__(self, patterns: Patterns, weighting: Weighting, of_pair: OfPair) -> None:
        cells = patterns.cells
        self.each: list[tuple[Ints, Statistic]] = []
        for one, other in combinations(range(cells.shape[1]), 2):
            row = np.flatnonzero((cells[:, one] >= 0) & (cells[:, other] >= 0))
            if len(row):
                # Values that neither of the two gave have no part in their margins.
                used, codes = np.unique(cells[row][:, [one, other]], return_inverse=True)
                first, second = codes.reshape(-1, 2).T
                matrix = None if weighting.matrix is None else weighting.matrix[np.ix_(used, used)]
                own = Weighting(matrix, weighting.categories, weighting.total)
                self.each.append((row, of_pair(first, second, len(used), own)))
        self._width = len(cells) + max((statistic.width for _, statistic in self.each), default=0)

    def evaluate(self, weights: Floats) -> Floats:
        total, pairs = np.zeros(len(weights)), np.zeros(len(weights))
        for row, statistic in self.each:
            part = weights[:, row]
            shared = part.any(axis=1)
            total += np.where(shared, statistic.evaluate(part), 0.0)
            pairs += shared
        return divide(total, pairs)

    @property
    def width(self) -> int:
        return self._width


def _analytic(patterns: Patterns, scale: Scale) -> Analytic | None:
    found = conger_estimate(patterns, weighting_of(scale))
    return None if found is None else found.analytic()


LIGHT = Metric("light_kappa_mean_pairwise_cohen", {None: mean_over_pairs(kappa_of_tables, cohen_of_pairs)}, A_PAIR,
               ordered=True, weights=NAMES)
metrics.add("conger_kappa", Metric("conger_kappa", {None: conger_kappa}, NO_VARIATION, ordered=True, least=1,
                                   weights=NAMES, analytic=_analytic, why=why_unpaired))
metrics.add("light_kappa_mean_pairwise_cohen", LIGHT)
metrics.add("light_kappa", LIGHT)
metrics.add("percent_agreement_mean_pairwise", Metric(
    "percent_agreement_mean_pairwise", {None: mean_over_pairs(percent_of_tables, percent_of_pair)}, NO_PAIRS,
    ordered=True, weights=NAMES, bounds=(0.0, 1.0)))
