# SPDX-License-Identifier: Apache-2.0
"""Agreement of two and of several with numpy alone: Cohen's kappa and Krippendorff's alpha, without intervals.

Goldsmith itself has many more coefficients; these two stand here so that the scorer needs nothing else. They give None
where nothing was compared and where nothing varies, because there they are not defined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np


def cohen_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """(p_o - p_e) / (1 - p_e) of two who answered the same things (Cohen 1960)."""
    if not pairs:
        return None
    n = len(pairs)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    by_chance = sum(count * second[value] for value, count in first.items()) / (n * n)
    observed = sum(one == other for one, other in pairs) / n
    return None if by_chance == 1.0 else (observed - by_chance) / (1.0 - by_chance)


def alpha(units: Sequence[Sequence[Any]], level: str) -> float | None:
    """1 - D_o / D_e over units with two values or more (Krippendorff 2011); ``level`` nominal or interval.

    D_o = sum over units of the differences within it / (m - 1) / n, D_e = those of all values / (n (n - 1)).
    """
    pairable = [list(unit) for unit in units if len(unit) >= 2]
    values = [value for unit in pairable for value in unit]
    n = len(values)
    if n == 0:
        return None
    apart = sum(_apart(unit, level) / (len(unit) - 1) for unit in pairable) / n
    expected = _apart(values, level) / (n * (n - 1))
    return None if expected <= 0.0 else 1.0 - apart / expected


def _apart(values: Sequence[Any], level: str) -> float:
    """The differences of all ordered pairs: (c - k)^2, or 1 for unequal values."""
    n = len(values)
    if level == "nominal":
        return float(n * n - sum(count * count for count in Counter(values).values()))
    numbers = np.asarray(values, dtype=np.float64)
    away = numbers - numbers.mean()
    return float(2.0 * n * (away * away).sum())
