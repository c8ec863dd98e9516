"""What a reader hands on: one record of a file with the place where it stands, or why it could not be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from annotation.errors import Refused

# One record (a line, an element of an array, a row of cells) may not be longer than this many characters.
RECORD_LIMIT = 64 * 1024 * 1024


@dataclass(slots=True)  # not frozen: one is made for every line, and setting frozen fields takes three times as long
class Record:
    """``value`` is the record as read; with a ``fault`` it is whatever could be read of it (a text or None).

    ``number`` counts records from 1, ``line`` and ``column`` say where the record begins.
    """

    number: int
    value: Any
    line: int | None = None
    column: int | None = None
    fault: Refused | None = None


@dataclass(slots=True)
class Source:
    """An opened file of records. ``columns`` are known for tables; ``typed`` is false where all cells are text.

    ``position`` tells how many of ``size`` units (bytes, or rows) were read, for a progress bar.
    """

    file: str
    format: str
    records: Iterator[Record]
    position: Callable[[], int]
    size: int
    encoding: str | None = None
    delimiter: str | None = None
    columns: tuple[str, ...] | None = None
    typed: bool = True
    closers: list[Callable[[], Any]] = field(default_factory=list)

    def __enter__(self) -> Source:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        for close in self.closers:
            close()
