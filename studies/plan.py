"""Plan: everything that one sitting will show, drawn before it begins and kept with it as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

GENERATOR = "goldsmith-plan/2"
Kind = Literal["practice", "main", "attention"]


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """``item`` and ``version`` are ids in hex; ``options`` the values in the order shown, ``keys`` beside them.

    Times in whole microseconds. ``facets`` holds the values that strata, constraints and exports go by.
    """

    item: str
    version: str
    key: str
    condition: str
    kind: Kind
    options: tuple[str, ...]
    keys: tuple[str, ...]
    correct: str | None
    fixation_us: int
    gap_us: int
    facets: dict[str, str]

    @property
    def correct_position(self) -> int | None:
        """From 1, as shown; None where no answer is known to be right."""
        return self.options.index(self.correct) + 1 if self.correct in self.options else None


@dataclass(frozen=True, slots=True)
class Block:
    name: str
    kind: Literal["practice", "main"]
    trials: tuple[PlannedTrial, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """``list_no`` from 0; ``number`` is the how-manieth sitting of the study this is (drives what is counterbalanced).

    A practice block stands once; it is repeated by the sitting until its criterion is met.
    """

    generator: str
    study: str
    list_no: int
    lists: int
    number: int
    seed: int
    pilot: bool
    language: str
    blocks: tuple[Block, ...]

    def trial(self, block: int, position: int) -> PlannedTrial:
        return self.blocks[block].trials[position]

    def each(self) -> Iterator[tuple[int, int, PlannedTrial]]:
        """(block, position in the block, trial), both from 0."""
        for b, block in enumerate(self.blocks):
            for p, trial in enumerate(block.trials):
                yield b, p, trial

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(said: Mapping[str, Any]) -> Plan:
        blocks = tuple(
            Block(block["name"], block["kind"],
                  tuple(PlannedTrial(**{**trial, "options": tuple(trial["options"]), "keys": tuple(trial["keys"])})
                        for trial in block["trials"]))
            for block in said["blocks"])
        return Plan(**{**said, "blocks": blocks})
