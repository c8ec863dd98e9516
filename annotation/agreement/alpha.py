"""Krippendorff's alpha for nominal, interval, ratio and circular values, and any distance, with missing answers.

alpha = 1 - D_o / D_e, D_o = sum_u sum_{i != j} d2(x_ui, x_uj) / (m_u - 1) / n,
D_e = sum_{c,k} n_c n_k d2(c, k) / (n (n - 1)) (Krippendorff 2011, 2019 ch. 12); units with fewer than two
values are removed first, n counts pairable values only. Everything is a sum over patterns, so one matrix
product evaluates thousands of resamples.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from annotation.agreement.metric import Metric, metrics
from annotation.agreement.ordinal import alpha_ordinal as alpha_ordinal
from annotation.agreement.percent import agreeing_pairs
from annotation.agreement.ratings import Floats, Ints, Patterns
from annotation.agreement.ratio import kernel_of_ratios, squared_ratio
from annotation.agreement.scale import Scale
from annotation.agreement.sets import alpha_of_sets
from annotation.agreement.statistic import Linear, Statistic, divide, linear
from annotation.errors import N_, Refused

KEPT = 1_024  # up to so many different values a table of all distances is kept (8 MB)


def alpha_nominal(patterns: Patterns, scale: Scale | None = None) -> Statistic:
    """d2 = 0 if equal, else 1. ``scale`` is not read. Features: V + 1, kept sparsely where V is large (texts)."""
    m = patterns.size.astype(np.float64)
    apart = (m * (m - 1.0) - 2.0 * agreeing_pairs(patterns)) / (m - 1.0)

    def finish(sums: Floats) -> Floats:
        counts = sums[:, 1:]
        n = counts.sum(axis=1)
        return 1.0 - divide((n - 1.0) * sums[:, 0], n * n - (counts * counts).sum(axis=1))

    return _with_counts(patterns, apart, finish)


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


def alpha_ratio(patterns: Patterns, scale: Scale) -> Statistic:
    """d2 = ((c - k) / (c + k))^2, and 0 where both are 0; Refused for a number below 0.

    Up to ``KEPT`` different values a table of V x V distances is kept; with more the distances are written as scalar
    products of a few dozen terms (``kernel_of_ratios``), and nothing grows with distinct values.
    """
    numbers = scale.numbers
    if len(numbers) and numbers.min() < 0.0:
        raise Refused(N_("The level ratio needs numbers that are 0 or more, and {value} was answered; interval takes "
                         "it"), code="bad_value", value=f"{numbers.min():g}")
    if len(numbers) <= KEPT:
        return alpha_with(patterns, squared_ratio(numbers[:, None], numbers[None, :]))
    apart = within(patterns, lambda one, other: squared_ratio(numbers[one], numbers[other]))
    kernel = np.vstack([products := kernel_of_ratios(numbers), np.zeros((1, products.shape[1]))])
    alike = np.zeros((len(apart), kernel.shape[1]))
    for column in range(patterns.cells.shape[1]):
        alike += kernel[patterns.cells[:, column]]  # -1, no value, is the last row

    def finish(sums: Floats) -> Floats:
        n, alike = sums[:, 0], sums[:, 2:]
        return 1.0 - divide((n - 1.0) * sums[:, 1], n * n - (alike * alike).sum(axis=1), least=1e-12 * n * n)

    return Linear(np.column_stack([patterns.size, apart, alike]), finish)


def alpha_circular(patterns: Patterns, scale: Scale) -> Statistic:
    """d2 = sin^2(pi (c - k) / U) (Krippendorff 2019, ch. 12), U = ``period_of``: directions, hours, days of a week.

    By half angles from the middle direction: sufficient statistics per pattern (m, A, S, d) with
    A = sum 1 - cos, S = sum sin of twice the angle, as D_e is proportional to 2 n A - A^2 - S^2.
    """
    period = period_of(scale)
    turn = 2.0 * np.pi * scale.numbers / period
    middle = np.angle(np.exp(1j * turn).sum()) if len(turn) else 0.0
    half = (turn - middle) / 2.0
    given = patterns.cells >= 0
    place = np.where(given, patterns.cells, 0)
    m = patterns.size.astype(np.float64)
    short = np.where(given, (2.0 * np.sin(half) ** 2)[place], 0.0).sum(axis=1)
    side = np.where(given, np.sin(2.0 * half)[place], 0.0).sum(axis=1)
    apart = within(patterns, lambda one, other: np.sin(half[one] - half[other]) ** 2)

    def finish(sums: Floats) -> Floats:
        n, a, s, d = sums.T
        return 1.0 - divide((n - 1.0) * d, 0.5 * (2.0 * n * a - a * a - s * s), least=1e-12 * n * a)

    return Linear(np.column_stack([m, short, side, apart]), finish)


def period_of(scale: Scale) -> float:
    """The declared period, else the largest less the smallest value plus 1 (R package irrCAC); Refused if not > 0."""
    if scale.period is not None:
        if not scale.period > 0.0:
            raise Refused(N_("The period of a circle is more than 0, not {value}"), code="bad_value",
                          value=f"{scale.period:g}")
        return scale.period
    return float(scale.numbers.max() - scale.numbers.min()) + 1.0 if len(scale.numbers) else 1.0


def alpha_with(patterns: Patterns, distances: Floats) -> Statistic:
    """alpha with squared distances of one's own (V, V): symmetric, 0 between equal values, nothing below 0.

    ``patterns.used`` says which values they stand for. Memory grows with V^2, an evaluation with V^2 too.
    """
    apart = within(patterns, lambda one, other: distances[one, other])

    def finish(sums: Floats) -> Floats:
        counts = sums[:, 1:]
        n = counts.sum(axis=1)
        expected = (counts @ distances * counts).sum(axis=1)
        return 1.0 - divide((n - 1.0) * sums[:, 0], expected, least=1e-14 * n * n * float(distances.max(initial=0.0)))

    return _with_counts(patterns, apart, finish)


def within(patterns: Patterns, distance: Callable[[Ints, Ints], Floats]) -> Floats:
    """(K,): sum over i != j of the squared distances of the values in a pattern, / (m - 1). Costs K x M^2 / 2."""
    cells, m = patterns.cells, patterns.size.astype(np.float64)
    apart = np.zeros(len(cells))
    for i in range(1, cells.shape[1]):
        for j in range(i):
            rows = np.flatnonzero((cells[:, i] >= 0) & (cells[:, j] >= 0) & (cells[:, i] != cells[:, j]))
            apart[rows] += 2.0 * distance(cells[rows, i], cells[rows, j])
    return apart / (m - 1.0)


def _with_counts(patterns: Patterns, apart: Floats, finish: Callable[[Floats], Floats]) -> Statistic:
    """Features: ``apart``, then how many times each value occurs."""
    row, column = np.nonzero(patterns.cells >= 0)
    every = np.arange(len(apart))
    return linear(np.r_[every, row], np.r_[np.zeros(len(apart), dtype=np.int64), 1 + patterns.cells[row, column]],
                  np.r_[apart, np.ones(len(row))], (len(apart), patterns.values + 1), finish)


NO_VARIATION = ("everyone always gave the same answer; chance agreement is 1, so alpha says nothing; "
                "percent agreement is 100 %")
metrics.add("krippendorff_alpha", Metric("krippendorff_alpha", {
    "nominal": alpha_nominal, "ordinal": alpha_ordinal, "interval": alpha_interval, "ratio": alpha_ratio,
    "circular": alpha_circular, "masi": alpha_of_sets("masi"), "jaccard": alpha_of_sets("jaccard")}, NO_VARIATION))
