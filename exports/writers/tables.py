"""What the writers of tables share: pictures beside the rows, what gets lost, and the comparison after writing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.errors import N_, Refused, Where
from exports.manifest import FileEntry
from exports.writers.columns import ELEMENTS, Column
from exports.writers.source import Row, Source, put


def beside(path: str) -> str:
    """Where a picture of the bundle lies in an export: media/SHA256.EXT."""
    return path.removeprefix("public/")


def moved(columns: Iterable[Column], row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with its pictures named as they lie in the export."""
    shown = dict(row)
    for column in columns:
        value = row[column.name]
        if value is None or column.each:
            continue
        if column.kind == "image":
            shown[column.name] = beside(value)
        elif column.kind in ELEMENTS:
            last = ELEMENTS[column.kind][-1]
            shown[column.name] = [{**one, last: one[last] and beside(one[last])} for one in value]
    return shown


def copy_pictures(source: Source, folder: Path, paths: Iterable[str]) -> list[FileEntry]:
    """Copy the pictures that the rows name, and no other."""
    return [put(folder, beside(path), source.picture(path)) for path in sorted(set(paths))]


def cannot_of(source: Source, columns: Sequence[Column], *, gold: bool = True) -> tuple[str, ...]:
    """What this release has and these columns do not: fields, and gold unless it stands elsewhere, that none names."""
    named = {one for column in columns for one in column.sources}
    fields = [field.name for field in source.protocol.fields
              if not field.private and f"item.{field.name}" not in named
              and any(field.name in item["fields"] for item in source.kept)]
    questions = sorted({question for (_, question) in source.gold if f"gold.{question}" not in named})
    found = []
    if fields:
        found.append(f"fields that no column of the protocol names: {', '.join(fields)}")
    if questions and gold:
        found.append(f"gold that no column of the protocol names: {', '.join(questions)}")
    return tuple(found)


def differs(file: str, items: Sequence[Row], wanted: Sequence[Any], found: Sequence[Any], *,
            lines: int | None = None) -> None:
    """Refused at the first row that is not what the bundle gives."""
    if len(found) != len(wanted) or (lines is not None and lines != len(wanted)):
        raise Refused(N_("{file} was read back with {found} rows instead of {wanted}; nothing was kept"),
                      code="read_back", file=file, found=len(found) if lines is None else lines, wanted=len(wanted))
    for item, right, there in zip(items, wanted, found, strict=True):
        if right != there:
            raise Refused(N_("{file} was read back and {item} is not what the bundle says; nothing was kept"),
                          code="read_back", file=file, item=item["id"], where=Where(item=item["id"]))
