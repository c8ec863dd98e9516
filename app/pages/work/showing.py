"""What of a turn is shown where: the item, its head, the questions, what is missing, how far."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedLayout, QWidget

from annotation import tasks
from annotation.answers import Slot
from annotation.review import SignCase
from app.item.clock import Clock
from app.item.pictures import Pictures
from app.item.saving import DraftSaver
from app.page import Page
from app.pages.work import loading
from app.pages.work.body import WorkBody
from app.pages.work.loading import Beside, Loaded
from app.pages.work.signing import Entered
from app.pages.work.turn import Turn
from app.parts.buttons import CapButton
from app.parts.empty import Empty


class ShowingPage(Page):
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
        self._entered: Entered | None = None
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
        self._work.panel.ask.left.connect(self._work.arrange)
        self._work.panel.sign.changed.connect(self.update_commands)
        self._saver.saved.connect(self._work.panel.foot.show_saved)
        self._saver.unsaved.connect(lambda: self._work.panel.foot.show_saved(None))
        self._say_empty()

    def bind(self) -> None:
        if not self.actions_by_id:
            super().bind()
            self._work.panel.foot.follow(self.action)
            self._work.panel.sign.button.follow(self.action("item.sign"), text=self.tr("Sign"))
            for each in ("item.submit", "item.sign"):  # a key that is held gives away no item after the next
                self.action(each).setAutoRepeat(False)
            self._work.panel.sign.button.set_keys("Return")  # in the box of the name, where the hands are

    @property
    def person(self) -> UUID:
        return self.context.person.id

    @property
    def stage(self) -> str:
        return "sign" if self._case is not None else self._turn.stage if self._turn is not None else ""

    @property
    def asked_by(self) -> Any:
        return self._turn.protocol if self._turn is not None else None

    @property
    def clock(self) -> Clock | None:
        return self._turn.clock if self._turn is not None else None

    @property
    def shown_item(self) -> UUID | None:
        return self._turn.view.item if self._turn else self._case.view.item if self._case else None

    # --- showing --------------------------------------------------------------------------------------------

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
        self._work.order_tab()
        self._read_beside()
        self.update_commands()
        self._focus_answers()  # a button that is off takes no focus
        self.draft_changed.emit()
        self._shown()

    def _shown(self) -> None:
        """A turn or a case has come to the screen."""

    @property
    def is_paused(self) -> bool:
        return not self._work.cover.isHidden()

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
        work.panel.sign.show_case(case, protocol, self._entered_for(protocol))
        work.head.run(None)
        work.panel.foot.show_saved(None)
        self.context.status("")

    def _entered_for(self, protocol: Any) -> Entered | None:
        """The name entered in this sitting, where the protocol asks for it once. A page is one person's sitting."""
        return self._entered if protocol.workflow.sign.reauthenticate == "sitting" else None

    def _stage_word(self, stage: str) -> str:
        return self.tr("Verify") if stage == "verify" else self.tr("Sign") if stage == "sign" else ""

    def _say_order(self, turn: Turn) -> str:
        shuffled = turn.view.order.get("candidates") or {}
        return self.tr("order drawn for you, recorded") if shuffled else ""

    def _say_empty(self) -> None:
        if self.reading_only:
            self._empty.say(self.tr("Nobody can work in this window"), self.reading_only)
            return
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
        if self.shown_item is not None:
            self.context.jobs.read(self, loading.beside, self.person, stage=self.stage, item=self.shown_item,
                                   then=self._show_beside)

    def _show_beside(self, beside: Beside) -> None:
        if beside.item != self.shown_item:
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
            self._work.panel.sign.stop().setFocus(Qt.FocusReason.OtherFocusReason)
            self._work.panel.show_current()
        elif self._turn is not None:
            self._work.form.focus_first_open()
