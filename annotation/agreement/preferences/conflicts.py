"""Conflicts between a rating pass and a pair pass over the same things (TrustJudge, arXiv 2509.21117)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from annotation.agreement.preferences.comparisons import Comparisons, Floats, one_each
from annotation.agreement.share import Share, share

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
    one pair, decided only if both agree. The intervals take pairs as independent.
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
    against = int((order * judged < 0).sum())
    tied, decided = int(((order != 0) & (judged == 0)).sum()), int(((order == 0) & (judged != 0)).sum())
    n = len(gap)
    return Conflicts(
        ratio=share(against + tied + decided, n, nothing=NO_PAIRS), reversed=against, unequal_tied=tied,
        equal_decided=decided,
        without_ties=share(against, int((order * judged != 0).sum()),
                           nothing=NO_PAIRS if not n else "no pair is decided in both passes"),
        equal_ratings=share(int((order == 0).sum()), n, nothing=NO_PAIRS), unrated=int((~rated).sum()),
        tolerance=tolerance)
