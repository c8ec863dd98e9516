"""Timing: what a key's stamp, a row of frames and three clocks say, in whole microseconds of the monotonic clock."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

WRAP_MS = 2**32  # X and Wayland count milliseconds in 32 bits: 49.7 days
OLDEST_MS = 1_000  # a stamp that is older than this when it arrives is not believed
MILLISECOND = 1_000  # microseconds: how coarse a stamp is
DRIFT = 20_000  # two clocks of one machine part by 50 millionths of the time passed, at most
SETTLED = 5  # so many keys until the distance of two clocks counts as known
ALIKE = 20  # so many keys, each seen within a millisecond of its stamp: the stamp is the receipt
STRAYS = 3  # so many unbelievable stamps in a row: the clock behind them is another one now

LATE = 1.2  # an interval longer than this many periods is a dropped frame
SPREAD = 0.1  # of the frames in time: standard deviation / median
LATE_SHARE = 0.1
OFF_CLAIM = 0.05  # how far the measured rate may be from the one that the screen claims
LEAST_FRAMES = 30

LEAST_GAP_US = 100_000  # clocks are read one after the other: less than this apart is nothing


def monotonic_us() -> int:
    return time.monotonic_ns() // 1000


def wall_us() -> int:
    return time.time_ns() // 1000


def boot_us() -> int | None:
    """The monotonic time with sleep counted in; None where the system has no such clock (Windows)."""
    name = {"linux": "CLOCK_BOOTTIME", "darwin": "CLOCK_MONOTONIC"}.get(sys.platform, "")
    clock = getattr(time, name, None)
    return None if clock is None else time.clock_gettime_ns(clock) // 1000


@dataclass(frozen=True, slots=True)
class Stamped:
    """``event``: when the window system saw the key. ``receipt``: when this program did; nothing better was known."""

    at_us: int
    source: Literal["event", "receipt"]


class KeyClock:
    """Brings the time stamps of key events onto the monotonic clock.

    Where both are one clock (X11 on this machine, macOS), a stamp names the millisecond in which the key was seen, and
    the receipt a moment before which it was: the middle of what both leave possible is taken. Where they are not,
    their distance is the smallest (receipt - stamp) seen: the key that got here fastest. A stamp that cannot be true
    (in the future, more than a second old, 0) gives way to the receipt, and so does a clock that never differs from it.

    ``native``: whether the platform hands on the time of its own event; Qt's plugin for Windows does not.
    """

    def __init__(self, *, native: bool = sys.platform != "win32") -> None:
        self._native = native
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._same: bool | None = None
        self._last_ms: int | None = None  # of another clock, unwrapped
        self._offset_us = 0
        self._offset_at = 0
        self._keys = 0
        self._strays = 0
        self._alike = True

    def stamp(self, stamp_ms: int, receipt_us: int) -> Stamped:
        if not self._native or stamp_ms <= 0:
            return Stamped(receipt_us, "receipt")
        age_ms = (receipt_us // 1000 - stamp_ms) % WRAP_MS
        if self._same is not False and age_ms <= OLDEST_MS:
            self._same = True
            begin_us = (receipt_us // 1000 - age_ms) * 1000
            at_us = begin_us + min(MILLISECOND, receipt_us - begin_us) // 2
            return self._believed(at_us, receipt_us, alike=age_ms == 0, known=True)
        if self._same:
            return self._stray(receipt_us)
        self._same = False
        return self._of_another_clock(stamp_ms, receipt_us)

    def _of_another_clock(self, stamp_ms: int, receipt_us: int) -> Stamped:
        first = self._last_ms is None
        last = stamp_ms if self._last_ms is None else self._last_ms
        step = (stamp_ms - last + WRAP_MS // 2) % WRAP_MS - WRAP_MS // 2
        unwrapped = last + step
        offset = receipt_us - unwrapped * 1000
        # The allowance for drift keeps the smallest distance from being believed for hours.
        known = self._offset_us + max(0, receipt_us - self._offset_at) // DRIFT
        age = 0 if first else offset - known
        if age > OLDEST_MS * 1000:
            return self._stray(receipt_us)
        if first or age <= 0:
            known = offset
        self._last_ms, self._offset_us, self._offset_at = unwrapped, known, receipt_us
        at_us = min(unwrapped * 1000 + known, receipt_us)
        return self._believed(at_us, receipt_us, alike=age < 1000, known=self._keys + 1 > SETTLED)

    def _believed(self, at_us: int, receipt_us: int, *, alike: bool, known: bool) -> Stamped:
        self._strays = 0
        self._keys += 1
        self._alike = self._alike and alike
        if not known or (self._alike and self._keys > ALIKE):
            return Stamped(receipt_us, "receipt")
        return Stamped(at_us, "event")

    def _stray(self, receipt_us: int) -> Stamped:
        self._strays += 1
        if self._strays >= STRAYS:
            self._begin_anew()
        return Stamped(receipt_us, "receipt")


class FrameWatch:
    """The distance of frames while something moves or is timed. ``period_us``: as measured; None drops nothing."""

    def __init__(self, period_us: int | None = None) -> None:
        self.period_us = period_us
        self.reset()

    def reset(self) -> None:
        self._last: int | None = None
        self.last_interval_us: int | None = None
        self.dropped = 0

    def rest(self) -> None:
        """A screen stands still and nothing is drawn: the next frame is not late."""
        self._last = None

    def swapped(self, at_us: int) -> None:
        if self._last is not None:
            self.last_interval_us = at_us - self._last
            if self.period_us and self.last_interval_us > LATE * self.period_us:
                self.dropped += 1
        self._last = at_us


@dataclass(frozen=True, slots=True)
class Display:
    """What a row of frames says. ``claimed_hz``: what the screen says, 0 = nothing. ``frames``: intervals measured."""

    verdict: Literal["synchronised", "not synchronised", "unstable"]
    median_us: int
    sd_us: int
    late: int
    frames: int
    claimed_hz: float

    @property
    def measured_hz(self) -> float:
        return 1_000_000 / self.median_us if self.median_us else 0.0


def display(intervals_us: Sequence[int], claimed_hz: float) -> Display:
    """``not synchronised``: swaps do not wait for the screen, or keep to another rate than the screen claims.

    ``unstable``: they keep to no rate (a variable refresh rate, a busy machine), or too few were seen. No rate is
    ever assumed: what is said of periods is said of the median that was measured.
    """
    if not intervals_us:
        return Display("not synchronised", 0, 0, 0, 0, claimed_hz)
    median = statistics.median(intervals_us)
    in_time = [interval for interval in intervals_us if interval <= LATE * median]
    late = len(intervals_us) - len(in_time)
    faster = claimed_hz > 0 and median < 0.75 * 1_000_000 / claimed_hz
    steady = (len(intervals_us) >= LEAST_FRAMES and late <= LATE_SHARE * len(intervals_us)
              and statistics.pstdev(in_time) <= SPREAD * median)
    fits = claimed_hz > 0 and median > 0 and abs(1_000_000 / median / claimed_hz - 1) <= OFF_CLAIM
    verdict: Literal["synchronised", "not synchronised", "unstable"] = (
        "not synchronised" if faster else "unstable" if not steady else "synchronised" if fits else "not synchronised")
    return Display(verdict, round(median), round(statistics.pstdev(intervals_us)), late, len(intervals_us), claimed_hz)


@dataclass(frozen=True, slots=True)
class Gap:
    """Since the last look. ``clock_jump_us``: how far somebody set the wall clock; below 0 = back."""

    suspended_us: int = 0
    clock_jump_us: int = 0


class Clocks:
    """Sees sleep (the boot clock goes on, the monotonic stands) and a wall clock that was set."""

    def __init__(self, monotonic: Callable[[], int] = monotonic_us, boot: Callable[[], int | None] = boot_us,
                 wall: Callable[[], int] = wall_us) -> None:
        self._read = lambda: (monotonic(), boot(), wall())
        self._last = self._read()

    def look(self) -> Gap:
        monotonic, boot, wall = self._read()
        was_monotonic, was_boot, was_wall = self._last
        self._last = monotonic, boot, wall
        ran = monotonic - was_monotonic
        passed = ran if boot is None or was_boot is None else boot - was_boot
        slept, jumped = passed - ran, wall - was_wall - passed
        return Gap(slept if slept >= LEAST_GAP_US else 0, jumped if abs(jumped) >= LEAST_GAP_US else 0)
