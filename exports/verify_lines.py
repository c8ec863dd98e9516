"""Reads one file of rows of a bundle for verify: strict, canonical, of its shape, in order, none twice.

Rows pass by, and nothing of them is kept: where ids are in order and in small letters, as the program writes them, two
rows that are the same stand side by side. Where they are not, the rows are put in order on disk.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from annotation.errors import Refused
from exports.faults import Fault
from exports.rows import encoded, line
from exports.rows_said import PLACE, by_place
from exports.scorer.lines import parse
from exports.shapes import BY_PATH, is_shaped, lacking
from exports.sorting import Sorter

Row = dict[str, Any]
Numbered = tuple[int, Row]
Placed = tuple[int, int, Row]  # where the line begins, its number, the row
SALTS = "private/salts.jsonl"
LONG = re.compile(rb"[0-9]{300}")  # a number that strict JSON refuses for its length


class Unsorted(Exception):
    """The ids of a file are not in order, or have capitals, so that rows that are the same may stand apart."""


class Reader:
    """One file. ``count``: lines, ``stones``: sound rows that are tombstones; faults go to ``faults``, line by line.

    ``sorts``: rows are put in order where they have ids; without it Unsorted is raised where they are not.
    """

    def __init__(self, folder: Path, path: str, faults: list[Fault], *, sorts: bool = False) -> None:
        self.folder, self.path, self.faults = folder, path, faults
        self.count = self.stones = 0
        self._unique = BY_PATH[path].unique
        self._by_item = "id" in self._unique
        self.sorts = sorts and self._by_item
        self._place = _place_of(path)
        self._repeats: dict[int, int] = {}

    def rows(self) -> Iterator[Numbered]:
        """Sound rows with their lines, in the order of ids where they have some; none twice."""
        for _, number, row in self._sorted() if self.sorts else self._once():
            self.stones += "tombstone" in row
            yield number, row

    def again(self) -> Iterator[Row]:
        """The same in the order of lines, after ``rows``."""
        reader = Reader(self.folder, self.path, [], sorts=self.sorts)
        for _, number, row in reader._walk():
            if number not in self._repeats:
                yield row

    def _once(self) -> Iterator[Placed]:
        known, of = dict[tuple[str, ...], int](), ""
        for start, number, row in self._walk():
            if self._by_item:
                id = row["id"] or ""
                if id != of:
                    if id < of or _fold(id) != id:
                        raise Unsorted
                    known, of = {}, id
            same = known.setdefault(self._key(row), number)
            if same != number:
                self._repeat(number, same, row)
                continue
            yield start, number, row

    def _sorted(self) -> Iterator[Placed]:
        places, keys = Sorter(), Sorter()
        for start, number, row in self._walk():
            places.add((row["id"] or "", number, start))
            keys.add((*self._key(row), number))
        first: tuple[Any, ...] = ()
        for key in keys:
            if key[:-1] == first[:-1]:
                self._repeats[key[-1]] = first[-1]
            else:
                first = key
        with (self.folder / self.path).open("rb") as file:
            for _, number, start in places:
                file.seek(start)
                row = parse(file.readline().removesuffix(b"\n").decode())
                if number in self._repeats:
                    self._repeat(number, self._repeats[number], row)
                else:
                    yield start, number, row

    def _key(self, row: Row) -> tuple[str, ...]:
        return tuple([_fold(row[key]) for key in self._unique])

    def _repeat(self, number: int, first: int, row: Row) -> None:
        self._repeats[number] = first
        self._fault("duplicate_id", number, row.get("id") or row.get("annotator"), f"the same stands in line {first}")

    def _walk(self) -> Iterator[Placed]:
        """Every row whose shape is right."""
        last: tuple[Any, ...] = ()
        start = end = 0
        with (self.folder / self.path).open("rb") as file:
            for number, raw in enumerate(file, 1):
                start, end = end, end + len(raw)
                row = self._read(number, raw)
                if row is not None:
                    place = self._place(row)
                    if place < last:
                        self._fault("not_canonical", number, row.get("id"), "the rows are not in order")
                    else:
                        last = place
                    yield start, number, row

    def _read(self, number: int, raw: bytes) -> Row | None:
        """A row whose shape is right; everything else is a fault."""
        self.count += 1
        if not raw.endswith(b"\n"):
            self._fault("not_canonical", number, None, "the last line does not end with a line feed")
        row = self.parsed(number, raw.removesuffix(b"\n"))
        return row if row is not None and self.shaped(number, row) else None

    def parsed(self, number: int, raw: bytes) -> Row | None:
        """The object of a line, which need not be canonical; None where it is none."""
        row: Any = canonical_row(raw)
        if row is not None:
            return row
        try:
            row = parse(raw.decode())
            same = line(row) == raw + b"\n"
        except (UnicodeDecodeError, Refused) as fault:
            self._fault("bad_json", number, None, str(fault))
            return None
        if not isinstance(row, dict):
            self._fault("bad_json", number, None, "the line is not a JSON object")
            return None
        if not same:
            self._fault("not_canonical", number, row.get("id"), "the line is not canonical JSON")
        return row

    def shaped(self, number: int, row: Row) -> bool:
        """Whether the row has the keys that it should have."""
        if is_shaped(self.path, row):
            return True
        bad = lacking(self.path, row)
        for key in bad:
            self._fault("bad_field", number, row.get("id") or row.get("annotator"),
                        f"'{key}' is missing, unknown or not of its kind")
        return not bad

    def _fault(self, code: str, number: int, id: Any, message: str) -> None:
        self.faults.append(Fault(code, self.path, message, number, id if isinstance(id, str) else None))


def canonical_row(raw: bytes) -> Row | None:
    """The object of a line that is canonical JSON; None where that is not sure.

    A text that comes out again as it was has no key twice and no number that is none. Escapes are left to ``parse``.
    """
    if b"\\u" in raw or LONG.search(raw):
        return None
    try:
        text = raw.decode()
        row = json.loads(text)
        return row if type(row) is dict and encoded(row) == text else None
    except (ValueError, RecursionError, Refused):
        return None


def order(path: str, row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Where a row stands in its file."""
    if path.startswith(("public/lines", "private/lines")):
        return row["path"], row["first"]
    if path == SALTS:
        return (row["path"] is None, row["path"] or "", *by_place(row))
    if path == "public/baseline.jsonl":
        return row["question"], row["annotator"] or "", row["answers"]
    if path == "public/hours.jsonl":
        return row["annotator"], row["stage"]
    return by_place(row)


def _place_of(path: str) -> Callable[[Row], tuple[Any, ...]]:
    """``order`` for rows whose shape is right, without a look for keys that no row of the file has."""
    if path in (SALTS, "public/baseline.jsonl", "public/hours.jsonl"):
        return lambda row: order(path, row)
    keys = [key for key in PLACE if key in BY_PATH[path].keys]
    return lambda row: tuple([row.get(key) or "" for key in keys])


def _fold(value: Any) -> str:
    if type(value) is str and value.isascii():
        return value.lower()
    return unicodedata.normalize("NFC", str(value or "")).casefold()
