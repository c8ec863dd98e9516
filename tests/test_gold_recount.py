"""The gold rule dawid_skene: error rates counted on demand, posteriors by hand, and what waits until then."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from sqlalchemy import select

from annotation import caches, gold, gold_recount, people, review
from annotation.errors import NotAllowed, Refused
from annotation.gold_posterior import GoldModel, judge, posteriors
from annotation.gold_recount import Recount, recount
from annotation.gold_votes import NA, Vote
from annotation.store.project import Store
from annotation.store.tables import Event, Gold
from app import cli
from exports import release
from tests import worlds
from tests.rating_world import give

QUESTIONS = "  - {name: colour, type: choice, text: Which colour?, options: [{value: red}, {value: blue}]}\n"
PEOPLE = ("ana", "ben", "cem")


def text(rule: str = "{rule: dawid_skene, threshold: 0.8}", workflow: str = "stages: [annotate, adjudicate], "
         "people_per_item: 3") -> str:
    return worlds.text(workflow, gold=rule, questions=QUESTIONS)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with worlds.make(tmp_path / "W.goldsmith", text(), n=40) as made:
        with made.write() as session:
            people.add(session, "dr-curie", roles=["adjudicator"], by=worlds.who(session, "demo"))
        yield made


def answer_all(store: Store, *, of: int = 40) -> dict[str, list[str]]:
    """ana and ben are nearly always right, cem guesses."""
    rng = np.random.default_rng(8)
    said: dict[str, list[str]] = {who: [] for who in PEOPLE}
    for n in range(of):
        truth = n % 2
        for who, right in zip(PEOPLE, (0.95, 0.9, 0.5), strict=True):
            said[who].append(("red", "blue")[truth if rng.random() < right else 1 - truth])
            give(store, who, f"a{n}", {"colour": {"v": said[who][-1]}})
    return said


def count(store: Store) -> Recount:
    with store.write() as session:
        made: Recount = recount(session, by=worlds.who(session, "demo")).value
        return made


def values(store: Store) -> dict[str, str]:
    with store.read() as session:
        return {one.key: one.answer["v"] for one in gold.gold(session, "colour")}


def waiting(store: Store) -> set[str]:
    with store.read() as session:
        return {one.key for one in review.adjudication_queue(session, worlds.who(session, "dr-curie"))}


def vote(person: int, value: str | None) -> Vote:
    return Vote(UUID(int=person), NA if value is None else {"v": value}, value)


MODEL = GoldModel(("blue", "red"), (0.25, 0.75), {
    UUID(int=1).hex: ((0.9, 0.1), (0.2, 0.8)), UUID(int=2).hex: ((0.6, 0.4), (0.3, 0.7))})


def test_a_posterior_is_share_times_the_chances_of_the_votes_over_their_sum() -> None:
    blue, red = 0.25 * 0.9 * 0.4, 0.75 * 0.2 * 0.7  # person 1 says blue, person 2 red
    found = posteriors(MODEL, [vote(1, "blue"), vote(2, "red")])
    assert found == pytest.approx([blue / (blue + red), red / (blue + red)], abs=1e-12)


def test_somebody_unknown_to_the_model_is_taken_for_the_average_person() -> None:
    blue, red = 0.25 * 0.75, 0.75 * 0.25
    assert posteriors(MODEL, [vote(9, "blue")]) == pytest.approx([blue / (blue + red), red / (blue + red)])


def test_below_the_threshold_there_is_no_value_and_above_it_there_is() -> None:
    votes = [vote(1, "red"), vote(2, "red")]
    sure = judge(MODEL, votes, threshold=0.9)
    assert sure.answer == {"v": "red"}
    assert sure.probability == pytest.approx(0.75 * 0.8 * 0.7 / (0.75 * 0.8 * 0.7 + 0.25 * 0.1 * 0.4), abs=1e-6)
    unsure = judge(MODEL, [vote(1, "blue"), vote(2, "red")], threshold=0.9)
    assert unsure.answer is None and not unsure.waits and "the rule wants 0.9" in str(unsure.why)


def test_na_is_no_vote_and_stands_where_most_say_so() -> None:
    assert judge(MODEL, [vote(1, "red"), vote(2, "red"), vote(3, None)], threshold=0.9).answer == {"v": "red"}
    assert judge(MODEL, [vote(1, None), vote(2, None), vote(3, "red")], threshold=0.9).answer == NA


def test_an_answer_that_the_count_has_not_seen_waits_for_the_next() -> None:
    found = judge(MODEL, [vote(1, "green")], threshold=0.9)
    assert found.answer is None and found.waits


def test_before_the_first_count_there_is_no_gold_and_nothing_for_an_adjudicator(store: Store) -> None:
    answer_all(store, of=6)
    assert values(store) == {} and waiting(store) == set()
    with store.read() as session:
        assert {one.why for one in gold.missing(session, "colour") if one.key in ("a0", "a1")} == {
            "people's error rates are not counted yet: recount the gold"}


def test_a_count_gives_each_item_the_answer_of_its_posterior_and_sends_the_unsure_to_adjudication(store: Store) -> None:
    said = answer_all(store)
    made = count(store)
    assert [(one.question, one.answers, one.people, one.reason) for one in made.questions] == [("colour", 120, 3, None)]
    with store.read() as session:
        model = gold_recount.read_models(session, store.protocol)["colour"]
        ids = {who: worlds.who(session, who).hex for who in PEOPLE}
    # The posterior by plain products of the stored rates, apart from the code under test.
    expected, unsure = {}, set()
    for n in range(40):
        chance = [share * math.prod(model.people[ids[who]][k][model.classes.index(said[who][n])] for who in PEOPLE)
                  for k, share in enumerate(model.shares)]
        best = max(range(2), key=lambda k: chance[k])
        if chance[best] / sum(chance) >= 0.8:
            expected[f"a{n}"] = model.classes[best]
        else:
            unsure.add(f"a{n}")
    assert values(store) == expected and waiting(store) == unsure
    assert any(said["ana"][n] == said["ben"][n] != said["cem"][n] for n in range(40))
    rates = {who: model.people[ids[who]] for who in PEOPLE}
    assert rates["ana"][0][0] > rates["cem"][0][0] and rates["ana"][1][1] > rates["cem"][1][1]


def test_two_counts_of_the_same_answers_give_the_same_bytes_and_doctor_finds_nothing(store: Store) -> None:
    answer_all(store)
    count(store)
    with store.read() as session:
        first = gold_recount.count_model(session, store.protocol, "colour")
        assert gold_recount.count_model(session, store.protocol, "colour") == first
        assert set(caches.differing(session).values()) == {0}
    assert count(store).changed <= len(waiting(store))  # only those without a value are looked at again


def test_an_answer_after_the_count_is_weighed_by_the_rates_of_before_and_a_release_wants_a_new_count(store: Store
                                                                                                  ) -> None:
    answer_all(store, of=30)
    with store.write() as session, pytest.raises(Refused, match="recount first"):
        release.draw(session, by=worlds.who(session, "demo"))
    count(store)
    with store.read() as session:
        assert gold_recount.stale_models(session) == ()
        before = gold_recount.read_models(session, store.protocol)
    for who in PEOPLE:
        give(store, who, "a30", {"colour": {"v": "red"}})
    assert values(store)["a30"] == "red"
    with store.read() as session:
        assert gold_recount.read_models(session, store.protocol) == before
        assert gold_recount.stale_models(session) == ("colour",)
        assert set(caches.differing(session).values()) == {0}
    with store.write() as session, pytest.raises(Refused) as caught:
        release.draw(session, by=worlds.who(session, "demo"))
    assert caught.value.code == "stale_model"
    count(store)
    with store.write() as session:
        assert release.draw(session, by=worlds.who(session, "demo")).items == len(values(store))


def test_the_probability_stands_with_the_value(store: Store) -> None:
    answer_all(store)
    count(store)
    with store.read() as session:
        found = [origin["probability"] for origin in session.scalars(select(Gold.from_json))]
    assert len(found) == len(values(store)) > 20 and 0.8 <= min(found) <= max(found) <= 1.0


def test_where_everybody_always_says_the_same_that_is_certain(store: Store) -> None:
    for n in range(3):
        for who in PEOPLE:
            give(store, who, f"a{n}", {"colour": {"v": "red"}})
    count(store)
    assert values(store) == dict.fromkeys(("a0", "a1", "a2"), "red")


def test_error_rates_that_cannot_be_told_leave_the_items_to_an_adjudicator(tmp_path: Path) -> None:
    with worlds.make(tmp_path / "W.goldsmith", text(workflow="stages: [annotate, adjudicate], people_per_item: 1"),
                     n=4) as store:
        with store.write() as session:
            people.add(session, "dr-curie", roles=["adjudicator"], by=worlds.who(session, "demo"))
        for n, colour in enumerate(("red", "blue", "red")):
            give(store, "ana", f"a{n}", {"colour": {"v": colour}})
        assert count(store).questions[0].reason == "one person only: there is nobody to tell their mistakes by"
        assert values(store) == {} and waiting(store) == {"a0", "a1", "a2"}


def test_only_who_may_release_may_count_and_only_where_a_rule_asks_for_it(store: Store, tmp_path: Path) -> None:
    with store.write() as session, pytest.raises(NotAllowed):
        recount(session, by=worlds.who(session, "ana"))
    with (worlds.make(tmp_path / "M.goldsmith", text("{rule: majority}")) as plain, plain.write() as session,
          pytest.raises(Refused, match="dawid_skene")):
        recount(session, by=worlds.who(session, "demo"))


def test_the_count_is_in_the_trail_by_its_hash(store: Store) -> None:
    answer_all(store, of=4)
    count(store)
    with store.read() as session:
        row = session.execute(select(Event.verb, Event.ids_json).order_by(Event.seq.desc()).limit(1)).one()
    assert tuple(row) == ("recount", {})


def test_the_verb_counts_and_lists(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    answer_all(store, of=20)
    path = str(store.folder)
    store.close()
    assert cli.main(["gold", path, "--recount", "--json", "--as", "demo"]) == 0
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert said["recount"][0]["answers"] == 60 and said["changed"] >= len(said["gold"]) > 0
    assert {one["rule"] for one in said["gold"]} == {"dawid_skene"}
