"""TrialPlayer: plays one TrialRun on a surface: does what it commands, and tells it frames, keys and troubles."""

from __future__ import annotations

import gc
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.stage.frames import Frames
from app.stage.keys import KeySeen, PressSeen
from app.stage.pointer import Pointer
from app.stage.surface import Surface
from app.stage.windows import WindowWatch
from studies.facts import Event
from studies.keyboard import Keyboard
from studies.timing import Clocks, KeyClock, monotonic_us
from studies.trial_run import Commands, End, Mark, Reached, Show, TrialRun, Wake

TWICE_US = 3_000_000  # two presses of Esc nearer than this end the trial; one is asked about when it is over


class TrialPlayer(QObject):
    """While a trial runs nothing is written or logged, and no rubbish is collected."""

    ended = Signal(object)       # TrialRecord
    marked = Signal(object)      # Event
    reached = Signal(str)
    leave_asked = Signal()
    key_pressed = Signal(str)    # outside a trial

    def __init__(self, surface: Surface, frames: Frames, windows: WindowWatch, clocks: Clocks | None = None,
                 parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._surface, self._frames = surface, frames
        self.pointer = Pointer(surface)
        self._clock, self._keyboard, self._clocks = KeyClock(), Keyboard(), clocks or Clocks()
        self.run: TrialRun | None = None
        self._marks: list[Event] = []
        self._escaped_at: int | None = None
        self._leaving = self._frozen = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        surface.key_down.connect(self._key_down)
        surface.key_up.connect(self._key_up)
        surface.pressed.connect(self._pressed)
        surface.close_asked.connect(self.leave)
        windows.happened.connect(self._trouble)
        frames.stands.connect(self._stands)
        frames.frame.connect(self._framed)

    # --- from the window ----------------------------------------------------------------------------------------

    def begin(self, run: TrialRun) -> None:
        assert self.run is None, "a trial is running"
        for kind, us in self._gaps():
            self.marked.emit(Event(kind, monotonic_us(), {"us": us}))
        self.run, self._marks = run, []
        self._still()
        self._frames.watch.reset()
        run.note(onset_method=self._surface.method)
        now = monotonic_us()
        self._do(run.begin(now))
        if not self._surface.isActive():
            self._trouble("focus_lost", now, {})

    def be_ready(self, preload_us: int) -> None:
        """All that it shows is there."""
        if self.run is not None:
            self.run.note(preload_us=preload_us)
            self._do(self.run.be_ready(monotonic_us()))

    def abort(self) -> None:
        if self.run is not None:
            self._do(self.run.abort(monotonic_us()))

    def leave(self) -> None:
        """Somebody wants to go: the trial that runs ends as aborted first."""
        if self.run is None:
            self.leave_asked.emit()
        else:
            self._leaving = True
            self.abort()

    def stop(self) -> None:
        """For good; the rubbish collector goes on as before."""
        self._timer.stop()
        self.run = None
        if self._frozen:
            gc.unfreeze()
            self._frozen = False
        gc.enable()

    def _still(self) -> None:
        """What lives now is looked at no more; what came since the last trial is swept first."""
        gc.collect(1 if self._frozen else 2)
        gc.freeze()
        self._frozen = True
        gc.disable()

    # --- commands -----------------------------------------------------------------------------------------------

    def _do(self, commands: Commands) -> None:
        for command in commands:
            if isinstance(command, Show):
                self._show(command.what)
            elif isinstance(command, Wake):
                self._timer.start(max(0, (command.at_us - monotonic_us()) // 1000))
            elif isinstance(command, Mark):
                self._marks.append(command.event)
            elif isinstance(command, Reached):
                if command.point != "before_ack":  # whoever keeps the trial tells that, right before
                    self.reached.emit(command.point)
            elif isinstance(command, End):
                self._end(command)
                return

    def _show(self, what: str) -> None:
        run = self.run
        if run is None:
            return
        met = self.pointer.prepare_for(what)
        if met is not None:
            run.note(pointer_recentred=met)
        # Until the clock runs frames go on, so that the onset comes with a known interval.
        before = run.onset_us is None and what != f"screen:{run.clock}"
        self._frames.show(what, then_rest=not before)

    def _end(self, command: End) -> None:
        self._timer.stop()
        self.run = None
        self.pointer.prepare_for("blank")
        self._frames.show("blank")
        gc.enable()
        marks, self._marks = self._marks, []
        for event in marks:
            self.marked.emit(event)
        self.ended.emit(command.record)
        if self._leaving:
            self._leaving = False
            self.leave_asked.emit()

    # --- frames and time ----------------------------------------------------------------------------------------

    def _stands(self, what: str, at_us: int) -> None:
        if self.run is not None:
            self._note_frames()
            self._do(self.run.shown(what, at_us))

    def _framed(self, at_us: int) -> None:
        if self.run is not None:
            self._note_frames()
            self._do(self.run.tick(at_us))

    def _note_frames(self) -> None:
        run, watch = self.run, self._frames.watch
        if run is not None:
            run.note(dropped_frames=watch.dropped)
            if run.onset_us is None:
                run.note(onset_frame_interval_us=watch.last_interval_us)

    def _tick(self) -> None:
        self._look_at_clocks()
        if self.run is not None:
            self._do(self.run.tick(monotonic_us()))

    def _look_at_clocks(self) -> None:
        for kind, us in self._gaps():
            self._trouble(kind, monotonic_us(), {"us": us})

    def _gaps(self) -> list[tuple[str, int]]:
        gap = self._clocks.look()
        return [(kind, us) for kind, us in (("suspended", gap.suspended_us), ("clock_jump", gap.clock_jump_us)) if us]

    # --- hands and troubles -------------------------------------------------------------------------------------

    def _key_down(self, seen: KeySeen) -> None:
        if not self._surface.isActive():
            return  # a key that was meant for another window
        stamped = self._clock.stamp(seen.stamp_ms, seen.receipt_us)
        # Both are asked: a key that went down in another window is new to our own list.
        is_press = self._keyboard.press(seen.code, stamped.at_us) == "press" and not seen.repeats
        if seen.name == "escape":
            if is_press:
                self._escape(stamped.at_us)
        elif self.run is None:
            if is_press and seen.name:
                self.key_pressed.emit(seen.name)
        elif not is_press:
            self._trouble("held_key", stamped.at_us, {"key": seen.name})
        else:
            self._look_at_clocks()
            if self.run is not None:
                self._do(self.run.key(seen.name, stamped.at_us, seen.receipt_us, stamped.source))

    def _key_up(self, seen: KeySeen) -> None:
        self._keyboard.release(seen.code, self._clock.stamp(seen.stamp_ms, seen.receipt_us).at_us)

    def _pressed(self, seen: PressSeen) -> None:
        key = self.pointer.option_at(seen.x, seen.y)
        if key and self.run is not None and self._surface.isActive():
            stamped = self._clock.stamp(seen.stamp_ms, seen.receipt_us)
            self._do(self.run.key(key, stamped.at_us, seen.receipt_us, stamped.source, device="pointer"))

    def _escape(self, at_us: int) -> None:
        """Nothing is drawn now, which would disturb the time of the trial: whoever hears of it asks afterwards."""
        if self.run is None:
            self.marked.emit(Event("escape_key", at_us))
        else:
            self._trouble("escape_key", at_us, {})
        before, self._escaped_at = self._escaped_at, at_us
        if before is not None and at_us - before <= TWICE_US:
            self._escaped_at = None
            self.leave()

    def _trouble(self, kind: str, at_us: int, data: dict[str, Any]) -> None:
        if kind == "focus_lost":
            self._keyboard.forget()
        if self.run is not None:
            self._do(self.run.trouble(kind, at_us, data))
