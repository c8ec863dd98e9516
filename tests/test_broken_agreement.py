"""What broke the agreement engine, its cases and its command line once, and must not again."""

from __future__ import annotations

import json
import math
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotation import answers_in, importing, judgements, people, protocol
from annotation.agreement.ratings import ratings_of
from annotation.agreement.report import measure
from annotation.disputed import disputed
from annotation.judgement_asked import named_of
from annotation.store import opening
from app import cli
from app.pages.agreement import reading, words
from app.pages.agreement.details import read_details
from tests.cases import Check, run


def checked(folder: Path, data: dict[str, Any], *checks: tuple[str, dict[str, Any], Any]) -> list[Check]:
    case = {"schema": "stats-case/1", "id": "one", "data": data, "checks": [
        {"statistic": name, "params": params, "expected": expected} for name, params, expected in checks]}
    (folder / "one.json").write_text(json.dumps(case), encoding="utf-8")
    return run(folder)


WORDS = [["low", "mid", "high", "NA"], ["mid", "mid", "high", "low"]]
# Two people, (low, mid) (mid, mid) (high, high): with places 1, 2, 3 in the order that the case states.
THREE = 1.0 - (2 * 1.0 / 6) / ((2 * 3 * 1 + 2 * 2 * 4 + 2 * 6 * 1) / 30)


@pytest.mark.parametrize("missing", ["NA", ["NA", "?"]])
def test_a_case_says_what_marks_a_missing_value_and_in_which_order_words_stand(tmp_path: Path, missing: object) -> None:
    data = {"format": "ratings", "values": WORDS, "missing": missing, "categories": ["low", "mid", "high"]}
    found = checked(tmp_path, data, ("percent_agreement", {}, 2 / 3),
                    ("krippendorff_alpha", {"level": "interval"}, THREE),
                    ("krippendorff_alpha", {"level": "custom disagreement [[0,1,4],[1,0,1],[4,1,0]]"}, THREE))
    assert [one.status for one in found] == ["ok"] * 3, found


@pytest.mark.parametrize("data", [
    {"format": "rankings", "rows": "items", "ranks": [[1, 1, 2], [2, 3, 1], [3, 2, 3]]},
    {"format": "rankings", "rows": "judges", "ranks": [[1, 2, 3], [1, 3, 2], [2, 1, 3]]},
    {"format": "rankings", "orientation": "raters_x_items", "values": [[1, 2, 3], [1, 3, 2], [2, 1, 3]]},
    {"format": "ratings", "orientation": "raters_x_items", "values": [[1, 2, 3], [1, 3, 2], [2, 1, 3]]},
    {"format": "long", "fields": ["rank_value", "judge", "object"], "rows": [
        [1, "a", "x"], [2, "a", "y"], [3, "a", "z"], [1, "b", "x"], [3, "b", "y"], [2, "b", "z"],
        [2, "c", "x"], [1, "c", "y"], [3, "c", "z"]]},
])
def test_ranks_are_the_same_however_the_case_is_turned(tmp_path: Path, data: dict[str, Any]) -> None:
    # sums 4, 6, 8: S = 8, W = 12 S / (9 (27 - 3))
    assert [one.status for one in checked(tmp_path, data, ("kendall_w", {}, 12 * 8 / (9 * 24)))] == ["ok"]


def test_people_are_chosen_by_name_or_by_place(tmp_path: Path) -> None:
    rows = [[who, f"i{n}", value] for who, values in (("eve", "aab"), ("bob", "abb"), ("amy", "bbb"))
            for n, value in enumerate(values)]
    data = {"format": "long", "fields": ["worker", "task", "answer"], "rows": rows}
    found = checked(tmp_path, data, ("percent_agreement", {"raters": ["eve", "bob"]}, 2 / 3),
                    ("percent_agreement", {"raters": [1, 3]}, 1 / 3), ("cohen_kappa", {"raters": ["bob", "amy"]}, 0.0))
    assert [one.status for one in found] == ["ok"] * 3, found


def test_a_table_of_counts_may_have_a_row_per_category(tmp_path: Path) -> None:
    data = {"format": "count_matrix", "rows": "categories", "cols": "items", "categories": ["p", "q"],
            "counts": [[2, 1, 0, 2], [0, 1, 2, 0]]}
    assert [one.status for one in checked(tmp_path, data, ("percent_agreement", {}, 0.75))] == ["ok"]


def test_pairs_and_proportions_are_read_by_the_names_of_their_columns(tmp_path: Path) -> None:
    data = {"format": "pairwise", "fields": ["wins_second", "wins_first", "second", "first"],
            "rows": [[1, 3, "b", "a"]]}
    assert [one.status for one in checked(tmp_path, data, ("bt_worth", {"items": ["a", "b"]}, [0.75, 0.25]))] == ["ok"]
    shares = {"format": "proportions", "fields": ["trials", "successes"], "rows": [[4, 4]]}
    z = 1.959963984540054 ** 2
    found = checked(tmp_path, shares, ("wilson_ci95", {}, [[4 / (4 + z), 1.0]]))
    assert [one.status for one in found] == ["ok"], found


