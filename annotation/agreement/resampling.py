"""Resampling of items by their patterns: one multinomial draw over patterns instead of a draw per item.

Resampling N items with replacement gives pattern k a count w_k; w ~ Multinomial(N, f / N) exactly. Where
several units are drawn together (a group's elements, a cluster's items) the same holds for the distinct
*bundles* of patterns. A draw costs by bundles, of which there are few where answers repeat and never more
than items; memory is bounded by ``BLOCK`` numbers per array, whatever the number of draws. Sums are made in double
precision (squares of a slider's numbers lose digits in single, and no time is won), on one thread (two take turns:
measured, nothing is won either).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.agreement.intervals import Interval, acceleration, bca, quantile
from annotation.agreement.ratings import Floats, Ints, Patterns, mixed
from annotation.agreement.statistic import DENSE, Linear, SparseLinear, Statistic, product
from annotation.agreement.student import t_quantile

BLOCK = 1_000_000
SMALL = 200_000
EXACT = 2_048     # up to so many bundles each is left out of a statistic that is no function of sums, beyond it some
SAMPLED = 1_024   # of them
STEPS = 40_000_000  # numbers that leaving out bundles one by one may cost where sums allow a derivative instead

Progress = Callable[[int, int], None]
Cancelled = Callable[[], bool]

STOPPED = "no interval: stopped before all resamples were drawn"
ONE_ITEM = "no interval: one item only"


@dataclass(frozen=True, slots=True)
class Bundles:
    """What is drawn as one: ``count`` (T) how many of each kind; ``kind``, ``pattern`` (L,): what each consists of,
    by rising kind (None where bundle t is pattern t alone). ``patterns``: K.
    """

    count: Ints
    patterns: int
    kind: Ints | None = None
    pattern: Ints | None = None

    @property
    def drawn(self) -> int:
        return int(self.count.sum())

    def spread(self, weights: Floats) -> Floats:
        """Weights of bundles (b, T) to weights of patterns (b, K)."""
        if self.kind is None or self.pattern is None:
            return weights
        out: Floats = weights @ self.members()
        return out

    def members(self) -> Any:
        """(T, K): how many times each pattern is in each bundle; a scipy.sparse CSR array where that is large, None
        where bundle t is pattern t alone."""
        if self.kind is None or self.pattern is None:
            return None
        kinds = len(self.count)
        if kinds * self.patterns <= DENSE:
            table = np.bincount(self.kind * self.patterns + self.pattern, minlength=kinds * self.patterns)
            return table.reshape(kinds, self.patterns).astype(np.float64)
        # A fifth of a second to load, and only many clusters of many patterns need it.
        from scipy.sparse import csr_array

        return csr_array((np.ones(len(self.kind)), (self.kind, self.pattern)), shape=(kinds, self.patterns))

    def total(self, features: Floats) -> Floats:
        """Features of patterns (K, F) summed for each bundle (T, F)."""
        if self.kind is None or self.pattern is None:
            return features
        out = np.zeros((len(self.count), features.shape[1]))
        present, starts = np.unique(self.kind, return_index=True)
        if len(present):
            out[present] = np.add.reduceat(features[self.pattern], starts, axis=0)
        return out

    def draw(self, rng: np.random.Generator, draws: int) -> Floats:
        """``draws`` resamples as counts per bundle, (draws, T)."""
        kinds, n = len(self.count), self.drawn
        if 10 * kinds < n or kinds == 1:
            return rng.multinomial(n, self.count / n, size=draws).astype(np.float64)
        # Little repeats: counting n random places is faster than T conditional binomials.
        owner = np.repeat(np.arange(kinds), self.count)
        out = np.empty((draws, kinds))
        step = max(1, SMALL // n)  # many rows at a time where they are short
        for start in range(0, draws, step):
            rows = min(step, draws - start)
            place = rng.integers(0, n, (rows, n))
            if n > kinds:
                place = owner.take(place)
            if rows > 1:
                place += np.arange(rows)[:, None] * kinds
            out[start : start + rows] = np.bincount(place.ravel(), minlength=rows * kinds).reshape(rows, kinds)
        return out


def bundle(patterns: Patterns) -> Bundles:
    """Units one by one, or block by block where they have blocks."""
    if patterns.block is None:
        return Bundles(patterns.count, len(patterns.count))
    return bundles_of(patterns.block, (patterns.of_unit,), (len(patterns.count),))[0]


def bundles_of(block: Ints, of_unit: tuple[Ints, ...], patterns: tuple[int, ...]) -> tuple[Bundles, ...]:
    """Bundles of the same draws for one or more sets of patterns: ``of_unit`` gives each unit's pattern, -1 for none.

    Blocks with the same multisets of patterns are one kind; they are found by a sum of 64-bit marks (two different
    ones share a mark once in 10^7 for a million blocks) and stand in the order of it, which no order of items changes.
    """
    order = np.lexsort((*of_unit[::-1], block))
    first = np.flatnonzero(np.r_[True, block[order][1:] != block[order][:-1]])
    shift = np.cumsum((0, *patterns))
    mark = np.zeros(len(block), dtype=np.uint64)
    for one, start in zip(of_unit, shift[:-1].tolist(), strict=True):
        mark += np.where(one >= 0, mixed(one + start), np.uint64(0))
    marks = np.add.reduceat(mark[order], first)
    _, index, count = np.unique(marks, return_index=True, return_counts=True)
    sizes = np.diff(np.r_[first, len(block)])[index]
    if len(of_unit) == 1 and len(index) == patterns[0] and (sizes == 1).all():
        whole = np.bincount(of_unit[0], minlength=patterns[0])
        return (Bundles(whole, patterns[0]),)  # every block is one unit after all
    kind = np.repeat(np.arange(len(index)), sizes)
    within = np.arange(len(kind)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    member = order[np.repeat(first[index], sizes) + within]
    out = []
    for one, many in zip(of_unit, patterns, strict=True):
        there = one[member] >= 0
        out.append(Bundles(count, many, kind[there], one[member][there]))
    return tuple(out)


def blocks(size: int, total: int) -> Iterator[int]:
    """How many rows of ``size`` numbers to take at a time until ``total`` are done."""
    step = max(1, BLOCK // max(1, size))
    for start in range(0, total, step):
        yield min(step, total - start)


class Sampled:
    """A statistic over bundles: its value, its value without one bundle of each kind, and its values on resamples."""

    def __init__(self, statistic: Statistic, kinds: Bundles) -> None:
        self.statistic, self.kinds = statistic, kinds
        self.table = kinds.total(statistic.features) if isinstance(statistic, Linear) else None
        self.members = kinds.members() if self.table is None else None
        self.whole = kinds.count.astype(np.float64)
        self.width = max(len(self.whole), 0 if self.table is not None else kinds.patterns, statistic.width)

    def of(self, weights: Floats) -> Floats:
        """Values (b,) for weights of bundles (b, T)."""
        if isinstance(self.statistic, Linear) and self.table is not None:
            return self.statistic.finish(product(weights, self.table))
        return self.statistic.evaluate(self._patterns(weights))

    def _patterns(self, weights: Floats) -> Floats:
        if self.members is None:
            return weights
        return product(weights, self.members) if isinstance(self.members, np.ndarray) else weights @ self.members

    @property
    def value(self) -> float:
        return float(self.of(self.whole[None])[0])

    def draws(self, rng: np.random.Generator, replicates: int, *, progress: Progress | None = None,
              cancelled: Cancelled | None = None) -> Floats | None:
        """Values (replicates,) on resamples; None where it was cancelled on the way."""
        out, done = np.empty(replicates), 0
        for step in blocks(self.width, replicates):
            if cancelled is not None and cancelled():
                return None
            out[done : done + step] = self.of(self.kinds.draw(rng, step))
            done += step
            if progress is not None:
                progress(done, replicates)
        return out

    def left_out(self) -> tuple[Floats, Floats]:
        """Values without one bundle of a kind, and how many times each occurs.

        All kinds where that is cheap. Else, for a function of sums, by its derivative (off by a part in N, for
        thousands of bundles); else of the commonest kinds and an even sample of the others, which count for all.
        """
        kinds = len(self.whole)
        if isinstance(self.statistic, Linear) and self.table is not None:
            if kinds * self.table.shape[1] <= STEPS:
                sums, out = self.whole @ self.table, np.empty(kinds)
                step = max(1, BLOCK // max(1, self.table.shape[1]))
                for start in range(0, kinds, step):
                    out[start : start + step] = self.statistic.finish(sums - self.table[start : start + step])
                return out, self.whole
            return self.value - self.table @ _slope(self.statistic.finish, self.whole @ self.table), self.whole
        if kinds > EXACT and (slope := self.statistic.slope(self._patterns(self.whole[None])[0])) is not None:
            return self.value - self.kinds.total(slope[:, None])[:, 0], self.whole
        if isinstance(self.statistic, SparseLinear) and kinds > EXACT and 2 * self.statistic.width**2 <= STEPS * 8:
            weights = self._patterns(self.whole[None])
            slope = _slope(self.statistic.finish, self.statistic.sums(weights)[0])
            return self.value - self.kinds.total((self.statistic.matrix.T @ slope)[:, None])[:, 0], self.whole
        chosen, times = self._some()
        out, start = np.empty(len(chosen)), 0
        for step in blocks(self.width, len(chosen)):
            part = chosen[start : start + step]
            weights = np.repeat(self.whole[None], len(part), axis=0)
            weights[np.arange(len(part)), part] -= 1.0
            out[start : start + step] = self.of(weights)
            start += step
        return out, times

    def _some(self) -> tuple[Ints, Floats]:
        kinds = len(self.whole)
        if kinds <= EXACT:
            return np.arange(kinds), self.whole
        order = np.argsort(-self.whole, kind="stable")
        common, others = order[: SAMPLED // 2], order[SAMPLED // 2 :]
        others = others[np.linspace(0, len(others) - 1, SAMPLED // 2).astype(np.int64)]
        rest = self.whole.sum() - self.whole[common].sum()
        return np.r_[common, others], np.r_[self.whole[common], self.whole[others] * rest / self.whole[others].sum()]


def _slope(finish: Callable[[Floats], Floats], sums: Floats) -> Floats:
    """Derivative of ``finish`` in each of the sums (F,), by central differences of one unit."""
    out, features = np.empty(len(sums)), np.arange(len(sums))
    step = max(1, BLOCK // max(1, len(sums)))
    for start in range(0, len(sums), step):
        part = features[start : start + step]
        moved = np.zeros((len(part), len(sums)))
        moved[np.arange(len(part)), part] = 1.0
        out[part] = (finish(sums + moved) - finish(sums - moved)) / 2.0
    return out


def bootstrap(statistic: Statistic, patterns: Patterns, *, replicates: int, seed: int, level: float = 0.95,
              accelerated: bool = True, progress: Progress | None = None, cancelled: Cancelled | None = None
              ) -> Interval:
    """Interval of ``statistic`` over items, or over blocks of them with the tails of ``few``: BCa, or the plain
    percentile interval; the same for the same seed."""
    kinds = bundle(patterns)
    if kinds.drawn < 2:
        return Interval(None, None, ONE_ITEM)
    sampled = Sampled(statistic, kinds)
    draws = sampled.draws(np.random.default_rng(seed), replicates, progress=progress, cancelled=cancelled)
    if draws is None:
        return Interval(None, None, STOPPED)
    if not accelerated:
        return percentile(draws, level=level)
    tail = None if patterns.block is None else few(kinds.drawn, level)
    return bca(sampled.value, draws, accel=acceleration(*sampled.left_out()), level=level, tail=tail)


def few(drawn: int, level: float) -> float:
    """Standard errors to each side where few things are drawn: Student's quantile, and the root of n / (n - 1) since
    a resample varies by that much less than a sample (the expanded percentile of Hesterberg 2015, within BCa). Of
    5 clusters the 95 % interval takes the tails of 99.8 %, of 20 those of 96.8 %; of 1,000 it is BCa as ever.
    """
    return t_quantile(0.5 + level / 2.0, drawn - 1.0) * math.sqrt(drawn / (drawn - 1.0))


def percentile(draws: Floats, *, level: float = 0.95) -> Interval:
    """From the lower to the upper quantile of the defined draws (Efron 1979); it need not hold the value."""
    asked = len(draws)
    draws = np.sort(draws[np.isfinite(draws)])
    n = len(draws)
    if n < 0.9 * asked or n < 2:
        return Interval(None, None, "no interval: the statistic is undefined on more than a tenth of the resamples", n)
    if draws[-1] - draws[0] <= 1e-12 * max(1.0, abs(float(draws[0]))):
        return Interval(None, None, "no interval: every resample gives the same value, which says nothing about "
                                    "other items", n)
    return Interval(quantile(draws, 0.5 - level / 2.0), quantile(draws, 0.5 + level / 2.0), None, n,
                    float(np.std(draws)))
