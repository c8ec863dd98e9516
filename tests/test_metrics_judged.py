"""Judged metrics: figures worked out by hand, and what a failed judge does."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.errors import Refused
from exports.scorer.metrics.ted import best_of, figures
from tests.cases_scores_judged import METRICS

REFUSED = {"refused": True}


def found(metric: str, **case: Any) -> dict[str, Any]:
    return METRICS[metric](case)


def test_false_alarms_are_counted_on_the_nfp_set_alone() -> None:
    # PCS of 1, 0, -1 -> 0, PCR 1/3. NFP: -1, 1, 1 -> 1 alarm of 3 scored; null and 0 (no NFP score) -> 3 of 5 at worst.
    got = found("presupposition", scores=[1, 0, -1, -1, 1, 1, None, 0], nfp=[0, 0, 0, 1, 1, 1, 1, 1])
    assert (got["pcs"], got["pcr"], got["coverage"]) == (0.0, 1 / 3, 1.0)
    assert (got["false_alarm"], got["false_alarm_worst_case"], got["nfp_coverage"]) == (1 / 3, 3 / 5, 3 / 5)
    assert got["unparsable"] == 2


def test_without_an_nfp_set_there_is_no_rate_of_false_alarms() -> None:
    assert "false_alarm" not in found("presupposition", scores=[1, 0])


def test_a_failed_judge_leaves_no_headline_but_the_judged_and_the_worst_case() -> None:
    """5 of 1 to 5 is 1, 3 is 1/2; the refused and the missing are worth 0, and the judge failed on one of five."""
    rows = [{"response": "x", "judge_score": 5}, {"response": "x", "judge_score": 3}, {"response": "x",
            "judge_score": None}, REFUSED, None]
    got = found("judged", rows=rows, scale=[1, 5])
    assert got["value"] is None and got["low"] is None
    assert "could not be read: 1;" in got["undefined"]
    assert (got["score_judged"], got["score_worst_case"], got["coverage"]) == (1.5 / 4, 1.5 / 5, 4 / 5)
    assert (got["judge_failed"], got["missing"], got["refused"], got["unparsable"]) == (1, 1, 1, 0)
    assert found("judged", rows=rows, scale=[1, 5], partial=True)["value"] == 1.5 / 4


@pytest.mark.parametrize("said", [None, "5", 6, 0, True, [5, None], [], {"score": 5}])
def test_what_is_no_grade_of_the_scale_is_a_failed_judge_and_never_the_best(said: Any) -> None:
    got = found("judged", rows=[{"response": "x", "judge_score": said}], scale=[1, 5])
    assert (got["judge_failed"], got["score_worst_case"], got["score_judged"]) == (1, 0.0, None)


def test_an_answer_that_nobody_judged_has_no_score_and_one_that_is_no_text_is_unparsable() -> None:
    got = found("judged", rows=[{"response": "x"}, {"answer": {}}, {"response": ""}])
    assert (got["judge_failed"], got["unparsable"], got["coverage"]) == (1, 2, 2 / 3)


def test_several_runs_of_a_judge_are_their_mean_if_all_can_be_read() -> None:
    assert found("judged", scores=[[0, 1, 1, 1]])["value"] == 0.75


def test_judges_are_named_with_the_hash_of_their_prompt() -> None:
    rows = [{"response": "x", "judge_score": 1, "judge": "m-1", "prompt_hash": "ab12"}, {"judge_score": 1}]
    assert found("judged", rows=rows)["judges"] == {"m-1 ab12": 1, "(not named)": 1}


def test_the_mean_of_a_judge_is_corrected_by_what_people_said_of_some_answers() -> None:
    """Judge 1 1 1 0 1 0 1 1 of eight: p = 6/8. People graded the first four 1 0 1 0: gaps 0 -1 0 0, mean -1/4.

    corrected = 3/4 - 1/4 = 1/2. Sensitivity 2 of 2, specificity 1 of 2: (6/8 + 1/2 - 1) / (1 + 1/2 - 1) = 1/2.
    Kappa of the four: agree 3/4; by chance 3/4 * 2/4 + 1/4 * 2/4 = 1/2 -> 1/2.
    Alpha: D_o = 2 of 8 values = 1/4; 5 ones and 3 zeros: D_e = 2 * 15 / 56 = 15/28 -> 1 - 7/15 = 8/15.
    """
    human = [1, 0, 1, 0, None, None, None, None]
    got = found("judged_corrected", scores=[1, 1, 1, 0, 1, 0, 1, 1], human=human)
    assert (got["score"], got["value"], got["rogan_gladen"]) == (0.75, 0.5, 0.5)
    assert (got["sensitivity"], got["specificity"], got["human"]) == (1.0, 0.5, 0.5)
    quality = got["judge_quality"]
    assert (quality["n"], quality["agreement"], quality["mae"], quality["level"]) == (4, 0.75, 0.25, "nominal")
    assert (quality["cohen_kappa"], quality["krippendorff_alpha"]) == pytest.approx((0.5, 8 / 15))
    assert got["low"] < 0.5 < got["high"]


def test_an_answer_that_is_missing_is_not_corrected_upwards() -> None:
    # Judge 0 and 0, people 1 and 1 of the same: bias +1. Half of the items were answered: 0 + 1/2 * 1.
    got = found("judged_corrected", rows=[{"judge_score": 0, "human_score": 1}] * 2 + [None, REFUSED])
    assert got["value"] == 0.5


def test_without_answers_graded_twice_nothing_is_corrected_or_said_of_the_judge() -> None:
    got = found("judged_corrected", scores=[1, 0])
    assert (got["value"], got["score"], got["rogan_gladen"]) == (None, 0.5, None)
    assert got["judge_quality"]["cohen_kappa"] is None


def test_claims_macro_micro_and_the_two_empty_rules() -> None:
    """Item 1: P 1/2, R 2/3, F1 4/7. Item 2: both empty: 1. Item 3: nothing claimed of one: 0. Item 4 not answered.

    Micro: P 1/2, R 2 of 3 + 1 + 2 = 1/3 (the missing item's two count), F1 = 2/5.
    """
    rows = [{"judge_score": {"supported": [1, 0], "covered": [True, True, False]}},
            {"judge_score": {"supported": [], "covered": []}}, {"judge_score": {"supported": [], "covered": [0]}}, None]
    got = found("claims", rows=rows, gold=[["a", "b", "c"], [], ["d"], ["e", "f"]])
    assert got["value"] == pytest.approx((4 / 7 + 1 + 0 + 0) / 4)
    assert (got["precision"], got["recall"]) == pytest.approx(((0.5 + 1) / 4, (2 / 3 + 1) / 4))
    assert (got["micro_precision"], got["micro_recall"], got["micro_f1"]) == pytest.approx((1 / 2, 1 / 3, 2 / 5))


def test_claims_of_an_item_without_gold_are_not_right_by_silence_of_the_file() -> None:
    assert found("claims", rows=[None, REFUSED], gold=[[], []])["value"] == 0.0


def test_a_list_of_verdicts_that_does_not_fit_is_a_failed_judge_and_never_cut() -> None:
    rows = [{"answer": ["a", "b"], "judge_score": {"supported": [1], "covered": [1]}},
            {"judge_score": {"supported": [1], "covered": [1, 1]}}, {"judge_score": {"supported": [1, None],
                                                                                     "covered": [1]}}]
    got = found("claims", rows=rows, gold=[["a"]] * 3)
    assert (got["judge_failed"], got["value"], got["f1_worst_case"]) == (3, None, 0.0)


def test_claims_are_matched_exactly_where_nobody_judges_each_gold_claim_once() -> None:
    # "roma" meets Rome, the second "Rome" finds none free: P 1/3; Paris is not named: R 1/2; F1 2/5.
    got = found("claims", pred=[["roma", "Rome", "Oslo"]], gold=[[["Rome", "Roma"], "Paris"]], match="exact")
    assert (got["precision"], got["recall"], got["value"]) == pytest.approx((1 / 3, 1 / 2, 2 / 5))
    assert found("claims", pred=["Rome"], gold=[["Rome"]], match="exact")["unparsable"] == 1


def test_claims_worth_a_part_are_counted_as_that_part() -> None:
    got = found("claims", supported=[[0.5, 1]], covered=[[0.25]])
    assert (got["precision"], got["recall"]) == (0.75, 0.25)


def test_f1_at_k() -> None:
    """K 4. Three of five supported: P 3/5, R 3/4, F 2/3. Six of six: R is 1, F 1. None supported: 0."""
    got = found("claims_at_k", supported=[[1, 1, 1, 0, 0], [1] * 6, [0]], k=4)
    assert got["value"] == pytest.approx((2 / 3 + 1 + 0) / 3)
    with pytest.raises(Refused, match="needs the setting 'k'"):
        found("claims_at_k", supported=[[1]])


FLIGHT = {"airline": "AZ", "number": 610, "gate": "B"}


def test_a_main_claim_that_is_wrong_closes_the_whole_record() -> None:
    """Item 1: 2 (hit), 1, 3 -> 2 of 3 keys, and 2 of 4 claimed: P 1/2, R 2/3, F1 4/7. Item 2: airline 1: all 0."""
    answer = [{**FLIGHT, "price": 9}]
    got = found("claims_gated", gold=[[FLIGHT]] * 2, pred=[answer, answer], main_claims=["airline"],
                ratings=[[{"airline": 2, "number": 1, "gate": 3}], [{"airline": 1, "number": 3, "gate": 3}]],
                categories=["flights", "flights"])
    assert (got["precision"], got["recall"], got["value"]) == pytest.approx((1 / 4, 1 / 3, 2 / 7))
    assert got["gate_closed"] == 0.5


def test_in_a_table_a_main_claim_closes_its_row_and_ignored_keys_do_not_count() -> None:
    """Gold has 2 rows of 2 keys (id is ignored): 4. Answer: 3 rows, one unmatched. Row 1: 2 hits, row 2: closed.

    P 2 of 6, R 2 of 4, F1 2/5. The two items of another category have F1 1: categories 7/10, items 4/5.
    """
    rows = [{"name": "x", "year": 1, "id": 7}, {"name": "y", "year": 2, "id": 8}]
    answer = [*rows, {"name": "z", "year": 3}]
    judge = [[{"gold": 0, "ratings": {"name": 3, "year": 2}}, {"gold": 1, "ratings": {"name": 1, "year": 3}},
              {"gold": None}]]
    right = [[{"gold": 0, "ratings": {"name": 3, "year": 3}}]]
    got = found("claims_gated", gold=[[rows], [[rows[0]]], [[rows[0]]]], pred=[[answer], [[rows[0]]], [[rows[0]]]],
                ratings=[judge, right, right], main_claims=["name"], ignore_keys=["id"],
                categories=["one", "two", "two"])
    assert got["value"] == pytest.approx((2 / 5 + 1 + 1) / 3)
    assert got["category_f1"] == pytest.approx((2 / 5 + 1) / 2)


def test_entries_are_multiplied_where_that_is_asked() -> None:
    """Materials: P 1/2, R 1, F1 2/3. Titles: P 1, R 1/2, F1 2/3. Multiplied: 1/2, 1/2, 4/9."""
    gold = [[{"m": 1}], [{"t": 1}, {"t": 2}]]
    got = found("claims_gated", gold=[gold], pred=[[[{"m": 1}, {"m": 2}], [{"t": 1}]]], multiply=True,
                ratings=[[[{"gold": 0, "ratings": {"m": 3}}, {"gold": None}], [{"gold": 0, "ratings": {"t": 3}}]]])
    assert (got["precision"], got["recall"], got["value"]) == pytest.approx((1 / 2, 1 / 2, 4 / 9))


@pytest.mark.parametrize("judge", [
    None, [[]], [[{"gold": 0, "ratings": {}}]], [[{"gold": 5, "ratings": {"m": 3}}]],
    [[{"gold": 0, "ratings": {"m": 4}}]], [[{"ratings": {"m": 3}}]], [{"m": 3}]])
def test_a_rating_left_out_or_off_the_scale_is_a_failed_judge(judge: Any) -> None:
    got = found("claims_gated", gold=[[[{"m": 1}]]], pred=[[[{"m": 1}]]], ratings=[judge])
    assert (got["judge_failed"], got["value"], got["f1_worst_case"]) == (1, None, 0.0)


def test_a_gold_row_is_met_once_and_an_answer_of_another_shape_is_unparsable() -> None:
    twice = [[{"gold": 0, "ratings": {"m": 3}}] * 2]
    assert found("claims_gated", gold=[[[{"m": 1}]]], pred=[[[{"m": 1}] * 2]], ratings=[twice])["judge_failed"] == 1
    assert found("claims_gated", gold=[[[{"m": 1}]]], pred=[[{"m": 1}]], ratings=[twice])["unparsable"] == 1


RUBRIC = {"goal": {"weight": 0.6, "criteria": {"fits": 0.5, "whole": 0.5}},
          "form": {"weight": 0.4, "criteria": {"clear": 1.0}}}


def test_a_rubric_of_two_levels() -> None:
    # 0.6 (0.5 * 8 + 0.5 * 6) + 0.4 * 5 = 4.2 + 2 = 6.2; without the mark for clear the judge failed.
    marks = {"goal": {"fits": 8, "whole": 6}, "form": {"clear": 5}}
    got = found("rubric", scores=[marks], rubric=RUBRIC)
    assert (got["grade"], got["value"]) == pytest.approx((6.2, 0.62))
    assert found("rubric", scores=[{**marks, "form": {}}], rubric=RUBRIC)["judge_failed"] == 1
    # Weights of the item itself, one level: 0.25 * 2 + 0.75 * 6 = 5.
    assert found("rubric", scores=[{"a": 2, "b": 6}], rubrics=[{"a": 0.25, "b": 0.75}])["grade"] == pytest.approx(5.0)


@pytest.mark.parametrize("rubric", [{"a": 0.5, "b": 0.6}, {"a": -1, "b": 2}, {}, {"a": "1"}, [1],
                                    {"a": {"weight": 1, "criteria": {"x": 0.9}}}])
def test_weights_that_do_not_sum_to_one_are_refused(rubric: Any) -> None:
    with pytest.raises(Refused, match="i0 has no rubric"):
        found("rubric", scores=[{"a": 1}], rubrics=[rubric])


def test_pqr() -> None:
    """P = 6.2 as above, Q = 7. R: 3 of 4 cited are supported, 4 of 8 claims cited: FA 7.5, CC 5, R 6.25.

    (6.2 + 7 + 6.25) / 3 = 6.48333. The second report was not written: half of all.
    """
    marks = {"P": {"goal": {"fits": 8, "whole": 6}, "form": {"clear": 5}}, "Q": {"depth": 7},
             "R": {"supported": [1, 1, True, 0], "claims": 8}}
    both = {"P": RUBRIC, "Q": {"depth": 1}}
    got = found("pqr", rows=[{"response": "..", "judge_score": marks}, None], rubric=both)
    assert got["value"] == pytest.approx((6.2 + 7 + 6.25) / 3 / 2)
    assert (got["factual_accuracy"], got["citation_coverage"], got["reliability"]) == (3.75, 2.5, 3.125)
    none = found("pqr", scores=[{**marks, "R": {"supported": [], "claims": 0}}], rubric=both)
    assert (none["factual_accuracy"], none["citation_coverage"]) == (0.0, 0.0)
    for wrong in ({"supported": [1, None], "claims": 3}, {"supported": [1, 1], "claims": 1}, None):
        assert found("pqr", scores=[{**marks, "R": wrong}], rubric=both)["judge_failed"] == 1


MARKS = {"task_fulfillment": 8, "grounding": [5, 7], "tool_appropriateness": 9, "parameter_accuracy": 7,
         "dependency_awareness": 4, "parallelism_and_efficiency": 2}


def test_mcp_bench() -> None:
    """Rates 8/10, 6/8, 5/10: mean 41/60. Axes 0.7, 0.8, 0.3. Overall (41/60 + 1.8) / 4 = 149/240.

    A task without calls and lowest marks: (0 + 3 * 0.1) / 4 = 0.075. Two groups of one and one task: the same mean.
    """
    calls = [{"total": 10, "valid": 8, "compliant": 6, "succeeded": 5}, dict.fromkeys(
        ("total", "valid", "compliant", "succeeded"), 0)]
    got = found("mcp_bench", calls=calls, marks=[MARKS, dict.fromkeys(MARKS, 1)], servers=["single", "multi"])
    assert got["value"] == pytest.approx((149 / 240 + 0.075) / 2) == got["by_servers"]
    assert (got["task_completion"], got["planning"]) == pytest.approx(((0.7 + 0.1) / 2, (0.3 + 0.1) / 2))
    assert got["schema_compliance"] == pytest.approx(0.75 / 2)
    assert found("mcp_bench", calls=[{"total": 1, "valid": 2, "compliant": 0, "succeeded": 0}],
                 marks=[MARKS])["unparsable"] == 1
    assert found("mcp_bench", calls=[calls[0]], marks=[{**MARKS, "grounding": [5, None]}])["judge_failed"] == 1


def test_sc_arena_means_each_task_and_sums_them() -> None:
    # The task type has 5 and 2 -> 70, qa has 3 -> 60. Sum 130, mean 65; all items: 200 / 3.
    got = found("sc_arena", scores=[5, 2, 3], tasks=["type", "type", "qa"])
    assert (got["task:type"], got["task:qa"], got["total"], got["value"]) == (70.0, 60.0, 130.0, 65.0)
    assert got["items_judged"] == pytest.approx(200 / 3)
    failed = found("sc_arena", scores=[5, None, 3], tasks=["type", "type", "qa"])
    assert (failed["value"], failed["task:type"], failed["task_mean_worst_case"]) == (None, 100.0, 55.0)


def test_plots_that_did_not_run_are_worth_nothing_and_a_failed_judge_is_no_failed_plot() -> None:
    """Marks 80, 75, 0 (did not run), not judged, missing: 3 of 5 ran; 155 over the four that need no judge, and 5."""
    got = found("visplot_task", ran=[True, True, False, True, None], task=[80, 75, None, None, None],
                visual=[60, 90, None, 50, None])
    assert (got["pass_rate"], got["judge_failed"], got["missing"], got["value"]) == (3 / 5, 1, 1, None)
    assert (got["task_mean_judged"], got["task_mean_worst_case"], got["task_good"]) == (38.75, 31.0, 2 / 4)
    assert got["task_median"] is None
    whole = found("visplot", ran=[True, True, False], task=[80, 75, None], visual=[60, 90, None])
    assert (whole["value"], whole["task_median"], whole["visual_median"]) == (2 / 3, 75.0, 60.0)
    assert whole["visual_good"] == 1 / 3


def test_progress_area_and_progress_per_turn_of_one_trial() -> None:
    """Notes at turns 1, 3, never, 3 of T 4: p = 1/4 1/4 3/4 3/4; area (1/4 + 1/2 + 3/4) / 3 = 1/2; 3/4 over turn 3."""
    assert figures([0.25, 0.25, 0.75, 0.75]) == {"progress": 0.75, "auc": 0.5, "ppt": 0.25, "success": 0.0}
    got = found("ted", trials=[[{"notes": [1, 3, False, 3], "turns": 4}]])
    assert (got["max_progress_at_k"], got["max_auc_at_k"], got["max_ppt_at_k"]) == pytest.approx((0.75, 0.5, 0.25))
    # Until turn 2 only the first note; and until turn 6 the curve stays: (1/4 + 1/2 + 3 * 3/4) / 5.
    assert found("ted", trials=[[{"notes": [1, 3, False, 3], "turns": 4}]], turns=2)["value"] == 0.25
    assert found("ted", trials=[[{"notes": [1, 3, False, 3], "turns": 4}]], turns=6)["max_auc_at_k"] == 0.6


def test_the_expected_best_of_k_trials() -> None:
    """Progress 0, 1/2, 1 of three trials, two of them drawn: 1/2, 1, 1 -> 5/6; pass@2: 2 of 3 pairs; mean 1/2."""
    assert best_of([1.0, 0.0, 0.5], 2) == pytest.approx(5 / 6)
    notes: list[list[Any]] = [[False, False], [1, False], [1, 2]]
    got = found("ted", trials=[[{"notes": one, "turns": 2} for one in notes]], k=2)
    assert (got["value"], got["pass_at_k"], got["mean_progress"]) == pytest.approx((5 / 6, 2 / 3, 1 / 2))
    assert got["trials"] == {"3": 1}
    # Two units: the other has no trial at all and lowers the mean by half.
    half = found("ted", trials=[[{"notes": one, "turns": 2} for one in notes], []], k=2)
    assert (half["value"], half["missing"]) == (pytest.approx(5 / 12), 1)


def test_runs_of_a_judge_of_notes_vote_and_a_failed_run_fails_the_trial() -> None:
    # Two of three runs have the note by turn 4; one of two runs is no majority.
    got = found("ted", trials=[[{"notes": [[2, 4, False], [1, False]], "turns": 4}]])
    assert got["value"] == 0.5
    assert found("ted", trials=[[{"notes": [[2, 4, False]], "turns": 4}]], turns=3)["value"] == 0.0
    for notes in ([[1, None, 1]], [None], [9], []):
        failed = found("ted", trials=[[{"notes": notes, "turns": 4}, {"notes": [1], "turns": 4}]], k=2)
        assert (failed["judge_failed"], failed["value"], failed["max_progress_at_k_worst_case"]) == (0.5, None, 1.0)
    assert found("ted", trials=[[{"notes": [1], "turns": 1}]], notes=[2])["judge_failed"] == 1


def test_words_of_short_texts() -> None:
    """"a red big cat" against "the red cat": red, cat shared of 3 and 2: 4/5. Case and marks alone: 1, not exact."""
    got = found("text_match", gold=["the red cat", "Rome"], pred=["a red big cat", "rome!"])
    assert (got["value"], got["normalised"], got["exact"]) == ((0.8 + 1) / 2, 0.5, 0.0)
