# SPDX-License-Identifier: Apache-2.0
"""An interval of a metric's headline over some of the things that were scored."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.intervals import wilson
from exports.scorer.metric import Floats
from exports.scorer.resampling import (
    REPLICATES,
    SEED,
    bca_of,
    draws_of_sums,
    draws_of_weights,
    group_sums,
    skew_of_sums,
    skew_of_weights,
)
from exports.scorer.robust import Estimated, robust, wilson_effective
from exports.scorer.tally import Tally

__all__ = ["FEW_CLUSTERS", "REPLICATES", "SEED", "chosen_method", "estimate", "every_estimate", "is_binary",
           "places_of_clusters"]

FEW_CLUSTERS = 30  # below that a bootstrap of clusters is too narrow for shares


def estimate(tally: Tally, places: NDArray[np.intp], *, replicates: int = REPLICATES,
             seed: int = SEED) -> Estimated | None:
    """The 95 % interval that stands beside the value; None where nothing is scored.

    Wilson's for a share of right and wrong where every thing stands alone; with an effective n where things stand in
    fewer than 30 clusters, and where resamples say nothing, as where all are right or all wrong. Else a BCa bootstrap
    over clusters (over items, where each is a cluster of its own). A headline that sums do not determine gets a weight
    for every thing instead of sums.
    """
    if not len(places):
        return None
    place, groups = places_of_clusters(tally, places)
    method = chosen_method(tally, places, groups)
    if method == "wilson":
        return _wilson(tally, places)
    if method == "wilson_effective_n":
        return wilson_effective(_headline_sums(tally, places, place, groups))
    found = _bootstrap(tally, places, place, groups, replicates, seed)
    if found.ci is None and groups > 1 and is_binary(tally, places):
        return wilson_effective(_headline_sums(tally, places, place, groups))
    return found


def chosen_method(tally: Tally, places: NDArray[np.intp], groups: int) -> str:
    """Which of the intervals stands beside the value."""
    if is_binary(tally, places):
        if groups == len(places):
            return "wilson"
        right = float(tally.pairs(tally.metric.headline)[places, 0].sum())
        if groups >= 2 and (groups < FEW_CLUSTERS or right in (0.0, float(len(places)))):
            return "wilson_effective_n"
    return "bootstrap"


def every_estimate(tally: Tally, places: NDArray[np.intp], *, replicates: int = REPLICATES,
                   seed: int = SEED) -> list[Estimated]:
    """Every interval that fits this headline, in the order Wilson, effective n, cluster-robust, bootstrap."""
    if not len(places):
        return []
    place, groups = places_of_clusters(tally, places)
    found, alone = [], groups == len(places)
    if not tally.is_whole and tally.metric.headline in tally.names:
        sums = _headline_sums(tally, places, place, groups)
        if is_binary(tally, places):
            found.append(_wilson(tally, places) if alone else wilson_effective(sums))
        found.append(robust(sums))
    return [*found, _bootstrap(tally, places, place, groups, replicates, seed)]


def places_of_clusters(tally: Tally, places: NDArray[np.intp]) -> tuple[NDArray[np.intp], int]:
    """The cluster of each place, counted from 0, and how many there are."""
    _, place = np.unique(tally.cluster[places], return_inverse=True)
    return place.reshape(-1), int(place.max()) + 1 if len(place) else 0


def is_binary(tally: Tally, places: NDArray[np.intp]) -> bool:
    """Whether the headline is a share of things that are right or wrong, each once."""
    if not tally.metric.proportion or tally.metric.headline not in tally.names:
        return False
    pairs = tally.pairs(tally.metric.headline)[places]
    return bool(np.isin(pairs[:, 0], (0.0, 1.0)).all()) and bool((pairs[:, 1] == 1.0).all())


def _wilson(tally: Tally, places: NDArray[np.intp]) -> Estimated:
    pairs = tally.pairs(tally.metric.headline)[places]
    return Estimated("wilson", wilson(int(pairs[:, 0].sum()), len(pairs)))


def _headline_sums(tally: Tally, places: NDArray[np.intp], place: NDArray[np.intp], groups: int) -> Floats:
    return group_sums(tally.pairs(tally.metric.headline)[places], place, groups)


def _bootstrap(tally: Tally, places: NDArray[np.intp], place: NDArray[np.intp], groups: int, replicates: int,
               seed: int) -> Estimated:
    method = "bootstrap_bca_items" if groups == len(places) else "bootstrap_bca_clusters"
    if groups < 2:
        return Estimated(method, None, "unknown: one cluster says nothing about others")
    if tally.is_whole:
        def weighted(weights: Floats) -> Floats:
            return tally.weighted(weights, places)

        point = float(weighted(np.ones((1, len(places))))[0])
        if not np.isfinite(point):
            return Estimated(method, None, "there is no value")
        drawn = draws_of_weights(place, groups, weighted, replicates=replicates, seed=seed)
        return bca_of(point, drawn, skew_of_weights(place, groups, weighted), method)
    sums = group_sums(tally.columns[places][:, tally.needed], place, groups)
    point = float(tally.headline(sums.sum(axis=0, keepdims=True))[0])
    if not np.isfinite(point):
        return Estimated(method, None, "there is no value")
    drawn = draws_of_sums(sums, tally.headline, replicates=replicates, seed=seed)
    return bca_of(point, drawn, skew_of_sums(sums, tally.headline), method)
