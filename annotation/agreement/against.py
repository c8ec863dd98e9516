"""Percent agreement with something that stands above the single answer: the majority of the others, or gold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from annotation.agreement.metric import Metric, metrics
from annotation.agreement.ratings import Ints, Patterns, Ratings
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Linear, divide

REFERENCE = -1  # the number of the "person" whose answers are gold; below all others, so that it stands first

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


def with_reference(ratings: Ratings, gold: Ints) -> Ratings:
    """The same with gold as one more person, ``REFERENCE``. ``gold`` (n_units,): codes of ``labels``, -1 for none."""
    units = np.flatnonzero(gold >= 0)
    return replace(ratings, unit=np.r_[units, ratings.unit], code=np.r_[gold[units], ratings.code],
                   person=np.r_[np.full(len(units), REFERENCE, dtype=np.int64), ratings.person], slices={})


def percent_vs_gold(patterns: Patterns, scale: Scale | None = None) -> Linear:
    """Mean over items with gold of the share of answers equal to it.

    Of ordered patterns whose first person is the reference (``with_reference``).
    """
    gold, answers = patterns.cells[:, :1], patterns.cells[:, 1:]
    given = (answers >= 0).sum(axis=1)
    met = ((gold[:, 0] >= 0) & (given > 0)).astype(np.float64)
    share = met * ((answers == gold) & (answers >= 0)).sum(axis=1) / np.maximum(given, 1)
    return Linear(np.column_stack([share, met]), lambda sums: divide(sums[:, 0], sums[:, 1]))


metrics.add("percent_vs_majority", Metric("percent_vs_majority", {None: percent_vs_majority}, NO_MAJORITY))
metrics.add("percent_vs_gold", Metric("percent_vs_gold", {None: percent_vs_gold}, NO_GOLD, ordered=True))
