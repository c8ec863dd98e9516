"""Puts more in order than memory is to hold: sorted parts lie in temporary files, and are read side by side."""

from __future__ import annotations

import heapq
import marshal
import tempfile
from collections.abc import Iterable, Iterator
from typing import IO, Any

Record = tuple[Any, ...]
ROOM = 16_000_000  # bytes of records that are sorted at once


class Sorter:
    """Takes tuples of texts, bytes and numbers (none equal to another), and gives them sorted, once."""

    def __init__(self, room: int = ROOM) -> None:
        self.room = room
        self._some: list[Record] = []
        self._size = 0
        self._parts: list[IO[bytes]] = []

    def add(self, record: Record) -> None:
        self._some.append(record)
        self._size += 100 + sum([len(one) for one in record if isinstance(one, (str, bytes))])
        if self._size > self.room:
            self._put_away()

    def _put_away(self) -> None:
        part = tempfile.TemporaryFile()  # noqa: SIM115 - it is closed once it is read
        self._some.sort()
        for one in self._some:
            marshal.dump(one, part)
        part.seek(0)
        self._parts.append(part)
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


def _read(part: IO[bytes]) -> Iterator[Record]:
    while True:
        try:
            yield marshal.load(part)  # our own bytes, from a file without a name
        except EOFError:
            return
