"""Each person beside the majority of the others who judged the same unit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotation.agreement.ratings import Ints, Ratings


@dataclass(frozen=True, slots=True)
class WithOthers:
    """By place of a person: on how many units the others had a majority (``n``), and how often it was his value."""

    hits: Ints
    n: Ints


def with_majority_of_others(ratings: Ratings) -> WithOthers:
    """For every answer: is it the value of more than half of the other people of that unit?

    A unit whose others are split has no majority and does not count. His own answer is no part of what he is
    compared with: with it, one of two people would always agree with half of the majority. Of two answers of one
    person to one unit the first counts. Costs one sort of the answers.
    """
    people = int(ratings.person.max()) + 1 if len(ratings.person) else 0
    given = np.flatnonzero(ratings.code >= 0)
    if not len(given):
        return WithOthers(np.zeros(people, dtype=np.int64), np.zeros(people, dtype=np.int64))
    _, first = np.unique(ratings.unit[given] * people + ratings.person[given], return_index=True)
    rows = given[first]
    unit, person, code = ratings.unit[rows], ratings.person[rows], ratings.code[rows]
    width = int(code.max()) + 1
    cells, cell, count = np.unique(unit * width + code, return_inverse=True, return_counts=True)
    of_unit = cells // width
    # The two most frequent values of each unit: without one's own answer, the majority can only be one of them.
    order = np.lexsort((-count, of_unit))
    starts = np.flatnonzero(np.r_[True, of_unit[order][1:] != of_unit[order][:-1]])
    place = np.zeros(int(unit.max()) + 1, dtype=np.int64)
    place[of_unit[order][starts]] = np.arange(len(starts))
    best = order[starts]
    sizes = np.diff(np.r_[starts, len(order)])
    runner_up = np.where(sizes > 1, count[order[np.minimum(starts + 1, len(order) - 1)]], 0)
    total = np.bincount(unit)[unit]
    at = place[unit]
    same = count[cell] - 1
    strongest_other = np.where(best[at] == cell, runner_up[at], count[best[at]])
    with_them = 2 * same > total - 1
    against = 2 * strongest_other > total - 1
    return WithOthers(np.bincount(person[with_them], minlength=people),
                      np.bincount(person[with_them | against], minlength=people))
