# SPDX-License-Identifier: Apache-2.0
"""Means over people with an interval that draws people and items at once (crossed)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from exports.scorer.metric import Floats
from exports.scorer.options import Options
from exports.scorer.resampling import MOST_NUMBERS, bca_of, group_sums
from exports.scorer.robust import Estimated
from exports.scorer.tally import Tally

METHOD = "bootstrap_crossed"


@dataclass(frozen=True, slots=True)
class Share:
    """One person's part of a mean: sums by cluster (named), and the value of any sums (b, columns) -> (b,)."""

    clusters: tuple[str, ...]
    sums: Floats
    of: Callable[[Floats], Floats]

    @property
    def value(self) -> float:
        return float(self.of(self.sums.sum(axis=0, keepdims=True))[0])


def share_of(tally: Tally, columns: Floats | None = None, of: Callable[[Floats], Floats] | None = None) -> Share:
    """A person's own sums; or ``columns`` (things of the tally, any) with another value ``of`` their sums."""
    mine = tally.columns[:, tally.needed] if columns is None else columns
    sums = group_sums(mine, tally.cluster, len(tally.clusters))
    return Share(tally.clusters, sums, tally.headline if of is None else of)


def crossed(shares: Sequence[Share], options: Options) -> tuple[float | None, Estimated]:
    """The plain mean of people's values, and its 95 % interval.

    In every draw people are drawn with replacement, and clusters with replacement, the same for everybody; a person
    without a value on the clusters drawn is left out of that draw. Bias-corrected percentiles. Unknown for one person
    or one cluster. (Owen 2007, "The pigeonhole bootstrap": it errs on the wide side.)
    """
    values = np.asarray([share.value for share in shares])
    known = np.isfinite(values)
    if not known.any():
        return None, Estimated(METHOD, None, "there is no value")
    point = float(values[known].mean())
    places: dict[str, int] = {}
    at = [np.asarray([places.setdefault(name, len(places)) for name in share.clusters], dtype=np.intp)
          for share in shares]
    people, groups = len(shares), len(places)
    if people < 2:
        return point, Estimated(METHOD, None, "unknown: one person says nothing about others")
    if groups < 2:
        return point, Estimated(METHOD, None, "unknown: one cluster says nothing about others")
    rng = np.random.default_rng(options.seed)
    drawn = []
    block = max(1, min(options.replicates, MOST_NUMBERS // groups))
    for start in range(0, options.replicates, block):
        size = min(block, options.replicates - start)
        times = rng.multinomial(groups, np.full(groups, 1.0 / groups), size=size).astype(np.float64)
        weights = rng.multinomial(people, np.full(people, 1.0 / people), size=size).astype(np.float64)
        each = np.stack([share.of(times[:, own] @ share.sums) for share, own in zip(shares, at, strict=True)], axis=1)
        weights[~np.isfinite(each)] = 0.0
        total = weights.sum(axis=1)
        drawn.append(np.divide((weights * np.nan_to_num(each)).sum(axis=1), total, out=np.full(size, np.nan),
                               where=total > 0))
    return point, bca_of(point, np.concatenate(drawn), 0.0, METHOD)
