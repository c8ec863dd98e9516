"""How long somebody was at one item: wall time, active time and the gaps between signs of life."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

GAP_MS = 5_000  # a shorter silence is reading, not a gap worth keeping


def monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Clock:
    """Milliseconds since the item was shown. A gap is (start, length, focused).

    Active time is wall time without the gaps in which the window had no focus (pause included),
    and without what a focused gap has above the idle limit. The gaps are stored, so that the limit
    stays a choice of the analysis. ``before``: active milliseconds of earlier sittings at the same task,
    in ``total_ms`` alone.
    """

    def __init__(self, idle_limit_ms: int, now: Callable[[], int] = monotonic_ms, *, before: int = 0) -> None:
        self._now, self._before = now, before
        self._idle_limit = idle_limit_ms
        self._start = self._last = now()
        self._focused = True
        self._gaps: list[tuple[int, int, bool]] = []

    @property
    def is_running(self) -> bool:
        return self._focused

    def note_activity(self) -> None:
        """A key, a click, a wheel step: ends the running gap."""
        if not self._focused:
            return
        now = self._now()
        if now - self._last >= GAP_MS:
            self._gaps.append((self._last - self._start, now - self._last, True))
        self._last = now

    def stop(self) -> None:
        """Pause, or the window lost the focus."""
        if self._focused:
            self.note_activity()
            self._last = self._now()
            self._focused = False

    def go_on(self) -> None:
        if not self._focused:
            now = self._now()
            if now > self._last:
                self._gaps.append((self._last - self._start, now - self._last, False))
            self._last, self._focused = now, True

    @property
    def gaps(self) -> tuple[tuple[int, int, bool], ...]:
        """All gaps, the running one included."""
        running = self._now() - self._last
        least = GAP_MS if self._focused else 1
        if running < least:
            return tuple(self._gaps)
        return (*self._gaps, (self._last - self._start, running, self._focused))

    @property
    def wall_ms(self) -> int:
        return self._now() - self._start

    @property
    def active_ms(self) -> int:
        idle = sum(max(0, length - self._idle_limit) if focused else length for _, length, focused in self.gaps)
        return max(0, self.wall_ms - idle)

    @property
    def total_ms(self) -> int:
        """Active time with that of earlier sittings: what one is shown."""
        return self._before + self.active_ms

    def reading(self) -> dict[str, Any]:
        """This sitting as the store takes it."""
        return {"active_ms": self.active_ms, "wall_ms": self.wall_ms, "gaps": self.gaps}


def read_out(ms: int) -> str:
    """A duration as on a stopwatch: 0:42, 12:05, 1:02:03."""
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
