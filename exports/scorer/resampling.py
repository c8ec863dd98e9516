# SPDX-License-Identifier: Apache-2.0
"""Bootstrap over clusters: equal sums are collapsed to counts, and any function of sums is drawn in blocks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.intervals import acceleration, bca
from exports.scorer.metric import Floats
from exports.scorer.robust import Estimated

REPLICATES, SEED, LEVEL = 2000, 0, 0.95
MOST_NUMBERS = 4_000_000   # drawn at once; x 8 bytes keeps the memory of a bootstrap below 32 MB
MOST_LEFT_OUT = 2000       # clusters, for an acceleration that needs every one left out in turn

Of = Callable[[Floats], Floats]  # sums (b, columns) or weights (b, things) -> values (b,)


def group_sums(columns: Floats, place: NDArray[np.intp], groups: int) -> Floats:
    """(groups, columns): the sums of the rows of each cluster."""
    return np.stack([np.bincount(place, weights=column, minlength=groups) for column in columns.T], axis=1)


def collapse(sums: Floats) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
    """The distinct rows, how often each occurs, and for each row of ``sums`` the place of its like.

    Where all sums are small whole numbers, a row is one number; sorting these is several times quicker.
    """
    low = sums.min(axis=0)
    span = sums.max(axis=0) - low + 1.0
    if float(np.prod(span)) < 2.0**53 and bool((sums == np.floor(sums)).all()):
        codes = np.zeros(len(sums), dtype=np.int64)
        for column, size, least in zip(sums.T, span, low, strict=True):
            codes = codes * int(size) + (column - least).astype(np.int64)
        _, first, inverse, counts = np.unique(codes, return_index=True, return_inverse=True, return_counts=True)
        return sums[first], counts, inverse
    rows, inverse, counts = np.unique(sums, axis=0, return_inverse=True, return_counts=True)
    return rows, counts, inverse.reshape(-1)


def draws_of_sums(sums: Floats, of: Of, *, replicates: int = REPLICATES, seed: int = SEED) -> Floats:
    """(replicates,): ``of`` on the summed rows of as many clusters, drawn with replacement."""
    groups = len(sums)
    rows, counts, inverse = collapse(sums)
    rng = np.random.default_rng(seed)
    by_counts = len(rows) * 8 <= groups  # a multinomial takes about eight times as long per row as a drawn index

    def draw(size: int) -> Floats:
        if by_counts:
            times = rng.multinomial(groups, counts / groups, size=size)
        else:
            times = np.stack([np.bincount(_drawn(rng, groups, inverse, len(rows)), minlength=len(rows))
                              for _ in range(size)])
        return of(np.asarray(times @ rows, dtype=np.float64))

    return in_blocks(draw, max(1, MOST_NUMBERS // len(rows)), replicates)


def _drawn(rng: np.random.Generator, groups: int, inverse: NDArray[np.intp], distinct: int) -> NDArray[np.intp]:
    """As many rows as there are clusters; where all differ, the order of their codes does not matter."""
    places = rng.integers(0, groups, groups, dtype=np.int32)
    return np.asarray(places if distinct == groups else inverse[places], dtype=np.intp)


def draws_of_weights(place: NDArray[np.intp], groups: int, of: Of, *, replicates: int = REPLICATES,
                     seed: int = SEED) -> Floats:
    """(replicates,): ``of`` on a weight for every thing; ``place`` is the cluster of each."""
    rng = np.random.default_rng(seed)
    even = np.full(groups, 1.0 / groups)

    def draw(size: int) -> Floats:
        return of(rng.multinomial(groups, even, size=size)[:, place].astype(np.float64))

    return in_blocks(draw, max(1, MOST_NUMBERS // 8 // len(place)), replicates)


def skew_of_sums(sums: Floats, of: Of) -> float:
    """BCa's acceleration: every cluster left out in turn."""
    rows, counts, _ = collapse(sums)
    total = np.asarray(counts @ rows, dtype=np.float64)[None]
    return acceleration(of(np.asarray(total - rows, dtype=np.float64)), counts.astype(np.float64))


def skew_of_weights(place: NDArray[np.intp], groups: int, of: Of) -> float:
    """The same by weights; 0 (bias correction alone) where there are too many clusters to leave each out."""
    if groups > MOST_LEFT_OUT:
        return 0.0
    return acceleration(np.concatenate([of((place != left)[None].astype(np.float64)) for left in range(groups)]),
                        np.ones(groups))


def bca_of(point: float, drawn: Floats, accel: float, method: str) -> Estimated:
    """The BCa interval of draws, with the number of draws that had no value."""
    found = bca(point, drawn, accel=accel, level=LEVEL)
    return Estimated(method, found.pair, found.reason, found.se, undefined=len(drawn) - found.replicates)


def in_blocks(draw: Callable[[int], Floats], block: int, replicates: int) -> Floats:
    return np.concatenate([draw(min(block, replicates - start)) for start in range(0, replicates, block)])
