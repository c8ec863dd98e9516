"""A sitting from its first screen to its last by real keys: what was pressed is what the store holds."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from studies import sittings
from studies.facts import Event, TrialRecord
from tests import study_world as world
from tests.participant import House

STUDY = """\
id: seen-and-helped
version: 1
title: Seen and helped
protocol: puzzles
question: fits
items: {where: {use: [main, practice, attention]}}
correct: {field: right}
conditions:
  - {name: bare, shows: [text]}
  - {name: helped, shows: [text, hint]}
strata: [kind]
task: kind
people: 4
blocks: {count: 2}
practice: {where: {use: [practice]}, items: 2, correct: 2, tries: 2}
attention: {where: {use: [attention]}, every: 3, allowed: 0}
trial:
  fixation: 0.02
  gap: [0.02, 0.03]
  deadline: 5
  confidence: {text: How sure are you?, levels: [Guessed, Rather sure, Certain]}
answers: {keys: [[f, j]]}
languages:
  en: {consent: Will you?, instructions: [Look., Answer.], break: A break., debrief: It was about help.}
  de: {consent: Wollen Sie?, instructions: [Schauen.], debrief: Danke.}
demographics:
  - {name: age, text: How old are you?, kind: number, minimum: 18, maximum: 99}
  - {name: hand, text: Which hand?, kind: choice, options: [Left, Right]}
calibration: {card: true, distance: true}
seed: 5
"""
BEFORE = {"calibration": lambda one: [one.press("space"), one.say("62"), one.press("return")],
          "demographics": lambda one: [one.say("34"), one.press("return"), one.press("2")]}


def make(place):
    store = world.make(place, n=4)
    with store.write() as session:
        world.add_items(session, ["look-1"], by=world.who(session, "demo"), use="attention")
    return store


@pytest.fixture
def house(qapp, tmp_path):
    made = House(tmp_path / "P.goldsmith", STUDY, make)
    yield made
    made.close()


def facts_of(house, sitting):
    with house.store.read() as session:
        return sittings.facts(session, sitting)


def view_of(house, number=0):
    with house.store.read() as session:
        return sittings.of_study(session, house.study)[number]


def records(facts):
    return [fact for fact in facts if isinstance(fact, TrialRecord)]


def event(facts, kind):
    return next(fact for fact in facts if isinstance(fact, Event) and fact.kind == kind)


def test_a_whole_sitting_by_keys_is_kept_as_it_was_pressed(house, qtbot):
    sitter = house.sit(qtbot, does={**BEFORE, "debrief": lambda one: [
        one.press("2"), one.say("a call"), one.press("return", Qt.KeyboardModifier.ControlModifier)]})
    assert sitter.ended == "completed"
    kept = facts_of(house, sitter.stage.sitting)
    shown = records(kept)
    planned = {(b, p): trial for b, p, trial in sitter.runner.plan.each()}
    assert [(one.block, one.position) for one in shown] == list(planned)
    for one, (block, position, key) in zip(shown, sitter.pressed, strict=True):
        trial = planned[block, position]
        assert (one.block, one.position, one.outcome) == (block, position, "answered")
        assert one.response == trial.options[trial.keys.index(key)] == trial.correct
        assert one.quality["response_key"] == key and one.quality["response_device"] == "keyboard"
        assert 0 <= one.rt_us <= one.rt_receipt_us < 5_000_000
        in_earnest = sitter.runner.plan.blocks[block].kind == "main"
        assert one.quality.get("confidence") == (2 if in_earnest else None)
    assert {trial.condition for trial in planned.values()} == {"bare", "helped"}
    assert {trial.kind for trial in planned.values()} == {"practice", "main", "attention"}
    assert event(kept, "consent").data["agreed"] is True
    assert event(kept, "demographics").data == {"age": 34, "hand": "Right"}
    assert event(kept, "calibration").data["distance_cm"] == 62
    assert event(kept, "calibration").data["px_per_mm"] > 1
    assert event(kept, "debrief").data == {"went_wrong": True, "comment": "a call"}
    assert event(kept, "started").data["onset_method"] == "raster_flush"
    assert event(kept, "break_over").data["by"] == "key"
    assert [fact.kind for fact in kept if isinstance(fact, Event)].count("display_check") == 3
    view = view_of(house)
    assert (view.state, view.done, view.planned, view.pilot) == ("completed", view.planned, view.planned, False)
