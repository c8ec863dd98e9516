"""What an operation did, what it touched, and how it is taken back, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

# What may be named in Done.touched; whoever shows one of these reads it again.
TOUCHED = frozenset(
    {"items", "tasks", "answers", "drafts", "progress", "people", "gold", "adjudication",
     "signatures", "queries", "flags", "releases", "protocol", "assignments", "studies"}
)


@dataclass(frozen=True, slots=True)
class Undo:
    """The name of a reverse operation in ``annotation.undo`` and the ids (32 hex digits) it needs."""

    operation: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """``label`` is what the menu says after "Undo"; ``value`` is the operation's plain result."""

    label: str
    touched: frozenset[str] = field(default_factory=frozenset)
    undo: Undo | None = None
    value: Any = None

    def __post_init__(self) -> None:
        unknown = self.touched - TOUCHED
        if unknown:
            raise ValueError(f"unknown touched names: {sorted(unknown)}")
