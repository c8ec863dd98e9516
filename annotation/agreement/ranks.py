"""Kendall's W: how alike any number of people order the same items.

W = 12 S / (m^2 (n^3 - n) - m sum T), S the squared deviations of the items' rank sums from their mean, T = sum of
t^3 - t over the ties of each person (Kendall and Babington Smith 1939; Kendall 1948). Without the correction for
ties T is 0. chi^2 = m (n - 1) W with n - 1 degrees of freedom; mean Spearman = (m W - 1) / (m - 1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotation.agreement.columns import Columns, columns_of, complete_rows, why_incomplete
from annotation.agreement.correlation import columns_of_table
from annotation.agreement.metric import Metric, metrics
from annotation.agreement.ranking import ranking_of
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Statistic, divide

NO_VARIATION = "nobody puts any item before another, so there is no order to agree on"


@dataclass(frozen=True, slots=True)
class Concordance:
    """Kendall's W with its test. ``value`` None where undefined; then ``reason`` says why."""

    value: float | None
    chi2: float | None = None
    df: int = 0
    p: float | None = None
    mean_spearman: float | None = None
    reason: str | None = None


class KendallW(Statistic):
    """Over items that all people judged; each resample costs O(people x K)."""

    def __init__(self, found: Columns, *, tie_correction: bool = True) -> None:
        self.rows = np.flatnonzero(found.complete)
        codes = found.codes[self.rows]
        self.rankings = [ranking_of(codes[:, column]) for column in range(codes.shape[1])]
        self.tie_correction = tie_correction

    def evaluate(self, weights: Floats) -> Floats:
        if not len(self.rows):
            return np.full(len(weights), np.nan)
        weights = weights[:, self.rows]
        n, m = weights.sum(axis=1), float(len(self.rankings))
        total, ties = np.zeros_like(weights), np.zeros(len(weights))
        for ranking in self.rankings:
            ranks, tied = ranking.of(weights)
            total += ranks
            ties += tied
        away = total - (m * (n + 1.0) / 2.0)[:, None]
        whole = m * m * (n**3 - n)
        below = whole - m * ties
        # All ranks tied: the corrected formula is 0 / 0, and the other would call it perfect disagreement.
        vary = below > 0.0
        return divide(12.0 * (weights * away * away).sum(axis=1),
                      np.where(vary, below if self.tie_correction else whole, 0.0))


def kendall_w(table: Floats, *, tie_correction: bool = True) -> Concordance:
    """W of (items, people) numbers or ranks; items with a missing value (NaN) stay out."""
    from scipy import stats  # heavy, and the statistic in resampling does not need it

    x = complete_rows(table)
    n, m = x.shape
    if m < 2:
        return Concordance(None, reason="one person alone")
    if n < 2:
        return Concordance(None, reason="fewer than two items were judged by all people")
    value = float(KendallW(columns_of_table(x), tie_correction=tie_correction).evaluate(np.ones((1, n)))[0])
    if not np.isfinite(value):
        return Concordance(None, reason=NO_VARIATION)
    chi2 = m * (n - 1.0) * value
    return Concordance(value, chi2, n - 1, float(stats.chi2.sf(chi2, n - 1)), (m * value - 1.0) / (m - 1.0))


def w_statistic(patterns: Patterns, scale: Scale) -> KendallW:
    """Corrected for ties."""
    return KendallW(columns_of(patterns, scale))


metrics.add("kendall_w", Metric("kendall_w", {None: w_statistic}, NO_VARIATION, ordered=True, needs_numbers=True,
                                why=why_incomplete, bounds=(0.0, 1.0)))
