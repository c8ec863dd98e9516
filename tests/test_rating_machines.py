"""Machines as raters, from stores and from files, against scikit-learn, scipy, krippendorff and a plain bootstrap."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from annotation import people
from annotation.agreement import two_raters
from annotation.agreement.machines import compare
from annotation.agreement.ratings import ratings_of
from annotation.errors import Refused, Unknown
from annotation.rating_machines import Against, MachineReport, machine_reports
from annotation.rating_predictions import read_predictions
from annotation.store.project import Store
from app import cli
from tests import rating_world, worlds
from tests.rating_world import give

QUESTIONS = """\
  - {name: colour, type: choice, text: Which colour?, options: [{value: red}, {value: blue}, {value: green}]}
  - {name: depth, type: scale, text: How deep?, min: 1, max: 5, required: false, na: {label: N/A}}
"""
TEXT = worlds.text("stages: [annotate], people_per_item: 4", questions=QUESTIONS)
COLOURS = ("red", "blue", "green")
PEOPLE = ("ana", "ben", "cem")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with worlds.make(tmp_path / "W.goldsmith", TEXT, n=30) as made:
        with made.write() as session:
            people.add(session, "model-x", roles=["annotator"], kind="machine", by=worlds.who(session, "demo"))
        yield made


def world(seed: int = 1, n: int = 30) -> dict[str, list[tuple[str, int]]]:
    """(colour, depth) of each rater at each item, with some noise around a truth."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    deep = rng.integers(1, 6, n)
    return {who: [(COLOURS[t if rng.random() < good else int(rng.integers(0, 3))],
                   int(np.clip(d + rng.integers(-1, 2), 1, 5))) for t, d in zip(truth, deep, strict=True)]
            for who, good in {"ana": 0.9, "ben": 0.9, "cem": 0.8, "model-x": 0.6}.items()}


def fill(store: Store, said: Mapping[str, Sequence[tuple[str, int]]], *, but: Sequence[str] = ()) -> None:
    for handle, answers in said.items():
        for n, (colour, depth) in enumerate(answers):
            if handle not in but:
                give(store, handle, f"a{n}", {"colour": {"v": colour}, "depth": {"v": depth}})


def report(store: Store, question: str = "colour", **more: Any) -> MachineReport:
    with store.read() as session:
        return machine_reports(session, [question], **more)[0]


def at(found: MachineReport, metric: str, against: str) -> Against:
    return next(one for one in found.against if one.metric == metric and one.against == against)


def test_kappa_and_alpha_with_each_person_are_those_of_other_libraries(store: Store) -> None:
    import krippendorff  # heavy: 0.2 s

    said = world()
    fill(store, said)
    found = report(store, replicates=200)
    assert (found.machine, found.source, found.answers, found.unmatched, found.people) == (
        "model-x", "project", 30, 0, 3)
    codes = {who: [COLOURS.index(colour) for colour, _ in rows] for who, rows in said.items()}
    for who in PEOPLE:
        one, two = codes["model-x"], codes[who]
        equal = sum(a == b for a, b in zip(one, two, strict=True)) / 30
        assert at(found, "accuracy", who).value == pytest.approx(equal)
        assert at(found, "cohen_kappa", who).value == pytest.approx(cohen_kappa_score(one, two))
        assert at(found, "krippendorff_alpha", who).value == pytest.approx(
            krippendorff.alpha(reliability_data=[one, two], level_of_measurement="nominal"))