def test_answers_that_are_words_may_stand_in_pairs(tmp_path: Path) -> None:
    data = {"format": "paired", "x": ["yes", "yes", "no", "no", "yes"], "y": ["yes", "no", "no", "no", "no"],
            "categories": ["yes", "no"]}
    found = checked(tmp_path, data, ("mcnemar_chi2", {"continuity": False}, 2.0), ("percent_agreement", {}, 0.6))
    assert [one.status for one in found] == ["ok"] * 2, found


def test_sets_can_be_compared_as_wholes_too(tmp_path: Path) -> None:
    data = {"format": "set_ratings", "values": [[["a", "b"], ["a"], []], [["b", "a"], ["b"], []]]}
    found = checked(tmp_path, data, ("percent_agreement", {}, 2 / 3), ("krippendorff_alpha", {"level": "nominal"},
                                                                      1 - (2 / 6) / (1 - (2 + 2) / 30)))
    assert [one.status for one in found] == ["ok"] * 2, found


def test_a_check_that_breaks_is_a_failure_and_the_others_are_still_run(tmp_path: Path) -> None:
    data = {"format": "pairwise", "rows": [["a", "b", "many", "few"]]}
    found = checked(tmp_path, data, ("bt_worth", {}, [0.5, 0.5]), ("nothing_we_know", {}, 1.0))
    assert [one.status for one in found] == ["FAIL", "unsupported"]
    assert found[0].why and "Error" in found[0].why
    json.dumps([one.line() for one in found])


# --- the engine -----------------------------------------------------------------------------------------------------

def test_ten_thousand_answers_cost_no_table_of_every_two_of_them() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 10_000, 4_000)
    rows = [(n, who, f"c{one if rng.random() < 0.7 else rng.integers(10_000)}") for n, one in enumerate(truth.tolist())
            for who in "xyz"]
    for metric in ("light_kappa", "percent_agreement_mean_pairwise", "conger_kappa", "fleiss_kappa", "gwet_ac1"):
        tracemalloc.start()
        found = measure(ratings_of(rows), metric, interval="percentile", replicates=50)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert found.value == pytest.approx(0.49, abs=0.03) and found.ci is not None
        assert peak < 150e6, f"{metric} took {peak / 1e6:.0f} MB"


@pytest.mark.parametrize("numbers", [(1e308, -1e308, 1e307), (1e-300, 2e-300, 5e-300), (1e200, 2e200, -3e200)])
@pytest.mark.parametrize(("metric", "level", "weights"), [
    ("krippendorff_alpha", "interval", None), ("krippendorff_alpha", "circular", None), ("icc", None, None),
    ("pearson", None, None), ("cronbach_alpha", None, None), ("gwet_ac2", None, "quadratic")])
def test_numbers_beyond_the_arithmetic_are_not_called_equal(
        numbers: tuple[float, ...], metric: str, level: str | None, weights: str | None) -> None:
    a, b, c = numbers
    rows = [(n, who, x) for n, pair in enumerate([(a, b), (a, c), (c, c), (b, b)]) for who, x in zip("xy", pair,
                                                                                                   strict=True)]
    found = measure(ratings_of(rows), metric, level=level, weights=weights, interval="jackknife")
    if found.value is None:
        assert found.reason is not None and "calculated" in found.reason
    else:
        assert math.isfinite(found.value)


# --- what a project is asked ----------------------------------------------------------------------------------------

FIELDS = "id: odd\nversion: 1\ntitle: Odd\nfields:\n  - {name: text, kind: text, required: true}\nquestions:\n"
KINDS = "  - {name: kinds, type: multichoice, text: Which?, options: [{value: a}, {value: b}], min: 0}\n"
NOTE = "  - {name: note, type: text, text: What?}\n"
USE = "  - {name: use, type: scale, text: How?, min: 1, max: 5, na: {label: None in it, agreement: %s}}\n"
COLOUR = "  - {name: colour, type: choice, text: Which?, options: [{value: red}, {value: blue}]}\n"


def asked(questions: str, more: str = "") -> list[tuple[str, str, str | None, str | None]]:
    return [(one.question, one.metric, one.level, one.weights)
            for one in named_of(protocol.loads(FIELDS + questions + more))]


def test_sets_and_texts_have_a_coefficient_where_the_protocol_names_none() -> None:
    assert asked(KINDS + NOTE) == [("kinds", "krippendorff_alpha", "masi", None)]
    assert asked(NOTE) == [("note", "token_f1", None, None)]


def test_na_that_is_an_answer_makes_a_scale_nominal_unless_a_level_is_named() -> None:
    assert asked(USE % "category") == [("use", "krippendorff_alpha", "nominal", None)]
    assert asked(USE % "missing") == [("use", "krippendorff_alpha", None, None)]


