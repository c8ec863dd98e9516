"""Score without its looks: what is scored, scoring it beside the window, and what could not be scored."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from annotation.errors import Refused
from app.commands import command
from app.context import Context
from app.i18n import QT_TRANSLATE_NOOP
from app.jobs import Work
from app.page import Page
from app.pages.score import words
from app.pages.score.faults import FaultLines
from app.pages.score.inputs import Inputs
from app.pages.score.reading import Scored, options_of, read_scores
from app.pages.score.versions import VersionsPanel
from app.parts.running import Running

_T = QT_TRANSLATE_NOOP


class ScoringPage(Page):
    """``_show`` gets every new set of scores; ``_views`` shows the content, (1) why there is none, or (2)
    nothing yet."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._scored: Scored | None = None
        self._work: Work | None = None
        self._asked = 0
        self._was_stopped = False  # and the page says so
        self._options = options_of("", held_out=False)
        self._views = QStackedWidget()
        self._inputs = Inputs()
        self._inputs.changed.connect(self._read)
        self._versions = VersionsPanel(context.jobs, context.settings)
        self._versions.changed.connect(self._read)
        self._faults = FaultLines(self._read)
        self._running = Running()
        self._running.stopped.connect(self.stop)

    def _show(self, scored: Scored) -> None:
        """The page shows these."""

    def _stop_looking(self) -> None:
        """Stop what else is read beside the window."""

    def _say_empty(self, *, stopped: bool) -> None:
        """The page says why it shows nothing: there is no bundle, or the first score was stopped."""

    def _show_nothing(self, *, stopped: bool = False) -> None:
        self._scored = None
        self._running.end()
        self._faults.clear()
        self._say_empty(stopped=stopped)
        self._views.setCurrentIndex(1)
        self.update_commands()

    def closing(self) -> None:
        if self._work is not None:
            self._work.cancel()
        self._stop_looking()

    # --- scoring --------------------------------------------------------------------------------------------

    @Slot()
    def _read(self) -> None:
        """Score anew; what is shown stays until the new scores are there."""
        if self._work is not None:
            self._work.cancel()
            self._work = None
        self._asked += 1
        bundle = self._inputs.bundle()
        if not bundle:
            self._show_nothing()
            return
        asked, files, baselines = self._asked, dict(self._inputs.files), self._inputs.baselines.isChecked()
        options = options_of(self._inputs.extract.value(), held_out=self._inputs.held_out.isChecked())
        self._options, other = options, self._versions.folder()
        if self._was_stopped:
            self._was_stopped = False
            self.hush()
        if self._scored is None:
            self._views.setCurrentIndex(2)
        self._running.begin(self.tr("Scoring"))
        self._work = self.context.jobs.work(
            self, lambda progress, cancelled: (asked, read_scores(
                bundle, files, baselines=baselines, other=other, options=options, progress=progress,
                cancelled=cancelled)),
            then=self._take, failed=lambda refused: self._not_read(asked, refused),
            progressed=lambda done, of: self._progressed(asked, done, of))
        self.update_commands()

    def _progressed(self, asked: int, done: int, of: int) -> None:
        if asked == self._asked:  # what was stopped may have counted once more
            self._running.progressed(done, of)

    def _take(self, found: tuple[int, Scored | None]) -> None:
        asked, scored = found
        if asked != self._asked:
            return
        self._work = None
        self._running.end()
        if scored is not None:
            self._show(scored)
        self.update_commands()

    def _not_read(self, asked: int, refused: Refused) -> None:
        """The bundle itself cannot be used."""
        if asked != self._asked:
            return
        self._work = None
        self._inputs.set_bundle_fault(words.fault(refused, self._inputs.bundle()))
        self._show_nothing()

    @command("score.stop", _T("commands", "Stop scoring"), keys="Esc", when="is_computing", icon="x")
    @Slot()
    def stop(self) -> None:
        """The scores of before stay as they were, whole; where there were none, nothing is shown."""
        if self._work is not None:
            self._work.cancel()
            self._work = None
            self._asked += 1
            self._running.end()
            if self._scored is None:
                self._show_nothing(stopped=True)
            else:
                self._was_stopped = True
                self.say(self.tr("Stopped. The scores on this page are those of before."), kind="info",
                         button=self.tr("Score again"), keys="F5", act=self.score_again)
        self._stop_looking()
        self.update_commands()

    @property
    def is_computing(self) -> bool:
        return self._work is not None

    @command("score.run", _T("commands", "Score"), menu="Item", keys="Ctrl+Return", icon="score")
    def run(self) -> None:
        """Take what is typed, and score."""
        typed = self._inputs.predictions_field.text().strip()
        if typed:
            self._inputs.take_typed()
        else:
            self._read()

    @command("score.again", _T("commands", "Score again"), menu="View", keys="F5", icon="check_again")
    def score_again(self) -> None:
        self._read()
