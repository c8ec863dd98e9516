"""Conflicts between a rating pass and a pair pass over the same things (TrustJudge, arXiv 2509.21117)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.preferences.comparisons import Comparisons, Floats, one_each
from annotation.agreement.share import Share, clustered_share

NO_PAIRS = "no judged pair has a rating on both sides"


@dataclass(frozen=True, slots=True)
class Conflicts:
    """``ratio``: share of judged pairs whose order is not that of the ratings, ties counting.

    ``reversed``: preferred the lower rated; ``unequal_tied``: a tie although the ratings differ; ``equal_decided``: a
    preference although the ratings are equal (within the tolerance). ``without_ties``: reversed among pairs decided
    in both passes. ``equal_ratings``: share of pairs with equal ratings (a coarse scale makes many, and with
    them conflicts). ``unrated``: pairs left out because a rating is missing.
    """

    ratio: Share
    reversed: int
    unequal_tied: int
    equal_decided: int
    without_ties: Share
    equal_ratings: Share
    unrated: int
    tolerance: float


Scores = Mapping[tuple[str, str, str], float]


def conflicts(comparisons: Comparisons, scores: Scores, *, tolerance: float = 0.0) -> Conflicts:
    """``scores``: (person, item, name) -> the rating that this person gave this thing by itself.

    Ratings count as equal if they are, or if they differ by less than ``tolerance``. Pairs judged in both orders are
    one pair, decided only if both agree. Intervals: a bootstrap over what one person judged about one item, because
    the pairs there share ratings.
    """
    each = one_each(comparisons)
    return _counted(each, _gaps(each, scores), tolerance)


def conflicts_by_person(comparisons: Comparisons, scores: Scores, *, tolerance: float = 0.0) -> dict[str, Conflicts]:
    """``conflicts`` for each person who judged pairs, in the order of ``people``."""
    each = one_each(comparisons)
    gaps = _gaps(each, scores)
    return {name: _counted(each.rows(each.person == place), gaps[each.person == place], tolerance)
            for place, name in enumerate(each.people) if (each.person == place).any()}


def _gaps(each: Comparisons, scores: Scores) -> Floats:
    """Rating of the first minus that of the second; NaN where one is missing."""
    missing = float("nan")
    return np.array([
        scores.get((each.people[p], each.items[i], each.names[a]), missing)
        - scores.get((each.people[p], each.items[i], each.names[b]), missing)
        for p, i, a, b in zip(each.person.tolist(), each.item.tolist(), each.first.tolist(), each.second.tolist(),
                              strict=True)], dtype=np.float64)


def _counted(each: Comparisons, gaps: Floats, tolerance: float) -> Conflicts:
    rated = np.isfinite(gaps)
    gap, judged = gaps[rated], each.outcome[rated]
    order = np.where((gap == 0) | (np.abs(gap) < tolerance), 0, np.sign(gap)).astype(np.int64)
    against, tied, decided = order * judged < 0, (order != 0) & (judged == 0), (order == 0) & (judged != 0)
    items = max(1, len(each.items))
    cluster = np.unique(each.person[rated] * items + each.item[rated], return_inverse=True)[1]

    def share(part: NDArray[np.bool_], whole: NDArray[np.bool_], nothing: str) -> Share:
        return clustered_share(np.bincount(cluster[part & whole], minlength=len(gap)),
                               np.bincount(cluster[whole], minlength=len(gap)), nothing=nothing)

    every = np.ones(len(gap), dtype=bool)
    return Conflicts(
        ratio=share(against | tied | decided, every, NO_PAIRS), reversed=int(against.sum()),
        unequal_tied=int(tied.sum()), equal_decided=int(decided.sum()),
        without_ties=share(against, order * judged != 0, "no pair is decided in both passes" if len(gap) else NO_PAIRS),
        equal_ratings=share(order == 0, every, NO_PAIRS), unrated=int((~rated).sum()), tolerance=tolerance)
