"""The kiosk: begins a sitting or goes on with one, full screen, and says how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from PySide6.QtCore import QObject, Qt, Signal, Slot

from annotation.errors import Refused
from app.i18n import sentence
from app.jobs import Jobs
from app.stage.on_screen import screen_of
from app.stage.runner import Runner
from app.stage.screens.fault import FaultScreen
from app.stage.screens.language import LanguageScreen
from app.stage.self_test import SelfTest
from app.stage.speaking import Speaking
from app.stage.steps import tr
from app.stage.trial_window import TrialWindow
from app.stage.words_window import WordsWindow
from studies import showing, sittings
from studies.model import Study
from studies.showing import AtHand


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a sitting is begun with. ``study``: an id or the first digits of a hash; ``screen`` from 1, 0: the first."""

    study: str
    participant: str | None = None
    pilot: bool = False
    language: str = ""
    screen: int = 0
    resume: bool = False
    self_test: bool = False  # the timing of the machine is measured first, and kept with the sitting


class Stage(QObject):
    """One sitting in two full-screen windows, on an open project. Keep it until ``ended``; then both are closed."""

    ended = Signal(str)      # the sitting's state; "" where none was begun
    began = Signal(object)   # Runner, for whoever watches

    def __init__(self, jobs: Jobs, wanted: Wanted, *, by: UUID, full_screen: bool = True, method: str | None = None,
                 frames: int = 120, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._wanted, self._by = jobs, wanted, by
        self._full, self._method, self._frames = full_screen, method, frames
        self._screen = screen_of(wanted.screen)
        self.refused: Refused | None = None  # why no sitting could be begun
        self.words = WordsWindow(self._screen, pilot=wanted.pilot)
        self.trials: TrialWindow | None = None
        self.runner: Runner | None = None
        self._test: SelfTest | None = None
        self._speaking = Speaking(self)
        self.study = ""                      # its hash
        self.sitting: UUID | None = None

    def open(self) -> None:
        if self._full:
            self.words.showFullScreen()
        else:
            self.words.resize(1280, 720)
            self.words.show()
        self.words.leave_asked.connect(self._leave_before)
        self._jobs.read(self, _find, self._wanted.study, then=self._found, failed=self._cannot_begin)

    def _found(self, found: tuple[str, Study]) -> None:
        self.study, study = found
        wanted = self._wanted
        if wanted.resume:
            self._jobs.read(self, showing.resume, self.study, participant=wanted.participant, then=self._begun,
                            failed=self._cannot_begin)
        elif not wanted.language and len(study.languages) > 1:
            self.words.show_screen(LanguageScreen(tuple(study.languages)), self._language_chosen)
        else:
            self._begin(wanted.language)

    @Slot(dict)
    def _language_chosen(self, said: dict[str, Any]) -> None:
        self.words.clear()
        self._begin(said["language"])

    def _begin(self, language: str) -> None:
        wanted = self._wanted
        self._jobs.run(self, showing.begin, self.study, by=self._by, participant=wanted.participant,
                       pilot=wanted.pilot, language=language, then=self._begun, failed=self._cannot_begin,
                       undoable=False)

    def _begun(self, at_hand: AtHand) -> None:
        self.words.leave_asked.disconnect(self._leave_before)
        self._speaking.speak(at_hand.sitting.plan.language)
        self.sitting = at_hand.sitting.id
        self.words.set_pilot(at_hand.sitting.plan.pilot)
        self.trials = TrialWindow(self._screen, self._jobs, self._jobs.store.media, method=self._method,
                                  full_screen=self._full, parent=self)
        self.runner = Runner(self._jobs, at_hand, self.words, self.trials, frames=self._frames, parent=self)
        self.runner.finished.connect(self._finished)
        self.began.emit(self.runner)
        if not self._wanted.self_test:
            self.runner.start()
            return
        self._test = SelfTest(self._jobs, screen=self._wanted.screen, full_screen=self._full, method=self._method,
                              parent=self)
        self._test.finished.connect(self._tested)
        self._test.start()

    @Slot()
    def _tested(self) -> None:
        """It is kept with the first fact; a machine that could not be measured shows the sitting all the same."""
        assert self.runner is not None and self._test is not None
        if self._test.refused is None:
            self.runner.note(self._test.as_event())
        self.words.bring_forward()
        self.runner.start()

    def _cannot_begin(self, error: Refused) -> None:
        """Said on the screen to whoever stands before it, and handed to the command line."""
        self.refused = error
        self.words.show_screen(FaultScreen(tr("This sitting cannot begin"), sentence(error),
                                           tr("Nothing was begun, and nothing has to be put right.")),
                               self._closed)

    @Slot(dict)
    def _closed(self, _said: dict[str, Any]) -> None:
        self._leave_before()

    @Slot()
    def _leave_before(self) -> None:
        """Nobody has begun: Esc twice simply closes."""
        self.words.close_for_good()
        self._finished("")

    @Slot(str)
    def _finished(self, state: str) -> None:
        self._speaking.be_silent()
        self.words.deleteLater()
        self.ended.emit(state)


def _find(session: Any, named: str) -> tuple[str, Study]:
    view = showing.find_study(session, named)
    return view.hash, sittings.load(session, view.hash)


def open_stage(jobs: Jobs, wanted: Wanted, *, by: UUID, parent: QObject) -> Stage:
    """A sitting begun from the window of the project, which is below it until it ends."""
    stage = Stage(jobs, wanted, by=by, parent=parent)
    stage.words.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
    stage.open()
    return stage