def test_numbers_have_pearson_and_mae_and_kappa_with_quadratic_weights(store: Store) -> None:
    import krippendorff  # heavy: 0.2 s

    said = world(2)
    fill(store, said)
    found = report(store, "depth", replicates=100)
    one, two = ([depth for _, depth in said[who]] for who in ("model-x", "ben"))
    assert at(found, "pearson", "ben").value == pytest.approx(stats.pearsonr(one, two)[0])
    assert at(found, "mae", "ben").value == pytest.approx(np.mean(np.abs(np.array(one) - np.array(two))))
    kappa = at(found, "cohen_kappa", "ben")
    assert kappa.weights == "quadratic"
    assert kappa.value == pytest.approx(cohen_kappa_score(one, two, weights="quadratic", labels=[1, 2, 3, 4, 5]))
    alpha = at(found, "krippendorff_alpha", "ben")
    assert alpha.level == "interval"
    assert alpha.value == pytest.approx(
        krippendorff.alpha(reliability_data=[one, two], level_of_measurement="interval"))


def test_the_difference_to_people_is_paired_over_items_and_its_interval_that_of_a_plain_bootstrap(store: Store) -> None:
    said = world(3)
    fill(store, said)
    found = report(store, replicates=4000)
    codes = np.array([[COLOURS.index(colour) for colour, _ in said[who]] for who in (*PEOPLE, "model-x")])

    def difference(rows: np.ndarray) -> float:
        a, b, c, machine = rows
        ours = np.mean([np.mean(machine == one) for one in (a, b, c)])
        theirs = np.mean([np.mean(a == b), np.mean(a == c), np.mean(b == c)])
        return float(ours - theirs)

    one = at(found, "accuracy", "difference")
    assert one.value == pytest.approx(difference(codes))
    assert one.value == pytest.approx(at(found, "accuracy", "people").value - at(
        found, "accuracy", "people_each_other").value)
    rng = np.random.default_rng(0)
    draws = [difference(codes[:, rng.integers(0, 30, 30)]) for _ in range(4000)]
    assert one.ci == pytest.approx(np.percentile(draws, [2.5, 97.5]), abs=0.035)
    assert one.ci[1] < 0, "this machine is worse than people, and the interval says so"
    assert found.ci_method == "bootstrap_bca_items"


def test_the_majority_is_of_people_alone_and_only_where_there_is_one(store: Store) -> None:
    rows = {"a0": ("red", "red", "blue", "red"), "a1": ("red", "blue", "green", "red"),
            "a2": ("blue", "blue", None, "red"), "a3": ("green", None, None, "green")}
    for key, said in rows.items():
        for who, colour in zip((*PEOPLE, "model-x"), said, strict=True):
            if colour is not None:
                give(store, who, key, {"colour": {"v": colour}})
    one = at(report(store, replicates=0), "accuracy", "majority")
    assert (one.value, one.n) == (0.5, 2)  # a0 and a2; a1 is split, a3 has one person


def test_gold_is_compared_and_says_where_the_machine_helped_to_make_it(store: Store) -> None:
    said = {"ana": [("red", 1), ("blue", 2)], "ben": [("red", 1), ("blue", 2)], "model-x": [("red", 1), ("green", 2)]}
    fill(store, said)
    one = at(report(store, replicates=0), "accuracy", "gold")
    assert (one.value, one.n) == (0.5, 2)
    assert one.note == "this machine's own answers are among those that gold was made of"
    assert "gold" not in {one.kind for one in report(store, "depth", replicates=0).against}, "depth has no gold rule"


def test_a_file_of_predictions_is_a_machine_like_another_and_nothing_of_it_is_stored(store: Store, tmp_path: Path
                                                                                   ) -> None:
    said = world(4)
    fill(store, said, but=["model-x"])
    before = store.content_sha256()
    file = tmp_path / "judge-y.jsonl"
    file.write_text("".join(json.dumps({"id": f"A{n}", "question": "colour", "answer": colour}) + "\n"
                            for n, (colour, _) in enumerate(said["model-x"])), encoding="utf-8")
    with store.read() as session:
        rows = read_predictions(session, file)
        found = machine_reports(session, predictions=rows, replicates=0)
    assert [(one.machine, one.source, one.question) for one in found] == [("judge-y", "file", "colour")]
    fill(store, {"model-x": said["model-x"]})
    own = report(store, replicates=0)
    assert {(a.against, a.metric, a.value) for a in own.against if a.kind != "gold"} == {
        (a.against, a.metric, a.value) for a in found[0].against if a.kind != "gold"}
    assert at(found[0], "accuracy", "gold").note is None
    assert before != store.content_sha256()  # by the answers above, and by nothing else:
    with store.read() as session:
        between = store.content_sha256()
        machine_reports(session, predictions=read_predictions(session, file), replicates=0)
    assert store.content_sha256() == between


