"""Runner: leads one participant through a sitting; each fact is on disk before the next screen is shown."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from PySide6.QtCore import QObject, Signal, Slot, qVersion

from annotation.errors import Refused
from annotation.version import VERSION
from app.i18n import sentence
from app.jobs import Jobs
from app.stage.screens.fault import FaultScreen
from app.stage.screens.leave import LeaveScreen
from app.stage.steps import Around, Step, kept, steps_of, tr
from app.stage.trial_window import TrialWindow
from app.stage.view import TrialView, view_of
from app.stage.words_window import WordsWindow
from studies import keeping, sitting
from studies.facts import Event, Fact, TrialRecord
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

    def __init__(self, jobs: Jobs, at_hand: AtHand, words: WordsWindow, trials: TrialWindow,
                 parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._words, self._trials = jobs, words, trials
        self._sitting, self._protocol = at_hand.sitting, at_hand.protocol
        self._study, self._plan = at_hand.sitting.study, at_hand.sitting.plan
        self._facts: list[Fact] = list(at_hand.facts)
        self._views: dict[tuple[int, int], TrialView] = {
            (b, p): view_of(self._study, self._protocol, planned, at_hand.fields.get(planned.version, {}))
            for b, p, planned in self._plan.each()}
        self._screen: Screen | None = None
        self._steps: list[Step] = []
        self._said: list[dict[str, Any]] = []
        self._marks: list[Event] = []          # told by the window, kept with the next fact
        self._record: TrialRecord | None = None  # over, and waiting for how sure somebody is
        self._after_opened: Callable[[], None] | None = None
        self._trial_in_front = self._is_over = self._is_busy = False
        self._state = at_hand.sitting.state
        self._leaving = ""
        self._origin = monotonic_us()
        words.leave_asked.connect(self._ask_leave)
        words.experimenter_asked.connect(self._ask_experimenter)
        trials.opened.connect(self._opened)
        trials.preloaded.connect(self._preloaded)
        trials.refused.connect(self._cannot_show)
        trials.ended.connect(self._ended)
        trials.marked.connect(self._marked)
        trials.abort_asked.connect(self._abort_asked)
        trials.reached.connect(self.reached)
        trials.warmed.connect(self._timed)
        trials.measured.connect(self._timed)

    @property
    def due(self) -> Screen | None:
        """What is being shown."""
        return self._screen

    def start(self) -> None:
        """Open the window of the trials, and the words before it."""
        self._trial_in_front, self._after_opened = True, self._check
        self._trials.open()

    def _check(self) -> None:
        """Read every picture first: what is missing or broken is said before anybody has begun."""
        self._to_words()
        self._words.say_wait(tr("One moment"))
        self._trials.check_all(tuple(self._views.values()), then=self._checked, failed=self._cannot_show,
                               progressed=self._progressed)

    def _progressed(self, done: int, of: int) -> None:
        self._words.say_wait(tr("One moment: {done} of {of}").format(done=done, of=of))

    def _checked(self) -> None:
        self._words.say_wait("")
        self._keep([replace(sitting.opening(self._facts, monotonic_us()), data={
            **sitting.opening(self._facts, 0).data, **self._about()})], self._next)

    def _about(self) -> dict[str, Any]:
        """On what the sitting is shown; the exports say it."""
        screen = self._words.screen()
        size = screen.size() * screen.devicePixelRatio()
        return {"utc": datetime.now(UTC).isoformat(timespec="milliseconds"), "version": VERSION, "qt": qVersion(),
                "system": platform.platform(), "screen": screen.name(), "screen_px": [size.width(), size.height()],
                "device_pixel_ratio": screen.devicePixelRatio(), "claimed_hz": screen.refreshRate(),
                "onset_method": self._trials.method}

    # --- what is due ----------------------------------------------------------------------------------------

    def _next(self) -> None:
        if self._leaving:
            self._show_leave(self._leaving)
            return
        self._screen = screen = sitting.due(self._study, self._plan, self._facts)
        if screen.kind == "trial":
            self._keep([screen.begun(monotonic_us())], self._prepare)
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
        done = {(fact.block, fact.position) for fact in self._facts if isinstance(fact, TrialRecord)} & main
        return Around(self._study, self._plan, sitting.language(self._study, self._plan, self._facts),
                      tuple(self._views.values()), len(done), len(main))

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
            self._keep([Event("refused_consent", monotonic_us(), data)], self._next)
        else:
            self._keep([screen.done(monotonic_us(), **data)], self._next)

    # --- keeping --------------------------------------------------------------------------------------------

    def _keep(self, facts: Sequence[Fact], then: Callable[[], None], end: tuple[str, str] | None = None) -> None:
        """Append facts in one transaction; ``then`` once they are on disk. ``end``: state and reason, with the last."""
        told = (*self._marks, *facts)
        self._marks = []
        self._send(told, then, end)

    def _send(self, told: tuple[Fact, ...], then: Callable[[], None], end: tuple[str, str] | None) -> None:
        """The same facts again have the same numbers: what was written after all is not written twice."""
        self._is_busy = True

        def acknowledged(_: Any) -> None:
            self._is_busy = False
            self._facts += told
            self._state = end[0] if end is not None else self._state
            then()

        def refused(error: Refused) -> None:
            self._cannot_keep(error, lambda: self._send(told, then, end))

        self._jobs.run(self, _append, self._sitting.id, len(self._facts), told, end, then=acknowledged, failed=refused,
                       undoable=False)

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
        self._keep([screen.done(monotonic_us(), state=screen.data["state"], reason=screen.data["reason"])], self._next,
                   (screen.data["state"], screen.data["reason"]))

    def _over(self) -> None:
        if self._is_over:
            return
        self._is_over = True
        self._trials.close()
        self._words.close_for_good()
        self.finished.emit(self._state)

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
        self._trials.warm_up()

    def _measure(self) -> None:
        self._trials.measure()

    @Slot(object)
    def _timed(self, seen: Display) -> None:
        if self._screen is not None:
            self._keep([self._screen.done(monotonic_us(), **asdict(seen))], self._next)

    def _prepare(self) -> None:
        screen = self._screen
        assert screen is not None
        self._trials.prepare(self._views[screen.block, screen.position])

    @Slot(object)
    def _preloaded(self, _us: int) -> None:
        self._to_trials(self._run)

    def _run(self) -> None:
        screen = self._screen
        if self._leaving or screen is None:
            self._next()
            return
        view = self._views[screen.block, screen.position]
        self._jobs.hold()
        self._trials.run(TrialRun(
            self._plan.trial(screen.block, screen.position), self._study.trial, attempt=screen.attempt,
            screens=len(view.screens), block=screen.block, position=screen.position,
            policy=self._study.trouble.policy, origin_us=self._origin, resumed=bool(screen.data.get("resumed"))))

    @Slot(object)
    def _marked(self, event: Event) -> None:
        self._marks.append(event)

    @Slot(object)
    def _ended(self, record: TrialRecord) -> None:
        self._jobs.release()
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
        self._keep(self._take_record(level), self._next)

    def _take_record(self, level: int | None = None) -> list[Fact]:
        """The trial that is over and not kept yet, if there is one."""
        record, self._record = self._record, None
        if record is None:
            return []
        self.reached.emit("before_ack")
        return [record if level is None else replace(record, quality={**record.quality, "confidence": level})]

    @Slot(object)
    def _cannot_show(self, error: Refused) -> None:
        """A picture is missing or broken. Before the first trial the place is given back; later one can go on."""
        self._to_words()
        fault = FaultScreen(tr("This study cannot be shown"), sentence(error),
                            tr("Please call whoever leads the study. Everything up to here is saved."))
        fresh = not self._facts

        def closed(_: Any) -> None:
            if fresh:
                self._keep([Event("aborted", monotonic_us(), {"by": "program", "reason": str(error)})], self._over,
                           ("aborted", str(error)))
            else:
                self._over()

        self._words.show_screen(fault, closed)
        self.reached.emit("cannot_show")

    # --- leaving --------------------------------------------------------------------------------------------

    @Slot()
    def _abort_asked(self) -> None:
        """Esc twice before the trials: asked when what runs there has come to its end."""
        self._leaving = "participant"
        if not self._trial_in_front:
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
        if self._is_busy:
            self._leaving = by  # asked as soon as what is being saved is saved
            return
        self._to_words()
        self._words.cover(LeaveScreen(by_experimenter=by == "experimenter"), lambda said: self._left(by, said))
        self.reached.emit("leave")

    def _left(self, by: str, said: dict[str, Any]) -> None:
        self._words.uncover()
        if said["stop"]:
            self._words.clear()
            self._keep([*self._take_record(), Event("aborted", monotonic_us(), {"by": by, "reason": said["reason"]})],
                       self._next)
        elif self._words.screen_shown() is None:
            self._next()


def _append(session: Any, sitting_id: UUID, first: int, facts: Sequence[Fact], end: tuple[str, str] | None) -> None:
    for n, fact in enumerate(facts):
        keeping.append(session, sitting_id, first + n, fact)
    if end is not None:
        keeping.end(session, sitting_id, *end)
