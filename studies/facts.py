"""Facts: what happened in a sitting, one by one, each on disk before the next screen; a sitting is a fold over them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Outcome = Literal["answered", "timeout", "skipped", "aborted"]

# What an event may be. Screens that were completed: consent, language, instructions, demographics, calibration,
# practice_passed, practice_failed, block_begun, feedback, break_over, debrief, ended. The others are told as
# they happen.
EVENTS = frozenset({
    "started", "consent", "refused_consent", "language", "instructions", "demographics", "calibration", "display_check",
    "warm_up", "practice_passed", "practice_again", "practice_failed", "block_begun", "feedback", "break_over",
    "trial_begun",
    "focus_lost", "focus_back", "minimised", "screen_changed", "scale_changed", "full_screen_left", "suspended",
    "clock_jump", "extra_key", "early_key", "held_key", "escape_key",
    "paused", "went_on", "resumed", "aborted", "withdrawn",
    "excluded", "debrief", "ended", "self_test", "note"})


@dataclass(frozen=True, slots=True)
class Event:
    """``at_us``: on the monotonic clock of the process that saw it; ``data``: plain JSON, never an answer's text."""

    kind: str
    at_us: int
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TrialRecord:
    """One finished trial. ``block`` and ``position`` name its place in the plan, ``attempt`` (from 1) which showing.

    ``onset_us``: of the screen that starts the clock, from the start of the sitting's process clock. ``rt_us`` by
    the key's own time stamp, ``rt_receipt_us`` by when the program saw it. ``response`` is an option's value.
    ``quality``: key_time_source, onset_method, onset_frame_interval_us, dropped_frames, preload_us, early_keys,
    extra_keys, held_keys, escape_keys, focus_lost_us, suspended_us, flags [..], response_key, response_device,
    confidence, screens_us [..] (how long each screen of a staged trial stood), resumed.
    """

    block: int
    position: int
    attempt: int
    outcome: Outcome
    response: str | None = None
    onset_us: int | None = None
    rt_us: int | None = None
    rt_receipt_us: int | None = None
    quality: dict[str, Any] = field(default_factory=dict)


Fact = Event | TrialRecord
