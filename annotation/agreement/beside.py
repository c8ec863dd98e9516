"""What stands beside a coefficient: how often each answer was given, pairs of people, and the items behind a number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotation.agreement.ratings import Ints, Ratings
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


def units_that_differ(ratings: Ratings) -> Ints:
    """Units on which not all values are equal: where a coefficient below 1 leads to."""
    given = ratings.code >= 0
    labels = max(1, len(ratings.labels))
    units = np.unique(ratings.unit[given] * labels + ratings.code[given]) // labels
    return np.flatnonzero(np.bincount(units, minlength=ratings.n_units) > 1)
