"""TrialRun: the clockwork of one trial as a state machine; what happens goes in, what is to be done comes out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal

from studies.facts import Event, Outcome, TrialRecord
from studies.model_parts import TrialSpec
from studies.plan import PlannedTrial

# How long after the deadline a key may still arrive that was pressed before it, counted from when the deadline was
# noticed: keys wait in a queue behind a machine that was busy. The screen is blank by then and the key's own stamp
# decides; without this, the key or the timeout would win as the machine was quick or slow that time.
GRACE_US = 100_000
SLACK_US = 1_000  # a timer that wakes less than this too early is in time
MARKS = 20  # no more events of one kind in one trial; the counts go on

POINTS = ("fixation", "preload", "onset", "key_down", "before_ack", "feedback")
# What disturbs a trial: under the policies repeat and pause it is done again. A wall clock that was set does not.
DISTURBING = frozenset({"focus_lost", "minimised", "screen_changed", "scale_changed", "full_screen_left", "suspended"})
FLAGGED = DISTURBING | {"clock_jump"}
Policy = Literal["flag", "repeat", "pause"]


@dataclass(frozen=True, slots=True)
class Show:
    """``what``: "blank", "fixation", "screen:1", ..; to be answered by ``shown`` once it stands on the screen."""

    what: str


@dataclass(frozen=True, slots=True)
class Wake:
    """Call ``tick`` then; a later Wake replaces an earlier one."""

    at_us: int


@dataclass(frozen=True, slots=True)
class Mark:
    """An event to be kept with the sitting, once the trial is over."""

    event: Event


@dataclass(frozen=True, slots=True)
class Reached:
    """One of ``POINTS``; for whoever listens."""

    point: str


@dataclass(frozen=True, slots=True)
class End:
    """The trial is over; nothing that comes later changes it."""

    record: TrialRecord


Command = Show | Wake | Mark | Reached | End
Commands = tuple[Command, ...]


@dataclass(slots=True)
class _Key:
    name: str
    at_us: int
    receipt_us: int
    source: str
    device: str


class TrialRun:
    """blank (the gap), fixation, screens 1 to ``screens``; then an answer, the deadline, trouble or an abort ends it.

    All times are whole microseconds of the monotonic clock; ``origin_us`` is where the sitting's own begins.
    ``ready`` False: the first screen waits for ``be_ready``. A key that arrives between ``Show`` and ``shown`` of a
    screen is judged once the onset is known. Whoever calls keeps repeats out (``studies.keyboard``) and reports a
    key that is held as trouble "held_key".
    """

    def __init__(self, planned: PlannedTrial, spec: TrialSpec, *, attempt: int = 1, screens: int = 1, block: int = 0,
                 position: int = 0, policy: Policy = "flag", origin_us: int = 0, resumed: bool = False,
                 ready: bool = True) -> None:
        self.planned, self.spec, self.policy = planned, spec, policy
        self.block, self.position, self.attempt = block, position, attempt
        self.screens = screens
        self.clock = min(spec.clock or screens, screens)
        self.point = ""
        self.quality: dict[str, Any] = {"resumed": True} if resumed else {}
        self._origin, self._ready = origin_us, ready
        self._phase = ""  # what stands on the screen
        self._coming = ""  # what was asked for and does not stand there yet
        self._onsets: dict[str, int] = {}
        self._waiting: list[_Key] = []
        self._answer: _Key | None = None
        self._counts: Counter[str] = Counter()
        self._held: set[str] = set()
        self._flags: list[str] = []
        self._lost_at: int | None = None
        self._lost_us = self._suspended_us = 0
        self._cleared_at: int | None = None
        self._over_at = 0  # once cleared: when a timeout is one
        self.record: TrialRecord | None = None

    # --- what is known -----------------------------------------------------------------------------------------

    @property
    def onset_us(self) -> int | None:
        """Of the screen that starts the clock."""
        return self._onsets.get(f"screen:{self.clock}")

    @property
    def deadline_us(self) -> int | None:
        if self.onset_us is None or self.spec.deadline is None:
            return None
        return self.onset_us + _us(self.spec.deadline)

    def note(self, **values: Any) -> None:
        """Into the record's quality: onset_method, onset_frame_interval_us, dropped_frames, preload_us."""
        self.quality.update(values)

    # --- what happens ------------------------------------------------------------------------------------------

    def begin(self, now: int) -> Commands:
        if self.planned.gap_us > 0:
            return self._show("blank")
        return self._after_gap(now)

    def be_ready(self, now: int) -> Commands:
        """All pictures are decoded."""
        self._ready = True
        return (*(self._reach("preload") if self._phase == "fixation" else ()), *self.tick(now))

    def shown(self, what: str, at_us: int) -> Commands:
        """``what`` stands on the screen since ``at_us``."""
        if self.record is not None:
            return ()
        if self._coming == what:
            self._coming = ""
        if what == "blank" and self.onset_us is not None:  # the deadline took the screen away
            self._cleared_at = at_us
            return ()
        self._phase = what
        self._onsets[what] = at_us
        reached = (*(self._reach("fixation") if what == "fixation" else ()),
                   *(self._reach("preload") if what == "fixation" and self._ready else ()),
                   *(self._reach("onset") if what == f"screen:{self.clock}" else ()))
        waiting, self._waiting = self._waiting, []
        done = [command for key in waiting for command in self._key(key)]
        return (*reached, *done, *self._wake())

    def key(self, name: str, at_us: int, receipt_us: int, source: str, *, device: str = "keyboard") -> Commands:
        """A press, no repeat. ``device`` pointer: ``name`` is the key of the option that was pressed."""
        if self.record is not None:
            return ()
        key = _Key(name, at_us, receipt_us, source, device)
        if self._coming.startswith("screen:"):
            self._waiting.append(key)
            return ()
        return self._key(key)

    def tick(self, now: int) -> Commands:
        if self.record is not None or self._coming:
            return ()
        due = self._due()
        if due is None:
            return ()
        if now < due - SLACK_US:
            return (Wake(due),)
        if self._phase == "blank":
            return self._after_gap(now)
        if self._phase == "fixation":
            return self._show("screen:1") if self._ready else ()
        deadline = self.deadline_us
        if deadline is not None and (self._cleared or due >= deadline):
            return self._at_deadline(now, deadline)
        return self._show(f"screen:{self._screen + 1}")

    def trouble(self, kind: str, at_us: int, data: dict[str, Any] | None = None) -> Commands:
        """Anything of ``facts.EVENTS`` that happens to a window; flags, counts, and ends the trial by policy pause.

        ``data``: "suspended" says ``us``, how long; "held_key" says ``key``, and counts once for each.
        """
        if self.record is not None:
            return ()
        said = dict(data or {})
        if kind == "held_key":
            which = str(said.get("key", ""))
            if which in self._held:
                return ()
            self._held.add(which)
            return self._count(kind, at_us, said)
        if kind == "focus_lost" and self._lost_at is None:
            self._lost_at = at_us
        if kind == "focus_back" and self._lost_at is not None:
            self._lost_us += at_us - self._lost_at
            self._lost_at = None
        if kind == "suspended":
            self._suspended_us += int(said.get("us", 0))
        if kind in FLAGGED:
            self._flag(kind)
        if kind in DISTURBING and self.policy == "pause":
            self._flag("paused")
            return (Mark(Event(kind, at_us, said)), Mark(Event("paused", at_us, {"why": kind})),
                    *self._end("aborted", at_us))
        return self._count(kind, at_us, said)

    def abort(self, now: int) -> Commands:
        return () if self.record is not None else self._end("aborted", now)

    # --- inside ------------------------------------------------------------------------------------------------

    @property
    def _screen(self) -> int:
        """Which screen stands; 0 before the first."""
        return int(self._phase.removeprefix("screen:")) if self._phase.startswith("screen:") else 0

    def _show(self, what: str) -> Commands:
        self._coming = what
        return (Show(what),)

    def _after_gap(self, now: int) -> Commands:
        if self.planned.fixation_us > 0:
            return self._show("fixation")
        self._phase = "fixation"
        self._onsets["fixation"] = now
        return self._show("screen:1") if self._ready else ()

    def _seconds(self) -> float | None:
        """How long the screen that stands is to stand; None: no time ends it."""
        reveal = self.spec.reveal
        if not self._screen or self._screen >= self.screens or self._screen > len(reveal):
            return None
        return reveal[self._screen - 1].seconds

    @property
    def _goes_on(self) -> bool:
        """Space ends the screen that stands."""
        return 0 < self._screen < self.screens and self._seconds() is None and not self._cleared

    def _due(self) -> int | None:
        """When something happens by itself next."""
        if self._phase in ("blank", "fixation"):
            return self._onsets[self._phase] + (
                self.planned.gap_us if self._phase == "blank" else self.planned.fixation_us)
        if not self._screen:
            return None
        ends = []
        seconds = self._seconds()
        if self._cleared:
            return self._over_at
        if seconds is not None:
            ends.append(self._onsets[self._phase] + _us(seconds))
        if self.deadline_us is not None:
            ends.append(self.deadline_us)
        return min(ends, default=None)

    @property
    def _cleared(self) -> bool:
        return self._cleared_at is not None

    def _wake(self) -> Commands:
        due = self._due()
        return () if due is None or self.record is not None or self._coming else (Wake(due),)

    def _at_deadline(self, now: int, deadline: int) -> Commands:
        if self._answer is not None:
            return self._end("answered", now)
        if self._cleared:
            return self._end("timeout", now)
        self._cleared_at = now  # corrected by ``shown``
        self._over_at = max(now, deadline) + GRACE_US
        return (Show("blank"), Wake(self._over_at))

    def _key(self, key: _Key) -> Commands:
        if self.record is not None:
            return ()
        onset, deadline = self.onset_us, self.deadline_us
        answers = key.name in self.planned.keys[: len(self.planned.options)]
        before_screen = not self._screen or key.at_us < self._onsets[self._phase]
        if before_screen and (onset is None or key.at_us < onset):
            return self._count("early_key", key.at_us, {"key": key.name})
        if onset is None or not answers or self._answer is not None:
            if key.name == "space" and self._goes_on and not before_screen and not self._coming:
                return self._show(f"screen:{self._screen + 1}")
            early = answers and onset is None
            return self._count("early_key" if early else "extra_key", key.at_us, {"key": key.name})
        if key.at_us < onset + _us(self.spec.least):
            return self._count("early_key", key.at_us, {"key": key.name})
        if deadline is not None and key.at_us >= deadline:
            return self._count("extra_key", key.at_us, {"key": key.name, "late": True})
        self._answer = key
        reached = self._reach("key_down")
        if key.at_us - onset < _us(self.spec.too_fast):
            self._flag("too_fast")
        if self.spec.ends_on_answer or self._cleared:
            return (*reached, *self._end("answered", key.receipt_us))
        return reached

    def _reach(self, point: str) -> Commands:
        self.point = point
        return (Reached(point),)

    def _count(self, kind: str, at_us: int, data: dict[str, Any]) -> Commands:
        self._counts[kind] += 1
        return (Mark(Event(kind, at_us, data)),) if self._counts[kind] <= MARKS else ()

    def _flag(self, flag: str) -> None:
        if flag not in self._flags:
            self._flags.append(flag)

    def _end(self, outcome: Outcome, now: int) -> Commands:
        onset, answer = self.onset_us, self._answer
        if self._lost_at is not None:
            self._lost_us += now - self._lost_at
        quality = {
            "key_time_source": answer.source if answer else None,
            "response_key": answer.name if answer else None,
            "response_device": answer.device if answer else None,
            "early_keys": self._counts["early_key"],
            "extra_keys": self._counts["extra_key"],
            "held_keys": self._counts["held_key"],
            "escape_keys": self._counts["escape_key"],
            "focus_lost_us": self._lost_us,
            "suspended_us": self._suspended_us,
            "screens_us": self._stood(now),
            "flags": list(self._flags),
            **self.quality,
        }
        response = self.planned.options[self.planned.keys.index(answer.name)] if answer else None
        self.record = TrialRecord(
            self.block, self.position, self.attempt, outcome, response,
            None if onset is None else onset - self._origin,
            answer.at_us - onset if answer and onset is not None else None,
            answer.receipt_us - onset if answer and onset is not None else None, quality)
        return (*self._reach("before_ack"), End(self.record))

    def _stood(self, now: int) -> list[int]:
        """How long each screen stood that was shown."""
        begun = [self._onsets[f"screen:{n}"] for n in range(1, self.screens + 1) if f"screen:{n}" in self._onsets]
        return [end - begin for begin, end in zip(begun, [*begun[1:], self._cleared_at or now], strict=False)]


def _us(seconds: float) -> int:
    return round(seconds * 1_000_000)
