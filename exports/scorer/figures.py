# SPDX-License-Identifier: Apache-2.0
"""One system's score by one metric: its value with interval, its parts, its runs and its slices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exports.scorer.estimate import chosen_method, estimate, every_estimate
from exports.scorer.metric import Metric, Unit
from exports.scorer.options import Options
from exports.scorer.robust import Estimated
from exports.scorer.slices import slices_of
from exports.scorer.systems import Heard
from exports.scorer.tally import Tally, Thing, things_of


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the report, with the sums behind it. ``kind``: file, baseline, or a row made of people's answers.

    ``tally`` is None for a mean over people, whose sums are per person.
    """

    system: str
    kind: str
    metric: Metric
    question: str | None
    tally: Tally | None
    figure: dict[str, Any]
    slices: list[dict[str, Any]]


def entry_of(system: str, kind: str, metric: Metric, question: str | None, units: Sequence[Unit], said: Heard,
             options: Options) -> Entry:
    things = things_of(metric, units, said)
    tally = Tally(metric, things)
    figure = figure_of(tally, question, options)
    if metric.beside is not None:
        figure["beside"] = metric.beside(
            [unit for thing in things for unit in thing.units],
            [[reply for _, _, reply in some] for thing in things for some in thing.answers])
    return Entry(system, kind, metric, question, tally, figure, sliced(tally, things, question, options))


def figure_of(tally: Tally, question: str | None, options: Options) -> dict[str, Any]:
    metric, everything = tally.metric, np.arange(len(tally))
    draws = {"replicates": options.replicates, "seed": options.seed}
    each, groups = every_estimate(tally, everything, **draws), len(tally.clusters)
    method = chosen_method(tally, everything, groups) if each else None
    chosen = next((one for one in each if one.method == method), each[-1] if each else None)
    if chosen is not None and chosen.ci is None:
        chosen = next((one for one in each if one.method.startswith("wilson") and one.ci is not None), chosen)
    parts = tally.values(everything)
    figure: dict[str, Any] = {
        "metric": metric.name, "question": question, "value": parts.get(metric.headline), "best": metric.best,
        "worst": metric.worst, **ci_of(chosen), "n": len(tally), "missing": tally.counts["missing"],
        "refused": tally.counts["refused"], "unparsable": tally.counts["unparsable"], "parts": parts,
        "clusters": groups,
        "answered": int(tally.answered.sum()), "intervals": [interval_of(one) for one in each]}
    runs = runs_of(tally)
    return figure if runs is None else {**figure, "runs": runs}


def ci_of(found: Estimated | None) -> dict[str, Any]:
    return {"ci": None if found is None or found.ci is None else list(found.ci),
            "ci_method": None if found is None else found.method,
            "ci_reason": None if found is None else found.reason}


def interval_of(found: Estimated) -> dict[str, Any]:
    return {"method": found.method, "ci": None if found.ci is None else list(found.ci), "se": found.se,
            "freedom": found.freedom, "effective_n": found.effective_n, "undefined": found.undefined,
            "reason": found.reason}


def sliced(tally: Tally, things: Sequence[Thing], question: str | None, options: Options) -> list[dict[str, Any]]:
    """A row for every tag; without a number where it holds too few, or where another could be computed from it."""
    rows = []
    for field, tag, places, reason in slices_of([thing.first for thing in things], options.least, options.held_out):
        row: dict[str, Any] = {"field": field, "value": tag, "metric": tally.metric.name, "question": question,
                               "value_of": None, "ci": None, "n": len(places), "reason": reason}
        if reason is None:
            row["value_of"] = tally.value(places)
            row["ci"] = ci_of(estimate(tally, places, replicates=options.replicates, seed=options.seed))["ci"]
        rows.append(row)
    return rows


def runs_of(tally: Tally) -> dict[str, Any] | None:
    """The value of each run, their mean and spread, and what several tries are worth; None for a single run."""
    if tally.by_run is None:
        return None
    everything = np.arange(len(tally))
    each = [tally.value(everything, run) for run in range(len(tally.runs))]
    known = [one for one in each if one is not None]
    mean = sum(known) / len(known) if known else None
    sd = math.sqrt(sum((one - mean) ** 2 for one in known) / (len(known) - 1)) if mean is not None and len(
        known) > 1 else None
    return {"n": len(tally.runs),
            "values": [{"condition": run[1], "epoch": run[2], "value": value}
                       for run, value in zip(tally.runs, each, strict=True)],
            "mean": mean, "sd": sd, "se": None if sd is None else sd / math.sqrt(len(known)),
            "min": min(known, default=None), "max": max(known, default=None), **tries_of(tally)}


def tries_of(tally: Tally) -> dict[str, Any]:
    """``any_of_k`` (pass@k): right in at least one of k runs drawn without replacement, 1 - C(n-c, k) / C(n, k), mean
    over things (Chen et al. 2021, arXiv 2107.03374); ``all_of_k``: right in all k, C(c, k) / C(n, k).

    Defined for right and wrong, and for runs under one condition; else None.
    """
    undefined = {"any_of_k": None, "all_of_k": None}
    columns = tally.by_run
    if columns is None or len({run[1] for run in tally.runs}) > 1 or not tally.metric.proportion or (
            tally.metric.headline not in tally.names):
        return undefined
    place = 2 * tally.names.index(tally.metric.headline)
    right, of = columns[:, :, place], columns[:, :, place + 1]
    if not (np.isin(right, (0.0, 1.0)).all() and (of == 1.0).all()) or not len(tally):
        return undefined
    n = len(columns)
    often: NDArray[np.intp] = np.bincount(right.sum(axis=0).astype(np.intp), minlength=n + 1)
    total = int(often.sum())
    none = {k: sum(int(times) * math.comb(n - c, k) for c, times in enumerate(often)) for k in range(1, n + 1)}
    every = {k: sum(int(times) * math.comb(c, k) for c, times in enumerate(often)) for k in range(1, n + 1)}
    return {"any_of_k": {str(k): 1.0 - found / (total * math.comb(n, k)) for k, found in none.items()},
            "all_of_k": {str(k): found / (total * math.comb(n, k)) for k, found in every.items()}}


def report_of(entries: Sequence[Entry], files: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Entries as the systems of the report, in the order in which each first appears."""
    found: dict[str, dict[str, Any]] = {}
    for entry in entries:
        known = files.get(entry.system, {})
        system = found.setdefault(entry.system, {
            "system": entry.system, "file": known.get("file"), "predictions_sha256": known.get("sha256"),
            "kind": entry.kind, "metrics": [], "slices": []})
        system["metrics"].append(entry.figure)
        system["slices"] += entry.slices
    return list(found.values())
