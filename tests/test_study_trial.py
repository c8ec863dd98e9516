"""One trial with a clock set by hand: what is shown when, which key is the answer, what is counted and flagged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studies.facts import EVENTS, Event, TrialRecord
from studies.keyboard import Keyboard
from studies.model_parts import Reveal, TrialSpec
from studies.plan import PlannedTrial
from studies.timing import KeyClock
from studies.trial_run import GRACE_US, MARKS, POINTS, End, Mark, Reached, Show, TrialRun, Wake

MS = 1000
START = 5_000_000_000
PLANNED = PlannedTrial("a1", "b1", "puzzle-1", "steps", "main", ("yes", "no"), ("f", "j"), "no", 500 * MS, 300 * MS, {})


class Stage:
    """Shows what it is told one frame later, wakes when asked to, and types when the test says so."""

    def __init__(self, spec: TrialSpec | None = None, *, planned: PlannedTrial = PLANNED, frame: int = 10 * MS,
                 **more: Any) -> None:
        self.run = TrialRun(planned, spec or TrialSpec(), **more)
        self.now, self.frame = START, frame
        self.wake: int | None = None
        self.shown: list[tuple[str, int]] = []
        self.marks: list[Event] = []
        self.record: TrialRecord | None = None
        self.points: list[str] = []
        self.take(self.run.begin(START))

    def take(self, commands: tuple[Any, ...]) -> None:
        for command in commands:
            if isinstance(command, Show):
                self.now += self.frame
                self.shown.append((command.what, self.now))
                self.take(self.run.shown(command.what, self.now))
            elif isinstance(command, Wake):
                self.wake = command.at_us
            elif isinstance(command, Reached):
                self.points.append(command.point)
            elif isinstance(command, Mark):
                self.marks.append(command.event)
            else:
                assert isinstance(command, End)
                assert self.record is None, "a trial ends once"
                self.record = command.record

    def until(self, at_us: int) -> Stage:
        """Time passes; the timer wakes at the right moments."""
        while self.wake is not None and self.wake <= at_us and self.record is None:
            self.now, self.wake = max(self.now, self.wake), None
            self.take(self.run.tick(self.now))
        self.now = max(self.now, at_us)
        return self

    def until_onset(self) -> Stage:
        while self.run.onset_us is None:
            self.until(self.now + MS)
        return self

    @property
    def onset(self) -> int:
        assert self.run.onset_us is not None
        return self.run.onset_us

    def key(self, name: str, after_us: int, *, late: int = 2 * MS, source: str = "event",
            device: str = "keyboard") -> Stage:
        """Pressed so long after the onset; known ``late`` microseconds later."""
        at = self.onset + after_us
        self.until(at + late)
        self.take(self.run.key(name, at, at + late, source, device=device))
        return self

    def kinds(self) -> list[str]:
        return [mark.kind for mark in self.marks]


def ended(stage: Stage) -> TrialRecord:
    assert stage.record is not None
    assert {mark.kind for mark in stage.marks} <= EVENTS
    return stage.record


# --- the simple way ----------------------------------------------------------------------------------------------

def test_a_trial_is_a_gap_a_fixation_a_screen_and_an_answer():
    stage = Stage(attempt=2, block=1, position=4, origin_us=START).until_onset().key("j", 700 * MS)
    assert [what for what, _ in stage.shown] == ["blank", "fixation", "screen:1"]
    blank, fixation, screen = (at for _, at in stage.shown)
    assert (fixation - blank, screen - fixation) == (310 * MS, 510 * MS), "the time asked for, and a frame"
    record = ended(stage)
    assert (record.block, record.position, record.attempt, record.outcome) == (1, 4, 2, "answered")
    assert (record.response, record.rt_us, record.rt_receipt_us) == ("no", 700 * MS, 702 * MS)
    assert record.onset_us == screen - START
    assert record.quality == {
        "key_time_source": "event", "response_key": "j", "response_device": "keyboard", "early_keys": 0,
        "extra_keys": 0, "held_keys": 0, "escape_keys": 0, "focus_lost_us": 0, "suspended_us": 0,
        "screens_us": [702 * MS], "flags": []}


def test_jspsych_218_no_gap_is_no_delay():
    stage = Stage(planned=replace(PLANNED, gap_us=0, fixation_us=0))
    assert stage.shown == [("screen:1", START + stage.frame)]


def test_the_points_of_a_trial_come_in_their_order():
    stage = Stage(ready=False)
    stage.until(START + 400 * MS)
    assert stage.points == ["fixation"]
    stage.take(stage.run.be_ready(stage.now))
    stage.until_onset().key("f", 300 * MS)
    assert tuple(stage.points) == POINTS[:5], "the last, feedback, is the sitting's"
    assert tuple(Stage().until_onset().key("f", 300 * MS).points) == POINTS[:5]


@pytest.mark.parametrize("at_ms", [100, 600, 2_000])
def test_jspsych_1393_psychopy_4757_the_screen_waits_until_its_pictures_are_decoded(at_ms):
    stage = Stage(ready=False).until(START + at_ms * MS)
    assert "screen:1" not in dict(stage.shown)
    stage.take(stage.run.be_ready(stage.now))
    stage.until(START + 3_000 * MS)
    assert dict(stage.shown)["screen:1"] == max(START + 830 * MS, START + at_ms * MS + stage.frame)


def test_what_the_window_measures_is_kept_with_the_trial():
    stage = Stage(resumed=True).until_onset()
    stage.run.note(onset_method="gl_swap_finish", dropped_frames=1, preload_us=8_000)
    quality = ended(stage.key("f", 900 * MS)).quality
    assert (quality["onset_method"], quality["dropped_frames"], quality["preload_us"]) == ("gl_swap_finish", 1, 8_000)
    assert quality["resumed"] is True


def test_the_key_belongs_to_the_place_of_the_option_as_shown():
    stage = Stage(planned=replace(PLANNED, options=("no", "yes"))).until_onset().key("f", 400 * MS)
    assert ended(stage).response == "no"


def test_lab_js_258_218_both_times_of_a_key_are_kept_and_named():
    record = ended(Stage().until_onset().key("f", 800 * MS, late=58 * MS))
    assert (record.rt_us, record.rt_receipt_us) == (800 * MS, 858 * MS)
    record = ended(Stage().until_onset().key("f", 800 * MS, late=0, source="receipt"))
    assert (record.rt_us, record.quality["key_time_source"]) == (800 * MS, "receipt")


def test_the_pointer_answers_by_the_key_of_its_option_and_is_told_apart():
    record = ended(Stage().until_onset().key("j", 800 * MS, device="pointer"))
    assert (record.response, record.quality["response_device"]) == ("no", "pointer")


# --- keys that answer nothing ------------------------------------------------------------------------------------

def test_keys_before_the_onset_are_counted_as_early_and_answer_nothing():
    stage = Stage()
    stage.take(stage.run.key("f", START + 50 * MS, START + 51 * MS, "event"))
    stage.until_onset()
    stage.take(stage.run.key("f", stage.onset - 3 * MS, stage.onset + 4 * MS, "event"))
    assert stage.record is None
    record = ended(stage.key("j", 600 * MS))
    assert (record.response, record.quality["early_keys"]) == ("no", 2)
    assert stage.kinds() == ["early_key", "early_key"]


@pytest.mark.parametrize(("offset_ms", "outcome"), [(-1, None), (0, "answered"), (1, "answered")])
def test_a_key_that_arrives_before_the_swap_is_told_waits_for_the_onset(offset_ms, outcome):
    """The swap blocks: the window system may know a key before the program knows its onset."""
    run = TrialRun(replace(PLANNED, gap_us=0, fixation_us=0), TrialSpec())
    assert run.begin(START) == (Show("screen:1"),)
    onset = START + 16 * MS
    assert run.key("f", onset + offset_ms * MS, onset + 2 * MS, "event") == ()
    run.shown("screen:1", onset)
    assert (run.record.outcome if run.record else None) == outcome
    if run.record:
        assert run.record.rt_us == offset_ms * MS


def test_psychopy_6853_a_key_held_across_trials_answers_nothing():
    """A finger stays on F after one trial; the next one is answered by J, and F is a held key."""
    keyboard, now = Keyboard(), START
    assert keyboard.press(41, now) == "press"
    stage = Stage().until_onset()
    repeats = 0
    for n in range(30):
        at = stage.onset + n * 33 * MS
        keyboard.release(41, at)
        if keyboard.press(41, at) == "repeat":
            repeats += 1
            stage.take(stage.run.trouble("held_key", at, {"key": "f"}))
    record = ended(stage.key("j", 1_200 * MS))
    assert repeats == 30
    assert (record.response, record.rt_us, record.quality["held_keys"]) == ("no", 1_200 * MS, 1)
    assert stage.kinds() == ["held_key"]


def test_jspsych_542_a_key_pressed_before_the_onset_gives_no_time_of_ten_milliseconds():
    stage = Stage().until_onset()
    stage.take(stage.run.key("f", stage.onset - 8 * MS, stage.onset + 2 * MS, "event"))
    assert stage.record is None
    stage = Stage(TrialSpec(too_fast=0.2)).until_onset().key("f", 9 * MS)
    assert ended(stage).quality["flags"] == ["too_fast"], "one pressed after it is kept, and flagged"


def test_an_answer_faster_than_people_is_kept_and_flagged():
    assert ended(Stage(TrialSpec(too_fast=0.2)).until_onset().key("f", 199 * MS)).quality["flags"] == ["too_fast"]
    assert ended(Stage(TrialSpec(too_fast=0.2)).until_onset().key("f", 200 * MS)).quality["flags"] == []


def test_before_the_least_time_a_key_is_early_and_not_taken():
    stage = Stage(TrialSpec(least=1)).until_onset().key("f", 999 * MS)
    assert stage.record is None
    record = ended(stage.key("j", 1_000 * MS))
    assert (record.rt_us, record.quality["early_keys"]) == (1_000 * MS, 1)


def test_other_keys_are_extra_and_so_are_keys_without_an_option():
    stage = Stage(planned=replace(PLANNED, keys=("f", "j", "k"))).until_onset()
    stage.key("x", 100 * MS).key("space", 200 * MS).key("k", 300 * MS)
    assert stage.record is None
    assert ended(stage.key("f", 400 * MS)).quality["extra_keys"] == 3


def test_a_cat_on_the_keyboard_is_counted_and_does_not_fill_the_disk():
    stage = Stage().until_onset()
    for n in range(500):
        stage.key("x", n * MS, late=0)
    assert ended(stage.key("f", 900 * MS)).quality["extra_keys"] == 500
    assert len(stage.marks) == MARKS


# --- the deadline ------------------------------------------------------------------------------------------------

def test_fract10_35_a_timeout_keeps_its_place_so_that_what_was_right_is_still_known():
    stage = Stage(TrialSpec(deadline=2), block=3, position=7).until_onset()
    record = ended(stage.until(stage.onset + 9_000 * MS))
    assert (record.outcome, record.block, record.position) == ("timeout", 3, 7)
    assert record.onset_us is not None


def test_without_an_answer_the_deadline_takes_the_screen_away_and_the_trial_is_a_timeout():
    stage = Stage(TrialSpec(deadline=2)).until_onset()
    stage.until(stage.onset + 5_000 * MS)
    record = ended(stage)
    assert stage.shown[-1] == ("blank", stage.onset + 2_010 * MS)
    assert (record.outcome, record.response, record.rt_us, record.rt_receipt_us) == ("timeout", None, None, None)
    assert record.quality["screens_us"] == [2_010 * MS]


@pytest.mark.parametrize(("pressed_ms", "outcome"), [(1_999, "answered"), (2_000, "timeout"), (2_001, "timeout")])
def test_jspsych_87_between_timeout_and_key_the_stamp_of_the_key_decides(pressed_ms, outcome):
    stage = Stage(TrialSpec(deadline=2)).until_onset()
    stage.key("f", pressed_ms * MS, late=60 * MS)  # seen after the screen was taken away
    assert stage.shown[-1][0] == "blank"
    stage.until(stage.onset + 3_000 * MS)
    record = ended(stage)
    assert record.outcome == outcome
    assert record.rt_us == (pressed_ms * MS if outcome == "answered" else None), "never -1"
    assert record.quality["extra_keys"] == (outcome == "timeout")


def test_jspsych_87_a_key_behind_a_machine_that_was_busy_over_the_deadline_still_wins():
    """The timer fires half a second late, with the key in the queue behind it."""
    stage = Stage(TrialSpec(deadline=2)).until_onset()
    stage.now = stage.onset + 2_500 * MS
    stage.wake = None
    stage.take(stage.run.tick(stage.now))
    assert stage.record is None
    stage.take(stage.run.key("j", stage.onset + 1_990 * MS, stage.now + MS, "event"))
    assert (ended(stage).outcome, ended(stage).rt_us) == ("answered", 1_990 * MS)


def test_a_key_after_the_grace_changes_nothing():
    stage = Stage(TrialSpec(deadline=2)).until_onset()
    stage.until(stage.onset + 2_000 * MS + 2 * GRACE_US)
    assert ended(stage).outcome == "timeout"
    assert stage.run.key("f", stage.onset + 1_900 * MS, stage.now, "event") == ()
    assert stage.run.record is stage.record


def test_a_timer_that_wakes_too_early_is_asked_again():
    stage = Stage(TrialSpec(deadline=2)).until_onset()
    assert stage.run.tick(stage.onset + 1_000 * MS) == (Wake(stage.onset + 2_000 * MS),)


def test_lab_js_164_247_an_answer_can_leave_the_stimulus_where_it_is():
    stage = Stage(TrialSpec(deadline=3, ends_on_answer=False)).until_onset().key("f", 800 * MS)
    assert stage.record is None
    stage.key("j", 1_500 * MS)
    stage.until(stage.onset + 2_990 * MS)
    assert (stage.record, stage.shown[-1][0]) == (None, "screen:1")
    stage.until(stage.onset + 3_000 * MS)
    record = ended(stage)
    assert (record.response, record.rt_us, record.quality["extra_keys"]) == ("yes", 800 * MS, 1), "the first one counts"
    assert record.quality["screens_us"] == [3_000 * MS]


def test_where_the_answer_does_not_end_it_a_late_key_within_the_deadline_still_counts():
    stage = Stage(TrialSpec(deadline=3, ends_on_answer=False)).until_onset().key("f", 2_999 * MS, late=50 * MS)
    assert (ended(stage).outcome, ended(stage).rt_us) == ("answered", 2_999 * MS)


# --- screens one after the other ---------------------------------------------------------------------------------

STAGED = TrialSpec(reveal=(Reveal(shows=("fields",), seconds=1), Reveal(shows=("question",)),
                           Reveal(shows=("options",))), deadline=2)


def test_screens_are_revealed_by_time_and_by_space_and_the_last_starts_the_clock():
    stage = Stage(STAGED, screens=3)
    stage.until(START + 2_500 * MS)
    assert [what for what, _ in stage.shown][2:] == ["screen:1", "screen:2"]
    assert stage.run.onset_us is None
    for name in ("f", "x"):
        stage.take(stage.run.key(name, stage.now, stage.now + MS, "event"))
    stage.take(stage.run.key("space", stage.now, stage.now + MS, "event"))
    record = ended(stage.key("f", 1_500 * MS))
    one, two, three = (at for what, at in stage.shown if what.startswith("screen"))
    assert two - one == 1_010 * MS
    assert (record.onset_us, record.rt_us) == (three, 1_500 * MS)
    assert record.quality["screens_us"] == [two - one, three - two, 1_502 * MS]
    assert (record.quality["early_keys"], record.quality["extra_keys"]) == (1, 1)


def test_space_turns_no_screen_that_has_its_own_time():
    stage = Stage(STAGED, screens=3).until(START + 900 * MS)
    stage.take(stage.run.key("space", stage.now, stage.now + MS, "event"))
    assert stage.shown[-1][0] == "screen:1"


def test_one_press_of_space_turns_one_screen():
    spec = TrialSpec(reveal=(Reveal(shows=("fields",)), Reveal(shows=("question",)), Reveal(shows=("options",))))
    stage = Stage(spec, screens=3).until(START + 2_000 * MS)
    at = stage.now
    stage.take(stage.run.key("space", at, at + MS, "event"))
    stage.take(stage.run.key("space", at + MS, stage.now + MS, "event"))  # before the second screen stood
    assert stage.shown[-1][0] == "screen:2"


def test_the_clock_can_start_with_an_earlier_screen_and_an_answer_ends_it_there():
    spec = STAGED.model_copy(update={"clock": 1, "deadline": 10.0})
    stage = Stage(spec, screens=3).until_onset()
    stage.until(stage.onset + 1_200 * MS)
    record = ended(stage.key("j", 1_300 * MS))
    assert stage.shown[-1][0] == "screen:2"
    assert record.rt_us == 1_300 * MS
    assert record.quality["screens_us"] == [1_010 * MS, 292 * MS]


def test_after_the_deadline_no_further_screen_is_revealed():
    spec = STAGED.model_copy(update={"clock": 2})
    stage = Stage(spec, screens=3).until_onset()
    stage.until(stage.onset + 2_000 * MS)
    stage.take(stage.run.key("space", stage.onset + 2_005 * MS, stage.now + MS, "event"))
    stage.until(stage.onset + 9_000 * MS)
    assert [what for what, _ in stage.shown][-2:] == ["screen:2", "blank"]
    assert ended(stage).outcome == "timeout"


# --- trouble -----------------------------------------------------------------------------------------------------

def test_by_policy_flag_a_lost_focus_is_timed_and_flagged_and_the_trial_goes_on():
    stage = Stage().until_onset()
    stage.take(stage.run.trouble("focus_lost", stage.onset + 100 * MS, {}))
    stage.take(stage.run.trouble("focus_back", stage.onset + 900 * MS, {}))
    record = ended(stage.key("f", 2_000 * MS))
    assert (record.quality["focus_lost_us"], record.quality["flags"]) == (800 * MS, ["focus_lost"])
    assert stage.kinds() == ["focus_lost", "focus_back"]


def test_psychopy_1731_a_focus_that_never_comes_back_is_counted_to_the_end():
    stage = Stage(TrialSpec(deadline=2), policy="repeat").until_onset()
    stage.take(stage.run.trouble("focus_lost", stage.onset + 500 * MS, {}))
    stage.until(stage.onset + 4_000 * MS)
    record = ended(stage)
    assert (record.outcome, record.quality["flags"]) == ("timeout", ["focus_lost"])
    assert record.quality["focus_lost_us"] == 1_500 * MS + GRACE_US


@pytest.mark.parametrize("kind", ["focus_lost", "minimised", "screen_changed", "scale_changed", "full_screen_left",
                                  "suspended"])
def test_by_policy_pause_a_disturbed_trial_ends_at_once(kind):
    stage = Stage(policy="pause").until_onset()
    stage.take(stage.run.trouble(kind, stage.onset + 500 * MS, {}))
    record = ended(stage)
    assert (record.outcome, record.response, record.quality["flags"]) == ("aborted", None, [kind, "paused"])
    assert stage.kinds() == [kind, "paused"]


@pytest.mark.parametrize("policy", ["flag", "repeat", "pause"])
def test_a_wall_clock_that_was_set_is_flagged_and_ends_nothing(policy):
    stage = Stage(policy=policy).until_onset()
    stage.take(stage.run.trouble("clock_jump", stage.onset + 10 * MS, {"us": 3_600_000_000}))
    record = ended(stage.key("f", 700 * MS))
    assert (record.outcome, record.rt_us, record.quality["flags"]) == ("answered", 700 * MS, ["clock_jump"])


def test_sleep_within_a_trial_is_added_up_and_flagged():
    stage = Stage().until_onset()
    for n in (1, 2):
        stage.take(stage.run.trouble("suspended", stage.onset + n * MS, {"us": 60_000_000}))
    assert ended(stage.key("f", 700 * MS)).quality["suspended_us"] == 120_000_000


def test_psychopy_1115_an_abort_ends_the_trial_at_any_point_and_makes_nothing_up():
    early = Stage()
    early.take(early.run.abort(START + 100 * MS))
    assert (ended(early).outcome, ended(early).onset_us, ended(early).quality["screens_us"]) == ("aborted", None, [])
    stage = Stage(TrialSpec(deadline=3, ends_on_answer=False)).until_onset().key("f", 500 * MS)
    stage.take(stage.run.abort(stage.onset + 900 * MS))
    assert (ended(stage).outcome, ended(stage).response, ended(stage).rt_us) == ("aborted", "yes", 500 * MS)
    assert stage.run.abort(stage.now) == ()


# --- laws --------------------------------------------------------------------------------------------------------

SPECS = st.builds(
    lambda deadline, least, ends, clock, fast: TrialSpec(
        deadline=deadline, least=least if deadline is None or least < deadline else 0,
        ends_on_answer=ends or deadline is None, clock=clock, reveal=STAGED.reveal, too_fast=fast),
    st.sampled_from([None, 0.05, 1.0, 3.0]), st.sampled_from([0.0, 0.3]), st.booleans(),
    st.sampled_from([None, 1, 2, 3]), st.sampled_from([0.0, 0.2]))
HAPPENS = st.lists(st.tuples(
    st.integers(0, 900_000), st.integers(0, 120_000),
    st.sampled_from(["f", "j", "x", "space", "space", "focus_lost", "focus_back", "suspended", "held_key"])),
    max_size=25)


@settings(max_examples=80)
@given(SPECS, HAPPENS, st.sampled_from(["flag", "repeat", "pause"]), st.integers(0, 40_000))
def test_whatever_happens_no_time_is_negative_and_no_late_key_answers(spec, happens, policy, frame):
    stage = Stage(spec, screens=3, policy=policy, frame=frame)
    presses: list[tuple[str, int]] = []
    for gap, late, what in happens:
        stage.until(stage.now + gap)
        if stage.record is not None:
            break
        if what in EVENTS:
            stage.take(stage.run.trouble(what, stage.now, {"us": gap, "key": "f"}))
            continue
        at = stage.now - late
        presses.append((what, at))
        stage.take(stage.run.key(what, at, stage.now, "event"))
    stage.until(stage.now + 10_000_000)
    if stage.record is None:
        assert spec.deadline is None or stage.run.onset_us is None, "a deadline ends it"
        stage.take(stage.run.abort(stage.now))
    record = ended(stage)
    quality = record.quality
    assert all(us >= 0 for us in quality["screens_us"])
    assert quality["focus_lost_us"] >= 0
    assert (record.response is None) == (record.rt_us is None) == (quality["response_key"] is None)
    assert record.outcome != "answered" or record.response is not None
    if record.rt_us is not None:
        assert record.rt_us >= spec.least * 1_000_000
        assert spec.deadline is None or record.rt_us < spec.deadline * 1_000_000
        assert record.rt_receipt_us is not None and record.rt_receipt_us >= record.rt_us
        assert (quality["response_key"], stage.onset + record.rt_us) in presses
    screens = [what for what, _ in stage.shown if what.startswith("screen")]
    assert screens == [f"screen:{n}" for n in range(1, len(screens) + 1)], "each once, in order"


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(200_000, 3_000_000), st.integers(0, 300_000)), min_size=1, max_size=15))
def test_however_busy_the_machine_the_time_is_the_one_of_the_finger(trials):
    """Keys through the clock of stamps: a handler that is late moves rt_receipt and not rt."""
    clock, now = KeyClock(native=True), START
    for pressed, busy in trials:
        stage = Stage()
        stage.now = now
        stage.until_onset()
        at = stage.onset + pressed
        receipt = at + busy
        stamped = clock.stamp(at // MS, receipt)
        stage.take(stage.run.key("f", stamped.at_us, receipt, stamped.source))
        record = ended(stage)
        assert record.rt_receipt_us == pressed + busy
        assert abs(record.rt_us - pressed) <= 500
        now = receipt
