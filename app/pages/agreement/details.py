"""What is read about the one question that is shown: slices, pairs of people, confused answers, disputed items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import numpy as np

from annotation import judgements, people
from annotation.agreement.beside import Pair
from annotation.agreement.pairs import every_pair
from annotation.agreement.ratings import Floats, Ints, Ratings
from annotation.agreement.result import Result
from annotation.disputed import Dispute, disputed
from annotation.errors import N_, Refused
from annotation.judgement_slices import OTHERS
from annotation.judgements import Judgements
from app.pages.agreement.cuts import WITHOUT
from app.pages.agreement.reading import DRAWN, INTERVALS, REPLICATES, SEED, Asked, measured
from app.pages.agreement.sections import Cancelled, Progress

MOST_PEOPLE = 40       # in the grid of pairs
MOST_SLICES = 200      # in the forest
MOST_DRAWN = 40        # slices that have an interval by drawing
MOST_ANSWERS = 12      # in the grid of answers: the most frequent ones


@dataclass(frozen=True, slots=True)
class Details:
    """``slices``: one for each value of ``by``; ``no_slices`` says why there are none. ``pairs``: the coefficient of
    every two people, by their numbers in the ratings; ``people``: those numbers in the order of their ``names``.
    ``answers`` and ``counts``: how often two people gave these two answers to an item. ``found`` holds the answers
    themselves, to find the items behind a cell."""

    asked: Asked
    by: str
    slices: tuple[Result, ...]
    no_slices: Refused | None
    people: tuple[int, ...]
    names: tuple[str, ...]
    pairs: tuple[Pair, ...]
    answers: tuple[str, ...]
    counts: Floats
    dispute: Dispute
    found: Judgements

    def items_of_slice(self, value: str) -> tuple[UUID, ...]:
        """The items of a slice of items; () for slices of answers (weeks, versions, groups of people)."""
        return self.found.items_of(by=value) if value in self.found.ratings.slices else ()

    def items_of_person(self, name: str) -> tuple[UUID, ...]:
        """Items on which a person differs from somebody."""
        ratings = self.found.ratings
        if name not in self.names:
            return ()
        mine = _by_unit(ratings, self.people[self.names.index(name)])
        given = ratings.code >= 0
        found = ratings.unit[given & (mine[ratings.unit] >= 0) & (ratings.code != mine[ratings.unit])]
        return self._items(np.unique(found))

    def items_of_pair(self, first: int, second: int) -> tuple[UUID, ...]:
        """Items on which two people (by their places in ``names``) differ; where they never do, all both judged."""
        ratings = self.found.ratings
        codes = [_by_unit(ratings, self.people[n]) for n in (first, second)]
        both = (codes[0] >= 0) & (codes[1] >= 0)
        differ = both & (codes[0] != codes[1])
        return self._items(np.flatnonzero(differ if differ.any() else both))

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
        found = judgements.judgements(session, asked.question)
        handles = {view.id: view.handle for view in people.people(session)}
        dispute = disputed(session, found)
        slices: tuple[Result, ...] = ()
        refused = None
        if by:
            try:
                if by == WITHOUT:
                    slices = _without(found, asked, handles, progress, cancelled)
                else:
                    slices = _slices(session, asked, by, progress, cancelled)
                if by not in (*OTHERS, WITHOUT):
                    found = judgements.judgements(session, asked.question, by=by)
            except Refused as fault:
                refused = fault
    pairs = pairs_shown(found.ratings, asked)
    if cancelled():
        return None
    named = sorted({(handles.get(found.people[n], "?"), n) for pair in pairs for n in (pair.first, pair.second)})
    answers, counts = confused(found.ratings)
    return Details(asked, by, slices, refused, tuple(n for _, n in named), tuple(name for name, _ in named), pairs,
                   answers, counts, dispute, found)


def _slices(session: Any, asked: Asked, by: str, progress: Progress, cancelled: Cancelled) -> tuple[Result, ...]:
    """The coefficient of each slice: drawn as the whole, or by the jackknife where there are many of them."""
    if by in OTHERS:
        many = len(judgements.slices(session, asked.question, by))
    else:
        many = len(judgements.judgements(session, asked.question, by=by).ratings.slices)
    if many > MOST_SLICES:
        raise Refused(N_("{field} has {n} different values; at most {most} are shown here"), code="bad_value",
                      field=by, n=many, most=MOST_SLICES)
    interval = asked.interval or INTERVALS[0]
    found = judgements.agreement(
        session, (asked.question,), metric=asked.metric, level=asked.level, weights=asked.weights, by=by,
        interval="jackknife" if many > MOST_DRAWN and interval in DRAWN else interval, replicates=REPLICATES, seed=SEED,
        progress=progress, cancelled=cancelled)
    return tuple(one for one in found if one.by is not None)


def _without(found: Judgements, asked: Asked, handles: dict[UUID, str], progress: Progress, cancelled: Cancelled
             ) -> tuple[Result, ...]:
    """The coefficient without the answers of each person, by handle: whose answers make it what it is."""
    ratings, out = found.ratings, []
    for done, (handle, n) in enumerate(sorted((handles.get(who, "?"), n) for n, who in enumerate(found.people)), 1):
        if cancelled():
            break
        rows = ratings.person != n
        rest = replace(ratings, unit=ratings.unit[rows], person=ratings.person[rows], code=ratings.code[rows])
        out.append(replace(measured(rest, asked, instant=len(found.people) > MOST_DRAWN, cancelled=cancelled),
                           by={"field": WITHOUT, "value": handle}))
        progress(done, len(found.people))
    return tuple(out)


def pairs_shown(ratings: Ratings, asked: Asked) -> tuple[Pair, ...]:
    """The people with the most answers, if there are too many for a grid that is read."""
    count = np.bincount(ratings.person[ratings.code >= 0], minlength=1)
    if (count > 0).sum() > MOST_PEOPLE:
        most = np.argsort(-count, kind="stable")[:MOST_PEOPLE]
        rows = np.isin(ratings.person, most)
        ratings = replace(ratings, unit=ratings.unit[rows], person=ratings.person[rows], code=ratings.code[rows])
    try:
        return every_pair(ratings, asked.metric, level=asked.level, weights=asked.weights, interval="none")
    except Refused:
        return ()


def confused(ratings: Ratings) -> tuple[tuple[str, ...], Floats]:
    """The answers in the order of the options and how many pairs of people gave two of them: (V, V), symmetric,
    pairs of equal answers on the diagonal; only the MOST_ANSWERS most frequent answers."""
    given = ratings.code >= 0
    unit, code, labels = ratings.unit[given], ratings.code[given], len(ratings.labels)
    kept = np.sort(np.argsort(-np.bincount(code, minlength=labels), kind="stable")[:MOST_ANSWERS]) if labels else \
        np.zeros(0, dtype=np.int64)
    order = {value: n for n, value in enumerate(ratings.declared)}
    kept = np.array(sorted(kept.tolist(), key=lambda c: (order.get(ratings.labels[c], len(order)), c)), dtype=np.int64)
    counts = np.zeros((len(kept), len(kept)))
    tables = [np.bincount(unit[code == c], minlength=ratings.n_units).astype(np.float64) for c in kept]
    for n, one in enumerate(tables):
        for m in range(n, len(tables)):
            pairs = float((one * (one - 1.0)).sum()) / 2.0 if n == m else float((one * tables[m]).sum())
            counts[n, m] = counts[m, n] = pairs
    return tuple(ratings.labels[int(c)] for c in kept), counts

