# SPDX-License-Identifier: Apache-2.0
"""An interval of a metric's headline over some of the things that were scored."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.intervals import acceleration, bca, wilson
from exports.scorer.metric import Floats
from exports.scorer.tally import Tally

REPLICATES, SEED = 2000, 0
MOST_NUMBERS = 4_000_000   # drawn at once; x 8 bytes keeps the memory of a bootstrap below 32 MB
MOST_LEFT_OUT = 2000       # clusters, for an acceleration that needs every one left out in turn


def interval(tally: Tally, places: NDArray[np.intp]) -> tuple[list[float] | None, str | None]:
    """A 95 % interval of the headline over the things at ``places``, and its method.

    Wilson's for a share of right and wrong where every thing stands alone. Else a BCa bootstrap over
    clusters (over items, where each is a cluster of its own): equal cluster sums are collapsed to counts
    and drawn as one multinomial, which is resampling with replacement exactly. A headline that sums do not
    determine gets a weight for every thing instead.
    """
    if not len(places):
        return None, None
    _, place = np.unique(tally.cluster[places], return_inverse=True)
    groups = int(place.max()) + 1
    alone = groups == len(places)
    if tally.metric.proportion and alone and tally.metric.headline in tally.names:
        pairs = tally.pairs(tally.metric.headline)[places]
        if bool(np.isin(pairs[:, 0], (0.0, 1.0)).all()) and bool((pairs[:, 1] == 1.0).all()):
            low_high = wilson(int(pairs[:, 0].sum()), len(pairs))
            return (None if low_high is None else list(low_high)), "wilson"
    method = "bootstrap_bca_items" if alone else "bootstrap_bca_clusters"
    if groups < 2:
        return None, method
    found = _by_weights(tally, places, place, groups) if tally.is_whole else _by_sums(tally, places, place, groups)
    return found, method


def _by_sums(tally: Tally, places: NDArray[np.intp], place: NDArray[np.intp], groups: int) -> list[float] | None:
    columns = tally.columns[places][:, tally.needed]
    sums = np.stack([np.bincount(place, weights=column, minlength=groups) for column in columns.T], axis=1)
    rows, counts = np.unique(sums, axis=0, return_counts=True)
    total: Floats = np.asarray(counts @ rows, dtype=np.float64)[None]
    point = float(tally.headline(total)[0])
    if not np.isfinite(point):
        return None
    rng = np.random.default_rng(SEED)

    def draw(size: int) -> Floats:
        sums: Floats = np.asarray(rng.multinomial(groups, counts / groups, size=size) @ rows, dtype=np.float64)
        return tally.headline(sums)

    drawn = _in_blocks(draw, max(1, MOST_NUMBERS // len(rows)))
    without: Floats = np.asarray(total - rows, dtype=np.float64)
    pair = bca(point, drawn, accel=acceleration(tally.headline(without), counts.astype(np.float64))).pair
    return None if pair is None else list(pair)


def _by_weights(tally: Tally, places: NDArray[np.intp], place: NDArray[np.intp], groups: int) -> list[float] | None:
    point = float(tally.weighted(np.ones((1, len(places))), places)[0])
    if not np.isfinite(point):
        return None
    rng = np.random.default_rng(SEED)

    def draw(size: int) -> Floats:
        times = rng.multinomial(groups, np.full(groups, 1.0 / groups), size=size)
        return tally.weighted(times[:, place].astype(np.float64), places)

    drawn = _in_blocks(draw, max(1, MOST_NUMBERS // 8 // len(places)))
    accel = 0.0
    if groups <= MOST_LEFT_OUT:
        without = np.concatenate([tally.weighted((place != left)[None].astype(np.float64), places)
                                  for left in range(groups)])
        accel = acceleration(without, np.ones(groups))
    pair = bca(point, drawn, accel=accel).pair
    return None if pair is None else list(pair)


def _in_blocks(draw: Callable[[int], Floats], block: int) -> Floats:
    return np.concatenate([draw(min(block, REPLICATES - start)) for start in range(0, REPLICATES, block)])
