"""Tells what kind of file it is by its contents and opens it as a source of records."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, cast

from annotation.errors import N_, Refused, Unknown, Where
from annotation.reading import csv_, encoding, images, json_, jsonl, parquet
from annotation.reading.record import Record, Source

FORMATS = ("json", "jsonl", "csv", "tsv", "parquet", "images")
_LINES = frozenset({".jsonl", ".ndjson", ".jl"})


def open_source(path: Path, *, format: str | None = None, pick: str | None = None,
                encoding_name: str | None = None, delimiter: str | None = None) -> Source:
    """``path`` as records; ``pick`` is the dotted path to the records of a nested JSON file.

    ``format`` is what a recipe says; where the contents are plainly something else, the contents win.
    Raises Refused for what cannot be opened, is empty or of no known kind.
    """
    _check_opens(path)
    if path.is_dir():
        paths = images.found(path)
        if not paths:
            raise Refused(N_("the folder '{file}' holds no pictures"), code="bad_value", where=Where(file=path.name),
                          file=path.name)
        return _counted(Source(path.name, "images", images.records(path, paths), lambda: 0, len(paths),
                               columns=("path", "name", "stem", "folder")))
    kind = _kind(path, format)
    if kind == "parquet":
        columns, rows, read, close = parquet.table(path)
        return _counted(Source(path.name, kind, read(), lambda: 0, rows, columns=columns, closers=[close]))
    name = encoding_name or encoding.detect(path)
    stream = encoding.open_text(path, name, newline="" if kind in ("csv", "tsv") else "\n")
    try:
        return _text_source(path, kind, stream, name, pick, delimiter)
    except UnicodeError:
        stream.close()
        raise encoding.not_decoded(path.name, name) from None
    except BaseException:
        stream.close()
        raise


def _text_source(path: Path, kind: str, stream: TextIOWrapper, name: str, pick: str | None,
                 delimiter: str | None) -> Source:
    file = path.name
    source = Source(file, kind, iter(()), _position(stream), os.path.getsize(path), encoding=name,
                    closers=[stream.close])
    if kind == "json":
        records = json_.records(stream, file, tuple(pick.split(".")) if pick else ())
    elif kind == "jsonl":
        records = jsonl.records(stream, file)
    else:
        if delimiter is None:
            sample = stream.read(csv_.SAMPLE)
            delimiter = csv_.told_delimiter(sample) or csv_.detect_delimiter(
                sample, likely="\t" if kind == "tsv" else ",")
            stream.close()
            stream = encoding.open_text(path, name, newline="")
            source.closers, source.position = [stream.close], _position(stream)
        elif delimiter in ("tab", "\\t"):
            delimiter = "\t"
        if len(delimiter) != 1 or delimiter in '"\r\n':
            raise Unknown(N_("A delimiter is one character, not '{delimiter}'."), delimiter=delimiter)
        source.columns, records = csv_.table(stream, file, delimiter)
        source.typed, source.delimiter = False, delimiter
    source.records = _decoded(records, file, name)
    return source


def _position(stream: TextIOWrapper) -> Callable[[], int]:
    """Bytes read so far (the text layer's own tell is slow and not to be had while it is iterated)."""
    return cast(BinaryIO, stream.buffer).tell


def _decoded(records: Iterator[Record], file: str, name: str) -> Iterator[Record]:
    try:
        yield from records
    except UnicodeError:
        raise encoding.not_decoded(file, name) from None


def _counted(source: Source) -> Source:
    """``source`` with a position that counts its records."""
    seen = 0

    def records(inner: Iterator[Record]) -> Iterator[Record]:
        nonlocal seen
        for record in inner:
            seen = record.number
            yield record

    source.records, source.position = records(source.records), lambda: seen
    return source


def _check_opens(path: Path) -> None:
    """A sentence for what is not there, not ours to read, or no file (a pipe would wait for ever)."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            with path.open("rb") as stream:
                if not stream.read(1):
                    raise Refused(N_("'{file}' is empty"), code="bad_value",
                                  where=Where(file=path.name, line=1, column=1), file=path.name)
        elif stat.S_ISDIR(mode):
            os.listdir(path)
        else:
            raise Refused(N_("'{file}' is neither a file nor a folder"), code="no_file", where=Where(file=path.name),
                          file=path.name)
    except FileNotFoundError:
        raise Refused(N_("there is no file '{file}'"), code="no_file", where=Where(file=path.name),
                      file=str(path)) from None
    except ValueError:
        raise Refused(N_("'{file}' is no name of a file"), code="no_file", file=repr(str(path))) from None
    except OSError as fault:
        raise Refused(N_("'{file}' cannot be read: {what}"), code="no_file", where=Where(file=path.name),
                      file=str(path), what=fault.strerror or str(fault)) from None


def _kind(path: Path, told: str | None) -> str:
    with path.open("rb") as stream:
        head = stream.read(4096)
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"PK\x03\x04"):
        raise Refused(N_("'{file}' is a zip archive or a workbook; save the sheet as CSV, or unpack it"),
                      code="bad_value", where=Where(file=path.name), file=path.name)
    if head.startswith(b"\x1f\x8b"):
        raise Refused(N_("'{file}' is compressed; unpack it first"), code="bad_value", where=Where(file=path.name),
                      file=path.name)
    if head.startswith(images.MAGIC[:4]):
        raise Refused(N_("'{file}' is a picture; name the folder that holds the pictures"), code="bad_value",
                      where=Where(file=path.name), file=path.name)
    ending = path.suffix.lower()
    if told == "parquet" or (told is None and ending == ".parquet"):
        raise Refused(N_("'{file}' is no readable parquet file: it does not begin with PAR1"), code="bad_value",
                      where=Where(file=path.name), file=path.name)
    if told == "images":
        raise Refused(N_("'{file}' is a file; the recipe wants a folder of pictures"), code="bad_value",
                      where=Where(file=path.name), file=path.name)
    for mark, name in encoding.BOMS:
        if head.startswith(mark):
            head = head[len(mark):] if name == "utf-8-sig" else head.decode(name, errors="ignore").encode()
            break
    begins = head.lstrip()
    if told == "jsonl" or ending in _LINES:
        return "json" if begins[:1] == b"[" and _opens_records(begins) else "jsonl"
    is_json = told == "json" or ending == ".json"
    if begins[:1] == b"[" and (is_json or _opens_records(begins)):
        return "json"
    if begins[:1] == b"{" and (is_json or begins[1:].lstrip()[:1] in (b'"', b"}")):
        return "jsonl" if _is_lines(path) else "json"
    if told is not None:
        return told
    return "json" if ending == ".json" else "tsv" if ending in (".tsv", ".tab") else "csv"


def _opens_records(begins: bytes) -> bool:
    """Whether an array of objects begins here (and not a line that is itself an array)."""
    return begins[1:].lstrip()[:1] in (b"{", b"")


def _is_lines(path: Path) -> bool:
    """Whether the first line is an object of its own and a second one follows."""
    try:
        with encoding.open_text(path, encoding.detect(path), newline="\n") as stream:
            first = stream.readline(1 << 20)
            while second := stream.readline(1 << 20):
                if second.strip():
                    break
        json_.Decoder().whole(first)
    except (ValueError, RecursionError):
        return False
    return second.lstrip()[:1] == "{"


