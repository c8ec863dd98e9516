"""Judged pairs as arrays, and their counts: what every statistic of preferences starts from."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from annotation.errors import N_, Refused

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FIRST, TIE, SECOND = 1, 0, -1


@dataclass(frozen=True, slots=True)
class Comparisons:
    """One row per judgement of a pair.

    ``first``, ``second``: what stood first (left) and second, as places in ``names``. ``outcome``: 1 the first was
    preferred, 0 a tie, -1 the second. ``person``: place in ``people``; ``item``: place in ``items``, the thing that
    both answer (a prompt), within which they are compared.
    """

    first: Ints
    second: Ints
    outcome: Ints
    person: Ints
    item: Ints
    names: tuple[str, ...]
    people: tuple[str, ...]
    items: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.outcome)

    def rows(self, keep: NDArray[np.bool_] | Ints) -> Comparisons:
        """Some of the rows; names, people and items keep their places."""
        return replace(self, first=self.first[keep], second=self.second[keep], outcome=self.outcome[keep],
                       person=self.person[keep], item=self.item[keep])

    def of_person(self, name: str) -> Comparisons:
        return self.rows(self.person == self.people.index(name))


def comparisons_of(rows: Iterable[tuple[Hashable, Hashable, int, Hashable, Hashable]]) -> Comparisons:
    """Rows (first, second, outcome, person, item); outcome 1, 0 or -1. Names stand in the order of their text."""
    listed = list(rows)
    for first, second, outcome, _, _ in listed:
        _refuse_itself(first, second)
        if outcome not in (FIRST, TIE, SECOND):
            raise Refused(N_("The outcome of a pair is 1 (first), 0 (tie) or -1 (second), not {value}"), value=outcome)
    names, people, items = (_places(things) for things in (
        [name for row in listed for name in row[:2]], [row[3] for row in listed], [row[4] for row in listed]))

    def column(places: dict[str, int], n: int) -> Ints:
        return np.array([places[str(row[n])] for row in listed], dtype=np.int64)

    return Comparisons(
        first=column(names, 0), second=column(names, 1),
        outcome=np.array([row[2] for row in listed], dtype=np.int64), person=column(people, 3), item=column(items, 4),
        names=tuple(names), people=tuple(people), items=tuple(items))


def _places(things: Iterable[Hashable]) -> dict[str, int]:
    return {name: n for n, name in enumerate(sorted({str(thing) for thing in things}))}


def _refuse_itself(first: Hashable, second: Hashable) -> None:
    if first == second:
        raise Refused(N_("{name} is compared with itself; a pair needs two different things"), name=str(first))


def one_each(comparisons: Comparisons) -> Comparisons:
    """One row per person, item and pair, the lower place first: won only where all judgements of it agree, else a tie.

    This is the rule for pairs that were judged in both orders (TrustJudge, arXiv 2509.21117): a preference
    that does not survive the swap is none.
    """
    low, high = np.minimum(comparisons.first, comparisons.second), np.maximum(comparisons.first, comparisons.second)
    turned = np.where(comparisons.first == low, comparisons.outcome, -comparisons.outcome)
    n = max(1, len(comparisons.names))
    key = ((comparisons.person * max(1, len(comparisons.items)) + comparisons.item) * n + low) * n + high
    _, at, group = np.unique(key, return_index=True, return_inverse=True)
    size = np.bincount(group, minlength=len(at))
    total = np.rint(np.bincount(group, weights=turned, minlength=len(at))).astype(np.int64)
    outcome = np.where(np.abs(total) == size, np.sign(total), TIE)
    return replace(comparisons, first=low[at], second=high[at], outcome=outcome.astype(np.int64),
                   person=comparisons.person[at], item=comparisons.item[at])


@dataclass(frozen=True, slots=True)
class PairTable:
    """Counts per ordered pair that occurs: ``counts`` (P, 3) = first won, tie, second won."""

    names: tuple[str, ...]
    first: Ints
    second: Ints
    counts: Floats

    @property
    def total(self) -> float:
        return float(self.counts.sum())

    @property
    def ties(self) -> float:
        return float(self.counts[:, 1].sum())


def pair_table(rows: Iterable[tuple[Hashable, Hashable, float, float, float]]) -> PairTable:
    """Counted rows (first, second, first won, second won, ties); names in the order of their first appearance."""
    places: dict[str, int] = {}
    cells: dict[tuple[int, int], list[float]] = {}
    for first, second, won, lost, tied in rows:
        _refuse_itself(first, second)
        if min(won, lost, tied) < 0:
            raise Refused(N_("The counts of {first} and {second} contain a negative number"), first=str(first),
                          second=str(second))
        pair = (places.setdefault(str(first), len(places)), places.setdefault(str(second), len(places)))
        cell = cells.setdefault(pair, [0.0, 0.0, 0.0])
        for place, count in enumerate((won, tied, lost)):
            cell[place] += count
    return PairTable(tuple(places), np.array([a for a, _ in cells], dtype=np.int64),
                     np.array([b for _, b in cells], dtype=np.int64),
                     np.array(list(cells.values()), dtype=np.float64).reshape(-1, 3))


def table_of(comparisons: Comparisons) -> PairTable:
    """All judgements counted: O(rows), whatever the number of people."""
    return tables_by(comparisons, np.zeros(len(comparisons), dtype=np.int64), 1)[0]


def tables_by(comparisons: Comparisons, group: Ints, groups: int) -> tuple[PairTable, Floats]:
    """The table of all rows, and the cells of each group, (groups, P * 3), in the table's order of cells."""
    n = max(1, len(comparisons.names))
    pairs, pair = np.unique(comparisons.first * n + comparisons.second, return_inverse=True)
    cell = pair * 3 + (1 - comparisons.outcome)
    width = len(pairs) * 3
    cells = np.bincount(group * width + cell, minlength=groups * width).reshape(groups, width).astype(np.float64)
    table = PairTable(comparisons.names, pairs // n, pairs % n, cells.sum(axis=0).reshape(-1, 3))
    return table, cells
