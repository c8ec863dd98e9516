"""Kendall's tau-b of two people: pairs of items that both put in the same order, less pairs in opposite order.

tau-b = (C - D) / sqrt((n0 - n1) (n0 - n2)), n0 = n (n - 1) / 2, n1 and n2 the pairs tied by the first and by the
second person (Kendall 1945, Biometrika 33, 239-251).
"""

from __future__ import annotations

import numpy as np

from annotation.agreement.columns import Columns, columns_of, complete_rows, why_unrelated
from annotation.agreement.correlation import NO_VARIATION, columns_of_table
from annotation.agreement.metric import Metric, metrics
from annotation.agreement.ranking import ranking_of
from annotation.agreement.ratings import Floats, Ints, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Statistic, divide

MATRIX = 1_024  # up to so many patterns: one matrix product with the signs of all pairs; beyond: merging


class Tau(Statistic):
    """Each resample costs O(K^2) in one matrix product for few patterns, else O(K log K) by merging.

    Which rows are compared at each level of the merge sort does not depend on the counts, so the orders are made
    once, and each level is a cumulative sum over many resamples. K log K integers are kept.
    """

    def __init__(self, found: Columns) -> None:
        self.rows = np.flatnonzero(found.complete)
        codes = found.codes[self.rows]
        first, second = codes[:, 0], codes[:, -1]
        self.first, self.second = ranking_of(first), ranking_of(second)
        self.joint = ranking_of(np.unique(np.column_stack([first, second]), axis=0, return_inverse=True)[1].reshape(-1)
                                if len(codes) else first)
        self.signs: Floats | None = None
        self.sorted = np.lexsort((second, first))
        self.levels: list[tuple[Ints, Ints, Ints]] = []
        if len(codes) <= MATRIX:
            self.signs = (np.sign(first[:, None] - first) * np.sign(second[:, None] - second)).astype(np.float64)
        else:
            self.levels = _merges(second[self.sorted])

    def evaluate(self, weights: Floats) -> Floats:
        if not len(self.rows):
            return np.full(len(weights), np.nan)
        weights = weights[:, self.rows]
        n = weights.sum(axis=1)
        pairs = n * (n - 1.0) / 2.0
        ties = [_tied(weights, ranking.order, ranking.starts) for ranking in (self.first, self.second, self.joint)]
        if self.signs is not None:
            less = ((weights @ self.signs) * weights).sum(axis=1) / 2.0
        else:
            less = pairs - ties[0] - ties[1] + ties[2] - 2.0 * self._discordant(weights[:, self.sorted])
        both = np.sqrt(np.maximum(pairs - ties[0], 0.0)) * np.sqrt(np.maximum(pairs - ties[1], 0.0))
        return np.clip(divide(less, both), -1.0, 1.0)

    def _discordant(self, weights: Floats) -> Floats:
        """Pairs in opposite order: rows stand by the first value, then by the second."""
        found = np.zeros(len(weights))
        for order, left, start in self.levels:
            here = weights[:, order]
            before = np.concatenate([np.zeros((len(here), 1)), np.cumsum(here * left, axis=1)], axis=1)
            greater = before[:, :-1] - before[:, start]
            found += (here * (1 - left) * greater).sum(axis=1)
        return found


def _tied(weights: Floats, order: Ints, starts: Ints) -> Floats:
    times = np.add.reduceat(weights[:, order], starts, axis=1)
    return (times * (times - 1.0)).sum(axis=1) / 2.0


def _merges(second: Ints) -> list[tuple[Ints, Ints, Ints]]:
    """For each level: rows by block and falling value, 1 where a row is in the block's left half, and where its
    block begins. Of equal values the right half comes first: it counts only greater values to its left.
    """
    place, levels, half = np.arange(len(second)), [], 1
    while half < len(second):
        block, left = place // (2 * half), 1 - (place // half) % 2
        order = np.lexsort((left, -second, block))
        levels.append((order, left[order], block[order] * 2 * half))
        half *= 2
    return levels


def tau_statistic(patterns: Patterns, scale: Scale) -> Tau:
    return Tau(columns_of(patterns, scale))


def kendall_tau_b(table: Floats) -> float | None:
    """tau-b of (items, 2); None where one column does not vary."""
    x = complete_rows(table)
    value = float(Tau(columns_of_table(x)).evaluate(np.ones((1, len(x))))[0])
    return value if np.isfinite(value) else None


metrics.add("kendall_tau_b", Metric("kendall_tau_b", {None: tau_statistic}, NO_VARIATION, ordered=True, people=(2, 2),
                                    needs_numbers=True, why=why_unrelated))
