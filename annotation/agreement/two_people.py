"""Cohen's kappa: agreement of two people beyond what their own habits would give, with weights and standard errors.

kappa = (p_o - p_e) / (1 - p_e), p_o = sum_ck w_ck p_ck, p_e = sum_ck w_ck p_c. p_.k (Cohen 1960, 1968); items that
only one of the two judged stay out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from annotation.agreement.chance import NO_VARIATION
from annotation.agreement.margins import totals, with_margins
from annotation.agreement.metric import Analytic, Metric, metrics
from annotation.agreement.percent import NAMES
from annotation.agreement.ratings import Floats, Ints, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.standard_error import normal_interval
from annotation.agreement.statistic import Statistic, divide
from annotation.agreement.weights import Weighting, weighting_of

NOTHING = 1e-12  # 1 - p_e that is not more than this is 0 but for rounding


def cohen_of_pairs(first: Ints, second: Ints, values: int, weighting: Weighting) -> Statistic:
    """Kappa of two columns of codes (K,), neither with gaps; 2 V + 2 features."""
    same = agreed(first, second, weighting)

    def finish(sums: Floats, counts: Floats) -> Floats:
        n = sums[:, 1]
        shares = counts / np.maximum(n, 1.0)[:, None]
        expected = weighting.between(shares[:, :values], shares[:, values:])
        return divide(divide(sums[:, 0], n) - expected, 1.0 - expected, least=NOTHING)

    return with_margins(np.column_stack([same, np.ones(len(same))]), np.column_stack([first, second + values]),
                        np.ones(len(same)), 2 * values, finish)


def cohen_kappa(patterns: Patterns, scale: Scale) -> Statistic:
    """Of ordered patterns of two people."""
    return cohen_of_pairs(*_both(patterns)[:2], patterns.values, weighting_of(scale))


def _both(patterns: Patterns) -> tuple[Ints, Ints, Ints]:
    cells, count = patterns.cells, patterns.count
    both = (cells[:, :2] >= 0).all(axis=1)
    # Patterns of which one value is missing add nothing; where some are there, they stay with a count of 0.
    return np.where(both, cells[:, 0], 0), np.where(both, cells[:, 1], 0), np.where(both, count, 0)


def agreed(first: Ints, second: Ints, weighting: Weighting) -> Floats:
    """(K,): the weight of each pair of codes."""
    return (first == second).astype(np.float64) if weighting.matrix is None else weighting.matrix[first, second]


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa of ``n`` items. ``se``: asymptotic; ``se_h0``: if the truth were 0. None where undefined."""

    value: float | None
    observed: float
    expected: float
    se: float | None
    se_h0: float | None
    n: int


def kappa_of_pairs(first: Ints, second: Ints, count: Ints | Floats, values: int, weighting: Weighting) -> Kappa:
    """Kappa with both standard errors (Fleiss, Cohen & Everitt 1969, eq. 8, 14 and, without weights, 9, 13).

    ``first``, ``second`` (K): codes of the two; ``count`` (K): items that show the pair. Without weights nothing
    grows with values squared.
    """
    n = float(np.sum(count))
    if n == 0.0:
        return Kappa(None, math.nan, math.nan, None, None, 0)
    p = np.asarray(count, dtype=np.float64) / n
    rows, columns = totals(first, p, values), totals(second, p, values)
    same = agreed(first, second, weighting)
    observed, expected = float((p * same).sum()), float(weighting.between(rows, columns))
    if 1.0 - expected <= NOTHING:
        return Kappa(None, observed, expected, None, None, int(n))
    value = (observed - expected) / (1.0 - expected)
    of_row, of_column = weighting.spread(columns), weighting.spread(rows)  # mean weight that a person's answer meets
    each = same - (1.0 - value) * (of_row[first] + of_column[second])
    middle = value - expected * (1.0 - value)
    variance = float((p * each * each).sum()) - middle * middle
    se = math.sqrt(max(0.0, variance) / n) / (1.0 - expected)
    chance = _variance_h0(rows, columns, of_row, of_column, expected, weighting)
    return Kappa(value, observed, expected, se, math.sqrt(max(0.0, chance) / n) / (1.0 - expected), int(n))


def _variance_h0(rows: Floats, columns: Floats, of_row: Floats, of_column: Floats, expected: float,
                 weighting: Weighting) -> float:
    """sum_ck p_c. p_.k (w_ck - (a_c + b_k))^2 - p_e^2, multiplied out where w is the identity."""
    if weighting.matrix is not None:
        gap = weighting.matrix - (of_row[:, None] + of_column[None, :])
        return float(rows @ (gap * gap) @ columns) - expected**2
    crossed = float((rows * of_row).sum() * (columns * of_column).sum())
    squares = float((rows * of_row**2).sum() + (columns * of_column**2).sum()) + 2.0 * crossed
    diagonal = rows * columns
    return float(diagonal.sum() - 2.0 * (diagonal * (of_row + of_column)).sum()) + squares - expected**2


def kappa_of_table(table: Floats, matrix: Floats | None = None) -> Kappa:
    """Of a table (q, q) of counts, rows the first person; ``matrix`` (q, q): weights, None for the identity."""
    first, second = np.nonzero(table)
    q = len(table)
    weighting = Weighting(matrix, q, float(q if matrix is None else matrix.sum()))
    return kappa_of_pairs(first, second, table[first, second], q, weighting)


def kappa_max(table: Floats) -> float | None:
    """The largest kappa that the two people's margins allow (Cohen 1960, p. 42); None without variation."""
    n = float(table.sum())
    rows, columns = table.sum(axis=1) / max(n, 1.0), table.sum(axis=0) / max(n, 1.0)
    expected = float((rows * columns).sum())
    if n == 0.0 or 1.0 - expected <= NOTHING:
        return None
    return (float(np.minimum(rows, columns).sum()) - expected) / (1.0 - expected)


def table_of(patterns: Patterns) -> Floats:
    """(V, V) counts of ordered patterns of two people, rows the first."""
    first, second, count = _both(patterns)
    size = patterns.values
    return totals(first * size + second, count, size * size).reshape(size, size)


def kappa_with_errors(patterns: Patterns, weighting: Weighting) -> Kappa:
    """Of ordered patterns of two people."""
    return kappa_of_pairs(*_both(patterns), patterns.values, weighting)


def _analytic(patterns: Patterns, scale: Scale) -> Analytic | None:
    found = kappa_with_errors(patterns, weighting_of(scale))
    return None if found.value is None or found.se is None else normal_interval(found.value, found.se)


metrics.add("cohen_kappa", Metric("cohen_kappa", {None: cohen_kappa}, NO_VARIATION, ordered=True, people=(2, 2),
                                  weights=NAMES, analytic=_analytic))
