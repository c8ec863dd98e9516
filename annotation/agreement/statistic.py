"""What a statistic must be to get an interval: a value for given counts of patterns, many at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.agreement.ratings import Floats, Ints

DENSE = 4_000_000  # more cells than this in a table of patterns x features: only those that are not 0 are kept
WIDE = 1_000
ON_ONE_THREAD = 250_000  # multiplications; OpenBLAS takes threads beyond 4 x 65,536


class Statistic(ABC):
    """``evaluate``: weights (b, K) = how many units show each pattern -> values (b,), NaN where undefined."""

    @abstractmethod
    def evaluate(self, weights: Floats) -> Floats: ...

    def slope(self, weights: Floats) -> Floats | None:
        """The derivative of the value in each weight (K,), where it is known in closed form: what an item is worth."""
        return None

    @property
    def width(self) -> int:
        """How many numbers an evaluation holds for each row of weights, beyond these: what bounds a batch."""
        return 0


@dataclass(frozen=True, slots=True)
class Linear(Statistic):
    """A function of sums over units: ``features`` (K, F) per pattern, ``finish`` maps sums (b, F) to values (b,)."""

    features: Floats
    finish: Callable[[Floats], Floats]

    def evaluate(self, weights: Floats) -> Floats:
        return self.finish(product(weights, self.features))

    @property
    def width(self) -> int:
        return self.features.shape[1]


@dataclass(frozen=True, slots=True)
class SparseLinear(Statistic):
    """As ``Linear`` where most features are 0: ``matrix`` is a scipy.sparse CSR array (F, K).

    A row of weights costs as many steps as there are features other than 0, and memory of K + F numbers.
    """

    matrix: Any
    finish: Callable[[Floats], Floats]

    def evaluate(self, weights: Floats) -> Floats:
        return self.finish(self.sums(weights))

    def sums(self, weights: Floats) -> Floats:
        """(b, F)."""
        return np.ascontiguousarray((self.matrix @ weights.T).T)

    @property
    def width(self) -> int:
        return int(self.matrix.shape[0])


def linear(pattern: Ints, feature: Ints, value: Floats, shape: tuple[int, int],
           finish: Callable[[Floats], Floats]) -> Linear | SparseLinear:
    """Of features given one by one (``value`` at ``pattern``, ``feature``; repeats add up); ``shape`` (K, F)."""
    patterns, features = shape
    if patterns * features <= DENSE:
        table = np.bincount(pattern * features + feature, value, patterns * features).astype(np.float64)
        return Linear(table.reshape(patterns, features), finish)
    # A fifth of a second to load, and only the largest tables need it.
    from scipy.sparse import csr_array

    return SparseLinear(csr_array((value, (feature, pattern)), shape=(features, patterns)), finish)


def product(left: Floats, right: Floats) -> Floats:
    """``left @ right`` in pieces that OpenBLAS keeps on one thread.

    Its threads wait for each other by spinning: where other programs run they make these slim products three to ten
    times slower (measured), and on a machine of one's own drawing costs more than they could save. The sums are then
    also the same to the last digit for any number of processors.
    """
    rows, inner, columns = left.shape[0], left.shape[1], right.shape[1]
    if rows * inner * columns <= ON_ONE_THREAD:
        return left @ right
    if columns > WIDE:
        return np.hstack([product(left, right[:, start : start + WIDE]) for start in range(0, columns, WIDE)])
    deep = max(1, min(inner, ON_ONE_THREAD // max(1, columns * min(rows, 8))))
    high = max(1, ON_ONE_THREAD // max(1, columns * deep))
    out = np.zeros((rows, columns))
    for top in range(0, rows, high):
        for start in range(0, inner, deep):
            out[top : top + high] += left[top : top + high, start : start + deep] @ right[start : start + deep]
    return out


def divide(above: Floats, below: Floats, *, least: Floats | float = 0.0) -> Floats:
    """``above / below``, NaN where ``below`` is not greater than ``least`` (0 but for rounding)."""
    good = below > least
    return np.where(good, above / np.where(good, below, 1.0), np.nan)
