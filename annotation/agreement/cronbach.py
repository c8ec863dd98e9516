"""Cronbach's alpha: how consistent the sum over people (or over parts of a scale) is.

alpha = k / (k - 1) (1 - sum_j s_j^2 / s_total^2) (Cronbach 1951, Psychometrika 16, eq. 2); it equals ICC(3,k).
"""

from __future__ import annotations

import numpy as np

from annotation.agreement.columns import columns_of, complete_rows, why_incomplete
from annotation.agreement.icc import Icc, icc
from annotation.agreement.metric import Metric, metrics
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Linear, divide

NO_VARIATION = "the sums over people do not vary, so there is no variance that could be consistent"


def cronbach_statistic(patterns: Patterns, scale: Scale) -> Linear:
    """Over items that all people judged."""
    found = columns_of(patterns, scale)
    k, total = float(found.people), found.x.sum(axis=1)
    features = np.column_stack([np.ones(len(total)), total, total * total, (found.x**2).sum(axis=1), found.x])
    return Linear(features * found.complete[:, None], lambda sums: _finish(sums, k))


def _finish(sums: Floats, k: float) -> Floats:
    n, total, total2, squares, columns = sums[:, 0], sums[:, 1], sums[:, 2], sums[:, 3], sums[:, 4:]
    some = np.maximum(n, 1.0)
    whole = total2 - total * total / some
    parts = squares - (columns * columns).sum(axis=1) / some
    return k / (k - 1.0) * (1.0 - divide(parts, whole, least=1e-12 * (total2 + squares)))


def cronbach_alpha(table: Floats) -> float | None:
    """alpha of (items, people); items with a missing value (NaN) stay out. None without variation of the sums."""
    x = complete_rows(table)
    if x.shape[0] < 2 or x.shape[1] < 2:
        return None
    x = x - x.mean()
    total = x.sum(axis=1)
    sums = np.concatenate([[float(len(x)), total.sum(), (total**2).sum(), (x**2).sum()], x.sum(axis=0)])
    value = float(_finish(sums[None], float(x.shape[1]))[0])
    return value if np.isfinite(value) else None


def cronbach_interval(table: Floats, *, level: float = 0.95) -> Icc:
    """Feldt's interval (1965, Psychometrika 30, 357-370), which is that of ICC(3,k)."""
    return icc(table, "ICC(3,k)", level=level)


metrics.add("cronbach_alpha", Metric("cronbach_alpha", {None: cronbach_statistic}, NO_VARIATION, ordered=True,
                                     needs_numbers=True, why=why_incomplete, bounds=None))
