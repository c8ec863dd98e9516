"""Parquet with a type stated for every column, so that an empty or odd column is read as what it is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation import canonical
from exports.writers.columns import ELEMENTS, Column

BATCH_ROWS, BATCH_BYTES = 1_000, 64 * 1024 * 1024  # a group of rows: bounded where pictures stand in them


def arrow_type(column: Column, *, embedded: bool) -> Any:
    """The type of a column; ``embedded``: pictures are {bytes, path}, else their path is a text."""
    # pyarrow costs about 150 ms to import and is needed for these formats alone.
    import pyarrow as pa

    picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())]) if embedded else pa.string()
    if column.kind in ELEMENTS:
        *plain, last = ELEMENTS[column.kind]
        return pa.list_(pa.struct([*((name, pa.string()) for name in plain), (last, picture)]))
    value = {"text": pa.string(), "number": pa.float64(), "texts": pa.list_(pa.string()), "json": pa.string(),
             "image": picture, "flag": pa.bool_()}[column.kind]
    return pa.list_(pa.struct([("element", pa.string()), ("answer", value)])) if column.each else value


def as_stored(column: Column, value: Any) -> Any:
    """A value in the form in which its column stores it: numbers as 64-bit floats, other structures as JSON."""
    if value is None:
        return None
    if column.each:
        return [{**one, "answer": None if one["answer"] is None else _plain(column, one["answer"])} for one in value]
    return _plain(column, value)


def _plain(column: Column, value: Any) -> Any:
    if column.kind == "number":
        return float(value)
    return canonical.dumps(value) if column.kind == "json" else value


def write(path: Path, schema: Any, rows: Iterable[Mapping[str, Any]], *,
          features: Mapping[str, Any] | None = None) -> int:
    """Write ``rows`` in groups; returns how many. ``features``: what ``datasets`` calls those columns (Image)."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if features:
        about = {"info": {"features": features}}  # in the order of the struct's fields, or the reader passes over it
        schema = schema.with_metadata({"huggingface": json.dumps(about)})
    path.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as out:
        for group in _groups(rows):
            out.write_table(pa.Table.from_pylist(group, schema=schema))
            written += len(group)
    return written


def _groups(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    group: list[Mapping[str, Any]] = []
    size = 0
    for row in rows:
        group.append(row)
        size += sum(map(_size, row.values()))
        if len(group) >= BATCH_ROWS or size >= BATCH_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _size(value: Any) -> int:
    if isinstance(value, (str, bytes)):
        return len(value)
    if isinstance(value, Mapping):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list) else 8


def read(path: Path, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows of a file, group by group; KeyError where a column is missing."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path)
    if file.schema_arrow.names != list(names):
        raise KeyError(f"{path.name} has the columns {file.schema_arrow.names}")
    for number in range(file.num_row_groups):
        yield from file.read_row_group(number).to_pylist()
