"""The formats "csv" and "tsv" for programs, and "excel-csv" for people with a spreadsheet."""

from __future__ import annotations

import csv
import functools
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation import canonical
from annotation.errors import N_, Refused
from annotation.questions.base import number_text
from exports.manifest import FileEntry
from exports.writers import dangers
from exports.writers.columns import Column, columns_of, of_item, picture_paths, rows_of
from exports.writers.registry import Format, Made, writers
from exports.writers.source import REPORT, Row, Source, put
from exports.writers.tables import cannot_of, copy_pictures, differs, moved

CANNOT = (
    "single answers of people, decisions, rules and agreement: only the bundle and hf have them",
    "what stands beside a gold value (strength, flags, reason)",
    "types and lists: lists stand as JSON in their cell; export.json says the kind of each column",
    "people's order of options, checksums of every row, and the scorer",
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """``ending`` of the file's name; ``excel``: with a byte order mark, guarded, and in Excel's limits."""

    ending: str
    delimiter: str
    line_end: str
    excel: bool = False
    one_line: bool = False  # no line ends or tabs inside a cell

    @property
    def encoding(self) -> str:
        return "utf-8-sig" if self.excel else "utf-8"

    def cell(self, text: str) -> str:
        return dangers.guarded(text) if self.excel else text

    def bare(self, cell: str) -> str:
        return dangers.bare(cell) if self.excel else cell


def _make(dialect: Dialect, source: Source, folder: Path) -> Made:
    columns = columns_of(source)
    _check(dialect, source, columns)
    files: list[FileEntry] = []
    pictures: set[str] = set()
    for split in source.splits:
        out = io.StringIO(newline="")
        table = csv.writer(out, delimiter=dialect.delimiter, lineterminator=dialect.line_end)
        table.writerow([dialect.cell(column.name) for column in columns])
        rows = 0
        for _, row in rows_of(source, columns, tuple(item for item in source.kept if item["split"] == split)):
            pictures.update(picture_paths(columns, row))
            shown = moved(columns, row)
            table.writerow([_cell(dialect, column, shown[column.name]) for column in columns])
            rows += 1
        if dialect.excel and rows >= dangers.EXCEL_ROWS:
            raise Refused(N_("{split} has {rows} rows, more than Excel opens"), code="too_long", split=split, rows=rows)
        files.append(put(folder, f"{split}.{dialect.ending}", out.getvalue().encode(dialect.encoding), rows=rows))
    files += copy_pictures(source, folder, pictures)
    cannot = cannot_of(source, columns)
    files.append(put(folder, "LICENSE", source.text("LICENSE")))
    name = "excel-csv" if dialect.excel else dialect.ending
    files.append(put(folder, REPORT, source.report(name, columns=[one.said() for one in columns],
                                                   cannot=[*CANNOT, *cannot])))
    return Made(tuple(files), len(source.kept), cannot, source.left_out)


def _cell(dialect: Dialect, column: Column, value: Any) -> str:
    if value is None:
        return ""
    if column.kind == "flag":
        return "true" if value else "false"
    if column.kind == "number" and not column.each:
        return number_text(value) if isinstance(value, int) else repr(value)
    return dialect.cell(value if isinstance(value, str) else canonical.dumps(value))


# --- what a reader would change without a word -----------------------------------------------------

def _check(dialect: Dialect, source: Source, columns: tuple[Column, ...]) -> None:
    guesses: dict[str, tuple[Row, str, set[str]]] = {}
    for item, row in rows_of(source, columns, source.kept):
        for column in columns:
            value = row[column.name]
            if value is None or column.kind == "flag" or (column.kind == "number" and not column.each):
                continue
            is_text = isinstance(value, str)
            cell = value if is_text else canonical.dumps(value)
            _check_cell(dialect, column, item, cell)
            if is_text and column.kind == "text":
                _check_text(dialect, column, item, cell)
                first = guesses.setdefault(column.name, (item, cell, set()))
                first[2].add(str(dangers.taken_for([cell])))
    for name, (item, cell, taken) in guesses.items():
        if not dialect.excel and len(taken) == 1 and "None" not in taken:
            raise of_item(item, N_("every text of '{column}' looks like {made}, as '{value}' of {item}: other programs "
                                   "would turn them into that; parquet keeps them"), code="bad_value", column=name,
                          value=cell, made=next(iter(taken)))


def _check_cell(dialect: Dialect, column: Column, item: Row, cell: str) -> None:
    if dialect.excel and len(cell.encode("utf-16-le")) // 2 + 1 > dangers.LONGEST_EXCEL:
        raise of_item(item, N_("'{column}' of {item} is longer than the 32,767 characters of a cell in Excel"),
                      code="too_long", column=column.name)
    if len(cell) >= dangers.LONGEST_CELL:
        raise of_item(item, N_("'{column}' of {item} is longer than the 131,072 characters that readers of CSV take"),
                      code="too_long", column=column.name)
    if dialect.one_line and ("\t" in cell or dangers.LINE_ENDS.search(cell)):
        raise of_item(item, N_("'{column}' of {item} holds a tab or a line end, which a line of TSV cannot; csv keeps "
                               "it"), code="bad_value", column=column.name)


def _check_text(dialect: Dialect, column: Column, item: Row, text: str) -> None:
    if not text.strip():
        raise of_item(item, N_("'{column}' of {item} is blank; an empty cell means that there is no value"),
                      code="missing_value", column=column.name)
    if dialect.excel:
        return  # the guard keeps any other text as it is
    if column.sources == ("item.key",) and dangers.is_number(text):
        raise of_item(item, N_("the key '{value}' of {item} looks like a number, and other programs would make it one; "
                               "jsonl and parquet keep it"), code="bad_value", column=column.name, value=text)
    if text.strip() in dangers.NA_LIKE:
        raise of_item(item, N_("'{column}' of {item} is '{value}', which other programs read as missing; write it "
                               "otherwise, or use jsonl or parquet"), code="bad_value", column=column.name, value=text)


# --- read again ----------------------------------------------------------------------------------

def _read_back(dialect: Dialect, source: Source, folder: Path) -> int:
    columns = columns_of(source)
    compared = 0
    for split in source.splits:
        name = f"{split}.{dialect.ending}"
        data = (folder / name).read_bytes().decode(dialect.encoding)
        head, *table = csv.reader(io.StringIO(data, newline=""), delimiter=dialect.delimiter, strict=True)
        items = [item for item in source.kept if item["split"] == split]
        wanted: list[Any] = [[column.name for column in columns]]
        wanted += [list(moved(columns, row).values()) for _, row in rows_of(source, columns, tuple(items))]
        found: list[Any] = [[dialect.bare(cell) for cell in head]]
        found += [[_value(dialect, column, cell) for column, cell in zip(columns, cells, strict=True)]
                  for cells in table]
        differs(name, [{"id": "the head"}, *items], wanted, found)
        compared += len(table)
    return compared


def _value(dialect: Dialect, column: Column, cell: str) -> Any:
    """The value of a cell, from its text and the column's kind alone."""
    if cell == "":
        return None
    if column.kind == "flag":
        return {"true": True, "false": False}[cell]
    if column.kind == "number" and not column.each:
        return float(cell)
    text = dialect.bare(cell)
    is_text = column.kind in ("text", "image") and not column.each
    return text if is_text else json.loads(text)


def _add(name: str, about: str, dialect: Dialect) -> None:
    writers.add(name, Format(name, about, CANNOT, functools.partial(_make, dialect),
                             functools.partial(_read_back, dialect)))


_add("csv", "CSV for programs: UTF-8, no byte order mark, LF", Dialect("csv", ",", "\n"))
_add("tsv", "TSV for programs: one line a row, no tabs or line ends inside", Dialect("tsv", "\t", "\n", one_line=True))
_add("excel-csv", "CSV for Excel: byte order mark, CRLF, guarded against formulas and guesses",
     Dialect("csv", ",", "\r\n", excel=True))
