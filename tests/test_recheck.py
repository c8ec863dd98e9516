"""Rounds of looking again: which items they hold, what they ask, how they end and how they are taken back."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from annotation import assign, notes, people, recheck, undo
from annotation.errors import NotAllowed, Refused, Unknown
from annotation.gold import gold
from annotation.store.opening import open_store
from annotation.store.tables import Event, Round
from exports import release
from tests.results_world import make

WHY = "A model and people differ here."


@pytest.fixture
def world(tmp_path):
    with open_store(make(tmp_path)) as store, store.write() as session:
        by = people.find(session, "demo").id
        yield session, by, assign.find_keys(session, [f"a{n}" for n in range(6)])


def test_each_item_gets_a_query_that_holds_a_final_release_up_until_it_is_closed(world):
    session, by, items = world
    gold_before = gold(session)
    done = recheck.send(session, items[:2], by=by, why=WHY, question="colour", chosen={"system": "careful"})
    assert done.value == recheck.Rechecked("recheck 1", items[:2], 0)
    asked = notes.queries(session, only_open=True)
    assert {one.item for one in asked} == set(items[:2])
    assert {(one.question, one.messages[0].text) for one in asked} == {("colour", WHY)}
    assert gold(session) == gold_before  # nothing else is changed
    report = release.draw(session, "1.0", by=by)
    assert not report.manifest_sha256
    assert ("open_query", ("a0", "a1"), "stops") in {(one.code, one.items, one.state) for one in report.findings}
    for one in asked:
        notes.answer_query(session, one.id, by=by, text="gold is right", closes=True)
    [round] = recheck.rounds(session)
    assert (round.name, round.by, round.items, round.open, round.chosen) == (
        "recheck 1", "demo", items[:2], (), {"system": "careful"})
    assert session.scalars(select(Round.kind).where(Round.name == "recheck 1")).one() == "recheck"
    assert "open_query" not in {one.code for one in release.examine(session)}


def test_an_item_whose_query_is_open_is_not_asked_about_twice_and_a_closed_one_can_be(world):
    session, by, items = world
    recheck.send(session, items[:2], by=by, why=WHY)
    assert recheck.send(session, items[:3], by=by, why=WHY).value == recheck.Rechecked("recheck 2", items[2:3], 2)
    again = recheck.send(session, items[:3], by=by, why=WHY)
    assert again.value == recheck.Rechecked("", (), 3) and again.undo is None
    assert len(notes.queries(session)) == 3
    for one in notes.queries(session, item=items[0]):
        notes.answer_query(session, one.id, by=by, closes=True)
    assert recheck.send(session, items[:3], by=by, why=WHY).value == recheck.Rechecked("recheck 3", items[:1], 2)


def test_a_round_is_taken_back_until_somebody_has_answered(world):
    session, by, items = world
    first = recheck.send(session, items[:2], by=by, why=WHY)
    undo.apply(session, first.undo, person=by)
    assert not notes.queries(session, only_open=True)
    assert recheck.rounds(session)[0].open == ()
    second = recheck.send(session, items[:2], by=by, why=WHY)
    notes.answer_query(session, notes.queries(session, only_open=True)[0].id, by=by, text="I look at it")
    with pytest.raises(Refused, match="was answered since"):
        undo.apply(session, second.undo, person=by)
    verbs = [verb for verb in session.scalars(select(Event.verb).order_by(Event.seq)) if "recheck" in verb]
    assert verbs == ["recheck", "unrecheck", "recheck"]


def test_it_wants_words_items_that_exist_and_the_right_to_assign(world):
    session, by, items = world
    for named, why, fault in ((items, "  ", "say why"), ((), WHY, "name the items"), ((by,), WHY, "there is no item")):
        with pytest.raises(Refused, match=fault):
            recheck.send(session, named, by=by, why=why)
    with pytest.raises(Unknown, match="no question 'size'"):
        recheck.send(session, items, by=by, why=WHY, question="size")
    with pytest.raises(NotAllowed):
        recheck.send(session, items, by=people.find(session, "ana").id, why=WHY)
    assert recheck.rounds(session) == ()
