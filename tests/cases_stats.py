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
from annotation.agreement.sets import DISTANCES
from tests import cases_models, cases_scales
from tests.cases_data import Data, Params, Undefined, Unsupported, ratings

__all__ = ["Undefined", "Unsupported", "compute"]

def compute(statistic: str, data: Data, params: Params) -> Any:
    """Our value; Unsupported, Undefined or Refused otherwise."""
    found = STATISTICS.get(statistic) or cases_models.by_pattern(statistic)
    if found is None:
        raise Unsupported(f"{statistic} is not built yet")
    return found(data, params)


def _measured(data: Data, metric: str, level: str | None = None) -> float:
    result = measure(ratings(data), metric, level=level, replicates=0)
    if result.value is None:
        raise Undefined(result.reason)
    return result.value


def _alpha(data: Data, params: Params) -> float:
    level = params.get("level", "nominal")
    if data["format"] == "set_ratings" or level == "set" or level in DISTANCES:
        return cases_scales.set_alpha(data, params)
    if level not in ("nominal", "ordinal", "interval"):
        raise Unsupported(f"the level {level} is not built yet")
    return _measured(data, "krippendorff_alpha", level)


def _percent(data: Data, params: Params) -> float:
    if params.get("weights", "unweighted") != "unweighted":
        raise Unsupported("percent agreement with weights is not built yet")
    return _measured(data, "percent_agreement")


def _percentile(data: Data, params: Params) -> list[float]:
    """2.5 and 97.5 % of the draws that the BCa interval is made of."""
    patterns = collapse(in_order(ratings(data)))
    statistic = {"nominal": alpha_nominal, "ordinal": alpha_ordinal}[params["level"]](patterns)
    kinds = bundle(patterns)
    draws = statistic.evaluate(kinds.spread(kinds.draw(np.random.default_rng(0), params["B"])))
    draws = np.sort(draws[np.isfinite(draws)])
    return [intervals.quantile(draws, 0.025), intervals.quantile(draws, 0.975)]


STATISTICS: dict[str, Callable[[Data, Params], Any]] = {
    **cases_scales.STATISTICS,
    **cases_models.STATISTICS,
    "krippendorff_alpha": _alpha,
    "percent_agreement": _percent,
    "observed_agreement": _percent,
    "alpha_leave_one_item_out": lambda data, params: cases_scales.left_out(_alpha, data, params),
    "alpha_bootstrap_ci95_items_percentile": _percentile,
}
