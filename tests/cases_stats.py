"""The statistics that ``cases`` can compute, from a case's data and parameters: a row each, a file per family."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotation.agreement.report import measure
from tests import cases_alpha, cases_models, cases_scales
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


def _percent(data: Data, params: Params) -> float:
    if params.get("weights", "unweighted") != "unweighted":
        raise Unsupported("percent agreement with weights is not built yet")
    return _measured(data, "percent_agreement")


STATISTICS: dict[str, Callable[[Data, Params], Any]] = {
    **cases_scales.STATISTICS,
    **cases_models.STATISTICS,
    **cases_alpha.STATISTICS,
    "percent_agreement": _percent,
    "observed_agreement": _percent,
}
