"""Puts more in order than memory is to hold: sorted parts lie in temporary files, and are read side by side."""

from __future__ import annotations

import errno
import heapq
import marshal
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from typing import IO, Any
from weakref import finalize

from annotation.errors import N_, Refused

Record = tuple[Any, ...]
ROOM = 16_000_000  # bytes of records that are sorted at once
TOGETHER = 1000  # records read from a file in one go


class Sorter:
    """Takes tuples of texts, bytes and numbers (none equal to another), and gives them sorted, once."""

    def __init__(self, room: int | None = None) -> None:
        self.room = ROOM if room is None else room
        self._some: list[Record] = []
        self._size = 0
        self._parts: list[IO[bytes]] = []

    def add(self, record: Record) -> None:
        self._some.append(record)
        self._size += 100 + sum([len(one) for one in record if isinstance(one, (str, bytes))])
        if self._size > self.room:
            self._put_away()

    @property
    def is_big(self) -> bool:
        """Whether more than fits has come."""
        return bool(self._parts)

    def _put_away(self) -> None:
        self._some.sort()
        self._parts.append(_laid_down(self._some))
        self._some, self._size = [], 0

    def __iter__(self) -> Iterator[Record]:
        self._some.sort()
        try:
            yield from heapq.merge(self._some, *map(_read, self._parts)) if self._parts else self._some
        finally:
            for part in self._parts:
                part.close()


def in_order(records: Iterable[Record]) -> Iterator[Record]:
    """The records, sorted."""
    sorter = Sorter()
    for one in records:
        sorter.add(one)
    return iter(sorter)


class Shelf(Collection[Record]):
    """Sorted tuples that are read as often as one likes; where they are many, from a temporary file without a name."""

    def __init__(self, records: Iterable[Record], room: int | None = None) -> None:
        sorter = Sorter(room)
        for one in records:
            sorter.add(one)
        self._some: list[Record] = []
        self._n = 0
        if not sorter.is_big:
            self._some = list(sorter)
            self._n = len(self._some)
            return
        self._file = _laid_down(self._counted(sorter))
        finalize(self, self._file.close)

    def _counted(self, sorter: Sorter) -> Iterator[Record]:
        for self._n, one in enumerate(sorter, 1):
            yield one

    def __len__(self) -> int:
        return self._n

    def __contains__(self, record: object) -> bool:
        return any(one == record for one in self)

    def __iter__(self) -> Iterator[Record]:
        yield from self._some
        at, left = 0, self._n - len(self._some)
        while left > 0:  # somebody else may read it at the same time
            self._file.seek(at)
            some = [marshal.load(self._file) for _ in range(min(left, TOGETHER))]
            at = self._file.tell()
            left -= len(some)
            yield from some


def _laid_down(records: Iterable[Record]) -> IO[bytes]:
    """A file without a name that holds these, to be read from its beginning. Refused where there is no room for it."""
    file: IO[bytes] | None = None
    try:
        file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever asked for it closes it
        for one in records:
            marshal.dump(one, file)
        file.seek(0)
    except OSError as fault:
        if file is not None:
            with suppress(OSError):  # what could not be written is tried once more
                file.close()
        folder = _folder()
        if fault.errno in (errno.ENOSPC, errno.EDQUOT):
            raise Refused(N_("the disk is full: {folder} has no room for temporary files; TMPDIR names another place"),
                          code="disk_full", folder=folder) from None
        raise Refused(N_("temporary files cannot be written in {folder} ({reason}); TMPDIR names another place"),
                      code="not_writable", folder=folder, reason=fault.strerror or str(fault)) from None
    return file


def _folder() -> str:
    try:
        return tempfile.gettempdir()
    except OSError:
        return "any folder"


def _read(part: IO[bytes]) -> Iterator[Record]:
    while True:
        try:
            yield marshal.load(part)  # our own bytes, from a file without a name
        except EOFError:
            return