def test_csv_with_a_rater_column_holds_several_machines_and_answers_of_other_items_are_counted(store: Store,
                                                                                             tmp_path: Path) -> None:
    give(store, "ana", "a0", {"colour": {"v": "red"}, "depth": {"v": 4}})
    file = tmp_path / "p.csv"
    file.write_text("item,question,rater,answer,na\na0,depth,m1,3,\na0,depth,m2,,true\na5,depth,m1,2,\n",
                    encoding="utf-8")
    with store.read() as session:
        found = {one.machine: one for one in machine_reports(session, predictions=read_predictions(session, file),
                                                             replicates=0)}
    assert (found["m1"].answers, found["m1"].unmatched) == (1, 1)
    assert at(found["m1"], "mae", "ana").value == 1.0
    assert found["m2"].answers == 0 and at(found["m2"], "mae", "people").value is None


@pytest.mark.parametrize(("rows", "says"), [
    ([{"item": "zz", "question": "colour", "answer": "red"}], "no item 'zz'"),
    ([{"item": "a0", "question": "hue", "answer": "red"}], "no question 'hue'"),
    ([{"item": "a0", "question": "colour", "answer": "purple"}], "purple"),
    ([{"item": "a0", "question": "depth", "answer": 9}], "9"),
    ([{"question": "colour", "answer": "red"}], "names no item"),
    ([{"item": "a0", "answer": "red"}], "names no question"),
    ([{"item": "a0", "question": "colour", "answer": "red"}, {"id": "A0", "question": "colour", "answer": "blue"}],
     "twice"),
    ([{"item": "a0", "question": "colour", "element": "c1", "answer": "red"}], "asked once"),
])
def test_a_bad_row_of_predictions_is_refused_with_its_place(store: Store, tmp_path: Path, rows: list[dict[str, Any]],
                                                            says: str) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with store.read() as session, pytest.raises(Refused, match=says) as caught:
        read_predictions(session, file)
    assert caught.value.where.line == len(rows) and str(caught.value.where.file).endswith("p.jsonl")


def test_slices_are_the_items_of_each_value_of_a_tag(store: Store) -> None:
    said = world(5)
    fill(store, said)
    with store.read() as session:
        found = machine_reports(session, ["colour"], by="topic", replicates=0)
        with pytest.raises(Unknown, match="not a tag"):
            machine_reports(session, ["colour"], by="text")
    assert [one.by for one in found] == [None, {"field": "topic", "value": "even"}, {"field": "topic", "value": "odd"}]
    even = [one[0] == two[0] for one, two in zip(said["model-x"][::2], said["ana"][::2], strict=True)]
    assert at(found[1], "accuracy", "ana").value == pytest.approx(sum(even) / 15)
    assert found[1].answers == 15


def test_elements_of_one_item_are_drawn_together() -> None:
    rng = np.random.default_rng(3)
    rows = [((item, k), who, int(rng.integers(0, 2)) if who else item % 2)
            for item in range(20) for k in range(4) for who in range(3)]
    blocks = {(item, k): item for item in range(20) for k in range(4)}
    plain, blocked = ratings_of(rows), ratings_of(rows, blocks=blocks)
    wide = [next(one for one in compare(ratings, 0, (1, 2), {}, metrics=["accuracy"], level="nominal", replicates=500)
                 if one.against == "people") for ratings in (plain, blocked)]
    assert wide[0].value == wide[1].value and wide[0].ci != wide[1].ci


