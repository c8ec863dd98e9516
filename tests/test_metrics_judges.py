"""Metrics of judges and reward models: the published rules, figures worked out by hand, and a second way to each."""

from __future__ import annotations

import math
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.errors import Refused
from exports.scorer.metrics.consistent_accuracy import differences
from exports.scorer.metrics.non_transitivity import kind
from exports.scorer.score import score
from tests.cases_scores import compute
from tests.scored_case import answers, golds
from tests.small_bundle import predictions, write

LAWS = settings(max_examples=30, deadline=None, derandomize=True)

# As printed for TrustJudge (arXiv 2509.21117): (A?B, B?C, A?C).
CONSISTENT = ">>> >=> ><> ><= ><< =>> === =<< <>> <>= <>< <=< <<<".split()
CIRCLE = ">>< >=< =>< =<> <=> <<>".split()
EQUAL = ">>= >== =>= ==> ==< =<= <== <<=".split()


def test_the_27_relations_of_three_things_are_of_the_published_kinds() -> None:
    signs = {">": 1, "=": 0, "<": -1}
    found: dict[str, list[str]] = {"consistent": [], "circular": [], "equality": []}
    for three in product(">=<", repeat=3):
        found[kind(*(signs[one] for one in three))].append("".join(three))
    assert {name: sorted(some) for name, some in found.items()} == {
        "consistent": sorted([*CONSISTENT]), "circular": sorted(CIRCLE), "equality": sorted(EQUAL)}


def test_whether_a_triple_is_consistent_does_not_depend_on_the_order_in_which_it_is_told() -> None:
    for ab, bc, ac in product((1, 0, -1), repeat=3):
        relation = {("a", "b"): ab, ("b", "c"): bc, ("a", "c"): ac, ("b", "a"): -ab, ("c", "b"): -bc, ("c", "a"): -ac}
        assert len({kind(relation[x, y], relation[y, z], relation[x, z]) == "consistent"
                    for x, y, z in permutations("abc")}) == 1


@LAWS
@given(st.lists(st.sampled_from([1, 0, -1]), min_size=10, max_size=10))
def test_non_transitivity_is_the_share_of_subsets_that_no_order_with_ties_explains(signs: list[int]) -> None:
    verdicts = [[a, b, sign] for (a, b), sign in zip(combinations("abcde", 2), signs, strict=True)]
    relation = {(a, b): sign for a, b, sign in verdicts}
    found = compute({"metric": "non_transitivity", "verdicts": verdicts})
    for k in (3, 4, 5):
        # The slow way: a subset is explained if some ranks give every one of its relations.
        broken = [not any(all(relation[x, y] == (ranks[j] > ranks[i]) - (ranks[j] < ranks[i])
                              for (i, x), (j, y) in combinations(enumerate(some), 2))
                          for ranks in product(range(k), repeat=k)) for some in combinations("abcde", k)]
        assert found[f"ntr_{k}"] == pytest.approx(sum(broken) / len(broken))


def test_subsets_with_a_missing_verdict_are_skipped_and_counted() -> None:
    groups = {"one": [["a", "b", 1], ["b", "c", 1], ["a", "c", -1], ["a", "d", 1], ["b", "d", 1], ["c", "d", None]],
              "two": [["x", "y", 0], ["y", "z", 0], ["x", "z", ">"]]}
    found = compute({"metric": "non_transitivity", "verdicts": groups, "k": 3})
    # Complete triples: abc (a circle), abd (fine), xyz (equality broken); acd and bcd lack a verdict.
    assert (found["ratio"], found["circular"], found["equality"], found["skipped"]) == (2 / 3, 1 / 3, 1 / 3, 2)
    assert (found["skipped_4"], found["ntr_4"], found["missing"]) == (1, None, 1)


def test_scores_that_contradict_the_verdict_are_conflicts_and_unread_pairs_stand_apart() -> None:
    pairs = [[4, 3, 1], [4, 4, 0], [3, 4, 1], [4, 3, 0], [4, 4, 1], [4, 3, [1, -1]], [4.4, 4, 0], [None, 3, 1]]
    found = compute({"metric": "conflict_ratio", "pairs": pairs})
    assert (found["ratio"], found["worst_case"], found["coverage"]) == (5 / 7, 6 / 8, 7 / 8)
    assert found["without_ties"] == 1 / 2 and found["missing"] == 1
    # Less than 0.5 apart is equal: then the seventh is no conflict.
    assert compute({"metric": "conflict_ratio", "pairs": pairs, "delta": 0.5})["ratio"] == 4 / 7


