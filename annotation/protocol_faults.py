"""Faults of a protocol that its shape cannot show: names that lead nowhere, rules that do not fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from annotation.protocol_models import Protocol


@dataclass(frozen=True, slots=True)
class Found:
    """``path`` into the file; ``warning``: the protocol works all the same."""

    path: tuple[str | int, ...]
    message: str
    warning: bool = False


def find_faults(protocol: Protocol) -> Iterator[Found]:
    """Every such fault."""
    return iter(())
