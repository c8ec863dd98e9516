"""Registrations: what was planned is dated and hashed before the first sitting, and what differs from it is told."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select, update

from annotation import canonical, trail
from annotation.errors import NotAllowed, Refused
from annotation.store.tables import Event as Line
from annotation.store.tables import Meta, Sitting
from studies import checking, registering, sittings
from tests import study_world as world
from tests.study_world import a_store, a_study  # noqa: F401 - fixtures


def register(store, study):
    with store.write() as session:
        return registering.register(session, study, by=world.who(session)).value


def deviations(store, study):
    with store.read() as session:
        return {one.code: str(one) for one in registering.deviations(session, study)}


def test_a_registration_says_all_that_was_decided_and_no_answer(store, study, place):
    made = register(store, study)
    body = json.loads(made.text)
    assert (body["study"]["hash"], body["target"], body["seed"]) == (study, 4, 11)
    assert body["exclusion"]["lowest"] == 0.2 and body["analysis"]["compare"] == ["bare", "helped"]
    assert len(body["lists"]) == 2 and {len(part) for part in body["lists"]} == {8}
    assert [key for key, _ in body["lists"][0]] == [key for key, _ in body["lists"][1]]
    assert all(a != b for (_, a), (_, b) in zip(*body["lists"], strict=True)), "each item once in each condition"
    assert body["registered"].endswith("Z") and body["generators"] and body["items_sha256"]
    assert made.sha256 == canonical.sha256(body)
    assert "text of" not in made.text and "hint to" not in made.text, "no contents of items"
    with store.read() as session:
        kept = registering.registered(session, study)
        assert kept == made and sittings.studies(session)[0].registered
        line = session.execute(select(Line).where(Line.verb == "study_register")).scalar_one()
        assert line.ids_json == {"study": study, "document_sha256": made.sha256} and line.payload_sha256 == made.sha256
        assert trail.verify_chain(session).ok and not checking.faults(session)
    for word in (made.sha256, study, "# With and without help", "Completed sittings wanted: 4", "Seed: 11",
                 "`lowest`: 0.2", "| a0000 |", "List 2: 4 bare, 4 helped"):
        assert word in made.markdown


def test_what_would_be_registered_can_be_read_before_and_is_the_same(store, study):
    with store.read() as session:
        shown = registering.document(session, study)
    assert shown.at is None and "Registered: not yet" in shown.markdown
    made = register(store, study)
    assert {**made.body, "registered": None} == shown.body


def test_a_study_is_registered_once_and_only_before_anybody_sat_in_earnest(store, study):
    world.sit(store, study, pilot=True)
    register(store, study)
    with pytest.raises(Refused, match="registered already"):
        register(store, study)
    newer = world.add(store, world.STUDY.replace("version: 1", "version: 2"))
    world.begin(store, newer)
    with pytest.raises(Refused, match="too late"):
        register(store, newer)
    with store.write() as session, pytest.raises(NotAllowed):
        registering.register(session, study, by=world.who(session, "ana"))


def test_lists_are_drawn_as_for_the_first_sitting_or_as_registered(store, study):
    """A newer program has a newer generator; who is registered or begun with the older goes on with it."""
    body = dict(register(store, study).body, generators=["goldsmith-design/1", "goldsmith-plan/1"])
    with store.write() as session:
        session.execute(update(Meta).where(Meta.key == sittings.REGISTERED + study)
                        .values(value=canonical.dumps(body)))
    newer = world.add(store, world.STUDY.replace("version: 1", "version: 2"))
    for one, drawn in ((study, "goldsmith-design/1"), (newer, "goldsmith-design/2")):
        first, second = world.begin(store, one), world.begin(store, one)
        with store.write() as session:
            assert [session.get(Sitting, opened.id).checks_json["design"] for opened in (first, second)] == [drawn] * 2
            said = dict(session.get(Sitting, first.id).checks_json)
            del said["design"]  # as the first program kept it
            session.execute(update(Sitting).where(Sitting.id == first.id).values(checks_json=said))
            session.execute(update(Sitting).where(Sitting.id == second.id).values(checks_json=said))
            session.execute(update(Meta).where(Meta.key == sittings.REGISTERED + study).values(key="gone"))
        third = world.begin(store, one)
        with store.read() as session:
            assert session.get(Sitting, third.id).checks_json["design"] == "goldsmith-design/1"


def test_as_registered_nothing_deviates(store, study):
    assert deviations(store, study) == {}
    register(store, study)
    for _ in range(4):
        world.sit(store, study)
    assert deviations(store, study) == {}


def test_more_people_than_registered_are_told(store, study):
    register(store, study)
    for _ in range(5):
        world.sit(store, study)
    assert deviations(store, study) == {"more_people": "5 people have completed it, and 4 are registered"}


def test_a_newer_version_is_held_against_the_registered_one(store, study):
    register(store, study)
    newer = world.add(store, world.STUDY.replace("version: 1\ntitle: With", "version: 2\ntitle: With").replace(
        "people: 4", "people: 6").replace("seed: 11", "seed: 12").replace("lowest: 0.2", "lowest: 0.3").replace(
        "compare: [bare, helped]", "outcome: accuracy").replace("deadline: 20", "deadline: 30"))
    assert deviations(store, newer) == {
        "version": "version 1 is registered, and this is version 2", "seed": "the seed is 12, and 11 is registered",
        "target": "6 people are wanted, and 4 are registered",
        "exclusion": "what is excluded is otherwise than registered",
        "analysis": "the primary analysis is otherwise than registered", "design": "otherwise than registered: trial"}
    assert deviations(store, study) == {}, "the registered version stays as it was"


def test_words_alone_may_be_put_otherwise(store, study):
    register(store, study)
    newer = world.add(store, world.STUDY.replace("version: 1\ntitle: With", "version: 2\ntitle: With").replace(
        "Thank you", "Thanks"))
    assert deviations(store, newer) == {"version": "version 1 is registered, and this is version 2"}


def test_sittings_from_before_the_registration_are_told(store, study):
    world.sit(store, study)
    newer = world.add(store, world.STUDY.replace("version: 1\ntitle: With", "version: 2\ntitle: With"))
    register(store, newer)
    assert deviations(store, newer) == {"begun_before": "1 sitting was begun before it was registered"}


def test_items_that_are_others_now_are_told(store, study):
    register(store, study)
    with store.write() as session:
        world.add_items(session, ["one-more"], by=world.who(session))
    assert deviations(store, study) == {"items": "the items are not those that were registered"}
