"""A fault that verify finds, and its report."""

from __future__ import annotations

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
