"""Comparisons, runs, people, slices and versions of gold: figures worked by hand, statsmodels, and planted truths."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from annotation.errors import Refused, Unknown
from exports.scorer.metric import Unit
from exports.scorer.score import Options, score
from exports.scorer.slices import slices_of
from tests.small_bundle import predictions, write

LAW = settings(derandomize=True, deadline=None, max_examples=25)
CHOICES = {"q": [{"id": one, "text": f"the {one}"} for one in ("yes", "no", "unsure")]}
Rows = list[dict[str, Any]]


def bundle(folder: Path, gold: list[str], *, clusters: list[str] | None = None, slices: Rows | None = None,
           people: Rows = [], ids: list[str] | None = None) -> Path:  # noqa: B006 - never changed
    names = ids or [f"i{n}" for n in range(len(gold))]
    items = [{"id": name, "choices": CHOICES, "cluster": clusters[n] if clusters else None,
              "slices": slices[n] if slices else {}} for n, name in enumerate(names)]
    return write(folder, items, [{"id": name, "question": "q", "answer": one} for name, one in
                                 zip(names, gold, strict=True)], [("accuracy", "q")], people)


def said(path: Path, answers: Sequence[str | None], **more: Any) -> Path:
    return predictions(path, [{"id": f"i{n}", "answer": one, **more} for n, one in enumerate(answers)
                              if one is not None])


def the(scores: dict[str, Any], system: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in scores["systems"] if one["system"] == system)["metrics"][0]
    return found


@LAW
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=3, max_size=60))
def test_mcnemar_is_that_of_statsmodels_and_accuracy_that_of_scikit_learn(
        tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[bool, bool]]) -> None:
    folder = tmp_path_factory.mktemp("m")
    gold = ["yes"] * len(pairs)
    answers = [["yes" if one[place] else "no" for one in pairs] for place in (0, 1)]
    found = score(bundle(folder / "b", gold), {"a": said(folder / "a.jsonl", answers[0]),
                                               "b": said(folder / "b.jsonl", answers[1])}, options=Options(
        replicates=200))
    (row,) = found["comparisons"]
    table = [[sum(a and b for a, b in pairs), sum(a and not b for a, b in pairs)],
             [sum(b and not a for a, b in pairs), sum(not a and not b for a, b in pairs)]]
    counts = row["mcnemar"]
    assert [[counts["both"], counts["first_only"]], [counts["second_only"], counts["neither"]]] == table
    assert row["p"] == pytest.approx(mcnemar(table, exact=True).pvalue) and row["p_method"] == "mcnemar_exact"
    shares = [accuracy_score(gold, one) for one in answers]
    assert (row["first_value"], row["second_value"]) == pytest.approx(shares)
    assert row["difference"] == pytest.approx(shares[0] - shares[1])


def test_only_items_that_both_answered_are_compared_and_how_many_fell_out_is_said(tmp_path: Path) -> None:
    a: list[str | None] = ["yes", "no", None, "yes", "yes"]
    b: list[str | None] = ["yes", "yes", "yes", None, "no"]
    found = score(bundle(tmp_path / "b", ["yes"] * 5), {"a": said(tmp_path / "a.jsonl", a),
                                                        "b": said(tmp_path / "b.jsonl", b)})
    (row,) = found["comparisons"]
    assert (row["n"], row["left_out"]) == (3, 2)
    assert (row["first_value"], row["second_value"]) == pytest.approx((2 / 3, 2 / 3))
    assert the(found, "a")["value"] == 3 / 5  # alone, what is missing is wrong


def test_holm_over_all_pairs_is_that_of_statsmodels(tmp_path: Path) -> None:
    rng = random.Random(4)
    files = {name: said(tmp_path / f"{name}.jsonl", ["yes" if rng.random() < p else "no" for _ in range(200)])
             for name, p in (("a", .9), ("b", .8), ("c", .78), ("d", .6))}
    rows = score(bundle(tmp_path / "b", ["yes"] * 200), files)["comparisons"]
    assert len(rows) == 6
    assert [row["p_holm"] for row in rows] == pytest.approx(
        multipletests([row["p"] for row in rows], method="holm")[1])
    found = {(row["first"], row["second"]): row["finding"] for row in rows}
    assert found["a", "d"] == "a has the higher value"
    assert found["b", "c"].startswith("no difference found; one of 0.")


def test_a_difference_that_is_not_found_comes_with_the_one_that_would_have_been(tmp_path: Path) -> None:
    """(1.959964 + 0.841621) times the standard error of the paired difference."""
    rng = random.Random(5)
    files = {name: said(tmp_path / f"{name}.jsonl", ["yes" if rng.random() < .7 else "no" for _ in range(400)])
             for name in "ab"}
    (row,) = score(bundle(tmp_path / "b", ["yes"] * 400), files)["comparisons"]
    off = row["mcnemar"]["first_only"] + row["mcnemar"]["second_only"]
    se = ((off - (row["mcnemar"]["first_only"] - row["mcnemar"]["second_only"]) ** 2 / 400) / 400**2) ** 0.5
    assert row["se"] == pytest.approx(se, rel=0.06)
    assert row["detectable"] == pytest.approx(2.801585 * row["se"], rel=1e-5)


def test_in_clusters_the_p_is_that_of_the_bootstrap_and_wider_than_mcnemars(tmp_path: Path) -> None:
    rng = random.Random(6)
    clusters = [f"c{n // 10}" for n in range(300)]
    easy = {name: rng.random() < .6 for name in set(clusters)}
    a = ["yes" if easy[one] else "no" for one in clusters]
    b = ["yes"] * 150 + ["no"] * 150
    (row,) = score(bundle(tmp_path / "b", ["yes"] * 300, clusters=clusters),
                   {"a": said(tmp_path / "a.jsonl", a), "b": said(tmp_path / "b.jsonl", b)})["comparisons"]
    assert row["ci_method"] == "paired_bootstrap_clusters" and row["p_method"] == "bootstrap"
    assert row["p"] > row["mcnemar"]["p"]
    assert row["ci"][0] <= row["difference"] <= row["ci"][1]


def test_runs_give_mean_spread_and_what_several_tries_are_worth(tmp_path: Path) -> None:
    """Four items, right in 3, 2, 1 and 0 of 3 runs: any of 2 is 1, 1, 2/3, 0; all of 2 is 1, 1/3, 0, 0."""
    rows = [{"id": f"i{n}", "epoch": run, "answer": "yes" if run < 3 - n else "no"} for n in range(4)
            for run in range(3)]
    runs = the(score(bundle(tmp_path / "b", ["yes"] * 4), {"m": predictions(tmp_path / "p.jsonl", rows)}), "m")["runs"]
    assert [one["value"] for one in runs["values"]] == [3 / 4, 2 / 4, 1 / 4]
    assert (runs["n"], runs["mean"], runs["sd"], runs["min"], runs["max"]) == pytest.approx((3, .5, .25, .25, .75))
    assert runs["any_of_k"] == pytest.approx({"1": .5, "2": (1 + 1 + 2 / 3) / 4, "3": 3 / 4})
    assert runs["all_of_k"] == pytest.approx({"1": .5, "2": (1 + 1 / 3) / 4, "3": 1 / 4})


def test_an_item_left_out_of_one_run_is_wrong_there_and_several_conditions_are_no_tries(tmp_path: Path) -> None:
    rows = [{"id": "i0", "answer": "yes", "condition": "plain"}, {"id": "i0", "answer": "yes", "condition": "image"},
            {"id": "i1", "answer": "yes", "condition": "plain"}]
    found = the(score(bundle(tmp_path / "b", ["yes", "yes"]), {"m": predictions(tmp_path / "p.jsonl", rows)}), "m")
    assert (found["value"], found["missing"], found["runs"]["any_of_k"]) == (0.75, 1, None)
    assert {one["condition"]: one["value"] for one in found["runs"]["values"]} == {"plain": 1.0, "image": 0.5}


def rated(tmp_path: Path, by_rater: dict[str, list[str | None]], **tiers: str) -> Path:
    return predictions(tmp_path / "people.jsonl", [
        {"id": f"i{n}", "rater": rater, "answer": one, **({"tier": tiers[rater]} if rater in tiers else {})}
        for rater, answers in by_rater.items() for n, one in enumerate(answers) if one is not None])


def test_people_count_with_what_each_answered_and_coverage_is_said(tmp_path: Path) -> None:
    people = rated(tmp_path, {"ana": ["yes", "yes", None, None], "ben": [None, "no", "yes", None]}, ana="expert")
    found = score(bundle(tmp_path / "b", ["yes"] * 4), {"h": people})
    mean = the(found, "h")
    assert (mean["value"], mean["n"], mean["coverage"], mean["missing"]) == (0.75, 3, 0.75, 0)
    assert mean["people"] == [{"rater": "ana", "value": 1.0, "n": 2}, {"rater": "ben", "value": 0.5, "n": 2}]
    # i1 is tied between yes and no, which counts as drawn by lot.
    majority = the(found, "h (majority)")
    assert (majority["value"], majority["n"], majority["tied"]) == (pytest.approx(2.5 / 3), 3, 1)
    assert the(found, "h (best person)")["rater"] == "ana" and the(found, "h (tier expert)")["value"] == 1.0
    assert [one["kind"] for one in found["systems"]] == ["people", "people", "majority", "best person"]


def test_who_met_half_of_the_items_under_each_condition_left_nothing_out(tmp_path: Path) -> None:
    """As in a timed study: nobody sees an item twice, and each condition is a row of its own beside the whole."""
    rows = [{"id": f"i{n}", "rater": rater, "condition": "with" if (n + k) % 2 else "without",
             "answer": "yes" if (n + k) % 2 or n < 2 else "no"}
            for k, rater in enumerate(("ana", "ben")) for n in range(4)]
    found = score(bundle(tmp_path / "b", ["yes"] * 4), {"h": predictions(tmp_path / "people.jsonl", rows)})
    mean = the(found, "h")
    assert (mean["value"], mean["missing"], mean["coverage"]) == (0.75, 0, 1.0)
    assert the(found, "h (condition with)")["value"] == 1.0
    assert (the(found, "h (condition without)")["value"], the(found, "h (condition without)")["n"]) == (0.5, 4)


def test_the_gap_to_people_is_over_the_items_that_both_answered(tmp_path: Path) -> None:
    """The model is right on i0 and i1 alone; ana (i0, i1) 1/2, model there 1; ben (i2) 1, model there 0: gap -1/4."""
    people = rated(tmp_path, {"ana": ["yes", "no", None, None], "ben": [None, None, "yes", None]})
    model = said(tmp_path / "m.jsonl", ["yes", "yes", "no", "no"])
    found = score(bundle(tmp_path / "b", ["yes"] * 4), {"m": model, "h": people})
    gap = next(one for one in found["gaps"] if one["people"] == "h")
    assert (gap["n"], gap["persons"], gap["gap"]) == (3, 2, pytest.approx(-0.25))
    assert (gap["system_value"], gap["people_value"]) == (0.5, 0.75)
    assert found["comparisons"] == []  # people are no system among the models


def test_the_crossed_interval_is_wider_than_people_or_items_alone_would_make_it(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    skill = [.95, .85, .75, .65, .55, .9, .6, .7]
    answers: dict[str, list[str | None]] = {
        f"r{p}": ["yes" if rng.random() < one else "no" for _ in range(60)] for p, one in enumerate(skill)}
    found = the(score(bundle(tmp_path / "b", ["yes"] * 60), {"h": rated(tmp_path, answers)}), "h")
    assert found["ci_method"] == "bootstrap_crossed"
    values = [one["value"] for one in found["people"]]
    alone = 2 * 1.96 * np.std(values, ddof=1) / 8**0.5
    assert found["ci"][1] - found["ci"][0] > 0.9 * alone
    assert found["ci"][0] < found["value"] < found["ci"][1]


def test_people_and_a_model_are_two_files(tmp_path: Path) -> None:
    rows = [{"id": "i0", "rater": "ana", "answer": "yes"}, {"id": "i1", "answer": "yes"}]
    with pytest.raises(Refused, match="names no rater, and others do") as refusal:
        score(bundle(tmp_path / "b", ["yes"] * 2), {"h": predictions(tmp_path / "p.jsonl", rows)})
    assert (refusal.value.where.line, refusal.value.where.key) == (2, "rater")


def units(sizes: dict[str, int]) -> list[Unit]:
    return [Unit(id=f"{name}{n}", question="q", element=None, gold="yes", slices={"kind": name})
            for name, size in sizes.items() for n in range(size)]


def test_what_is_held_out_hides_so_much_that_no_small_slice_can_be_computed() -> None:
    shown = {tag: reason for _, tag, _, reason in slices_of(units({"a": 50, "b": 30, "c": 5}), 20, True)}
    assert shown == {"a": None, "b": "held back: a smaller slice could be computed from it", "c": "n too small"}
    # Two small ones that are 20 together cannot be told apart; two that are fewer take a third with them.
    assert [one[3] for one in slices_of(units({"a": 50, "b": 12, "c": 8}), 20, True)] == [
        None, "n too small", "n too small"]
    assert [one[3] is None for one in slices_of(units({"a": 50, "b": 6, "c": 8, "d": 40}), 20, True)] == [
        True, False, False, False]
    assert [one[3] for one in slices_of(units({"a": 50, "c": 5}), 20, False)] == [None, "n too small"]


def test_a_tag_named_like_the_total_is_a_slice_like_others(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "b", ["yes"] * 4, slices=[{"kind": "accuracy"}, {"kind": "accuracy"}, {"kind": "all"},
                                                         {"other": "x"}])
    found = score(folder, {"m": said(tmp_path / "p.jsonl", ["yes", "no", "yes", "yes"])}, options=Options(least=1))
    assert the(found, "m")["value"] == 0.75
    assert [(one["field"], one["value"], one["value_of"]) for one in found["systems"][0]["slices"]] == [
        ("kind", "accuracy", 0.5), ("kind", "all", 1.0), ("kind", None, 1.0),
        ("other", "x", 1.0), ("other", None, pytest.approx(2 / 3))]


def test_where_people_agreed_the_score_stands_beside_what_people_reach(tmp_path: Path) -> None:
    votes = [("yes", "yes", "yes")] * 20 + [("yes", "yes", "no")] * 20 + [("yes", "no", "unsure")] * 20
    people = [{"id": f"i{n}", "question": "q", "annotator": f"p{k}", "answer": one, "withheld": k == 1}  # the reason
              for n, some in enumerate(votes) for k, one in enumerate(some)]
    folder = bundle(tmp_path / "b", ["yes"] * 60, people=people)
    model = said(tmp_path / "m.jsonl", ["yes"] * 30 + ["no"] * 30)
    found = score(folder, {"m": model}, options=Options(agreed=((2, 3), (3, 3))))["agreed"]
    assert [(one["n"], one["left_out"], one["systems"][0]["value"]) for one in found] == [(40, 20, .75), (20, 40, 1.0)]
    assert found[0]["ceiling"] == pytest.approx((1 + 1 + .5) / 3) and found[1]["ceiling"] == 1.0


def test_two_versions_of_the_gold_side_by_side_with_ranks(tmp_path: Path) -> None:
    """Gold of i0..i9 turns from no to yes, i40..i44 are new: a (always yes) overtakes b."""
    old = bundle(tmp_path / "old", ["no"] * 10 + ["yes"] * 15 + ["no"] * 15)
    new = bundle(tmp_path / "new", ["yes"] * 25 + ["no"] * 15 + ["yes"] * 5)
    files = {"a": said(tmp_path / "a.jsonl", ["yes"] * 45), "b": said(tmp_path / "b.jsonl", ["no"] * 45)}
    found = score(new, files, against=old)["against"]
    assert found["gold"] == {"common": 40, "only_here": 5, "only_there": 0, "changed": 10}
    a, b = found["systems"]
    assert (a["before"], a["after"]) == pytest.approx((15 / 40, 30 / 45))
    assert (a["rank_before"], a["rank_after"], b["rank_before"], b["rank_after"]) == (2, 1, 1, 2)
    assert found["rank_changes"] == 2 and a["n_common"] == 40
    assert a["common_change"] == pytest.approx(10 / 40) and b["common_change"] == pytest.approx(-10 / 40)
    assert a["ci"][0] < .25 < a["ci"][1]


def test_predictions_by_key_are_read_in_both_versions(tmp_path: Path) -> None:
    old, new = bundle(tmp_path / "old", ["yes"] * 3 + ["no"]), bundle(tmp_path / "new", ["yes"] * 4)
    keys = predictions(tmp_path / "k.jsonl", [{"id": f"k-i{n}", "answer": "yes"} for n in range(4)])
    found = score(new, {"a": keys}, against=old)
    assert the(found, "a") == the(score(new, {"a": keys}), "a") and the(found, "a")["value"] == 1.0
    assert (found["against"]["systems"][0]["before"], found["against"]["systems"][0]["after"]) == (.75, 1.0)


def test_answers_to_an_item_that_was_taken_out_are_passed_over(tmp_path: Path) -> None:
    rows: Rows = [{"id": f"i{n}", "choices": CHOICES} for n in range(2)]
    gold: Rows = [{"id": f"i{n}", "question": "q", "answer": "yes"} for n in range(2)]
    gone: Rows = [{"id": "i2", "tombstone": "ab"}]
    folder = write(tmp_path / "b", rows + gone, gold + gone, [("accuracy", "q")])
    one = the(score(folder, {"a": said(tmp_path / "a.jsonl", ["yes", "no", "yes"])}), "a")
    assert (one["value"], one["n"], one["outside"]) == (0.5, 2, 1)
    keys = predictions(tmp_path / "k.jsonl", [{"id": f"k-i{n}", "answer": "yes"} for n in range(3)])
    with pytest.raises(Refused, match="no item 'k-i2'; items were taken out"):
        score(folder, {"a": keys})


def test_an_item_that_neither_version_has_is_still_unknown(tmp_path: Path) -> None:
    old, new = bundle(tmp_path / "old", ["yes"] * 3), bundle(tmp_path / "new", ["yes"] * 2)
    with pytest.raises(Refused, match="no item 'i3'"):
        score(new, {"a": said(tmp_path / "a.jsonl", ["yes"] * 4)}, against=old)
    assert the(score(new, {"a": said(tmp_path / "c.jsonl", ["yes"] * 3)}, against=old), "a")["outside"] == 1
    with pytest.raises(Refused, match="no item 'i2'"):
        score(new, {"a": said(tmp_path / "d.jsonl", ["yes"] * 3)})


def test_judges_of_weak_and_strong_generators_get_the_five_differences(tmp_path: Path) -> None:
    items = [{"id": f"i{n}", "candidates": ["l", "r"], "slices": {"group": f"g{n // 2}",
                                                                   "generator": "weak" if n < 4 else "strong"}}
             for n in range(8)]
    folder = write(tmp_path / "b", items, [{"id": f"i{n}", "question": "q", "answer": "l"} for n in range(8)],
                   [("consistent_accuracy", "q")])
    files = {"w": said(tmp_path / "w.jsonl", ["l"] * 4 + ["r"] * 4), "s": said(tmp_path / "s.jsonl", ["l"] * 8)}
    found = score(folder, files, options=Options(shelf_life=("w", "s")))["shelf_life"]
    assert found["differences"] == {"future_proof": -1.0, "refresh_advantage": 1.0, "back_compatibility": 0.0,
                                    "compatibility_shift": 0.0, "question_generalisation": None}
    with pytest.raises(Unknown, match="no system 'x'"):
        score(folder, files, options=Options(shelf_life=("x", "s")))
