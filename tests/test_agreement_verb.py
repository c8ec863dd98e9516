"""goldsmith agreement: on tables of every shape, on projects with every option, and what it says of bad input."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest

from annotation import people, tasks, trail
from annotation.agreement.ratings import ratings_of
from annotation.agreement.report import measure
from annotation.agreement.second_opinion import second_opinion
from annotation.store.opening import open_store
from app import cli
from tests import small_project, worlds

# Krippendorff 2011, data C: four observers, twelve units; alpha nominal 0.743, ordinal 0.815, interval 0.849.
DATA = {"A": "1 2 3 3 2 1 4 1 2 . . .", "B": "1 2 3 3 2 2 4 1 2 5 . 3", "C": ". 3 3 3 2 3 4 2 2 5 1 .",
        "D": "1 2 3 3 2 4 4 1 2 5 1 ."}
CELLS = {person: [None if one == "." else int(one) for one in line.split()] for person, line in DATA.items()}
LONG = [(f"u{unit}", person, value) for person, values in CELLS.items() for unit, value in enumerate(values)]
OPTIONS = ("--item", "unit", "--rater", "who", "--value", "said")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def run(*words: object, exit: int = 0) -> Any:
        assert cli.main(["agreement", *map(str, words), "--json"]) == exit
        said = json.loads(capsys.readouterr().out)
        return said if exit in (0, 1) else said["error"]

    return run


def long_csv(rows=LONG, head: str = "unit,who,said", file: str = "t.csv") -> str:
    Path(file).write_text(head + "\n" + "".join(",".join("" if one is None else str(one) for one in row) + "\n"
                                                for row in rows), "utf-8")
    return file


def wide_csv(file: str = "w.csv") -> str:
    rows = [(f"u{n}", *(values[n] for values in CELLS.values())) for n in range(12)]
    return long_csv(rows, "unit,A,B,C,D", file)


def values(said: Any) -> dict[tuple[str, str | None], float | None]:
    return {(one["metric"], one["level"]): one["value"] for one in said["results"]}


# --- shapes and formats ------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("level", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849),
                                                 ("ratio", 0.797)])
def test_a_published_table_has_its_published_alpha_long_and_wide(run, level, expected):
    for words in ((long_csv(), *OPTIONS), (wide_csv(), "--raters", "A,B,C,D", "--item", "unit"),
                  (wide_csv(), "--wide", "A", "B", "C", "D")):
        result, = run("--table", *words, "--level", level)["results"]
        assert result["value"] == pytest.approx(expected, abs=5e-4)
        assert (result["n_items"], result["n_people"], result["n_judgements"], result["n_missing"]) == (11, 4, 40, 7)
        assert result["ci"][0] < result["value"] < result["ci"][1]


def test_every_format_of_a_table_gives_the_same(run):
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [{"unit": unit, "who": who, "said": value} for unit, who, value in LONG]
    Path("t.tsv").write_text("unit\twho\tsaid\n" + "".join(f"{u}\t{w}\t{'' if v is None else v}\n" for u, w, v in LONG))
    Path("t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("t.json").write_text(json.dumps(rows))
    pq.write_table(pa.table({name: [row[name] for row in rows] for name in ("unit", "who", "said")}), "t.parquet")
    pq.write_table(pa.table({"unit": [row["unit"] for row in rows], "who": [row["who"] for row in rows], "said": [
        math.nan if row["said"] is None else float(row["said"]) for row in rows]}), "floats.parquet")
    told = [run("--table", file, *OPTIONS, "--level", "ordinal") for file in
            (long_csv(), "t.tsv", "t.jsonl", "t.json", "t.parquet", "floats.parquet")]
    assert all(one["results"] == told[0]["results"] for one in told)
    assert [one["table"]["format"] for one in told] == ["csv", "tsv", "jsonl", "json", "parquet", "parquet"]


def test_texts_stay_texts_and_the_word_nan_is_one_of_them(run):
    rows = [("a", "x", "nan"), ("a", "y", "nan"), ("b", "x", "01"), ("b", "y", "1"), ("c", "x", ""), ("c", "y", "1")]
    said = run("--table", long_csv(rows), *OPTIONS, "--metric", "percent_agreement")
    result, = said["results"]
    assert result["value"] == 0.5  # "01" is not "1"
    assert (result["n_items"], result["n_missing"]) == (2, 1)
    assert run("--table", long_csv(rows[2:]), *OPTIONS, "--level", "interval")["results"][0]["reason"] is not None


def test_words_with_an_order_are_ordinal_and_what_was_offered_counts(run):
    rows = [("a", "x", "low"), ("a", "y", "mid"), ("b", "x", "high"), ("b", "y", "high"), ("c", "x", "low"),
            ("c", "y", "low")]
    places = {"low": 0, "mid": 1, "high": 2}
    said = run("--table", long_csv(rows), *OPTIONS, "--order", "low,mid,high", "--level", "ordinal",
               "--metric", "krippendorff_alpha", "--metric", "bennett_s_brennan_prediger")
    matrix = np.array([[places[v] for _, w, v in rows if w == who] for who in ("x", "y")])
    found = values(said)
    assert found["krippendorff_alpha", "ordinal"] == pytest.approx(
        krippendorff.alpha(matrix, level_of_measurement="ordinal"))
    assert found["bennett_s_brennan_prediger", None] == pytest.approx((2 / 3 - 1 / 3) / (1 - 1 / 3))


def test_slices_pairs_differences_and_checks_stand_beside_the_results(run):
    rows = [(f"{part}{n}", who, (n + (who == "z") * (n % 5 == 0)) % 3, part) for part in "ab" for n in range(25)
            for who in "xyz"]
    file = long_csv(rows, "unit,who,said,part")
    said = run("--table", file, *OPTIONS, "--by", "part", "--pairs", "--check", "--differences", "--replicates", 200)
    assert [one["by"] for one in said["results"]] == [None, {"field": "part", "value": "a"},
                                                      {"field": "part", "value": "b"}]
    assert all(one["ci"] for one in said["results"])
    pairs = {(one["first"], one["second"]): one["value"] for one in said["pairs"]}
    assert pairs["x", "y"] == 1.0 and pairs["x", "z"] == pairs["y", "z"] < 1.0
    check, = said["checks"]
    assert check["program"].startswith("krippendorff ") and abs(check["difference"]) < 1e-12
    between, = said["differences"]
    assert between["value"] == pytest.approx(said["results"][1]["value"] - said["results"][2]["value"])
    assert between["ci"][0] <= 0 <= between["ci"][1] and between["p_holm"] == between["p"]


def test_a_column_that_differs_within_an_item_makes_slices_of_answers(run):
    rows = [("a", "x", 1, "mon"), ("a", "y", 1, "mon"), ("a", "z", 2, "tue"), ("a", "w", 1, "tue"),
            ("b", "x", 2, "mon"), ("b", "y", 2, "mon")]
    said = run("--table", long_csv(rows, "unit,who,said,day"), *OPTIONS, "--by", "day", "--metric",
               "percent_agreement")
    assert [one["value"] for one in said["results"]] == [pytest.approx(0.75), 1.0, 0.0]
    assert run("--table", "t.csv", *OPTIONS, "--by", "day", "--differences", exit=2)["code"] == "usage"


def test_clusters_of_a_table_are_drawn_together(run):
    rows = [(f"{c}{n}", who, (c + (who == "y" and n == 0)) % 3, c) for c in range(8) for n in range(3) for who in "xy"]
    file = long_csv(rows, "unit,who,said,dialogue")
    assert run("--table", file, *OPTIONS, "--cluster", "dialogue")["results"][0]["ci_method"] == (
        "bootstrap_bca_clusters")
    assert run("--table", file, *OPTIONS)["results"][0]["ci_method"] == "bootstrap_bca_items"


def test_ten_thousand_categories_are_computed(run):
    rows = [(f"u{n}", who, f"word {n if who == 'x' or n % 2 else n + 1}") for n in range(10_000) for who in "xy"]
    result, = run("--table", long_csv(rows), *OPTIONS, "--replicates", 20)["results"]
    assert 0.45 < result["value"] < 0.55


def test_a_rater_who_gave_nothing_is_named(run, capsys):
    said = run("--table", wide_csv(), "--raters", "A,B")
    assert said["table"]["silent"] == []
    rows = [(f"u{n}", n % 2, n % 2, "") for n in range(6)]
    said = run("--table", long_csv(rows, "unit,A,B,C"), "--raters", "A,B,C")
    assert said["table"]["silent"] == ["C"] and said["results"][0]["n_people"] == 2
    assert cli.main(["agreement", "--table", "t.csv", "--raters", "A,B,C"]) == 0
    assert "'C' gave no value" in capsys.readouterr().err


# --- bad input -----------------------------------------------------------------------------------------------------

BAD = [
    ("unknown-column", "unit,who,said\na,x,1\n", (*OPTIONS[:4], "--value", "told"), 3, "missing_column",
     ("no column 'told'", "said"), {"key": "told", "file": "t.csv"}),
    ("word-at-ordinal", "unit,who,said\na,x,1\na,y,two\n", (*OPTIONS, "--level", "ordinal"), 3, "bad_type",
     ("'two' is not a number", "--order"), {"line": 3, "column": 3, "key": "said", "value": "two"}),
    ("nan-at-interval", "unit,who,said\na,x,1\na,y,nan\n", (*OPTIONS, "--level", "interval"), 3, "bad_type",
     ("'nan' is not a number",), {"line": 3, "value": "nan"}),
    ("negative-at-ratio", "unit,who,said\na,x,1\na,y,-2\n", (*OPTIONS, "--level", "ratio"), 3, "bad_value",
     ("-2 is below 0", "ratio"), {"line": 3, "column": 3, "value": "-2"}),
    ("twice", "unit,who,said\na,x,1\na,y,1\na,x,2\n", OPTIONS, 3, "duplicate_key", ("'x' judged 'a' twice", "line 2"),
     {"line": 4, "column": 3}),
    ("no-rater", "unit,who,said\na,x,1\na,,1\n", OPTIONS, 3, "missing_value", ("'who' is missing",),
     {"line": 3, "column": 2, "key": "who"}),
    ("ragged", "unit,who,said\na,x,1\na,y\n", OPTIONS, 3, "bad_value", ("2 cells",), {"line": 3, "file": "t.csv"}),
    ("empty", "", OPTIONS, 3, "bad_value", ("is empty",), {"file": "t.csv"}),
    ("head-only", "unit,who,said\n", OPTIONS, 3, "bad_value", ("holds no rows",), {"file": "t.csv"}),
    ("not-in-order", "unit,who,said\na,x,low\na,y,medium\n", (*OPTIONS, "--order", "low,high"), 3, "bad_value",
     ("'medium' is not in the order", "low, high"), {"line": 3, "value": "medium"}),
    ("unknown-metric", "unit,who,said\na,x,1\n", (*OPTIONS, "--metric", "cohens_kappa"), 2, "unknown",
     ("no metric 'cohens_kappa'", "cohen_kappa"), {}),
    ("no-weights", "unit,who,said\na,x,1\na,y,1\n", (*OPTIONS, "--metric", "pabak", "--weights", "linear"), 3,
     "bad_value", ("pabak takes no weights",), {}),
    ("alphabetical-weights", "unit,who,said\na,x,low\na,y,mid\n",
     (*OPTIONS, "--metric", "cohen_kappa", "--weights", "quadratic"), 3, "bad_type", ("'low' is not a number",),
     {"line": 2}),
    ("half-the-options", "unit,who,said\na,x,1\n", ("--item", "unit"), 2, "usage", ("--rater, --value",), {}),
    ("both-shapes", "unit,who,said\na,x,1\n", (*OPTIONS, "--raters", "A,B"), 2, "usage", ("a column per person",), {}),
    ("rater-named-twice", "unit,A,B\na,1,1\n", ("--raters", "A,B,A"), 2, "usage", ("names 'A' twice",), {}),
    ("question", "unit,who,said\na,x,1\n", (*OPTIONS, "--question", "q"), 2, "usage", ("for projects",), {}),
    ("two-clusters", "unit,who,said,c\na,x,1,p\na,y,1,q\n", (*OPTIONS, "--cluster", "c"), 3, "bad_value",
     ("two clusters", "'p'"), {"line": 3, "column": 4}),
    ("closed-interval", "unit,who,said\na,x,1\na,y,1\n", (*OPTIONS, "--metric", "percent_vs_majority", "--interval",
                                                         "krippendorff"), 3, "bad_value", ("krippendorff_alpha",), {}),
]


@pytest.mark.parametrize(("text", "words", "exit", "code", "said", "where"), [one[1:] for one in BAD],
                         ids=[one[0] for one in BAD])
def test_bad_input_gives_one_sentence_with_its_place(run, text, words, exit, code, said, where):
    Path("t.csv").write_text(text)
    error = run("--table", "t.csv", *words, exit=exit)
    assert error["code"] == code and all(word in error["message"] for word in said), error
    assert {name: error[name] for name in where} == where
    assert "\n" not in error["message"]


def test_objects_and_lines_that_are_no_records_are_refused(run):
    Path("t.jsonl").write_text('{"unit": "a", "who": "x", "said": {"v": 1}}\n')
    assert run("--table", "t.jsonl", *OPTIONS, exit=3)["code"] == "bad_type"
    Path("t.jsonl").write_text('{"unit": "a", "who": "x", "said": 1}\n[1]\n')
    error = run("--table", "t.jsonl", *OPTIONS, exit=3)
    assert error["line"] == 2
    Path("t.jsonl").write_text('{"unit": "a", "who": "x", "told": 1}\n')
    assert run("--table", "t.jsonl", *OPTIONS, exit=3)["code"] == "missing_column"
    assert run("--table", "none.csv", *OPTIONS, exit=3)["code"] == "no_file"


def test_a_project_or_a_table_and_not_both(run):
    assert run(exit=2)["code"] == "usage"
    assert run("P.goldsmith", "--table", "t.csv", exit=2)["code"] == "usage"
    assert run("P.goldsmith", "--item", "unit", exit=2)["code"] == "usage"
    assert run("P.goldsmith", "--differences", exit=2)["code"] == "usage"


def test_undefined_values_have_a_reason_and_no_number(run):
    same = [(f"u{n}", who, "yes") for n in range(4) for who in "xy"]
    alone = [(f"u{n}", "x", n % 2) for n in range(4)]
    for rows, word in ((same, "same answer"), (alone, "same item twice")):
        result, = run("--table", long_csv(rows), *OPTIONS)["results"]
        assert result["value"] is None and result["ci"] is None and word in result["reason"]


# --- the second opinion --------------------------------------------------------------------------------------------

def test_statsmodels_agrees_on_cohen_fleiss_scott_and_randolph(run):
    rng = np.random.default_rng(3)
    two = [(f"u{n}", who, int(v)) for n in range(60) for who, v in zip("xy", rng.choice([1, 2, 5], 2), strict=True)]
    said = run("--table", long_csv(two), *OPTIONS, "--check", "--replicates", 0, "--weights", "quadratic",
               *(word for name in ("cohen_kappa",) for word in ("--metric", name)))
    assert abs(said["checks"][0]["difference"]) < 1e-12
    three = [(f"u{n}", who, int(v)) for n in range(60) for who, v in zip("xyz", rng.choice(4, 3), strict=True)]
    said = run("--table", long_csv(three), *OPTIONS, "--check", "--replicates", 0, *(
        word for name in ("fleiss_kappa", "randolph_kappa_free", "gwet_ac1") for word in ("--metric", name)))
    assert [one["program"] and one["program"].split()[0] for one in said["checks"]] == ["statsmodels"] * 2 + [None]
    assert all(abs(one["difference"]) < 1e-12 for one in said["checks"][:2])
    assert "no other program" in said["checks"][2]["reason"]


def test_where_the_other_program_cannot_it_says_why():
    slider = ratings_of([(n, who, float((n * 37 + ord(who)) % 1009)) for n in range(3000) for who in "xy"])
    opinion = second_opinion(slider, measure(slider, "krippendorff_alpha", level="interval", interval="none"))
    assert opinion.theirs is None and "GB" in opinion.reason
    ragged = ratings_of([(1, "x", "a"), (1, "y", "b"), (2, "x", "a"), (2, "y", "b"), (2, "z", "b")])
    assert "as many answers" in second_opinion(ragged, measure(ragged, "fleiss_kappa", interval="none")).reason
    same = ratings_of([(n, who, "a") for n in range(3) for who in "xy"])
    opinion = second_opinion(same, measure(same, "krippendorff_alpha"))
    assert opinion.ours is opinion.theirs is None and "no number" in opinion.reason


# --- projects --------------------------------------------------------------------------------------------------------

@pytest.fixture
def project(tmp_path: Path) -> Path:
    with small_project.make(tmp_path) as store:
        small_project.answer_all(store)
        with store.write() as session:
            owner = small_project.owner_of(session)
            people.add(session, "rita", roles=["researcher"], by=owner)
            people.add(session, "both", roles=["researcher", "annotator"], by=owner)
    return tmp_path / "Small.goldsmith"


def test_a_project_takes_several_metrics_weights_intervals_stages_pairs_and_a_check(run, project):
    said = run(project, "--question", "score", "--metric", "krippendorff_alpha", "--metric", "gwet_ac2", "--weights",
               "linear", "--interval", "jackknife", "--stage", "annotate", "--pairs", "--check")
    alpha, ac2 = said["results"]
    assert alpha["ci_method"].startswith("jackknife") and alpha["weights"] is None and ac2["weights"] == "linear"
    assert {(one["first"], one["second"]) for one in said["pairs"]} == {
        ("ana-lovelace", "ben-turing"), ("ana-lovelace", "cem-hopper"), ("ben-turing", "cem-hopper")}
    assert abs(said["checks"][0]["difference"]) < 1e-12 and said["checks"][1]["theirs"] is None


@pytest.mark.parametrize("by", ["topic", "week", "protocol", "person-group"])
def test_a_project_has_slices_of_items_answers_and_people(run, project, by):
    whole, *parts = run(project, "--question", "verdict", "--metric", "percent_agreement", "--by", by)["results"]
    assert parts and all(one["by"]["field"] == by for one in parts)
    names = [one["by"]["value"] for one in parts]
    assert by != "topic" or names == ["even", "odd"]
    assert by != "person-group" or names == ["annotator"]
    assert by != "protocol" or names == ["small 3"]
    assert by == "topic" or parts[0]["value"] == whole["value"]


def test_what_nobody_may_slice_by_is_unknown(run, project):
    error = run(project, "--by", "generator", exit=2)  # private
    assert error["code"] == "unknown" and "generator-model" not in error["message"] and "topic" in error["message"]
    assert run(project, "--stage", "sign", exit=2)["code"] == "usage"
    assert run(project, "--by", "week", "--differences", exit=2)["code"] == "usage"


def test_the_lines_say_what_the_json_says(project, capsys):
    assert cli.main(["agreement", str(project), "--question", "verdict", "--by", "topic", "--pairs", "--check",
                     "--differences"]) == 0
    out = capsys.readouterr().out
    assert "verdict krippendorff_alpha nominal [topic = even]" in out
    assert "ana-lovelace and ben-turing" in out and "krippendorff 0" in out and "even less odd" in out


@pytest.mark.parametrize("verb", ["agreement", "gold"])
def test_results_shown_to_somebody_who_answers_are_recorded_once(project, verb, capsys):
    def shown(*words: str) -> bool:
        assert cli.main([verb, str(project), *words]) == 0
        with open_store(project, read_only=True) as store, store.read() as session:
            return trail.was_revealed(session, worlds.who(session, words[1])) if words else False

    with open_store(project, read_only=True) as store:
        before = store.content_sha256()
    assert not shown("--as", "rita") and not shown()
    with open_store(project, read_only=True) as store:
        assert store.content_sha256() == before
    assert shown("--as", "both")
    with open_store(project, read_only=True) as store:
        after = store.content_sha256()
    assert shown("--as", "both")
    with open_store(project, read_only=True) as store:
        assert store.content_sha256() == after != before


def test_an_answer_changed_after_the_command_line_showed_agreement_counts_no_more(tmp_path, run):
    with worlds.make(tmp_path / "P.goldsmith", n=3, roles={"ana": ["annotator", "researcher"], "ben": ["annotator"]}
                     ) as store:
        for handle in ("ana", "ben"):
            for colour in ("red", "blue"):
                worlds.answer(store, handle, colour)
    run(tmp_path / "P.goldsmith", "--question", "colour", "--as", "ana")
    with open_store(tmp_path / "P.goldsmith") as store, store.write() as session:
        mine = tasks.mine(session, worlds.who(session, "ana"))[0]
        tasks.submit(session, mine.task, worlds.say("unsure"))
    result, = run(tmp_path / "P.goldsmith", "--question", "colour")["results"]
    assert result["n_items"] == 1  # the changed one has a single independent answer left


def test_where_it_cannot_be_recorded_nothing_is_shown(project, run):
    with open_store(project):
        assert run(project, "--as", "both", exit=4)["code"] == "locked"
        assert run(project, "--as", "rita")["results"]
