# SPDX-License-Identifier: Apache-2.0
"""Intervals in closed form over clusters: cluster-robust with t, and Wilson's with an effective n."""

from __future__ import annotations

import math
from dataclasses import dataclass

from annotation.agreement.intervals import normal_quantile
from annotation.agreement.student import t_quantile
from exports.scorer.metric import Floats


@dataclass(frozen=True, slots=True)
class Estimated:
    """``ci`` is None where there is no interval; then ``reason`` says why. ``undefined``: draws without a value."""

    method: str
    ci: tuple[float, float] | None
    reason: str | None = None
    se: float | None = None
    freedom: int | None = None
    effective_n: float | None = None
    undefined: int = 0


def robust_se(sums: Floats) -> float | None:
    """Standard error of sum / sum over clusters with the factor G / (G - 1); None below two clusters or without a sum.

    ``sums`` (clusters, 2): numerator and denominator of each. With denominators of 1 per item this is
    sqrt(G / (G - 1) sum_g (sum_i (x_i - mean))^2) / n (Liang and Zeger 1986; Miller 2024, arXiv 2411.00640).
    """
    groups, below = len(sums), float(sums[:, 1].sum())
    if groups < 2 or below <= 0.0:
        return None
    value = float(sums[:, 0].sum()) / below
    off = sums[:, 0] - value * sums[:, 1]
    return math.sqrt(groups / (groups - 1.0) * float(off @ off)) / below


def robust(sums: Floats, *, level: float = 0.95) -> Estimated:
    """Value -+ t(G - 1) standard errors; unknown below two clusters. Not cut off at the ends of the scale."""
    method = "cluster_robust_t"
    se = robust_se(sums)
    if se is None:
        return Estimated(method, None, "unknown: one cluster says nothing about others")
    freedom = len(sums) - 1
    value, half = float(sums[:, 0].sum() / sums[:, 1].sum()), t_quantile(0.5 + level / 2.0, freedom) * se
    return Estimated(method, (value - half, value + half), se=se, freedom=freedom)


def wilson_at(share: float, n: float, *, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval for a share of any effective n > 0, which need not be whole."""
    z = normal_quantile(0.5 + level / 2.0)
    middle = share + z * z / (2.0 * n)
    half = z * math.sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n))
    low = 0.0 if share <= 0.0 else (middle - half) / (1.0 + z * z / n)
    high = 1.0 if share >= 1.0 else (middle + half) / (1.0 + z * z / n)
    return max(0.0, low), min(1.0, high)


def wilson_effective(sums: Floats, *, level: float = 0.95) -> Estimated:
    """Wilson's interval of a clustered share with the effective n of Korn and Graubard (1998).

    n_e = p (1 - p) / SE^2 with the cluster-robust SE, at most n, times (t(n - 1) / t(G - 1))^2 for the few degrees of
    freedom. Where all are right or all wrong the SE says nothing: then every cluster counts as one answer.
    """
    method = "wilson_effective_n"
    se, groups = robust_se(sums), len(sums)
    if se is None:
        return Estimated(method, None, "unknown: one cluster says nothing about others")
    n = float(sums[:, 1].sum())
    share = float(sums[:, 0].sum()) / n
    if share <= 0.0 or share >= 1.0:
        return Estimated(method, wilson_at(share, groups, level=level), freedom=groups - 1, effective_n=float(groups))
    effective = n if se == 0.0 else min(n, share * (1.0 - share) / se**2)
    effective *= (t_quantile(0.5 + level / 2.0, max(1.0, n - 1.0)) / t_quantile(0.5 + level / 2.0, groups - 1)) ** 2
    return Estimated(method, wilson_at(share, effective, level=level), se=se, freedom=groups - 1,
                     effective_n=effective)
