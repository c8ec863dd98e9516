"""A share of something with its interval, and plain summaries of one person's work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.agreement.intervals import acceleration, bca, quantile, wilson
from annotation.agreement.ratings import Ints

WILSON = "wilson"
BCA_CLUSTERS = "bootstrap_bca_clusters"

@dataclass(frozen=True, slots=True)
class Share:
    """``count`` of ``n``, with an interval by ``method``. None where undefined; ``reason`` says why."""

    value: float | None
    ci: tuple[float, float] | None
    count: int
    n: int
    level: float = 0.95
    reason: str | None = None
    method: str = WILSON


def share(count: int, n: int, *, nothing: str = "there is nothing to take a share of", level: float = 0.95) -> Share:
    """``count / n`` with the interval of Wilson (1927); ``nothing`` is the reason where n = 0."""
    if n == 0:
        return Share(None, None, 0, 0, level, nothing)
    return Share(count / n, wilson(count, n, level=level), count, n, level)


def clustered_share(counts: Ints, totals: Ints, *, nothing: str = "there is nothing to take a share of",
                    level: float = 0.95, replicates: int = 2_000, seed: int = 0) -> Share:
    """``counts.sum() / totals.sum()`` with a BCa interval over clusters: counts and totals of each cluster (C).

    For things that hang together (the triads of one set, the judgements of one person), where Wilson would be too
    narrow. Clusters with equal numbers are drawn together, so the cost goes with the distinct ones.
    """
    counts, totals = counts[totals > 0], totals[totals > 0]
    whole, of = int(counts.sum()), int(totals.sum())
    if not of:
        return Share(None, None, 0, 0, level, nothing, BCA_CLUSTERS)
    if len(totals) < 2:
        return Share(whole / of, None, whole, of, level, "no interval: all of it hangs together", BCA_CLUSTERS)
    kinds, times = np.unique(np.column_stack([counts, totals]), axis=0, return_counts=True)
    rng, n = np.random.default_rng(seed), int(times.sum())
    block = max(1, 2_000_000 // len(kinds))
    sums = np.concatenate([rng.multinomial(n, times / n, size=min(block, replicates - start)) @ kinds
                           for start in range(0, replicates, block)])
    left = np.array([whole, of]) - kinds
    accel = acceleration(left[:, 0] / np.maximum(1, left[:, 1]), times.astype(np.float64))
    found = bca(whole / of, sums[:, 0] / sums[:, 1], accel=accel, level=level)
    return Share(whole / of, found.pair, whole, of, level, found.reason, BCA_CLUSTERS)


def accuracy_of(given: Sequence[object], expected: Sequence[object], *, level: float = 0.95) -> Share:
    """Share of answers equal to what was expected (gold or attention items); a None on either side does not count.

    The interval takes the answers as independent of each other.
    """
    pairs = [(one, other) for one, other in zip(given, expected, strict=True) if one is not None and other is not None]
    return share(sum(one == other for one, other in pairs), len(pairs), level=level,
                 nothing="no answer stands beside an expected one")


@dataclass(frozen=True, slots=True)
class Speed:
    """Seconds per task: median and quartiles (type 7), None where no time is known."""

    n: int
    median: float | None
    lower: float | None
    upper: float | None
    reason: str | None = None


def speed_of(seconds: Iterable[float | None]) -> Speed:
    """Median and quartiles: a task left open over lunch moves a mean, not a median. None is a time nobody knows."""
    known = np.sort(np.array([one for one in seconds if one is not None], dtype=np.float64))
    if not len(known):
        return Speed(0, None, None, None, "no time is known")
    return Speed(len(known), quantile(known, 0.5), quantile(known, 0.25), quantile(known, 0.75))
