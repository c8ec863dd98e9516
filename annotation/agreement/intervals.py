# SPDX-License-Identifier: Apache-2.0
"""Intervals and tests that need numpy alone: normal quantile, Wilson, BCa, exact McNemar, Holm.

This file is also carried inside the scorer, so it imports nothing of the project.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def normal_cdf(z: float) -> float:
    """P(Z <= z) of the standard normal distribution."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def normal_quantile(p: float) -> float:
    """z with P(Z <= z) = p, for 0 < p < 1; absolute error below 1e-14.

    Rational approximation of P. J. Acklam (2003), then two steps of Halley's method on erfc.
    """
    if not 0.0 < p < 1.0:
        raise ValueError("a quantile wants 0 < p < 1")
    if p > 0.5:
        return -normal_quantile(1.0 - p)
    a = (-3.969683028665376e01, 2.209460984245205e02, -2.759285104469687e02,
         1.383577518672690e02, -3.066479806614716e01, 2.506628277459239e00)
    b = (-5.447609879822406e01, 1.615858368580409e02, -1.556989798598866e02,
         6.680131188771972e01, -1.328068155288572e01)
    c = (-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e00,
         -2.549732539343734e00, 4.374664141464968e00, 2.938163982698783e00)
    d = (7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e00, 3.754408661907416e00)
    if p < 0.02425:
        q = math.sqrt(-2.0 * math.log(p))
        z = _poly(c, q) / (_poly(d, q) * q + 1.0)
    else:
        q = p - 0.5
        r = q * q
        z = _poly(a, r) * q / (_poly(b, r) * r + 1.0)
    for _ in range(2):
        off = (normal_cdf(z) - p) * math.sqrt(2.0 * math.pi) * math.exp(0.5 * z * z)
        z -= off / (1.0 + 0.5 * z * off)
    return z


def _poly(coefficients: Sequence[float], x: float) -> float:
    total = 0.0
    for coefficient in coefficients:
        total = total * x + coefficient
    return total


def wilson(successes: int, n: int, *, level: float = 0.95) -> tuple[float, float] | None:
    """Score interval of a proportion without continuity correction (Wilson 1927); None for n = 0."""
    if n == 0:
        return None
    z, p = normal_quantile(0.5 + level / 2.0), successes / n
    middle = p + z * z / (2.0 * n)
    half = z * math.sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n))
    below = 0.0 if successes == 0 else (middle - half) / (1.0 + z * z / n)
    above = 1.0 if successes == n else (middle + half) / (1.0 + z * z / n)
    return max(0.0, below), min(1.0, above)


def wilson_continuity(successes: int, n: int, *, level: float = 0.95) -> tuple[float, float] | None:
    """Score interval with continuity correction (Newcombe 1998, method 4); None for n = 0."""
    if n == 0:
        return None
    z, p = normal_quantile(0.5 + level / 2.0), successes / n
    q, base = 1.0 - p, 2.0 * (n + z * z)
    below = 0.0 if successes == 0 else (
        2 * n * p + z * z - 1 - z * math.sqrt(z * z - 2 - 1 / n + 4 * p * (n * q + 1))) / base
    above = 1.0 if successes == n else (
        2 * n * p + z * z + 1 + z * math.sqrt(z * z + 2 - 1 / n + 4 * p * (n * q - 1))) / base
    return max(0.0, below), min(1.0, above)


@dataclass(frozen=True, slots=True)
class Interval:
    """``low`` and ``high`` are None where there is no interval; then ``reason`` says why."""

    low: float | None
    high: float | None
    reason: str | None = None
    replicates: int = 0  # draws on which the statistic was defined
    se: float | None = None  # standard error by the same method

    @property
    def pair(self) -> tuple[float, float] | None:
        return None if self.low is None or self.high is None else (self.low, self.high)


def acceleration(values: Floats, weights: Floats) -> float:
    """BCa's a from leave-one-out values (Efron 1987, eq. 6.6); ``weights``: how many times each occurs."""
    defined = np.isfinite(values) & (weights > 0)
    values, weights = values[defined], weights[defined]
    if not len(values):
        return 0.0
    # A sum of ten thousand equal values is not that value to the last bit; what is left is rounding, not skewness.
    away = np.average(values, weights=weights) - values
    away[np.abs(away) < 1e-12] = 0.0
    spread = float(np.sum(weights * away**2))
    return 0.0 if spread == 0.0 else float(np.sum(weights * away**3)) / (6.0 * spread**1.5)


def bca(point: float, draws: Floats, *, accel: float = 0.0, level: float = 0.95, tail: float | None = None) -> Interval:
    """Bias-corrected and accelerated bootstrap interval (Efron 1987) around ``point``.

    ``tail``: how many standard errors to each side, instead of the normal quantile of ``level``.
    Draws on which the statistic is undefined (NaN) are left out; if these are more than a tenth,
    if all defined draws are equal, or if the point lies beyond what the correction can carry (then
    the interval would not contain it), there is no interval but a reason.
    """
    asked = len(draws)
    draws = np.sort(draws[np.isfinite(draws)])
    n = len(draws)
    if n < 0.9 * asked or n < 2:
        return Interval(None, None, "no interval: the statistic is undefined on more than a tenth of the resamples", n)
    if draws[-1] - draws[0] <= 1e-12 * max(1.0, abs(point)):
        return Interval(None, None, "no interval: every resample gives the same value, which says nothing about "
                                    "other items", n)
    near = 1e-12 * max(1.0, abs(point))
    share = (np.searchsorted(draws, point - near, "left") + np.searchsorted(draws, point + near, "right")) / (2.0 * n)
    tail = normal_quantile(0.5 + level / 2.0) if tail is None else tail
    beyond = Interval(None, None, "no interval: nearly all resamples lie on one side of the value; there are too few "
                                  "items, or too few differ", n)
    if not 0.0 < share < 1.0:
        return beyond
    bias = normal_quantile(float(share))
    if abs(bias) >= tail:
        return beyond
    ends = []
    for z in (-tail, tail):
        below = 1.0 - accel * (bias + z)
        if below <= 0.0:
            return beyond
        ends.append(quantile(draws, normal_cdf(bias + (bias + z) / below)))
    low, high = ends
    # Interpolation between two draws may miss the point by the gap between them: never by more.
    return Interval(min(low, point), max(high, point), None, n, float(np.std(draws)))


