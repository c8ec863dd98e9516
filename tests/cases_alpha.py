"""Krippendorff's alpha and its intervals for ``cases``: any level, distances of one's own, and both bootstraps."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from annotation.agreement.alpha import alpha_with
from annotation.agreement.ratings import Floats, Ratings, collapse
from annotation.agreement.report import measure
from annotation.agreement.result import Result
from annotation.agreement.sets import DISTANCES
from annotation.errors import Refused
from tests import cases_scales
from tests.cases_data import Data, Params, Undefined, Unsupported, ratings

TABLES = ("disagreement", "disagreements", "distances", "distance_matrix", "disagreement_matrix", "cost", "costs")
PERIODS = ("period", "U", "modulus", "circumference")
REPLICATES = ("B", "replicates", "resamples", "draws", "n_resamples", "iterations")


def alpha(data: Data, params: Params) -> float:
    """At ``level``, or with a table of disagreements: in ``params``, in the data, or said in words."""
    level = str(params.get("level", "nominal"))
    table = next((source[name] for source in (params, data) for name in TABLES
                  if name in source and not isinstance(source[name], (int, float))), None)
    if table is not None or "disagreement" in level or isinstance(params.get("level"), (list, dict)):
        return _custom(data, params, table if table is not None else params["level"])
    if level in ("set", "sets") or level in DISTANCES or (data["format"] == "set_ratings" and "level" not in params):
        return cases_scales.set_alpha(data, params)
    found = _measured(data, params, interval="none")
    if found.value is None:
        raise Undefined(found.reason)
    return found.value


def _ratings(data: Data, params: Params) -> Ratings:
    wanted = params.get("categories")
    return ratings({**data, "categories": list(wanted)} if isinstance(wanted, (list, tuple)) else data,
                   params.get("raters"))


def _custom(data: Data, params: Params, table: Any) -> float:
    found = _ratings(data, params)
    patterns = collapse(found)
    if not len(patterns.count):
        raise Undefined("nobody judged the same item twice")
    labels = [found.labels[code] for code in patterns.used]
    names = [str(name) for name in data.get("categories") or labels]
    matrix = disagreements(table, names)
    place = [names.index(label) for label in labels]
    statistic = alpha_with(patterns, matrix[np.ix_(place, place)])
    value = float(statistic.evaluate(patterns.count.astype(np.float64)[None])[0])
    if not np.isfinite(value):
        raise Undefined("everyone always gave the same answer")
    return value


def disagreements(said: Any, names: Sequence[str]) -> Floats:
    """(q, q) of a table, of rows by name, or of words: "Chck vs other 0.5, A vs B 2, else 1"."""
    q = len(names)
    if isinstance(said, dict):
        return np.array([[float(said[one][other]) for other in names] for one in names])
    if isinstance(said, str) and "[[" in said:
        said = json.loads(re.sub(r"(?<!\d)\.", "0.", said[said.index("[["):said.rindex("]]") + 2]))
    if not isinstance(said, str):
        table = np.array(said, dtype=np.float64)
        if table.shape != (q, q):
            raise Unsupported(f"a table of disagreements of {table.shape} for {q} categories")
        return table
    rest = re.search(r"\b(?:else|otherwise|rest)\D*(\d*\.?\d+)", said)
    rules = re.findall(r"([^,;:]+?)\s+(?:vs\.?|against|-)\s+([^,;:]+?)\s*[=:]?\s+(\d*\.?\d+)", said)
    if not rest and not rules:
        raise Unsupported(f"the disagreement '{said}' is not read")
    table = np.full((q, q), float(rest.group(1)) if rest else 1.0)
    for one, other, worth in reversed(rules):  # the first rule that fits decides
        for a in _meant(one, names):
            for b in _meant(other, names):
                table[a, b] = table[b, a] = float(worth)
    np.fill_diagonal(table, 0.0)
    return table


def _meant(said: str, names: Sequence[str]) -> list[int]:
    said = said.strip().strip("'\"")
    if said.lower() in ("other", "others", "any other", "any", "rest"):
        return list(range(len(names)))
    if said not in names:
        raise Unsupported(f"'{said}' is no category of this case")
    return [names.index(said)]


def _measured(data: Data, params: Params, **how: Any) -> Result:
    found = _ratings(data, params)
    level = params.get("level", "nominal")
    period = next((source[name] for source in (params, data) for name in PERIODS if source.get(name) is not None), None)
    if period is not None:
        found = replace(found, period=float(period))
    try:
        return measure(found, "krippendorff_alpha", level=level, **how)
    except Refused as fault:
        if fault.code == "unknown":
            raise Unsupported(f"the level {level} is not known") from None
        raise


def _interval(interval: str) -> Callable[[Data, Params], Any]:
    def compute(data: Data, params: Params) -> Any:
        asked = next((int(params[name]) for name in REPLICATES if name in params), 10_000)
        found = _measured(data, params, interval=interval, replicates=asked, seed=int(params.get("seed", 0)),
                          ci_level=float(params.get("ci_level", params.get("confidence", 0.95))))
        if found.ci is None:
            raise Undefined(found.reason)
        return list(found.ci)

    return compute


STATISTICS: dict[str, Callable[[Data, Params], Any]] = {
    "krippendorff_alpha": alpha,
    "krippendorff_alpha_nominal": lambda data, params: alpha(data, {**params, "level": "nominal"}),
    "krippendorff_alpha_ordinal": lambda data, params: alpha(data, {**params, "level": "ordinal"}),
    "krippendorff_alpha_interval": lambda data, params: alpha(data, {**params, "level": "interval"}),
    "krippendorff_alpha_ratio": lambda data, params: alpha(data, {**params, "level": "ratio"}),
    "krippendorff_alpha_circular": lambda data, params: alpha(data, {**params, "level": "circular"}),
    "alpha_leave_one_item_out": lambda data, params: cases_scales.left_out(alpha, data, params),
    "alpha_bootstrap_ci95_items_percentile": _interval("percentile"),
    "alpha_bootstrap_ci95_items_bca": _interval("bca"),
    "alpha_bootstrap_ci95_krippendorff_algorithm": _interval("krippendorff"),
    "alpha_jackknife_ci95_z": _interval("jackknife"),
}
