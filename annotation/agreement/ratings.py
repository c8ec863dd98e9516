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
NONE: Ints = np.zeros(0, dtype=np.int64)


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
        used = np.flatnonzero(np.bincount(self.code + 1)[1:])
        return all(bool(self.numbers) and self.numbers[c] is not None for c in used.tolist())

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
    unit that enters; ``block``: what that unit is drawn with; ``units``: its number in the ratings (these three are
    empty, or None, for patterns that came as counts). ``used`` (V): the code in the ratings of each value.
    """

    cells: Ints
    size: Ints
    count: Ints
    values: int
    of_unit: Ints
    block: Ints | None
    used: Ints = field(default_factory=lambda: NONE)
    people: Ints | None = None
    units: Ints = field(default_factory=lambda: NONE)

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
    by who gave them; of two values that a person gave for one unit the later counts. Time grows with the answers
    (600,000 in a few hundredths of a second where they stand unit by unit), memory with units x people.
    """
    given = ratings.code >= 0
    unit, code, person = ratings.unit, ratings.code, ratings.person
    if not given.all():
        unit, code, person = unit[given], code[given], person[given]
    per_unit = np.bincount(unit, minlength=ratings.n_units)
    if ((per_unit > 0) & (per_unit < least)).any():
        enters = per_unit[unit] >= least
        unit, code, person = unit[enters], code[enters], person[enters]
    if not len(unit):
        return _nothing(ordered)
    used = np.flatnonzero(np.bincount(code))
    if len(used) <= code.max():
        dense = np.zeros(int(used[-1]) + 1, dtype=np.int64)
        dense[used] = np.arange(len(used))
        code = dense[code]
    if (unit[1:] < unit[:-1]).any():
        order = np.argsort(unit, kind="stable")
        unit, code, person = unit[order], code[order], person[order]
    first = np.flatnonzero(np.r_[True, unit[1:] != unit[:-1]])
    people = None
    if ordered:
        people, columns = np.unique(person, return_inverse=True)
        rows = np.repeat(np.arange(len(first)), np.diff(np.r_[first, len(unit)]))
        cells = np.full((len(first), len(people)), -1, dtype=np.int64)
        cells[rows, columns] = code
    else:
        cells = _side_by_side(code, first, len(used))
    block = None if ratings.block is None else np.unique(ratings.block[unit[first]], return_inverse=True)[1]
    distinct, of_unit, count = _unique_rows(cells, len(used))
    return _by_count(distinct, of_unit, count, len(used), block, used, people, unit[first])


def patterns_of_counts(cells: Ints, count: Ints, *, least: int = 2, ordered: bool = False) -> Patterns:
    """Patterns that were counted elsewhere, as by a GROUP BY: ``cells`` (K, M) codes with -1 for none, ``count`` (K).

    Rows may repeat and, unless ``ordered``, stand in any order of codes. There are no units, so no blocks.
    """
    cells, count = np.asarray(cells, dtype=np.int64), np.asarray(count, dtype=np.int64)
    keep = ((cells >= 0).sum(axis=1) >= least) & (count > 0)
    cells, count = cells[keep], count[keep]
    if not len(count):
        return _nothing(ordered)
    used, dense = np.unique(cells[cells >= 0], return_inverse=True)
    new = np.full(cells.shape, -1, dtype=np.int64)
    new[cells >= 0] = dense
    people = None
    if ordered:
        people = np.flatnonzero((new >= 0).any(axis=0))
        new = new[:, people]
    else:
        new = np.sort(np.where(new < 0, len(used), new), axis=1)
        new[new == len(used)] = -1
        new = new[:, : int((new >= 0).sum(axis=1).max())]
    distinct, place, _ = _unique_rows(new, len(used))
    total = np.bincount(place, count, len(distinct)).astype(np.int64)
    return _by_count(distinct, NONE, total, len(used), None, used, people, NONE)


def _nothing(ordered: bool) -> Patterns:
    return Patterns(NONE.reshape(0, 2), NONE, NONE, 0, NONE, None, NONE, NONE if ordered else None, NONE)


def _by_count(distinct: Ints, of_unit: Ints, count: Ints, values: int, block: Ints | None, used: Ints,
              people: Ints | None, units: Ints) -> Patterns:
    best = np.argsort(-count, kind="stable")  # the rows come in the order of their codes
    if len(of_unit):
        place = np.empty(len(best), dtype=np.int64)
        place[best] = np.arange(len(best))
        of_unit = place[of_unit]
    distinct = distinct[best]
    return Patterns(distinct, (distinct >= 0).sum(axis=1), count[best], values, of_unit, block, used, people, units)


def _side_by_side(code: Ints, first: Ints, values: int) -> Ints:
    """(units, M): the codes of each unit in rising order, -1 behind them."""
    sizes = np.diff(np.r_[first, len(code)])
    width = max(2, int(sizes.max()))
    if (sizes == width).all():
        return np.sort(code.reshape(-1, width), axis=1)
    rows = np.repeat(np.arange(len(first)), sizes)
    cells = np.full((len(first), width), values, dtype=np.int64)
    cells[rows, np.arange(len(code)) - first[rows]] = code
    cells.sort(axis=1)
    cells[cells == values] = -1
    return cells


def _unique_rows(cells: Ints, values: int) -> tuple[Ints, Ints, Ints]:
    """Distinct rows in the order of their codes, the row of each, and counts.

    By one number per row: counted where there are few such numbers, else sorted where they fit 62 bits, else by a
    64-bit mark of the row that is checked afterwards.
    """
    width = cells.shape[1]
    if width * np.log2(values + 1) < 62:
        key = cells[:, 0] + 1
        for column in range(1, width):
            key = key * (values + 1) + cells[:, column] + 1
        if (values + 1) ** width <= max(65_536, 4 * len(cells)):
            counted = np.bincount(key)
            found = np.flatnonzero(counted)
            row = np.zeros(len(counted), dtype=np.int64)
            row[found] = np.arange(len(found))
            rest, distinct = found.copy(), np.empty((len(found), width), dtype=np.int64)
            for column in range(width - 1, -1, -1):
                rest, last = np.divmod(rest, values + 1)
                distinct[:, column] = last - 1
            return distinct, row[key], counted[found]
        _, index, inverse, count = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        return cells[index], inverse, count
    mark = np.zeros(len(cells), dtype=np.uint64)
    for column in range(width):
        mark += mixed(cells[:, column] + 1 + column * (values + 1))
    _, index, inverse, count = np.unique(mark, return_index=True, return_inverse=True, return_counts=True)
    distinct = cells[index]
    if not (distinct[inverse] == cells).all():  # two rows with one mark: once in 10^8 for a million of them
        distinct, inverse, count = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
        return distinct, inverse.reshape(-1), count
    order = np.lexsort(distinct.T[::-1])
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return distinct[order], place[inverse], count[order]


def mixed(numbers: Ints) -> NDArray[np.uint64]:
    """Each number as 64 well-stirred bits (the finaliser of SplitMix64, Steele et al. 2014): sums of them mark
    multisets."""
    x = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x632BE59BD9B4E019)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
