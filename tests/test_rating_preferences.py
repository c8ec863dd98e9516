"""Preferences from a real store: sides, swaps, conflicts, circles, strengths and length, against counts by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from annotation import people, protocol
from annotation.errors import Refused, Unknown
from annotation.protocol import Protocol
from annotation.rating_preferences import PreferenceReport, preference_reports
from annotation.store.opening import create
from annotation.store.project import Store
from app import cli
from tests import rating_world
from tests.rating_world import again, give

SHELF = Path(__file__).resolve().parent.parent / "resources" / "protocols"
TEXTS = {"a": "short", "b": "a middle answer", "c": "by far the longest answer of all"}


def project(place: Path, text: str | Protocol) -> Store:
    store = create(place / "P.goldsmith", title="P", owner="demo",
                   protocol=protocol.loads(text) if isinstance(text, str) else text)
    with store.write() as session:
        for handle in ("ana", "ben", "cem"):
            people.add(session, handle, roles=["annotator"], by=people.find(session, "demo").id)
    return store


def shipped(name: str) -> Protocol:
    return protocol.load(SHELF / f"{name}.yaml")


@pytest.fixture
def pairs(tmp_path: Path) -> Iterator[Store]:
    """Two kinds of tie, private model names in model1 and model2."""
    with project(tmp_path, shipped("preference-pair")) as store:
        yield store


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[Store]:
    """A rating pass and a pair pass over the answers a, b, c to the question q1."""
    with project(tmp_path, shipped("trustjudge")) as store:
        for name, text in TEXTS.items():
            rating_world.add_item(store, f"r-{name}", {"question": "q1", "answer": text, "pass": "rating"},
                                  tags=[("pass", "rating")])
        for one, other in combinations(TEXTS, 2):
            rating_world.add_item(
                store, f"p-{one}{other}", {"question": "q1", "pass": "pair", "responses": [
                    {"id": "c1", "text": TEXTS[one]}, {"id": "c2", "text": TEXTS[other]}]}, tags=[("pass", "pair")])
        yield store


def pair(store: Store, key: str, models: tuple[str, str] = ("north", "south"),
         texts: tuple[str, str] = ("one text", "another text")) -> None:
    rating_world.add_item(
        store, key, {"prompt": f"prompt of {key}", "candidates": [
            {"id": "c1", "text": texts[0]}, {"id": "c2", "text": texts[1]}]},
        secret={"model1": models[0], "model2": models[1]})


def better(value: str) -> dict[str, Any]:
    return {"better": {"v": value}}


LEFT = {"candidates": ["c1", "c2"]}
RIGHT = {"candidates": ["c2", "c1"]}


def report(store: Store, kind: str = "human", **more: Any) -> PreferenceReport:
    with store.read() as session:
        return next(one for one in preference_reports(session, **more) if one.kind == kind)


def wilson(count: int, n: int) -> tuple[float, float]:
    low, high = proportion_confint(count, n, method="wilson")
    return pytest.approx((float(low), float(high)), abs=1e-9)


def test_position_bias_is_the_share_of_first_sides_by_the_order_that_was_shown(pairs: Store) -> None:
    said = [("c1", LEFT), ("c1", RIGHT), ("c2", RIGHT), ("c2", RIGHT), ("both_bad", LEFT)]
    for n, (value, order) in enumerate(said):
        pair(pairs, f"k{n}")
        give(pairs, "ana", f"k{n}", better(value), order=order)
    pair(pairs, "k9")
    give(pairs, "ana", "k9", better("c1"))  # from a file: nobody knows what stood left
    found = report(pairs)
    # First sides won: k0 (c1 left), k2 and k3 (c2 left); k1 chose c1 while c2 stood left.
    assert (found.position.first.count, found.position.first.n) == (3, 4)
    assert found.position.first.ci == wilson(3, 4)
    assert (found.position.ties, found.ties, found.judgements, found.order_unknown) == (1, 1, 6, 1)
    assert found.people[0].handle == "ana" and found.people[0].position.first.count == 3


def test_swapped_repeats_show_whether_the_winner_moves_with_the_place(pairs: Store) -> None:
    for n, (first, second) in enumerate((("c1", "c1"), ("c1", "c2"), ("c2", "c2"), ("both_good", "c1"))):
        pair(pairs, f"k{n}")
        give(pairs, "ana", f"k{n}", better(first), order=LEFT)
        again(pairs, "ana", f"k{n}", better(second), order=RIGHT)
    pair(pairs, "k8")
    give(pairs, "ana", "k8", better("c1"), order=LEFT)
    again(pairs, "ana", "k8", better("c2"), order=LEFT)  # not swapped: says nothing of sides
    found = report(pairs)
    swap = found.swap
    assert (swap.same.count, swap.same.n, swap.both_first, swap.both_second, swap.tie_once) == (2, 4, 1, 0, 1)
    assert swap.same.ci == wilson(2, 4)
    assert (found.judgements, found.repeats) == (5, 5), "repeats are no judgements of their own"


def test_names_across_items_come_from_twin_private_fields_and_strengths_are_the_closed_form(pairs: Store) -> None:
    wins = {("north", "south"): (6, 2), ("south", "east"): (4, 4), ("north", "east"): (5, 3)}
    n = 0
    for models, (won, lost) in wins.items():
        for value in ["c1"] * won + ["c2"] * lost:
            pair(pairs, f"k{n}", models if n % 2 else models[::-1])
            give(pairs, "ana", f"k{n}", better(value if n % 2 else {"c1": "c2", "c2": "c1"}[value]), order=LEFT)
            n += 1
    found = report(pairs, replicates=400)
    assert found.named_by == "model1, model2"
    table = next(one for one in found.strengths if one.model == "bradley_terry")
    # Zermelo's iteration by hand: p_i = w_i / sum_j n_ij / (p_i + p_j).
    names, w = ("north", "south", "east"), {"north": 11, "south": 6, "east": 7}
    p = dict.fromkeys(names, 1.0)
    for _ in range(2000):
        p = {i: w[i] / sum(8 / (p[i] + p[j]) for j in names if j != i) for i in names}
    for row in table.rows:
        assert row.worth == pytest.approx(p[row.name] / sum(p.values()), abs=1e-6)
        assert row.worth_ci is not None and row.worth_ci[0] < row.worth < row.worth_ci[1]
    assert table.rows[0].name == "north" and table.ci_method == "bootstrap_bca_items"
    davidson = next(one for one in found.strengths if one.model == "davidson")
    assert davidson.rows[0].worth is None and davidson.reason is not None and "no ties" in davidson.reason


def test_ties_enter_davidsons_model_and_are_left_out_of_bradley_and_terrys(pairs: Store) -> None:
    for n, value in enumerate(["c1"] * 5 + ["c2"] * 3 + ["both_good"] * 2):
        pair(pairs, f"k{n}")
        give(pairs, "ana", f"k{n}", better(value), order=LEFT)
    found = {one.model: one for one in report(pairs, replicates=0).strengths}
    worth = {model: {row.name: row.worth for row in one.rows} for model, one in found.items()}
    assert worth["bradley_terry"]["north"] == pytest.approx(5 / 8)
    assert found["bradley_terry"].ties_left_out == 2
    # Two things: p : q : nu sqrt(pq) = 5 : 3 : 2.
    assert worth["davidson"]["north"] == pytest.approx(5 / 8, abs=1e-6)
    assert found["davidson"].tie == pytest.approx(2 / np.sqrt(15), abs=1e-6)


def test_strengths_without_an_interval_say_why(pairs: Store) -> None:
    for n, value in enumerate(["c1"] * 5 + ["c2"]):  # many a resample has no loss
        pair(pairs, f"k{n}")
        give(pairs, "ana", f"k{n}", better(value), order=LEFT)
    table = report(pairs, replicates=400).strengths[0]
    assert table.rows[0].worth is not None and table.rows[0].worth_ci is None
    assert table.reason is not None and "no interval" in table.reason


def test_without_names_there_are_no_strengths_but_a_sentence(judge: Store) -> None:
    give(judge, "ana", "p-ab", {"preference": {"v": "c1"}}, order={"responses": ["c1", "c2"]})
    found = report(judge)
    assert found.named_by is None
    assert all(one.rows == () and "--names" in str(one.reason) for one in found.strengths)
    assert found.position.first.n == 1 and found.position.order_effect is None


def rate(store: Store, handle: str, scores: Mapping[str, int], choices: Mapping[str, str]) -> None:
    for name, score in scores.items():
        give(store, handle, f"r-{name}", {"rating": {"v": score}})
    for key, value in choices.items():
        give(store, handle, f"p-{key}", {"preference": {"v": value}}, order={"responses": ["c2", "c1"]})


def test_conflicts_compare_the_pair_pass_with_the_same_persons_ratings_of_the_same_answers(judge: Store) -> None:
    # ana: a 2, b 4, c 4. ab -> a (reversed), ac -> c (fits), bc -> b (a preference between equals).
    rate(judge, "ana", {"a": 2, "b": 4, "c": 4}, {"ab": "c1", "ac": "c2", "bc": "c1"})
    # ben rated a and b only. ab -> tie although 1 < 5; bc has no rating of c.
    rate(judge, "ben", {"a": 1, "b": 5}, {"ab": "tie", "bc": "c2"})
    found = report(judge)
    assert (found.rating, found.no_rating) == ("rating", None)
    assert found.conflicts is not None
    assert (found.conflicts.ratio.count, found.conflicts.ratio.n) == (3, 4)
    assert (found.conflicts.reversed, found.conflicts.unequal_tied, found.conflicts.equal_decided) == (1, 1, 1)
    assert found.conflicts.unrated == 1
    of = {one.handle: one.conflicts for one in found.people}
    assert of["ana"] is not None and (of["ana"].ratio.count, of["ana"].ratio.n) == (2, 3)
    assert of["ben"] is not None and (of["ben"].ratio.count, of["ben"].ratio.n) == (1, 1)
    tolerant = report(judge, tolerance=3.0)
    assert tolerant.conflicts is not None and tolerant.conflicts.equal_decided == 3


def test_circles_are_found_among_the_answers_to_one_question_whatever_the_ids_of_the_candidates(judge: Store) -> None:
    # a over b, b over c, c over a: a circle. ben: a = b, b = c, a over c: equality broken. cem: an order.
    for handle, choices in {"ana": ("c1", "c1", "c2"), "ben": ("tie", "tie", "c1"), "cem": ("c1", "c1", "c1")}.items():
        for key, value in zip(("ab", "bc", "ac"), choices, strict=True):
            give(judge, handle, f"p-{key}", {"preference": {"v": value}})
    found = report(judge, sets=(3, 4))
    three, four = found.violations
    assert (three.bad.count, three.bad.n, three.circular, three.equality) == (2, 3, 1, 1)
    assert four.bad.value is None and four.reason == "nobody judged all pairs among 4 things"
    of = {one.handle: one.violations[0] for one in found.people}
    assert (of["ana"].circular, of["ben"].equality, of["cem"].bad.count) == (1, 1, 0)
    assert found.prompts == 1


def test_length_bias_counts_how_often_the_longer_text_won(judge: Store) -> None:
    for key, value in {"ab": "c2", "ac": "c2", "bc": "c1"}.items():
        give(judge, "ana", f"p-{key}", {"preference": {"v": value}})
    length = report(judge).length
    assert (length.longer.count, length.longer.n, length.longer.ci) == (2, 3, wilson(2, 3))


GROUPED = """\
id: grouped
version: 1
title: Scores and pairs in one item
source: made for a test
fields:
  - {name: prompt, kind: text, label: Prompt}
  - {name: replies, kind: candidates, label: Replies}