def test_the_ties_score_is_the_published_one_for_two_prompts_of_each_kind() -> None:
    case = {"metric": "rb2_ties",
            "ref": {"1": {"correct": [5], "wrong": [1, 2, 0]}, "2": {"correct": [1], "wrong": [2, 0]}},
            "tied": {"1": {"correct": [4, 3.5, 3], "wrong": [1, 0.5]}, "2": {"correct": [3, 1], "wrong": [0.5, 0]}}}
    found = compute(case)
    assert found["score"] == pytest.approx(0.64928, abs=5e-6)
    # Both tied are accurate, one ref is; gaps 2 and 0.5 against widths 1 and 2; with ref gaps 3 and -1.
    assert (found["tied_accuracy"], found["ref_accuracy"], found["preferred"], found["hard"]) == (1.0, 0.5, 0.5, 0.5)
    assert found["margin"] == pytest.approx((math.tanh(2 / 1 - 1) + math.tanh(-1 / 2 - 1)) / 2)


def test_a_width_of_zero_has_no_margin_and_a_missing_prompt_the_worst() -> None:
    ref = {"1": {"correct": [5], "wrong": [1]}}
    assert compute({"metric": "rb2_ties", "ref": ref, "tied": {"1": {"correct": [2, 2], "wrong": [1]}}})[
        "score"] == pytest.approx(1.0)
    missing = compute({"metric": "rb2_ties", "ref": ref, "tied": {"1": {"correct": [None, 2], "wrong": [1]}}})
    assert missing["score"] == pytest.approx(0.30 - 0.01) and missing["missing"] == 1


def test_differences_in_the_ties_score_are_exact() -> None:
    # 0.2 - 0.1 equals 0.3 - 0.2 and is not above it, whatever floats say.
    found = compute({"metric": "rb2_ties", "ref": {"1": {"correct": [1], "wrong": [0]}},
                     "tied": {"1": {"correct": [0.3, 0.2], "wrong": [0.1]}}})
    assert (found["preferred"], found["hard"], found["margin"]) == (0.0, 0.0, 0.0)


def test_rewardbench_2_is_the_plain_mean_of_its_subsets() -> None:
    found = compute({"metric": "rewardbench2", "subsets": {"Math": [[1, 0, 0, 0], [0, 1, 0, 0]],
                                                           "Safety": [[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]]},
                     "ref": {"1": {"correct": [5], "wrong": [1]}}, "tied": {"1": {"correct": [2, 2], "wrong": [1]}}})
    assert (found["subset:Math"], found["subset:Safety"]) == (1 / 2, pytest.approx((0.5 + 0.5 + 0.25) / 3))
    assert found["subset:Ties"] == pytest.approx(1.0)
    assert found["score"] == pytest.approx((1 / 2 + 1.25 / 3 + 1.0) / 3)


def test_best_of_n_shares_the_credit_of_equals_and_does_not_reward_silence() -> None:
    found = compute({"metric": "best_of_n", "correct_index": [1, 0, 0], "scores": [[0, 1, 1], [2, 1], None]})
    assert (found["accuracy"], found["missing"]) == ((0.5 + 1 + 0) / 3, 1)
    assert found["accuracy_upstream"] == pytest.approx((0.5 + 1 + 0.25) / 3)


def _by_brute_force(human: list[int], model: list[float]) -> tuple[float, float]:
    tried = []
    for epsilon in sorted({0.0, *map(abs, model)}):
        signs = [0 if abs(m) <= epsilon else int(np.sign(m)) for m in model]
        tried.append((sum(h == m for h, m in zip(human, signs, strict=True)) / len(human), -epsilon))
    best = max(tried)
    return best[0], -best[1]


@LAWS
@given(st.lists(st.tuples(st.sampled_from([1, 0, -1]), st.integers(-6, 6)), min_size=1, max_size=20))
def test_accuracy_with_ties_is_the_largest_over_all_thresholds(rows: list[tuple[int, int]]) -> None:
    human, model = [h for h, _ in rows], [m / 8 for _, m in rows]
    found = compute({"metric": "editreward", "human": human, "model": model})
    assert (found["with_ties"], found["epsilon"]) == pytest.approx(_by_brute_force(human, model))
    decided = [(h, m) for h, m in zip(human, model, strict=True) if h]
    if decided:
        assert found["without_ties"] == pytest.approx(sum(h * m > 0 for h, m in decided) / len(decided))


