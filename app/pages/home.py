"""Home: what waits for me in one sentence, the way on, how far the stages are, today, answers to my queries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from annotation import notes, rights, status, tasks, today
from annotation.people import PersonView
from app import theme
from app.commands import command
from app.context import Context
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.page import Page
from app.parts.boxes import clear
from app.parts.buttons import CapButton
from app.parts.meter import Meter
from app.parts.query import QueryRow
from app.parts.sided import Sided
from app.parts.tasks import TaskRow
from app.parts.text import label, number
from app.words import STAGES, duration, minutes, minutes_in_full

_DOES = {
    "write": QT_TRANSLATE_NOOP("home", "Write new items"),
    "annotate": QT_TRANSLATE_NOOP("home", "Answer the questions, without seeing others"),
    "verify": QT_TRANSLATE_NOOP("home", "Check what was answered"),
    "adjudicate": QT_TRANSLATE_NOOP("home", "Settle where people differ"),
    "sign": QT_TRANSLATE_NOOP("home", "Sign what stands"),
}


@dataclass(frozen=True, slots=True)
class HomeView:
    waiting: tuple[Any, ...]
    stages: dict[str, Any]
    items: int
    mine: dict[str, tuple[int, int]]
    today: today.Today
    begun: bool  # whether this person has ever submitted something here
    queries: tuple[Any, ...]
    asked: tuple[UUID, ...]  # the item of each query that waits for an answer of this person


def read_home(session: Any, store: Any, person: PersonView, midnight: datetime) -> HomeView:
    """Everything that Home shows, in one read."""
    waiting = tasks.waiting(session, person.id)
    answered = [query for query in notes.queries(session, person=person.id)
                if any(message.handle != query.handle for message in query.messages)]
    return HomeView(waiting, status.stages(session, store.protocol), status.items(session)["active"],
                    {row.stage: tasks.progress(session, person.id, row.stage) for row in waiting},
                    today.today(session, person.id, since=midnight), bool(tasks.mine(session, person.id, limit=1)),
                    tuple(answered[:6]),
                    notes.asked_of(session, person.id) if rights.may(person.roles, "see_items") else ())


class HomePage(Page):
    name = "home"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._rows: list[TaskRow] = []
        self._view: HomeView | None = None
        content, side = QWidget(), QWidget()
        self._above = label(self.tr("Waiting for you"), "label", "ink2")
        self._sentence = label(" ", "display", wrap=True)
        self._go = CapButton(self.tr("Continue"), kind="primary", keys="Return")
        self._open = CapButton(self.tr("Open a project"), keys="Ctrl+O")
        self._go.clicked.connect(self._go_on)
        self._open.clicked.connect(self._open_project)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.space("s"))
        buttons.addWidget(self._go)
        buttons.addWidget(self._open)
        buttons.addStretch(1)
        self._tasks = QVBoxLayout()
        self._tasks.setSpacing(0)
        self._stages_head, self._stages_items = label(context.title, "strong", wrap=True), number("", "caption", "ink2")
        head = QHBoxLayout()
        head.addWidget(self._stages_head, 1)
        head.addWidget(self._stages_items, 0, Qt.AlignmentFlag.AlignTop)
        self._stages = QGridLayout()
        self._stages.setHorizontalSpacing(theme.space("s"))
        self._stages.setVerticalSpacing(theme.space("m"))
        self._stages.setColumnStretch(1, 1)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(0)
        column = QVBoxLayout(content)
        column.setContentsMargins(theme.space("page_left"), theme.space("xxl"), theme.space("page_left"),
                                  theme.space("l"))
        column.setSpacing(theme.space("xs"))
        for part in (self._above, self._sentence):
            column.addWidget(part)
        column.addSpacing(theme.space("m"))
        column.addLayout(buttons)
        column.addSpacing(theme.space("l"))
        column.addLayout(self._tasks)
        column.addSpacing(theme.space("xl"))
        column.addLayout(head)
        column.addSpacing(theme.space("s"))
        column.addLayout(self._stages)
        column.addSpacing(theme.space("xl"))
        column.addLayout(self._recent)
        column.addStretch(1)
        self._content = content
        self._side = QVBoxLayout(side)
        self._side.setContentsMargins(theme.space("page_left"), theme.space("xxl"), theme.space("page_right"),
                                      theme.space("l"))
        self._side.setSpacing(theme.space("xs"))
        outer = QVBoxLayout(self.body)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(Sided(content, side, width="side_column_home", fill="page"))
        self.setFocusProxy(self._go)

    # --- life -----------------------------------------------------------------------------------------------

    def opened(self, **where: Any) -> None:
        self._read()

    def refresh(self, touched: frozenset[str]) -> None:
        if touched & {"answers", "progress", "items", "queries", "tasks", "adjudication", "signatures",
                      "assignments", "gold"}:
            self._read()

    def parts(self) -> list[QWidget]:
        return [self._content]

    def focus_first(self) -> None:
        self._go.setFocus()

    def _read(self) -> None:
        midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        self.context.jobs.read(self, read_home, self.context.store, self.context.person, midnight, then=self._show)

    # --- showing --------------------------------------------------------------------------------------------

    def _show(self, view: HomeView) -> None:
        self._view = view
        waiting = [row for row in view.waiting if row.items]
        self._say(waiting)
        self._show_tasks(waiting, len(view.asked))
        self._show_stages(view)
        self._show_recent()
        self._show_side(view)

    def _say(self, waiting: list[Any]) -> None:
        items = sum(row.items for row in waiting)
        known = [row.minutes for row in waiting if row.minutes is not None]
        asked = len(self._view.asked) if self._view is not None else 0
        self._above.setText(self.tr("Waiting for you") if items or asked else self.tr("At the moment"))
        if items:
            counted = self.tr("1 item") if items == 1 else self.tr("{n} items").format(n=f"{items:,}")
            if len(known) == len(waiting):
                self._sentence.setText(self.tr("{items}, about {time} at your pace").format(
                    items=counted, time=minutes_in_full(sum(known))))
            else:
                self._sentence.setText(counted)
        elif asked:
            self._sentence.setText(self.tr("1 query waits for an answer") if asked == 1
                                   else self.tr("{n} queries wait for an answer").format(n=f"{asked:,}"))
        elif self._view is not None and not self._view.items:
            self._sentence.setText(self.tr("No items yet"))
        else:
            self._sentence.setText(self.tr("Nothing waits for you"))
        begun = self._view is not None and self._view.begun
        if items and not begun:
            self._go.set_text(self.tr("Begin"))
        elif items:
            self._go.set_text(self.tr("Continue") if theme.is_large() else self.tr("Continue where you stopped"))
        elif asked:
            self._go.set_text(self.tr("See what was asked"))
        elif self._view is not None and not self._view.items:
            self._go.set_text(self.tr("Bring items in"))
        elif not begun:  # an owner at first: the others have the work
            self._go.set_text(self.tr("Another person sits down"))
        else:
            self._go.set_text(self.tr("See my answers"))

    def _show_tasks(self, waiting: list[Any], asked: int) -> None:
        focused = next((n for n, row in enumerate(self._rows) if row.hasFocus()), None)
        clear(self._tasks)
        self._rows = []
        for n, row in enumerate(waiting, 1):
            named = translate(STAGES[row.stage], "stages")
            made = TaskRow(str(n), named, translate(_DOES[row.stage], "home"),
                           self.tr("1 item") if row.items == 1 else self.tr("{n} items").format(n=f"{row.items:,}"),
                           minutes(row.minutes) if row.minutes is not None else "–")
            made.setObjectName(f"stage:{row.stage}")
            made.clicked.connect(self._row_pressed)
            self._tasks.addWidget(made)
            self._rows.append(made)
        if asked:
            made = TaskRow(str(len(waiting) + 1), self.tr("Queries"), self.tr("Answer what people asked about items"),
                           self.tr("1 open") if asked == 1 else self.tr("{n} open").format(n=f"{asked:,}"), "–")
            made.setObjectName("home:queries")
            made.clicked.connect(self._go_asked)
            self._tasks.addWidget(made)
            self._rows.append(made)
        if focused is not None:
            (self._rows[min(focused, len(self._rows) - 1)] if self._rows else self._go).setFocus()

    def _show_stages(self, view: HomeView) -> None:
        clear(self._stages)
        self._stages_items.setText(self.tr("{n} items").format(n=f"{view.items:,}"))
        for n, (stage, counts) in enumerate(view.stages.items()):
            of, done = counts["items"], counts["done"]
            mine = {row.stage: row.items for row in view.waiting}.get(stage, 0)
            meter = Meter(mine=bool(mine))
            meter.set_value(done, of)
            name = label(translate(STAGES[stage], "stages"))
            name.setMinimumWidth(theme.wide(88))
            remark = (self.tr("not started") if not done and not mine else self.tr("done") if of and done >= of
                      else self.tr("{n} yours").format(n=f"{mine:,}") if mine
                      else self.tr("{n} open").format(n=f"{max(0, of - done):,}"))
            if not of:
                remark = self.tr("nothing due")
            said = label(remark, "caption", "ink2")
            said.setMinimumWidth(theme.wide(88))
            said.setContentsMargins(theme.space("s"), 0, 0, 0)
            for at, part in enumerate((name, meter, number(f"{done:,}"),
                                       label(self.tr("of {n}").format(n=f"{of:,}"), "body", "ink2"), said)):
                self._stages.addWidget(part, n, at, Qt.AlignmentFlag.AlignVCenter)
        self._stages.setColumnMinimumWidth(2, theme.wide(40))

    def _show_recent(self) -> None:
        clear(self._recent)
        others = [path for path in self.context.settings.get("recent_projects") if path != self.context.project]
        if not others:
            return
        self._recent.addWidget(label(self.tr("Other projects"), "strong"))
        for path in others[:5]:
            row = TaskRow("", Path(path).stem, str(Path(path).parent))
            row.setObjectName(path)
            row.clicked.connect(self._recent_pressed)
            self._recent.addWidget(row)

    def _show_side(self, view: HomeView) -> None:
        clear(self._side)
        self._side.addWidget(label(self.tr("Today"), "strong"))
        pace = view.today.median_ms
        for name, value in ((self.tr("Answered"), f"{view.today.answered:,}"),
                            (self.tr("Active time"), duration(view.today.active_ms)),
                            (self.tr("At the desk"), duration(view.today.wall_ms)),
                            (self.tr("Median per item"), duration(pace) if pace is not None else "–")):
            row = QWidget()
            line = QHBoxLayout(row)
            line.setContentsMargins(0, 1, 0, 1)
            line.addWidget(label(name, "body", "ink2"), 1)
            line.addWidget(number(value))
            self._side.addWidget(row)
        self._side.addSpacing(theme.space("xl"))
        self._side.addWidget(label(self.tr("Answers to your queries"), "strong"))
        if not view.queries:
            self._side.addWidget(label(self.tr("None yet. Ctrl E on an item asks about it."), "caption", "ink2",
                                       wrap=True))
        for query in view.queries:
            self._side.addWidget(QueryRow(query))
        self._side.addStretch(1)

    # --- doing ----------------------------------------------------------------------------------------------

    @Slot()
    def _go_on(self) -> None:
        view = self._view
        if view is None:
            return
        first = next((row for row in view.waiting if row.items), None)
        if first is not None:
            self._go_stage(first.stage)
        elif view.asked:
            self._go_asked()
        elif not view.items:
            self.context.go("items", bring_in=True)
        elif view.begun:
            self.context.go("answers")
        else:
            self._ask_window("switch_person")

    def _go_stage(self, stage: str) -> None:
        if stage == "adjudicate":
            self.context.go("adjudicate")
        else:
            self.context.go("work", stage=stage)

    @Slot()
    def _go_asked(self) -> None:
        if self._view is not None:
            self.context.go("items", ids=frozenset(self._view.asked))

    @Slot()
    def _row_pressed(self) -> None:
        self._go_stage(self.sender().objectName().partition(":")[2])

    @Slot()
    def _recent_pressed(self) -> None:
        self.context.open_project(self.sender().objectName())

    @Slot()
    def _open_project(self) -> None:
        self._ask_window("ask_open")

    def _ask_window(self, name: str) -> None:
        ask = getattr(self.window(), name, None)
        if callable(ask):
            ask()

    @command("home.refresh", QT_TRANSLATE_NOOP("commands", "Read again"), menu="View", keys="F5", icon="check_again")
    def read_again(self) -> None:
        self._read()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        digit = event.text()
        if digit.isdigit() and digit != "0" and int(digit) <= len(self._rows) and not event.modifiers() & (
                Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            self._rows[int(digit) - 1].click()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self._go.click()
        else:
            super().keyPressEvent(event)

    def help_rows(self) -> list[tuple[str, list[str], str]]:
        rows = [("answering", ["↵"], self._go.text())]
        if self._rows:
            last = str(len(self._rows))
            asked = self._view is not None and self._view.asked
            rows.append(("answering", ["1"] if last == "1" else ["1", last],
                         self.tr("Begin this stage, or see what was asked") if asked else self.tr("Begin this stage")))
        return rows
