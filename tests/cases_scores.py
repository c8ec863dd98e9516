"""The scores that ``cases`` can compute: each case becomes a small bundle and predictions, scored as any other."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from annotation.agreement import intervals
from exports.scorer.score import score
from tests.cases_stats import Unsupported
from tests.small_bundle import predictions, write

Case = dict[str, Any]
Rows = list[dict[str, Any]]


def compute(case: Case) -> dict[str, Any]:
    """Our value for each part that the case may expect; Unsupported for a metric that is not built yet."""
    if case["metric"] not in METRICS:
        raise Unsupported(f"{case['metric']} is not built yet")
    return METRICS[case["metric"]](case)


def _scored(metric: str, question: str | None, items: Rows, gold: Rows, given: Rows) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = write(Path(name) / "bundle", items, gold, [(metric, question)])
        found = score(folder, {"system": predictions(Path(name) / "given.jsonl", given)})
    (row,) = found["systems"][0]["metrics"]
    return {**{key: row[key] for key in ("missing", "refused", "unparsable", "value", "n")}, **row["parts"],
            metric: row["value"]}


def _ids(values: list[Any]) -> Rows:
    return [{"id": f"i{n}"} for n in range(len(values))]


def _given(values: list[Any], key: str = "answer") -> Rows:
    return [{"id": f"i{n}", key: value} for n, value in enumerate(values) if value is not None]


def _accuracy(case: Case) -> dict[str, Any]:
    names = sorted({one for one in (*case["gold"], *case["pred"]) if one is not None})
    choices = {"q": [{"id": name, "text": f"option {name}"} for name in names]}
    gold = [{"id": f"i{n}", "question": "q", "answer": one} for n, one in enumerate(case["gold"])]
    return _scored("accuracy", "q", [{**one, "choices": choices} for one in _ids(gold)], gold, _given(case["pred"]))


def _presupposition(case: Case) -> dict[str, Any]:
    given = [{"id": f"i{n}", "judge_score": one} for n, one in enumerate(case["scores"])]
    return _scored("presupposition", None, _ids(given), [], given)


def _disclosure(case: Case) -> dict[str, Any]:
    names = [f"level{n}" for n in range(1 + max(one for one in (*case["gold"], *case["pred"]) if one is not None))]
    choices = {"q": [{"id": name, "text": name.upper()} for name in names]}
    gold = [{"id": f"i{n}", "question": "q", "answer": names[one]} for n, one in enumerate(case["gold"])]
    return _scored("disclosure", "q", [{**one, "choices": choices} for one in _ids(gold)], gold,
                   _given([None if one is None else names[one] for one in case["pred"]]))


def _pairs(case: Case) -> dict[str, Any]:
    sides = {"A": "c1", "B": "c2", "tie": "tie"}
    gold = [{"id": f"i{n}", "question": "q", "answer": sides[one]} for n, one in enumerate(case["gold"])]
    choices = {"q": [{"id": "tie", "text": "Tie"}]}
    items = [{**one, "candidates": ["c1", "c2"], "choices": choices} for one in _ids(gold)]
    return _scored("pairs", "q", items, gold, _given(case["pred"]))


def _wilson(case: Case) -> dict[str, Any]:
    found = intervals.wilson(case["k"], case["n"])
    return {} if found is None else {"low": found[0], "high": found[1]}


METRICS: dict[str, Callable[[Case], dict[str, Any]]] = {
    "mcq_accuracy": _accuracy,
    "accuracy": _accuracy,
    "presupposition": _presupposition,
    "disclosure": _disclosure,
    "pairs": _pairs,
    "wilson": _wilson,
}
