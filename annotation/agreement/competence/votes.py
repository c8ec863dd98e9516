"""Who gave which label to which item, as a sparse table in which items with the same labels are one row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.agreement.ratings import Floats, Ints, Ratings


@dataclass(frozen=True, slots=True)
class Votes:
    """``table`` (T, people * V), scipy CSR: how often each (person, label) occurs in a *kind* of item.

    Column person * V + label. ``count`` (T): items of each kind. ``of_unit`` (n_units): the kind of each unit, -1
    where it has no label. ``labels``: the V labels that occur, ``codes`` their places in ``Ratings.labels``.
    ``people``: the people who gave labels, as in ``Ratings.person``. One person may give an item several labels.
    """

    table: Any
    count: Floats
    of_unit: Ints
    labels: tuple[str, ...]
    codes: Ints
    people: Ints

    @property
    def size(self) -> tuple[int, int]:
        """People, labels."""
        return len(self.people), len(self.labels)

    def given(self) -> Floats:
        """Labels given by each person, (people)."""
        return (self.count @ self.table).reshape(self.size).sum(axis=1)

    def shared(self) -> int:
        """Items that at least two people labelled."""
        people, v = self.size
        rows = np.repeat(np.arange(self.table.shape[0]), np.diff(self.table.indptr))
        pairs = np.unique(rows * max(1, people) + self.table.indices // max(1, v))
        several = np.bincount(pairs // max(1, people), minlength=len(self.count)) >= 2
        return int(self.count[several].sum())


def votes_of(ratings: Ratings) -> Votes:
    """O(labels); equal items are found by a 64-bit sum of random numbers, one per (person, label).

    That two different items fall together has a probability below 2^-24 at a million items.
    """
    # Kept out of the start of the program: scipy.sparse costs more than 100 ms.
    from scipy.sparse import csr_matrix

    kept = ratings.code >= 0
    unit = ratings.unit[kept]
    codes, label = np.unique(ratings.code[kept], return_inverse=True)
    people, person = np.unique(ratings.person[kept], return_inverse=True)
    width = len(people) * len(codes)
    column = person * len(codes) + label
    of_unit = np.full(ratings.n_units, -1, dtype=np.int64)
    if not len(unit):
        return Votes(csr_matrix((0, 0)), np.zeros(0), of_unit, (), codes, people)
    order = np.argsort(unit, kind="stable")
    unit, column = unit[order], column[order]
    first = np.flatnonzero(np.r_[True, unit[1:] != unit[:-1]])
    marks = np.random.default_rng(0).integers(0, 2**63, size=width, dtype=np.uint64)
    _, at, kind, count = np.unique(np.add.reduceat(marks[column], first), return_index=True, return_inverse=True,
                                   return_counts=True)
    of_unit[unit[first]] = kind
    sizes = np.diff(np.r_[first, len(unit)])
    chosen, length = first[at], sizes[at]
    start = np.r_[0, np.cumsum(length)]
    cells = np.repeat(chosen - start[:-1], length) + np.arange(start[-1])
    table = csr_matrix((np.ones(len(cells)), column[cells], start), shape=(len(at), width))
    table.sum_duplicates()
    return Votes(table, count.astype(np.float64), of_unit, tuple(ratings.labels[c] for c in codes), codes, people)
