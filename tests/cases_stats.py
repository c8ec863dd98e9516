"""The statistics that ``cases`` can compute, from a case's data and parameters: a row each, a file per family."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests import cases_alpha, cases_chance, cases_models, cases_scales
from tests.cases_data import Data, Params, Undefined, Unsupported

__all__ = ["Undefined", "Unsupported", "compute"]

def compute(statistic: str, data: Data, params: Params) -> Any:
    """Our value; Unsupported, Undefined or Refused otherwise."""
    found = STATISTICS.get(statistic) or cases_models.by_pattern(statistic)
    if found is None:
        raise Unsupported(f"{statistic} is not built yet")
    return found(data, params)


STATISTICS: dict[str, Callable[[Data, Params], Any]] = {
    **cases_scales.STATISTICS,
    **cases_models.STATISTICS,
    **cases_alpha.STATISTICS,
    **cases_chance.STATISTICS,
}
