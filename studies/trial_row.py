"""One showing of one item, with what happened to it, as results and exports read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from studies.facts import TrialRecord
from studies.plan import PlannedTrial

MICRO = 1_000_000


@dataclass(slots=True)
class TrialRow:
    """One showing of one item. Times in seconds, None where there is none; ``correct`` None where nothing is right.

    ``standing``: the showing that counts for its place in the plan (the last that was not broken off). ``index`` runs
    over the sitting, ``index_in_block`` over the block, both from 1, in the order in which they were shown.
    ``exclusions``: why the row is left out of the analysis, by the rule that the study declared.
    """

    participant: str
    sitting: UUID
    number: int
    list_no: int
    pilot: bool
    begun: datetime
    seed: int
    block: int
    block_name: str
    index: int
    index_in_block: int
    planned: PlannedTrial
    record: TrialRecord
    resumed: bool
    standing: bool
    response_time: float | None
    response_time_receipt: float | None
    correct: bool | None
    exclusions: list[str] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return self.planned.kind

    @property
    def counts(self) -> bool:
        """Whether the analysis uses it: in earnest, standing, and left out by no rule."""
        return self.kind == "main" and self.standing and not self.exclusions
