"""The clock of one item: what counts as active, and which gaps are kept."""

from hypothesis import given, settings
from hypothesis import strategies as st

from app.item.clock import GAP_MS, Clock, read_out


class Time:
    def __init__(self) -> None:
        self.ms = 0

    def __call__(self) -> int:
        return self.ms


def test_active_time_leaves_out_what_lies_above_the_idle_limit() -> None:
    now = Time()
    clock = Clock(60_000, now)
    now.ms = 30_000
    clock.note_activity()
    now.ms = 130_000
    clock.note_activity()
    assert clock.gaps == ((0, 30_000, True), (30_000, 100_000, True))
    assert clock.active_ms == 90_000 and clock.wall_ms == 130_000


def test_a_pause_does_not_count_however_short() -> None:
    now = Time()
    clock = Clock(60_000, now)
    now.ms = 2_000
    clock.stop()
    now.ms = 3_500
    assert clock.active_ms == 2_000 and not clock.is_running
    clock.go_on()
    now.ms = 4_000
    assert clock.active_ms == 2_500 and clock.gaps == ((2_000, 1_500, False),)


def test_activity_during_a_pause_starts_nothing() -> None:
    now = Time()
    clock = Clock(60_000, now)
    clock.stop()
    now.ms = 9_000
    clock.note_activity()
    assert clock.active_ms == 0 and clock.gaps == ((0, 9_000, False),)


@settings(derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["note_activity", "stop", "go_on"]), st.integers(0, 200_000))))
def test_active_never_exceeds_wall_and_gaps_never_overlap(steps: list[tuple[str, int]]) -> None:
    now = Time()
    clock = Clock(60_000, now)
    for verb, wait in steps:
        now.ms += wait
        getattr(clock, verb)()
    assert 0 <= clock.active_ms <= clock.wall_ms
    end = 0
    for start, length, focused in clock.gaps:
        assert start >= end and length >= (GAP_MS if focused else 1)
        end = start + length
    assert end <= clock.wall_ms


def test_durations_read_as_on_a_stopwatch() -> None:
    assert [read_out(ms) for ms in (0, 42_900, 725_000, 3_723_000)] == ["0:00", "0:42", "12:05", "1:02:03"]
