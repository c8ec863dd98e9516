"""What the simulated people of the tour answer, and what must come of it, worked out without the program.

The votes are typed here; gold, agreement and scores are computed from them by a few lines of their own
(and alpha by the krippendorff package), so that the tour compares two independent ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

ANNOTATORS = ("ana", "ben", "cem")
PHYSICIAN = "dr-eva"
OWNER = "demo"
REASON = "The guideline names the treatment; the other answers do not."


@dataclass(frozen=True, slots=True)
class Said:
    """One person's answers to one item."""

    is_false: str
    sound: str | None = None
    repaired: str | None = None


KEEP, NO = Said("yes", "yes"), Said("no")
REPAIR = Said("yes", "repair", "Ask the care team before changing anything.")
UNSOUND = Said("yes", "no")
# One row an item, in the order of their keys: ana, ben, cem. Two items end without a majority.
VOTES: tuple[tuple[Said, Said, Said], ...] = (
    (KEEP, KEEP, KEEP), (KEEP, KEEP, KEEP), (KEEP, KEEP, UNSOUND), (KEEP, KEEP, NO),
    (NO, NO, NO), (KEEP, REPAIR, UNSOUND), (KEEP, KEEP, KEEP), (NO, KEEP, NO),
    (UNSOUND, UNSOUND, KEEP), (KEEP, KEEP, KEEP), (REPAIR, UNSOUND, KEEP), (KEEP, KEEP, KEEP),
)
# The physician's own view: given blind where an item is drawn for verification.
PHYSICIAN_SAYS: tuple[Said, ...] = (
    KEEP, KEEP, KEEP, KEEP, NO, REPAIR, KEEP, NO, UNSOUND, KEEP, KEEP, KEEP,
)


def majority(votes: Sequence[str]) -> str | None:
    """The value of more than half of the votes, if there are two votes or more."""
    if len(votes) < 2:
        return None
    value, n = Counter(votes).most_common(1)[0]
    return value if 2 * n > len(votes) else None


def votes_on(position: int, *, verified: frozenset[int]) -> tuple[Said, ...]:
    return VOTES[position] + ((PHYSICIAN_SAYS[position],) if position in verified else ())


def undecided(position: int, *, verified: frozenset[int]) -> tuple[str, ...]:
    """The questions of an item on which no value has a majority, though somebody was asked."""
    votes = votes_on(position, verified=verified)
    open_questions = []
    is_false = majority([said.is_false for said in votes])
    if is_false is None:
        open_questions.append("is_false")
    sound = [said.sound for said in votes if said.sound is not None]
    if is_false == "yes" and majority(sound) is None:
        open_questions.append("sound")
    return tuple(open_questions)


def is_kept(position: int, *, verified: frozenset[int]) -> bool:
    """Whether the item's outcome is "keep": a false assumption, and a correction that is sound or was repaired."""
    votes = votes_on(position, verified=verified)
    if majority([said.is_false for said in votes]) != "yes":
        return False
    sound = majority([said.sound for said in votes if said.sound is not None])
    return (sound if sound is not None else PHYSICIAN_SAYS[position].sound) in ("yes", "repair")


def alpha(question: str) -> float:
    """Krippendorff's alpha (nominal) over the three annotators, by the krippendorff package."""
    import krippendorff  # over 100 ms, used by this one comparison
    import numpy as np  # comes with it

    table = np.array([[getattr(row[n], question) for row in VOTES] for n in range(len(ANNOTATORS))], dtype=object)
    values = sorted({value for value in table.ravel() if value is not None})
    numbers = np.array([[np.nan if v is None else values.index(v) for v in row] for row in table], dtype=float)
    return float(krippendorff.alpha(reliability_data=numbers, level_of_measurement="nominal"))


def judged(ids: Sequence[str], *, careful: bool) -> dict[str, int]:
    """Simulated judge scores (-1, 0, 1) for released items: mostly right, or mostly taken in."""
    pattern = (1, 1, 0, 1, 1, -1) if careful else (-1, 0, -1, -1, 1)
    return {public_id: pattern[n % len(pattern)] for n, public_id in enumerate(sorted(ids))}


def pcs(scores: Mapping[str, int]) -> float:
    """Presupposition correction score: the mean of the judge's scores (arXiv 2504.11373)."""
    return sum(scores.values()) / len(scores)
