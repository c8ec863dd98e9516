"""Statistics of sums over units and of how often each value occurs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from annotation.agreement.ratings import Floats, Ints
from annotation.agreement.statistic import Statistic, linear


def with_margins(features: Floats, cells: Ints, each: Floats, width: int,
                 finish: Callable[[Floats, Floats], Floats]) -> Statistic:
    """``finish(sums of ``features`` (b, F), totals of values (b, width))`` for every row of weights.

    ``cells`` (K, M): values of each pattern, -1 for none. ``each`` (K): what one cell of a pattern counts (1 / size
    for shares of items, 1 for counts). Grows with F + width, sparsely where that is large.
    """
    patterns, columns = features.shape
    row, column = np.nonzero(cells >= 0)
    every = np.repeat(np.arange(patterns), columns)
    return linear(np.r_[every, row], np.r_[np.tile(np.arange(columns), patterns), columns + cells[row, column]],
                  np.r_[features.ravel(), each[row]], (patterns, columns + width),
                  lambda sums: finish(sums[:, :columns], sums[:, columns:]))


def count_values(cells: Ints, weight: Floats, width: int) -> Floats:
    """(width,): how much ``weight`` (K) each value of ``cells`` (K, M; -1 is none) meets."""
    given = cells >= 0
    return totals(cells[given], np.broadcast_to(weight[:, None], cells.shape)[given], width)


def totals(place: Ints, weight: Ints | Floats, width: int) -> Floats:
    """(width,): sum of ``weight`` at each ``place``."""
    return np.bincount(place, weight, width).astype(np.float64)


def mean_of_values(cells: Ints, size: Ints, worth: Floats) -> Floats:
    """(K,): mean over the values of each pattern of ``worth`` (V,), without a table of patterns x values."""
    given = cells >= 0
    return np.where(given, worth[np.where(given, cells, 0)], 0.0).sum(axis=1) / np.maximum(size, 1)