def test_the_interval_of_accuracy_with_ties_looks_for_the_threshold_in_every_draw(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    human = [int(one) for one in rng.choice([1, 0, -1], 60)]
    model = [round(one + float(rng.normal(0, 0.8)), 2) for one in human]
    items = [{"id": f"i{n}", "candidates": ["c0", "c1"]} for n in range(60)]
    gold = golds([{1: "c0", -1: "c1", 0: "both_good"}[one] for one in human])
    bundle = write(tmp_path / "b", items, gold, [("editreward", "q")])
    (row,) = score(bundle, {"s": predictions(tmp_path / "p.jsonl", answers([[one, 0] for one in model], "scores"))})[
        "systems"][0]["metrics"]
    draws = []
    for _ in range(400):
        chosen = rng.integers(0, 60, 60)
        draws.append(_by_brute_force([human[n] for n in chosen], [model[n] for n in chosen])[0])
    low, high = row["ci"]
    assert row["ci_method"] == "bootstrap_bca_items" and low < row["value"] < high
    # BCa moves the ends down: every draw finds a threshold of its own and is a little too good.
    assert low == pytest.approx(np.quantile(draws, 0.025), abs=0.1)
    assert high == pytest.approx(np.quantile(draws, 0.975), abs=0.1)


def test_a_ranking_of_three_counts_its_pairs_and_is_strictly_right_only_as_a_whole() -> None:
    groups = [{"ranking": [2, 0, 1], "scores": [5, 1, 9]}, {"ranking": [0, 1, 2], "scores": [3, 1, 2]},
              {"ranking": [0, 1], "scores": None}]
    found = compute({"metric": "editreward", "groups": groups})
    assert (found["without_ties"], found["without_ties:3"], found["without_ties:2"]) == (5 / 7, 5 / 6, 0.0)
    assert (found["strict"], found["missing"], found["coverage"]) == (1 / 3, 1, 2 / 3)


def test_a_group_of_verdicts_counts_only_if_all_its_pairs_are_right() -> None:
    groups = [{"gold": ["A"], "pred": ["A"]}, {"gold": ["tie"], "pred": ["B"]},
              {"gold": ["A", "A", "B"], "pred": ["A", "A", "B"]}, {"gold": ["A", "A", "B"], "pred": ["A", "A", None]}]
    found = compute({"metric": "editreward_verdicts", "groups": groups})
    assert (found["accuracy"], found["2pair"], found["3pair"], found["pairs"]) == (1 / 2, 1 / 2, 1 / 2, 6 / 8)
    assert (found["n"], found["missing"]) == (4, 1)
    with pytest.raises(Refused, match="has 2 pairs and not 1, 3 or 6"):
        compute({"metric": "editreward_verdicts", "groups": [{"gold": ["A", "B"], "pred": ["A", "B"]}]})


def test_a_judge_is_consistent_where_both_orders_are_right_and_its_age_shows_in_differences() -> None:
    tags: list[dict[str, Any]] = [{"generator": one, "exposure": other} for one in ("weak", "strong")
                                  for other in ("seen", "unseen")]
    said = [["A", "B"], ["A", "B"], ["A", "B"], ["A", "A"]]
    found = compute({"metric": "shelf_life", "groups": [{**tag, "gold": ["A", "B"], "pred": pred}
                                                        for tag, pred in zip(tags, said, strict=True)]})
    assert (found["consistent_accuracy"], found["accuracy"], found["weak"], found["strong"]) == (3 / 4, 7 / 8, 1.0, 0.5)
    assert (found["strong_minus_weak"], found["unseen_minus_seen"]) == (-0.5, -0.5)
    strong = {"weak": 78.5, "strong": 82.5, "seen": 90.0, "unseen": 80.0}
    assert differences({"weak": 80.0, "strong": 75.0}, strong) == {
        "future_proof": -5.0, "refresh_advantage": 7.5, "back_compatibility": -1.5, "compatibility_shift": -4.0,
        "question_generalisation": -10.0}
    assert differences({"weak": 80.0}, {})["future_proof"] is None


def test_groups_are_scored_for_every_epoch_and_an_item_left_out_of_one_is_missing_there(tmp_path: Path) -> None:
    items = [{"id": f"i{n}", "candidates": ["l", "r"], "slices": {"group": "g"}} for n in range(2)]
    bundle = write(tmp_path / "b", items, golds(["l", "r"]), [("consistent_accuracy", "q")])
    rows = [{"id": "i0", "answer": "l", "epoch": 1}, {"id": "i1", "answer": "r", "epoch": 1},
            {"id": "i0", "answer": "l", "epoch": 2}]
    (row,) = score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)})["systems"][0]["metrics"]
    assert (row["value"], row["n"], row["missing"]) == (0.5, 1, 1)


def test_groups_are_resampled_whole_and_stand_in_the_slices_of_their_items(tmp_path: Path) -> None:
    items = [{"id": f"i{n}", "candidates": ["l", "r"], "cluster": f"c{n // 4}",
              "slices": {"group": f"g{n // 2}", "half": "first" if n < 20 else "second"}} for n in range(40)]
    bundle = write(tmp_path / "b", items, golds(["l", "r"] * 20), [("consistent_accuracy", "q")])
    rows = [{"id": f"i{n}", "answer": "l" if n % 2 == 0 or n // 4 % 2 else "r"} for n in range(40)]
    (system,) = score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)})["systems"]
    (row,) = system["metrics"]
    assert (row["value"], row["n"], row["ci_method"]) == (0.5, 20, "wilson_effective_n")
    halves = [one for one in system["slices"] if one["field"] == "half"]
    assert [(one["value"], one["n"]) for one in halves] == [("first", 10), ("second", 10)]
