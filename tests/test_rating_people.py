"""People in numbers: pace, checks, repeats, the others' majority and competence, each against a count by hand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, update
from statsmodels.stats.proportion import proportion_confint

from annotation import people, tasks, trail
from annotation.agreement.against import percent_vs_majority
from annotation.agreement.others import with_majority_of_others
from annotation.agreement.ratings import collapse, ratings_of
from annotation.errors import Unknown
from annotation.rating_people import OnQuestion, PersonReport, people_report
from annotation.store.ids import new_id
from annotation.store.project import Store
from annotation.store.tables import Round, Task
from annotation.store.types import now
from app import cli
from tests import rating_world, worlds
from tests.rating_world import again, give

QUESTIONS = """\
  - {name: colour, type: choice, text: Which colour?, options: [{value: red}, {value: blue}, {value: green}]}
  - {name: depth, type: scale, text: How deep?, min: 1, max: 5, required: false, na: {label: N/A}}
"""
TEXT = worlds.text("stages: [annotate], people_per_item: 3", questions=QUESTIONS) + "quality: {min_seconds: 4}\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with worlds.make(tmp_path / "W.goldsmith", TEXT, n=12) as made:
        yield made


def say(colour: str, depth: int | None = None) -> dict[str, Any]:
    return {"colour": {"v": colour}} | ({} if depth is None else {"depth": {"v": depth}})


def of(store: Store, handle: str, **more: Any) -> PersonReport:
    with store.read() as session:
        return next(one for one in people_report(session, **more) if one.handle == handle)


def at(report: PersonReport, name: str = "colour") -> OnQuestion:
    return next(one for one in report.questions if one.question == name)


def wilson(count: int, n: int) -> tuple[float, float]:
    low, high = proportion_confint(count, n, method="wilson")
    return pytest.approx((float(low), float(high)), abs=1e-9)


def test_pace_is_the_median_of_timed_turns_and_warns_below_the_protocols_least(store: Store) -> None:
    for n, ms in enumerate((1000, 2000, 9000, 3000)):
        give(store, "ana", f"a{n}", say("red"), ms=ms)
    give(store, "ana", "a4", say("red"))  # from a file without times
    pace = of(store, "ana").pace
    assert (pace.speed.median, pace.speed.n) == (2.5, 4)
    assert (pace.too_fast.count, pace.too_fast.n, pace.too_fast.ci) == (3, 4, wilson(3, 4))
    assert pace.warning == "half of the answers took less than 2.5 s; the protocol expects at least 4 s"
    give(store, "ben", "a0", say("red"), ms=60_000)
    assert of(store, "ben").pace.warning is None


def test_a_turn_that_was_submitted_twice_counts_once_with_all_its_time(store: Store) -> None:
    give(store, "ana", "a0", say("red"), ms=1000)
    with store.write() as session:
        task = session.query(Task.id).one()[0]
        tasks.submit(session, task, say("blue"), active_ms=4000)
    report = of(store, "ana")
    assert (report.answered, report.pace.speed.median) == (1, 5.0)


def test_skips_are_counted_and_a_person_who_did_nothing_is_not_listed(store: Store) -> None:
    task = worlds.take(store, "ana")
    assert task is not None
    with store.write() as session:
        tasks.skip(session, task.id, reason="later")
    report = of(store, "ana")
    assert (report.answered, report.skipped) == (0, 1)
    with store.read() as session:
        assert [one.handle for one in people_report(session)] == ["ana"]


def test_checks_with_a_known_answer_are_counted_apart_and_are_no_judgements(store: Store) -> None:
    rating_world.add_item(store, "g1", {"text": "g"}, kind="gold_check", expected={"colour": {"v": "red"}})
    rating_world.add_item(store, "g2", {"text": "g"}, kind="gold_check", expected={"colour": "blue", "depth": 4})
    rating_world.add_item(store, "t1", {"text": "t"}, kind="attention", expected={"depth": {"na": True}})
    give(store, "ana", "g1", say("red"))
    give(store, "ana", "g2", say("green", 4))
    give(store, "ana", "t1", {**say("red"), "depth": {"na": True}})
    give(store, "ben", "t1", say("red", 3))
    ana = of(store, "ana")
    assert (ana.gold_checks.count, ana.gold_checks.n, ana.gold_checks.ci) == (2, 3, wilson(2, 3))
    assert (ana.attention.count, ana.attention.n) == (1, 1)
    assert (at(ana).gold_checks.count, at(ana).gold_checks.n) == (1, 2)
    assert (at(ana, "depth").gold_checks.count, at(ana, "depth").gold_checks.n) == (1, 1)
    assert (of(store, "ben").attention.count, of(store, "ben").attention.n) == (0, 1)
    assert (ana.answered, at(ana).answers) == (0, 0)


def test_a_check_answered_after_its_item_was_revealed_says_nothing(store: Store) -> None:
    item = rating_world.add_item(store, "g1", {"text": "g"}, kind="gold_check", expected={"colour": {"v": "red"}})
    give(store, "ben", "a0", say("red"))
    with store.write() as session:
        trail.reveal(session, worlds.who(session, "ben"), item=item)
    give(store, "ben", "g1", say("red"))
    assert of(store, "ben").gold_checks.n == 0
    assert of(store, "ben").gold_checks.reason == "no such item was answered"


def test_repeats_are_compared_with_the_first_answer_of_the_same_person(store: Store) -> None:
    first = {"a0": ("red", 1), "a1": ("blue", 2), "a2": ("red", 5), "a3": ("green", 3)}
    second = {"a0": ("red", 1), "a1": ("red", 2), "a2": ("red", 4), "a3": ("green", 3)}
    for key, (colour, depth) in first.items():
        give(store, "ana", key, say(colour, depth))
        give(store, "ben", key, say("green", 1))
    for key, (colour, depth) in second.items():
        again(store, "ana", key, say(colour, depth))
    ana = of(store, "ana")
    assert (at(ana).repeats.count, at(ana).repeats.n) == (3, 4)
    assert (at(ana, "depth").repeats.count, at(ana, "depth").repeats.n) == (3, 4)
    assert (ana.repeats.count, ana.repeats.n, ana.repeats.ci) == (6, 8, wilson(6, 8))
    import krippendorff  # heavy: 0.2 s

    codes = {"red": 0, "blue": 1, "green": 2}
    data = [[codes[row[0]] for row in side.values()] for side in (first, second)]
    expected = krippendorff.alpha(reliability_data=data, level_of_measurement="nominal")
    assert at(ana).repeats_alpha.value == pytest.approx(expected, abs=1e-9)
    depth = at(ana, "depth").repeats_alpha
    data = [[row[1] for row in side.values()] for side in (first, second)]
    assert depth.level == "interval"
    assert depth.value == pytest.approx(krippendorff.alpha(reliability_data=data, level_of_measurement="interval"))
    ben = of(store, "ben")
    assert ben.repeats.n == 0 and at(ben).repeats_alpha.value is None
    assert at(ben).repeats_alpha.reason == "nothing was asked again"
    assert at(ana).answers == 4, "a repeat is no judgement of its own"


def test_a_repeat_in_a_training_round_is_no_test_of_consistency(store: Store) -> None:
    give(store, "ana", "a0", say("red"))
    again(store, "ana", "a0", say("blue"))
    assert at(of(store, "ana")).repeats.n == 1
    with store.write() as session:
        training = new_id()
        session.execute(insert(Round).values(id=training, name="training", kind="training", at=now()))
        session.execute(update(Task).where(Task.repeat_no == 1).values(round=training))
    assert at(of(store, "ana")).repeats.n == 0


def test_the_majority_of_the_others_leaves_the_person_out_and_counts_only_where_there_is_one(store: Store) -> None:
    said = {"a0": ("red", "red", "blue"), "a1": ("red", "red", "red"), "a2": ("red", "blue", "green"),
            "a3": ("blue", "red", "red")}
    for key, colours in said.items():
        for handle, colour in zip(("ana", "ben", "cem"), colours, strict=True):
            give(store, handle, key, say(colour))
    give(store, "ana", "a4", say("red"))  # nobody else: no majority
    found = {handle: at(of(store, handle)).majority for handle in ("ana", "ben", "cem")}
    # ana: a0 others red+blue: none; a1 red: yes; a2 blue+green: none; a3 red+red: no -> 1 of 2.
    assert (found["ana"].count, found["ana"].n) == (1, 2)
    # ben: a0 red+blue none; a1 yes; a3 blue+red none -> 1 of 1. cem: a0 red+red: no; a1 yes; a3 none -> 1 of 2.
    assert (found["ben"].count, found["ben"].n) == (1, 1)
    assert (found["cem"].count, found["cem"].n, found["cem"].ci) == (1, 2, wilson(1, 2))


def test_machines_are_compared_with_the_majority_of_people_and_are_nobodys_others(store: Store) -> None:
    with store.write() as session:
        people.add(session, "model-x", roles=["annotator"], kind="machine", by=worlds.who(session, "demo"))
    for key in ("a0", "a1"):
        give(store, "ana", key, say("red"))
        give(store, "ben", key, say("red"))
        give(store, "model-x", key, say("blue" if key == "a0" else "red"))
    machine, ana = of(store, "model-x"), of(store, "ana")
    assert (machine.kind, at(machine).majority.count, at(machine).majority.n) == ("machine", 1, 2)
    assert (at(ana).majority.count, at(ana).majority.n) == (2, 2)


@settings(max_examples=150)
@given(st.integers(1, 6).flatmap(lambda n: st.lists(
    st.lists(st.one_of(st.none(), st.integers(0, 3)), min_size=n, max_size=n), min_size=1, max_size=12)))
def test_the_count_of_majorities_is_that_of_a_loop_over_everybody(table: list[list[int | None]]) -> None:
    ratings = ratings_of([(u, p, value) for u, row in enumerate(table) for p, value in enumerate(row)])
    found = with_majority_of_others(ratings)
    for person in range(len(table[0])):
        hits = n = 0
        for row in table:
            others = [value for p, value in enumerate(row) if p != person and value is not None]
            best = Counter(others).most_common(1)
            if row[person] is None or not best or 2 * best[0][1] <= len(others):
                continue
            n += 1
            hits += best[0][0] == row[person]
        assert (int(found.hits[person]), int(found.n[person])) == (hits, n)
    patterns = collapse(ratings)
    if len(patterns.count):  # and all people together are what the metric of that name says
        pooled = percent_vs_majority(patterns).evaluate(patterns.count.astype(float)[None])[0]
        assert not found.n.sum() or pooled == pytest.approx(found.hits.sum() / found.n.sum())


def test_competence_finds_the_person_who_guesses_and_says_how_sure_it_is(store: Store) -> None:
    rng = np.random.default_rng(4)
    with store.write() as session:
        worlds.add_items(session, [f"b{n}" for n in range(60)], by=worlds.who(session, "demo"))
    colours = ("red", "blue", "green")
    for n in range(60):
        truth = n % 3
        for handle, right in (("ana", 0.95), ("ben", 0.95), ("cem", 0.34)):
            said = truth if rng.random() < right else int(rng.choice([k for k in range(3) if k != truth]))
            give(store, handle, f"b{n}", say(colours[said]))
    able = {handle: at(of(store, handle)).competence for handle in ("ana", "cem")}
    good, poor = able["ana"], able["cem"]
    assert good is not None and poor is not None and good.value is not None and poor.value is not None
    assert good.value > 0.85 and poor.value < 0.6
    assert good.ci is not None and poor.ci is not None and good.ci[0] > poor.ci[1]
    assert good.answers == 60 and set(good.classes) == set(colours)
    assert good.confusion is not None and all(sum(row) == pytest.approx(1.0, abs=1e-5) for row in good.confusion)
    assert at(of(store, "ana", competence=False)).competence is None


def test_an_unknown_question_is_refused_and_the_report_is_plain_json(store: Store) -> None:
    give(store, "ana", "a0", say("red", 2), ms=500)
    with store.read() as session, pytest.raises(Unknown):
        people_report(session, ["nothing"])
    said = json.loads(json.dumps(of(store, "ana").to_dict(), allow_nan=False))
    assert said["handle"] == "ana" and "person" not in said
    assert said["questions"][0]["competence"]["reason"]


def test_the_verb_lists_people_with_their_numbers_and_is_not_for_annotators(
        store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    give(store, "ana", "a0", say("red", 2), ms=2500)
    assert cli.main(["agreement", str(store.folder), "--people", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["handle"], one["answered"]) for one in found["people"]] == [("ana", 1)]
    assert cli.main(["agreement", str(store.folder), "--people"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("ana: 1 answered, 0 skipped, median 2.5 s\n  warning: half of the answers")
    assert cli.main(["agreement", str(store.folder), "--people", "--as", "ana"]) == 2
