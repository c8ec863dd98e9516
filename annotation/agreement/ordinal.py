"""Krippendorff's alpha for ordered values: squared differences of midranks, which each resample ranks anew."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Linear, SparseLinear, Statistic, divide, linear, product

DENSE = 4_000_000  # most cells of a table of patterns x values
SMALL = 100_000    # up to so many the table is the fastest
PAIRED = 8         # up to so many answers per unit pairs are counted


def alpha_ordinal(patterns: Patterns, scale: Scale | None = None) -> Statistic:
    """d2 = squared difference of midranks of all pairable values (Krippendorff's own ordinal metric, not Gwet's
    weights): it depends on the margins, so it is computed anew for each resample. Codes must stand in order.

    Few values, or many answers per unit: a table of patterns x values is kept, and an evaluation costs by it. Many
    values (a slider): counts of pairs of values, of which there are at most V^2 / 2 and at most K x M^2 / 2. Both very
    many: one resample at a time, a pass over the cells each.
    """
    m, cells = patterns.cells.shape[1], len(patterns.size) * patterns.values
    if m <= PAIRED and (cells > DENSE or (cells > SMALL and patterns.values > 4 * m * m)):
        return OrdinalPairs(patterns)
    return OrdinalDense(patterns) if cells <= DENSE else OrdinalSparse(patterns)


def _ordinal(n: Floats, midrank: Floats, within: Floats) -> Floats:
    """alpha from margins (b, V), midranks (b, V) and sum_u sum_{i != j} (R_i - R_j)^2 / (m_u - 1) (b,)."""
    total = n.sum(axis=1)
    first = (n * midrank).sum(axis=1)
    second = (n * midrank * midrank).sum(axis=1)
    return 1.0 - divide((total - 1.0) * within, 2.0 * (total * second - first * first), least=1e-12 * total * second)


def _midranks(n: Floats) -> Floats:
    """Of margins (b, V), from the middle rank: equal differences, smaller squares, so nothing is lost to rounding."""
    return np.cumsum(n, axis=1) - n / 2.0 - n.sum(axis=1, keepdims=True) / 2.0


class Ordinal(Statistic):
    """What the three ways to evaluate have in common: the derivative, in a pass over the cells."""

    patterns: Patterns

    def slope(self, weights: Floats) -> Floats:
        """alpha = 1 - (N - 1) W / B with W = 2 sum_k w_k (m_k Q_k - S_k^2) / (m_k - 1), S and Q the sums of a unit's
        midranks and of their squares, B = 2 (N sum n R^2 - (sum n R)^2); a unit also moves the midranks of others: R_c
        rises by one for each of its values below c and by half for each that is c.
        """
        cells, m = self.patterns.cells, self.patterns.size.astype(np.float64)
        padded, values = np.where(cells >= 0, cells, self.patterns.values), self.patterns.values

        def over(worth: Floats) -> Floats:
            return np.append(worth, 0.0)[padded].sum(axis=1)

        def spread(each: Floats) -> Floats:
            return np.bincount(padded.ravel(), np.repeat(each, cells.shape[1]), values + 1)[:values].astype(np.float64)

        def through_ranks(per_rank: Floats) -> Floats:
            return np.cumsum(per_rank[::-1])[::-1] - per_rank / 2.0

        n = spread(weights)
        r = _midranks(n[None])[0]
        total, first, second = n.sum(), n @ r, n @ (r * r)
        sums, squares = over(r), over(r * r)
        each = 2.0 * (m * squares - sums * sums) / (m - 1.0)
        within, between = float(weights @ each), 2.0 * (total * second - first * first)
        by_rank = 4.0 * (spread(weights * m / (m - 1.0)) * r - spread(weights * sums / (m - 1.0)))
        d_within = each + over(through_ranks(by_rank))
        d_between = over(2.0 * (second + total * r * r - 2.0 * first * r)
                         + through_ranks(4.0 * n * (total * r - first)))
        return -(m * within + (total - 1.0) * (d_within - within * d_between / between)) / between


@dataclass(frozen=True, slots=True)
class OrdinalDense(Ordinal):
    patterns: Patterns
    table: Floats = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", self.patterns.shares())

    @property
    def width(self) -> int:
        return len(self.patterns.size) + 3 * self.patterns.values

    def evaluate(self, weights: Floats) -> Floats:
        m = self.patterns.size.astype(np.float64)
        n = product(weights, self.table)
        midrank = _midranks(n)
        squares = (product(weights * (m / (m - 1.0)), self.table) * midrank * midrank).sum(axis=1)
        sums = product(midrank, self.table.T)
        sums *= sums
        sums *= weights
        within = 2.0 * (squares - sums @ (1.0 / (m - 1.0)))
        return _ordinal(n, midrank, within)


@dataclass(frozen=True, slots=True)
class OrdinalPairs(Ordinal):
    """By sums over units: how many times each value occurs, and how many times each pair of values, / (m - 1)."""

    patterns: Patterns
    sums: Linear | SparseLinear = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sums", _of_pairs(self.patterns))

    @property
    def width(self) -> int:
        return self.sums.width

    def evaluate(self, weights: Floats) -> Floats:
        return self.sums.evaluate(weights)


def _of_pairs(patterns: Patterns) -> Linear | SparseLinear:
    cells, values = patterns.cells, patterns.values
    row, column = np.nonzero(cells >= 0)
    rows, pairs = [], []
    for i in range(1, cells.shape[1]):
        for j in range(i):
            differ = np.flatnonzero((cells[:, i] >= 0) & (cells[:, j] >= 0) & (cells[:, i] != cells[:, j]))
            rows.append(differ)
            pairs.append(np.minimum(cells[differ, i], cells[differ, j]) * values
                         + np.maximum(cells[differ, i], cells[differ, j]))
    owner = np.concatenate(rows)
    distinct, place = np.unique(np.concatenate(pairs), return_inverse=True)
    low, high = np.divmod(distinct, values)

    def finish(sums: Floats) -> Floats:
        n, midrank = sums[:, :values], _midranks(sums[:, :values])
        gap = midrank[:, high] - midrank[:, low]
        return _ordinal(n, midrank, (sums[:, values:] * gap * gap).sum(axis=1))

    each = 2.0 / (patterns.size[owner] - 1.0)
    return linear(np.r_[row, owner], np.r_[cells[row, column], values + place], np.r_[np.ones(len(row)), each],
                  (len(cells), values + len(distinct)), finish)


@dataclass(frozen=True, slots=True)
class OrdinalSparse(Ordinal):
    """Without a table and without pairs; each resample costs one pass over the cells."""

    patterns: Patterns

    def evaluate(self, weights: Floats) -> Floats:
        cells, m = self.patterns.cells, self.patterns.size.astype(np.float64)
        values, padded = self.patterns.values, np.where(cells >= 0, cells, self.patterns.values)
        out = np.empty(len(weights))
        for row, weight in enumerate(weights):
            n = np.bincount(padded.ravel(), np.repeat(weight, cells.shape[1]), values + 1)[:values].astype(np.float64)
            midrank = np.append(_midranks(n[None])[0], 0.0)
            ranks = midrank[padded]
            sums, squares = ranks.sum(axis=1), (ranks * ranks).sum(axis=1)
            within = 2.0 * np.dot(weight, (m * squares - sums * sums) / (m - 1.0))
            out[row] = _ordinal(n[None], midrank[None, :values], np.array([within]))[0]
        return out
