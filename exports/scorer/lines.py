# SPDX-License-Identifier: Apache-2.0
"""Reads JSON and JSON lines strictly: every fault is refused with its file and line."""

from __future__ import annotations

import hashlib
import io
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from annotation.canonical import check_text
from annotation.errors import N_, Refused, Where

MAX_LINE = 64 * 1024 * 1024  # bytes; a longer line is a broken file, not a prediction
BOM = b"\xef\xbb\xbf"
TOMBSTONE = b'"tombstone":'


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


def json_lines(data: bytes, file: str, *, listed: bool = False) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every object of a JSON-lines file with its line number (from 1); blank lines are passed over.

    Lines end at "\\n" only: U+2028 and the like stand inside texts. ``listed``: the bytes are those that a manifest
    lists, so that keys that stand twice are left to verify.
    """
    body = data.removeprefix(BOM)
    if not body.strip():
        raise Refused(N_("{file} is empty"), code="empty", file=file, where=Where(file=file))
    for number, raw in enumerate(io.BytesIO(body), 1):
        if len(raw) < 3 and not raw.strip():
            continue
        value = _plainly(raw, listed)
        if value is not None:
            yield number, value
        elif raw.strip():
            yield number, one_line(raw.removesuffix(b"\n"), file, number)


def _plainly(raw: bytes, listed: bool) -> dict[str, Any] | None:
    """The object of a line in which nothing can be wrong, without a look at each key; None where in doubt.

    Keys that stand twice are noticed by counting: every pair has a colon after a quotation mark, so where there are no
    more of these than pairs in the value, none was lost.
    """
    if b"\\u" in raw or len(raw) > MAX_LINE:
        return None
    try:
        text = raw.decode()
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError, Refused):
        return None
    if type(value) is not dict or text[end:].strip():
        return None
    if listed:
        return value
    if b" :" in raw or b"\t:" in raw or b"\r:" in raw:
        return None
    return value if raw.count(b'":') == _pairs(value) else None


def _pairs(value: Any) -> float:
    """How many pairs a value holds; infinite where a number is not finite or too large."""
    kind = type(value)
    if kind is dict:
        return len(value) + sum(_pairs(one) for one in value.values() if type(one) is not str)
    if kind is list:
        return sum(_pairs(one) for one in value if type(one) is not str)
    if kind is float:
        return 0 if math.isfinite(value) else math.inf
    return math.inf if kind is int and abs(value) >= 10**300 else 0


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


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


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
