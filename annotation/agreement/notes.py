"""What to know before a number is read: where its interval does not hold what it says, and for whom it holds."""

from __future__ import annotations

import numpy as np

from annotation.agreement.alpha import period_of
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale

FEW = 5             # fewer items than this carry an answer other than the most frequent one: no interval holds there
FEW_CLUSTERS = 20   # measured: 94 % at 20 clusters
EXTREME = 0.9       # share of the most frequent answer from which intervals of few items cover less
SMALL = 100         # that many items; measured at 90 %: 92 % at 50 items, 96 % at 200
FEW_PEOPLE = 5


def notes_on(patterns: Patterns, scale: Scale, weights: Floats, *, people: int, drawn: int, clustered: bool,
             with_interval: bool = True) -> list[str]:
    """Sentences without a full stop, the gravest first. ``weights`` (K): units of each pattern; ``drawn``: items or
    clusters that a resample draws. The shares are those of statistics by simulation, see docs/statistics.md.
    """
    out = []
    if with_interval:
        out += _prevalence(patterns, scale, weights)
        if clustered and drawn < FEW_CLUSTERS:
            out.append(f"there are {drawn} clusters: an interval from fewer than {FEW_CLUSTERS} says little")
        if people <= FEW_PEOPLE:
            out.append(f"the interval is for these {people} people: other items, not other people")
    if scale.level == "circular":
        said = "as declared" if scale.period is not None else "the largest less the smallest value, plus 1"
        out.append(f"the circle has a period of {period_of(scale):g} ({said})")
    return out


def _prevalence(patterns: Patterns, scale: Scale, weights: Floats) -> list[str]:
    row, column = np.nonzero(patterns.cells >= 0)
    counts = np.bincount(patterns.cells[row, column], weights[row], patterns.values)
    total, top = float(counts.sum()), int(np.argmax(counts))
    if not total:
        return []
    others = ((patterns.cells >= 0) & (patterns.cells != top)).any(axis=1)
    carry, items = int(weights[others].sum()), int(weights.sum())
    if carry < FEW:
        return [f"{carry} of {items} items carry another answer than '{scale.labels[top]}'; with fewer than {FEW} no "
                "interval holds what it says"]
    if counts[top] / total >= EXTREME and items < SMALL:
        return [f"{counts[top] / total:.0%} of the answers are '{scale.labels[top]}' and there are {items} items; at "
                "such prevalence a 95 % interval holds the true value in 92 % of samples of 50 items or fewer"]
    return []
