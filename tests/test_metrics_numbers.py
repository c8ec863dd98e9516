"""Metrics of choices and numbers against scikit-learn, and against figures worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sklearn_metrics  # type: ignore[import-untyped]

from annotation.errors import Refused
from exports.scorer.numbers import exact, measured
from exports.scorer.score import score
from tests.cases_scores import compute
from tests.scored_case import answers, golds, scored
from tests.small_bundle import predictions, write

LAWS = settings(max_examples=25, deadline=None, derandomize=True)
CHOICES = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["a", "b", "c", None])), min_size=2, max_size=30)
NUMBERS = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=1, max_size=30)


def choices(metric: str, gold: list[Any], said: list[Any], config: dict[str, Any] | None = None) -> dict[str, Any]:
    items = [{"id": f"i{n}", "choices": {"q": [{"id": one, "text": one.upper()} for one in "abc"]}}
             for n in range(len(gold))]
    return scored(metric, "q", items, golds(gold), answers(said), config)


@LAWS
@given(CHOICES.filter(lambda rows: any(said for _, said in rows)))
def test_accuracy_and_f1_are_those_of_scikit_learn(rows: list[tuple[str, str | None]]) -> None:
    gold, said = [one for one, _ in rows], [other for _, other in rows]
    theirs = [other or "nothing" for other in said]
    named = sorted(set(gold) | {one for one in said if one})
    assert choices("accuracy", gold, said)["value"] == pytest.approx(sklearn_metrics.accuracy_score(gold, theirs))
    assert choices("macro_f1", gold, said)["value"] == pytest.approx(
        sklearn_metrics.f1_score(gold, theirs, labels=named, average="macro", zero_division=0))
    if "a" in named:
        assert choices("f1", gold, said, {"positive": "a"})["value"] == pytest.approx(
            sklearn_metrics.f1_score(gold, theirs, labels=["a"], average="macro", zero_division=0))


@LAWS
@given(NUMBERS)
def test_errors_of_numbers_are_those_of_scikit_learn(rows: list[tuple[int, int]]) -> None:
    gold, said = [one / 4 for one, _ in rows], [other / 4 for _, other in rows]
    found = scored("rmse", "q", [{"id": f"i{n}"} for n in range(len(gold))], golds(gold), answers(said))
    assert found["rmse"] == pytest.approx(sklearn_metrics.root_mean_squared_error(gold, said))
    assert found["mae"] == pytest.approx(sklearn_metrics.mean_absolute_error(gold, said))
    assert found["median_ae"] == pytest.approx(sklearn_metrics.median_absolute_error(gold, said))


def test_errors_are_over_what_was_answered_and_the_coverage_says_how_much() -> None:
    found = compute({"metric": "rmse", "gold": [1, 2, 3, 4], "pred": [1, 4, None, "four"]})
    assert (found["rmse"], found["mae"], found["median_ae"], found["bias"]) == (math.sqrt(2), 1.0, 1.0, 1.0)
    assert (found["coverage"], found["missing"], found["unparsable"]) == (0.5, 1, 1)


def test_the_interval_of_a_root_mean_square_and_of_a_median_hold_the_value(tmp_path: Path) -> None:
    gold = [float(n) for n in range(1, 41)]
    items = [{"id": f"i{n}", "cluster": f"c{n // 2}"} for n in range(40)]
    bundle = write(tmp_path / "b", items, golds(gold), [("rmse", "q"), ("median_ae", "q")])
    said = predictions(tmp_path / "p.jsonl", answers([one + (n % 7) for n, one in enumerate(gold)]))
    for row in score(bundle, {"s": said})["systems"][0]["metrics"]:
        assert row["ci_method"] == "bootstrap_bca_clusters"
        assert row["ci"][0] < row["value"] < row["ci"][1] or row["value"] in row["ci"], row


def test_answers_in_another_unit_are_converted_to_that_of_gold_and_unknown_units_are_not_read() -> None:
    found = compute({"metric": "rmse", "unit": "m", "gold": [3, 2, 5, 1], "pred": ["300 cm", "0.004 km", 5, "1 s"]})
    assert found["rmse"] == pytest.approx(math.sqrt(4 / 3)) and found["unparsable"] == 1
    assert measured({"value": 5, "unit": "mm"}, "cm") == exact("0.5") and measured("2 m", None) is None


@pytest.mark.parametrize("value", [True, None, "", "nan", "inf", "1e9999", "1,5", "1_000", "two", [], math.inf])
def test_what_is_not_one_number_is_no_number(value: Any) -> None:
    assert exact(value) is None


@pytest.mark.parametrize(("gold", "pred", "within", "below"), [
    (0.4, 0.5, 0.6, 0.5),    # off by exactly a quarter: 0.50 .. 0.75 are met, 0.75 only where equality counts
    (0.5, 0.4, 0.7, 0.6),    # off by exactly a fifth
    (10, 10, 1.0, 1.0), (10, 15, 0.1, 0.0), (10, 15.01, 0.0, 0.0), (10, None, 0.0, 0.0), (10, "about 10", 0.0, 0.0)])
def test_mean_relative_accuracy_is_exact_in_both_variants(gold: float, pred: Any, within: float, below: float) -> None:
    assert compute({"metric": "mra", "gold": [gold, 1], "pred": [pred, 1]})["mra"] == pytest.approx((within + 1) / 2)
    assert compute({"metric": "mra", "variant": "<", "gold": [gold, 1], "pred": [pred, 1]})["mra"] == pytest.approx(
        (below + 1) / 2)


def test_gold_that_has_no_relative_error_is_refused_with_its_item(tmp_path: Path) -> None:
    for metric in ("mra", "mra_lt", "delta_accuracy"):
        for value in (0, -1, "much"):
            bundle = write(tmp_path / f"{metric}{value}", [{"id": "i0"}], golds([value]), [(metric, "q")])
            with pytest.raises(Refused, match=f"{metric} cannot score the gold answer '{value}' of i0"):
                score(bundle, {}, baselines=True)


def test_limits_of_relative_and_delta_accuracy_belong_to_what_is_right() -> None:
    found = compute({"metric": "relative_accuracy", "gold": [10, 10, -10, 0], "pred": [11, 12.5, -9, 0]})
    assert (found["relative_accuracy"], found["within_10"], found["within_25"]) == (0.75, 0.75, 1.0)
    assert compute({"metric": "relative_accuracy", "t": 0.25, "gold": [10], "pred": [12.5]})["accuracy"] == 1.0
    found = compute({"metric": "delta_accuracy", "gold": [10] * 5, "pred": [20, 5, 20.1, 0, -10]})
    assert found["delta_accuracy"] == 0.4


def test_circular_needs_every_rotation_and_refuses_a_group_that_lacks_one(tmp_path: Path) -> None:
    found = compute({"metric": "circular", "rotations": {"a": [1, 1], "b": [0, 1, 1], "c": [1, None, 1, 1]}})
    assert (found["circular"], found["n"], found["missing"]) == (1 / 3, 3, 1)
    assert (found["vanilla_all"], found["vanilla_0"]) == (7 / 9, 2 / 3)
    items = [{"id": f"i{n}", "slices": {"group": "g", "rotation": n},
              "choices": {"q": [{"id": one, "text": one} for one in order]}} for n, order in enumerate(["abc", "bca"])]
    bundle = write(tmp_path / "b", items, golds(["a", "a"]), [("circular", "q")])
    with pytest.raises(Refused, match="the group 'g' has 2 items, and not one for each rotation of its 3 options"):
        score(bundle, {}, baselines=True)


def test_positions_of_gold_and_answers_stand_beside_the_accuracy() -> None:
    found = choices("accuracy", ["a", "a", "b", "c"], ["a", "b", "b", None])
    assert (found["gold_positions"], found["answer_positions"]) == ([2, 1, 1], [1, 2, 0])
    assert found["constant_position"] == [0.5, 0.25, 0.25]


def test_disclosure_in_the_denominators_of_the_released_code_leaves_out_what_cannot_be_read() -> None:
    case = {"gold": [0, 0, 1, 2, 2, 0], "pred": [0, 2, 1, 1, None, "Z"], "sharing_intent": [0, 0, 1, 1, 1, 1]}
    ours, theirs = (compute({**case, "metric": name}) for name in ("disclosure", "disclosure_upstream"))
    assert (ours["over"], ours["under"], ours["exact"], ours["invalid"]) == (1 / 6, 1 / 6, 2 / 6, 2)
    assert (theirs["over"], theirs["under"], theirs["exact"], theirs["coverage"]) == (1 / 4, 1 / 4, 2 / 4, 4 / 6)
    # One of the two gold 0 that were answered, but three gold 0 in all: unread answers stay in this denominator.
    assert ours["abstention_violation"] == theirs["abstention_violation"] == 1 / 3
    assert (theirs["msd"], theirs["mae"], theirs["mae_over"], theirs["mae_under"]) == (1 / 4, 3 / 4, 2.0, 1.0)
    assert ours["exposure"] == theirs["exposure"] == 1 / 2
    # F1: level 0 2/3, level 1 2/3, level 2 0.
    assert theirs["macro_f1"] == pytest.approx(4 / 9)
    assert theirs["privacy_preservation"] == pytest.approx(1 - (1 / 2 + 1 / 3 + 1 / 4) / 3)


def test_stare_is_the_mean_of_groups_and_reads_yes_through_the_text_of_the_letter() -> None:
    plain = {"A": "one", "B": "two", "C": "three"}
    one, other = {"A": "yes", "B": "no"}, {"A": "no", "B": "yes"}
    rows = [{"task": "2D", "cell": "without", "options": plain, "gold": "A", "pred": "A"},
            {"task": "2D", "cell": "without", "options": plain, "gold": "B", "pred": "A"},
            {"task": "2D", "cell": "with", "options": plain, "gold": "C", "pred": "C"},
            {"task": "nets", "cell": "with", "options": one, "gold": "A", "pred": "A"},
            {"task": "nets", "cell": "with", "options": other, "gold": "A", "pred": "B"},
            {"task": "nets", "cell": "with", "options": other, "gold": "B", "pred": None}]
    found = compute({"metric": "stare", "rows": rows})
    # 2D: (1/2 + 1) / 2. Nets: yes, yes: one found, one called yes wrongly, one missed: F1 1/2.
    assert (found["task:2D"], found["task:nets"], found["macro"]) == (0.75, 0.5, 0.625)
    assert (found["accuracy"], found["missing"]) == (3 / 6, 1)


def test_answers_are_scored_by_their_type() -> None:
    rows = [{"type": "numeric_exact", "gold": 3, "pred": 3.0000001}, {"type": "numeric_exact", "gold": 3, "pred": 3.01},
            {"type": "numeric_approximate", "gold": 10, "pred": 15},
            {"type": "string_exact", "gold": "Rome", "pred": " Rome"},
            {"type": "list_exact", "gold": [1.5, 2, 2], "pred": [2, 1.5]},
            {"type": "list_approximate", "gold": ["a"], "pred": []},
            {"type": "string_approximate", "gold": "the red house", "pred": "casa rossa", "judge": 1},
            {"type": "string_approximate", "gold": "the red house", "pred": "the red house", "judge": 0},
            {"type": "string_approximate", "gold": "the red house", "pred": "blue boat"},
            {"type": "numeric_exact", "gold": 3, "pred": None}]
    found = compute({"metric": "typed_answer", "rows": rows})
    worth = [1, 0, 2 / 3, 1, 0.8, 0, 1, 1, 0, 0]
    assert found["value"] == pytest.approx(sum(worth) / 10)
    assert found["upstream"] == pytest.approx(sum(worth) / 9)
    assert found["list_exact"] == pytest.approx(0.8) and found["missing"] == 1


def test_overlap_in_time_counts_only_with_the_right_camera_and_clock_times_are_read() -> None:
    rows = [{"camera_gold": "c1", "camera_pred": "c1", "gold": ["00:00:05.000", "00:00:15"], "pred": [0, 10]},
            {"camera_gold": "c1", "camera_pred": "c2", "gold": [0, 10], "pred": [0, 10]},
            {"camera_gold": "c1", "camera_pred": "c1", "gold": [3, 3], "pred": "3-3"},
            {"camera_gold": "c1", "camera_pred": "c1", "gold": [0, 1], "pred": [1, 0]},
            {"camera_gold": "c1", "camera_pred": None, "gold": [0, 1], "pred": [0, 1]}]
    found = compute({"metric": "st_iou", "rows": rows})
    assert found["st_iou"] == pytest.approx((1 / 3 + 0 + 1) / 5)
    assert (found["camera"], found["unparsable"], found["missing"]) == (2 / 5, 1, 1)
    assert found["iou"] == pytest.approx((1 / 3 + 1 + 1) / 5)


def test_steps_are_never_cut_to_fit_and_f1_weighs_faulty_and_clean_traces() -> None:
    found = compute({"metric": "steps", "gold": [-1, -1, 2, 0, 1], "pred": [-1, 3, 2, None, -1]})
    assert (found["first_error"], found["all_correct"]) == (1 / 3, 1 / 2)
    assert found["f1"] == pytest.approx(2 * (1 / 3) * (1 / 2) / (5 / 6))
    found = compute({"metric": "steps", "gold": [[True, False], [1, 1, 1, 1], [False]],
                     "pred": [[1, 1], [1, 1, 1, 0], [False, True]]})
    assert (found["unparsable"], found["step_micro"]) == (1, 4 / 7)
    assert found["step_macro"] == pytest.approx((1 / 2 + 3 / 4 + 0) / 3)
    assert compute({"metric": "last_correct_step", "steps": [[False, True, False, False], [False], [True, True]]})[
        "score"] == pytest.approx((0.5 + 0 + 1) / 3)


def test_a_case_that_answers_nothing_has_no_file_and_no_value() -> None:
    assert compute({"metric": "rmse", "gold": [1, 2], "pred": [None, None]})["missing"] == 2
    with TemporaryDirectory() as name:
        bundle = write(Path(name) / "b", [{"id": "i0"}], golds([1]), [("rmse", "q")])
        row = score(bundle, {"s": predictions(Path(name) / "p.jsonl", [{"id": "i0", "refused": True}])})
        assert row["systems"][0]["metrics"][0]["value"] is None
