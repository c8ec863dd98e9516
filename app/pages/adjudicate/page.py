"""The page Adjudicate: an answer is taken, or mended first, and why is said; it can be taken back."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from annotation import review, second_adjudication
from annotation.answers import Answer, Slot
from annotation.done import Done
from annotation.draft import Draft
from annotation.errors import AnswerError, Refused
from app.commands import command
from app.i18n import QT_TRANSLATE_NOOP, sentence
from app.pages.adjudicate.case import CasePage
from app.questions.base import digit_of

_T = QT_TRANSLATE_NOOP


class AdjudicatePage(CasePage):
    """Digits take a column; what is decided is what is due and what differs from what stands."""

    name: ClassVar[str] = "adjudicate"

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._grid.taken.connect(self.take_column)
        self._form.answered.connect(self._answered)
        self._form.submitted.connect(self.take)
        self._head.guideline_asked.connect(self.toggle_guideline)
        self._drawer.closed.connect(self._close_guideline)
        self._foot_bar.reason.returnPressed.connect(self.take)
        self._foot_bar.reason.textChanged.connect(lambda _text: self._foot_bar.hush())

    # --- deciding -------------------------------------------------------------------------------------------

    def take_column(self, n: int) -> None:
        """Take the n-th answer (from 1); not final before "Take"."""
        case = self._case
        if case is None or not 1 <= n <= len(case.answers):
            return
        self.hush()
        self._taken = n
        self._grid.show_taken(n)
        if self._draft is not None:
            self._begin_edit()
        self._foot_bar.show_taken(n, edited=self._draft is not None)
        self.update_commands()
        if self._draft is None and case.reason_required:
            self._foot_bar.reason.setFocus(Qt.FocusReason.OtherFocusReason)

    def _values(self) -> dict[Slot, Answer]:
        """What is decided: of the column taken, all that is due and all that differs from what stands."""
        assert self._case is not None
        if self._draft is not None:
            found = {slot: self._draft.get(slot) for slot in self._draft.visible}
            column = {row.slot: found.get(row.slot) for row in self._case.rows} | found
        else:
            column = {row.slot: row.cells[self._taken - 1] for row in self._case.rows}
        if self._is_second:
            return {slot: answer for slot in self._case.due if (answer := column.get(slot)) is not None}
        standing = {row.slot: row.standing for row in self._case.rows}
        return {slot: answer for slot, answer in column.items() if answer is not None
                and (slot in self._case.due or answer != standing.get(slot))
                and (self._protocol.has_question(slot.question) or slot in self._case.due)}

    @property
    def has_case(self) -> bool:
        return self._case is not None

    @property
    def can_take(self) -> bool:
        return self._case is not None and (self._taken > 0 or self._draft is not None)

    @property
    def why_not_taken(self) -> str:
        return self.tr("Choose an answer first, by its number.") if self._case is not None else ""

    @command("adjudicate.take", _T("commands", "Take this answer"), menu="Item", keys="Ctrl+Return", when="can_take",
             why="why_not_taken", icon="agree")
    def take(self) -> None:
        case = self._case
        if case is None or not self.can_take:
            return
        reason = self._foot_bar.reason.text().strip()
        if case.reason_required and not reason:
            self._foot_bar.say(self.tr("Say why: the protocol wants a reason with each decision."))
            self._foot_bar.reason.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if self._draft is not None and (self._draft.missing or self._form.has_faults):
            first = self._draft.first_open()
            if first is not None:
                self._form.show_fault(first, sentence(self._draft.wanted(first), self.asked_by))
                self._form.render(self._draft)
                self._form.go_to(first)
            return
        self._decided = case.item
        if self._is_second:
            self.context.jobs.run(self, second_adjudication.decide_second, case.item, self._values(),
                                  by=self.context.person.id, reason=reason, order=case.order,
                                  failed=self._not_decided)
            return
        self.context.jobs.run(self, review.adjudicate, case.item, self._values(), by=self.context.person.id,
                              reason=reason, inputs=[one.revision for one in case.answers], order=case.order,
                              failed=self._not_decided)

    def _not_decided(self, refused: Refused) -> None:
        self._decided = None
        self._foot_bar.say(sentence(refused, self.asked_by))

    @command("adjudicate.edit", _T("commands", "Mend the values first"), menu="Item", keys="F4", when="has_case",
             icon="edit")
    def edit_first(self) -> None:
        if self._draft is not None:
            self._draft = None
            self._edit.hide()
        else:
            self._begin_edit()
        self._fit()
        self._foot_bar.show_taken(self._taken, edited=self._draft is not None)
        self.update_commands()
        if self._draft is not None:
            self._form.focus_first_open()
        else:
            self._focus()

    def _begin_edit(self) -> None:
        case = self._case
        assert case is not None
        answers = case.answers[self._taken - 1].answers if self._taken else {
            name: value for name, value in case.standing.items() if self._protocol.has_question(name)}
        self._draft = Draft(self._protocol, case.fields, answers)
        self._form.set_item(self._protocol, case.fields, case.order)
        self._form.render(self._draft)
        self._edit.show()

    def _answered(self, slot: Slot, answer: Any) -> None:
        if self._draft is None:
            return
        typed = self._form.question(slot).typed
        try:
            self._draft.answer(slot, answer, typing=typed)
            self._form.show_fault(slot, "")
        except AnswerError as fault:
            if typed:
                self._draft.answer(slot, None, typing=True)
            self._form.show_fault(slot, sentence(fault, self.asked_by))
        self._form.render(self._draft)
        self.draft_changed.emit()

    @property
    def can_send_back(self) -> bool:
        return self._case is not None and not self._is_second

    @command("adjudicate.send_back", _T("commands", "Send back: ask one more person"), menu="Item",
             keys="Ctrl+Shift+B", when="can_send_back", icon="send_back")
    def send_back(self) -> None:
        case = self._case
        if case is None:
            return
        self._decided = case.item
        self.context.jobs.run(self, review.send_back, case.item, by=self.context.person.id,
                              reason=self._foot_bar.reason.text().strip(), failed=self._not_decided)

    @command("adjudicate.next", _T("commands", "The next case"), menu="Item", keys="Alt+Right", when="has_case",
             group="moving", icon="next")
    def next_case(self) -> None:
        self._go(1)

    @command("adjudicate.previous", _T("commands", "The case before"), menu="Item", keys="Alt+Left", when="has_case",
             group="moving", icon="previous")
    def previous_case(self) -> None:
        self._go(-1)

    def _go(self, step: int) -> None:
        items = [due.item for due in self._queue]
        if self._case is not None and items:
            at = items.index(self._case.item) if self._case.item in items else 0
            self._open(items[(at + step) % len(items)])

    @command("app.guidelines", _T("commands", "Guideline"), menu="Help", keys="F2", when="has_case", icon="guideline")
    def toggle_guideline(self) -> None:
        if self._drawer.isHidden():
            self._drawer.open()
            self._fit()
        else:
            self._close_guideline()

    def _close_guideline(self) -> None:
        self._drawer.hide()
        self._fit()
        self._focus()

    # --- undo -----------------------------------------------------------------------------------------------

    def can_undo_draft(self) -> bool:
        return self._draft is not None and self._draft.can_undo

    def can_redo_draft(self) -> bool:
        return self._draft is not None and self._draft.can_redo

    def undo_draft(self) -> None:
        if self._draft is not None:
            self._draft.undo()
            self._form.render(self._draft)
            self.draft_changed.emit()

    def redo_draft(self) -> None:
        if self._draft is not None:
            self._draft.redo()
            self._form.render(self._draft)
            self.draft_changed.emit()

    def took_back(self, _done: Done) -> None:
        """A decision was taken back or given again: what waits has changed."""
        self._case = None
        self._read()

    # --- keys -----------------------------------------------------------------------------------------------

    def help_rows(self) -> list[tuple[str, list[str], str]]:
        return [("answering", ["1", "9"], self.tr("Take an answer")),
                ("moving", ["Esc"], self.tr("Back to the answers"))]

    def parts(self) -> list[QWidget]:
        if self._stack.currentWidget() is self._empty:
            return [self._empty]
        edit = [self._edit] if not self._edit.isHidden() else []
        return [self._grid, *edit, self._foot_bar, self._item.main_area()]

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        focus = self.focusWidget()
        in_box = isinstance(focus, (QLineEdit, QPlainTextEdit)) and focus.hasFocus()
        n = None if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier else digit_of(event)
        if event.key() == Qt.Key.Key_Escape and self._case is not None:
            self._grid.focus_first()
        elif n is not None and not in_box and self._case is not None and self._edit.isHidden():
            self.take_column(n)
        elif event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp) and not in_box:
            bar = self._rows.verticalScrollBar()
            page = bar.pageStep() - self._grid.heads_height
            bar.setValue(bar.value() + (page if event.key() == Qt.Key.Key_PageDown else -page))
        else:
            event.ignore()
