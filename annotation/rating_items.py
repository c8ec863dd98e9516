"""Where the numbers about people, machines and preferences lead to: the items behind each of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy.orm import Session

from annotation import rating_rows
from annotation.adjudicator_check import twice
from annotation.agreement.ratings import Ints, Ratings
from annotation.judgements import Judgements, judgements
from annotation.rating_machines import side_of
from annotation.rating_pairs import Pairs, read_pairs
from annotation.rating_predictions import Predicted
from annotation.store.project import protocol_now


@dataclass(frozen=True, slots=True)
class BesideOthers:
    """What one person said where the other people had a majority. ``mine``, ``others``: codes per unit, -1 where he
    gave no answer, or the others had no majority; ``labels`` name them."""

    labels: tuple[str, ...]
    mine: Ints
    others: Ints
    found: Judgements

    def shown(self, most: int) -> Ints:
        """The codes of the ``most`` most frequent answers, in the order in which the question offers them."""
        size = len(self.labels)
        both = self.mine[(self.mine >= 0) & (self.others >= 0)], self.others[(self.mine >= 0) & (self.others >= 0)]
        often = np.bincount(np.concatenate(both), minlength=size) if size else np.zeros(0, dtype=np.int64)
        declared = {value: n for n, value in enumerate(self.found.ratings.declared)}
        kept = [code for code in np.argsort(-often, kind="stable")[:most].tolist() if often[code]]
        numbers = self.found.ratings.numbers

        def place(code: int) -> tuple[int, float, int]:
            number = numbers[code] if code < len(numbers) else None
            return declared.get(self.labels[code], len(declared)), 0.0 if number is None else float(number), code

        return np.array(sorted(kept, key=place), dtype=np.int64)

    def counts(self, kept: Ints) -> Ints:
        """(V, V) of the codes ``kept``: rows what the others' majority said, columns what he said."""
        both = (self.mine >= 0) & (self.others >= 0)
        place = np.full(len(self.labels), -1, dtype=np.int64)
        place[kept] = np.arange(len(kept))
        mine, others = place[self.mine[both]], place[self.others[both]]
        shown = (mine >= 0) & (others >= 0)
        out = np.zeros((len(kept), len(kept)), dtype=np.int64)
        np.add.at(out, (others[shown], mine[shown]), 1)
        return out

    def items(self, said: int | None = None, others: int | None = None) -> tuple[UUID, ...]:
        """Items to which he gave this code and the others' majority that one; without codes those where they differ."""
        both = (self.mine >= 0) & (self.others >= 0)
        if said is None and others is None:
            rows = both & (self.mine != self.others)
        else:
            rows = self.mine == said if others is None else both & (self.others == others) & (
                True if said is None else self.mine == said)
        return tuple(dict.fromkeys(self.found.units[int(unit)][0] for unit in np.flatnonzero(rows)))


def beside_others(found: Judgements, person: UUID, machines: Collection[UUID]) -> BesideOthers:
    """One person beside the majority of the other people, unit by unit; machines are nobody's others.

    As ``agreement.others`` has it: the value of more than half of the others, of whom one is enough.
    """
    ratings = found.ratings
    mine = np.full(ratings.n_units, -1, dtype=np.int64)
    if person not in found.people:
        return BesideOthers(ratings.labels, mine, mine.copy(), found)
    place = found.people.index(person)
    own = np.flatnonzero((ratings.person == place) & (ratings.code >= 0))[::-1]
    mine[ratings.unit[own]] = ratings.code[own]  # of two answers to one unit the first
    left_out = np.array([place, *(n for n, one in enumerate(found.people) if one in machines)], dtype=np.int64)
    return BesideOthers(ratings.labels, mine, _majority(ratings, ~np.isin(ratings.person, left_out)), found)


