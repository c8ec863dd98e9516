"""TrialWindow: shows the frames of timed trials on one screen, stamps onsets and keys, and tells what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QScreen

from app.stage.view import TrialView

Method = str  # "gl" or "raster"


class TrialWindow(QObject):
    """One window for a whole sitting, made once: open, check_all, (bring_forward, prepare, run).. , close.

    ``jobs`` decodes pictures (``app.jobs.Jobs``); ``media.path(sha256)`` says where they lie. All times are whole
    microseconds of the monotonic clock (``time.monotonic_ns() // 1000``).
    """

    opened = Signal()              # it is on the screen and has the focus; again after each bring_forward
    preloaded = Signal(object)     # int, microseconds: what was asked of ``prepare`` can be run
    refused = Signal(object)       # Refused: it cannot be prepared (the file went away since check_all)
    ended = Signal(object)         # TrialRecord
    marked = Signal(object)        # Event; those of a trial come in order right before its ``ended``
    reached = Signal(str)          # fixation, preload, onset, key_down: as they happen
    abort_asked = Signal()         # Esc twice, or the window was asked to close; in a trial after ``ended``
    key_pressed = Signal(str)      # outside a trial: the name of a key (for a round of warming up)
    warmed = Signal(object)        # studies.timing.Display of the frames shown meanwhile
    measured = Signal(object)      # the same, of ``measure``

    def __init__(self, screen: QScreen, jobs: Any, media: Any, *, method: Method | None = None,
                 full_screen: bool = True, parent: QObject | None = None) -> None:
        """``method`` None: OpenGL where it works, else raster. ``full_screen`` False: 1280 x 720, for tests."""
        super().__init__(parent)

    @property
    def method(self) -> str:
        """How onsets are taken, as exports say it: "gl_swap_finish" or "raster_flush"."""
        return "raster_flush"

    def open(self) -> None:
        """Show it on its screen; ``opened`` follows."""

    def bring_forward(self) -> None:
        """Put it before the other windows with the focus; ``opened`` follows. Call it before ``run``."""

    def check_all(self, views: Sequence[TrialView], *, then: Callable[[], None], failed: Callable[[Any], None],
                  progressed: Callable[[int, int], None] | None = None) -> None:
        """Read every picture and set every trial; all trials get the same places and text size.

        ``failed`` gets a Refused that names the item and the file that is missing or corrupt, or the item that
        does not fit on this screen. Call it again when the screen, its scale or the text size has changed.
        """

    def prepare(self, view: TrialView) -> None:
        """Decode and set the next trial, between two trials; ``preloaded`` or ``refused`` follows."""

    def run(self, run: Any) -> None:
        """Show the prepared trial by ``studies.trial_run.TrialRun``; ``ended`` follows."""

    def abort(self) -> None:
        """End the trial that runs as aborted; nothing where none runs."""

    def warm_up(self, frames: int = 60) -> None:
        """Show so many frames, a dummy trial among them; ``warmed`` follows."""

    def measure(self, frames: int = 120) -> None:
        """Time so many frames; ``measured`` follows."""

    def close(self) -> None:
        """Take it off the screen; what waited in vain (the rubbish collector) goes on."""
