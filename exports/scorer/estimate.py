# SPDX-License-Identifier: Apache-2.0
"""From the parts of every unit to figures: sums, shares and an interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.intervals import acceleration, bca, wilson

Pairs = NDArray[np.float64]  # (n units, 2): numerator and denominator of one part

REPLICATES, SEED = 2000, 0


def shares(parts: Mapping[str, Pairs], sums: frozenset[str]) -> dict[str, float | int | None]:
    """Every part over all units; parts named in ``sums`` are counts; None where the denominator is 0."""
    found: dict[str, float | int | None] = {}
    for name, pairs in parts.items():
        above, below = (float(total) for total in pairs.sum(axis=0)) if len(pairs) else (0.0, 0.0)
        if name in sums:
            found[name] = int(above) if above == int(above) else above
        else:
            found[name] = above / below if below else None
    return found


def interval(pairs: Pairs, clusters: Sequence[str], *, proportion: bool) -> tuple[list[float] | None, str | None]:
    """A 95 % interval of sum / sum and its method.

    Wilson's for a share of right and wrong where every unit stands alone. Else a BCa bootstrap over
    clusters (over items, where each is a cluster of its own): equal cluster sums are collapsed to counts
    and drawn as one multinomial, which is resampling with replacement exactly.
    """
    if not len(pairs):
        return None, None
    _, place = np.unique(np.asarray(clusters, dtype=object).astype(str), return_inverse=True)
    groups = int(place.max()) + 1
    alone = groups == len(pairs)
    if proportion and alone and bool(np.isin(pairs[:, 0], (0.0, 1.0)).all()) and bool((pairs[:, 1] == 1.0).all()):
        low_high = wilson(int(pairs[:, 0].sum()), len(pairs))
        return (None if low_high is None else list(low_high)), "wilson"
    method = "bootstrap_bca_items" if alone else "bootstrap_bca_clusters"
    if groups < 2:
        return None, method
    sums = np.stack([np.bincount(place, weights=pairs[:, side], minlength=groups) for side in (0, 1)], axis=1)
    rows, counts = np.unique(sums, axis=0, return_counts=True)
    total = counts @ rows
    if total[1] == 0:
        return None, method
    rng = np.random.default_rng(SEED)
    # 2,000 x 10,000 numbers of 8 bytes: blocks keep the memory below 32 MB.
    block = max(1, 4_000_000 // len(rows))
    blocks = np.concatenate([rng.multinomial(groups, counts / groups, size=min(block, REPLICATES - start)) @ rows
                             for start in range(0, REPLICATES, block)])
    drawn: Pairs = np.asarray(blocks, dtype=np.float64)
    without: Pairs = np.asarray(total - rows, dtype=np.float64)
    accel = acceleration(_ratio(without), counts.astype(np.float64))
    found = bca(float(total[0] / total[1]), _ratio(drawn), accel=accel).pair
    return (None if found is None else list(found)), method


def _ratio(sums: Pairs) -> NDArray[np.float64]:
    below = sums[:, 1]
    return np.divide(sums[:, 0], below, out=np.full(len(sums), np.nan), where=below > 0)
