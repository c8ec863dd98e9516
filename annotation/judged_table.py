"""A table of judgements from any file, as ratings: a row per judgement, or a column per person."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from annotation.agreement.ratings import Ints, Ratings
from annotation.canonical import check_text
from annotation.errors import N_, Refused, Where
from annotation.judgement_view import value_order
from annotation.questions.base import number_text
from annotation.reading.opening import open_source
from annotation.reading.record import Record, Source

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")
VALUE = "value"  # what is judged in a table with a column per person


@dataclass(frozen=True, slots=True)
class JudgedTable:
    """``ratings`` with ``people`` by number. ``silent``: people who gave no value at all. ``slices``: the answers by
    the column ``by``. ``places``: where each label was met first. ``constant``: every item is in one slice.
    """

    file: str
    format: str
    rows: int
    items: int
    people: tuple[str, ...]
    silent: tuple[str, ...]
    ratings: Ratings
    slices: dict[str, Ratings] = field(default_factory=dict)
    places: dict[str, Where] = field(default_factory=dict)

    def check(self, level: str | None, weights: str | None = None, *, needs_numbers: bool) -> None:
        """Refused, with the cell, where a value is no number but has to be, or is below 0 at the level ratio and with
        ratio weights."""
        for label, number in zip(self.ratings.labels, self.ratings.numbers, strict=True):
            if number is None and needs_numbers:
                raise Refused(N_("'{value}' is not a number, and what is asked for needs numbers, or the order of the "
                                 "values (--order)"), code="bad_type", where=self.places[label], value=label[:80])
            if "ratio" in (level, weights) and number is not None and number < 0:
                said = (N_("{value} is below 0, and the level ratio needs a true zero") if level == "ratio" else
                        N_("{value} is below 0, and ratio weights need a true zero"))
                raise Refused(said, code="bad_value", where=self.places[label], value=label[:80])


def read_long(path: Path, *, item: str, rater: str, value: str, by: str | None = None, cluster: str | None = None,
              order: Sequence[str] = ()) -> JudgedTable:
    """One row per judgement. Texts stay texts; what looks like a number has one beside it. An empty cell, null and a
    NaN of parquet are missing; the text "nan" is a value.

    ``order``: the values from the lowest to the highest, where words have an order; they are also what was offered.
    ``by``, ``cluster``: columns of slices, and of what is drawn together. Raises Refused, with file, line, column, key
    and value, for a file that cannot be read, a missing column, a row without item or rater, a pair named twice, a
    value that is no single value, or is not in ``order``.
    """
    with _opened(path) as source:
        made = _Making(source, order)
        made.need(item, rater, value, *(name for name in (by, cluster) if name is not None))
        for record in made.records():
            made.add(record, key(made, record, item), key(made, record, rater), value, by, cluster)
        return made.table(value)


def read_wide(path: Path, *, raters: Sequence[str], item: str | None = None, by: str | None = None,
              cluster: str | None = None, order: Sequence[str] = ()) -> JudgedTable:
    """One row per item and one column per person; without ``item`` each row is an item of its own."""
    with _opened(path) as source:
        made = _Making(source, order)
        made.need(*raters, *(name for name in (item, by, cluster) if name is not None))
        for record in made.records():
            name = key(made, record, item) if item is not None else str(record.number)
            for rater in raters:
                made.add(record, name, rater, rater, by, cluster)
        return made.table(VALUE)


def _opened(path: Path) -> Source:
    if path.is_dir():
        raise Refused(N_("'{file}' is a folder; a table is one file"), code="bad_value",
                      where=Where(file=str(path)), file=str(path))
    return open_source(path)


def key(made: _Making, record: Record, name: str) -> str:
    """The text of a cell that has to have one."""
    cell = record.value.get(name)
    if isinstance(cell, (dict, list)):
        raise Refused(N_("'{name}' is no single value"), code="bad_type", where=made.where(record, name), name=name)
    text = made.text(record, name)
    if text is None:
        made.refuse_unknown(name)
        raise Refused(N_("'{name}' is missing"), code="missing_value", where=made.where(record, name), name=name)
    return text


class _Making:
    """Rows on their way to ratings."""

    def __init__(self, source: Source, order: Sequence[str]) -> None:
        self.source, self.order = source, tuple(order)
        self._columns = {name: n for n, name in enumerate(source.columns or (), 1)}
        self._seen_names: set[str] = set(source.columns or ())
        self._needed: tuple[str, ...] = ()
        self._items: dict[str, int] = {}
        self._people: dict[str, int] = {}
        self._values: dict[str, int] = {}
        self._places: dict[str, Where] = {}
        self._slices: dict[str, int] = {}
        self._clusters: dict[int, str] = {}
        self._rows: list[tuple[int, int, int, int]] = []  # item, person, value, slice; -1 for none
        self._lines: dict[tuple[int, int], int | None] = {}
        self._records = 0

    def need(self, *names: str) -> None:
        self._needed = names
        if self.source.columns is not None:
            self._check_columns()

    def _check_columns(self) -> None:
        for name in self._needed:
            self.refuse_unknown(name)

    def refuse_unknown(self, name: str) -> None:
        """Refused where no record so far has this column."""
        if name not in self._seen_names:
            raise Refused(N_("there is no column '{name}'; there are {known}"), code="missing_column",
                          where=Where(file=self.source.file, key=name), name=name,
                          known=", ".join(sorted(self._seen_names)[:50]) or "none")

    def records(self) -> Iterator[Record]:
        for record in self.source.records:
            self._records += 1
            if record.fault is not None:
                raise record.fault.at(file=self.source.file, line=record.line, column=record.column)
            if not isinstance(record.value, dict):
                raise Refused(N_("the record is no object with named values"), code="bad_type",
                              where=Where(file=self.source.file, line=record.line, column=record.column))
            self._seen_names.update(record.value)
            yield record

    def where(self, record: Record, name: str) -> Where:
        cell = record.value.get(name)
        return Where(file=self.source.file, line=record.line, column=self._columns.get(name, record.column), key=name,
                     value=None if cell is None else str(cell)[:80])

    def add(self, record: Record, item: str, person: str, column: str, by: str | None, cluster: str | None) -> None:
        unit = self._items.setdefault(item, len(self._items))
        who = self._people.setdefault(person, len(self._people))
        if (unit, who) in self._lines:
            raise Refused(N_("'{person}' judged '{item}' twice, here and in line {line}"), code="duplicate_key",
                          where=self.where(record, column), person=person[:80], item=item[:80],
                          line=self._lines[unit, who])
        self._lines[unit, who] = record.line
        label = self._label(record, column)
        if label is not None and label not in self._values:
            if self.order and label not in self.order:
                raise Refused(N_("'{value}' is not in the order that was given: {known}"), code="bad_value",
                              where=self.where(record, column), value=label[:80], known=", ".join(self.order))
            self._values[label] = len(self._values)
            self._places[label] = self.where(record, column)
        part = None if by is None else self.text(record, by)
        self._rows.append((unit, who, -1 if label is None else self._values[label],
                           -1 if not part else self._slices.setdefault(part, len(self._slices))))
        if cluster is not None:
            self._join(record, unit, item, cluster)

    def _join(self, record: Record, unit: int, item: str, cluster: str) -> None:
        named = key(self, record, cluster)
        if self._clusters.setdefault(unit, named) != named:
            raise Refused(N_("'{item}' stands in two clusters, '{one}' and '{other}'"), code="bad_value",
                          where=self.where(record, cluster), item=item[:80], one=self._clusters[unit][:80],
                          other=named[:80])

    def _label(self, record: Record, column: str) -> str | None:
        cell: Any = record.value.get(column)
        if cell is None or cell == "" or (isinstance(cell, float) and math.isnan(cell)):
            return None
        if isinstance(cell, (dict, bytes)):
            raise Refused(N_("the value of '{name}' is no single value"), code="bad_type",
                          where=self.where(record, column), name=column)
        if isinstance(cell, float) and math.isinf(cell):
            raise Refused(N_("the value of '{name}' is not a finite number"), code="not_finite",
                          where=self.where(record, column), name=column)
        return self._checked(record, column, number_text(cell))

    def text(self, record: Record, name: str) -> str | None:
        """A cell as a name: 81, 81.0 and "81" are one; None where it is empty."""
        cell = record.value.get(name)
        if cell is None or (isinstance(cell, float) and math.isnan(cell)):
            return None
        return self._checked(record, name, number_text(cell).strip()) or None

    def _checked(self, record: Record, name: str, text: str) -> str:
        try:
            return check_text(text)
        except Refused as fault:  # the place, and not the text itself: a console may not be able to write it
            place = self.where(record, name)
            raise fault.at(file=place.file, line=place.line, column=place.column, key=name) from None

    def table(self, question: str) -> JudgedTable:
        if self._records == 0:
            raise Refused(N_("'{file}' holds no rows"), code="bad_value", where=Where(file=self.source.file),
                          file=self.source.file)
        self._check_columns()
        numbers: dict[str | None, float | None] = {
            label: float(self.order.index(label)) if self.order else _number(label) for label in self._values}
        labels = [label for label in value_order(numbers) if label is not None]
        new = np.full(len(labels) + 1, -1, dtype=np.int64)
        new[[self._values[label] for label in labels]] = np.arange(len(labels))
        columns = np.array(self._rows, dtype=np.int64).reshape(-1, 4)
        unit, person, code, part = columns.T
        ratings = Ratings(unit, person, new[code], tuple(labels), tuple(numbers[label] for label in labels),
                          n_units=len(self._items), question=question, declared=self.order, block=self._blocks(),
                          clustered=bool(self._clusters))
        gave = np.bincount(person[code >= 0], minlength=len(self._people))
        slices, units = self._sliced(ratings, part)
        return JudgedTable(self.source.file, self.source.format, self._records, len(self._items), tuple(self._people),
                           tuple(name for name, n in self._people.items() if not gave[n]),
                           replace(ratings, slices=units), slices, self._places)

    def _blocks(self) -> Ints | None:
        if not self._clusters:
            return None
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(self._clusters[unit], len(numbers)) for unit in range(len(self._items))],
                        dtype=np.int64)

    def _sliced(self, ratings: Ratings, part: Ints) -> tuple[dict[str, Ratings], dict[str, Ints]]:
        """(answers of each slice, units of each slice): the second only where no item is in two slices."""
        names = sorted(self._slices)
        pairs = np.unique(np.column_stack([ratings.unit, part]), axis=0)
        if len(pairs) == ratings.n_units:
            return {}, {name: pairs[pairs[:, 1] == self._slices[name], 0] for name in names}
        found = {}
        for name in names:
            rows = part == self._slices[name]
            found[name] = replace(ratings, unit=ratings.unit[rows], person=ratings.person[rows],
                                  code=ratings.code[rows])
        return found, {}


def _number(label: str) -> float | None:
    """A finite number as people write it; no other words of Python's (nan, inf, 1_000)."""
    if not NUMBER.fullmatch(label.strip()):
        return None
    number = float(label)
    return number if math.isfinite(number) else None
