"""Decisions made again, blind: who may, what is shown, that gold stays, and how reliability is counted from them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy.orm import Session
from statsmodels.stats.proportion import proportion_confint

from annotation import caches, gold, people, review, second_adjudication, trail, undo
from annotation.adjudicator_check import adjudicator_check
from annotation.answers import Slot
from annotation.errors import NotAllowed, Refused
from annotation.store.project import Store
from app import cli
from tests import worlds
from tests.rating_world import give, item_of

QUESTIONS = "  - {name: colour, type: choice, text: Which colour?, options: [{value: red}, {value: blue}]}\n"
TEXT = worlds.text("stages: [annotate, adjudicate], people_per_item: 2", questions=QUESTIONS)
COLOUR = Slot("colour")
FIRST = {"a0": "red", "a1": "blue", "a2": "red", "a3": "blue"}


def who(session: Session, handle: str) -> UUID:
    return people.find(session, handle).id


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Four items on which two people differ, all decided by dr-curie."""
    with worlds.make(tmp_path / "W.goldsmith", TEXT, n=5) as made:
        with made.write() as session:
            for handle in ("dr-curie", "dr-eva"):
                people.add(session, handle, roles=["adjudicator"], by=who(session, "demo"))
        for key in (*FIRST, "a4"):
            give(made, "ana", key, {"colour": {"v": "red"}})
            give(made, "ben", key, {"colour": {"v": "blue" if key in FIRST else "red"}})
        for key, colour in FIRST.items():
            with made.write() as session:
                review.adjudicate(session, item_of(session, key), {COLOUR: {"v": colour}}, by=who(session, "dr-curie"))
        yield made


def again(store: Store, key: str, colour: str, handle: str = "dr-eva") -> None:
    with store.write() as session:
        person, item = who(session, handle), item_of(session, key)
        second_adjudication.open_second(session, item, person=person)
        second_adjudication.decide_second(session, item, {COLOUR: {"v": colour}}, by=person)


def values(store: Store) -> dict[str, tuple[str, str]]:
    with store.read() as session:
        return {one.key: (one.answer["v"], one.standing) for one in gold.gold(session)}


def test_the_case_shows_what_was_before_the_first_decision_and_asks_for_the_same(store: Store) -> None:
    with store.write() as session:
        queue = second_adjudication.second_queue(session, who(session, "dr-eva"))
        assert [(one.key, set(one.decided)) for one in queue] == [(key, {COLOUR}) for key in FIRST]
        case = second_adjudication.open_second(session, queue[0].item, person=who(session, "dr-eva"))
    assert case.due == (COLOUR,) and case.earlier == () and case.standing == {}
    assert next(row for row in case.rows if row.slot == COLOUR).standing is None
    assert len(case.answers) == 2


def test_a_second_decision_changes_no_gold_and_is_asked_once(store: Store) -> None:
    before = values(store)
    again(store, "a0", "blue")
    assert values(store) == before and before["a0"] == ("red", "adjudicated")
    with store.write() as session:
        assert set(caches.differing(session).values()) == {0}
        assert "a0" not in {one.key for one in second_adjudication.second_queue(session, who(session, "dr-eva"))}
        case = review.adjudication_case(session, item_of(session, "a0"))
        assert [(slot, answer["v"]) for slot, answer, _ in case.earlier] == [(COLOUR, "red")]
        with pytest.raises(Refused, match="twice already"):
            second_adjudication.decide_second(session, item_of(session, "a0"), {COLOUR: {"v": "red"}},
                                              by=who(session, "dr-eva"))


def test_only_who_has_neither_answered_nor_decided_nor_seen_the_outcome_may_decide_again(store: Store) -> None:
    with store.write() as session:
        item, eva = item_of(session, "a1"), who(session, "dr-eva")
        with pytest.raises(NotAllowed, match="you have decided"):
            second_adjudication.open_second(session, item, person=who(session, "dr-curie"))
        with pytest.raises(NotAllowed):
            second_adjudication.open_second(session, item, person=who(session, "ana"))
        with pytest.raises(Refused, match="open the case first"):
            second_adjudication.decide_second(session, item, {COLOUR: {"v": "red"}}, by=eva)
        trail.reveal(session, eva, item=item)
        with pytest.raises(NotAllowed, match="would not be blind"):
            second_adjudication.open_second(session, item, person=eva)
        assert "a1" not in {one.key for one in second_adjudication.second_queue(session, eva)}


