"""Every metric goes through every part of a report: runs, people, comparisons, gaps, versions, outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import exports.scorer.metrics  # noqa: F401 - registers the metrics
from exports.scorer.gold_side import read_bundle, units_of
from exports.scorer.metric import metrics
from exports.scorer.outputs import FORMATS
from exports.scorer.score import Options, score
from tests.metric_worlds import WORLDS
from tests.metric_worlds_judged import WORLDS as JUDGED
from tests.small_bundle import predictions, write

ALL = {**WORLDS, **JUDGED}


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_report_with_everything_is_strict_json_in_every_format(tmp_path: Path, name: str) -> None:
    world = ALL[name]
    items, gold = world.bundle()
    scorer = [(name, "q" if world.asks else None, world.settings)]
    bundle = write(tmp_path / "b", items, gold, scorer, world.annotations())
    old = write(tmp_path / "old", items, gold, scorer, world.annotations())
    metric = metrics[name]
    units = units_of(read_bundle(bundle), metric, "q" if world.asks else None, world.settings)

    def rows(*says: Any, **more: Any) -> list[dict[str, Any]]:
        return [{"id": unit.id, **({"question": "q"} if world.asks else {}),
                 **({"element": unit.element} if unit.element is not None else {}), **say(unit), **more}
                for say in says for unit in units]

    files = {
        "best": predictions(tmp_path / "a.jsonl", rows(metric.oracle)),
        "worst": predictions(tmp_path / "w.jsonl", rows(metric.anti)),
        "runs": predictions(tmp_path / "r.jsonl", rows(metric.oracle, epoch=1) + rows(metric.anti, epoch=2)),
        "people": predictions(tmp_path / "h.jsonl", rows(metric.oracle, rater="ana") + rows(metric.anti, rater="ben")
                              + rows(metric.oracle, rater="cem")[:-1])}
    found = score(bundle, files, baselines=True, against=old,
                  options=Options(least=1, agreed=((1, 2),), replicates=200, extract=("exact",)))
    for kind, make in FORMATS.items():
        text = make(found)
        assert "nan" not in text.lower().replace("finance", ""), kind
    json.dumps(found, allow_nan=False)
    systems = {one["system"]: one["metrics"][0] for one in found["systems"]}
    assert systems["best"]["value"] == pytest.approx(metric.best)
    majority = systems["people (majority)"]
    if majority["value"] is not None and majority["unparsable"] == 0 and not metric.group and not metric.whole:
        assert majority["n"] == systems["best"]["n"]
    rows_of = {(one["first"], one["second"]): one for one in found["comparisons"]}
    assert len(rows_of) == 3
    if systems["worst"]["value"] is not None and rows_of["best", "worst"]["difference"] is not None:
        assert rows_of["best", "worst"]["difference"] == pytest.approx(
            rows_of["best", "worst"]["first_value"] - rows_of["best", "worst"]["second_value"])
    for row in found["against"]["systems"]:
        assert row["change"] in (None, 0.0) and row["common_change"] in (None, 0.0)
    assert {one["people"] for one in found["gaps"]} == {"people", "people (majority)"}