def test_the_page_asks_with_the_weights_of_the_protocol() -> None:
    chosen = protocol.loads(FIELDS + USE % "missing" + "agreement:\n"
                            "  - {question: use, metric: gwet_ac2, weights: linear}\n"
                            "  - {question: use, metric: gwet_ac2, weights: quadratic}\n")
    assert [one.weights for one in reading.asked_of(chosen)] == ["linear", "quadratic"]


def judged(folder: Path, questions: str, answers: dict[str, dict[str, list[Any]]], more: str = "",
           machines: tuple[str, ...] = ()) -> Path:
    """A project in which people answered items from the first on; None is N/A."""
    path = folder / "Odd.goldsmith"
    rows = [{"id": f"a{n}", "text": f"text {n}"} for n in range(4)]
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    workflow = f"workflow: {{stages: [annotate], people_per_item: {len(answers)}, blind: true}}\n"
    chosen = protocol.loads(FIELDS + questions + workflow + more)
    with opening.create(path, protocol=chosen, title="Odd", owner="demo") as store:
        with store.read() as session:
            by = people.find(session, "demo").id
        importing.import_file(store, folder / "items.jsonl", by=by)
        with store.write() as session:
            for handle in answers:
                people.add(session, handle, roles=("annotator",), by=by,
                           kind="machine" if handle in machines else "human")
        lines = [{"item": f"a{n}", "person": who, "question": name, **({"na": True} if x is None else {"answer": x})}
                 for who, said in answers.items() for name, values in said.items() for n, x in enumerate(values)]
        (folder / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        report = answers_in.import_answers(store, folder / "answers.jsonl", by=by)
        assert report.refused == 0, report.refusals
    return path


def test_one_question_that_its_metric_does_not_suit_hides_no_other(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = ("agreement:\n  - {question: use, metric: krippendorff_alpha, level: interval}\n"
            "  - {question: colour, metric: percent_agreement}\n")
    answers: dict[str, list[Any]] = {"use": [None, 1, 2, 3], "colour": ["red", "blue", "red", "red"]}
    path = judged(tmp_path, USE % "category" + COLOUR, {"ana": answers, "ben": answers}, more)
    assert cli.main(["agreement", str(path), "--pairs", "--check", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    first, second = said["results"]
    assert first["value"] is None and "have no order" in first["reason"]
    assert second["value"] == 1.0 and [one["question"] for one in said["pairs"]] == ["colour"]
    # Who asks for it is refused as before.
    assert cli.main(["agreement", str(path), "--question", "use", "--level", "interval", "--json"]) == 3


def test_answers_that_are_all_na_are_not_called_missing_people(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = judged(tmp_path, USE % "missing", {who: {"use": [None] * 4} for who in ("ana", "ben")})
    assert cli.main(["agreement", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["results"][0]
    assert (found["value"], found["n_missing"]) == (None, 8)
    assert found["reason"] == "every answer is N/A or empty, which counts as missing"
    with opening.open_store(path, read_only=True) as store:
        shown = reading.read_questions(store, reading.asked_of(protocol.loads(FIELDS + USE % "missing")), instant=True,
                                       progress=lambda *_: None, cancelled=lambda: False)
        assert shown is not None and shown.is_judged
        for row in shown.rows:  # what is read for the row in hand
            details = read_details(store, row.asked, "", progress=lambda *_: None, cancelled=lambda: False)
            assert details is not None
        with store.read() as session:
            dispute = disputed(session, judgements.judgements(session, "use"))
    assert (dispute.judged, dispute.differing, dispute.rows) == (0, 0, ())


def test_a_machine_among_those_who_answered_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = {who: {"colour": ["red", "blue", "red", "red" if who == "gpt" else "blue"]} for who in ("ana", "ben", "gpt")}
    path = judged(tmp_path, COLOUR, said, machines=("gpt",))
    assert cli.main(["agreement", str(path), "--by", "person-group", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["results"]
    assert "one of those who answered is a machine and counts as a person here" in found[0]["note"]
    people_alone = next(one for one in found if one["by"] and one["by"]["value"] == "annotator")
    assert (people_alone["n_people"], people_alone["value"]) == (2, 1.0)
    with opening.open_store(path, read_only=True) as store:
        shown = reading.read_questions(store, reading.asked_of(protocol.loads(FIELDS + COLOUR)), instant=True,
                                       progress=lambda *_: None, cancelled=lambda: False)
    assert shown is not None and "is a machine" in str(shown.rows[0].result.note)


def test_the_ends_of_many_are_not_called_different_without_a_word() -> None:
    apart = (0.05, 0.6), (-0.3, -0.03)
    assert words.two_ends(*apart, 2) == "The two intervals do not touch."
    assert "the ends of 30: chance alone" in words.two_ends(*apart, 30)
    assert words.two_ends((0.0, 0.6), (-0.3, 0.1), 30) == "The two intervals overlap."