table = st.lists(st.tuples(st.integers(0, 4), st.one_of(st.none(), st.integers(0, 4)), st.integers(0, 4)), min_size=3,
                 max_size=30)


@settings(max_examples=120, deadline=None, derandomize=True)
@given(table, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_two_raters_measures_agree_with_libraries_on_any_table_and_dense_with_sparse(
        rows: list[tuple[int, int | None, int]], level: str) -> None:
    import krippendorff  # heavy: 0.2 s

    ratings = ratings_of([(u, p, value) for u, row in enumerate(rows) for p, value in enumerate(row)])
    both = [(a, b) for a, b, _ in rows if b is not None]
    assume(both)
    found = {one.metric: one for one in compare(
        ratings, 0, (1, 2), {}, metrics=list(two_raters.METRICS), level=level, replicates=0) if one.against == 1}
    one, two = zip(*both, strict=True)
    assert found["accuracy"].value == pytest.approx(np.mean(np.array(one) == np.array(two)))
    assert found["mae"].value == pytest.approx(np.mean(np.abs(np.array(one) - np.array(two))))
    if len({*one, *two}) > 1:
        theirs = krippendorff.alpha(reliability_data=np.array([one, two], dtype=float), level_of_measurement=level)
        assert found["krippendorff_alpha"].value == pytest.approx(theirs, abs=1e-9)
        weights = None if level == "nominal" else "quadratic"
        theirs = cohen_kappa_score(one, two, weights=weights, labels=list(range(5)))
        assert found["cohen_kappa"].value == (None if math.isnan(theirs) else pytest.approx(theirs, abs=1e-9))
    else:
        assert found["krippendorff_alpha"].value is None and found["krippendorff_alpha"].reason
    if len(set(one)) > 1 and len(set(two)) > 1:
        assert found["pearson"].value == pytest.approx(stats.pearsonr(one, two)[0], abs=1e-9)
    else:
        assert found["pearson"].value is None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("annotation.agreement.machines.DENSE", 0)
        sparse = {o.metric: o for o in compare(ratings, 0, (1, 2), {}, metrics=list(two_raters.METRICS), level=level,
                                               replicates=0) if o.against == 1}
    for metric, dense in found.items():
        if sparse[metric].value is not None:
            assert sparse[metric].value == pytest.approx(dense.value, abs=1e-9)
        elif dense.value is not None:
            assert metric in ("cohen_kappa", "krippendorff_alpha") and level != "interval"


def test_the_verb_compares_a_file_of_predictions_and_names_its_machine(store: Store, tmp_path: Path,
                                                                      capsys: pytest.CaptureFixture[str]) -> None:
    said = world(6)
    fill(store, said, but=["model-x"])
    file = tmp_path / "p.jsonl"
    file.write_text("".join(json.dumps({"item": f"a{n}", "answer": colour}) + "\n"
                            for n, (colour, _) in enumerate(said["model-x"])), encoding="utf-8")
    words = ["agreement", str(store.folder), "--predictions", f"careful={file}", "--question", "colour",
             "--replicates", "100"]
    assert cli.main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["machines"]
    assert [(one["machine"], one["source"], one["answers"]) for one in found] == [("careful", "file", 30)]
    assert cli.main(words) == 0
    text = capsys.readouterr().out
    assert "careful (file) colour: 30 items compared, 3 people" in text and "difference: accuracy -" in text
    assert cli.main([*words[:2], "--machines"]) == 0
    assert capsys.readouterr().out == "no machine has answered\n"


def test_the_whole_is_plain_json_and_without_machines_there_is_nothing(store: Store) -> None:
    with store.read() as session:
        assert machine_reports(session) == ()
    rating_world.give(store, "model-x", "a0", {"colour": {"v": "red"}})
    found = report(store, replicates=50)
    said = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert said["answers"] == 0 or said["against"]
