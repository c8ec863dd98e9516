"""Pearson's and Spearman's correlation of two people: how they move together, which is not yet agreement.

Pearson (1896); Spearman (1904) as Pearson's correlation of midranks, so that ties are right. A person who always
says one point more has correlation 1: read these beside the mean absolute difference, never instead of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from annotation.agreement.columns import Columns, columns_of, complete_rows, why_unrelated
from annotation.agreement.intervals import normal_quantile
from annotation.agreement.metric import Analytic, Build, Metric, metrics
from annotation.agreement.ranking import ranking_of
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Linear, Statistic, divide

NO_VARIATION = "one of the two always gave the same answer; without variation nothing can be related"


def pearson_statistic(patterns: Patterns, scale: Scale) -> Linear:
    """Six numbers per pattern, whatever the number of values."""
    found = columns_of(patterns, scale)
    return _pearson(found)


def _pearson(found: Columns) -> Linear:
    x, y = found.x[:, 0], found.x[:, -1]
    features = np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y]) * found.complete[:, None]

    def finish(sums: Floats) -> Floats:
        n, sx, sy, sxx, syy, sxy = sums.T
        vx, vy = n * sxx - sx * sx, n * syy - sy * sy
        vary = (vx > 1e-12 * n * sxx) & (vy > 1e-12 * n * syy)
        both = np.sqrt(np.where(vary, vx, 0.0)) * np.sqrt(np.where(vary, vy, 0.0))
        return np.clip(divide(n * sxy - sx * sy, both), -1.0, 1.0)

    return Linear(features, finish)


class Spearman(Statistic):
    """Midranks depend on the margins, so they are computed anew for each resample; each costs O(K)."""

    def __init__(self, found: Columns) -> None:
        self.rows = np.flatnonzero(found.complete)
        codes = found.codes[self.rows]
        self.first, self.second = ranking_of(codes[:, 0]), ranking_of(codes[:, -1])

    def evaluate(self, weights: Floats) -> Floats:
        """(b, K) -> (b,); two arrays of that size are made."""
        if not len(self.rows):
            return np.full(len(weights), np.nan)
        weights = weights[:, self.rows]
        n = weights.sum(axis=1)
        one, ties_one = self.first.of(weights)
        other, ties_other = self.second.of(weights)
        middle = ((n + 1.0) / 2.0)[:, None]
        together = (weights * (one - middle) * (other - middle)).sum(axis=1)
        whole = n**3 - n
        both = np.sqrt(np.maximum(whole - ties_one, 0.0)) * np.sqrt(np.maximum(whole - ties_other, 0.0)) / 12.0
        return np.clip(divide(together, both), -1.0, 1.0)


def spearman_statistic(patterns: Patterns, scale: Scale) -> Spearman:
    return Spearman(columns_of(patterns, scale))


def columns_of_table(table: Floats) -> Columns:
    """Columns of (items, people) numbers; items with a missing value (NaN) stay out."""
    x = complete_rows(table)
    _, codes = np.unique(x, return_inverse=True)
    middle = float(x.mean()) if x.size else 0.0
    return Columns(x - middle, codes.reshape(x.shape).astype(np.int64), np.ones(len(x), dtype=bool), middle)


def pearson(table: Floats) -> float | None:
    """r of (items, 2); None where one column does not vary."""
    return _of(_pearson(columns_of_table(table)), table)


def spearman(table: Floats) -> float | None:
    """rho of (items, 2); None where one column does not vary."""
    return _of(Spearman(columns_of_table(table)), table)


def _of(statistic: Statistic, table: Floats) -> float | None:
    value = float(statistic.evaluate(np.ones((1, len(complete_rows(table)))))[0])
    return value if np.isfinite(value) else None


def fisher_interval(value: float, n: int, *, ranks: bool = False, level: float = 0.95) -> tuple[float, float] | None:
    """tanh(atanh r -+ z s), s^2 = 1 / (n - 3) (Fisher 1921), of ranks (1 + r^2 / 2) / (n - 3) (Bonett and Wright
    2000). None for fewer than four items or r = 1: there it has no width.
    """
    if n < 4 or abs(value) >= 1.0:
        return None
    half = normal_quantile(0.5 + level / 2.0) * math.sqrt((1.0 + value * value / 2.0 if ranks else 1.0) / (n - 3.0))
    return math.tanh(math.atanh(value) - half), math.tanh(math.atanh(value) + half)


def _analytic(build: Build, *, ranks: bool) -> Callable[[Patterns, Scale], Analytic | None]:
    def interval(patterns: Patterns, scale: Scale) -> Analytic | None:
        complete = columns_of(patterns, scale).complete
        value = float(build(patterns, scale).evaluate(patterns.count.astype(np.float64)[None])[0])
        found = fisher_interval(value, int(patterns.count[complete].sum()), ranks=ranks) if value == value else None
        return None if found is None else Analytic(None, *found, "bonett_wright_z" if ranks else "fisher_z")
    return interval


for _name, _build, _ranks in (("pearson", pearson_statistic, False), ("spearman", spearman_statistic, True)):
    metrics.add(_name, Metric(_name, {None: _build}, NO_VARIATION, ordered=True, people=(2, 2), needs_numbers=True,
                              analytic=_analytic(_build, ranks=_ranks), why=why_unrelated))
