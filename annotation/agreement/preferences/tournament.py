"""Kendall and Babington Smith: how many circular triads a complete tournament holds, and how consistent it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotation.agreement.preferences.comparisons import Comparisons, Floats, one_each


@dataclass(frozen=True, slots=True)
class Tournament:
    """``circles``: d, the number of circular triads. ``zeta``: 1 - d / d_max, 1 no circle, 0 as many as possible."""

    n: int
    circles: int | None
    zeta: float | None
    reason: str | None = None


def tournament(wins: Floats) -> Tournament:
    """``wins`` (n, n): 1 where the row beat the column, 0 where it lost; the diagonal is not looked at.

    Kendall & Babington Smith (1940): d = n(n-1)(2n-1)/12 - sum(a_i^2)/2 with a_i the number of wins, and
    d_max = (n^3 - n)/24 for odd n, (n^3 - 4n)/24 for even n. Only for complete tournaments without ties.
    """
    n = len(wins)
    if n < 3:
        return Tournament(n, None, None, "a circle needs three things")
    away = ~np.eye(n, dtype=bool)
    if not (np.isin(wins[away], (0.0, 1.0)).all() and (wins + wins.T)[away].min() == (wins + wins.T)[away].max() == 1):
        return Tournament(n, None, None, "not every pair was judged and decided: ties and gaps have no place in a "
                                         "tournament")
    a = np.where(away, wins, 0.0).sum(axis=1)
    circles = round(n * (n - 1) * (2 * n - 1) / 12 - float((a**2).sum()) / 2)
    most = (n**3 - (n if n % 2 else 4 * n)) // 24
    return Tournament(n, circles, 1.0 - circles / most)


def tournaments(comparisons: Comparisons) -> dict[tuple[str, str], Tournament]:
    """One per person and item, over the things that this person judged there: (person, item) -> tournament."""
    each = one_each(comparisons)
    out = {}
    for person, item in sorted(set(zip(each.person.tolist(), each.item.tolist(), strict=True))):
        part = each.rows((each.person == person) & (each.item == item))
        used = np.unique(np.r_[part.first, part.second])
        wins = np.full((len(used), len(used)), np.nan)
        a, b = np.searchsorted(used, part.first), np.searchsorted(used, part.second)
        wins[a, b], wins[b, a] = (1.0 + part.outcome) / 2.0, (1.0 - part.outcome) / 2.0
        out[each.people[person], each.items[item]] = tournament(wins)
    return out
