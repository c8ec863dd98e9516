"""The format "parquet": one typed file a split, with the protocol's columns."""

from __future__ import annotations

from pathlib import Path

from exports.manifest import FileEntry
from exports.writers import typed
from exports.writers.columns import columns_of, picture_paths, rows_of
from exports.writers.registry import Format, Made, writers
from exports.writers.source import REPORT, Source, listed, put
from exports.writers.tables import cannot_of, copy_pictures, differs, moved

CANNOT = (
    "single answers of people, decisions, rules and agreement: only the bundle and hf have them",
    "what stands beside a gold value (strength, flags, reason)",
    "whole numbers as such: numbers are 64-bit floats, exact up to 2**53",
    "people's order of options, checksums of every row, and the scorer",
)


def make(source: Source, folder: Path) -> Made:
    import pyarrow as pa

    columns = columns_of(source)
    schema = pa.schema([(column.name, typed.arrow_type(column, embedded=False)) for column in columns])
    files: list[FileEntry] = []
    pictures: set[str] = set()
    for split in source.splits:
        items = tuple(item for item in source.kept if item["split"] == split)
        rows = []
        for _, row in rows_of(source, columns, items):
            pictures.update(picture_paths(columns, row))
            shown = moved(columns, row)
            rows.append({column.name: typed.as_stored(column, shown[column.name]) for column in columns})
        typed.write(folder / f"{split}.parquet", schema, rows)
        files.append(listed(folder, f"{split}.parquet", rows=len(rows)))
    files += copy_pictures(source, folder, pictures)
    cannot = cannot_of(source, columns)
    files.append(put(folder, "LICENSE", source.text("LICENSE")))
    files.append(put(folder, REPORT, source.report("parquet", columns=[one.said() for one in columns],
                                                   cannot=[*CANNOT, *cannot])))
    return Made(tuple(files), len(source.kept), cannot, source.left_out)


def read_back(source: Source, folder: Path) -> int:
    columns = columns_of(source)
    compared = 0
    for split in source.splits:
        items = [item for item in source.kept if item["split"] == split]
        found = list(typed.read(folder / f"{split}.parquet", [column.name for column in columns]))
        wanted = []
        for _, row in rows_of(source, columns, tuple(items)):
            shown = moved(columns, row)
            wanted.append({column.name: typed.as_stored(column, shown[column.name]) for column in columns})
        differs(f"{split}.parquet", items, wanted, found)
        compared += len(found)
    return compared


writers.add("parquet", Format("parquet", "Parquet with a type for every column, one file a split", CANNOT, make,
                              read_back))
