"""Turns of the Work page: reading the next one, showing it, claiming one ahead, leaving it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from PySide6.QtCore import QTimer

from annotation import tasks
from annotation.errors import Refused
from annotation.review import SignCase
from annotation.tasks import TaskView
from app.i18n import sentence
from app.pages.work import loading
from app.pages.work.loading import Loaded
from app.pages.work.showing import ShowingPage
from app.pages.work.turn import Turn


class TurnsPage(ShowingPage):
    """Reads the next turn, claims the one after it, and leaves a turn without losing anything of it."""

    def _load(self) -> None:
        """The next turn, or "nothing waits"."""
        if self._is_closed:
            return
        if self.reading_only:
            self._show(None)
            return
        self._is_loading = True
        self.context.jobs.claim(self, loading.next_turn, self.person, stage=self._wanted_stage, then=self._loaded,
                                failed=self._not_loaded)

    def _loaded(self, found: Loaded | None) -> None:
        """Show it; where the stage that was asked for is done, go on with what else waits for this person."""
        if found is None and self._wanted_stage is not None:
            self._wanted_stage = None
            self._load()
        else:
            self._show(found)

    def _not_loaded(self, refused: Refused) -> None:
        self._is_loading = False
        self._show(None)
        self.say(refused)

    def _shown(self) -> None:
        QTimer.singleShot(0, self, self._claim_ahead)

    # --- one turn ahead -------------------------------------------------------------------------------------

    def _claim_ahead(self) -> None:
        if self._turn is None or self._ahead is not None or self._ahead_asked or not self.isVisible():
            return
        self._ahead_asked = True
        self.context.jobs.claim(self, loading.claim_ahead, self.person, stage=self._turn.stage,
                                besides=self._turn.task, claimed=self._claimed, then=self._keep_ahead,
                                failed=lambda _refused: self._keep_ahead(None))

    def _keep_ahead(self, found: Loaded | None) -> None:
        self._ahead_asked = False
        if self._is_closed or found is None or isinstance(found.view, SignCase):
            return
        self._claimed.clear()
        if not self.isVisible():
            self._give_back(found.view.id)
        elif self._turn is not None and found.view.id != self._turn.task:
            # (While the next turn is being read, it will be this one: a task that is held comes first.)
            if self._ahead is None:
                self._ahead = found
                self._pictures.fetch_ahead(found.view.fields)
            elif self._ahead.view.item != found.view.item and not found.view.answers:
                self._give_back(found.view.id)  # one looked back meanwhile: the turn that was left comes first

    def _drop_ahead(self) -> None:
        ahead, self._ahead = self._ahead, None
        if ahead is not None and not ahead.view.answers:
            self._give_back(ahead.view.id)

    def _give_back(self, task: UUID) -> None:
        self.context.jobs.run(None, loading.let_go, task, undoable=False, failed=lambda _refused: None)

    def _keep_time(self, turn: Turn, *, comes_back: bool = False) -> None:
        if turn.keeps_its_time or (comes_back and not turn.changes_an_answer):
            self.context.jobs.run(None, tasks.keep_time, turn.task, **turn.clock.reading(), undoable=False,
                                  failed=lambda _refused: None)

    def _next(self) -> None:
        """The turn claimed ahead, at once; else the next one from the store."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None and (self._wanted_stage is None or ahead.stage == self._wanted_stage):
            self._show(ahead)
        else:
            self._turn = self._case = None
            self._load()

    def _leave_turn(self, *, comes_back: bool = False) -> None:
        """Another turn comes to the screen; this one keeps its draft, and is given back where there is none."""
        self._saver.save_now()
        self._saver.end()
        if self._turn is not None:
            self._keep_time(self._turn, comes_back=comes_back)
            if self._turn.is_untouched and not comes_back:
                self._give_back(self._turn.task)
        self._drop_ahead()
        self._turn = self._case = None

    def _change_to(self, read: Any, *args: Any, **named: Any) -> None:
        """Show what ``read`` finds in place of the turn that is on the screen."""
        self._saver.save_now()

        def show(found: Loaded) -> None:
            task = found.view.id if isinstance(found.view, TaskView) else None
            if task is not None and self._turn is not None and task == self._turn.task:  # it is shown already
                self._work.panel.ask.leave()
                self._focus_answers()
                return
            # Where one goes on afterwards: the turn that was left for this look back.
            before, ahead, self._ahead = self._turn, self._ahead, None
            if ahead is not None and isinstance(ahead.view, TaskView) and ahead.view.id == task:
                ahead = None
            self._leave_turn(comes_back=True)
            if before is not None and before.is_untouched:
                view = replace(before.view, active_ms=before.clock.total_ms)
                ahead, self._ahead = Loaded(view, before.protocol, before.stage), ahead
                self._drop_ahead()
            self._ahead = ahead
            self._show(found)

        self.context.jobs.run(self, read, *args, then=show, failed=self._could_not_open, undoable=False, **named)

    def _could_not_open(self, refused: Refused) -> None:
        if self._work.panel.ask.isVisible():
            self._work.panel.ask.say(sentence(refused))
        else:
            self.say(refused)
        if self._turn is None and self._case is None:
            self._load()
