"""What the gold rules weigh: votes, and what votes for one value have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from annotation import canonical
from annotation.answers import Answer

NA = {"na": True}
NA_KEY = "\x00na"  # U+0000 never occurs in a stored text


@dataclass(frozen=True, slots=True)
class Vote:
    """One person's answer that counts. ``text`` is its canonical text, ``number`` its number where it has one."""

    person: UUID
    answer: Answer
    text: str | None = None
    number: float | None = None
    revision: UUID | None = None

    @property
    def key(self) -> str:
        """Two votes are for the same value exactly if their keys are equal (N/A is a value of its own)."""
        if self.answer.get("na"):
            return NA_KEY
        return self.text if self.text is not None else canonical.dumps(self.answer.get("v"))


def shared(votes: Sequence[Vote]) -> dict[str, Any]:
    """The answer that votes for one value have in common: ``v``, and the other keys (strength, flags) all agree on."""
    first = dict(votes[0].answer)
    return {key: value for key, value in first.items()
            if key in ("v", "na") or all(vote.answer.get(key) == value for vote in votes)}


def share_of_agreeing_pairs(votes: Sequence[Vote]) -> float | None:
    """Agreeing pairs of votes / all pairs, N/A left out; None below two votes."""
    counts = Counter(vote.key for vote in votes if not vote.answer.get("na"))
    n = sum(counts.values())
    return sum(c * (c - 1) for c in counts.values()) / (n * (n - 1)) if n > 1 else None


def is_mostly_na(votes: Sequence[Vote]) -> bool:
    return 2 * sum(bool(vote.answer.get("na")) for vote in votes) > len(votes)
