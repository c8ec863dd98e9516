# SPDX-License-Identifier: Apache-2.0
"""Files of predictions as rows: JSON lines, CSV and TSV, logs of Inspect; what else there is must be handed in."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotation.errors import N_, Refused, Where
from exports.scorer.inspect_logs import is_log, log_rows, zip_rows
from exports.scorer.lines import BOM, MAX_LINE, json_lines, parse
from exports.scorer.options import Reader, Rows

ZIP, PARQUET = b"PK\x03\x04", b"PAR1"
AS_JSON = frozenset({"scores", "judge_score", "seconds", "refused", "order"})


def rows_in(path: Path, data: bytes, readers: Mapping[str, Reader]) -> Rows:
    """(number, row) of a file, by its ending and its first bytes; the number is that of the line or of the row."""
    ending, file = path.suffix.lower(), str(path)
    if ending in readers:
        return readers[ending](path)
    if data.startswith(PARQUET) or ending == ".parquet":
        raise Refused(N_("{name} is a parquet file, which the scorer alone cannot read; goldsmith score can, or write "
                         "it as JSON lines or CSV"), code="unreadable", name=path.name, where=Where(file=file))
    if data.startswith(ZIP):
        return zip_rows(data, file)
    if ending in (".csv", ".tsv"):
        return _table(data, file, "\t" if ending == ".tsv" else ",")
    if ending == ".json" and is_log(data):
        return log_rows(data, file)
    return json_lines(data, file)


def _table(data: bytes, file: str, delimiter: str) -> Rows:
    """Rows of a table with a head; an empty cell says nothing, a cell with a list or an object is JSON."""
    try:
        text = data.removeprefix(BOM).decode()
    except UnicodeDecodeError as fault:
        line = data[:fault.start].count(b"\n") + 1
        raise Refused(N_("line {line} is not UTF-8 (byte {byte} of the file)"), code="not_unicode", line=line,
                      byte=fault.start + 1, where=Where(file=file, line=line)) from None
    if not text.strip():
        raise Refused(N_("{file} is empty"), code="empty", file=file, where=Where(file=file))
    if "\x00" in text:
        line = text[:text.index("\x00")].count("\n") + 1
        raise Refused(N_("line {line} holds the character U+0000"), code="not_unicode", line=line,
                      where=Where(file=file, line=line))
    csv.field_size_limit(MAX_LINE)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    return _read(reader, file)


def _read(reader: Any, file: str) -> Rows:
    head: list[str] = []
    begun = 1
    try:
        for cells in reader:
            line, begun = begun, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if not head:
                head = _head(cells, file, line)
                continue
            if len(cells) != len(head):
                raise Refused(N_("line {line} has {n} cells, and the head has {head}"), code="bad_row", line=line,
                              n=len(cells), head=len(head), where=Where(file=file, line=line))
            yield line, {key: _cell(key, cell, file, line, column) for column, (key, cell)
                         in enumerate(zip(head, cells, strict=True), 1) if cell != ""}
    except csv.Error as fault:
        raise Refused(N_("line {line} is no row of a table: {why}"), code="bad_row", line=begun, why=str(fault),
                      where=Where(file=file, line=begun)) from None


def _head(cells: list[str], file: str, line: int) -> list[str]:
    names = [cell.strip() for cell in cells]
    twice = next((name for n, name in enumerate(names) if name and name in names[:n]), None)
    if twice is not None:
        raise Refused(N_("the column '{name}' stands twice"), code="duplicate_key", name=twice,
                      where=Where(file=file, line=line, column=names.index(twice) + 1, key=twice))
    if "id" not in names:
        raise Refused(N_("there is no column 'id'; the columns are {names}"), code="missing_value",
                      names=", ".join(names)[:200], where=Where(file=file, line=line, key="id"))
    return names


def _cell(key: str, cell: str, file: str, line: int, column: int) -> Any:
    bare = cell.strip()
    if key == "refused" and bare.lower() in ("true", "false", "1", "0"):
        return bare.lower() in ("true", "1")
    if key in AS_JSON or (key in ("answer", "response") and bare[:1] in ("[", "{")):
        try:
            return parse(bare)
        except Refused as fault:
            if key in AS_JSON:
                raise fault.at(file=file, line=line, column=column, key=key, value=bare[:80]) from None
    return cell
