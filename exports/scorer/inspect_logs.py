# SPDX-License-Identifier: Apache-2.0
"""Logs of Inspect AI as rows of predictions: one JSON file, or an ``.eval`` archive of one JSON file per sample.

A sample gives its id, its epoch (where there are several), what the model printed as ``response``, and the order of
options that its metadata name. Our own tasks call an element ``ID.ELEMENT`` and say so in the metadata, with the
question. Scores that Inspect gave are not read: what was printed is scored again. Samples that ended in an error and
printed nothing give no row, and so are missing.
"""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from annotation.canonical import check_text
from annotation.errors import N_, Refused, Where
from exports.scorer.options import Rows

MOST_BYTES = 512 * 1024 * 1024  # of one sample, unpacked; a larger one is no answer
ZSTANDARD = 93  # how Inspect packs by now; Python's zipfile knows it from 3.14 on
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA,
           getattr(zipfile, "ZIP_ZSTANDARD", zipfile.ZIP_STORED))
Unpack = Callable[[bytes, int], bytes]  # packed bytes, size unpacked -> bytes; ValueError where they are broken
_SAMPLE = re.compile(r"(?:.*/)?samples/[^/]+\.json")


def is_log(data: bytes) -> bool:
    """Whether a JSON file is a log: an object with ``eval`` and ``samples``, which JSON lines never have."""
    return b'"eval"' in data and b'"samples"' in data and data.lstrip()[:1] == b"{"


def log_rows(data: bytes, file: str) -> Rows:
    log = _parsed(data, file, None)
    samples = log.get("samples") if isinstance(log, dict) else None
    if not isinstance(samples, list) or not samples:
        raise Refused(N_("the log {file} holds no samples"), code="empty", file=file, where=Where(file=file))
    return _rows(enumerate(samples, 1), file)


def zip_rows(data: bytes, file: str, unpack: Unpack | None = None) -> Rows:
    """The samples of an archive, in the order of their names. Raises Refused where it is none, or is packed in a way
    that cannot be read; ``unpack`` is for Zstandard, where zipfile does not know it.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        names = sorted(name for name in archive.namelist() if _SAMPLE.fullmatch(name))
    except zipfile.BadZipFile as fault:
        raise Refused(N_("{file} is a broken archive: {why}"), code="unreadable", file=file, why=str(fault),
                      where=Where(file=file)) from None
    if not names:
        raise Refused(N_("{file} is an archive without samples of Inspect"), code="empty", file=file,
                      where=Where(file=file))
    return _rows(_unpacked(archive, names, file, data, unpack), file)


def _unpacked(archive: zipfile.ZipFile, names: list[str], file: str, whole: bytes,
              unpack: Unpack | None) -> Iterator[tuple[int, Any]]:
    for number, name in enumerate(names, 1):
        if archive.getinfo(name).file_size > MOST_BYTES:
            raise Refused(N_("{name} in {file} is larger than {limit} bytes"), code="too_long", name=name, file=file,
                          limit=MOST_BYTES, where=Where(file=file, value=name))
        about = archive.getinfo(name)
        packed_otherwise = about.compress_type not in _PACKED
        if packed_otherwise and (unpack is None or about.compress_type != ZSTANDARD):
            raise Refused(N_("{name} in {file} is packed in a way that the scorer alone cannot read; goldsmith score "
                             "can read Zstandard, or write the log with --log-format json"), code="unreadable",
                          name=name, file=file, where=Where(file=file))
        try:
            data = unpack(_packed(whole, about), about.file_size) if packed_otherwise and unpack else archive.read(name)
            if zlib.crc32(data) != about.CRC:
                raise zipfile.BadZipFile("the checksum differs")
        except (zipfile.BadZipFile, OSError, EOFError, ValueError) as fault:
            raise Refused(N_("{name} in {file} cannot be unpacked: {why}"), code="unreadable", name=name, file=file,
                          why=str(fault), where=Where(file=file)) from None
        yield number, _parsed(data, file, name)


def _packed(whole: bytes, about: zipfile.ZipInfo) -> bytes:
    """The bytes of a member as they stand in the archive, after its own header (30 bytes, its name, extra fields)."""
    head = whole[about.header_offset:about.header_offset + 30]
    if len(head) < 30 or head[:4] != b"PK\x03\x04":
        raise zipfile.BadZipFile("a header is missing")
    name, extra = struct.unpack("<HH", head[26:30])
    begin = about.header_offset + 30 + name + extra
    return whole[begin:begin + about.compress_size]


def _parsed(data: bytes, file: str, name: str | None) -> Any:
    """Inspect writes what is not finite as a bare word; that is null here, and no answer is a number of its own."""
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=lambda word: None)
    except (ValueError, RecursionError):
        raise Refused(N_("{what} is no JSON"), code="bad_json", what=name or file,
                      where=Where(file=file, value=name)) from None


def _rows(samples: Iterable[tuple[int, Any]], file: str) -> Rows:
    several: set[Any] = set()
    rows = []
    for number, sample in samples:
        if not isinstance(sample, dict) or sample.get("id") is None:
            raise Refused(N_("sample {number} of the log has no id"), code="missing_value", number=number,
                          where=Where(file=file, line=number, key="id"))
        epoch = sample.get("epoch", 1)
        several.add(epoch)
        rows.append((number, epoch, _row(sample)))
    for number, epoch, row in rows:
        if row is not None:
            yield number, {**row, "epoch": epoch} if len(several) > 1 else row


def _row(sample: Mapping[str, Any]) -> dict[str, Any] | None:
    about = sample.get("metadata")
    about = about if isinstance(about, dict) else {}
    text = _printed(sample.get("output"))
    if text is None:
        return None
    row: dict[str, Any] = {"id": str(about.get("item") or sample["id"]), "response": check_text(text)}
    for key in ("question", "element"):
        if isinstance(about.get(key), str):
            row[key] = about[key]
    if isinstance(about.get("order"), list) and about["order"]:
        row["order"] = about["order"]
    return row


def _printed(output: Any) -> str | None:
    if not isinstance(output, dict):
        return None
    if isinstance(output.get("completion"), str) and output["completion"]:
        return str(output["completion"])
    for choice in output.get("choices") or ():
        content = choice.get("message", {}).get("content") if isinstance(choice, dict) else None
        if isinstance(content, list):  # text and pictures, of which the text is read
            content = "\n".join(str(part["text"]) for part in content if isinstance(part, dict)
                                and part.get("type") == "text" and "text" in part)
        if isinstance(content, str):
            return content
    return None
