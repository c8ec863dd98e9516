"""What to know before a number is read: where its interval does not hold what it says, and for whom it holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotation.agreement.alpha import period_of
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale

FEW = 5             # fewer items than this carry an answer other than the most frequent one: no interval holds there
FEW_CLUSTERS = 5    # measured with BCa and the tails of ``resampling.few``: 95 % at 20 clusters, 93 % at 5, 52 % at 2
EXTREME = 0.9       # share of the most frequent answer from which intervals of few items cover less
SMALL = 100         # that many items; measured at 90 %: 92 % at 50 items, 96 % at 200
FEW_PEOPLE = 5


def notes_on(found: Prevalence, scale: Scale, *, items: int, people: int, drawn: int, clustered: bool,
             asked: bool = True, there: bool = True, place: int = 0) -> list[str]:
    """Sentences without a full stop, the gravest first. What intervals hold was measured (docs/statistics.md).

    ``place``: which row of ``found``; ``drawn``: items or clusters that a resample draws; ``asked``, ``there``: an
    interval was asked for, and there is one.
    """
    out = []
    if asked:
        out += found.note(place, items, scale)
        if clustered and drawn < FEW_CLUSTERS:
            out.append(f"there are {drawn} clusters, and from so few no interval can be relied on (from 2 a "
                       "bootstrap interval holds the true value in half of the samples, from 5 in 93 %)")
        if there and people <= FEW_PEOPLE:
            out.append(f"the interval is for these {people} people: it says what other items would give, not what "
                       "other people would")
    if scale.level == "circular":
        said = "as declared" if scale.period is not None else "the largest less the smallest value, plus 1"
        out.append(f"the circle has a period of {period_of(scale):g} ({said})")
    return out


@dataclass(frozen=True, slots=True)
class Prevalence:
    """Of one or more sets of items (S): ``counts`` (S, V) of the answers, ``alone`` (S, V): items where all gave it."""

    counts: Floats
    alone: Floats

    def note(self, place: int, items: int, scale: Scale) -> list[str]:
        """What the most frequent answer means for an interval, if anything."""
        counts = self.counts[place]
        total, top = float(counts.sum()), int(np.argmax(counts))
        if not total:
            return []
        carry = items - int(self.alone[place, top])
        if carry < FEW:
            return [f"{carry} of {items} items carry another answer than '{scale.labels[top]}', and with fewer than "
                    f"{FEW} no interval can be relied on"]
        if counts[top] / total >= EXTREME and items < SMALL:
            return [f"{counts[top] / total:.0%} of the answers are '{scale.labels[top]}' and there are {items} items: "
                    "at such prevalence a 95 % interval holds the true value in 92 % of samples of 50 items or fewer"]
        return []


def prevalence(patterns: Patterns, weights: Floats) -> Prevalence:
    """For each row of ``weights`` (S, K). Costs S x cells, and S x V numbers."""
    cells, values, rows = patterns.cells, patterns.values, len(weights)
    same = ((cells == cells.max(axis=1, keepdims=True)) | (cells < 0)).all(axis=1)
    counts, alone = np.empty((rows, values)), np.empty((rows, values))
    pattern, column = np.nonzero(cells >= 0)
    code, only = cells[pattern, column], cells[same].max(axis=1, initial=0)
    for row, weight in enumerate(weights):
        counts[row] = np.bincount(code, weight[pattern], values)
        alone[row] = np.bincount(only, weight[same], values)
    return Prevalence(counts, alone)
