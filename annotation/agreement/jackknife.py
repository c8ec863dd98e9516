"""The jackknife interval: a value as it would be without each item, at once and without a draw."""

from __future__ import annotations

import math

import numpy as np

from annotation.agreement.intervals import Interval
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.resampling import ONE_ITEM, Sampled, bundle
from annotation.agreement.statistic import Statistic
from annotation.agreement.student import t_quantile


def jackknife(statistic: Statistic, patterns: Patterns, *, bounds: tuple[float, float] | None = (-1.0, 1.0),
              level: float = 0.95) -> Interval:
    """Interval of ``statistic`` over items, or blocks of them: one evaluation per kind of item, with its count."""
    sampled = Sampled(statistic, bundle(patterns))
    if sampled.kinds.drawn < 2:
        return Interval(None, None, ONE_ITEM)
    return jackknife_of(sampled.value, *sampled.left_out(), bounds=bounds, level=level)


def jackknife_of(value: float, left_out: Floats, times: Floats, *, bounds: tuple[float, float] | None = (-1.0, 1.0),
                 level: float = 0.95) -> Interval:
    """From leave-one-out values (K,) that occur ``times`` (K,) (Tukey 1958; Efron and Tibshirani 1993, ch. 11).

    se^2 = (n - 1) / n sum (v_i - mean)^2. With ``bounds`` the interval is made on Fisher's z (of the value moved to
    [-1, 1]; se by the delta method) with t(n - 1), so that it stays between them; else it is value -+ t se.
    """
    there = times > 0.0
    left_out, times = left_out[there], times[there]
    n = float(times.sum())
    if n < 2.0:
        return Interval(None, None, ONE_ITEM)
    if not np.isfinite(left_out).all():
        return Interval(None, None, "no interval: without one of the items the value is undefined; too few differ")
    away = left_out - np.average(left_out, weights=times)
    away[np.abs(away) < 1e-13] = 0.0
    se = math.sqrt((n - 1.0) / n * float(np.sum(times * away * away)))
    if se == 0.0:
        return Interval(None, None, "no interval: whichever item is left out, the value stays the same, which says "
                                    "nothing about other items")
    half = t_quantile(0.5 + level / 2.0, n - 1.0) * se
    if bounds is None or not bounds[0] < value < bounds[1]:
        low, high = value - half, value + half
        return Interval(low if bounds is None else max(bounds[0], low) if value >= bounds[0] else low,
                        high if bounds is None else min(bounds[1], high), None, 0, se)
    scale = (bounds[1] - bounds[0]) / 2.0
    moved = (value - bounds[0]) / scale - 1.0
    z, half = math.atanh(moved), half / scale / (1.0 - moved * moved)
    return Interval(bounds[0] + scale * (1.0 + math.tanh(z - half)), bounds[0] + scale * (1.0 + math.tanh(z + half)),
                    None, 0, se)
