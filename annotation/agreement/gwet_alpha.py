"""Krippendorff's alpha in Gwet's form: fixed weights between categories, and a closed-form standard error.

Not the same as ``krippendorff_alpha`` with the level ordinal, whose distances depend on the margins: 0.834 against
0.815 on one and the same table. Without weights it is alpha nominal; linear on numbers is a metric alpha has not.
"""

from __future__ import annotations

import numpy as np

from annotation.agreement.chance import NO_VARIATION
from annotation.agreement.margins import count_values, mean_of_values, with_margins
from annotation.agreement.metric import Analytic, Metric, metrics
from annotation.agreement.percent import NAMES, item_agreement
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.standard_error import Estimate, spread_of_mean
from annotation.agreement.statistic import Statistic, divide
from annotation.agreement.weights import Weighting, weighting_of


def krippendorff_alpha_gwet_weights(patterns: Patterns, scale: Scale) -> Statistic:
    """(p_a - p_e) / (1 - p_e) over items with two answers or more (Gwet 2014, ch. 2; Krippendorff 2011).

    p_a = (1 - 1/N) p' + 1/N, p' the mean agreement of the items weighted by their number of answers, N all
    answers; p_e = pi W pi with pi_c the share of answer c among all answers.
    """
    weighting = weighting_of(scale)
    m = patterns.size.astype(np.float64)
    within = np.where(m >= 2.0, m, 0.0)

    def finish(sums: Floats, totals: Floats) -> Floats:
        answers = sums[:, 1]
        raw = divide(sums[:, 0], answers)
        observed = raw + (1.0 - raw) / np.maximum(answers, 1.0)
        shares = totals / np.maximum(sums[:, 1:], 1.0)
        expected = weighting.between(shares, shares)
        return divide(observed - expected, 1.0 - expected, least=1e-12)

    return with_margins(np.column_stack([within * item_agreement(patterns, weighting), within]), patterns.cells,
                        (m >= 2.0).astype(np.float64), patterns.values, finish)


def alpha_estimate(patterns: Patterns, weighting: Weighting) -> Estimate | None:
    """The same with a linearised standard error, as R's irrCAC 1.0 computes it from raw ratings.

    The mean number of answers is a ratio's denominator, so that an item's own number of answers enters its part.
    The term 1/N enters there only, and is otherwise left out: with complete data it is the error of Fleiss' kappa.
    Which term irrCAC keeps was told by its printed errors (four weightings of one incomplete table, to 1e-15).
    """
    keep = patterns.size >= 2
    cells, size, count = patterns.cells[keep], patterns.size[keep], patterns.count[keep]
    if not len(count):
        return None
    n = float(count.sum())
    mean = float((count * size).sum()) / n
    each = item_agreement(patterns, weighting)[keep] * size / mean
    raw = float((count * each).sum()) / n
    shares = count_values(cells, count.astype(np.float64), patterns.values) / (n * mean)
    expected = float(weighting.between(shares, shares))
    if 1.0 - expected <= 1e-12:
        return None
    more = (size - mean) / mean
    observed = each - (raw + (1.0 - raw) / (n * mean)) * more
    chance = mean_of_values(cells, size, weighting.spread(shares)) * size / mean - expected * more
    prime = (raw - expected) / (1.0 - expected)
    parts = (observed - expected) / (1.0 - expected) - 2.0 * (1.0 - prime) * (chance - expected) / (1.0 - expected)
    value = (raw + (1.0 - raw) / (n * mean) - expected) / (1.0 - expected)
    return Estimate(value, spread_of_mean(parts, count, prime), int(n))


def _analytic(patterns: Patterns, scale: Scale) -> Analytic | None:
    found = alpha_estimate(patterns, weighting_of(scale))
    return None if found is None else found.analytic()


metrics.add("krippendorff_alpha_gwet_weights", Metric(
    "krippendorff_alpha_gwet_weights", {None: krippendorff_alpha_gwet_weights}, NO_VARIATION, weights=NAMES,
    analytic=_analytic))
