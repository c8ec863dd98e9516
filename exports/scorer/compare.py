# SPDX-License-Identifier: Apache-2.0
"""Two systems on the same things: exact McNemar, a paired bootstrap of the difference over clusters, Holm over many."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.intervals import bca_p, holm, mcnemar_exact, normal_quantile
from exports.scorer.estimate import is_binary, places_of_clusters
from exports.scorer.figures import Entry, ci_of
from exports.scorer.metric import Floats
from exports.scorer.options import Options
from exports.scorer.resampling import (
    LEVEL,
    bca_of,
    draws_of_sums,
    draws_of_weights,
    group_sums,
    skew_of_sums,
    skew_of_weights,
)
from exports.scorer.robust import Estimated
from exports.scorer.tally import Tally

POWER = 0.8
Places = NDArray[np.intp]


def comparisons(entries: Sequence[Entry], options: Options) -> list[dict[str, Any]]:
    """Every two files by each metric; Holm's p over all pairs of one metric and question."""
    found: list[dict[str, Any]] = []
    for metric, question in dict.fromkeys((entry.metric.name, entry.question) for entry in entries):
        those = [entry for entry in entries if (entry.metric.name, entry.question) == (metric, question)
                 and entry.kind == "file" and entry.tally is not None]
        rows = []
        for one, other in combinations(those, 2):
            options.tell(f"comparing {one.system} and {other.system}")
            rows.append(compared(one, other, options))
        tested = [row for row in rows if row["p"] is not None]
        for row, p in zip(tested, holm([row["p"] for row in tested]), strict=True):
            row["p_holm"] = p
            row["finding"] = _finding(row)
        found += rows
    return found


def compared(first: Entry, second: Entry, options: Options) -> dict[str, Any]:
    """``difference`` is the first's value less the second's, over the things that both answered (``n``)."""
    assert first.tally is not None and second.tally is not None
    places, others = common(first.tally, second.tally)
    row: dict[str, Any] = {
        "metric": first.metric.name, "question": first.question, "first": first.system, "second": second.system,
        "n": len(places), "left_out": max(len(first.tally), len(second.tally)) - len(places),
        **paired(first.tally, places, second.tally, others, options), "p_holm": None}
    return {**row, "finding": _finding(row)}


def common(first: Tally, second: Tally) -> tuple[Places, Places]:
    """The places, in each of the two, of the things that both answered; in one order."""
    if first.keys == second.keys:
        same = np.flatnonzero(first.answered & second.answered)
        return same, same
    at = {key: place for place, key in enumerate(second.keys) if second.answered[place]}
    both = [(place, at[key]) for place, key in enumerate(first.keys) if first.answered[place] and key in at]
    pairs = np.asarray(both, dtype=np.intp).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def paired(first: Tally, places: Places, second: Tally, others: Places, options: Options) -> dict[str, Any]:
    """Values, difference, interval and p of two tallies over things that are pairwise the same.

    ``p`` is McNemar's where things stand alone and are right or wrong, else the level at which the bootstrap's interval
    reaches 0. ``detectable``: the difference that would have been found with a power of 0.8, (z_0.975 + z_0.8) SE.
    """
    one, other = first.value(places), second.value(others)
    row: dict[str, Any] = {"first_value": one, "second_value": other, "difference": None, **ci_of(None), "se": None,
                           "p": None, "p_method": None, "mcnemar": None, "detectable": None}
    if one is None or other is None:
        return row
    row["difference"] = one - other
    place, groups = places_of_clusters(first, places)
    binary = is_binary(first, places) and is_binary(second, others)
    if binary:
        row["mcnemar"] = _mcnemar(first, places, second, others)
    drawn, found = _bootstrap(first, places, second, others, (place, groups), one - other, options)
    row |= ci_of(found)
    row["se"] = float(np.nanstd(drawn)) if len(drawn) and np.isfinite(drawn).any() else None
    if row["se"] is not None:
        row["detectable"] = (normal_quantile(0.5 + LEVEL / 2.0) + normal_quantile(POWER)) * row["se"]
    if binary and groups == len(places):
        row |= {"p": row["mcnemar"]["p"], "p_method": "mcnemar_exact"}
    elif len(drawn):
        row |= {"p": bca_p(one - other, drawn), "p_method": "bootstrap"}
    return row


def _mcnemar(first: Tally, places: Places, second: Tally, others: Places) -> dict[str, Any]:
    """Counts of both right, the first alone, the second alone, neither; and the exact two-sided p."""
    one = first.pairs(first.metric.headline)[places, 0] == 1.0
    other = second.pairs(second.metric.headline)[others, 0] == 1.0
    first_only, second_only = int((one & ~other).sum()), int((~one & other).sum())
    return {"both": int((one & other).sum()), "first_only": first_only, "second_only": second_only,
            "neither": int((~one & ~other).sum()), "p": mcnemar_exact(first_only, second_only)}


def _bootstrap(first: Tally, places: Places, second: Tally, others: Places, clusters: tuple[Places, int],
               point: float, options: Options) -> tuple[Floats, Estimated]:
    place, groups = clusters
    method = "paired_bootstrap_items" if groups == len(places) else "paired_bootstrap_clusters"
    if groups < 2:
        return np.zeros(0), Estimated(method, None, "unknown: one cluster says nothing about others")
    draws = {"replicates": options.replicates, "seed": options.seed}
    if first.is_whole or second.is_whole:
        def weighted(weights: Floats) -> Floats:
            return first.weighted(weights, places) - second.weighted(weights, others)

        drawn = draws_of_weights(place, groups, weighted, **draws)
        return drawn, bca_of(point, drawn, skew_of_weights(place, groups, weighted), method)
    width = len(first.needed)
    columns = np.hstack([first.columns[places][:, first.needed], second.columns[others][:, second.needed]])
    sums = group_sums(columns, place, groups)

    def difference(summed: Floats) -> Floats:
        return first.headline(summed[:, :width]) - second.headline(summed[:, width:])

    drawn = draws_of_sums(sums, difference, **draws)
    return drawn, bca_of(point, drawn, skew_of_sums(sums, difference), method)


def _finding(row: dict[str, Any]) -> str:
    """A sentence; what could have been found stands in it where nothing was."""
    p = row["p"] if row["p_holm"] is None else row["p_holm"]
    if row["difference"] is None:
        return "no value on the common items"
    if row["difference"] == 0.0 and p is None:
        return "both gave the same"
    if p is None:
        return "unknown"
    if p < 1.0 - LEVEL:
        return f"{row['first'] if row['difference'] > 0 else row['second']} has the higher value"
    could = row["detectable"]
    return "no difference found" + (f"; one of {could:.3f} would have been found in 8 of 10 such samples"
                                    if could is not None and math.isfinite(could) and could > 0 else "")