def bca_p(point: float, draws: Floats, *, accel: float = 0.0, at: float = 0.0) -> float | None:
    """Two-sided p of "the true value is ``at``": the level at which one end of the BCa interval reaches ``at``.

    Below 0.05 exactly where the 95 % interval leaves ``at`` out (Efron and Tibshirani 1993, section 15.4, solved for
    the level). Never below 2 / (draws + 1). None where a tenth of the draws are undefined, or all are equal.
    """
    defined = np.sort(draws[np.isfinite(draws)])
    n = len(defined)
    if n < max(2.0, 0.9 * len(draws)) or defined[-1] - defined[0] <= 1e-12 * max(1.0, abs(point)):
        return None

    def share(value: float) -> float:
        near = 1e-12 * max(1.0, abs(value))
        below, upto = np.searchsorted(defined, value - near, "left"), np.searchsorted(defined, value + near, "right")
        return float(min(n, max(1.0, (below + upto) / 2.0 + 0.5)) / (n + 1.0))

    bias = normal_quantile(share(point))
    away = normal_quantile(share(at)) - bias
    if 1.0 + accel * away <= 0.0:
        return 2.0 / (n + 1.0)
    below = normal_cdf(away / (1.0 + accel * away) - bias)
    return float(min(1.0, max(2.0 / (n + 1.0), 2.0 * min(below, 1.0 - below))))


def quantile(ordered: Floats, p: float) -> float:
    """Quantile of an ordered sample, linear between order statistics (Hyndman and Fan 1996, type 7)."""
    place = p * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return float(ordered[low] + (place - low) * (ordered[high] - ordered[low]))


def bca_of_mean(values: Floats, *, replicates: int = 10_000, seed: int = 0, level: float = 0.95) -> Interval:
    """BCa bootstrap interval of a mean. Equal values are drawn together (one multinomial draw over the
    distinct values is resampling with replacement), so the cost grows with distinct values, not with n.
    """
    if not len(values):
        return Interval(None, None, "no interval: no values")
    distinct, counts = np.unique(np.asarray(values, dtype=np.float64), return_counts=True)
    n, total = int(counts.sum()), float(distinct @ counts)
    rng = np.random.default_rng(seed)
    block = max(1, 2_000_000 // len(distinct))
    draws = np.concatenate([rng.multinomial(n, counts / n, size=min(block, replicates - start)) @ distinct / n
                            for start in range(0, replicates, block)])
    accel = acceleration((total - distinct) / (n - 1), counts.astype(np.float64)) if n > 1 else 0.0
    return bca(total / n, draws, accel=accel, level=level)


def mcnemar_exact(b: int, c: int) -> float:
    """Two-sided exact p of McNemar's test: b and c are the discordant counts; 1 where both are 0."""
    return min(1.0, 2.0 * _binomial_tail(min(b, c), b + c))


def mcnemar_mid_p(b: int, c: int) -> float:
    """Two-sided mid-p of McNemar's test (Fagerland et al. 2013): the exact p less the probability of the outcome."""
    n, low = b + c, min(b, c)
    if b == c:
        return 1.0 if n == 0 else 1.0 - 0.5 * math.exp(_log_binomial(low, n))
    return 2.0 * _binomial_tail(low, n) - math.exp(_log_binomial(low, n))


def mcnemar_chi2(b: int, c: int, *, continuity: bool = False) -> float | None:
    """McNemar's statistic (1947), one degree of freedom: (b - c)^2 / (b + c); with Edwards' continuity correction
    (|b - c| - 1)^2 / (b + c), 0 where b = c. None where nothing is discordant.
    """
    if b + c == 0:
        return None
    away = max(0.0, abs(b - c) - 1.0) if continuity else float(abs(b - c))
    return away * away / (b + c)


def chi2_one_p(statistic: float) -> float:
    """P(X >= statistic) of the chi-squared distribution with one degree of freedom."""
    return math.erfc(math.sqrt(statistic / 2.0))


def _log_binomial(k: int, n: int) -> float:
    """log P(X = k) for X ~ Binomial(n, 1/2)."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2.0)


def _binomial_tail(k: int, n: int) -> float:
    return math.fsum(math.exp(_log_binomial(i, n)) for i in range(k + 1))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjusted p-values (Holm 1979), in the order given."""
    m = len(p_values)
    adjusted, running = [0.0] * m, 0.0
    for step, index in enumerate(sorted(range(m), key=lambda i: p_values[i])):
        running = max(running, min(1.0, (m - step) * p_values[index]))
        adjusted[index] = running
    return adjusted
