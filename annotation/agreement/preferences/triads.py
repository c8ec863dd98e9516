"""Circles and broken ties: whose preferences fit no order, in triples and in larger sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from annotation.agreement.preferences.comparisons import Comparisons, Ints, one_each
from annotation.agreement.share import Share, clustered_share
from annotation.errors import N_, Refused

MOST = 200_000  # subsets of one set that are looked at; beyond, the share has no value but a reason
CONSISTENT, CIRCULAR, EQUALITY = 0, 1, 2

Progress = Callable[[int, int], None]


def violation(ab: int, bc: int, ac: int) -> int:
    """The kind of one triad: 0 consistent with some order, 1 circular, 2 equality.

    Relations are 1 (>), 0 (=), -1 (<). Of the 27 outcomes 13 are weak orders, 6 are circular (A to C runs against
    what A to B to C implies) and 8 break equality (A = C where it is implied otherwise, or A = B = C but not A = C):
    the table of TrustJudge (arXiv 2509.21117). Whether a triad is bad does not depend on the order in which
    its members are named; which of the two kinds it is does, where there is exactly one tie.
    """
    return int(KINDS[ab + 1, bc + 1, ac + 1])


def _kind(ab: int, bc: int, ac: int) -> int:
    if ab * bc < 0:  # up and down again: anything may hold between A and C
        return CONSISTENT
    implied = ab or bc
    if ac == implied:
        return CONSISTENT
    return CIRCULAR if implied and ac == -implied else EQUALITY


KINDS = np.array([[[_kind(ab, bc, ac) for ac in (-1, 0, 1)] for bc in (-1, 0, 1)] for ab in (-1, 0, 1)], dtype=np.int8)


@dataclass(frozen=True, slots=True)
class Violations:
    """``bad`` = NTR_k: share of k-subsets with at least one bad triad, over the subsets judged completely.

    Its interval is a bootstrap over the sets of one person and item, because subsets of one set share pairs.

    ``circular``, ``equality``: subsets with at least one triad of that kind (a subset may have both).
    ``by_ties[t]``: bad subsets' triads with t ties (0: a true circle), the same for every naming. ``incomplete``:
    subsets left out because a pair in them was not judged. ``k`` = 3: the triads themselves.
    """

    k: int
    bad: Share
    circular: int
    equality: int
    by_ties: tuple[int, int, int]
    incomplete: int
    reason: str | None = None


def violations(comparisons: Comparisons, *, k: int = 3) -> Violations:
    """Bad k-subsets of what one person judged about one item, pooled over people and items.

    Pairs judged in both orders count as a preference only if both agree (``one_each``). Cost: the number of
    subsets, C(n, k) for n things of one person and item, at most ``MOST`` of each.
    """
    return _pooled(one_each(comparisons), k)


def violations_by_person(comparisons: Comparisons, *, k: int = 3) -> dict[str, Violations]:
    """``violations`` for each person who judged anything, in the order of ``people``."""
    each = one_each(comparisons)
    return {name: _pooled(each.rows(each.person == place), k) for place, name in enumerate(each.people)
            if (each.person == place).any()}


def _pooled(each: Comparisons, k: int) -> Violations:
    if k < 3:
        raise Refused(N_("Circles need sets of at least 3 things, not {k}"), k=k)
    incomplete = circular = equality = 0
    bad, complete = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]  # per person and item
    by_ties = np.zeros(3, dtype=np.int64)
    too_many = False
    for known, relation in _squares(each):
        things = relation.shape[1]
        if things < k:
            continue
        if comb(things, k) > MOST:
            too_many = True
            continue
        kinds, ties, judged = _triads(known, relation)
        whole, circle, equal = _subsets(kinds, judged, things, k)
        complete.append(whole.sum(axis=1))
        bad.append((whole & (circle | equal)).sum(axis=1))
        incomplete += whole.size - int(whole.sum())
        circular += int((whole & circle).sum())
        equality += int((whole & equal).sum())
        by_ties += np.bincount(ties[judged & (kinds > 0)], minlength=4)[:3]
    reason = None
    if too_many:
        reason = f"somebody judged so many things about one item that it has more than {MOST} sets of {k}"
    elif not any(part.any() for part in complete):
        reason = f"nobody judged all pairs among {k} things"
    found = (Share(None, None, 0, 0, reason=reason) if too_many else
             clustered_share(np.concatenate(bad), np.concatenate(complete), nothing=reason or ""))
    return Violations(k, found, circular, equality, (int(by_ties[0]), int(by_ties[1]), int(by_ties[2])), incomplete,
                      reason)


def _squares(each: Comparisons) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each number of things n: which pairs are known (G, n, n) and their relations (G, n, n), G person-items."""
    if not len(each):
        return
    group = np.unique(each.person * max(1, len(each.items)) + each.item, return_inverse=True)[1]
    width = len(each.names)
    seen = np.unique(np.r_[group * width + each.first, group * width + each.second])
    owner = seen // width
    first_of = np.searchsorted(owner, np.arange(owner[-1] + 1))
    size = np.bincount(owner)

    def local(names: Ints) -> Ints:
        return np.searchsorted(seen, group * width + names) - first_of[group]

    a, b = local(each.first), local(each.second)
    for n in np.unique(size):
        members = np.flatnonzero(size == n)
        rows = size[group] == n
        at = np.searchsorted(members, group[rows])
        known = np.zeros((len(members), n, n), dtype=bool)
        relation = np.zeros((len(members), n, n), dtype=np.int8)
        known[at, a[rows], b[rows]] = known[at, b[rows], a[rows]] = True
        relation[at, a[rows], b[rows]] = each.outcome[rows]
        relation[at, b[rows], a[rows]] = -each.outcome[rows]
        yield known, relation


def _chosen(n: int, k: int) -> Ints:
    return np.array(list(combinations(range(n), k)), dtype=np.int64).reshape(-1, k)


def _triads(known: np.ndarray, relation: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Kind, number of ties and whether complete, (G, T), of all triads in the order of ``combinations``."""
    a, b, c = _chosen(known.shape[1], 3).T
    ab, bc, ac = relation[:, a, b], relation[:, b, c], relation[:, a, c]
    judged = known[:, a, b] & known[:, b, c] & known[:, a, c]
    return KINDS[ab + 1, bc + 1, ac + 1], (ab == 0).astype(np.int64) + (bc == 0) + (ac == 0), judged


def _subsets(kinds: np.ndarray, judged: np.ndarray, n: int, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For all k-subsets (G, S): judged completely; with a circular triad; with a broken equality."""
    if k == 3:
        return judged, kinds == CIRCULAR, kinds == EQUALITY
    place = np.zeros((n, n, n), dtype=np.int64)
    a, b, c = _chosen(n, 3).T
    place[a, b, c] = np.arange(len(a))
    sets = _chosen(n, k)
    shape = (len(kinds), len(sets))
    whole, circle, equal = np.ones(shape, dtype=bool), np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    for i, j, m in combinations(range(k), 3):
        triad = place[sets[:, i], sets[:, j], sets[:, m]]
        whole &= judged[:, triad]
        circle |= kinds[:, triad] == CIRCULAR
        equal |= kinds[:, triad] == EQUALITY
    return whole, circle, equal
