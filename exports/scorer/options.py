# SPDX-License-Identifier: Apache-2.0
"""What a score is to be computed with, beside bundle and files; all of it stands in the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exports.scorer.resampling import LEVEL, REPLICATES, SEED

Rows = Iterator[tuple[int, dict[str, Any]]]      # number of a row, and the row
Reader = Callable[[Path], Rows]


def _nobody(text: str) -> None:
    """Nobody wants to hear."""


def _nobody_counts(done: int, of: int) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True, slots=True)
class Options:
    """``extract`` are rules by which an answer is read off a text (extraction.py); none: exactly, and asked in doubt.

    ``least``: slices of fewer things have no number. ``agreed``: (at least, of) people who gave one answer.
    ``shelf_life``: the judges trained on weak and on strong generators. ``held_out``: the private gold, of
    whose slices nobody may compute one that is too small. ``readers``: by ending, for files that numpy and the standard
    library cannot read. ``tell`` hears what the score is at, ``count`` how many of how many systems are scored; what
    either raises ends the score.
    """

    extract: tuple[str, ...] = ()
    least: int = 20
    agreed: tuple[tuple[int, int], ...] = ()
    compare: bool = True
    shelf_life: tuple[str, str] | None = None
    held_out: bool = False
    replicates: int = REPLICATES
    seed: int = SEED
    readers: Mapping[str, Reader] = field(default_factory=dict)
    tell: Callable[[str], None] = _nobody
    count: Callable[[int, int], None] = _nobody_counts

    def reported(self) -> dict[str, Any]:
        return {"extract": list(self.extract) or ["exact"], "least": self.least, "held_out": self.held_out,
                "replicates": self.replicates, "seed": self.seed, "level": LEVEL}
