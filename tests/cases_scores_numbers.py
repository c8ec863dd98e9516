"""Cases of the scorer about numbers, intervals, steps and typed answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.scored_case import Case, answers, golds, renamed, scored

ERRORS = {"median": "median_ae", "median_absolute_error": "median_ae", "median_abs_error": "median_ae",
          "medae": "median_ae", "mean_error": "bias"}
LOOSE = ("<", "lt", "paper")


def _numbers(metric: str, case: Case, settings: dict[str, Any] | None = None) -> dict[str, Any]:
    items = [{"id": f"i{n}"} for n in range(len(case["gold"]))]
    return scored(metric, "q", items, golds(case["gold"]), answers(case["pred"]), settings)


def _mra(case: Case) -> dict[str, Any]:
    return _numbers("mra_lt" if case.get("variant", "<=") in LOOSE or case["metric"] == "mra_lt" else "mra", case)


def _errors(case: Case) -> dict[str, Any]:
    name = {**ERRORS, "mean_absolute_error": "mae"}.get(case["metric"], case["metric"])
    return renamed(_numbers(name, case, {"unit": case["unit"]} if "unit" in case else None), ERRORS)


def _relative(case: Case) -> dict[str, Any]:
    limit = next((case[key] for key in ("within", "threshold", "t") if key in case), 0.1)
    return renamed(_numbers("relative_accuracy", case, {"within": limit}), {"accuracy": "relative_accuracy"})


def _delta(case: Case) -> dict[str, Any]:
    return renamed(_numbers("delta_accuracy", case, {"delta": case.get("delta", 2)}), {"accuracy": "delta_accuracy"})


def _st_iou(case: Case) -> dict[str, Any]:
    rows = case["rows"]
    gold = [{"camera": row["camera_gold"], "interval": row["gold"]} for row in rows]
    said = [None if row.get("pred") is None or row.get("camera_pred") is None
            else {"camera": row["camera_pred"], "interval": row["pred"]} for row in rows]
    return scored("st_iou", "q", [{"id": f"i{n}"} for n in range(len(rows))], golds(gold), answers(said))


def _steps(case: Case) -> dict[str, Any]:
    return renamed(_numbers("steps", case), {
        "first_error_accuracy": "first_error", "all_correct_accuracy": "all_correct", "accuracy": "exact",
        "micro": "step_micro", "macro": "step_macro"})


def _last_correct_step(case: Case) -> dict[str, Any]:
    each = case["steps"] if case["steps"] and isinstance(case["steps"][0], list) else [case["steps"]]
    gold = [len(steps) for steps in each] if "of" not in case else [case["of"]] * len(each)
    return scored("last_correct_step", "q", [{"id": f"i{n}"} for n in range(len(each))], golds(gold), answers(each))


def _typed(case: Case) -> dict[str, Any]:
    rows = case["rows"]
    items = [{"id": f"i{n}", "slices": {"answer_type": row["type"]}} for n, row in enumerate(rows)]
    said = [{"id": f"i{n}", "answer": row.get("pred"), **({"judge_score": row["judge"]} if "judge" in row else {})}
            for n, row in enumerate(rows) if row.get("pred") is not None or "judge" in row]
    return scored("typed_answer", "q", items, golds([row["gold"] for row in rows]), said)


METRICS: dict[str, Callable[[Case], dict[str, Any]]] = {
    "mra": _mra, "mra_lt": _mra,
    **dict.fromkeys(("rmse", "mae", "median_ae", "mean_absolute_error", "median_absolute_error"), _errors),
    "relative_accuracy": _relative, "delta_accuracy": _delta,
    "st_iou": _st_iou,
    **dict.fromkeys(("steps", "first_error", "processbench"), _steps),
    "last_correct_step": _last_correct_step,
    "typed_answer": _typed,
}
