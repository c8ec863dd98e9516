# SPDX-License-Identifier: Apache-2.0
"""Reads JSON and JSON lines strictly: every fault is refused with its file and line."""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from json import JSONDecoder
from pathlib import Path
from typing import Any, NoReturn

from annotation.canonical import check_text
from annotation.errors import N_, Refused, Where
from exports.scorer.alike import Alike

MAX_LINE = 64 * 1024 * 1024  # bytes; a longer line is a broken file, not a prediction
BOM = b"\xef\xbb\xbf"
TOMBSTONE = b'"tombstone":'
PIECE = 32 * 1024  # bytes of lines that are read in one go; more would no longer fit beside what is kept of them
_HALF = re.compile(rb"\\u(?:[dD][89a-fA-F]|0000)")  # what texts may not hold, or a half of what they may


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, or Refused where there is none to read."""
    try:
        return path.read_bytes()
    except IsADirectoryError:
        raise Refused(N_("{name} is a folder, not a file"), code="unreadable", name=path.name,
                      where=Where(file=str(path))) from None
    except FileNotFoundError:
        raise Refused(N_("There is no file {name}"), code="no_file", name=path.name,
                      where=Where(file=str(path))) from None
    except OSError as fault:
        raise Refused(N_("{name} cannot be read: {why}"), code="unreadable", name=path.name,
                      why=fault.strerror or "unknown", where=Where(file=str(path))) from None


def sha256_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def listing(entry: Mapping[str, Any]) -> str:
    """The hashes by which the manifest knows a file: of its bytes and, where it has rows, of its rows."""
    return " ".join(str(entry[key]) for key in ("sha256", "rows_sha256") if entry.get(key))


def is_listed(data: bytes, listed: str) -> bool:
    """Whether these are the bytes of a ``listing``, or the same rows with tombstones for what was taken out since."""
    sha256, _, rows_sha256 = listed.partition(" ")
    if sha256_of(data) == sha256:
        return True
    return bool(rows_sha256) and TOMBSTONE in data and rows_sha256_of(data) == rows_sha256


def rows_sha256_of(data: bytes) -> str:
    """The hash over the hashes of all lines; a tombstone stands for the line whose hash it names."""
    hashed = hashlib.sha256()
    for raw in data.removesuffix(b"\n").split(b"\n") if data else ():
        named = named_hash(raw) if TOMBSTONE in raw else None
        hashed.update(hashlib.sha256(raw + b"\n").digest() if named is None else named)
    return hashed.hexdigest()


def named_hash(raw: bytes) -> bytes | None:
    """The hash that a tombstone's line names; None where the line is no tombstone."""
    try:
        row = parse(raw.decode())
        return bytes.fromhex(row["tombstone"]) if isinstance(row, dict) and "tombstone" in row else None
    except (Refused, ValueError, TypeError):
        return None


def parse(text: str) -> Any:
    """One strict JSON value: no NaN, no infinities, no repeated keys, no halves of characters."""
    try:
        value = json.loads(text, parse_constant=_no_constant, parse_float=_finite, parse_int=_integer,
                           object_pairs_hook=_once)
    except json.JSONDecodeError as fault:
        raise Refused(N_("this is not JSON: {why}, column {col}"), code="bad_json", why=fault.msg, col=fault.colno,
                      where=Where(column=fault.colno)) from None
    except RecursionError:
        raise Refused(N_("the JSON is nested too deeply"), code="bad_json") from None
    _check_texts(value)
    return value


