"""Reads a table of text: delimiter detected, quotes and line breaks in cells kept, every cell a text as written."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from typing import TextIO

from annotation.errors import N_, Refused, Where
from annotation.reading.record import RECORD_LIMIT, Record

DELIMITERS = ",;\t|"
SAMPLE = 64 * 1024


def detect_delimiter(sample: str, *, likely: str = ",") -> str:
    """The delimiter under which the first rows of ``sample`` agree best on a number of cells.

    Counting delimiters in the header alone is fooled by a quoted header; rows are really parsed.
    """
    best, best_score = likely, (0.0, 0)
    for delimiter in sorted(DELIMITERS, key=lambda d: d != likely):
        try:
            rows = [row for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if row]
        except csv.Error:
            continue
        rows = rows[:-1] if len(rows) > 2 and len(sample) >= SAMPLE else rows  # the last one may be cut
        if not rows or len(rows[0]) < 2:
            continue
        same = Counter(len(row) for row in rows)[len(rows[0])] / len(rows)
        score = (round(same, 1), len(rows[0]))
        if score > best_score:
            best, best_score = delimiter, score
    return best


def told_delimiter(sample: str) -> str | None:
    """The delimiter that a first line ``sep=;`` (as Excel writes it) tells, else None."""
    first = sample.split("\n", 1)[0].rstrip("\r")
    return first[4] if len(first) == 5 and first.lower().startswith("sep=") else None


class _Lines:
    """The lines of a stream, their ends kept, none longer than the limit (a longer one raises Refused)."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __iter__(self) -> Iterator[str]:
        while text := self.stream.readline(RECORD_LIMIT + 1):
            if len(text) > RECORD_LIMIT:
                raise Refused(N_("the line is longer than {limit} characters"), code="too_long", limit=RECORD_LIMIT)
            yield text


def table(stream: TextIO, file: str, delimiter: str) -> tuple[tuple[str, ...], Iterator[Record]]:
    """The column names and the rows after them. The stream must be opened with newline="" at its start."""
    csv.field_size_limit(RECORD_LIMIT)  # the module's own limit of 131,072 characters refuses long texts
    reader = csv.reader(iter(_Lines(stream)), delimiter=delimiter, strict=True)
    row = _next(reader, file, 1)
    if row is not None and len(row) == 1 and len(row[0]) == 5 and row[0].lower().startswith("sep="):
        row = _next(reader, file, 2)
    if row is not None and delimiter.join(row).lower() == f"sep={delimiter}":
        row = _next(reader, file, 2)
    while row == []:
        row = _next(reader, file, reader.line_num + 1)
    if row is None:
        raise Refused(N_("'{file}' is empty"), code="bad_value", where=Where(file=file, line=1, column=1), file=file)
    names = tuple(cell.strip() or f"column {place}" for place, cell in enumerate(row, 1))
    for place, name in enumerate(names, 1):
        if name in names[:place - 1]:
            raise Refused(N_("the column '{name}' stands twice in the header"), code="bad_value",
                          where=Where(file=file, line=reader.line_num, column=place, key=name), name=name)
    return names, _rows(reader, file, names)


def _rows(reader: Iterator[list[str]], file: str, names: tuple[str, ...]) -> Iterator[Record]:
    number, width = 0, len(names)
    while True:
        line = reader.line_num + 1  # type: ignore[attr-defined]
        row = _next(reader, file, line)
        if row is None:
            return
        if not any(row):  # a row without any text, as a spreadsheet leaves them below its table
            continue
        number += 1
        if len(row) == width:
            yield Record(number, dict(zip(names, row, strict=True)), line, 1)
            continue
        value = {**dict(zip(names, row, strict=False)), **({"": row[width:]} if len(row) > width else {})}
        yield Record(number, value, line, min(len(row), width) + 1, Refused(
            N_("the row has {found} cells, the header has {wanted}"), code="bad_value", found=len(row), wanted=width))


def _next(reader: Iterator[list[str]], file: str, line: int) -> list[str] | None:
    try:
        return next(reader, None)
    except csv.Error as fault:
        if "unexpected end of data" in str(fault):
            raise Refused(N_("a quoted cell in the row that begins here never ends"), code="bad_value",
                          where=Where(file=file, line=line, column=1)) from None
        if "field larger" in str(fault):
            raise Refused(N_("a cell is longer than {limit} characters (a quote may be open)"), code="too_long",
                          where=Where(file=file, line=line, column=1), limit=RECORD_LIMIT) from None
        raise Refused(N_("the row cannot be read: {what}"), code="bad_value",
                      where=Where(file=file, line=line, column=1),
                      what=str(fault)) from None
    except Refused as fault:
        raise fault.at(file=file, line=line, column=1) from None
