"""Percent agreement with something that stands above the single answer: the majority of the others, or gold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from annotation.agreement.metric import Metric, metrics
from annotation.agreement.ratings import Ints, Patterns, Ratings, collapse
from annotation.agreement.resampling import Cancelled, Progress, bootstrap
from annotation.agreement.result import BCA_CLUSTERS, BCA_ITEMS, Result
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Linear, divide

NO_MAJORITY = "the others never had a majority"
NO_GOLD = "no item with an answer has a gold value"


def percent_vs_majority(patterns: Patterns, scale: Scale | None = None) -> Linear:
    """Of the answers whose others on the same item have a majority (more than half), the share that is with it.

    The answer itself is no part of the majority; where the others are split it does not count. For two people it is
    percent agreement. A yardstick for people, not a measure of reliability: chance is not taken out.
    """
    cells = patterns.cells
    hits, met = np.zeros(len(cells)), np.zeros(len(cells))
    others = patterns.size - 1
    alike = np.column_stack([(cells == cells[:, [n]]).sum(axis=1) for n in range(cells.shape[1])])
    for column in range(cells.shape[1]):
        given = cells[:, column] >= 0
        # What another answer has among the others, which one's own answer is no part of.
        rival = np.where((cells >= 0) & (cells != cells[:, [column]]), alike, 0).max(axis=1)
        with_them = given & (2 * (alike[:, column] - 1) > others)
        hits += with_them
        met += with_them | (given & (2 * rival > others))
    return Linear(np.column_stack([hits, met]), lambda sums: divide(sums[:, 0], sums[:, 1]))


def percent_vs_gold(patterns: Patterns) -> Linear:
    """Mean over items with gold of the share of answers equal to it; ordered patterns whose first column is gold."""
    gold, answers = patterns.cells[:, :1], patterns.cells[:, 1:]
    given = (answers >= 0).sum(axis=1)
    met = ((gold[:, 0] >= 0) & (given > 0)).astype(np.float64)
    share = met * ((answers == gold) & (answers >= 0)).sum(axis=1) / np.maximum(given, 1)
    return Linear(np.column_stack([share, met]), lambda sums: divide(sums[:, 0], sums[:, 1]))


def measure_vs_gold(ratings: Ratings, gold: Ints, *, replicates: int = 10_000, seed: int = 0, ci_level: float = 0.95,
                    progress: Progress | None = None, cancelled: Cancelled | None = None) -> Result:
    """The same of ratings and ``gold`` (n_units,), codes of ``labels`` or -1, with its BCa interval over items.

    Not a metric by name: without the gold it could only take somebody's answers for it.
    """
    rows = (ratings.code >= 0) & (gold[ratings.unit] >= 0)
    units = np.unique(ratings.unit[rows])
    base = Result(ratings.question, "percent_vs_gold", None, len(units), len(np.unique(ratings.person[rows])),
                  int(rows.sum()), int((ratings.code < 0).sum()), ci_level=ci_level, seed=seed, replicates=replicates,
                  ci_method=BCA_CLUSTERS if ratings.clustered else BCA_ITEMS)
    if not len(units):
        return replace(base, reason=NO_GOLD)
    beside = replace(ratings, unit=np.r_[units, ratings.unit[rows]], code=np.r_[gold[units], ratings.code[rows]],
                     person=np.r_[np.full(len(units), -1), ratings.person[rows]], slices={})
    patterns = collapse(beside, ordered=True)
    statistic = percent_vs_gold(patterns)
    value = float(statistic.evaluate(patterns.count.astype(np.float64)[None])[0])
    if replicates == 0:
        return replace(base, value=value, reason="no interval: no resamples were asked for")
    found = bootstrap(statistic, patterns, replicates=replicates, seed=seed, level=ci_level, progress=progress,
                      cancelled=cancelled)
    return replace(base, value=value, ci=found.pair, reason=found.reason)


metrics.add("percent_vs_majority", Metric("percent_vs_majority", {None: percent_vs_majority}, NO_MAJORITY,
                                          bounds=(0.0, 1.0)))