def json_lines(data: bytes, file: str, *, listed: bool = False,
               alike: Alike | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every object of a JSON-lines file with its line number (from 1); blank lines are passed over.

    Lines end at "\\n" only: U+2028 and the like stand inside texts. ``listed``: the bytes are those that a manifest
    lists, so that keys that stand twice are left to verify; of these, ``alike`` reads equal lines once, and says
    what is kept of each.
    """
    body = data.removeprefix(BOM)
    if not body or body.isspace():  # a copy without white space would be as long as the file
        raise Refused(N_("{file} is empty"), code="empty", file=file, where=Where(file=file))
    before, start = 0, 0
    while start < len(body):
        end = body.find(b"\n", start + PIECE) + 1 or len(body)
        piece = body[start:end]
        rows = _plainly(piece, listed, alike)
        if rows is not None:
            yield from enumerate(rows, before + 1)
            before += len(rows)
        else:  # somewhere in these lines something may be wrong
            for raw in io.BytesIO(piece):
                before += 1
                if raw.strip():
                    alone = _plainly(raw, listed)
                    row = alone[0] if alone else one_line(raw.removesuffix(b"\n"), file, before)
                    yield before, row if alike is None else alike.kept(row)
        start = end


def _plainly(piece: bytes, listed: bool, alike: Alike | None = None) -> list[dict[str, Any]] | None:
    """The objects of lines in which nothing can be wrong, without a look at each key; None where in doubt.

    Every line is an object from its beginning to its end, so that none runs on into the next. Keys that stand twice are
    noticed by counting: every pair has a colon after a quotation mark, so where there are no more of these than pairs
    in the values, none was lost.
    """
    if len(piece) > MAX_LINE or (b"\\u" in piece and _HALF.search(piece)):
        return None
    if not listed and (b" :" in piece or b"\t:" in piece or b"\r:" in piece):
        return None
    count = None if listed else _Pairs()
    scan = _scan(_LISTED if count is None else JSONDecoder(
        parse_constant=_refuse_constant, parse_float=_finite, parse_int=_integer, object_hook=count))
    found, start = [], 0
    try:
        text = piece.decode()
        while start < len(text):
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            if alike is not None:
                value = alike.met(text[start:end])
                if value is not None:
                    found.append(value)
                    start = end + 1
                    continue
            value, stop = scan(text, start)
            if type(value) is not dict or (stop != end and (stop > end or text[stop:end].strip())):
                return None
            found.append(value if alike is None else alike.new(text[start:end], value))
            start = end + 1
    except (ValueError, StopIteration, RecursionError, Refused):
        return None
    return found if count is None or piece.count(b'":') == count.pairs else None


def _scan(decoder: JSONDecoder) -> Callable[[str, int], tuple[Any, int]]:
    """What reads one value of a text from a place on, and says where it ends; without a wrapper where there is one."""
    found: Callable[[str, int], tuple[Any, int]] = getattr(decoder, "scan_once", decoder.raw_decode)
    return found


class _Pairs:
    """Counts the pairs of all objects that are read, the inner ones as well."""

    __slots__ = ("pairs",)

    def __init__(self) -> None:
        self.pairs = 0

    def __call__(self, value: dict[str, Any]) -> dict[str, Any]:
        self.pairs += len(value)
        return value


def one_line(raw: bytes, file: str, number: int) -> dict[str, Any]:
    """The object of one line; Refused carries file and line."""
    if len(raw) > MAX_LINE:
        raise Refused(N_("line {line} is longer than {limit} bytes"), code="too_long", line=number, limit=MAX_LINE,
                      where=Where(file=file, line=number))
    try:
        value = parse(raw.decode())
    except UnicodeDecodeError as fault:
        raise Refused(N_("line {line} is not UTF-8 (byte {byte} of the line)"), code="not_unicode", line=number,
                      byte=fault.start + 1, where=Where(file=file, line=number, column=fault.start + 1)) from None
    except Refused as fault:
        raise fault.at(file=file, line=number) from None
    if not isinstance(value, dict):
        raise Refused(N_("line {line} is not a JSON object"), code="bad_json", line=number,
                      where=Where(file=file, line=number, value=raw[:80].decode(errors="replace")))
    return value


def json_file(path: Path) -> tuple[dict[str, Any], bytes]:
    """A file that is one JSON object, and its bytes."""
    data = read_bytes(path)
    if not data.strip():
        raise Refused(N_("{file} is empty"), code="empty", file=path.name, where=Where(file=str(path)))
    try:
        value = parse(data.removeprefix(BOM).decode())
    except UnicodeDecodeError:
        raise Refused(N_("{file} is not UTF-8"), code="not_unicode", file=path.name,
                      where=Where(file=str(path))) from None
    except Refused as fault:
        raise fault.at(file=str(path)) from None
    if not isinstance(value, dict):
        raise Refused(N_("{file} is not a JSON object"), code="bad_json", file=path.name, where=Where(file=str(path)))
    return value, data


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


_LISTED = JSONDecoder(parse_constant=_refuse_constant)


def _no_constant(name: str) -> NoReturn:
    raise Refused(N_("{value} is not a finite number"), code="not_finite", value=name, where=Where(value=name))


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        _no_constant(text[:80])
    return value


def _integer(text: str) -> int:
    if len(text) > 300:  # past what a double can hold; Python itself stops at 4,300 digits
        _no_constant(text[:80])
    return int(text)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Refused(N_("the key '{key}' stands twice in one object"), code="duplicate_key", key=key,
                          where=Where(key=key))
        found[key] = value
    return found


def _check_texts(value: Any, key: str | None = None) -> None:
    if isinstance(value, str):
        try:
            check_text(value)
        except Refused as fault:
            raise fault.at(key=key) from None
    elif isinstance(value, dict):
        for name, inner in value.items():
            _check_texts(name)
            _check_texts(inner, name)
    elif isinstance(value, list):
        for inner in value:
            _check_texts(inner, key)
