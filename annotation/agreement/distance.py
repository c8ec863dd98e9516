"""How far apart the numbers of two answers are, in the question's own units: read beside every coefficient.

Mean absolute difference (MAE), mean absolute rating deviation (MARD), mean relative difference, and limits of
agreement (Bland and Altman 1986, Lancet 327, 307-310).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotation.agreement.columns import columns_of, complete_rows
from annotation.agreement.intervals import normal_quantile
from annotation.agreement.metric import Metric, metrics
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Linear, divide


def mean_absolute_difference(patterns: Patterns, scale: Scale) -> Linear:
    """Mean over items of the mean |difference| of its pairs of answers: every item weighs the same."""
    apart, pairs, _ = _apart(patterns, scale)
    return Linear(np.column_stack([apart / pairs, np.ones(len(pairs))]), lambda sums: divide(sums[:, 0], sums[:, 1]))


def mean_rating_deviation(patterns: Patterns, scale: Scale) -> Linear:
    """Mean over all pairs of answers of |difference|: every pair weighs the same. For two people it is MAE."""
    apart, pairs, _ = _apart(patterns, scale)
    return Linear(np.column_stack([apart, pairs]), lambda sums: divide(sums[:, 0], sums[:, 1]))


def mean_relative_difference(patterns: Patterns, scale: Scale) -> Linear:
    """Mean over pairs of answers to an item of |x - y| / ((|x| + |y|) / 2), 0 where both are 0; between 0 and 2."""
    _, pairs, relative = _apart(patterns, scale)
    return Linear(np.column_stack([relative / pairs, np.ones(len(pairs))]), lambda sums: divide(sums[:, 0], sums[:, 1]))


def _apart(patterns: Patterns, scale: Scale) -> tuple[Floats, Floats, Floats]:
    """Per pattern: sum of |difference| over pairs, number of pairs, sum of relative differences."""
    found, given = columns_of(patterns, scale), patterns.cells >= 0
    m = patterns.size.astype(np.float64)
    whole = np.where(given, found.x + found.middle, 0.0)
    apart, relative = np.zeros(len(m)), np.zeros(len(m))
    for i in range(1, given.shape[1]):
        for j in range(i):
            both = given[:, i] & given[:, j]
            distance = np.where(both, np.abs(found.x[:, i] - found.x[:, j]), 0.0)
            size = (np.abs(whole[:, i]) + np.abs(whole[:, j])) / 2.0
            apart += distance
            relative += np.where(size > 0.0, distance / np.where(size > 0.0, size, 1.0), 0.0)
    return apart, m * (m - 1.0) / 2.0, relative


@dataclass(frozen=True, slots=True)
class Limits:
    """``bias``: mean of second less first; ``low``, ``high``: between them lie about 95 % of the differences."""

    bias: float
    low: float
    high: float
    n: int


def limits_of_agreement(table: Floats, *, level: float = 0.95) -> Limits | None:
    """Of (items, 2) numbers: bias -+ z standard deviations of the differences; None for fewer than two items."""
    x = complete_rows(table)
    if len(x) < 2:
        return None
    away = x[:, 1] - x[:, 0]
    spread = normal_quantile(0.5 + level / 2.0) * float(away.std(ddof=1))
    bias = float(away.mean())
    return Limits(bias, bias - spread, bias + spread, len(x))


metrics.add("mae", Metric("mae", {None: mean_absolute_difference}, needs_numbers=True, bounds=None))
metrics.add("mard", Metric("mard", {None: mean_rating_deviation}, needs_numbers=True, bounds=None))
metrics.add("mean_relative_difference", Metric(
    "mean_relative_difference", {None: mean_relative_difference}, needs_numbers=True, bounds=(0.0, 2.0)))
