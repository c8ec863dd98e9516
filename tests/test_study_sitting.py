"""A sitting as a fold over its facts: what is due by examples, and as laws: it ends, loses nothing, repeats nothing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studies import sitting
from studies.facts import EVENTS, Event, Fact, TrialRecord
from studies.model import Study
from studies.plan import GENERATOR, Block, Plan, PlannedTrial
from studies.sitting import SHOWINGS, Kind, Screen, confidence, due, language, opening

END = 2_000  # screens; no sitting of these sizes has so many


def study(**more: Any) -> Study:
    said: dict[str, Any] = {
        "id": "puzzles", "version": 1, "title": "Puzzles", "question": "fits",
        "conditions": [{"name": "plain", "shows": ["image"]}, {"name": "steps", "shows": ["image", "steps"]}],
        "languages": {"en": {"consent": "Do you agree?", "instructions": ["Look."], "debrief": "Thank you."}},
    }
    return Study.model_validate({**said, **more})


PRACTICE = {"where": {"use": ["practice"]}, "items": 2, "correct": 2, "tries": 3}


def trial(n: int, kind: Any = "main") -> PlannedTrial:
    return PlannedTrial(f"{n:032x}", f"{n + 1000:032x}", f"item-{n}", "plain", kind, ("yes", "no"), ("f", "j"), "yes",
                        500_000, 500_000, {})


def plan(*lengths: int, practice: int = 0, attention: bool = False, language: str = "en") -> Plan:
    blocks, n = [], 0
    if practice:
        blocks.append(Block("practice", "practice", tuple(trial(900 + p, "practice") for p in range(practice))))
    for number, length in enumerate(lengths, 1):
        kinds = ["attention" if attention and p == length - 1 else "main" for p in range(length)]
        blocks.append(Block(f"block {number}", "main", tuple(trial(n + p, kind) for p, kind in enumerate(kinds))))
        n += length
    return Plan(GENERATOR, "0" * 64, 0, 2, 0, 7, False, language, tuple(blocks))


Person = Callable[[Screen], Fact]


def record(screen: Screen, response: str | None = "yes", *, outcome: Any = "answered", flags: tuple[str, ...] = (),
           ) -> TrialRecord:
    return TrialRecord(screen.block, screen.position, screen.attempt, outcome, response, 1, 2, 3,
                       {"flags": list(flags)})


def willing(screen: Screen) -> Fact:
    return record(screen) if screen.kind == "trial" else screen.done(0)


def sit(study: Study, plan: Plan, person: Person = willing, facts: tuple[Fact, ...] = (), *,
        upto: int = END) -> tuple[list[Fact], list[Screen]]:
    """Opens the sitting and does what is due until the last screen is done; the facts and the screens."""
    kept, seen, fold = [*facts, opening(facts, 0)], [], sitting.Fold(study, plan)
    for fact in kept:
        fold.take(fact)
    for _ in range(upto):
        screen = fold.due()
        if screen.last and screen.data["over"]:
            return kept, seen
        seen.append(screen)
        fact = person(screen)
        assert isinstance(fact, TrialRecord) or fact.kind in EVENTS
        kept.append(fact)
        fold.take(fact)
    assert upto < END, "a sitting that does not end"
    return kept, seen


def kinds(seen: list[Screen]) -> list[Kind]:
    return [screen.kind for screen in seen]


def trials(facts: list[Fact]) -> list[tuple[int, int]]:
    return [(fact.block, fact.position) for fact in facts if isinstance(fact, TrialRecord)]


# --- the way through ---------------------------------------------------------------------------------------------

def test_the_screens_of_a_whole_sitting_come_in_their_order():
    whole = study(
        languages={"en": {"consent": "?", "instructions": ["Look."]}, "de": {"consent": "?"}},
        calibration={"card": True}, demographics=[{"name": "age", "text": "Age", "kind": "number"}],
        practice=PRACTICE, blocks={"count": 2, "break_least": 10})
    _, seen = sit(whole, plan(2, 1, practice=2))
    assert kinds(seen) == [
        "language", "consent", "calibration", "demographics", "instructions", "warm_up", "display_check",
        "practice_begin", "trial", "feedback", "trial", "feedback", "practice_verdict",
        "display_check", "block_begin", "trial", "trial",
        "break", "display_check", "block_begin", "trial", "debrief", "goodbye"]
    rest = next(screen for screen in seen if screen.kind == "break")
    assert rest.data == {"number": 2, "of": 2, "least": 10, "most": None}
    assert seen[-1].data == {"state": "completed", "reason": "", "over": False}


def test_what_the_study_does_not_have_is_not_asked():
    bare = study(languages={"en": {}})
    assert kinds(sit(bare, plan(1))[1]) == ["warm_up", "display_check", "block_begin", "trial", "debrief", "goodbye"]


def test_rigbox_45_the_machine_is_warm_and_its_display_measured_before_anything_is_timed():
    seen = kinds(sit(study(practice=PRACTICE), plan(1, practice=2))[1])
    assert seen.index("warm_up") < seen.index("display_check") < seen.index("trial")


def test_the_words_are_those_of_the_language_that_was_chosen():
    two = study(languages={"en": {"instructions": ["Look."]}, "de": {"consent": "Einverstanden?"}})
    facts = [opening((), 0), Event("language", 1, {"language": "de"})]
    assert due(two, plan(1), facts).kind == "consent"
    assert (language(two, plan(1), facts), language(two, plan(1), facts[:1])) == ("de", "en")
    assert due(two, plan(1), [facts[0], Event("language", 1, {"language": "en"})]).kind == "instructions"
    german = plan(1, language="de")
    assert due(two, german, facts[:1]).data == {"language": "de"}, "what was drawn is offered first"
    assert language(two, german, [*facts[:1], Event("consent", 1, {"language": "en"})]) == "de"
    assert due(two, german, [facts[0], Event("language", 1)]).kind == "consent"


def test_a_sitting_without_a_fact_begins_at_its_beginning():
    assert due(study(), plan(1), ()).kind == "consent"
    bare = study(languages={"en": {}})
    assert due(bare, plan(1), ()).kind == "warm_up"


def test_the_opening_of_a_process_says_whether_there_was_one_before():
    assert opening((), 3) == Event("started", 3, {"again": False})
    assert opening([Event("note", 1)], 3).data == {"again": False}
    assert opening([opening((), 0), Event("note", 1)], 3).data == {"again": True}


def test_what_completes_a_screen_names_its_block_where_it_has_one():
    assert Screen("break", 2, fact="break_over").done(7, s=3) == Event("break_over", 7, {"block": 2, "s": 3})
    assert Screen("consent", fact="consent").done(7) == Event("consent", 7)
    assert Screen("trial", 1, 3, 2).begun(7) == Event("trial_begun", 7, {"block": 1, "position": 3, "attempt": 2})


def test_the_last_screen_stays_once_it_is_kept():
    facts, _ = sit(study(), plan(1))
    assert facts[-1].kind == "ended"
    again = due(study(), plan(1), [*facts, opening(facts, 9)])
    assert (again.kind, again.data["over"]) == ("goodbye", True)


def test_a_declined_consent_ends_at_sorry():
    facts, seen = sit(study(), plan(3, practice=2), lambda s: Event("refused_consent", 0) if s.kind == "consent"
                      else willing(s))
    assert kinds(seen) == ["consent", "sorry"]
    assert seen[-1].data == {"state": "withdrawn", "reason": "refused_consent", "over": False}
    assert trials(facts) == []


@pytest.mark.parametrize(("kind", "state"), [("aborted", "aborted"), ("withdrawn", "withdrawn"),
                                             ("excluded", "excluded")])
def test_psychopy_1562_1497_a_sitting_ended_early_says_goodbye_with_its_reason_and_keeps_its_trials(kind, state):
    facts, _ = sit(study(), plan(4), upto=7)
    facts.append(Event(kind, 0, {"reason": "fire alarm"}))
    screen = due(study(), plan(4), facts)
    assert (screen.kind, screen.data["state"], screen.data["reason"]) == ("goodbye", state, "fire alarm")
    assert len(trials(facts)) == 2


def test_confidence_is_asked_after_an_answer_in_earnest_and_not_without_one():
    asking = study(trial={"confidence": {"text": "How sure?", "levels": ["a bit", "very"]}})
    answered = TrialRecord(1, 0, 1, "answered", "yes")
    screen = confidence(asking, plan(2, practice=1), answered)
    assert screen is not None and screen.data == {"text": "How sure?", "levels": ("a bit", "very")}
    assert confidence(asking, plan(2, practice=1), TrialRecord(0, 0, 1, "answered", "yes")) is None
    assert confidence(asking, plan(2, practice=1), TrialRecord(1, 0, 1, "timeout")) is None
    assert confidence(study(), plan(2, practice=1), answered) is None


def test_feedback_says_what_was_right_and_is_not_given_a_day_later():
    fed = study(trial={"feedback": 0.8})
    facts, _ = sit(fed, plan(2), upto=5)
    facts.append(TrialRecord(0, 0, 1, "answered", "no"))
    screen = due(fed, plan(2), facts)
    assert (screen.kind, screen.data) == ("feedback", {"correct": False, "outcome": "answered", "seconds": 0.8})
    assert due(fed, plan(2), [*facts, Event("focus_lost", 0)]).kind == "feedback"
    assert due(fed, plan(2), [*facts, screen.done(0)]).kind == "trial"
    later = [*facts, opening(facts, 0)]
    assert due(fed, plan(2), later).kind == "resume"
    assert due(fed, plan(2), [*later, Event("resumed", 0)]).kind == "warm_up"


# --- practice ----------------------------------------------------------------------------------------------------

def wrong_for(times: int) -> Person:
    """Wrong in the first trials of practice, right from then on."""
    shown = iter(["no"] * times)
    return lambda s: record(s, next(shown, "yes") if s.block == 0 else "yes") if s.kind == "trial" else s.done(0)


@pytest.mark.parametrize(("wrong", "tries", "last"), [(0, 1, "goodbye"), (1, 2, "goodbye"), (3, 3, "goodbye"),
                                                      (5, 3, "sorry"), (6, 3, "sorry")])
def test_practice_is_done_again_until_it_is_passed_and_then_the_sitting_ends_with_thanks(wrong, tries, last):
    _, seen = sit(study(practice=PRACTICE), plan(1, practice=2), wrong_for(wrong))
    verdicts = [screen for screen in seen if screen.kind == "practice_verdict"]
    assert [screen.data["try"] for screen in verdicts] == list(range(1, tries + 1))
    assert kinds(seen).count("practice_begin") == tries
    assert (seen[-1].kind, seen[-1].data["state"]) == (last, "completed" if last == "goodbye" else "excluded")
    assert verdicts[-1].data["passed"] == (last == "goodbye")
    assert verdicts[-1].data["wanted"] == verdicts[-1].data["of"] == 2


def test_practice_without_a_criterion_has_no_verdict():
    free = study(practice={"where": {"use": ["practice"]}, "feedback": False})
    assert kinds(sit(free, plan(1, practice=2), wrong_for(2))[1])[-7:] == [
        "trial", "trial", "display_check", "block_begin", "trial", "debrief", "goodbye"]


@pytest.mark.parametrize(("allowed", "state"), [(0, "excluded"), (1, "completed"), (None, "completed")])
def test_more_wrong_attention_checks_than_allowed_exclude_the_sitting(allowed, state):
    watched = study(attention={"where": {"use": ["check"]}, "every": 2, "allowed": allowed})
    careless = plan(3, 3, attention=True)
    first = careless.trial(0, 2)
    assert first.kind == "attention"
    _, seen = sit(watched, careless, lambda s: record(s, "no" if (s.block, s.position) == (0, 2) else "yes")
                  if s.kind == "trial" else s.done(0))
    assert seen[-1].data["state"] == state


# --- once more, and going on -------------------------------------------------------------------------------------

def disturbed_once(flags: tuple[str, ...], at: int, outcome: Any = "answered") -> Person:
    return lambda s: (record(s, flags=flags, outcome=outcome)
                      if s.kind == "trial" and s.position == at and s.attempt == 1 else willing(s))


def test_opensesame_40_57_a_disturbed_trial_comes_again_at_the_end_of_its_block():
    repeating = study(trouble={"policy": "repeat"}, blocks={"count": 2})
    facts, _ = sit(repeating, plan(4, 2), disturbed_once(("focus_lost",), 1))
    assert trials(facts) == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 1), (1, 0), (1, 1), (1, 1)]
    assert [fact.attempt for fact in facts if isinstance(fact, TrialRecord)] == [1, 1, 1, 1, 2, 1, 1, 2]


def test_by_policy_flag_nothing_comes_again():
    facts, _ = sit(study(), plan(4), disturbed_once(("focus_lost",), 1, "aborted"))
    assert trials(facts) == [(0, 0), (0, 1), (0, 2), (0, 3)]


@pytest.mark.parametrize("flag", ["too_fast", "clock_jump"])
def test_what_does_not_disturb_a_trial_does_not_bring_it_again(flag):
    facts, _ = sit(study(trouble={"policy": "repeat"}), plan(3), disturbed_once((flag,), 1))
    assert trials(facts) == [(0, 0), (0, 1), (0, 2)]


def test_a_trial_that_is_disturbed_each_time_stays_as_it_is_in_the_end():
    """A window that never gets the focus: the sitting ends all the same."""
    facts, _ = sit(study(trouble={"policy": "repeat"}), plan(2),
                   lambda s: record(s, flags=("focus_lost",)) if s.kind == "trial" else s.done(0))
    assert Counter(trials(facts)) == {(0, 0): SHOWINGS, (0, 1): SHOWINGS}


def test_by_policy_pause_the_sitting_waits_and_the_trial_comes_again():
    pausing = study(trouble={"policy": "pause"})
    facts, seen = sit(pausing, plan(3), disturbed_once(("minimised", "paused"), 1, "aborted"))
    at = next(n for n, screen in enumerate(seen) if screen.kind == "resume")
    assert (seen[at].data, seen[at].fact) == ({"why": "paused"}, "went_on")
    assert kinds(seen).count("resume") == 1
    assert trials(facts) == [(0, 0), (0, 1), (0, 2), (0, 1)]


def test_the_experimenter_can_pause_between_two_trials():
    facts, _ = sit(study(), plan(3), upto=6)
    facts.append(Event("paused", 0))
    assert due(study(), plan(3), facts).data == {"why": "paused"}
    assert due(study(), plan(3), [*facts, Event("went_on", 0)]).kind == "trial"


def test_jspsych_3573_a_sitting_goes_on_after_a_crash_with_its_instructions_read_again():
    """And with the machine warm and measured anew: it may be another one, or another day."""
    facts, _ = sit(study(blocks={"count": 2}), plan(3, 3), upto=7)
    assert trials(facts) == [(0, 0), (0, 1)]
    facts, seen = sit(study(blocks={"count": 2}), plan(3, 3), facts=tuple(facts))
    assert kinds(seen)[:4] == ["resume", "warm_up", "display_check", "trial"]
    assert seen[0].data == {"why": "again"}
    assert seen[3].data["resumed"] is True
    assert trials(facts) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


def test_jspsych_2451_lab_js_227_opensesame_57_no_screen_before_the_blocks_is_done_twice():
    whole = study(calibration={"distance": True}, demographics=[{"name": "age", "text": "Age"}])
    for upto in range(5):
        facts, before = sit(whole, plan(2), upto=upto)
        _, after = sit(whole, plan(2), facts=tuple(facts))
        asked = [kind for kind in kinds(before + after) if kind in sitting.BEFORE]
        assert asked == ["consent", "calibration", "demographics", "instructions"]
        assert "resume" not in kinds(after), "nothing in earnest had begun"


def test_psychopy_6807_7094_a_trial_that_was_begun_and_not_finished_is_neither_skipped_nor_hidden():
    facts, _ = sit(study(), plan(3), upto=6)
    screen = due(study(), plan(3), facts)
    facts.append(screen.begun(0))  # and here the machine dies
    facts, seen = sit(study(), plan(3), facts=tuple(facts))
    again = next(one for one in seen if one.kind == "trial")
    assert (again.position, again.attempt, again.data["seen"]) == (screen.position, 2, True)
    assert trials(facts) == [(0, 0), (0, 1), (0, 2)]


# --- laws --------------------------------------------------------------------------------------------------------

@st.composite
def worlds(draw: st.DrawFn) -> tuple[Study, Plan]:
    practice = draw(st.integers(0, 3))
    lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    more: dict[str, Any] = {
        "trouble": {"policy": draw(st.sampled_from(["flag", "repeat", "pause"]))},
        "blocks": {"count": len(lengths)}, "trial": {"feedback": draw(st.sampled_from([0, 0.5]))},
        "calibration": {"card": draw(st.booleans())}}
    if practice:
        more["practice"] = {"where": {"use": ["practice"]}, "items": practice, "tries": draw(st.integers(1, 3)),
                            "correct": draw(st.sampled_from([None, 1, practice])), "feedback": draw(st.booleans())}
    if draw(st.booleans()):
        more["languages"] = {"en": {"consent": "?", "instructions": ["Look."]}, "de": {"instructions": ["Sieh."]}}
    if draw(st.booleans()):
        more["attention"] = {"where": {"use": ["check"]}, "every": 2, "allowed": draw(st.sampled_from([None, 0]))}
    return study(**more), plan(*lengths, practice=practice, attention="attention" in more)


class Somebody:
    """Answers by chance, and has all the trouble there is."""

    def __init__(self, seed: int, trouble: float) -> None:
        self.rng, self.trouble = random.Random(seed), trouble

    def __call__(self, screen: Screen) -> Fact:
        rng = self.rng
        if screen.kind == "consent" and rng.random() < 0.05:
            return Event("refused_consent", 0)
        if rng.random() < self.trouble * 0.3:
            return Event(rng.choice(["focus_lost", "scale_changed", "note", "extra_key"]), 0)
        if screen.kind == "language":
            return screen.done(0, language=rng.choice(["en", "de"]))
        if screen.kind != "trial":
            return screen.done(0)
        if rng.random() < 0.5 and not screen.data["seen"]:
            return screen.begun(0)
        flags = [flag for flag in ("focus_lost", "suspended", "too_fast", "paused") if rng.random() < self.trouble]
        outcome = rng.choice(["answered"] * 6 + ["timeout"] + ["aborted"] * (self.trouble > 0))
        return record(screen, rng.choice(["yes", "no"]) if outcome == "answered" else None, outcome=outcome,
                      flags=tuple(flags))


def attempts(facts: list[Fact]) -> Iterator[tuple[tuple[int, int], int]]:
    for fact in facts:
        if isinstance(fact, TrialRecord):
            yield (fact.block, fact.position), fact.attempt


@settings(max_examples=80)
@given(worlds(), st.integers(0, 10_000), st.sampled_from([0.0, 0.1, 0.6]))
def test_every_sitting_ends_and_shows_nobody_a_trial_twice_but_by_policy(world, seed, trouble):
    asked, drawn = world
    facts, seen = sit(asked, drawn, Somebody(seed, trouble))
    main = Counter(place for place in trials(facts) if drawn.blocks[place[0]].kind == "main")
    if asked.trouble.policy == "flag":
        assert set(main.values()) <= {1}
    assert all(count <= SHOWINGS for count in main.values())
    if seen[-1].kind == "goodbye":
        assert set(main) == {(b, p) for b, p, _ in drawn.each() if drawn.blocks[b].kind == "main"}
    shown = [(screen.block, screen.position, screen.attempt) for screen in seen if screen.kind == "trial"]
    begun = [fact for fact in facts if isinstance(fact, Event) and fact.kind == "trial_begun"]
    assert len(set(shown)) >= len(trials(facts)), "an attempt has one record"
    assert len(begun) <= len(shown)


@settings(max_examples=50)
@given(worlds(), st.integers(0, 10_000), st.data())
def test_after_any_prefix_of_facts_the_sitting_goes_on_and_loses_no_acknowledged_trial(world, seed, data):
    """The machine dies after any fact, again and again; each time the next process goes on from what was kept."""
    asked, drawn = world
    person = Somebody(seed, 0.1)
    facts: list[Fact] = []
    for _ in range(data.draw(st.integers(1, 4))):
        upto = data.draw(st.integers(0, 25))
        before = list(facts)
        facts, _ = sit(asked, drawn, person, tuple(facts), upto=upto)
        assert facts[:len(before)] == before
    kept, done = trials(facts), list(facts)
    facts, seen = sit(asked, drawn, person, tuple(facts))
    assert facts[:len(done)] == done
    if asked.trouble.policy == "flag":
        finished = [place for place in kept if drawn.blocks[place[0]].kind == "main"]
        again = {(screen.block, screen.position) for screen in seen if screen.kind == "trial"}
        assert not again & set(finished), "what was acknowledged is never shown again"
        main = [place for place in trials(facts) if drawn.blocks[place[0]].kind == "main"]
        assert main == sorted(set(main)), "in the order of the plan, each once"
    taken = list(attempts(facts))
    for place in set(place for place, _ in taken):
        numbers = [attempt for one, attempt in taken if one == place]
        assert numbers == sorted(set(numbers)), "each showing has its own number"
    trial_at = next((n for n, screen in enumerate(seen) if screen.kind == "trial"), None)
    if kept and trial_at is not None:
        assert "resume" in kinds(seen[:trial_at]) and "display_check" in kinds(seen[:trial_at])


@settings(max_examples=50)
@given(worlds(), st.integers(0, 10_000))
def test_the_fold_needs_nothing_but_the_facts(world, seed):
    """Asked after each fact or only at the end, as tuples or lists: the same screen."""
    asked, drawn = world
    facts, _ = sit(asked, drawn, Somebody(seed, 0.2))
    fold = sitting.Fold(asked, drawn)
    for n, fact in enumerate(facts, 1):
        fold.take(fact)
        if n % 5 == 0:
            assert fold.due() == due(asked, drawn, tuple(facts[:n]))
    assert fold.due() == due(asked, drawn, facts)