questions:
  - {name: better, type: pairwise, text: Better?, on: replies, ties: [tie]}
  - group: each
    for_each: replies
    questions:
      - {name: clear, type: scale, text: Clear?, min: 1, max: 4}
      - {name: true_to, type: scale, text: True?, min: 1, max: 4}
derive:
  overall: {sum: {of: [clear, true_to]}}
workflow: {stages: [annotate], people_per_item: 2}
gold: {better: {rule: majority}}
"""


def test_scores_in_a_group_over_the_candidates_are_the_rating_and_a_total_goes_before_its_parts(tmp_path: Path) -> None:
    with project(tmp_path, GROUPED) as store:
        for n, (value, clear, true_to) in enumerate((("m-1", (4, 1), (1, 2)), ("m-1", (1, 4), (2, 2)))):
            rating_world.add_item(store, f"k{n}", {"prompt": f"p{n}", "replies": [
                {"id": "m-1", "text": f"one {n}"}, {"id": "m-2", "text": f"two {n}"}]})
            give(store, "ana", f"k{n}", {
                **better(value), "clear": {"m-1": {"v": clear[0]}, "m-2": {"v": clear[1]}},
                "true_to": {"m-1": {"v": true_to[0]}, "m-2": {"v": true_to[1]}}})
        found = report(store)
        assert (found.rating, found.named_by) == ("overall", "ids of replies")
        # Totals 5 : 3 and 3 : 6: the second preference runs against them.
        assert found.conflicts is not None
        assert (found.conflicts.ratio.count, found.conflicts.ratio.n, found.conflicts.reversed) == (1, 2, 1)
        by_truth = report(store, rating="true_to").conflicts
        assert by_truth is not None and (by_truth.reversed, by_truth.equal_decided) == (1, 1)


def test_judges_that_are_machines_have_a_report_of_their_own(pairs: Store) -> None:
    with pairs.write() as session:
        people.add(session, "judge-x", roles=["annotator"], kind="machine", by=people.find(session, "demo").id)
    pair(pairs, "k0")
    give(pairs, "ana", "k0", better("c1"), order=LEFT)
    give(pairs, "judge-x", "k0", better("c2"), order=LEFT)
    human, machine = report(pairs), report(pairs, "machine")
    assert (human.judgements, [one.handle for one in human.people]) == (1, ["ana"])
    assert (machine.judgements, [one.handle for one in machine.people]) == (1, ["judge-x"])


def test_what_was_withdrawn_or_counts_not_is_left_out(pairs: Store) -> None:
    pair(pairs, "k0")
    rating_world.add_item(pairs, "practice", {"prompt": "p", "candidates": [
        {"id": "c1", "text": "x"}, {"id": "c2", "text": "y"}]}, kind="practice")
    give(pairs, "ana", "k0", better("c1"), order=LEFT)
    give(pairs, "ana", "practice", better("c1"), order=LEFT)
    assert report(pairs).judgements == 1


def test_questions_that_compare_nothing_and_unknown_fields_are_refused(judge: Store) -> None:
    with judge.read() as session:
        with pytest.raises(Refused, match="compares no pairs"):
            preference_reports(session, ["rating"])
        with pytest.raises(Unknown, match="no field"):
            preference_reports(session, names=("model9", "model8"))
        with pytest.raises(Unknown, match="no question"):
            preference_reports(session, rating="nothing")


def test_nobody_judged_yet_is_a_report_of_nothing_in_plain_json(judge: Store) -> None:
    found = report(judge)
    assert (found.judgements, found.position.first.value) == (0, None)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["swap"]["same"]["reason"]


def test_the_verb_prints_sides_conflicts_and_worths(pairs: Store, capsys: pytest.CaptureFixture[str]) -> None:
    for n, value in enumerate(["c1"] * 5 + ["c2"] * 3):
        pair(pairs, f"k{n}")
        give(pairs, "ana", f"k{n}", better(value), order=LEFT)
    words = ["agreement", str(pairs.folder), "--preferences", "--replicates", "200"]
    assert cli.main([*words, "--names", "model1,model2"]) == 0
    text = capsys.readouterr().out
    assert "better (human judges): 8 judgements of 8 items, 0 ties" in text
    assert "first side won: 62.5% [30.6%, 86.3%] of 8" in text
    assert "conflicts with ratings: undefined: the protocol asks for no rating of what is compared" in text
    assert "bradley_terry (bootstrap_bca_items): north 0.625 [" in text
    assert cli.main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["preferences"][0]["named_by"] == "model1, model2"
