"""One case of ``cases`` as a small bundle and a file of predictions, scored as any other."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from exports.scorer.score import score
from tests.small_bundle import predictions, write

Case = dict[str, Any]
Rows = list[dict[str, Any]]


def scored(metric: str, question: str | None, items: Rows, gold: Rows, given: Rows,
           settings: Mapping[str, Any] | None = None, annotations: Rows | None = None) -> dict[str, Any]:
    """Every figure of one metric by name: the value under the metric's name too, and the interval's ends."""
    with tempfile.TemporaryDirectory() as name:
        folder = write(Path(name) / "bundle", items, gold, [(metric, question, settings or {})],
                       annotations or [])
        files = {"system": predictions(Path(name) / "given.jsonl", given)} if given else {}
        found = score(folder, files, baselines=not given)
    systems = {one["system"]: one["metrics"] for one in found["systems"]}
    (row,) = systems.get("system") or _nothing(systems["oracle"])
    low, high = row["ci"] or (None, None)
    return {**{key: row[key] for key in ("missing", "refused", "unparsable", "value", "n")}, "low": low, "high": high,
            **row.get("beside", {}), **row["parts"], metric: row["value"]}


def _nothing(metrics: Rows) -> Rows:
    """Where no item was answered there is no file to score; only the counts are known without one."""
    return [{**one, "value": None, "ci": None, "parts": {}, "missing": one["n"]} for one in metrics]


def golds(values: Sequence[Any], question: str = "q") -> Rows:
    return [{"id": f"i{n}", "question": question, "answer": value} for n, value in enumerate(values)]


def answers(values: Sequence[Any], key: str = "answer") -> Rows:
    """A row for everything but null; ``{"refused": true}`` is a refusal."""
    return [{"id": f"i{n}", **(value if isinstance(value, dict) and set(value) == {"refused"} else {key: value})}
            for n, value in enumerate(values) if value is not None]


def renamed(found: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The same with further names for some figures."""
    return {**{other: found[name] for other, name in names.items() if name in found and other not in found}, **found}
