"""The numbers that each person gave, a column per person, for statistics that compare whole columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.ratings import Floats, Ints, Patterns
from annotation.agreement.scale import Scale

NOT_COMPLETE = "no item was judged by all of these people; look at pairs of people instead"


@dataclass(frozen=True, slots=True)
class Columns:
    """``x`` (K, M): numbers less ``middle`` (equal differences, smaller squares, so nothing is lost to rounding),
    0 where missing. ``codes`` (K, M): the values' places in their order. ``complete`` (K,): everybody answered.
    """

    x: Floats
    codes: Ints
    complete: NDArray[np.bool_]
    middle: float

    @property
    def people(self) -> int:
        return self.x.shape[1]


def columns_of(patterns: Patterns, scale: Scale) -> Columns:
    """Columns of ordered patterns; of patterns that are not ordered, the values of a unit from left to right."""
    given = patterns.cells >= 0
    middle = float(np.mean(scale.numbers)) if len(scale.numbers) else 0.0
    x = np.where(given, (scale.numbers - middle)[np.where(given, patterns.cells, 0)], 0.0)
    return Columns(x, patterns.cells, np.asarray(given.all(axis=1)), middle)


def complete_rows(table: Floats) -> Floats:
    """Rows of (items, people) without a missing value (NaN)."""
    table = np.asarray(table, dtype=np.float64)
    return table[~np.isnan(table).any(axis=1)]


def why_incomplete(patterns: Patterns, scale: Scale) -> str | None:
    """Why there are too few items that all judged, in words; None where there are two or more."""
    found = columns_of(patterns, scale)
    if not found.complete.any():
        return NOT_COMPLETE
    if int(patterns.count[found.complete].sum()) < 2:
        return "one item alone was judged by all of these people; two are needed"
    return None


def why_unrelated(patterns: Patterns, scale: Scale) -> str | None:
    """Why columns cannot be correlated, in words; None where the reason lies elsewhere."""
    reason = why_incomplete(patterns, scale)
    if reason is not None:
        return reason
    found = columns_of(patterns, scale)
    codes = found.codes[found.complete]
    if (codes == codes[0, 0]).all():
        return "everyone always gave the same answer; without variation nothing can be related"
    if (codes == codes[:1]).all(axis=0).any():
        return "one person always gave the same answer; without variation nothing can be related"
    return None
