"""Dawid-Skene's competence of each person at one question, with his confusions, as the reports tell it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from annotation.agreement.competence.competence import METHOD, competence
from annotation.agreement.competence.votes import votes_of
from annotation.agreement.ratings import Ratings

SMOOTHING = 0.1     # labels added to each cell of a confusion matrix: a light prior, said wherever the values go
RESTARTS = 3
MANY = 50_000       # more different answers of items than this: a draw takes long, and a hundred have to do
DRAWS, FEW_DRAWS = 500, 100
NOT_CLOSED = "the question has no fixed list of answers, so there are no classes to tell right from wrong by"


@dataclass(frozen=True, slots=True)
class Competence:
    """``value``: expected share of right answers among those given. ``confusion[k][v]``: of items whose true answer
    is ``classes[k]``, the share to which he gives ``classes[v]``. The truth is estimated with it, from everybody's
    answers; ``smoothing`` labels stand in each cell beforehand. None and a ``reason`` where undefined.
    """

    value: float | None
    ci: tuple[float, float] | None
    ci_method: str
    answers: int
    classes: tuple[str, ...]
    confusion: tuple[tuple[float, ...], ...] | None
    smoothing: float
    replicates: int
    seed: int
    reason: str | None


def competences(ratings: Ratings, *, closed: bool, replicates: int | None = None, seed: int = 0,
                cancelled: Callable[[], bool] | None = None) -> dict[int, Competence]:
    """By place in ``ratings.person``. ``replicates``: default 500, for very many answers 100 (a draw costs one EM)."""
    people = np.unique(ratings.person[ratings.code >= 0]).tolist()
    if not closed:
        return {person: Competence(None, None, METHOD, 0, (), None, SMOOTHING, 0, seed, NOT_CLOSED)
                for person in people}
    votes = votes_of(ratings)
    draws = replicates if replicates is not None else DRAWS if len(votes.count) <= MANY else FEW_DRAWS
    truth, found = competence(votes, smoothing=SMOOTHING, restarts=RESTARTS, replicates=draws, seed=seed,
                              cancelled=cancelled)
    out = {}
    for place, one in enumerate(found):
        matrix = None if truth.confusion is None else tuple(
            tuple(round(float(share), 6) for share in row) for row in truth.confusion[place])
        out[one.person] = Competence(one.value, one.ci, one.ci_method, one.labels, votes.labels, matrix, SMOOTHING,
                                     one.replicates, one.seed, one.reason)
    return out
