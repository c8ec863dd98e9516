"""Every metric: the oracle reaches its best, the anti-oracle its worst, constants what is worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

import exports.scorer.metrics  # noqa: F401 - registers the metrics
from annotation.protocol_later import SCORER_METRICS
from annotation.protocol_parts import ScorerMetric
from exports.scorer.gold_side import read_bundle, units_of
from exports.scorer.metric import metrics
from exports.scorer.score import score
from tests.metric_worlds import WORLDS as OF_ANSWERS
from tests.metric_worlds_judged import WORLDS as JUDGED
from tests.small_bundle import predictions, write

WORLDS = {**OF_ANSWERS, **JUDGED}


def bundle(folder: Path, name: str) -> Path:
    world = WORLDS[name]
    items, gold = world.bundle()
    return write(folder / "bundle", items, gold, [(name, "q" if world.asks else None, world.settings)],
                 world.annotations())


def figures(scores: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {system["system"]: system["metrics"][0] for system in scores["systems"]}


@pytest.mark.parametrize("name", sorted(WORLDS))
def test_the_oracle_reaches_the_best_the_anti_oracle_the_worst_and_constants_their_value(
        name: str, tmp_path: Path) -> None:
    scores = score(bundle(tmp_path, name), {}, baselines=True)
    json.dumps(scores, allow_nan=False)
    found = figures(scores)
    metric, world = metrics[name], WORLDS[name]
    assert found["oracle"]["value"] == pytest.approx(metric.best, abs=1e-12)
    assert (found["oracle"]["best"], found["oracle"]["worst"]) == (metric.best, metric.worst)
    if metric.worst is not None:
        assert found["anti-oracle"]["value"] == pytest.approx(metric.worst, abs=1e-12)
    else:
        assert found["anti-oracle"]["value"] > found["oracle"]["value"]  # an error: less is better
    constants = {key.removeprefix("constant:"): one["value"] for key, one in found.items()
                 if key.startswith("constant:")}
    assert constants == pytest.approx(dict(world.constants), abs=1e-12)


@pytest.mark.parametrize("name", sorted(WORLDS))
def test_missing_refused_and_unparsable_answers_are_counted_apart_and_never_raise_a_score(
        name: str, tmp_path: Path) -> None:
    """The oracle's rows, then with one left out, one refused and one unreadable: the counts say which is which."""
    world, metric = WORLDS[name], metrics[name]
    folder = bundle(tmp_path, name)
    n = len(world.gold)
    bad: list[dict[str, Any]] = [{"id": "i0", "refused": True}]
    if n > 1:
        bad.append({"id": "i1", "answer": {"no": "answer"}})
    found = figures(score(folder, {"s": predictions(tmp_path / "p.jsonl", bad)}))["s"]
    assert (found["refused"], found["unparsable"], found["missing"]) == (1, len(bad) - 1, n - len(bad))
    if found["value"] is not None:
        # Nothing was answered, so nothing may be better than the worst that there is.
        assert found["value"] == pytest.approx(metric.worst, abs=1e-12)
    else:
        assert found["parts"].get("coverage", 0.0) == 0.0 and found["ci"] is None


@pytest.mark.parametrize("name", sorted(WORLDS))
def test_a_bundle_without_gold_has_no_value_and_no_interval(name: str, tmp_path: Path) -> None:
    world = WORLDS[name]
    folder = write(tmp_path / "bundle", [], [], [(name, "q" if world.asks else None, world.settings)])
    for system in score(folder, {}, baselines=True)["systems"]:
        (found,) = system["metrics"]
        assert (found["value"], found["ci"], found["n"], found["missing"]) == (None, None, 0, 0)


@pytest.mark.parametrize("name", sorted(WORLDS))
def test_rows_of_two_epochs_that_say_the_same_count_as_one(name: str, tmp_path: Path) -> None:
    world, metric = WORLDS[name], metrics[name]
    folder = bundle(tmp_path, name)
    units = units_of(read_bundle(folder), metric, "q" if world.asks else None, world.settings)
    rows = [{**metric.oracle(unit), "id": unit.id, "epoch": epoch} for unit in units for epoch in (1, 2)]
    found = figures(score(folder, {"s": predictions(tmp_path / "p.jsonl", rows)}))["s"]
    assert found["value"] == pytest.approx(metric.best, abs=1e-12)
    assert found["missing"] == 0


def test_every_metric_has_a_bundle_to_be_tried_on() -> None:
    assert sorted(set(metrics) - set(WORLDS)) == []  # tests/metric_worlds.py wants one


def test_every_metric_that_a_protocol_may_name_is_built() -> None:
    assert set(get_args(ScorerMetric)) <= set(metrics)
    assert not SCORER_METRICS & set(metrics)  # what "comes later" does not exist yet
