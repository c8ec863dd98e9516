"""What stands beside a coefficient: how often each answer was given, pairs of people, and the items behind a number."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from annotation.agreement.ratings import Ints, Ratings
from annotation.agreement.report import measure
from annotation.agreement.result import Result

FEW = 5  # where fewer items than this carry an answer, no interval holds what it promises (measured by simulation)


@dataclass(frozen=True, slots=True)
class Share:
    """``answers`` of all answers with a value are this one; ``items`` carry it at least once."""

    label: str
    answers: int
    share: float
    items: int

    @property
    def is_rare(self) -> bool:
        return self.items < FEW


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people (places in ``Judgements.people``) and their agreement on the items both judged."""

    first: int
    second: int
    result: Result


def answer_shares(ratings: Ratings) -> tuple[Share, ...]:
    """Every answer that was given, in the order of the labels: the prevalence to read a coefficient by."""
    given = ratings.code >= 0
    counts = np.bincount(ratings.code[given], minlength=len(ratings.labels))
    carried = np.unique(np.column_stack([ratings.code[given], ratings.unit[given]]), axis=0)[:, 0]
    items = np.bincount(carried, minlength=len(ratings.labels))
    total = max(1, int(counts.sum()))
    return tuple(Share(label, int(counts[n]), float(counts[n]) / total, int(items[n]))
                 for n, label in enumerate(ratings.labels) if counts[n])


def measure_pairs(ratings: Ratings, metric: str, *, level: str | None = None, replicates: int = 0,
                  seed: int = 0) -> tuple[Pair, ...]:
    """The metric for every two people, in their order; without items in common the value is None with a reason."""
    pairs = []
    for first, second in combinations(np.unique(ratings.person).tolist(), 2):
        rows = (ratings.person == first) | (ratings.person == second)
        both = replace(ratings, unit=ratings.unit[rows], person=ratings.person[rows], code=ratings.code[rows],
                       slices={})
        pairs.append(Pair(first, second, measure(both, metric, level=level, replicates=replicates, seed=seed)))
    return tuple(pairs)


def units_that_differ(ratings: Ratings) -> Ints:
    """Units on which not all values are equal: where a coefficient below 1 leads to."""
    given = ratings.code >= 0
    pairs = np.unique(np.column_stack([ratings.unit[given], ratings.code[given]]), axis=0)
    return np.flatnonzero(np.bincount(pairs[:, 0], minlength=ratings.n_units) > 1)
