"""Answering on the Work page: the draft, its undo, and the submit."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from annotation import tasks
from annotation.answers import Slot
from annotation.done import Done
from annotation.errors import AnswerError, Refused
from annotation.submitting import OTHER_TEXT
from annotation.tasks import TaskView
from app.commands import command
from app.i18n import QT_TRANSLATE_NOOP, sentence
from app.pages.work import loading
from app.pages.work.loading import Loaded
from app.pages.work.turn import Turn
from app.pages.work.turns import TurnsPage

_T = QT_TRANSLATE_NOOP


class AnsweringPage(TurnsPage):
    """What is answered goes to the draft, to the disk, and at last to the store."""

    _reach = (False, False)  # whether the draft could be undone and redone when this was last told

    # --- answering ------------------------------------------------------------------------------------------

    def _answered(self, slot: Slot, answer: Any) -> None:
        turn, form = self._turn, self._work.form
        if turn is None or self.is_paused:
            return
        turn.clock.note_activity()
        question, missing = form.question(slot), turn.draft.missing
        typed = question.typed
        try:
            turn.draft.answer(slot, answer, typing=typed)
            form.show_fault(slot, "")
        except AnswerError as fault:
            if typed:  # what is in the box is no answer, so there is none
                turn.draft.answer(slot, None, typing=True)
            form.show_fault(slot, sentence(fault, self.asked_by))
        self._draft_moved(typed=typed)
        if answer is not None and question.takes_one_key and not form.has_faults \
                and turn.goes_on_after(slot, missing_before=missing):
            self.submit()
        elif answer is not None and not typed:
            form.lead_on(slot)

    def _draft_moved(self, *, typed: bool) -> None:
        assert self._turn is not None
        self.hush()
        self._work.form.render(self._turn.draft)
        self._say_missing()
        self._show_chosen()
        (self._saver.typed if typed else self._saver.save_now)()
        if self._work.mode != "side":
            self._work.arrange()
        reach = (self._turn.draft.can_undo, self._turn.draft.can_redo)
        if reach != self._reach:
            self._reach = reach
            self.draft_changed.emit()

    def can_undo_draft(self) -> bool:
        return self._turn is not None and self._turn.draft.can_undo

    def can_redo_draft(self) -> bool:
        return self._turn is not None and self._turn.draft.can_redo

    def undo_draft(self) -> None:
        self._step("undo")

    def redo_draft(self) -> None:
        self._step("redo")

    def _step(self, verb: str) -> None:
        if self._turn is not None and not self.is_paused:
            before = self._turn.draft.answers
            while getattr(self._turn.draft, f"can_{verb}") and self._turn.draft.answers == before:
                getattr(self._turn.draft, verb)()  # a box that took its own typing back left a step without effect
            self._work.form.clear_faults()
            self._draft_moved(typed=False)

    def took_back(self, done: Done) -> None:
        """Something submitted was taken back, or given again: show where one is now."""
        if isinstance(done.value, UUID) and done.label in ("Submit", "Skip"):
            self.context.jobs.read(self, loading.open_taken_back, done.value, then=self._show_taken_back)
        elif self._case is not None or done.label == "Sign":
            self._turn = self._case = None
            self._load()

    def _show_taken_back(self, found: Loaded | None) -> None:
        if found is not None and isinstance(found.view, TaskView) and found.view.state == "claimed":
            self._leave_turn()
            self._show(found)
        elif self._turn is None or found is None or self._turn.task == found.view.id:
            self._saver.end()
            self._turn = None
            self._load()


    @property
    def has_turn(self) -> bool:
        return self._turn is not None and not self.is_paused

    @property
    def has_item(self) -> bool:
        return (self._turn is not None or self._case is not None) and not self.is_paused

    @property
    def can_skip(self) -> bool:
        return self.has_turn and self._turn is not None and not self._turn.changes_an_answer

    @property
    def can_sign(self) -> bool:
        return self._case is not None and not self.is_paused and (
            self._entered_for(self._case.protocol) is not None or bool(self._work.panel.sign.name.text().strip()))

    @command("item.submit", _T("commands", "Submit and go on"), menu="Item", keys="Ctrl+Return", when="has_item")
    def submit(self) -> None:
        if self._work.panel.ask.insist():
            return
        if self._case is not None:
            self.sign()
            return
        turn = self._turn
        if turn is None or not self._is_complete():
            return
        self._saver.end()
        if not (turn.changes_an_answer and turn.is_unchanged):
            self.context.jobs.run(
                self, tasks.submit, turn.task, turn.draft.answers, **turn.clock.reading(), of=turn.view.item_version,
                failed=lambda refused: self._not_submitted(turn, refused))
        self._next()

    def sign(self) -> None:
        """In the stage sign, submitting is signing."""

    def _submit_if_complete(self) -> None:
        """Enter in a one-line box: submits when all is answered, else goes to what is open."""
        self.submit()

    def _is_complete(self) -> bool:
        """Whether all is answered; else say so at the first question that is not, and go there."""
        assert self._turn is not None
        draft, form = self._turn.draft, self._work.form
        if draft.can_submit and not form.has_faults:
            return True
        missing = draft.first_open()
        if missing is not None:
            if not form.fault_of(missing):
                form.show_fault(missing, sentence(draft.wanted(missing), self.asked_by))
            form.render(draft)
            form.go_to(missing)
        return False

    def _not_submitted(self, turn: Turn, refused: Refused) -> None:
        """Back to the answers, with the reason; nothing of them is lost."""
        self._leave_turn()
        if refused.code == OTHER_TEXT:
            self._keep_time(turn)
            self.context.jobs.read(self, loading.open_taken_back, turn.task,
                                   then=lambda found: self._show_changed(found, turn, refused))
            return
        self._show(Loaded(turn.view, turn.protocol, turn.stage))
        self._turn = turn
        self._work.form.render(turn.draft)
        self._work.head.run(turn.clock)
        self._saver.begin(turn.task, lambda: turn.draft.answers)
        self.say(refused)

    def _show_changed(self, found: Loaded | None, turn: Turn, refused: Refused) -> None:
        """The item with its text of now, and what was answered to the old one where that can be."""
        self._show(found)
        if self._turn is not None:
            self._turn.draft.take(turn.draft.answers)
            self._draft_moved(typed=False)
        self.say(refused)
