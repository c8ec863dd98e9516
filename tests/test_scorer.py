"""The scorer: figures worked out by hand, the reference vectors, baselines, slices, and imports."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from annotation.errors import Refused, Unknown
from exports.scorer.score import Options, named_files, score
from exports.scorer.table import table
from tests.small_bundle import ROOT, SHARED, predictions, write

VECTORS = SHARED / "cases" / "scorer" / "vectors.json"
OPTIONS = {"q": [{"id": "yes", "text": "Yes, it is"}, {"id": "no", "text": "No"}, {"id": "unsure", "text": "Unsure"}]}


def yes_no(tmp_path: Path, answers: str, **more: Any) -> Path:
    """A bundle of one choice question; ``answers``: y or n for each item i0, i1, .."""
    items = [{"id": f"i{n}", "choices": OPTIONS, **{key: value[n] for key, value in more.items()}}
             for n in range(len(answers))]
    gold = [{"id": f"i{n}", "question": "q", "answer": {"y": "yes", "n": "no"}[a]} for n, a in enumerate(answers)]
    return write(tmp_path / "bundle", items, gold, [("accuracy", None)])


def one(scores: dict[str, Any], system: str = "s", place: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in scores["systems"] if one["system"] == system)["metrics"][place]
    return found


def test_accuracy_counts_missing_refused_and_unparsable_as_wrong_and_apart(tmp_path: Path) -> None:
    bundle = yes_no(tmp_path, "yynnyn")
    rows: list[dict[str, Any]] = [
        {"id": "i0", "answer": "yes"}, {"id": "i1", "answer": "  Yes, it is\n"}, {"id": "i2", "refused": True},
        {"id": "i3", "answer": "perhaps"}, {"id": "i4", "answer": "no"}]
    found = one(score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)}))
    assert (found["value"], found["n"]) == (2 / 6, 6)
    assert (found["missing"], found["refused"], found["unparsable"]) == (1, 1, 1)
    assert found["parts"] == {"accuracy": 2 / 6, "correct": 2}
    # Wilson for 2 of 6, by hand: z = 1.959964, (p + z2/2n -+ z sqrt(p(1-p)/n + z2/4n2)) / (1 + z2/n)
    assert found["ci_method"] == "wilson"
    assert found["ci"] == pytest.approx([0.0967714, 0.7000067], abs=1e-6)


def test_an_exact_text_is_compared_after_nfc_and_trim_and_not_otherwise(tmp_path: Path) -> None:
    items = [{"id": f"i{n}", "choices": {"q": [{"id": "a", "text": "caf\u00e9"}, {"id": "b", "text": "tea"}]}}
             for n in range(3)]
    bundle = write(tmp_path / "b", items, [{"id": f"i{n}", "question": "q", "answer": "a"} for n in range(3)],
                   [("accuracy", "q")])
    rows = [{"id": "i0", "answer": "cafe\u0301 "}, {"id": "i1", "answer": "Caf\u00e9"}, {"id": "i2", "response": "a"}]
    found = one(score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)}))
    assert (found["parts"]["correct"], found["unparsable"]) == (2, 1)


def test_several_answers_are_right_only_as_the_exact_set(tmp_path: Path) -> None:
    choices = {"q": [{"id": one, "text": one.upper()} for one in "abc"]}
    bundle = write(tmp_path / "b", [{"id": f"i{n}", "choices": choices} for n in range(3)],
                   [{"id": f"i{n}", "question": "q", "answer": ["a", "c"]} for n in range(3)], [("accuracy", "q")])
    rows = [{"id": "i0", "answer": ["C", "a"]}, {"id": "i1", "answer": ["a"]}, {"id": "i2", "answer": ["a", "b", "c"]}]
    scores = score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)}, baselines=True)
    assert one(scores)["parts"]["correct"] == 1
    assert (one(scores, "oracle")["value"], one(scores, "anti-oracle")["value"]) == (1.0, 0.0)


def test_presupposition_scores_over_the_scored_and_gives_the_worst_case_beside_it(tmp_path: Path) -> None:
    bundle = write(tmp_path / "b", [{"id": f"i{n}"} for n in range(6)], [], [("presupposition", None)])
    rows = [{"id": f"i{n}", "response": "..", "judge_score": score}
            for n, score in enumerate([1, 1, 0, -1, None])]
    found = one(score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)}))
    assert found["value"] == found["parts"]["pcs"] == 0.25
    assert found["parts"] == {"pcs": 0.25, "pcr": 0.5, "pcr_worst_case": 2 / 6, "pcs_worst_case": -1 / 6,
                              "coverage": 4 / 6}
    assert (found["missing"], found["unparsable"], found["best"], found["worst"]) == (1, 1, 1.0, -1.0)
    assert found["ci_method"] == "bootstrap_bca_items"
    assert found["ci"][0] < 0.25 < found["ci"][1]


def test_presupposition_without_any_judge_score_has_no_value(tmp_path: Path) -> None:
    bundle = write(tmp_path / "b", [{"id": "i0"}], [], [("presupposition", None)])
    found = one(score(bundle, {"s": predictions(tmp_path / "p.jsonl", [{"id": "i0", "judge_score": None}])}))
    assert found["value"] is None and found["ci"] is None and found["parts"]["coverage"] == 0.0


LEVELS = {"q7": [{"id": "abstain", "text": "A"}, {"id": "country", "text": "B"}, {"id": "exact", "text": "C"}]}


def levels(tmp_path: Path, gold: list[int]) -> Path:
    names = [one["id"] for one in LEVELS["q7"]]
    return write(tmp_path / "b", [{"id": f"i{n}", "choices": LEVELS} for n in range(len(gold))],
                 [{"id": f"i{n}", "question": "q7", "answer": names[level]} for n, level in enumerate(gold)],
                 [("disclosure", "q7")])


def test_disclosure_keeps_what_cannot_be_read_in_the_denominators(tmp_path: Path) -> None:
    bundle = levels(tmp_path, [0, 0, 0, 1, 2, 2])
    rows = [{"id": "i0", "answer": "abstain"}, {"id": "i1", "answer": "exact"}, {"id": "i2", "answer": "?"},
            {"id": "i3", "answer": "B"}, {"id": "i4", "answer": "country"}]
    found = one(score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)}))
    assert found["parts"] == pytest.approx({"over": 1 / 6, "under": 1 / 6, "exact": 2 / 6,
                                            "abstention_violation": 1 / 3, "invalid": 2, "msd": 1 / 4, "mae": 3 / 4,
                                            "exposure": None})
    assert found["value"] == found["parts"]["exact"]


def pair_bundle(tmp_path: Path, gold: str) -> Path:
    """``gold``: l, r, t (tie) or g (both good) for each pair; candidates lN and rN in public order."""
    answers = [{"l": f"l{n}", "r": f"r{n}", "t": "tie", "g": "both_good"}[one] for n, one in enumerate(gold)]
    items = [{"id": f"i{n}", "candidates": [f"l{n}", f"r{n}"],
              "choices": {"better": [{"id": f"l{n}", "text": ""}, {"id": f"r{n}", "text": ""},
                                     {"id": "both_good", "text": "Both good"}, {"id": "both_bad", "text": "Both bad"}]}}
             for n in range(len(gold))]
    return write(tmp_path / "b", items, [{"id": f"i{n}", "question": "better", "answer": one}
                                         for n, one in enumerate(answers)], [("pairs", "better")])


def test_pairs_by_hand(tmp_path: Path) -> None:
    bundle = pair_bundle(tmp_path, "lrtgl" + "l")
    rows = [{"id": "i0", "answer": "left"}, {"id": "i1", "answer": "tie"}, {"id": "i2", "answer": "both_good"},
            {"id": "i3", "answer": "A"}, {"id": "i4", "answer": "r4"}]
    found = one(score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)}))
    # right: i0, i2. Gold without ties: i0 (1), i1 (1/2), i4 (0), i5 missing (0). Decided on both sides: i0, i4, i5.
    assert found["parts"] == pytest.approx({"strict": 2 / 6, "no_gold_ties_half_credit": 1.5 / 4,
                                            "decided_only": 1 / 3, "gold_ties": 2 / 6, "pred_ties": 2 / 6})
    assert found["missing"] == 1


def test_scores_of_two_candidates_decide_and_equal_ones_are_a_tie(tmp_path: Path) -> None:
    bundle = pair_bundle(tmp_path, "lrt")
    rows: list[dict[str, Any]] = [{"id": "i0", "scores": [0.9, 0.1]}, {"id": "i1", "scores": {"l1": 0.1, "r1": 0.4}},
                                  {"id": "i2", "scores": [0.5, 0.5]}]
    assert one(score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)}))["value"] == 1.0


def test_the_baselines_of_pairs_are_left_right_and_each_tie(tmp_path: Path) -> None:
    scores = score(pair_bundle(tmp_path, "llrtg"), {}, baselines=True)
    values = {system["system"]: system["metrics"][0]["value"] for system in scores["systems"]}
    assert values == {"oracle": 1.0, "anti-oracle": 0.0, "constant:left": 2 / 5, "constant:right": 1 / 5,
                      "constant:tie": 2 / 5, "constant:both_good": 2 / 5, "constant:both_bad": 2 / 5}


def test_oracle_reaches_the_best_anti_oracle_the_worst_and_constants_their_share(tmp_path: Path) -> None:
    scores = score(yes_no(tmp_path, "yyyn"), {}, baselines=True)
    values = {system["system"]: system["metrics"][0]["value"] for system in scores["systems"]}
    assert values == {"oracle": 1.0, "anti-oracle": 0.0, "constant:yes": 0.75, "constant:no": 0.25,
                      "constant:unsure": 0.0}
    assert all(system["file"] is None and system["predictions_sha256"] is None for system in scores["systems"])
    nothing = write(tmp_path / "p", [{"id": "a"}, {"id": "b"}], [], [("presupposition", None)])
    values = {one["system"]: one["metrics"][0]["value"] for one in score(nothing, {}, baselines=True)["systems"]}
    assert values == {"oracle": 1.0, "anti-oracle": -1.0, "constant:-1": -1.0, "constant:0": 0.0, "constant:1": 1.0}


def test_numbers_are_right_as_numbers_and_have_a_constant_each(tmp_path: Path) -> None:
    bundle = write(tmp_path / "b", [{"id": f"i{n}"} for n in range(4)],
                   [{"id": f"i{n}", "question": "q", "answer": gold} for n, gold in enumerate([-1, 1, 1, 2.5])],
                   [("accuracy", "q")])
    rows: list[dict[str, Any]] = [{"id": "i0", "answer": "-1"}, {"id": "i1", "answer": 1.0},
                                  {"id": "i2", "answer": True}, {"id": "i3", "answer": "two"}]
    scores = score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)}, baselines=True)
    assert (one(scores)["parts"]["correct"], one(scores)["unparsable"]) == (2, 2)
    assert {system["system"]: system["metrics"][0]["value"] for system in scores["systems"][1:]} == {
        "oracle": 1.0, "anti-oracle": 0.0, "constant:-1": 0.25, "constant:1": 0.5, "constant:2.5": 0.25}


def test_keys_serve_as_ids_and_one_file_uses_one_kind(tmp_path: Path) -> None:
    bundle = yes_no(tmp_path, "yn")
    by_key = predictions(tmp_path / "k.jsonl", [{"id": "k-i0", "answer": "yes"}, {"id": "k-i1", "answer": "no"}])
    assert one(score(bundle, {"s": by_key}))["value"] == 1.0
    mixed = predictions(tmp_path / "m.jsonl", [{"id": "k-i0", "answer": "yes"}, {"id": "i1", "answer": "no"}])
    with pytest.raises(Refused, match="'i1' is a public id, but the file began with keys") as refusal:
        score(bundle, {"s": mixed})
    assert (refusal.value.where.line, refusal.value.where.key, refusal.value.exit_code) == (2, "id", 3)


def test_clustered_items_get_a_far_wider_interval_than_wilson(tmp_path: Path) -> None:
    answers = "yn" * 20
    bundle = yes_no(tmp_path, answers, cluster=[f"c{n // 4}" for n in range(len(answers))])
    # Whole clusters right or wrong: the interval must be far wider than Wilson's for 40 items (0.35 to 0.65).
    rows = [{"id": f"i{n}", "answer": ("yes" if a == "y" else "no") if n // 4 % 2 else "unsure"}
            for n, a in enumerate(answers)]
    found = one(score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)}))
    assert found["ci_method"] == "wilson_effective_n" and found["value"] == 0.5
    assert [one["method"] for one in found["intervals"]] == ["wilson_effective_n", "cluster_robust_t",
                                                             "bootstrap_bca_clusters"]
    assert all(one["ci"][1] - one["ci"][0] > 0.45 for one in found["intervals"])


def test_slices_hold_every_tag_and_a_row_for_items_without_one(tmp_path: Path) -> None:
    bundle = yes_no(tmp_path, "yyn", slices=[{"kind": "lung"}, {"kind": ["lung", "skin"]}, {}])
    rows = [{"id": "i0", "answer": "yes"}, {"id": "i1", "answer": "no"}, {"id": "i2", "answer": "no"}]
    scores = score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)}, options=Options(least=1))
    assert [(one["field"], one["value"], one["value_of"], one["n"]) for one in scores["systems"][0]["slices"]] == [
        ("kind", "lung", 0.5, 2), ("kind", "skin", 0.0, 1), ("kind", None, 1.0, 1)]
    json.dumps(scores, allow_nan=False)
    few = score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)})
    assert [(one["value_of"], one["ci"], one["reason"]) for one in few["systems"][0]["slices"]] == [
        (None, None, "n too small")] * 3
    lines = table(few)
    assert "| accuracy |" in lines and "kind = lung" in lines and "n too small" in lines


def test_rows_of_several_epochs_count_as_their_mean(tmp_path: Path) -> None:
    bundle = yes_no(tmp_path, "yy")
    rows = [{"id": "i0", "answer": "yes", "epoch": 1}, {"id": "i0", "answer": "no", "epoch": 2},
            {"id": "i1", "answer": "yes", "epoch": 1}, {"id": "i1", "answer": "yes", "epoch": 2}]
    found = one(score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)}))
    assert (found["value"], found["n"], found["missing"]) == (0.75, 2, 0)
    assert found["parts"]["correct"] == 1.5


def test_elements_are_scored_one_by_one(tmp_path: Path) -> None:
    bundle = write(tmp_path / "b", [{"id": "i0", "choices": OPTIONS}],
                   [{"id": "i0", "question": "q", "element": e, "answer": "yes"} for e in ("1", "2")],
                   [("accuracy", "q")])
    rows = [{"id": "i0", "element": "1", "answer": "yes"}]
    found = one(score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)}))
    assert (found["value"], found["missing"], found["n"]) == (0.5, 1, 2)
    with pytest.raises(Refused, match="no element '9'"):
        score(bundle, {"s": predictions(tmp_path / "q.jsonl", [{"id": "i0", "element": "9", "answer": "yes"}])})


def test_gold_that_is_not_applicable_is_not_scored(tmp_path: Path) -> None:
    bundle = write(tmp_path / "b", [{"id": "i0", "choices": OPTIONS}, {"id": "i1", "choices": OPTIONS}],
                   [{"id": "i0", "question": "q", "answer": "yes"},
                    {"id": "i1", "question": "q", "answer": None, "na": True}], [("accuracy", "q")])
    assert one(score(bundle, {}, baselines=True), "oracle")["n"] == 1


def test_another_metric_takes_the_question_that_the_bundle_is_scored_by(tmp_path: Path) -> None:
    bundle = write(tmp_path / "b", [{"id": "i0", "choices": OPTIONS}],
                   [{"id": "i0", "question": "q", "answer": "yes"}, {"id": "i0", "question": "mended", "answer": "x"}],
                   [("accuracy", "q")])
    [metric] = score(bundle, {}, metric="macro_f1", baselines=True)["systems"][0]["metrics"]
    assert (metric["question"], metric["value"]) == ("q", 1.0)


def test_a_metric_without_its_question_asks_for_it_where_several_have_gold(tmp_path: Path) -> None:
    bundle = write(tmp_path / "b", [{"id": "i0", "choices": {**OPTIONS, "r": OPTIONS["q"]}}],
                   [{"id": "i0", "question": name, "answer": "yes"} for name in "qr"],
                   [("accuracy", "q"), ("accuracy", "r")])
    assert [one["question"] for one in score(bundle, {}, baselines=True)["systems"][0]["metrics"]] == ["q", "r"]
    with pytest.raises(Unknown, match="pairs needs one question; gold has: q, r"):
        score(bundle, {}, metric="pairs")
    with pytest.raises(Unknown, match=r"no metric 'acuracy'\. Did you mean 'accuracy'"):
        score(bundle, {}, metric="acuracy")
    with pytest.raises(Refused, match="names no question"):
        score(bundle, {"s": predictions(tmp_path / "p.jsonl", [{"id": "i0", "answer": "yes"}])})


BAD_FILES: list[tuple[str, bytes, str, str, int | None, str | None]] = [
    ("nothing", b"", "is empty", "empty", None, None),
    ("only blank lines", b"\n\n", "is empty", "empty", None, None),
    ("cut off", b'{"id": "i0", "answer": "yes"}\n{"id": "i1", "ans', "not JSON", "bad_json", 2, None),
    ("a list", b'[1]\n', "not a JSON object", "bad_json", 1, None),
    ("NaN", b'{"id": "i0", "judge_score": NaN}\n', "NaN is not a finite number", "not_finite", 1, None),
    ("too large", b'{"id": "i0", "judge_score": 1e999}\n', "1e999 is not a finite number", "not_finite", 1, None),
    ("half a character", b'{"id": "i0", "answer": "\\ud83d"}\n', "lone surrogate, U\\+D83D", "not_unicode", 1,
     "answer"),
    ("U+0000", b'{"id": "i0", "answer": "a\\u0000"}\n', "U\\+0000", "not_unicode", 1, "answer"),
    ("Latin-1", '{"id": "i0", "answer": "caf\u00e9"}\n'.encode("latin-1"), "not UTF-8", "not_unicode", 1, None),
    ("key twice", b'{"id": "i0", "id": "i1", "answer": "yes"}\n', "'id' stands twice", "duplicate_key", 1, "id"),
    ("too deep", b'{"id":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n", "nested too deeply", "bad_json", 1, None),
    ("no id", b'{"answer": "yes"}\n', "no 'id'", "missing_value", 1, "id"),
    ("id a number", b'{"id": 1, "answer": "yes"}\n', "no 'id' \\(a text\\)", "bad_type", 1, "id"),
    ("says nothing", b'{"id": "i0", "anwser": "yes"}\n', "says nothing", "missing_value", 1, "answer"),
    ("unknown id", b'{"id": "i0", "answer": "yes"}\n\n{"id": "i77", "answer": "yes"}\n', "no item 'i77'",
     "unknown_id", 3, "id"),
    ("unknown question", b'{"id": "i0", "question": "zz", "answer": "yes"}\n', "no question 'zz'", "unknown_id", 1,
     "question"),
    ("twice", b'{"id": "i0", "answer": "yes"}\n{"id": "i0", "question": "q", "answer": "no"}\n',
     "answered already in line 1", "duplicate_key", 2, "id"),
    ("refused as text", b'{"id": "i0", "refused": "yes"}\n', "'refused' is not a true or false", "bad_type", 1,
     "refused"),
]


@pytest.mark.parametrize(("what", "data", "words", "code", "line", "key"), BAD_FILES, ids=[row[0] for row in BAD_FILES])
def test_a_bad_file_of_predictions_is_refused_with_its_place(
        tmp_path: Path, what: str, data: bytes, words: str, code: str, line: int | None, key: str | None) -> None:
    bundle = yes_no(tmp_path, "yn")
    path = tmp_path / "p.jsonl"
    path.write_bytes(data)
    with pytest.raises(Refused, match=words) as refusal:
        score(bundle, {"s": path})
    assert (refusal.value.code, refusal.value.exit_code) == (code, 3)
    assert refusal.value.where.file == str(path)
    assert refusal.value.where.line == line
    assert key is None or refusal.value.where.key == key


def test_a_mark_of_byte_order_and_odd_line_ends_inside_texts_do_no_harm(tmp_path: Path) -> None:
    bundle = yes_no(tmp_path, "yn")
    path = tmp_path / "p.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + '{"id": "i0", "answer": "yes", "response": "a\u2028b\u0085c"}\r\n'.encode())
    found = one(score(bundle, {"s": path}))
    assert (found["parts"]["correct"], found["missing"]) == (1, 1)


def test_a_missing_file_a_folder_and_a_folder_that_is_no_bundle_are_refused(tmp_path: Path) -> None:
    bundle = yes_no(tmp_path, "yn")
    for path in (tmp_path / "nothing.jsonl", tmp_path):
        with pytest.raises(Refused):
            score(bundle, {"s": path})
    with pytest.raises(Refused, match=r"holds no manifest\.json"):
        score(tmp_path / "elsewhere", {})


def test_gold_that_was_changed_by_hand_is_not_scored(tmp_path: Path) -> None:
    bundle = yes_no(tmp_path, "yn")
    path = bundle / "public" / "gold.jsonl"
    path.write_text(path.read_text().replace('"no"', '"yes"'), encoding="utf-8")
    with pytest.raises(Refused, match="run verify"):
        score(bundle, {}, baselines=True)


def test_names_of_systems_are_read_off_the_arguments(tmp_path: Path) -> None:
    assert named_files(["careful=a/b.jsonl", "c/d=e.jsonl", "f.jsonl"]) == {
        "careful": Path("a/b.jsonl"), "d=e": Path("c/d=e.jsonl"), "f": Path("f.jsonl")}
    with pytest.raises(Refused, match="two files are called 'p'"):
        named_files(["a/p.jsonl", "b/p.jsonl"])
    bundle = yes_no(tmp_path, "y")
    file = predictions(tmp_path / "p.jsonl", [{"id": "i0", "answer": "yes"}])
    with pytest.raises(Refused, match="name of a baseline"):
        score(bundle, {"oracle": file}, baselines=True)


def _vectors(*names: str) -> list[dict[str, Any]]:
    if not VECTORS.is_file():
        pytest.skip(f"no reference vectors: {VECTORS} is not there")
    return [case for case in json.loads(VECTORS.read_text()) if case["metric"] in names]


def _close(found: dict[str, Any], case: dict[str, Any]) -> None:
    for part, value in case["expected"].items():
        got = found[part] if part in found else found["parts"][part]
        assert math.isclose(got, value, abs_tol=case.get("tolerance", 1e-9)), (part, got, value)


def test_the_reference_vectors_of_presupposition(tmp_path: Path) -> None:
    for case in _vectors("presupposition"):
        bundle = write(tmp_path / "b", [{"id": f"i{n}"} for n in range(len(case["scores"]))], [],
                       [("presupposition", None)])
        rows = [{"id": f"i{n}", "judge_score": score} for n, score in enumerate(case["scores"])]
        _close(one(score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)})), case)


def test_the_reference_vectors_of_disclosure(tmp_path: Path) -> None:
    for case in _vectors("disclosure"):
        names = [one["id"] for one in LEVELS["q7"]]
        rows = [{"id": f"i{n}", "answer": names[level]} for n, level in enumerate(case["pred"]) if level is not None]
        _close(one(score(levels(tmp_path, case["gold"]), {"s": predictions(tmp_path / "p.jsonl", rows)})), case)


def test_the_reference_vectors_of_pairs(tmp_path: Path) -> None:
    for case in _vectors("pairs"):
        bundle = pair_bundle(tmp_path, "".join({"A": "l", "B": "r", "tie": "t"}[one] for one in case["gold"]))
        rows = [{"id": f"i{n}", "answer": answer} for n, answer in enumerate(case["pred"])]
        _close(one(score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)})), case)


def test_the_reference_vectors_of_accuracy(tmp_path: Path) -> None:
    for case in _vectors("mcq_accuracy", "accuracy"):
        choices = {"q": [{"id": one, "text": f"option {one}"} for one in "ABCD"]}
        bundle = write(tmp_path / "b", [{"id": f"i{n}", "choices": choices} for n in range(len(case["gold"]))],
                       [{"id": f"i{n}", "question": "q", "answer": one} for n, one in enumerate(case["gold"])],
                       [("accuracy", "q")])
        rows = [{"id": f"i{n}", "answer": one} for n, one in enumerate(case["pred"]) if one is not None]
        _close(one(score(bundle, {"s": predictions(tmp_path / "p.jsonl", rows)})), case)


def test_the_scorer_loads_and_scores_with_numpy_alone(tmp_path: Path) -> None:
    bundle = yes_no(tmp_path, "yn")
    program = (
        "import sys\n"
        "class Wall:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in {'pandas', 'scipy', 'sqlalchemy', 'PySide6', 'pydantic', 'ruamel',\n"
        "                                      'pyarrow', 'krippendorff', 'alembic', 'PIL', 'cv2', 'matplotlib'}:\n"
        "            raise ImportError(f'{name} is walled off')\n"
        "sys.meta_path.insert(0, Wall())\n"
        "from exports.scorer.score import score\n"
        f"print(score({str(bundle)!r}, {{}}, baselines=True)['systems'][0]['metrics'][0]['value'])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.returncode) == ("1.0", 0), done.stderr


def test_every_file_of_the_scorer_says_that_it_may_be_copied() -> None:
    files = sorted((ROOT / "exports" / "scorer").rglob("*.py"))
    assert len(files) > 10
    for path in files:
        assert path.read_text(encoding="utf-8").startswith("# SPDX-License-Identifier: Apache-2.0\n"), path.name
