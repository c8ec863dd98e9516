"""What is read about the one question that is shown: slices, pairs of people, confused answers, disputed items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import numpy as np

from annotation import judgements, people
from annotation.agreement.beside import Pair, measure_pairs
from annotation.agreement.ratings import Floats, Ints, Ratings
from annotation.agreement.result import Result
from annotation.disputed import Dispute, disputed
from annotation.errors import Refused
from annotation.judgements import Judgements
from app.pages.agreement.reading import Asked, measured
from app.pages.agreement.sections import Cancelled, Progress

MOST_PEOPLE = 40       # in the grid of pairs
MOST_ANSWERS = 12      # in the grid of answers: the most frequent ones


@dataclass(frozen=True, slots=True)
class Details:
    """``slices``: one for each value of ``by``; ``no_slices`` says why there are none. ``pairs``: the coefficient of
    every two people, by places in ``names``. ``answers`` and ``counts``: how often two people gave these two answers
    to an item, halves of both orders. ``found`` holds the answers themselves, to find the items behind a cell."""

    asked: Asked
    by: str
    slices: tuple[Result, ...]
    no_slices: Refused | None
    names: tuple[str, ...]
    pairs: tuple[Pair, ...]
    answers: tuple[str, ...]
    counts: Floats
    dispute: Dispute
    found: Judgements

    def items_of_slice(self, value: str) -> tuple[UUID, ...]:
        return self.found.items_of(by=value)

    def items_of_pair(self, first: int, second: int) -> tuple[UUID, ...]:
        """Items on which two people differ; where they never do, all that both judged."""
        ratings = self.found.ratings
        codes = [_by_unit(ratings, self.pairs_of[n]) for n in (first, second)]
        both = (codes[0] >= 0) & (codes[1] >= 0)
        differ = both & (codes[0] != codes[1])
        return self._items(np.flatnonzero(differ if differ.any() else both))

    @property
    def pairs_of(self) -> list[int]:
        """The people of the grid by their numbers in the ratings."""
        return sorted({n for pair in self.pairs for n in (pair.first, pair.second)})

    def items_of_answers(self, one: int, other: int) -> tuple[UUID, ...]:
        """Items to which one person gave this and another that answer; for the same answer twice, two people."""
        ratings = self.found.ratings
        place = {label: n for n, label in enumerate(ratings.labels)}
        given = ratings.code >= 0
        tables = [np.bincount(ratings.unit[given & (ratings.code == place[self.answers[n]])],
                              minlength=ratings.n_units) for n in (one, other)]
        return self._items(np.flatnonzero(tables[0] >= 2 if one == other else (tables[0] > 0) & (tables[1] > 0)))

    def _items(self, units: Ints) -> tuple[UUID, ...]:
        return tuple(dict.fromkeys(self.found.units[int(unit)][0] for unit in units))


def _by_unit(ratings: Ratings, person: int) -> Ints:
    out = np.full(ratings.n_units, -1, dtype=np.int64)
    mine = ratings.person == person
    out[ratings.unit[mine]] = ratings.code[mine]
    return out


def read_details(store: Any, asked: Asked, by: str, *, progress: Progress, cancelled: Cancelled) -> Details | None:
    """All of it for one row; None where it was cancelled on the way."""
    with store.read() as session:
        refused = None
        try:
            found = judgements.judgements(session, asked.question, by=by or None)
        except Refused as fault:
            if not by:
                raise
            refused, found = fault, judgements.judgements(session, asked.question)
        handles = {view.id: view.handle for view in people.people(session)}
        dispute = disputed(session, found)
    ratings = found.ratings
    slices = _slices(ratings, asked, by, progress, cancelled)
    pairs = _pairs(ratings, asked)
    if cancelled():
        return None
    numbers = sorted({n for pair in pairs for n in (pair.first, pair.second)})
    answers, counts = confused(ratings)
    return Details(asked, by, slices, refused, tuple(handles.get(found.people[n], "?") for n in numbers), pairs,
                   answers, counts, dispute, found)


def _slices(ratings: Ratings, asked: Asked, by: str, progress: Progress, cancelled: Cancelled) -> tuple[Result, ...]:
    out = []
    for done, value in enumerate(sorted(ratings.slices), 1):
        if cancelled():
            break
        one = measured(ratings.of_units(ratings.slices[value]), asked, instant=False, cancelled=cancelled)
        out.append(replace(one, by={"field": by, "value": value}))
        progress(done, len(ratings.slices))
    return tuple(out)


def _pairs(ratings: Ratings, asked: Asked) -> tuple[Pair, ...]:
    """The people with the most answers, if there are too many for a grid that is read."""
    count = np.bincount(ratings.person[ratings.code >= 0], minlength=1)
    if (count > 0).sum() > MOST_PEOPLE:
        most = np.argsort(-count, kind="stable")[:MOST_PEOPLE]
        rows = np.isin(ratings.person, most)
        ratings = replace(ratings, unit=ratings.unit[rows], person=ratings.person[rows], code=ratings.code[rows])
    try:
        return measure_pairs(ratings, asked.metric, level=asked.level)
    except Refused:
        return ()


def confused(ratings: Ratings) -> tuple[tuple[str, ...], Floats]:
    """The answers in their order and how many pairs of people gave two of them: (V, V), symmetric, pairs of equal
    answers on the diagonal; only the MOST_ANSWERS most frequent answers."""
    given = ratings.code >= 0
    unit, code, labels = ratings.unit[given], ratings.code[given], len(ratings.labels)
    kept = np.sort(np.argsort(-np.bincount(code, minlength=labels), kind="stable")[:MOST_ANSWERS]) if labels else \
        np.zeros(0, dtype=np.int64)
    counts = np.zeros((len(kept), len(kept)))
    tables = [np.bincount(unit[code == c], minlength=ratings.n_units).astype(np.float64) for c in kept]
    for n, one in enumerate(tables):
        for m in range(n, len(tables)):
            pairs = float((one * (one - 1.0)).sum()) / 2.0 if n == m else float((one * tables[m]).sum())
            counts[n, m] = counts[m, n] = pairs
    return tuple(ratings.labels[int(c)] for c in kept), counts

