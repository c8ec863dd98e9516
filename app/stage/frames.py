"""Frames: counts how far apart frames are while something is timed, and rests while a screen stands still."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.stage.on_screen import screen_under
from app.stage.surface import Surface
from studies import timing

AFTER = 2  # frames that are still watched after a screen came


class Frames(QObject):
    """``stands(name, at_us)``: an image that was asked for is on the screen, told once for each asking."""

    stands = Signal(str, object)
    frame = Signal(object)    # microseconds; every frame
    counted = Signal(object)  # studies.timing.Display: what ``count`` asked for

    def __init__(self, surface: Surface, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._surface = surface
        self.watch = timing.FrameWatch()
        self._asked = ""
        self._left: int | None = 0  # frames until it rests; None: it goes on
        self._counting: list[int] | None = None
        self._wanted: list[str] = []
        self._last: int | None = None
        surface.swapped.connect(self._take)

    def show(self, name: str, *, then_rest: bool = True) -> None:
        """``then_rest`` False: frames go on, so that the next image comes with a known interval."""
        self._asked = name
        self._left = AFTER if then_rest else None
        self._surface.show_image(name)
        self._surface.set_loop(True)

    def count(self, names: Sequence[str]) -> None:
        """Show these, one a frame, and time them; ``counted`` follows."""
        self._wanted = list(reversed(names))
        self._counting, self._last = [], None
        self._left = None
        self._surface.show_image(self._wanted.pop())
        self._surface.set_loop(True)

    def stop(self) -> None:
        self._counting, self._asked = None, ""
        self._rest()

    def _rest(self) -> None:
        self._left = 0
        self._surface.set_loop(False)
        self.watch.rest()
        self.watch.last_interval_us = None  # of the next frame, which comes alone, nothing is known

    def _take(self, name: str, at_us: int) -> None:
        self.watch.swapped(at_us)
        if name == self._asked:
            self._asked = ""
            self.stands.emit(name, at_us)
        self.frame.emit(at_us)
        if self._counting is not None:
            self._count(at_us)
        elif self._left is not None and not self._asked:
            self._left -= 1
            if self._left <= 0:
                self._rest()

    def _count(self, at_us: int) -> None:
        assert self._counting is not None
        if self._last is not None:
            self._counting.append(at_us - self._last)
        self._last = at_us
        if self._wanted:
            self._surface.show_image(self._wanted.pop())
            return
        intervals, self._counting = self._counting, None
        self._rest()
        shown = timing.display(intervals, screen_under(self._surface).refreshRate())
        self.watch.period_us = shown.median_us or None
        self.counted.emit(shown)
