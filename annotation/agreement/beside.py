"""What stands beside a coefficient: how often each answer was given, pairs of people, and the items behind a number."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from annotation.agreement.ratings import Ints, Ratings
from annotation.agreement.report import measure
from annotation.agreement.resampling import Cancelled, Progress
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
    units = max(1, ratings.n_units)
    carried = np.unique(ratings.code[given] * units + ratings.unit[given]) // units  # one number for each pair
    items = np.bincount(carried, minlength=len(ratings.labels))
    total = max(1, int(counts.sum()))
    return tuple(Share(label, int(counts[n]), float(counts[n]) / total, int(items[n]))
                 for n, label in enumerate(ratings.labels) if counts[n])


def measure_pairs(ratings: Ratings, metric: str, *, level: str | None = None, weights: str | None = None,
                  interval: str = "bca", replicates: int = 0, seed: int = 0, progress: Progress | None = None,
                  cancelled: Cancelled | None = None) -> tuple[Pair, ...]:
    """The metric for every two people, in their order; without items in common the value is None with a reason.

    Without replicates the values alone, unless ``interval`` is one that draws none (``jackknife``). Each pair costs by
    the answers of the two, so all pairs cost by answers x people. Where it is cancelled, what was done by then.
    """
    order = np.argsort(ratings.person, kind="stable")
    people, first_row = np.unique(ratings.person[order], return_index=True)
    rows_of = np.split(order, first_row[1:]) if len(people) else []
    chosen = list(combinations(range(len(people)), 2))
    pairs: list[Pair] = []
    for one, other in chosen:
        if cancelled is not None and cancelled():
            break
        rows = np.sort(np.r_[rows_of[one], rows_of[other]])  # in the order they came: mostly unit by unit
        both = replace(ratings, unit=ratings.unit[rows], person=ratings.person[rows], code=ratings.code[rows],
                       slices={})
        result = measure(both, metric, level=level, weights=weights, interval=interval, replicates=replicates,
                         seed=seed)
        pairs.append(Pair(int(people[one]), int(people[other]), result))
        if progress is not None:
            progress(len(pairs), len(chosen))
    return tuple(pairs)


def units_that_differ(ratings: Ratings) -> Ints:
    """Units on which not all values are equal: where a coefficient below 1 leads to."""
    given = ratings.code >= 0
    labels = max(1, len(ratings.labels))
    units = np.unique(ratings.unit[given] * labels + ratings.code[given]) // labels
    return np.flatnonzero(np.bincount(units, minlength=ratings.n_units) > 1)