def _majority(ratings: Ratings, rows: np.ndarray) -> Ints:
    out = np.full(ratings.n_units, -1, dtype=np.int64)
    given = np.flatnonzero(rows & (ratings.code >= 0))
    if not len(given):
        return out
    width = len(ratings.labels)
    # Of two answers of one person to one unit the first counts.
    _, first = np.unique(ratings.unit[given] * (int(ratings.person.max()) + 1) + ratings.person[given],
                         return_index=True)
    unit, code = ratings.unit[given[first]], ratings.code[given[first]]
    cells, count = np.unique(unit * width + code, return_counts=True)
    total = np.bincount(unit, minlength=ratings.n_units)[cells // width]
    most = 2 * count > total
    out[cells[most] // width] = cells[most] % width
    return out


def checked_items(session: Session, person: UUID, question: str, kind: str) -> tuple[UUID, ...]:
    """Checks of a kind (gold_check, attention) that this person answered: the wrong ones, all where none was wrong."""
    mine = [one for one in rating_rows.checked(session)
            if one.person == person and one.question == question and one.kind == kind]
    wrong = [one for one in mine if one.given != one.expected]
    return tuple(dict.fromkeys(one.item for one in wrong or mine))


def repeated_items(session: Session, person: UUID, question: str) -> tuple[UUID, ...]:
    """Items that this person was asked again: those answered in another way, all where there is none."""
    mine = [one for one in rating_rows.repeated(session) if one.person == person and one.question == question]
    moved = [one for one in mine if one.first != one.again]
    return tuple(dict.fromkeys(one.item for one in moved or mine))


def twice_decided(session: Session, question: str) -> tuple[UUID, ...]:
    """Items of which two adjudicators decided this question, the second blind: where they differ, all else."""
    found = twice(session, question)
    differ = [one for one in found if one.first != one.second]
    return tuple(dict.fromkeys(one.item for one in differ or found))


def machine_items(session: Session, question: str, machine: str, source: str, *, kind: str = "people",
                  against: str = "", predictions: Iterable[Predicted] = ()) -> tuple[UUID, ...]:
    """Items on which a machine differs from a person (``kind`` person, ``against`` his handle), the majority, gold, or
    anybody (people); where it never does, all that both answered."""
    protocol, found = protocol_now(session), judgements(session, question)
    side = side_of(session, protocol, found, question, [one for one in predictions if one.question == question],
                   rating_rows.everybody(session))
    place = next((n for name, of, n in side.machines if (name, of) == (machine, source)), None)
    if place is None:
        return ()
    ratings = side.ratings
    own = np.full(ratings.n_units, -1, dtype=np.int64)
    rows = (ratings.person == place) & (ratings.code >= 0)
    own[ratings.unit[rows]] = ratings.code[rows]
    if kind in ("majority", "gold"):
        other = side.majority if kind == "majority" else side.gold
        both = (own >= 0) & (other >= 0)
        differ = both & (own != other)
    else:
        people = [n for n, handle in side.people.items() if kind != "person" or handle == against]
        theirs = np.isin(ratings.person, np.array(people, dtype=np.int64)) & (ratings.code >= 0) & (
            own[ratings.unit] >= 0)
        both, differ = (np.zeros(ratings.n_units, dtype=bool) for _ in range(2))
        both[ratings.unit[theirs]] = True
        differ[ratings.unit[theirs & (ratings.code != own[ratings.unit])]] = True
    return tuple(dict.fromkeys(side.items[int(unit)] for unit in np.flatnonzero(differ if differ.any() else both)))


def preference_items(session: Session, question: str, kind: str, *, what: str = "all", person: UUID | None = None,
                     name: str = "", fields: Sequence[str] = ()) -> tuple[UUID, ...]:
    """Items whose pairs were judged by people or machines (``kind``), by one of them, about one candidate ``name``.

    ``fields``: those that name the candidates, as ``read_pairs`` has it. ``what``: all; first, second (what
    stood there won), tie; again (asked more than once).
    """
    pairs = read_pairs(session, question, names=fields)
    if not len(pairs.within):
        return ()
    known = rating_rows.everybody(session)
    wanted = np.array([known[one].kind == kind and person in (None, one) for one in pairs.people], dtype=bool)
    rows: Any = wanted[pairs.within.person]
    if what == "again":
        rows &= ~pairs.counts
    elif what in ("first", "second"):
        rows &= pairs.counts & pairs.ordered & (pairs.within.outcome == (1 if what == "first" else -1))
    else:
        rows &= pairs.counts & ((what == "all") | (pairs.within.outcome == 0))
    if name:
        rows &= _about(pairs, name)
    items = list(pairs.items)
    return tuple(items[int(n)] for n in np.unique(pairs.item[rows]))


def _about(pairs: Pairs, name: str) -> np.ndarray:
    named = [one.names is not None and name in one.names for one in pairs.items.values()]
    found: np.ndarray = np.array(named, dtype=bool)[pairs.item]
    return found
