"""The page Work: its life, its keys, and the other ways on: skip, flag, query, pause, sign, look back."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from annotation import notes, review, tasks
from annotation.done import Done
from annotation.errors import Refused
from annotation.review import SignCase
from app.commands import command
from app.i18n import QT_TRANSLATE_NOOP, sentence
from app.pages.work import loading
from app.pages.work.answering import AnsweringPage
from app.pages.work.signing import Entered

_T = QT_TRANSLATE_NOOP
_SIGNS_OF_LIFE = frozenset({QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove,
                            QEvent.Type.Wheel})


class WorkPage(AnsweringPage):
    """One item at a time to annotate, to verify or to sign."""

    name: ClassVar[str] = "work"

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._work.form.answered.connect(self._answered)
        self._work.form.submitted.connect(self._submit_if_complete)
        self._work.form.box_left.connect(self._saver.save_now)
        self._work.head.guideline_asked.connect(self.toggle_guideline)
        self._work.drawer.closed.connect(self._close_guideline)
        self._work.panel.sign.sign_asked.connect(self.sign)
        self._work.cover.lifted.connect(self.toggle_pause)

    # --- life -----------------------------------------------------------------------------------------------

    def opened(self, *, stage: str | None = None, revision: UUID | None = None, **_where: Any) -> None:
        """``stage`` works at that stage; ``revision`` opens an answer of one's own again."""
        self.hush()
        if revision is not None:
            self._change_to(loading.reopen, revision, person=self.person)
        elif (self._turn is None and self._case is None) or (stage is not None and stage != self.stage):
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
        if self._turn is not None:
            self._keep_time(self._turn)
            if self._turn.is_untouched:
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

    # --- other ways on --------------------------------------------------------------------------------------

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
        self.context.jobs.run(self, tasks.skip, turn.task, reason=reason, **turn.clock.reading(),
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
        item = self.shown_item
        assert item is not None
        return item

    @command("item.previous", _T("commands", "The answer before"), menu="Item", keys="Alt+Left", group="moving")
    def previous(self) -> None:
        self._change_to(loading.reopen_before, self.person, task=self._turn.task if self._turn else None)

    @command("item.go_to", _T("commands", "Go to an item"), menu="Item", keys="Ctrl+G", when="has_item", group="moving")
    def go_to_item(self) -> None:
        self._work.panel.ask.ask_text("work:go_to", self.tr("Go to which item?"), self.tr("Its key"),
                                      lambda key: self._change_to(loading.open_key, key, person=self.person,
                                                                  stage=self.stage))
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
        if case is None or self._work.panel.ask.insist():
            return
        assert isinstance(case.view, SignCase)
        panel, entered = self._work.panel.sign, self._entered_for(case.protocol)
        if entered is None and not panel.name.text().strip():
            panel.say(self.tr("Enter your name, then sign."))
            self._focus_answers()
            return
        panel.setFocus()  # what is pressed before the next item stands meets neither this button nor the rail
        self.context.jobs.run(self, review.sign, case.view.item, by=self.person,
                              name_entered="" if entered else panel.name.text(),
                              entered_at=entered.signature if entered else None, meaning=case.view.meaning,
                              shown_sha256=case.view.shown_sha256, then=self._signed, failed=self._not_signed)

    def _signed(self, done: Done) -> None:
        if self._entered is None:
            self._entered = Entered(done.value, self.context.person.shown, datetime.now().astimezone())
        self._case = None
        self._load()

    def _not_signed(self, refused: Refused) -> None:
        if refused.code == "wrong_name" and self._entered is not None and self._case is not None:
            self._entered = None  # it holds no more: it is asked for again
            self._show(self._case)
        self._work.panel.sign.say(sentence(refused))
        self._focus_answers()

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

    def help_rows(self) -> list[tuple[str, list[str], str]]:
        return [
            ("answering", ["1", "9"], self.tr("Choose an option of the question (0 is the tenth)")),
            ("answering", ["Tab"], self.tr("On to the next question")),
            ("answering", ["↑", "↓"], self.tr("Among the options")),
            ("answering", ["↵"], self.tr("In a one-line box: submit when all is answered")),
            ("answering", ["Esc"], self.tr("Out of a text, back to the options that opened it")),
            ("looking", ["PgDn"], self.tr("Further down in the item")),
            ("looking", ["+", "-", "0", "R"], self.tr("In a picture: closer, farther, whole, turn")),
        ]

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
