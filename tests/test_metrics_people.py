"""Soft labels, agreement with people and the answers of people in a bundle: figures worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from annotation.errors import Refused
from exports.scorer.coefficients import alpha, cohen_kappa
from exports.scorer.gold_side import read_bundle, units_of
from exports.scorer.metric import Unit, metrics
from exports.scorer.people import ceiling, where_agreed
from exports.scorer.score import score
from tests.cases_scores_judged import METRICS
from tests.small_bundle import predictions, write

REFUSED = {"refused": True}


def found(metric: str, **case: Any) -> dict[str, Any]:
    return METRICS[metric](case)


PEOPLE = [["a", "a", "b", "c"], ["b", "b", "b"]]  # shares 1/2 1/4 1/4 and 0 1 0


def test_soft_labels_by_hand() -> None:
    """Item 1, p = 1/2 1/2 0: brier 0 + 1/16 + 1/16 = 1/8, min 1/2 + 1/4 + 0 = 3/4. Item 2, p = b: 0 and 1.

    Cross-entropy of item 1 with p = 1/2 1/4 1/4 is its entropy, 1.5 ln 2. Macro F1 over the items: a 2 * 1/2 / 1 = 1,
    b 2 (1/4 + 1) / (3/2 + 5/4) = 10/11, c 0.
    """
    got = found("soft_brier", people=PEOPLE, pred=[[0.5, 0.5, 0], "b"])
    assert (got["value"], got["soft_f1"], got["top"]) == (1 / 16, 7 / 8, (0.5 + 1) / 2)
    assert got["soft_macro_f1"] == pytest.approx((1 + 10 / 11 + 0) / 3)
    same = found("soft_cross_entropy", people=PEOPLE, pred=[{"a": 0.5, "b": 0.25, "c": 0.25}, "b"])
    assert (same["value"], same["cross_entropy"], same["entropy"]) == pytest.approx(
        (0.0, 0.75 * math.log(2), 0.75 * math.log(2)))


@pytest.mark.parametrize("said", [[0.5, 0.5], [0.9, 0.9, 0], {"a": 1, "z": 0}, [-0.5, 1, 0.5], "d", None, REFUSED])
def test_no_distribution_is_worth_the_worst(said: Any) -> None:
    got = found("soft_brier", people=PEOPLE, pred=[said, "b"])
    assert (got["brier"], got["soft_f1"], got["top"]) == (1.0, 0.5, 0.5)
    assert got["missing"] + got["refused"] + got["unparsable"] == 1


def test_items_that_nobody_answered_are_said_and_a_bundle_without_answers_is_refused() -> None:
    got = found("soft_f1", people=[["a", "b"], []], gold=["a", "a"], pred=["a", "b"])
    assert (got["without_people"], got["value"], got["n"]) == (1, 0.5, 2)
    with pytest.raises(Refused, match="no answers of people"):
        found("soft_f1", gold=["a"], options=["a", "b"], pred=["a"])


def test_agreement_with_people_by_hand() -> None:
    """System a b b; people aa, ab, bb. d_o = (0 + 1/2 + 0) / 3 = 1/6. Shares: system a 1/3, people a 1/2.

    d_e = 1 - (1/3 * 1/2 + 2/3 * 1/2) = 1/2; kappa = 1 - 1/3 = 2/3. A person against the other: agree 2/3 with shares
    of a 2/3 and 1/3: d_e = 1 - 4/9 = 5/9, 1 - (1/3) / (5/9) = 2/5, from both sides.
    """
    got = found("people_agreement", people=[["a", "a"], ["a", "b"], ["b", "b"]], pred=["a", "b", "b"])
    assert (got["value"], got["same"], got["people_kappa"]) == pytest.approx((2 / 3, 5 / 6, 2 / 5))
    assert got["kappa_by_person"] == pytest.approx({"p0": 2 / 5, "p1": 1.0})
    # People alone: D_o 2 of 6 values, D_e 3 * 3 * 2 / 30: 1 - (1/3) / (3/5) = 4/9.
    assert got["people_alpha"] == pytest.approx(4 / 9)


def test_missing_answers_differ_from_everybody_and_count_as_chance() -> None:
    # d_o = (0 + 1 + 1) / 3; alike by chance: system's a 1/3 times people's a 1/3 -> d_e 8/9; kappa = 1/4.
    case = {"people": [["a", "a"], ["b", "b"], ["b", "b"]], "pred": ["a", None, REFUSED]}
    assert found("people_agreement", **case)["value"] == pytest.approx(1 / 4)
    assert found("people_agreement", **{**case, "pred": [None, "z", REFUSED]})["value"] == pytest.approx(0.0)


def test_agreement_on_numbers_takes_squared_differences() -> None:
    """System 1 3; people 1 2 and 3: d_o = (1/2 + 0) / 2 = 1/4. d_e = E xx 5 + E yy (5/2 + 9)/2 - 2 * 2 * 9/4 = 7/4.

    kappa = 1 - 1/7. Without the second answer, range 1 to 5: d_o = (1/2 + 16) / 2; d_e = 1/2 (1 + 23/4 - 9/2) + 8.
    """
    case = {"people": [[1, 2], [3]], "pred": [1, 3], "level": "interval", "range": [1, 5]}
    assert found("people_agreement", **case)["value"] == pytest.approx(6 / 7)
    missing = found("people_agreement", **{**case, "pred": [1, None]})
    assert missing["value"] == pytest.approx(1 - 8.25 / (0.5 * (1 + 23 / 4 - 9 / 2) + 8))
    with pytest.raises(Refused, match="range"):
        found("people_agreement", people=[[1, 2]], pred=[1], level="interval")


def test_the_coefficients_of_the_scorer_are_those_of_the_libraries() -> None:
    rng = np.random.default_rng(7)
    for _ in range(40):
        table = rng.integers(0, 4, size=(int(rng.integers(2, 6)), int(rng.integers(2, 30)))).astype(float)
        table[rng.random(table.shape) < 0.2] = np.nan
        units = [[value for value in unit if np.isfinite(value)] for unit in table.T]
        for level in ("nominal", "interval"):
            ours = alpha(units, level)
            if ours is not None:
                assert ours == pytest.approx(krippendorff.alpha(table, level_of_measurement=level), abs=1e-12)
        one, other = rng.integers(0, 3, 25), rng.integers(0, 3, 25)
        assert cohen_kappa(list(zip(one, other, strict=True))) == pytest.approx(cohen_kappa_score(one, other))
    assert alpha([[1, 1], [1, 1]], "nominal") is None and alpha([[1]], "nominal") is None
    assert cohen_kappa([(1, 1)]) is None and cohen_kappa([]) is None


def people_bundle(folder: Path, rows: list[dict[str, Any]]) -> Path:
    choices = {"q": [{"id": one, "text": one} for one in "ab"]}
    return write(folder / "b", [{"id": f"i{n}", "choices": choices} for n in range(3)],
                 [{"id": f"i{n}", "question": "q", "answer": "a"} for n in range(3)], [("soft_f1", "q")], rows)


def said(item: int, person: str, answer: Any, **more: Any) -> dict[str, Any]:
    return {"id": f"i{item}", "question": "q", "annotator": person, "answer": answer, **more}


def units(folder: Path) -> list[Unit]:
    return units_of(read_bundle(folder), metrics["soft_f1"], "q", {})


def test_items_where_enough_people_agreed_and_how_often_a_person_is_right_there(tmp_path: Path) -> None:
    # i0: 2 of 3 for a; i1: only two answered; i2: three different would be, but one answer does not count: two.
    rows = [said(0, "p", "a"), said(0, "q", "a"), said(0, "r", "b"), said(1, "p", "a"), said(1, "q", "b"),
            said(2, "p", "a"), said(2, "q", "b"), said(2, "r", "a", counts=False), said(2, "s", None, na=True)]
    every = units(people_bundle(tmp_path, rows))
    assert [unit.id for unit in where_agreed(every, 2, 3)] == ["i0"]
    assert [unit.id for unit in where_agreed(every, 1, 2)] == ["i0", "i1", "i2"]
    # p 3 of 3, q 1 of 3, r 0 of 1.
    assert ceiling(every) == pytest.approx((1 + 1 / 3 + 0) / 3)


def test_answers_of_people_are_read_only_when_asked_for_and_only_as_the_manifest_lists_them(tmp_path: Path) -> None:
    folder = people_bundle(tmp_path, [said(0, "p", "a")])
    (folder / "public/annotations.jsonl").write_text("no JSON\n")
    given = predictions(tmp_path / "p.jsonl", [{"id": "i0", "answer": "a"}])
    assert score(folder, {"s": given}, metric="accuracy")["systems"][0]["metrics"][0]["value"] == 1 / 3
    with pytest.raises(Refused, match="not the file that the manifest lists"):
        score(folder, {"s": given})
