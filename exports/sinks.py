"""Where the bytes of a bundle's files go: hashed whole, line by line and, for private files, salted; written or not."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from exports.alike import Alike
from exports.commitments import commitment
from exports.manifest import FileEntry
from exports.rows import line
from exports.shapes import WITH_NONCE
from exports.tombstones import Gone, nonces, stone

HASHES = 200  # in one row of lines.jsonl
TOGETHER = 256  # lines hashed and written at once
PREFIX = 8  # bytes kept of a line's hash
DIGEST = 32  # bytes of the whole one


_sha256 = hashlib.sha256


class Lines(NamedTuple):
    """Some lines of a file: as drawn, their digests, and as handed out."""

    drawn: bytes
    digests: bytes
    given: bytes


class Gathered:
    """Makes the lines of a file, and keeps them. ``key``: every row carries a nonce, ``first`` rows came before."""

    def __init__(self, path: str, *, key: bytes = b"", gone: Gone | None = None, first: int = 0) -> None:
        self.path, self.key, self.rows = path, key, first
        self.gone = gone if gone is not None and (gone.items or gone.people) else None
        self._drawn, self._digests, self._given = list[bytes](), list[bytes](), list[bytes]()
        self._nonces = nonces(key, path, first)
        self._alike = Alike() if key and path.endswith("/annotations.jsonl") else None

    def row(self, row: Mapping[str, Any], *, people: Iterable[str] = ()) -> bytes:
        """``people``: on whose answers a row without a name rests. Returns the digest of the line as drawn."""
        nonce = next(self._nonces) if self.key else ""
        drawn = None if self._alike is None else self._alike.line(row, nonce)
        if drawn is None:
            drawn = line({**row, "nonce": nonce} if nonce else row)
        digest = _sha256(drawn).digest()
        self.rows += 1
        if self.gone is not None:
            whole = {**row, "nonce": nonce}
            said = self.gone.of(whole, people)
            self._given.append(drawn if said is None else line(stone(whole, digest.hex(), said)))
        self._drawn.append(drawn)
        self._digests.append(digest)
        return digest

    def lines(self) -> Lines:
        """What has come since this was asked."""
        drawn = b"".join(self._drawn)
        found = Lines(drawn, b"".join(self._digests), drawn if self.gone is None else b"".join(self._given))
        for some in (self._drawn, self._digests, self._given):
            some.clear()
        return found


class Sink(Gathered):
    """One file: what is handed out is written and hashed, and beside it what was drawn, which may say more.

    ``salt``: 64 hex digits, for the commitment.
    """

    def __init__(self, path: str, out: BinaryIO | None, *, salt: str | None = None, by_line: bool = True,
                 key: bytes = b"", gone: Gone | None = None) -> None:
        super().__init__(path, key=key, gone=gone)
        self.out, self.by_line = out, by_line
        self.bytes, self._prefixes = 0, bytearray()
        self._hashes = (hashlib.sha256(), hashlib.sha256(), hashlib.sha256())
        self._given_bytes = 0
        self._salt = None if salt is None else bytes.fromhex(salt)

    def row(self, row: Mapping[str, Any], *, people: Iterable[str] = ()) -> bytes:
        """The same; many lines are hashed and written at once, as each call takes longer than the bytes of a line."""
        digest = super().row(row, people=people)
        if len(self._drawn) == TOGETHER:
            self.flush()
        return digest

    def flush(self) -> None:
        """Hash and write what has come."""
        if self._drawn:
            self._take(self.lines())

    def add(self, lines: Lines, rows: int) -> None:
        """Lines that were made elsewhere."""
        self.flush()
        self._take(lines)
        self.rows += rows
        self._nonces = nonces(self.key, self.path, self.rows)

    def _take(self, lines: Lines) -> None:
        self._hashes[0].update(lines.drawn)
        self.bytes += len(lines.drawn)
        self._hashes[1].update(lines.digests)
        self._prefixes += array("Q", lines.digests)[::DIGEST // PREFIX].tobytes()
        if self.gone is not None:
            self._hashes[2].update(lines.given)
            self._given_bytes += len(lines.given)
        if self.out is not None:
            self.out.write(lines.given)

    def text(self, data: bytes) -> Sink:
        """A whole file."""
        for one in cut(data):
            self._drawn.append(one)
            self._digests.append(_sha256(one).digest())
            self._given.append(one)
        return self

    def entry(self) -> FileEntry:
        """The file as drawn: what the manifest lists."""
        self.flush()
        is_rows = self.path.endswith(".jsonl")
        return FileEntry(self.path, self._hashes[0].hexdigest(), self.bytes, self.rows if is_rows else None,
                         self._hashes[1].hexdigest() if is_rows else None)

    def given(self) -> FileEntry:
        """The file as handed out: what SHA256SUMS lists."""
        if self.gone is None:
            return self.entry()
        return replace(self.entry(), sha256=self._hashes[2].hexdigest(), bytes=self._given_bytes)

    @property
    def prefixes(self) -> bytearray:
        """The first 8 bytes of each line's hash."""
        self.flush()
        return self._prefixes

    @property
    def commitment(self) -> str | None:
        """To the hashes of all lines of a private file, as drawn."""
        self.flush()
        return None if self._salt is None else commitment(self._salt.hex(), self._hashes[1].digest())


