"""The statistics that ``cases`` can compute, from a case's data and parameters: a row each, a file per family."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from annotation.agreement import intervals
from annotation.agreement.alpha import alpha_nominal, alpha_ordinal
from annotation.agreement.ratings import collapse
from annotation.agreement.report import in_order, measure
from annotation.agreement.resampling import bundle
from tests.cases_data import Data, Params, Undefined, Unsupported, ratings

__all__ = ["Undefined", "Unsupported", "compute"]

def compute(statistic: str, data: Data, params: Params) -> Any:
    """Our value; Unsupported, Undefined or Refused otherwise."""
    if statistic not in STATISTICS:
        raise Unsupported(f"{statistic} is not built yet")
    return STATISTICS[statistic](data, params)


def _measured(data: Data, metric: str, level: str | None = None) -> float:
    result = measure(ratings(data), metric, level=level, replicates=0)
    if result.value is None:
        raise Undefined(result.reason)
    return result.value


def _alpha(data: Data, params: Params) -> float:
    level = params.get("level", "nominal")
    if level not in ("nominal", "ordinal", "interval"):
        raise Unsupported(f"the level {level} is not built yet")
    return _measured(data, "krippendorff_alpha", level)


def _percent(data: Data, params: Params) -> float:
    if params.get("weights", "unweighted") != "unweighted":
        raise Unsupported("percent agreement with weights is not built yet")
    return _measured(data, "percent_agreement")


def _left_out(data: Data, params: Params) -> float:
    drop = params["dropped_item_index"]
    rows = [[value for n, value in enumerate(row) if n != drop] for row in data["values"]]
    return _measured({**data, "values": rows}, "krippendorff_alpha", params["level"])


def _percentile(data: Data, params: Params) -> list[float]:
    """2.5 and 97.5 % of the draws that the BCa interval is made of."""
    patterns = collapse(in_order(ratings(data)))
    statistic = {"nominal": alpha_nominal, "ordinal": alpha_ordinal}[params["level"]](patterns)
    kinds = bundle(patterns)
    draws = statistic.evaluate(kinds.spread(kinds.draw(np.random.default_rng(0), params["B"])))
    draws = np.sort(draws[np.isfinite(draws)])
    return [intervals.quantile(draws, 0.025), intervals.quantile(draws, 0.975)]


def _wilson(data: Data, params: Params) -> list[float] | None:
    found = intervals.wilson(params["x"], params["n"])
    return None if found is None else list(found)


def _wilson_continuity(data: Data, params: Params) -> list[float] | None:
    found = intervals.wilson_continuity(params["x"], params["n"])
    return None if found is None else list(found)


STATISTICS: dict[str, Callable[[Data, Params], Any]] = {
    "krippendorff_alpha": _alpha,
    "percent_agreement": _percent,
    "observed_agreement": _percent,
    "alpha_leave_one_item_out": _left_out,
    "alpha_bootstrap_ci95_items_percentile": _percentile,
    "wilson_ci95": _wilson,
    "wilson_ci95_continuity": _wilson_continuity,
    "mcnemar_exact_p": lambda data, params: intervals.mcnemar_exact(data["counts"][0][1], data["counts"][1][0]),
    "mcnemar_midp": lambda data, params: intervals.mcnemar_mid_p(data["counts"][0][1], data["counts"][1][0]),
}
