"""Runner: leads one participant through a sitting; each fact is on disk before the next screen is shown."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from textwrap import shorten
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot, qVersion

from annotation.errors import Refused
from annotation.version import VERSION
from app.i18n import sentence
from app.jobs import Jobs
from app.stage.ledger import Ledger
from app.stage.on_screen import screen_under
from app.stage.screens.fault import FaultScreen
from app.stage.screens.leave import LeaveScreen
from app.stage.steps import Around, Step, kept, steps_of, tr
from app.stage.trial_window import TrialWindow
from app.stage.view import TrialView, view_of
from app.stage.words_window import WordsWindow
from studies import sitting
from studies.facts import Event, Fact, TrialRecord
from studies.model_parts import FREE_TEXT
from studies.plan import Plan
from studies.showing import AtHand
from studies.sitting import Screen
from studies.timing import Display, monotonic_us
from studies.trial_run import TrialRun


class Runner(QObject):
    """``start`` it once both windows are there. ``finished`` carries the sitting's state; "open": it can go on later.

    ``reached`` names points: those of a trial, ``before_ack`` (a trial is over and not yet on disk), ``feedback``,
    and the kind of every screen as it comes.
    """

    finished = Signal(str)
    reached = Signal(str)

    def __init__(self, jobs: Jobs, at_hand: AtHand, words: WordsWindow, trials: TrialWindow, *, frames: int = 120,
                 parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._frames = frames  # so many are timed before each block, and half as many to warm up
        self._jobs, self._words, self._trials = jobs, words, trials
        self._sitting, self._protocol = at_hand.sitting, at_hand.protocol
        self._study, self._plan = at_hand.sitting.study, at_hand.sitting.plan
        self._ledger = Ledger(jobs, at_hand.sitting.id, at_hand.facts, at_hand.sitting.state, self)
        self.views: dict[tuple[int, int], TrialView] = {
            (b, p): view_of(self._study, self._protocol, planned, at_hand.fields.get(planned.version, {}))
            for b, p, planned in self._plan.each()}
        self._screen: Screen | None = None
        self._steps: list[Step] = []
        self._said: list[dict[str, Any]] = []
        self._record: TrialRecord | None = None  # over, and waiting for how sure somebody is
        self._after_opened: Callable[[], None] | None = None
        self._broken: Refused | None = None
        self._trial_in_front = self._is_trial_on = self._is_stale = self._is_over = False
        self._leaving = ""
        self._origin = monotonic_us()
        self._ledger.not_kept.connect(self._cannot_keep)
        words.leave_asked.connect(self._ask_leave)
        words.experimenter_asked.connect(self._ask_experimenter)
        # A key that answered is often still down when words come: held it is for the trials until this is told.
        words.key_released.connect(trials.surface.key_up)
        trials.opened.connect(self._opened)
        trials.refused.connect(self._cannot_show)
        trials.ended.connect(self._ended)
        trials.marked.connect(self._marked)
        trials.abort_asked.connect(self._abort_asked)
        trials.reached.connect(self.reached)
        trials.warmed.connect(self._timed)
        trials.measured.connect(self._timed)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What is on disk."""
        return tuple(self._ledger.facts)

    @property
    def plan(self) -> Plan:
        return self._plan

    @property
    def due(self) -> Screen | None:
        """What is being shown."""
        return self._screen

    def note(self, event: Event) -> None:
        """Keep something that happened beside the screens, with the next fact."""
        self._ledger.mark(event)

    def start(self) -> None:
        """Open the window of the trials, and the words before it."""
        self._trial_in_front, self._after_opened = True, self._check
        self._trials.open()

    def _check(self) -> None:
        """Read every picture first: what is missing or broken is said before anybody has begun."""
        self._to_words()
        self._words.say_wait(tr("One moment"))
        self._trials.check_all(tuple(self.views.values()), then=self._checked, failed=self._cannot_show,
                               progressed=self._progressed)

    def _progressed(self, done: int, of: int) -> None:
        self._words.say_wait(tr("One moment: {done} of {of}").format(done=done, of=of))

    def _checked(self) -> None:
        self._words.say_wait("")
        self._ledger.keep([replace(sitting.opening(self._ledger.facts, monotonic_us()), data={
            **sitting.opening(self._ledger.facts, 0).data, **self._about()})], self._next)

    def _about(self) -> dict[str, Any]:
        """On what the sitting is shown; the exports say it."""
        screen = screen_under(self._words)
        size = screen.size() * screen.devicePixelRatio()
        return {"utc": datetime.now(UTC).isoformat(timespec="milliseconds"), "version": VERSION, "qt": qVersion(),
                "system": platform.platform(), "screen": screen.name(), "screen_px": [size.width(), size.height()],
                "device_pixel_ratio": screen.devicePixelRatio(), "claimed_hz": screen.refreshRate(),
                "onset_method": self._trials.method}

    # --- what is due ----------------------------------------------------------------------------------------

    def _next(self) -> None:
        if self._broken is not None:
            self._show_broken(self._broken)
            return
        if self._leaving:
            self._to_words()
            self._show_leave(self._leaving)
            return
        self._screen = screen = sitting.due(self._study, self._plan, self._ledger.facts)
        if screen.kind == "language":  # it was chosen before the sitting was begun, as its plan says
            self._ledger.keep([screen.done(monotonic_us(), language=self._plan.language)], self._next)
        elif screen.kind == "trial" and self._is_stale:
            self._is_stale = False  # another screen or scale: all places are found anew
            self._trials.check_all(tuple(self.views.values()), then=self._next, failed=self._cannot_show)
        elif screen.kind == "trial":
            self._ledger.keep([screen.begun(monotonic_us())], lambda: self._to_trials(self._set_off))
        elif screen.kind in ("warm_up", "display_check"):
            self.reached.emit(screen.kind)
            self._to_trials(self._warm_up if screen.kind == "warm_up" else self._measure)
        elif screen.last and not screen.data.get("over"):
            self._end(screen)
        else:
            self._to_words()
            self._begin_steps(steps_of(screen, self._around()))
            self.reached.emit(screen.kind)

    def _around(self) -> Around:
        main = {(b, p) for b, p, _ in self._plan.each() if self._plan.blocks[b].kind == "main"}
        done = {(fact.block, fact.position) for fact in self._ledger.facts if isinstance(fact, TrialRecord)} & main
        return Around(self._study, self._plan, sitting.language(self._study, self._plan, self._ledger.facts),
                      tuple(self.views.values()), len(done), len(main))

    def _begin_steps(self, steps: list[Step]) -> None:
        self._steps, self._said = steps, []
        self._words.show_screen(steps[0].make(), self._step_done)

    @Slot(dict)
    def _step_done(self, said: dict[str, Any]) -> None:
        self._said.append(said)
        if len(self._said) < len(self._steps):
            self._words.show_screen(self._steps[len(self._said)].make(), self._step_done)
            return
        self._words.clear()
        data, screen = kept(self._steps, self._said), self._screen
        assert screen is not None
        if screen.kind == "confidence":
            self._keep_record(data["level"])
        elif screen.last:
            self._over()
        elif screen.kind == "consent" and not data["agreed"]:
            self._ledger.keep([Event("refused_consent", monotonic_us(), data)], self._next)
        else:
            self._ledger.keep([screen.done(monotonic_us(), **data)], self._next)

    # --- what did not work -----------------------------------------------------------------------------------

    @Slot(object, object)
    def _cannot_keep(self, error: Refused, again: Callable[[], None]) -> None:
        """Nothing is shown that could not be kept: stop here, and try again when the disk is free."""
        self._to_words()

        def said(data: dict[str, Any]) -> None:
            self._words.clear()
            (again if data["again"] else self._over)()

        self._words.show_screen(FaultScreen(tr("This could not be saved"), sentence(error), tr(
            "Please call whoever leads the study. What was saved before is safe. Try again once the cause is removed, "
            "and nothing is lost."), again=tr("Try again")), said)
        self.reached.emit("not_kept")

    def _end(self, screen: Screen) -> None:
        state, reason = screen.data["state"], screen.data["reason"]
        self._ledger.keep([screen.done(monotonic_us(), state=state, reason=reason)], self._next, (state, reason))

    def _over(self) -> None:
        if self._is_over:
            return
        self._is_over = True
        self._trials.close()
        self._words.close_for_good()
        self.finished.emit(self._ledger.state)

    # --- trials ---------------------------------------------------------------------------------------------

    def _to_trials(self, then: Callable[[], None]) -> None:
        if self._trial_in_front:
            then()
            return
        self._trial_in_front = True
        self._after_opened = then
        self._trials.bring_forward()

    def _to_words(self) -> None:
        if self._trial_in_front:
            self._trial_in_front = False
            self._words.bring_forward()

    @Slot()
    def _opened(self) -> None:
        then, self._after_opened = self._after_opened, None
        if then is not None:
            self._words.clear()
            then()

    def _warm_up(self) -> None:
        self._trials.warm_up(self._frames // 2)

    def _measure(self) -> None:
        self._trials.measure(self._frames)

    @Slot(object)
    def _timed(self, seen: Display) -> None:
        if self._screen is not None:
            self._ledger.keep([self._screen.done(monotonic_us(), **asdict(seen))], self._next)

    def _set_off(self) -> None:
        """The trial begins with its gap, and what it shows is made ready in it."""
        screen = self._screen
        if self._leaving or screen is None:
            self._next()
            return
        view = self.views[screen.block, screen.position]
        self._trials.run(TrialRun(
            self._plan.trial(screen.block, screen.position), self._study.trial, attempt=screen.attempt,
            screens=len(view.screens), block=screen.block, position=screen.position, ready=False,
            policy=self._study.trouble.policy, origin_us=self._origin, resumed=bool(screen.data.get("resumed"))))
        self._is_trial_on = True
        self._trials.prepare(view)

    @Slot(object)
    def _marked(self, event: Event) -> None:
        self._is_stale = self._is_stale or event.kind in ("screen_changed", "scale_changed")
        self._leaving = self._leaving or ("participant" if event.kind == "escape_key" else "")  # asked once it is over
        self._ledger.mark(event)

    @Slot(object)
    def _ended(self, record: TrialRecord) -> None:
        self._is_trial_on = False
        self._record = record
        asked = sitting.confidence(self._study, self._plan, record)
        if asked is None:
            self._keep_record(None)
            return
        self._screen = asked
        self._to_words()
        self._begin_steps(steps_of(asked, self._around()))
        self.reached.emit("confidence")

    def _keep_record(self, level: int | None) -> None:
        self._ledger.keep(self._take_record(level), self._next)

    def _take_record(self, level: int | None = None) -> list[Fact]:
        """The trial that is over and not kept yet, if there is one."""
        record, self._record = self._record, None
        if record is None:
            return []
        self.reached.emit("before_ack")
        return [record if level is None else replace(record, quality={**record.quality, "confidence": level})]

    @Slot(object)
    def _cannot_show(self, error: Refused) -> None:
        """A picture is missing or broken: a trial that waits for it is kept as aborted first."""
        self._broken = error
        if self._is_trial_on:
            self._trials.abort()
        else:
            self._show_broken(error)

    def _show_broken(self, error: Refused) -> None:
        """Before anything was shown the place is given back; later the sitting can go on once the file is there."""
        self._to_words()
        fault = FaultScreen(tr("This study cannot be shown"), sentence(error),
                            tr("Please call whoever leads the study. Everything up to here is saved."))
        fresh, why = not self._ledger.facts, shorten(str(error), FREE_TEXT, placeholder=" …")

        def closed(_: Any) -> None:
            if fresh:
                self._ledger.keep([_stopped("program", why)], self._over, ("aborted", why))
            else:
                self._over()

        self._words.show_screen(fault, closed)
        self.reached.emit("cannot_show")

    # --- leaving --------------------------------------------------------------------------------------------

    @Slot()
    def _abort_asked(self) -> None:
        """Esc twice before the trials: asked when what runs there has come to its end."""
        self._show_leave("participant")

    @Slot()
    def _ask_leave(self) -> None:
        self._show_leave("participant")

    @Slot()
    def _ask_experimenter(self) -> None:
        self._show_leave("experimenter")

    def _show_leave(self, by: str) -> None:
        self._leaving = ""
        if self._is_over or (self._screen is not None and self._screen.last):
            return
        if self._ledger.is_busy or self._screen is None or self._trial_in_front:
            self._leaving = by  # asked as soon as what is being saved is saved, or what is shown has ended
            self._trials.abort()
            return
        self._to_words()
        self._words.cover(LeaveScreen(by_experimenter=by == "experimenter"), lambda said: self._left(by, said))
        self.reached.emit("leave")

    def _left(self, by: str, said: dict[str, Any]) -> None:
        self._words.uncover()
        if said["stop"]:
            self._words.clear()
            self._ledger.keep([*self._take_record(), _stopped(by, said["reason"])], self._next)
        elif self._words.screen_shown() is None:
            self._next()


def _stopped(by: str, reason: str) -> Event:
    return Event("aborted", monotonic_us(), {"by": by, "reason": reason})
