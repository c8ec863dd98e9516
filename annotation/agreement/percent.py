"""Percent agreement: how often two people who judged the same item gave the same answer, or nearly the same."""

from __future__ import annotations

import numpy as np

from annotation.agreement.metric import Analytic, Metric, metrics
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.standard_error import Estimate, linearised
from annotation.agreement.statistic import Linear, divide
from annotation.agreement.weights import WEIGHTS, Weighting, weighting_of

NAMES = tuple(WEIGHTS)


def agreeing_pairs(patterns: Patterns) -> Floats:
    """(K,): pairs of equal values in each pattern, sum over c of P(P - 1) / 2 (equal cells stand side by side)."""
    cells = patterns.cells if patterns.people is None else np.sort(patterns.cells, axis=1)
    run = np.zeros(len(cells))
    pairs = np.zeros(len(cells))
    for column in range(1, cells.shape[1]):
        same = (cells[:, column] == cells[:, column - 1]) & (cells[:, column] >= 0)
        run = np.where(same, run + 1.0, 0.0)
        pairs += run
    return pairs


def weighted_pairs(patterns: Patterns, matrix: Floats) -> Floats:
    """(K,): sum of the weights over the pairs of values in each pattern; ordered patterns too. Costs K x M^2 / 2."""
    cells = patterns.cells
    pairs = np.zeros(len(cells))
    padded = np.zeros((len(matrix) + 1, len(matrix) + 1))  # the last row and column are what is not there
    padded[:-1, :-1] = matrix
    for right in range(1, cells.shape[1]):
        for left in range(right):
            pairs += padded[cells[:, left], cells[:, right]]
    return pairs


def item_agreement(patterns: Patterns, weighting: Weighting | None = None) -> Floats:
    """(K,): share of agreeing pairs in each pattern, 0 for one value (Fleiss 1971, P_i; weighted: Gwet 2014)."""
    m = patterns.size.astype(np.float64)
    if weighting is not None and weighting.matrix is not None:
        pairs = weighted_pairs(patterns, weighting.matrix)
    else:
        pairs = agreeing_pairs(patterns)
    return np.where(m >= 2.0, pairs / np.maximum(m * (m - 1.0) / 2.0, 1.0), 0.0)


def percent_agreement(patterns: Patterns, scale: Scale | None = None) -> Linear:
    """Mean over items with at least two answers of (agreeing pairs of answers / all pairs of answers).

    Every item weighs the same, however many judged it: Fleiss (1971) P-bar, Gwet (2014) p_a. For two
    people it is the share of items on which they agree. With weights, answers that differ agree in part.
    Between 0 and 1.
    """
    share = item_agreement(patterns, None if scale is None else weighting_of(scale))
    paired = (patterns.size >= 2).astype(np.float64)
    return Linear(np.column_stack([share, paired]), lambda sums: divide(sums[:, 0], sums[:, 1]))


def percent_estimate(patterns: Patterns, weighting: Weighting) -> Estimate | None:
    """The same with Gwet's standard error; items with a single answer, where they stay in, count in its n."""
    return linearised(item_agreement(patterns, weighting), patterns.count,
                      (patterns.size >= 2).astype(np.float64))


def _analytic(patterns: Patterns, scale: Scale) -> Analytic | None:
    found = percent_estimate(patterns, weighting_of(scale))
    return None if found is None else found.analytic()


metrics.add("percent_agreement", Metric("percent_agreement", {None: percent_agreement}, weights=NAMES,
                                        analytic=_analytic, bounds=(0.0, 1.0)))
