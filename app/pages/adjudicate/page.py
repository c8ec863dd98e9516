"""The page Adjudicate: a case, one of its answers taken or mended first, and why."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QStackedLayout, QVBoxLayout, QWidget

from annotation import review
from annotation.answers import Answer, Slot
from annotation.done import Done
from annotation.draft import Draft
from annotation.errors import AnswerError, Refused
from annotation.review import Case, DueItem
from app import theme
from app.commands import command
from app.form import Form
from app.i18n import QT_TRANSLATE_NOOP, sentence
from app.item.clock import Clock
from app.item.guideline import GuidelineDrawer
from app.item.head import ItemHead
from app.item.pictures import Pictures
from app.item.view import ItemView
from app.page import Page
from app.pages.adjudicate.foot import DecisionFoot
from app.pages.adjudicate.grid import CaseGrid
from app.parts.buttons import CapButton
from app.parts.empty import Empty
from app.parts.scroll import Curtain, scroll_area
from app.parts.surface import Surface
from app.questions.base import digit_of

_T = QT_TRANSLATE_NOOP


class AdjudicatePage(Page):
    """The state is one case, the column that is taken, and a draft where values are mended first."""

    name: ClassVar[str] = "adjudicate"
    hides_status: ClassVar[bool] = True

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._queue: tuple[DueItem, ...] = ()
        self._case: Case | None = None
        self._protocol: Any = None
        self._taken = 0
        self._draft: Draft | None = None
        self._decided: UUID | None = None
        self._wanted: UUID | None = None
        self._pictures = Pictures(context.jobs, context.store.media, self)
        self._build()

    def _build(self) -> None:
        self._head, self._item, self._grid, self._form = ItemHead(), ItemView(), CaseGrid(), Form()
        self._drawer, self._foot_bar = GuidelineDrawer(), DecisionFoot()
        self._drawer.hide()
        self._empty = Empty("scales", self.tr("Nothing waits for a decision"),
                            self.tr("Items come here when their answers differ, or when somebody asks for it."))
        home = CapButton(self.tr("Home"), kind="plain", keys="Alt+1")
        home.clicked.connect(lambda: self.context.go("home"))
        self._empty.set_buttons([home])
        self._rows = scroll_area(self._grid)
        self._curtain = Curtain(self._rows)
        inner = QWidget()
        form = QVBoxLayout(inner)
        form.setContentsMargins(theme.space("xl"), theme.space("page_top"), theme.space("page_top"), theme.space("l"))
        form.addWidget(self._form)
        self._edit = Surface("panel", sides="left top")
        edit = QVBoxLayout(self._edit)
        edit.setContentsMargins(1, 1, 0, 0)
        edit.addWidget(scroll_area(inner, fill="panel"))
        self._edit.hide()
        middle = QHBoxLayout()
        middle.setSpacing(0)
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addWidget(self._item)
        left.addWidget(self._line_above(), 0)
        left.addWidget(self._rows, 1)
        middle.addLayout(left, 1)
        middle.addWidget(self._drawer)
        middle.addWidget(self._edit)
        case = QWidget()
        column = QVBoxLayout(case)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addLayout(middle, 1)
        column.addWidget(self._foot_bar)
        self._stack = QStackedLayout(self.body)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(case)
        self._grid.taken.connect(self.take_column)
        self._form.answered.connect(self._answered)
        self._form.submitted.connect(self.take)
        self._head.guideline_asked.connect(self.toggle_guideline)
        self._drawer.closed.connect(self._close_guideline)
        self._foot_bar.reason.returnPressed.connect(self.take)
        self._foot_bar.reason.textChanged.connect(lambda _text: self._foot_bar.hush())

    @staticmethod
    def _line_above() -> QWidget:
        line = Surface("page", sides="bottom")
        line.setFixedHeight(theme.border("hairline"))
        return line

    def bind(self) -> None:
        if not self.actions_by_id:
            super().bind()
            self._foot_bar.follow(self.action)

    # --- reading --------------------------------------------------------------------------------------------

    def opened(self, *, item: UUID | None = None, **_where: Any) -> None:
        self.hush()
        self._wanted = item
        if self._case is None or item is not None:
            self._read()
        else:
            if self._clock is not None:
                self._clock.go_on()
            self._focus()

    def left(self) -> None:
        if self._clock is not None:
            self._clock.stop()

    def refresh(self, touched: frozenset[str]) -> None:
        if touched & {"adjudication", "gold"} and (self._case is None or self._decided is not None):
            self._decided = None
            self._read()

    def _read(self) -> None:
        self.context.jobs.read(self, review.adjudication_queue, self.context.person.id, then=self._show_queue)

    def _show_queue(self, queue: tuple[DueItem, ...]) -> None:
        self._queue = queue
        items = [due.item for due in queue]
        wanted = self._wanted if self._wanted is not None else self._case.item if self._case else None
        self._wanted = None
        if wanted in items:
            self._open(wanted)
        elif items:
            self._open(items[0])
        else:
            self._show_nothing()

    def _open(self, item: UUID) -> None:
        self.context.jobs.run(self, _open_case, item, person=self.context.person.id, then=self._show,
                              undoable=False)

    def _show_nothing(self) -> None:
        self._case = None
        self._head.run(None)
        self._stack.setCurrentWidget(self._empty)
        self.update_commands()
        if self.isVisible():
            self.focus_first()

    def _show(self, found: tuple[Case, Any]) -> None:
        self._case, self._protocol = found
        case = self._case
        self._taken, self._draft = 0, None
        self._edit.hide()
        self._head.set_tags(self._item.show_item(self._protocol, case.fields, None, self._pictures))
        self._head.show_item(case.key)
        at = next((n for n, due in enumerate(self._queue, 1) if due.item == case.item), 1)
        self._head.show_progress(at, len(self._queue))
        self._clock: Clock | None = Clock(self._protocol.workflow.idle_limit_s * 1000)
        self._head.run(self._clock)
        self._drawer.show_guideline(self._protocol.guidelines)
        self._grid.show_case(case, self._protocol)
        self._foot_bar.begin(reason_required=case.reason_required)
        self._foot_bar.show_taken(0, edited=False)
        self._stack.setCurrentIndex(1)
        self._rows.verticalScrollBar().setValue(0)
        self._fit()
        self._focus()
        self.update_commands()

    _clock: Clock | None = None

    def _focus(self) -> None:
        if self.isVisible():
            self._grid.focus_first()

    def _fit(self) -> None:
        """The words of the item get two fifths of the room, more where the rows leave it; pictures get half."""
        room = max(0, self.height() - self._head.height() - self._foot_bar.height())  # not laid out yet: less than none
        rows = self._grid.heightForWidth(self.width()) if self._grid.hasHeightForWidth() else room
        share = room // 2 if self._item.fills else max(room * 2 // 5, room - rows - theme.space("l"))
        self._item.setFixedHeight(share if self._item.fills else min(share, self._item.height_wanted(self.width())))
        narrow = theme.is_large() or self.window().width() < theme.breakpoint("answers_below_item_below")
        wide = self.width() if narrow else theme.wide(theme.size("answer_panel"))
        self._edit.setFixedWidth(min(wide, self.width()))
        self._drawer.setFixedWidth(min(wide, self.width()))
        covered = narrow and not (self._edit.isHidden() and self._drawer.isHidden())
        self._rows.setVisible(not covered)
        self._item.setVisible(not covered)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def restyle(self) -> None:
        self._fit()

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

    @command("adjudicate.take", _T("commands", "Take this answer"), menu="Item", keys="Ctrl+Return", when="can_take",
             icon="agree")
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
                self._form.show_fault(first, self.tr("This question has no answer yet."))
                self._form.render(self._draft)
                self._form.go_to(first)
            return
        self._decided = case.item
        self.context.jobs.run(self, review.adjudicate, case.item, self._values(), by=self.context.person.id,
                              reason=reason, inputs=[one.revision for one in case.answers], failed=self._not_decided)

    def _not_decided(self, refused: Refused) -> None:
        self._decided = None
        self._foot_bar.say(sentence(refused))

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
        self._form.set_item(self._protocol, case.fields, {})
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
            self._form.show_fault(slot, sentence(fault))
        self._form.render(self._draft)
        self.draft_changed.emit()

    @command("adjudicate.send_back", _T("commands", "Send back: ask one more person"), menu="Item",
             keys="Ctrl+Shift+B", when="has_case", icon="send_back")
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
            bar.setValue(bar.value() + (1 if event.key() == Qt.Key.Key_PageDown else -1) * bar.pageStep())
        else:
            event.ignore()


def _open_case(session: Any, item: UUID, *, person: UUID) -> tuple[Case, Any]:
    case = review.open_case(session, item, person=person)
    return case, session.info["store"].protocol_by(case.protocol_hash)