def cut(data: bytes) -> Iterator[bytes]:
    """Lines with their line feed; the last may have none."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        yield data[start:end]
        start = end


def places(lines: Mapping[str, bytes | bytearray]) -> Iterator[tuple[str, int]]:
    """Path and first line of the rows of lines.jsonl; ``lines``: path -> the first 8 bytes of each line's hash."""
    for path in sorted(lines):
        for start in range(0, len(lines[path]), HASHES * PREFIX):
            yield path, start // PREFIX + 1


def row_at(data: bytes | bytearray, path: str, first: int) -> dict[str, Any]:
    """The row of lines.jsonl for the lines of a file (its ``data``) from ``first`` on."""
    start = (first - 1) * PREFIX
    part = bytes(data[start : start + HASHES * PREFIX]).hex()
    return {"path": path, "first": first, "hashes": [part[n : n + 2 * PREFIX] for n in range(0, len(part), 2 * PREFIX)]}


def line_rows(lines: Mapping[str, bytes | bytearray]) -> Iterator[dict[str, Any]]:
    """The rows of lines.jsonl."""
    return (row_at(lines[path], path, first) for path, first in places(lines))


class Sinks:
    """The open files of a bundle; ``folder`` None: nothing is written, all is hashed."""

    def __init__(self, folder: Path | None, key: bytes, gone: Gone) -> None:
        self.folder, self.key, self.gone = folder, key, gone
        self._all: dict[str, Sink] = {}
        self._open: list[BinaryIO] = []

    def add(self, path: str, *, salt: str | None = None, by_line: bool = True, written: bool = True) -> Sink:
        out = None
        if self.folder is not None and written:
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            out = (self.folder / path).open("xb")
            self._open.append(out)
        nonced = path in WITH_NONCE
        self._all[path] = Sink(path, out, salt=salt, by_line=by_line, key=self.key if nonced else b"",
                               gone=self.gone if nonced else None)
        return self._all[path]

    def lines(self, paths: Iterable[str]) -> dict[str, bytearray]:
        """By path the first 8 bytes of each line's hash."""
        return {path: self._all[path].prefixes for path in paths if self._all[path].by_line}

    def paths(self, start: str | None) -> list[str]:
        """Paths that begin with ``start``; None: all that are not private."""
        return [path for path in self._all if (not path.startswith("private/") if start is None
                                               else path.startswith(start))]

    def __getitem__(self, path: str) -> Sink:
        return self._all[path]

    def __enter__(self) -> Sinks:
        return self

    def __exit__(self, *_: object) -> None:
        for sink in self._all.values():
            sink.flush()
        for file in self._open:
            file.close()
