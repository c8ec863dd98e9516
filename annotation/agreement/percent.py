"""Percent agreement: how often two people who judged the same item gave the same answer."""

from __future__ import annotations

import numpy as np

from annotation.agreement.metric import Metric, metrics
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Linear, divide


def agreeing_pairs(patterns: Patterns) -> Floats:
    """(K,): pairs of equal values in each pattern, sum over c of P(P - 1) / 2 (equal cells stand side by side)."""
    run = np.zeros(len(patterns.size))
    pairs = np.zeros(len(patterns.size))
    for column in range(1, patterns.cells.shape[1]):
        same = (patterns.cells[:, column] == patterns.cells[:, column - 1]) & (patterns.cells[:, column] >= 0)
        run = np.where(same, run + 1.0, 0.0)
        pairs += run
    return pairs


def percent_agreement(patterns: Patterns, scale: Scale | None = None) -> Linear:
    """Mean over items with at least two answers of (agreeing pairs of answers / all pairs of answers).

    Every item weighs the same, however many judged it: Fleiss (1971) P-bar, Gwet (2014) p_a. For two
    people it is the share of items on which they agree. Between 0 and 1.
    """
    m = patterns.size.astype(np.float64)
    share = agreeing_pairs(patterns) / (m * (m - 1.0) / 2.0)
    return Linear(np.column_stack([share, np.ones(len(m))]), lambda sums: divide(sums[:, 0], sums[:, 1]))


metrics.add("percent_agreement", Metric("percent_agreement", {None: percent_agreement}))
