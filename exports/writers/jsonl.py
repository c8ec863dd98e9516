"""The format "jsonl": one file of JSON lines a split, with the protocol's columns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation.errors import N_
from exports.manifest import FileEntry
from exports.rows import line
from exports.scorer.lines import json_lines
from exports.writers.columns import Column, columns_of, of_item, picture_paths, rows_of
from exports.writers.dangers import are_dates
from exports.writers.registry import Format, Made, writers
from exports.writers.source import REPORT, Row, Source, put
from exports.writers.tables import cannot_of, copy_pictures, differs, moved

CANNOT = (
    "single answers of people, decisions, rules and agreement: only the bundle and hf have them",
    "what stands beside a gold value (strength, flags, reason)",
    "types: a reader guesses them, so a column that is empty at first may be read as another type; parquet states them",
    "people's order of options, checksums of every row, and the scorer",
)


def make(source: Source, folder: Path) -> Made:
    columns = columns_of(source)
    whole = _whole(source, columns)
    files: list[FileEntry] = []
    pictures: set[str] = set()
    for split in source.splits:
        rows = 0
        lines = []
        for row in _rows(source, columns, whole, split):
            pictures.update(picture_paths(columns, row))
            lines.append(line(moved(columns, row)))
            rows += 1
        files.append(put(folder, f"{split}.jsonl", b"".join(lines), rows=rows))
    files += copy_pictures(source, folder, pictures)
    cannot = cannot_of(source, columns)
    files.append(put(folder, "LICENSE", source.text("LICENSE")))
    files.append(put(folder, REPORT, source.report("jsonl", columns=[one.said() for one in columns],
                                                   cannot=[*CANNOT, *cannot])))
    return Made(tuple(files), len(source.kept), cannot, source.left_out)


def _whole(source: Source, columns: tuple[Column, ...]) -> frozenset[str]:
    """Number columns in which every value is whole; refuses a column of nothing but dates."""
    whole = {column.name for column in columns if column.kind == "number"}
    texts: dict[tuple[str, ...], list[tuple[Row, str]]] = {}
    for item, row in rows_of(source, columns, source.kept):
        for column in columns:
            if column.kind == "number" and any(isinstance(one, float) for one in _numbers(column, row[column.name])):
                whole.discard(column.name)
            for place, text in _texts((column.name,), row[column.name]):
                seen = texts.setdefault(place, [])
                if len(seen) < 2 or not are_dates([text]):
                    seen.append((item, text))
                    del seen[:-2]  # two are enough: one that is no date clears the column
    for place, seen in texts.items():
        if seen and are_dates(text for _, text in seen):
            raise of_item(seen[0][0], N_("every text of '{column}' looks like a date, as {value} of {item}: other "
                                         "programs would turn it into one; parquet keeps it"), code="bad_value",
                          column=".".join(place), value=seen[0][1])
    return frozenset(whole)


def _numbers(column: Column, value: Any) -> list[Any]:
    return [one["answer"] for one in value or ()] if column.each else [value]


def _texts(place: tuple[str, ...], value: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts((*place, key), inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(place, inner)


def _rows(source: Source, columns: tuple[Column, ...], whole: frozenset[str], split: str) -> Iterator[dict[str, Any]]:
    """The rows of a split; a column that holds a fraction anywhere has fractions everywhere, so that it is one type."""
    floats = [column for column in columns if column.kind == "number" and column.name not in whole]
    for _, row in rows_of(source, columns, tuple(item for item in source.kept if item["split"] == split)):
        for column in floats:
            value = row[column.name]
            if column.each:
                row[column.name] = value and [{**one, "answer": _float(one["answer"])} for one in value]
            else:
                row[column.name] = _float(value)
        yield row


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


def read_back(source: Source, folder: Path) -> int:
    columns = columns_of(source)
    compared = 0
    for split in source.splits:
        data = (folder / f"{split}.jsonl").read_bytes()
        items = [item for item in source.kept if item["split"] == split]
        found = [row for _, row in json_lines(data, f"{split}.jsonl")] if data else []
        wanted = [moved(columns, row) for _, row in rows_of(source, columns, tuple(items))]
        differs(f"{split}.jsonl", items, wanted, found, lines=len(data.decode().splitlines()))
        compared += len(found)
    return compared


writers.add("jsonl", Format("jsonl", "JSON lines with the protocol's columns, one file a split", CANNOT, make,
                            read_back))
