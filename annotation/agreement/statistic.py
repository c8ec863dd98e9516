"""What a statistic must be to get an interval: a value for given counts of patterns, many at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from annotation.agreement.ratings import Floats


class Statistic(ABC):
    """``evaluate``: weights (b, K) = how many units show each pattern -> values (b,), NaN where undefined."""

    @abstractmethod
    def evaluate(self, weights: Floats) -> Floats: ...


@dataclass(frozen=True, slots=True)
class Linear(Statistic):
    """A function of sums over units: ``features`` (K, F) per pattern, ``finish`` maps sums (b, F) to values (b,)."""

    features: Floats
    finish: Callable[[Floats], Floats]

    def evaluate(self, weights: Floats) -> Floats:
        return self.finish(weights @ self.features)


def divide(above: Floats, below: Floats, *, least: Floats | float = 0.0) -> Floats:
    """``above / below``, NaN where ``below`` is not greater than ``least`` (0 but for rounding)."""
    good = below > least
    return np.where(good, above / np.where(good, below, 1.0), np.nan)
