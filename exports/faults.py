"""A fault that verify finds, and its report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """``line`` counts from 1; ``id`` is the row's id, or what stands for it."""

    code: str
    file: str
    message: str
    line: int | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """``kind`` is bundle or project; ``files`` and ``rows`` were checked (of a project: pictures and events);
    ``tombstones`` stand in place of rows that were taken out since the release was drawn.
    """

    kind: str
    files: int
    rows: int
    faults: tuple[Fault, ...]
    tombstones: int = 0


class Faults:
    """Faults by the question that found them: told question by question and line by line, however they were found."""

    def __init__(self) -> None:
        self._of: dict[str, list[Fault]] = {}

    def __getitem__(self, question: str) -> list[Fault]:
        return self._of.setdefault(question, [])

    def forget(self, question: str) -> None:
        """It was not to be asked."""
        self._of.pop(question, None)

    def told(self) -> Iterator[Fault]:
        for some in self._of.values():
            yield from sorted(some, key=lambda fault: fault.line or 0)
