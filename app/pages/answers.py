"""My answers: the last two hundred, searchable, one key to open again, and what was done today."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from annotation import tasks
from annotation.answers import walk
from annotation.tasks import MyAnswer
from annotation.today import Today, today
from app import theme
from app.commands import command
from app.i18n import QT_TRANSLATE_NOOP
from app.item.clock import read_out
from app.page import Page
from app.parts.buttons import CapButton
from app.parts.empty import Empty
from app.parts.search import SearchField
from app.parts.surface import Surface
from app.parts.table import Cell, Column, RowsModel, Table
from app.parts.text import PageHead
from app.questions import Asked
from app.questions.base import say_answer
from app.words import duration

_T = QT_TRANSLATE_NOOP
LIMIT = 200


def _tr(text: str) -> str:
    return QCoreApplication.translate("AnswersPage", text)


class AnswersPage(Page):
    """Enter opens an answer again on Work; withdrawn ones stay in the list and say so."""

    name: ClassVar[str] = "answers"

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._protocol: Any = None
        self._head = PageHead(_tr("My answers"))
        field = SearchField(_tr("Search my answers"), hint=_tr("Search keys and answers"), keys="Ctrl+F")
        self._search = field.edit
        self._search.setObjectName("answers:search")
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(150)
        self._wait.timeout.connect(self._read)
        self._search.textChanged.connect(lambda _text: self._wait.start())
        self._search.installEventFilter(self)
        self._model = RowsModel((
            Column("key", _tr("Item"), width=160, cell=lambda one: Cell(one.key, strong=True)),
            Column("answers", _tr("Answers"), cell=self._say),
            Column("stage", _tr("Stage"), width=104, rank=2, cell=self._say_stage),
            Column("at", _tr("When"), width=128, rank=1, cell=lambda one: Cell(_when(one.at), ink="ink2")),
            Column("active", _tr("Active"), "number", width=80, rank=3, cell=lambda one: read_out(one.active_ms)),
        ), id_of=lambda one: one.revision)
        self._table = Table(_tr("My answers"), self._model, marks_row=True)
        self._table.row_opened.connect(lambda _at: self.reopen())
        self._empty = Empty("my_answers", _tr("No answers yet"), _tr("What you submit appears here, newest first."))
        room = QWidget()
        self._stack = QStackedLayout(room)
        self._stack.addWidget(self._table)
        self._stack.addWidget(self._empty)
        column = QVBoxLayout(self.body)
        column.setContentsMargins(theme.space("page_left"), theme.space("page_top"), theme.space("page_right"), 0)
        column.setSpacing(theme.space("m"))
        column.addWidget(self._head)
        column.addWidget(field)
        column.addWidget(room, 1)
        self._bar = Surface("page", sides="top")
        self._buttons = QHBoxLayout(self._bar)
        self._buttons.setContentsMargins(0, theme.space("m"), 0, theme.space("l"))
        column.addWidget(self._bar)

    def bind(self) -> None:
        if not self.actions_by_id:
            super().bind()
            self._buttons.addWidget(CapButton(kind="plain", icon="edit", keys="Return").follow(
                self.action("answers.reopen"), text=_tr("Open again")))
            self._buttons.addWidget(CapButton(kind="flat", icon="delete").follow(
                self.action("answers.withdraw"), text=_tr("Withdraw")))
            self._buttons.addStretch(1)

    # --- reading --------------------------------------------------------------------------------------------

    def opened(self, **_where: Any) -> None:
        self._read()

    def refresh(self, touched: frozenset[str]) -> None:
        if touched & {"answers", "tasks"}:
            self._read()

    def _read(self) -> None:
        self.context.jobs.read(self, _mine, self.context.person.id, self._search.text().strip(), then=self._show)

    def _show(self, found: tuple[tuple[MyAnswer, ...], Any, Today]) -> None:
        answers, self._protocol, day = found
        before = self._chosen()
        self._model.set_rows(answers)
        at = next((n for n, one in enumerate(answers) if before is not None and one.task == before.task), 0)
        if answers:
            self._table.setCurrentIndex(self._model.index(at, 0))
        if answers and self._search.hasFocus() and not self._search.text():
            self._table.setFocus(Qt.FocusReason.OtherFocusReason)
        self._stack.setCurrentWidget(self._table if answers or self._search.text() else self._empty)
        self._bar.setVisible(bool(answers))
        if not self._search.text():
            self._say_today(day)
        self.update_commands()

    def _say_today(self, day: Today) -> None:
        words = _tr("1 answer") if day.answered == 1 else _tr("{n} answers").format(n=day.answered)
        self._head.set_subtitle(_tr("Today {answers}, {time} at work").format(
            answers=words, time=duration(day.active_ms)))

    def _say(self, one: MyAnswer) -> Cell:
        said = say_answers(one, self._protocol)
        return Cell(_tr("withdrawn") + (f": {said}" if said else ""), icon="x-circle", ink="ink2") if one.withdrawn \
            else Cell(said)

    def _say_stage(self, one: MyAnswer) -> Cell:
        return Cell(_tr("Verify") if one.stage == "verify" else _tr("Annotate"), ink="ink2")

    def _chosen(self) -> MyAnswer | None:
        return self._model.row(self._table.currentIndex().row())

    # --- commands -------------------------------------------------------------------------------------------

    def parts(self) -> list[QWidget]:
        return [self._table, self._search] if self._model.rowCount() else [self._search]

    @property
    def can_reopen(self) -> bool:
        chosen = self._chosen()
        return chosen is not None and not chosen.withdrawn

    @command("answers.reopen", _T("commands", "Open this answer again"), menu="Item", when="can_reopen", icon="edit")
    def reopen(self) -> None:
        chosen = self._chosen()
        if chosen is not None and not chosen.withdrawn:
            self.context.go("work", revision=chosen.revision)

    @command("answers.withdraw", _T("commands", "Withdraw this answer"), menu="Item", keys="Ctrl+Del",
             when="can_reopen", icon="delete")
    def withdraw(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            self.context.jobs.run(self, tasks.withdraw, chosen.revision, person=self.context.person.id)

    @command("answers.search", _T("commands", "Search my answers"), menu="Edit", keys="Ctrl+F", icon="search")
    def search(self) -> None:
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def eventFilter(self, watched: Any, event: Any) -> bool:  # noqa: N802 - Qt's name
        """Down and Enter lead from the search to its results."""
        if watched is self._search and isinstance(event, QKeyEvent) and event.type() == QKeyEvent.Type.KeyPress \
                and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            if self._wait.isActive():
                self._wait.stop()
                self._read()
            self._table.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return False


def _mine(session: Any, person: Any, search: str) -> tuple[tuple[MyAnswer, ...], Any, Today]:
    midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    return (tasks.mine(session, person, limit=LIMIT, search=search), session.info["store"].protocol,
            today(session, person, since=midnight))


def say_answers(one: MyAnswer, protocol: Any) -> str:
    """All answers of one turn in a line: labels where the protocol of now has them."""
    said = []
    order = [question.name for question in protocol.asked]
    for slot, answer in sorted(walk(one.answers), key=lambda pair: order.index(pair[0].question)
                               if pair[0].question in order else len(order)):
        if not protocol.has_question(slot.question):
            said.append(str(answer.get("v", "")))
            continue
        question = protocol.question(slot.question)
        asked = Asked(question, slot, tuple(question.options_for({})))
        words = say_answer(asked, answer)
        said.append(f"{slot.element} {words}" if slot.element else words)
    return "  ·  ".join(said)


def _when(at: datetime) -> str:
    local = at.astimezone()
    return f"{local:%H:%M:%S}" if local.date() == datetime.now().astimezone().date() else f"{local:%Y-%m-%d %H:%M}"
