"""A coefficient for every two people, each pair from its own answers alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from annotation.agreement.beside import Pair
from annotation.agreement.ratings import Ints, Ratings
from annotation.agreement.report import measure
from annotation.agreement.resampling import Cancelled, Progress


def every_pair(ratings: Ratings, metric: str, *, level: str | None = None, weights: str | None = None,
               interval: str = "jackknife", replicates: int = 10_000, seed: int = 0, progress: Progress | None = None,
               cancelled: Cancelled | None = None) -> tuple[Pair, ...]:
    """Every two people in the order of their numbers; without items in common the value is None with a reason.

    Time: for each pair the answers of the two, so with all pairs the answers times the number of people.
    """
    order = np.argsort(ratings.person, kind="stable")
    person = ratings.person[order]
    rows: dict[int, Ints] = {}
    for one in np.unique(ratings.person[ratings.code >= 0]).tolist():
        start, end = np.searchsorted(person, [one, one + 1]).tolist()
        rows[one] = order[start:end]
    out: list[Pair] = []
    total = len(rows) * (len(rows) - 1) // 2
    for first, second in combinations(rows, 2):
        if cancelled is not None and cancelled():
            break
        mine = np.concatenate([rows[first], rows[second]])
        both = replace(ratings, unit=ratings.unit[mine], person=ratings.person[mine], code=ratings.code[mine],
                       slices={})
        out.append(Pair(first, second, measure(both, metric, level=level, weights=weights, interval=interval,
                                               replicates=replicates, seed=seed, cancelled=cancelled)))
        if progress is not None:
            progress(len(out), total)
    return tuple(out)