def test_a_case_that_was_opened_blind_may_be_opened_again(store: Store) -> None:
    for _ in range(2):
        with store.write() as session:
            second_adjudication.open_second(session, item_of(session, "a0"), person=who(session, "dr-eva"))
    with store.read() as session:
        assert "a0" in {one.key for one in second_adjudication.second_queue(session, who(session, "dr-eva"))}


def test_a_sample_of_items_is_drawn_by_their_own_numbers(store: Store) -> None:
    drawn = [second_adjudication.is_drawn(rnd, 0.25) for rnd in range(4000)]
    assert 0.22 < sum(drawn) / 4000 < 0.28
    assert all(second_adjudication.is_drawn(rnd, 0.5) for rnd in range(4000) if drawn[rnd])
    with store.read() as session:
        assert second_adjudication.second_queue(session, who(session, "dr-eva"), share=0.0) == ()


def test_taking_a_second_decision_back_and_again_leaves_the_first_alone(store: Store) -> None:
    before = values(store)
    again(store, "a0", "blue")
    with store.write() as session:
        item, eva = item_of(session, "a1"), who(session, "dr-eva")
        second_adjudication.open_second(session, item, person=eva)
        done = second_adjudication.decide_second(session, item, {COLOUR: {"v": "red"}}, by=eva)
        assert done.undo is not None
        redo = undo.apply(session, done.undo, person=eva)
    with store.read() as session:
        assert adjudicator_check(session)[0].same.n == 1
    with store.write() as session:
        assert redo.undo is not None
        undo.apply(session, redo.undo, person=who(session, "dr-eva"))
    with store.read() as session:
        assert adjudicator_check(session)[0].same.n == 2
    assert values(store) == before


def test_reliability_is_the_share_of_equal_decisions_and_alpha_between_first_and_second(store: Store) -> None:
    import krippendorff  # heavy: 0.2 s

    second = {"a0": "red", "a1": "red", "a2": "red", "a3": "blue"}
    for key, colour in second.items():
        again(store, key, colour)
    with store.read() as session:
        [found] = adjudicator_check(session, replicates=100)
    assert (found.question, found.same.count, found.same.n) == ("colour", 3, 4)
    assert found.same.ci == pytest.approx(proportion_confint(3, 4, method="wilson"), abs=1e-9)
    codes = [[{"red": 0, "blue": 1}[side[key]] for key in FIRST] for side in (FIRST, second)]
    assert found.alpha.value == pytest.approx(
        krippendorff.alpha(reliability_data=codes, level_of_measurement="nominal"))
    assert [(one.one, one.other, one.same.count) for one in found.pairs] == [("dr-curie", "dr-eva", 3)]


def test_a_pair_whose_first_decision_was_taken_back_does_not_count(store: Store) -> None:
    with store.write() as session:
        item = item_of(session, "a4")  # nobody differs here, and yet it is decided
        done = review.adjudicate(session, item, {COLOUR: {"v": "red"}}, by=who(session, "dr-curie"))
    again(store, "a4", "red")
    with store.write() as session:
        assert done.undo is not None
        undo.apply(session, done.undo, person=who(session, "dr-curie"))
        assert adjudicator_check(session) == ()
        assert set(caches.differing(session).values()) == {0}


def test_the_verb_tells_it_with_the_people(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    again(store, "a0", "red")
    path = str(store.folder)
    store.close()
    assert cli.main(["agreement", path, "--people", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["adjudicators"][0]["same"]["n"] == 1
    assert cli.main(["agreement", path, "--people"]) == 0
    assert "adjudicators, colour: same decision 100.0%" in capsys.readouterr().out
