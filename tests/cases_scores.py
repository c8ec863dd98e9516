"""The scores that ``cases`` can compute: each case becomes a small bundle and predictions, scored as any other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotation.agreement import intervals
from tests import cases_scores_choices, cases_scores_judged, cases_scores_judges, cases_scores_numbers
from tests.cases_stats import Unsupported
from tests.scored_case import Case


def compute(case: Case) -> dict[str, Any]:
    """Our value for each part that the case may expect; Unsupported for a metric that is not built yet."""
    if case["metric"] not in METRICS:
        raise Unsupported(f"{case['metric']} is not built yet")
    return METRICS[case["metric"]](case)


def _wilson(case: Case) -> dict[str, Any]:
    found = intervals.wilson(case["k"], case["n"], level=case.get("level", 0.95))
    return {} if found is None else {"low": found[0], "high": found[1]}


METRICS: dict[str, Callable[[Case], dict[str, Any]]] = {
    "wilson": _wilson,
    **cases_scores_choices.METRICS,
    **cases_scores_judged.METRICS,
    **cases_scores_judges.METRICS,
    **cases_scores_numbers.METRICS,
}
