"""The answers of many people to one question as arrays, collapsed to answer patterns.

A *unit* is what is judged once per person: an item, or one element of a group of an item. An item
matters to a statistic only through the multiset of its answers, so units with equal multisets are
counted together; whatever follows costs by patterns, not by items.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ratings:
    """One row per (unit, person). ``code`` is a place in ``labels`` or -1 where no value was given.

    ``numbers[c]``: the number of label c for ordinal and interval levels (None where it has none).
    ``block[u]``: units with one block are drawn together (elements of one item, items of one cluster).
    """

    unit: Ints
    person: Ints
    code: Ints
    labels: tuple[str, ...]
    numbers: tuple[float | None, ...] = ()
    n_units: int = 0
    block: Ints | None = None
    question: str = ""
    scale: str = "nominal"
    clustered: bool = False  # blocks are clusters of items, not the elements of one item
    declared: tuple[str, ...] = ()  # the options that the question offers, in their order; () where it is open
    period: float | None = None     # of a circular scale
    slices: Mapping[str, Ints] = field(default_factory=dict)  # value of the tag -> units that carry it

    @property
    def has_numbers(self) -> bool:
        used = np.unique(self.code[self.code >= 0])
        return all(bool(self.numbers) and self.numbers[c] is not None for c in used)

    def of_units(self, units: Ints) -> Ratings:
        """The same question on some of its units only."""
        keep = np.zeros(self.n_units, dtype=bool)
        keep[units] = True
        rows = keep[self.unit]
        return replace(self, unit=self.unit[rows], person=self.person[rows], code=self.code[rows], slices={})


def ratings_of(rows: Iterable[tuple[Hashable, Hashable, str | float | int | None]], *, question: str = "",
               blocks: Mapping[Hashable, Hashable] | None = None) -> Ratings:
    """Ratings of plain rows (unit, person, value). None is missing; the text "nan" is a value like any other.

    Numbers are their own number; a text has none. ``blocks``: unit -> what is drawn together.
    """
    units: dict[Hashable, int] = {}
    people: dict[Hashable, int] = {}
    raw: list[tuple[int, int, str | float | int | None]] = [
        (units.setdefault(unit, len(units)), people.setdefault(person, len(people)), value)
        for unit, person, value in rows]
    kinds = {value for _, _, value in raw if value is not None}
    # Codes in the order of the values, so that nothing depends on the order of the rows.
    ordered = sorted(kinds, key=lambda v: (isinstance(v, str), v))
    place = {value: n for n, value in enumerate(ordered)}
    return Ratings(
        unit=np.array([u for u, _, _ in raw], dtype=np.int64),
        person=np.array([p for _, p, _ in raw], dtype=np.int64),
        code=np.array([-1 if v is None else place[v] for _, _, v in raw], dtype=np.int64),
        labels=tuple(str(v) for v in ordered),
        numbers=tuple(None if isinstance(v, str) else float(v) for v in ordered),
        n_units=len(units), question=question,
        block=None if blocks is None else _factorise([blocks[u] for u in units]),
    )


def _factorise(things: Sequence[Hashable]) -> Ints:
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(thing, len(seen)) for thing in things], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Patterns:
    """Distinct answers of a unit's people. Arrays over patterns (K) and over values (V).

    ``cells`` (K, M): codes in rising order, padded with -1; where the patterns are *ordered*, the code that each
    person gave, a column per person (``people``: their numbers in the ratings), -1 where he gave none.
    ``size`` (K): values per unit. ``count`` (K): units that show it. Rows stand by falling count, then by code:
    the same for any order of items (and of people, but for ordered patterns). ``of_unit``: the pattern of each
    unit that enters; ``block``: what that unit is drawn with. ``used`` (V): the code in the ratings of each value.
    """

    cells: Ints
    size: Ints
    count: Ints
    values: int
    of_unit: Ints
    block: Ints | None
    used: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    people: Ints | None = None

    def shares(self) -> Floats:
        """(K, V): how many times each value occurs in each pattern."""
        k, m = self.cells.shape
        table = np.zeros((k, self.values + 1))
        for column in range(m):  # padding lands in the last column, which is cut off
            table[np.arange(k), self.cells[:, column]] += 1.0
        return table[:, :-1]


def collapse(ratings: Ratings, *, least: int = 2, ordered: bool = False) -> Patterns:
    """Patterns of ``ratings``: units with fewer than ``least`` values, and answers without a value, are left out.

    Only values that occur among what is left are counted as values (codes are made dense, order kept). ``ordered``:
    by who gave them; of two values that a person gave for one unit the later counts.
    """
    given = ratings.code >= 0
    unit, code, person = ratings.unit[given], ratings.code[given], ratings.person[given]
    per_unit = np.bincount(unit, minlength=ratings.n_units)
    enters = per_unit[unit] >= least if len(unit) else np.zeros(0, dtype=bool)
    unit, code, person = unit[enters], code[enters], person[enters]
    none = np.zeros(0, dtype=np.int64)
    if not len(unit):
        return Patterns(none.reshape(0, 2), none, none, 0, none, None, none, none if ordered else None)
    used, code = np.unique(code, return_inverse=True)
    order = np.argsort(unit, kind="stable") if ordered else np.lexsort((code, unit))
    unit, code, person = unit[order], code[order], person[order]
    first = np.flatnonzero(np.r_[True, unit[1:] != unit[:-1]])
    sizes = np.diff(np.r_[first, len(unit)])
    rows = np.repeat(np.arange(len(first)), sizes)
    people = None
    if ordered:
        people, columns = np.unique(person, return_inverse=True)
        width = len(people)
    else:
        columns, width = np.arange(len(unit)) - first[rows], int(sizes.max())
    cells = np.full((len(first), width), -1, dtype=np.int64)
    cells[rows, columns] = code
    distinct, of_unit, count = _unique_rows(cells, len(used))
    best = np.lexsort((*distinct.T[::-1], -count))
    place = np.empty(len(best), dtype=np.int64)
    place[best] = np.arange(len(best))
    block = None if ratings.block is None else np.unique(ratings.block[unit[first]], return_inverse=True)[1]
    distinct = distinct[best]
    return Patterns(distinct, (distinct >= 0).sum(axis=1), count[best], len(used), place[of_unit], block, used, people)


def _unique_rows(cells: Ints, values: int) -> tuple[Ints, Ints, Ints]:
    """Distinct rows, the row of each, and counts: by one number per row where it fits 62 bits (ten times as fast)."""
    width = cells.shape[1]
    if width * np.log2(values + 1) < 62:
        key = np.zeros(len(cells), dtype=np.int64)
        for column in range(width):
            key = key * (values + 1) + cells[:, column] + 1
        _, index, inverse, count = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        return cells[index], inverse, count
    distinct, inverse, count = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    return distinct, inverse.reshape(-1), count
