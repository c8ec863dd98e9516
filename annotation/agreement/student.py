# SPDX-License-Identifier: Apache-2.0
"""Student's t with the standard library: its tail through the incomplete beta function, its quantile by bisection.

Carried inside the scorer, so it imports nothing.
"""

from __future__ import annotations

import math
from functools import lru_cache


def t_tail(t: float, freedom: float) -> float:
    """P(T > t) of Student's t for t >= 0: half the regularised incomplete beta function I(v / (v + t^2); v/2, 1/2)."""
    x = freedom / (freedom + t * t)
    return 0.5 * _beta(x, freedom / 2.0, 0.5)


@lru_cache(maxsize=1024)  # a thousand slices of as many items ask for one and the same
def t_quantile(p: float, freedom: float) -> float:
    """t with P(T <= t) = p for 0 < p < 1 and ``freedom`` > 0 degrees of freedom; relative error below 1e-10."""
    if not 0.0 < p < 1.0 or freedom <= 0.0:
        raise ValueError("a quantile wants 0 < p < 1 and degrees of freedom above 0")
    if p < 0.5:
        return -t_quantile(1.0 - p, freedom)
    low, high = 0.0, 1.0
    while t_tail(high, freedom) > 1.0 - p:
        low, high = high, 2.0 * high
    for _ in range(200):
        middle = (low + high) / 2.0
        if high - low <= 1e-13 * high:
            break
        low, high = (middle, high) if t_tail(middle, freedom) > 1.0 - p else (low, middle)
    return (low + high) / 2.0


def _beta(x: float, a: float, b: float) -> float:
    """Regularised incomplete beta function I_x(a, b), by its continued fraction (Abramowitz and Stegun 26.5.8)."""
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    if x > (a + 1.0) / (a + b + 2.0):  # there the fraction of the other side converges
        return 1.0 - _beta(1.0 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    return front / _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """1 + d1 / (1 + d2 / (1 + ..)) by Lentz's method as Thompson and Barnett changed it (1986)."""
    tiny = 1e-300
    value, c, d = 1.0, 1.0, 0.0
    for n in range(1, 10_000):
        m = n // 2
        if n % 2:
            step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1.0 / (1.0 + step * d or tiny)
        c = 1.0 + step / c or tiny
        value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return value
