"""Krippendorff's alpha for nominal, ordinal and interval values, with missing answers.

alpha = 1 - D_o / D_e, D_o = sum_u sum_{i != j} d2(x_ui, x_uj) / (m_u - 1) / n,
D_e = sum_{c,k} n_c n_k d2(c, k) / (n (n - 1)) (Krippendorff 2011, 2019 ch. 12); units with fewer than two
values are removed first, n counts pairable values only. Everything is a sum over patterns, so one matrix
product evaluates thousands of resamples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotation.agreement.metric import Metric, metrics
from annotation.agreement.percent import agreeing_pairs
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Linear, Statistic, divide

DENSE = 4_000_000  # more cells than this in a table of patterns x values: one resample at a time, without the table


def alpha_nominal(patterns: Patterns, scale: Scale | None = None) -> Statistic:
    """d2 = 0 if equal, else 1. ``scale`` is not read."""
    m = patterns.size.astype(np.float64)
    apart = (m * (m - 1.0) - 2.0 * agreeing_pairs(patterns)) / (m - 1.0)
    if len(m) * patterns.values > DENSE:
        return ManyValues(patterns, apart)

    def finish(sums: Floats) -> Floats:
        counts = sums[:, 1:]
        n = counts.sum(axis=1)
        return 1.0 - divide((n - 1.0) * sums[:, 0], n * n - (counts * counts).sum(axis=1))

    return Linear(np.column_stack([apart, patterns.shares()]), finish)


def alpha_interval(patterns: Patterns, scale: Scale) -> Statistic:
    """d2 = (c - k)^2. Sufficient statistics per pattern (m, sum x, sum x^2, d): nothing grows with distinct values."""
    given, numbers = patterns.cells >= 0, scale.numbers
    m = patterns.size.astype(np.float64)
    middle = float(np.mean(numbers)) if len(numbers) else 0.0
    x = np.where(given, (numbers - middle)[np.where(given, patterns.cells, 0)], 0.0)  # centred: squares keep digits
    total = x.sum(axis=1)
    away = np.where(given, x - (total / m)[:, None], 0.0)
    apart = 2.0 * m * (away * away).sum(axis=1) / (m - 1.0)

    def finish(sums: Floats) -> Floats:
        n, sx, sxx, d = sums.T
        return 1.0 - divide((n - 1.0) * d, 2.0 * (n * sxx - sx * sx), least=1e-12 * n * sxx)

    return Linear(np.column_stack([m, total, (x * x).sum(axis=1), apart]), finish)


def alpha_ordinal(patterns: Patterns, scale: Scale | None = None) -> Statistic:
    """d2 = squared difference of midranks of all pairable values (Krippendorff's own ordinal metric, not Gwet's
    weights): it depends on the margins, so it is computed anew for each resample. Codes must stand in order.
    """
    return OrdinalSparse(patterns) if len(patterns.size) * patterns.values > DENSE else OrdinalDense(patterns)


def _ordinal(n: Floats, midrank: Floats, within: Floats) -> Floats:
    """alpha from margins (b, V), midranks (b, V) and sum_u sum_{i != j} (R_i - R_j)^2 / (m_u - 1) (b,)."""
    total = n.sum(axis=1)
    first = (n * midrank).sum(axis=1)
    second = (n * midrank * midrank).sum(axis=1)
    return 1.0 - divide((total - 1.0) * within, 2.0 * (total * second - first * first), least=1e-12 * total * second)


@dataclass(frozen=True, slots=True)
class OrdinalDense(Statistic):
    patterns: Patterns

    def evaluate(self, weights: Floats) -> Floats:
        table = self.patterns.shares()
        m = self.patterns.size.astype(np.float64)
        n = weights @ table
        # Measured from the middle rank: equal differences, smaller squares, so nothing is lost to rounding.
        midrank = np.cumsum(n, axis=1) - n / 2.0 - n.sum(axis=1, keepdims=True) / 2.0
        squares = ((weights * (m / (m - 1.0))) @ table * midrank * midrank).sum(axis=1)
        sums = midrank @ table.T
        within = 2.0 * (squares - (weights * sums * sums / (m - 1.0)).sum(axis=1))
        return _ordinal(n, midrank, within)


@dataclass(frozen=True, slots=True)
class OrdinalSparse(Statistic):
    """The same without a table of patterns x values; each resample costs one pass over the cells."""

    patterns: Patterns

    def evaluate(self, weights: Floats) -> Floats:
        cells, m = self.patterns.cells, self.patterns.size.astype(np.float64)
        values, padded = self.patterns.values, np.where(cells >= 0, cells, self.patterns.values)
        out = np.empty(len(weights))
        for row, weight in enumerate(weights):
            n = np.bincount(padded.ravel(), np.repeat(weight, cells.shape[1]), values + 1)[:values].astype(np.float64)
            midrank = np.append(np.cumsum(n) - n / 2.0 - n.sum() / 2.0, 0.0)
            ranks = midrank[padded]
            sums, squares = ranks.sum(axis=1), (ranks * ranks).sum(axis=1)
            within = 2.0 * np.dot(weight, (m * squares - sums * sums) / (m - 1.0))
            out[row] = _ordinal(n[None], midrank[None, :values], np.array([within]))[0]
        return out


@dataclass(frozen=True, slots=True)
class ManyValues(Statistic):
    """Nominal alpha where nearly every answer is a value of its own (texts), without a table of patterns x values."""

    patterns: Patterns
    apart: Floats

    def evaluate(self, weights: Floats) -> Floats:
        cells, values = self.patterns.cells, self.patterns.values
        padded = np.where(cells >= 0, cells, values).ravel()
        out = np.empty(len(weights))
        for row, weight in enumerate(weights):
            counts = np.bincount(padded, np.repeat(weight, cells.shape[1]), values + 1)[:values]
            n = counts.sum()
            out[row] = 1.0 - divide(np.array([(n - 1.0) * np.dot(weight, self.apart)]),
                                    np.array([n * n - np.dot(counts, counts)]))[0]
        return out


NO_VARIATION = ("everyone always gave the same answer; chance agreement is 1, so alpha says nothing; "
                "percent agreement is 100 %")
metrics.add("krippendorff_alpha", Metric("krippendorff_alpha", {
    "nominal": alpha_nominal, "ordinal": alpha_ordinal, "interval": alpha_interval}, NO_VARIATION))
