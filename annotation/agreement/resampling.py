"""Resampling of items by their patterns: one multinomial draw over patterns instead of a draw per item.

Resampling N items with replacement gives pattern k a count w_k; w ~ Multinomial(N, f / N) exactly. Where
several units are drawn together (a group's elements, a cluster's items) the same holds for the distinct
*bundles* of patterns. Memory is bounded by ``BLOCK`` numbers per array, whatever the number of items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from annotation.agreement.intervals import Interval, acceleration, bca
from annotation.agreement.ratings import Floats, Ints, Patterns, _unique_rows
from annotation.agreement.statistic import Linear, Statistic

BLOCK = 1_000_000
EXACT_JACKKNIFE = 2_048  # more bundles than this: the acceleration of a non-linear statistic is taken from a sample
SAMPLED = 512

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Bundles:
    """What is drawn as one: ``count`` (T) how many of each kind, ``cells`` (T, L) their patterns, padded with -1."""

    count: Ints
    cells: Ints
    patterns: int

    @property
    def drawn(self) -> int:
        return int(self.count.sum())

    def spread(self, weights: Floats) -> Floats:
        """Weights of bundles (b, T) to weights of patterns (b, K)."""
        if self.cells.shape[1] == 1:  # one unit each, and then bundle t is pattern t
            return weights
        kind, column = np.nonzero(self.cells >= 0)
        pattern = self.cells[kind, column]
        order = np.argsort(pattern, kind="stable")
        starts = np.searchsorted(pattern[order], np.arange(self.patterns))
        return np.add.reduceat(weights[:, kind[order]], starts, axis=1)

    def total(self, features: Floats) -> Floats:
        """Features of patterns (K, F) summed for each bundle (T, F)."""
        padded = np.vstack([features, np.zeros((1, features.shape[1]))])
        return padded[self.cells].sum(axis=1) if self.cells.shape[1] > 1 else features

    def draw(self, rng: np.random.Generator, draws: int) -> Floats:
        """``draws`` resamples as counts per bundle, (draws, T)."""
        kinds, n = len(self.count), self.drawn
        if 4 * kinds < n or kinds < 64:
            return rng.multinomial(n, self.count / n, size=draws).astype(np.float64)
        # Hardly anything repeats: counting n random places is faster than T conditional binomials.
        owner = np.repeat(np.arange(kinds), self.count)
        return np.stack([np.bincount(owner[rng.integers(0, n, n)], minlength=kinds)
                         for _ in range(draws)]).astype(np.float64)


def bundle(patterns: Patterns) -> Bundles:
    if patterns.block is None:
        k = len(patterns.count)
        return Bundles(patterns.count, np.arange(k, dtype=np.int64).reshape(-1, 1), k)
    order = np.lexsort((patterns.of_unit, patterns.block))
    block, pattern = patterns.block[order], patterns.of_unit[order]
    first = np.flatnonzero(np.r_[True, block[1:] != block[:-1]])
    sizes = np.diff(np.r_[first, len(block)])
    cells = np.full((len(first), int(sizes.max())), -1, dtype=np.int64)
    rows = np.repeat(np.arange(len(first)), sizes)
    cells[rows, np.arange(len(block)) - first[rows]] = pattern
    distinct, _, count = _unique_rows(cells, len(patterns.count))
    best = np.lexsort((*distinct.T[::-1], -count))
    distinct, count = distinct[best], count[best]
    if distinct.shape[1] == 1:  # every block is one unit after all: restore "bundle t is pattern t"
        back = np.argsort(distinct[:, 0])
        distinct, count = distinct[back], count[back]
    return Bundles(count, distinct, len(patterns.count))


def blocks(size: int, total: int) -> Iterator[int]:
    """How many rows of ``size`` numbers to take at a time until ``total`` are done."""
    step = max(1, BLOCK // max(1, size))
    for start in range(0, total, step):
        yield min(step, total - start)


def bootstrap(statistic: Statistic, patterns: Patterns, *, replicates: int, seed: int, level: float = 0.95,
              progress: Progress | None = None, cancelled: Callable[[], bool] | None = None) -> Interval:
    """BCa interval of ``statistic`` over items (or blocks of them); the same for the same seed."""
    kinds = bundle(patterns)
    if kinds.drawn < 2:
        return Interval(None, None, "no interval: one item only")
    rng = np.random.default_rng(seed)
    table = kinds.total(statistic.features) if isinstance(statistic, Linear) else None
    size = len(kinds.count) if table is not None else max(len(kinds.count), kinds.cells.size, kinds.patterns)
    draws: list[Floats] = []
    done = 0
    for step in blocks(size, replicates):
        if cancelled is not None and cancelled():
            return Interval(None, None, "no interval: stopped before all resamples were drawn")
        weights = kinds.draw(rng, step)
        if isinstance(statistic, Linear) and table is not None:
            draws.append(statistic.finish(weights @ table))
        else:
            draws.append(statistic.evaluate(kinds.spread(weights)))
        done += step
        if progress is not None:
            progress(done, replicates)
    whole = kinds.count.astype(np.float64).reshape(1, -1)
    if isinstance(statistic, Linear) and table is not None:
        sums = whole @ table
        point, left_out, times = statistic.finish(sums)[0], statistic.finish(sums - table), whole[0]
    else:
        point = statistic.evaluate(kinds.spread(whole))[0]
        left_out, times = _leave_one_out(statistic, kinds)
    return bca(float(point), np.concatenate(draws), accel=acceleration(left_out, times), level=level)


def _leave_one_out(statistic: Statistic, kinds: Bundles) -> tuple[Floats, Floats]:
    """The statistic without one bundle of each kind, and how many times each kind occurs.

    With very many kinds an even sample of them: the acceleration is a ratio of moments (skewness over
    6 sqrt(n)), near 0 for that many items, so that sampling it moves no digit anybody reads.
    """
    whole = kinds.count.astype(np.float64)
    t = len(whole)
    chosen = np.arange(t) if t <= EXACT_JACKKNIFE else np.linspace(0, t - 1, SAMPLED).astype(np.int64)
    values, start = [], 0
    for step in blocks(max(t, kinds.cells.size), len(chosen)):
        part = chosen[start : start + step]
        weights = np.repeat(whole.reshape(1, -1), len(part), axis=0)
        weights[np.arange(len(part)), part] -= 1.0
        values.append(statistic.evaluate(kinds.spread(weights)))
        start += step
    times = whole[chosen]
    return np.concatenate(values), times * (whole.sum() / times.sum())
