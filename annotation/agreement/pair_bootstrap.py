"""The bootstrap of Hayes and Krippendorff (2007) for alpha, offered under its own name because it is too narrow.

It draws pairs of values from all observed pairs as if they were independent of each other, as many for each unit as
the unit has pairs (the second not the first again), and keeps the expected disagreement fixed (Krippendorff 2006,
"Bootstrapping distributions for Krippendorff's alpha"). Pairs of one unit are not independent, and other units would
have another expected disagreement: measured by simulation it holds the true value in 83 to 87 % of samples where 95 %
is said.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from annotation.agreement.alpha import period_of
from annotation.agreement.intervals import Interval
from annotation.agreement.ratings import Floats, Ints, Patterns
from annotation.agreement.ratio import squared_ratio
from annotation.agreement.resampling import BLOCK, STOPPED, Cancelled, Progress, percentile
from annotation.agreement.scale import Scale
from annotation.agreement.sets import DISTANCES, SetAlpha, set_of

FEW = 2_000  # with more pairs, that the second draw for a unit differs from the first changes no digit

COVERAGE = ("this interval is too narrow: in simulations it held the true value in 83 to 87 % of samples where 95 % "
            "is said (bootstrap over items: 92 to 96 %)")


def bootstrap_of_pairs(patterns: Patterns, scale: Scale, value: float, *, replicates: int, seed: int,
                       level: float = 0.95, progress: Progress | None = None, cancelled: Cancelled | None = None
                       ) -> Interval:
    """Percentile interval of alpha by that algorithm, cut at -1; ``value`` is alpha.

    Without the step that Krippendorff takes against replicates of exactly 1, which only matters for a handful of
    pairs. Costs by distinct distances, not by units.
    """
    pairs = _pairs(patterns, scale)
    draws = replicated(patterns, *pairs, value, replicates=replicates, seed=seed, progress=progress,
                       cancelled=cancelled)
    return Interval(None, None, STOPPED) if draws is None else percentile(draws, level=level)


def replicated(patterns: Patterns, owner: Ints, distance: Floats, value: float, *, replicates: int, seed: int,
               progress: Progress | None = None, cancelled: Cancelled | None = None) -> Floats | None:
    """Replicates of alpha: ``distance`` of every pair within a pattern, ``owner`` the pattern. None: cancelled."""
    m, count = patterns.size.astype(np.float64), patterns.count.astype(np.float64)
    observed = 2.0 * float((count[owner] / (m[owner] - 1.0)) @ distance)  # n D_o
    if observed <= 0.0:
        return np.ones(replicates)
    expected = observed / (1.0 - value)  # n D_e
    kinds, place = np.unique(distance, return_inverse=True)
    share = np.bincount(place, count[owner], len(kinds)) / float(count[owner].sum())
    single = np.repeat(distance, patterns.count[owner]) if count[owner].sum() <= FEW else None
    rng, out = np.random.default_rng(seed), np.ones(replicates)
    step = max(1, BLOCK // max(len(kinds), 0 if single is None else len(single)))
    for start in range(0, replicates, step):
        if cancelled is not None and cancelled():
            return None
        rows = min(step, replicates - start)
        for size in np.unique(patterns.size).tolist():
            units = int(patterns.count[patterns.size == size].sum())
            drawn, draws = np.zeros(rows), units * size * (size - 1) // 2
            if size > 2 and single is not None:
                drawn += _first_two(rng, single, rows, units)
                draws -= 2 * units
            drawn += rng.multinomial(draws, share, size=rows) @ kinds
            out[start : start + rows] -= 2.0 * drawn / (expected * (size - 1.0))
        if progress is not None:
            progress(start + rows, replicates)
    return np.maximum(out, -1.0)


def _first_two(rng: np.random.Generator, single: Floats, rows: int, units: int) -> Floats:
    """(rows,): sum of the distances of the first two pairs drawn for each unit; a second that is the first is drawn
    once more."""
    first, second = rng.integers(0, len(single), (2, rows, units))
    again = first == second
    second[again] = rng.integers(0, len(single), int(again.sum()))
    return (single[first] + single[second]).sum(axis=1)


def _pairs(patterns: Patterns, scale: Scale) -> tuple[Ints, Floats]:
    """Pattern and squared distance of every pair of values within a pattern."""
    cells, between = patterns.cells, _distance(patterns, scale)
    owners, distances = [], []
    for i in range(1, cells.shape[1]):
        for j in range(i):
            rows = np.flatnonzero((cells[:, i] >= 0) & (cells[:, j] >= 0))
            owners.append(rows)
            distances.append(between(cells[rows, i], cells[rows, j]))
    return np.concatenate(owners), np.concatenate(distances)


def _distance(patterns: Patterns, scale: Scale) -> Callable[[Ints, Ints], Floats]:
    """Squared distance of two codes at the level of ``scale``."""

    numbers = scale.numbers
    if scale.level == "ordinal":
        n = np.bincount(patterns.cells[patterns.cells >= 0], np.repeat(patterns.count, patterns.size), patterns.values)
        midrank = np.cumsum(n) - n / 2.0
        return lambda one, other: (midrank[one] - midrank[other]) ** 2
    if scale.level == "interval":
        return lambda one, other: (numbers[one] - numbers[other]) ** 2
    if scale.level == "ratio":
        return lambda one, other: squared_ratio(numbers[one], numbers[other])
    if scale.level == "circular":
        return lambda one, other: np.sin(np.pi * (numbers[one] - numbers[other]) / period_of(scale)) ** 2
    if scale.level in DISTANCES:
        return SetAlpha(patterns, [set_of(label) for label in scale.labels], scale.level).between
    return lambda one, other: (one != other).astype(np.float64)
