"""TrialWindow: shows the frames of timed trials on one screen, stamps onsets and keys, and tells what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QScreen

from app.stage import compose, preload
from app.stage.awake import Awake
from app.stage.compose import Device
from app.stage.frames import Frames
from app.stage.surface import Surface, has_gl
from app.stage.surface_gl import GlSurface
from app.stage.surface_raster import RasterSurface
from app.stage.trial import TrialPlayer
from app.stage.view import TrialView
from app.stage.windows import WindowWatch
from studies.facts import TrialRecord
from studies.timing import Clocks, Display, monotonic_us
from studies.trial_run import TrialRun

FOCUS_MS = 3000  # then it goes on without the focus, and trials say so


class TrialWindow(QObject):
    """One window for a whole sitting, made once: open, check_all, (bring_forward, prepare, run).. , close.

    ``jobs`` decodes pictures (``app.jobs.Jobs``); ``media.path(sha256)`` says where they lie. All times are whole
    microseconds of the monotonic clock (``studies.timing.monotonic_us``).
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

    def __init__(self, screen: QScreen, jobs: Any, media: Any, *, method: str | None = None,
                 full_screen: bool = True, clocks: Clocks | None = None, parent: QObject | None = None) -> None:
        """``method``: "gl", "raster", None: OpenGL where it works. ``full_screen`` False: 1280 x 720, for tests.

        ``clocks``: who sees that the machine slept.
        """
        super().__init__(parent)
        self._screen, self._jobs = screen, jobs
        self._full_screen = full_screen
        gl = method == "gl" or (method is None and has_gl())
        self.surface: Surface = GlSurface() if gl else RasterSurface()  # type: ignore[assignment]
        self._frames = Frames(self.surface, self)
        self._windows = WindowWatch(self.surface, full_screen=full_screen, parent=self)
        self._player = TrialPlayer(self.surface, self._frames, self._windows, clocks, self)
        self._awake = Awake(self)
        self._preload = preload.Preload(jobs, media, self)
        self._device: Device | None = None
        self._view: TrialView | None = None
        self._begun_us = 0
        self._preload_us: int | None = None
        self._warming = self._is_closed = False
        self._focus_timer = QTimer(self)
        self._focus_timer.setSingleShot(True)
        self._focus_timer.timeout.connect(self._take_open)
        self.surface.exposed.connect(self._look_whether_open)
        self.surface.focus_changed.connect(self._look_whether_open)
        self._frames.counted.connect(self._take_count)
        self._preload.ready.connect(self._take_ready)
        self._preload.refused.connect(self.refused)
        self._player.ended.connect(self._take_end)
        self._player.marked.connect(self.marked)
        self._player.reached.connect(self.reached)
        self._player.leave_asked.connect(self.abort_asked)
        self._player.key_pressed.connect(self.key_pressed)

    @property
    def method(self) -> str:
        """How onsets are taken, as exports say it: "gl_swap_finish" or "raster_flush"."""
        return self.surface.method

    @property
    def device(self) -> Device:
        """The screen that frames are made for."""
        size, ratio = self.surface.size(), self.surface.devicePixelRatio()
        return Device(round(size.width() * ratio), round(size.height() * ratio), ratio)

    # --- on and off the screen ----------------------------------------------------------------------------------

    def open(self) -> None:
        """Show it on its screen; ``opened`` follows."""
        self.surface.setScreen(self._screen)
        place = self._screen.geometry()
        # Without a window manager nobody else gives it the screen's size.
        self.surface.setGeometry(place if self._full_screen else QRect(place.topLeft(), compose.SMALL))
        self.surface.setCursor(Qt.CursorShape.BlankCursor)
        self._awake.hold()
        self.bring_forward()

    def bring_forward(self) -> None:
        """Put it before the other windows with the focus; ``opened`` follows. Call it before ``run``."""
        self._focus_timer.start(FOCUS_MS)
        if self._full_screen:
            self.surface.showFullScreen()
        else:
            self.surface.show()
        self.surface.raise_()
        self.surface.requestActivate()
        QTimer.singleShot(0, self, self._look_whether_open)

    def _look_whether_open(self, *_: object) -> None:
        if not self._focus_timer.isActive() or not self.surface.isExposed():
            return
        if self.surface.isActive():
            self._take_open()
        else:
            self.surface.requestActivate()

    def _take_open(self) -> None:
        self._focus_timer.stop()
        self._put_ground()
        self._frames.show("blank")
        self._windows.begin()
        self.opened.emit()

    def _put_ground(self) -> None:
        if self._device != self.device:
            self._device = self.device
            self.surface.put({"blank": compose.blank(self.device), "fixation": compose.fixation(self.device)})

    def close(self) -> None:
        """Take it off the screen for good; the rubbish collector goes on as before."""
        if self._is_closed:
            return
        self._is_closed = True
        self._focus_timer.stop()
        self._frames.stop()
        self._windows.end()
        self._player.stop()
        self._preload.forget()
        self._jobs.release()
        self._awake.let_go()
        self.surface.free()
        self.surface.hide()
        # Here and now, not by whichever thread the rubbish collector runs in.
        self.surface.deleteLater()
        self.deleteLater()

    # --- before a trial -----------------------------------------------------------------------------------------

    def check_all(self, views: Sequence[TrialView], *, then: Callable[[], None], failed: Callable[[Any], None],
                  progressed: Callable[[int, int], None] | None = None) -> Any:
        """Read every picture and set every trial; all trials get the same places and text size.

        ``failed`` gets a Refused that names the item and the file that is missing or corrupt, or the item that
        does not fit on this screen. Call it when ``opened``, and again when the screen, its scale or the text size
        has changed. Returns the work, which can be cancelled.
        """
        return self._preload.check_all(views, self.device, then=then, failed=failed, progressed=progressed)

    def prepare(self, view: TrialView) -> None:
        """Decode and set the next trial, between two trials or in the gap of one that was begun not ``ready``;
        ``preloaded`` or ``refused`` follows."""
        self._preload_us, self._begun_us, self._view = None, monotonic_us(), view
        self._put_ground()
        self._preload.prepare(view, self.device)

    def _take_ready(self, frames: compose.Frames) -> None:
        assert self._view is not None
        self.surface.put(dict(frames.images))
        self._player.pointer.set_trial(self._view, frames)
        self._preload_us = spent = monotonic_us() - self._begun_us
        self._set_off()
        self.preloaded.emit(spent)

    def warm_up(self, frames: int = 60) -> None:
        """Show so many frames, a dummy trial among them; ``warmed`` follows."""
        self.surface.put({"dummy": preload.dummy(self.device).images["screen:1"]})
        third = max(1, frames // 3)
        names = ["blank"] * third + ["fixation"] * third + ["dummy"] * (frames + 1 - 2 * third)
        self._count(names, warming=True)

    def measure(self, frames: int = 120) -> None:
        """Time so many frames; ``measured`` follows."""
        self._count(["blank"] * (frames + 1), warming=False)

    def _count(self, names: list[str], *, warming: bool) -> None:
        self._warming = warming
        self._frames.count(names)

    def _take_count(self, display: Display) -> None:
        self._frames.show("blank")
        (self.warmed if self._warming else self.measured).emit(display)

    # --- a trial ------------------------------------------------------------------------------------------------

    def run(self, run: TrialRun) -> None:
        """Show the prepared trial; ``ended`` follows. One made with ``ready=False`` may begin before ``preloaded``."""
        self._player.begin(run)
        self._set_off()

    def _set_off(self) -> None:
        """All is ready and a trial runs: nothing else runs beside it."""
        if self._player.run is not None and self._preload_us is not None:
            self._jobs.hold()
            self._player.be_ready(self._preload_us)

    def abort(self) -> None:
        """End the trial that runs as aborted; nothing where none runs."""
        self._player.abort()

    def _take_end(self, record: TrialRecord) -> None:
        self._preload_us = None
        self._jobs.release()
        self.ended.emit(record)
