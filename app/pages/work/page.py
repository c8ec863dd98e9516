"""The page Work: answer, submit, next; skip, flag, query, pause; take back."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from annotation import notes, review, tasks
from annotation.answers import Slot
from annotation.done import Done
from annotation.errors import AnswerError, Refused
from annotation.review import SignCase
from annotation.tasks import TaskView
from app.commands import command
from app.i18n import QT_TRANSLATE_NOOP, sentence
from app.item.clock import Clock
from app.item.pictures import Pictures
from app.item.saving import DraftSaver
from app.page import Page
from app.pages.work import loading
from app.pages.work.body import WorkBody
from app.pages.work.loading import Beside, Loaded
from app.pages.work.turn import Turn
from app.parts.buttons import CapButton
from app.parts.empty import Empty

_T = QT_TRANSLATE_NOOP
_SIGNS_OF_LIFE = frozenset({QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.Wheel})
STAGES = {"annotate": "", "verify": _T("work", "Verify"), "sign": _T("work", "Sign")}


class WorkPage(Page):
    """The state is one Turn (or one case to sign), and the turn after it that is claimed ahead."""

    name: ClassVar[str] = "work"
    hides_status: ClassVar[bool] = True
    shows_saved: ClassVar[bool] = True

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._turn: Turn | None = None
        self._case: Loaded | None = None
        self._ahead: Loaded | None = None
        self._ahead_asked = False
        self._is_closed = False
        self._claimed: list[UUID] = []  # by the claim ahead, until its result has arrived here
        self._wanted_stage: str | None = None
        self._is_loading = False
        self._flagged = False
        self._pictures = Pictures(context.jobs, context.store.media, self)
        self._saver = DraftSaver(context.jobs, tasks.save_draft, self)
        self._build()

    def _build(self) -> None:
        self._work = WorkBody()
        self._empty = Empty("circle-wavy-check", "", "")
        home = CapButton(self.tr("Home"), kind="plain", keys="Alt+1")
        home.clicked.connect(lambda: self.context.go("home"))
        answers = CapButton(self.tr("My answers"), kind="plain", keys="Alt+3")
        answers.clicked.connect(lambda: self.context.go("answers"))
        self._empty.set_buttons([home, answers])
        self._stack = QStackedLayout(self.body)
        self._stack.addWidget(QWidget())  # while the first turn is read: neither an item nor "nothing waits"
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._work)
        self._work.set_panel_width(self.context.settings.get("answer_panel"))
        self._work.panel_dragged.connect(lambda width: self.context.settings.set("answer_panel", width))
        self._work.form.answered.connect(self._answered)
        self._work.form.submitted.connect(self._submit_if_complete)
        self._work.form.box_left.connect(self._saver.save_now)
        self._work.head.guideline_asked.connect(self.toggle_guideline)
        self._work.drawer.closed.connect(self._close_guideline)
        self._work.panel.ask.left.connect(self._work.arrange)
        self._work.panel.sign.sign_asked.connect(self.sign)
        self._work.panel.sign.changed.connect(self.update_commands)
        self._work.cover.lifted.connect(self.toggle_pause)
        self._saver.saved.connect(self._work.panel.foot.show_saved)
        self._saver.unsaved.connect(lambda: self._work.panel.foot.show_saved(None))
        self._say_empty()

    def bind(self) -> None:
        if not self.actions_by_id:
            super().bind()
            self._work.panel.foot.follow(self.action)
            self._work.panel.sign.button.follow(self.action("item.sign"), text=self.tr("Sign"))
            self._work.panel.sign.button.set_keys("Return")  # in the box of the name, where the hands are

    # --- life -----------------------------------------------------------------------------------------------

    def opened(self, *, stage: str | None = None, revision: UUID | None = None, **_where: Any) -> None:
        """``stage`` works at that stage; ``revision`` opens an answer of one's own again."""
        self.hush()
        if revision is not None:
            self._change_to(loading.reopen, revision, person=self.person)
        elif self._turn is None and self._case is None or stage is not None and stage != self.stage:
            self._wanted_stage = stage
            self._leave_turn()
            self._load()
        else:
            self._go_on()

    def left(self) -> None:
        self._saver.save_now()
        self._work.panel.ask.leave()
        self._drop_ahead()
        if self.clock is not None:
            self.clock.stop()

    def closing(self) -> None:
        self._saver.save_now()
        self._drop_ahead()
        if self._turn is not None and self._turn.is_untouched:
            self._give_back(self._turn.task)
        if self._ahead_asked:
            self.context.jobs.run(None, loading.let_go_listed, self._claimed, undoable=False)
        self._saver.end()
        self._is_closed = True

    def refresh(self, touched: frozenset[str]) -> None:
        if touched & {"progress", "flags"} and (self._turn or self._case):
            self._read_beside()
        if touched & {"tasks", "progress", "assignments"} and not (self._turn or self._case or self._is_loading):
            self._load()

    def _go_on(self) -> None:
        if self.clock is not None and not self.is_paused:
            self.clock.go_on()
        self._claim_ahead()
        self._focus_answers()

    @property
    def person(self) -> UUID:
        return self.context.person.id

    @property
    def stage(self) -> str:
        return "sign" if self._case is not None else self._turn.stage if self._turn is not None else ""

    @property
    def clock(self) -> Clock | None:
        return self._turn.clock if self._turn is not None else None

    # --- showing --------------------------------------------------------------------------------------------

    def _load(self) -> None:
        """The next turn, or "nothing waits"."""
        self._is_loading = True
        self.context.jobs.run(self, loading.next_turn, self.person, stage=self._wanted_stage, then=self._show,
                              failed=self._not_loaded, undoable=False)

    def _not_loaded(self, refused: Refused) -> None:
        self._is_loading = False
        self._show(None)
        self.say(refused)

    def _show(self, found: Loaded | None) -> None:
        if self._is_closed:
            return
        self._is_loading = False
        self._turn = self._case = None
        self._work.panel.ask.leave()
        if found is None:
            self._saver.end()
            self._work.head.run(None)
            self._say_empty()
            self._stack.setCurrentWidget(self._empty)
            self.update_commands()
            if self.isVisible():
                self.focus_first()
            return
        if isinstance(found.view, SignCase):
            self._case = found
            self._show_case(found.view, found.protocol)
        else:
            self._turn = Turn(found.view, found.protocol, found.stage)
            self._show_turn(self._turn)
        self._flagged = False
        self._stack.setCurrentWidget(self._work)
        self._work.arrange()
        self._read_beside()
        self._focus_answers()
        self.update_commands()
        self.draft_changed.emit()
        QTimer.singleShot(0, self, self._claim_ahead)

    def _show_turn(self, turn: Turn) -> None:
        view, work = turn.view, self._work
        work.set_stage(turn.stage)
        work.head.set_tags(work.item.show_item(turn.protocol, view.fields, view.order, self._pictures))
        work.head.show_item(view.key, self.tr("Changing an answer") if turn.changes_an_answer
                            else self._stage_word(turn.stage))
        work.drawer.show_guideline(turn.protocol.guidelines)
        work.form.set_item(turn.protocol, view.fields, view.order)
        work.form.say_standing(view.standing)
        work.form.render(turn.draft)
        work.head.run(turn.clock)
        work.panel.foot.show_saved(None)
        self._saver.begin(turn.task, lambda: turn.draft.answers)
        self._say_missing()
        self._show_chosen()
        self.context.status(self._say_order(turn))

    def _show_case(self, case: SignCase, protocol: Any) -> None:
        work = self._work
        self._saver.end()
        work.set_stage("sign")
        work.head.set_tags(work.item.show_item(protocol, case.fields, None, self._pictures))
        work.head.show_item(case.key, self._stage_word("sign"))
        work.drawer.show_guideline(protocol.guidelines)
        work.panel.sign.show_case(case, protocol)
        work.head.run(None)
        work.panel.foot.show_saved(None)
        self.context.status("")

    def _stage_word(self, stage: str) -> str:
        return self.tr("Verify") if stage == "verify" else self.tr("Sign") if stage == "sign" else ""

    def _say_order(self, turn: Turn) -> str:
        shuffled = turn.view.order.get("candidates") or {}
        return self.tr("order drawn for you, recorded") if shuffled else ""

    def _say_empty(self) -> None:
        self._empty.say(self.tr("Nothing waits for you here"),
                        self.tr("When items are imported, assigned or sent back to you, they appear here."))

    def _say_missing(self) -> None:
        assert self._turn is not None
        draft = self._turn.draft
        missing, clashes = len(draft.missing), sum(one.level == "block" for one in draft.conflicts)
        if self._work.form.folds:
            text = self.tr("{n} of {all} answered").format(n=len(draft.visible) - missing, all=len(draft.visible))
        elif missing:
            text = self.tr("1 answer missing") if missing == 1 else self.tr("{n} answers missing").format(n=missing)
        else:
            text = self.tr("two answers do not go together") if clashes else ""
        self._work.panel.foot.show_missing(text)

    def _show_chosen(self) -> None:
        """Say at the candidate itself that it is the chosen one."""
        assert self._turn is not None
        for question in self._turn.protocol.asked:
            over = getattr(question, "on", None)
            if over is not None and self._turn.protocol.has_field(over) and self._turn.protocol.field(over).is_list:
                answer = self._turn.draft.get(Slot(question.name))
                self._work.item.show_chosen(over, answer.get("v") if answer else None)

    def _read_beside(self) -> None:
        item = self._turn.view.item if self._turn else self._case.view.item if self._case else None
        if item is not None:
            self.context.jobs.read(self, loading.beside, self.person, stage=self.stage, item=item, then=self._show_beside)

    def _show_beside(self, beside: Beside) -> None:
        item = self._turn.view.item if self._turn else self._case.view.item if self._case else None
        if beside.item != item:
            return
        self._flagged = beside.flagged
        if self.stage == "sign":
            self._work.head.show_left(self.tr("{n} to sign").format(n=beside.of))
        else:
            self._work.head.show_progress(min(beside.done + (not self._turn.changes_an_answer), beside.of)
                                          if self._turn else beside.done, beside.of)
        self._work.head.show_flag(beside.flagged)

    def _focus_answers(self) -> None:
        if not self.isVisible() or self.is_paused:
            return
        if self.stage == "sign":
            self._work.panel.sign.name.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self._turn is not None:
            self._work.form.focus_first_open()

    # --- one turn ahead -------------------------------------------------------------------------------------

    def _claim_ahead(self) -> None:
        if self._turn is None or self._ahead is not None or self._ahead_asked or not self.isVisible():
            return
        self._ahead_asked = True
        self.context.jobs.run(self, loading.claim_ahead, self.person, stage=self._turn.stage, besides=self._turn.task,
                              claimed=self._claimed, then=self._keep_ahead,
                              failed=lambda _refused: self._keep_ahead(None), undoable=False)

    def _keep_ahead(self, found: Loaded | None) -> None:
        self._ahead_asked = False
        if self._is_closed or found is None or isinstance(found.view, SignCase):
            return
        self._claimed.clear()
        if not self.isVisible():
            self._give_back(found.view.id)
        elif self._turn is not None and found.view.id != self._turn.task:
            # (While the next turn is being read, it will be this one: a task that is held comes first.)
            self._ahead = found
            self._pictures.fetch_ahead(found.view.fields)

    def _drop_ahead(self) -> None:
        ahead, self._ahead = self._ahead, None
        if ahead is not None and not ahead.view.answers:
            self._give_back(ahead.view.id)

    def _give_back(self, task: UUID) -> None:
        self.context.jobs.run(None, loading.let_go, task, undoable=False, failed=lambda _refused: None)

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
        if self._turn is not None and self._turn.is_untouched and not comes_back:
            self._give_back(self._turn.task)
        self._drop_ahead()
        self._turn = self._case = None

    def _change_to(self, read: Any, *args: Any, **named: Any) -> None:
        """Show what ``read`` finds in place of the turn that is on the screen."""
        self._saver.save_now()

        def show(found: Loaded) -> None:
            # Where one goes on afterwards: the turn that was left for this look back.
            before, ahead, self._ahead = self._turn, self._ahead, None
            self._leave_turn(comes_back=True)
            if before is not None and before.is_untouched:
                ahead, self._ahead = Loaded(before.view, before.protocol, before.stage), ahead
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
            form.show_fault(slot, sentence(fault))
        self._draft_moved(typed=typed)
        if answer is not None and question.takes_one_key and not form.has_faults \
                and turn.goes_on_after(slot, missing_before=missing):
            self.submit()

    def _draft_moved(self, *, typed: bool) -> None:
        assert self._turn is not None
        self.hush()
        could, can = self._could_undo, self._turn.draft.can_undo or self._turn.draft.can_redo
        self._work.form.render(self._turn.draft)
        self._say_missing()
        self._show_chosen()
        (self._saver.typed if typed else self._saver.save_now)()
        if self._work.mode != "side":
            self._work.arrange()
        if could != can or not typed:
            self.draft_changed.emit()

    @property
    def _could_undo(self) -> bool:
        return self.action("edit.undo").isEnabled() if "edit.undo" in self.actions_by_id else False

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
            self.context.jobs.run(self, loading.open_turn, done.value, then=self._show_taken_back,
                                  failed=lambda _refused: self._load(), undoable=False)
        elif self._case is not None or done.label == "Sign":
            self._turn = self._case = None
            self._load()

    def _show_taken_back(self, found: Loaded) -> None:
        assert isinstance(found.view, TaskView)
        if found.view.state == "claimed":
            self._leave_turn()
            self._show(found)
        elif self._turn is not None and self._turn.task == found.view.id:
            self._turn = None
            self._load()

    # --- commands -------------------------------------------------------------------------------------------

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
        return self._case is not None and not self.is_paused and bool(self._work.panel.sign.name.text().strip())

    @property
    def is_paused(self) -> bool:
        return not self._work.cover.isHidden()

    @command("item.submit", _T("commands", "Submit and go on"), menu="Item", keys="Ctrl+Return", when="has_item")
    def submit(self) -> None:
        if self._case is not None:
            self.sign()
            return
        turn = self._turn
        if turn is None or not self._is_complete():
            return
        self._saver.end()
        if not (turn.changes_an_answer and turn.is_unchanged):
            clock = turn.clock
            self.context.jobs.run(
                self, tasks.submit, turn.task, turn.draft.answers, active_ms=clock.active_ms, wall_ms=clock.wall_ms,
                gaps=clock.gaps, failed=lambda refused: self._not_submitted(turn, refused))
        self._next()

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
                form.show_fault(missing, self.tr("This question has no answer yet."))
            form.render(draft)
            form.go_to(missing)
        return False

    def _not_submitted(self, turn: Turn, refused: Refused) -> None:
        """Back to the answers, with the reason; nothing of them is lost."""
        self._leave_turn()
        self._show(Loaded(turn.view, turn.protocol, turn.stage))
        self._turn = turn
        self._work.form.render(turn.draft)
        self._work.head.run(turn.clock)
        self._saver.begin(turn.task, lambda: turn.draft.answers)
        self.say(refused)

    @command("item.skip", _T("commands", "Skip, with a reason"), menu="Item", keys="Ctrl+K", when="can_skip")
    def skip(self) -> None:
        assert self._turn is not None
        reasons = [(reason.value, reason.shown) for reason in self._turn.protocol.workflow.skip]
        self._work.panel.ask.ask_option("work:skip", self.tr("Why do you skip this item?"), reasons, self._skip)
        self._work.arrange()

    def _skip(self, reason: str) -> None:
        turn = self._turn
        if turn is None:
            return
        self._saver.save_now()  # an undo brings the draft back
        self._saver.end()
        self.context.jobs.run(self, tasks.skip, turn.task, reason=reason,
                              failed=lambda refused: self._not_submitted(turn, refused))
        self._next()

    @command("item.flag", _T("commands", "Flag, or take the flag back"), menu="Item", keys="Ctrl+L", when="has_item")
    def flag(self) -> None:
        verb = notes.unflag if self._flagged else notes.flag
        self._flagged = not self._flagged
        self._work.head.show_flag(self._flagged)
        self.context.jobs.run(self, verb, self._item, person=self.person, then=lambda _done: self._read_beside())

    @command("item.query", _T("commands", "Ask about this item"), menu="Item", keys="Ctrl+E", when="has_item")
    def query(self) -> None:
        self._work.panel.ask.ask_text("work:query", self.tr("What do you want to know about this item?"),
                                      self.tr("The answer comes to Home"), self._send_query)
        self._work.arrange()

    def _send_query(self, text: str) -> None:
        if not text.strip():
            self._work.panel.ask.say(self.tr("Write your question first."))
            return
        question = self._work.form.shown_question if self._turn is not None else None
        self.context.jobs.run(self, notes.open_query, self._item, person=self.person, text=text.strip(),
                              question=question.slot.question if question is not None else None,
                              then=lambda _done: self.say(self.tr("Your query is sent. The answer comes to Home."),
                                                          kind="good"))
        self._work.panel.ask.leave()

    @property
    def _item(self) -> UUID:
        assert self._turn is not None or self._case is not None
        return self._turn.view.item if self._turn is not None else self._case.view.item  # type: ignore[union-attr]

    @command("item.previous", _T("commands", "The answer before"), menu="Item", keys="Alt+Left", group="moving")
    def previous(self) -> None:
        self._change_to(loading.reopen_before, self.person, task=self._turn.task if self._turn else None)

    @command("item.go_to", _T("commands", "Go to an item"), menu="Item", keys="Ctrl+G", when="has_item", group="moving")
    def go_to_item(self) -> None:
        self._work.panel.ask.ask_text("work:go_to", self.tr("Go to which item?"), self.tr("Its key"),
                                      lambda key: self._change_to(loading.reopen_key, key, person=self.person))
        self._work.arrange()

    @command("item.pause", _T("commands", "Pause: blank the screen, stop the clock"), menu="Item", keys="F9",
             when="has_work")
    def toggle_pause(self) -> None:
        cover = self._work.cover
        if self.is_paused:
            cover.hide()
            if self.clock is not None:
                self.clock.go_on()
            self._focus_answers()
        else:
            self._saver.save_now()
            if self.clock is not None:
                self.clock.stop()
            cover.setGeometry(self._work.rect())
            cover.open(self.tr("Paused"), self.tr("The clock stands still. What you answered is saved."),
                       self.tr("Go on"), "F9")
        self._work.head.show_time()
        self.update_commands()

    @property
    def has_work(self) -> bool:
        return self._turn is not None or self._case is not None

    @command("item.sign", _T("commands", "Sign what stands"), menu="Item", keys="Ctrl+Shift+Return", when="can_sign")
    def sign(self) -> None:
        case = self._case
        if case is None:
            return
        assert isinstance(case.view, SignCase)
        self.context.jobs.run(self, review.sign, case.view.item, by=self.person,
                              name_entered=self._work.panel.sign.name.text(), meaning=case.view.meaning,
                              shown_sha256=case.view.shown_sha256, then=self._signed, failed=self._not_signed)

    def _signed(self, _done: Done) -> None:
        self._case = None
        self._load()

    def _not_signed(self, refused: Refused) -> None:
        self._work.panel.sign.say(sentence(refused))
        self._work.panel.sign.name.setFocus()

    @command("app.guidelines", _T("commands", "Guideline"), menu="Help", keys="F2", when="has_item", icon="guideline")
    def toggle_guideline(self) -> None:
        if self._work.drawer.isHidden():
            self._work.drawer.open()
            self._work.arrange()
        else:
            self._close_guideline()

    def _close_guideline(self) -> None:
        self._work.drawer.hide()
        self._work.arrange()
        self._focus_answers()

    @command("item.bind", _T("commands", "Scroll the two answers together"), menu="View", keys="F8", when="has_halves")
    def bind_halves(self) -> None:
        for viewer in self._work.item.viewers.values():
            bind = getattr(viewer, "bind_halves", None)
            if callable(bind):
                bound = bind()
                self.context.status(self.tr("the answers scroll together") if bound else "")

    @property
    def has_halves(self) -> bool:
        return self.has_turn and any(hasattr(viewer, "bind_halves") for viewer in self._work.item.viewers.values())

    @command("view.panel", _T("commands", "Answer panel as designed"), menu="View", keys="Ctrl+0", when="has_item")
    def reset_panel(self) -> None:
        self.context.settings.set("answer_panel", 0)
        self._work.set_panel_width(0)

    # --- keys and signs of life -----------------------------------------------------------------------------

    def parts(self) -> list[QWidget]:
        if self._stack.currentWidget() is not self._work:
            return [self._empty]
        answers = self._work.panel.sign if self.stage == "sign" else self._work.form
        return [answers, self._work.panel.foot, self._work.item.main_area()]

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key = event.key()
        if self.is_paused or self._work.panel.ask.isVisible():
            event.ignore()
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp) and not event.modifiers():
            self._work.item.scroll_page(1 if key == Qt.Key.Key_PageDown else -1)
        elif self._turn is None or not self._work.form.press(event):
            event.ignore()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        # Not kept: with the wrapper of a window's handle Python would let go of the window's menu bar too.
        handle = self.window().windowHandle()
        if handle is not None:
            handle.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in _SIGNS_OF_LIFE and self.clock is not None:
            self.clock.note_activity()
        return False

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.clock is not None and not self.is_paused:
            if not self.isActiveWindow():
                self._saver.save_now()
                self.clock.stop()
            elif self.isVisible():
                self.clock.go_on()
