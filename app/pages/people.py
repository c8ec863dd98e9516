"""People: who is there, what they may do, how much they did; roles, new people and assignments beside the list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotation import assign, people, rights
from annotation.people import PersonView
from app import theme
from app.commands import command
from app.context import Context
from app.i18n import QT_TRANSLATE_NOOP, sentence, translate
from app.page import Page
from app.parts.buttons import CapButton
from app.parts.field import Choice, Field, Labelled
from app.parts.option import OptionButton
from app.parts.sided import Sided
from app.parts.surface import Hairline
from app.parts.table import Cell, Column, RowsModel, Table
from app.parts.text import PageHead, label
from app.words import ROLES, STAGES


@dataclass(frozen=True, slots=True)
class Row:
    person: PersonView
    assigned: int


@dataclass(frozen=True, slots=True)
class PeopleView:
    rows: tuple[Row, ...]
    stages: tuple[str, ...]


def read_people(session: Any, store: Any) -> PeopleView:
    """Everybody with the number of items assigned to each, and the stages at which items can be assigned."""
    stages = tuple(stage for stage in store.protocol.workflow.stages if stage in ("write", "annotate", "verify"))
    loads = [assign.load(session, stage) for stage in stages]
    return PeopleView(tuple(Row(view, sum(load.get(view.id, 0) for load in loads))
                            for view in people.people(session)), stages)


class PeoplePage(Page):
    name = "people"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._shown: str = ""
        self._roles: dict[str, OptionButton] = {}
        self._model = RowsModel(self._columns(), id_of=lambda row: row.person.id)
        self._table = Table(self.tr("People"), self._model, marks_row=True)
        self._table.row_shown.connect(self._show_row)
        self._table.row_opened.connect(self._focus_side)
        self._head = PageHead(self.tr("People"))
        self._add_button = CapButton(self.tr("Add a person"), icon="add", keys="Ctrl+N")
        self._add_button.clicked.connect(self.add_person)
        self._head.add(self._add_button)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(theme.space("page_left"), theme.space("page_top"), theme.space("page_right"), 0)
        column.setSpacing(theme.space("m"))
        column.addWidget(self._head)
        column.addWidget(self._table, 1)
        self._side = QWidget()
        self._person, self._new = self._make_person(), self._make_new()
        beside = QVBoxLayout(self._side)
        beside.setContentsMargins(theme.space("xl"), theme.space("page_top"), theme.space("page_top"),
                                  theme.space("l"))
        beside.addWidget(self._person)
        beside.addWidget(self._new)
        beside.addStretch(1)
        self._new.hide()
        outer = QHBoxLayout(self.body)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(Sided(content, self._side, content_scrolls=False))

    def _columns(self) -> list[Column]:
        return [
            Column("handle", self.tr("Handle"), width=120, cell=lambda r: Cell(
                r.person.handle, strong=True, ink="ink" if r.person.active else "ink2")),
            Column("name", self.tr("Name"), rank=2, most=320, cell=lambda r: Cell(
                r.person.name or "–", ink="ink" if r.person.name else "ink2")),
            Column("roles", self.tr("Roles"), width=216, cell=lambda r: ", ".join(
                translate(ROLES[role], "roles").lower() for role in r.person.roles) or "–"),
            Column("assigned", self.tr("Assigned"), kind="number", width=88, rank=3, cell=lambda r: _count(r.assigned)),
            Column("submitted", self.tr("Submitted"), kind="number", width=96, rank=1,
                   cell=lambda r: _count(r.person.submitted)),
            Column("skipped", self.tr("Skipped"), kind="number", width=80, rank=4,
                   cell=lambda r: _count(r.person.skipped)),
            Column("state", "", width=104, rank=5, cell=lambda r: Cell("") if r.person.active else Cell(
                self.tr("inactive"), icon="hide", ink="ink2")),
        ]

    # --- the side column ------------------------------------------------------------------------------------

    def _make_person(self) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("xxs"))
        self._title = label("", "title", wrap=True)
        column.addWidget(self._title)
        column.addSpacing(theme.space("m"))
        column.addWidget(label(self.tr("Roles"), "strong"))
        owner = "owner" in self.context.person.roles
        for role in rights.ROLES:
            button = OptionButton(translate(ROLES[role], "roles"), multi=True)
            button.setObjectName(f"role:{role}")
            button.setEnabled(owner)
            button.clicked.connect(self._role_pressed)
            self._roles[role] = button
            column.addWidget(button)
        if not owner:
            column.addWidget(label(self.tr("Only an owner changes roles."), "caption", "ink2", wrap=True))
        column.addSpacing(theme.space("l"))
        self._assign_head = label(self.tr("Assign items"), "strong")
        column.addWidget(self._assign_head)
        self._stage = Choice(self.tr("Stage"))
        self._only = OptionButton(self.tr("Nobody else gets them"), multi=True)
        self._only.clicked.connect(self._toggle_only)
        self._assign = CapButton(self.tr("Assign all items"), icon="assign")
        self._assign.clicked.connect(self._assign_all)
        self._cancel = CapButton(self.tr("Cancel assignments"), kind="flat")
        self._cancel.clicked.connect(self._cancel_all)
        column.addWidget(Labelled(self.tr("Stage"), self._stage))
        column.addWidget(self._only)
        column.addSpacing(theme.space("s"))
        column.addWidget(self._assign)
        column.addWidget(self._cancel)
        column.addWidget(label(self.tr("Single items are assigned on Items, with Ctrl Shift A."), "caption", "ink2",
                               wrap=True))
        column.addSpacing(theme.space("l"))
        column.addWidget(Hairline())
        self._active = CapButton("", kind="flat")
        self._active.clicked.connect(self._toggle_active)
        column.addWidget(self._active)
        return made

    def _make_new(self) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("m"))
        self._handle = Field(self.tr("Handle"), hint=self.tr("short, no spaces"))
        self._name = Field(self.tr("Name"))
        self._handle.returnPressed.connect(self._add)
        self._name.returnPressed.connect(self._add)
        self._handle_row = Labelled(self.tr("Handle"), self._handle)
        self._role = Choice(self.tr("Role"), [(role, translate(ROLES[role], "roles")) for role in rights.ROLES])
        self._role.on_return = self._add
        add = CapButton(self.tr("Add"), kind="primary", keys="Return")
        add.clicked.connect(self._add)
        cancel = CapButton(self.tr("Cancel"), kind="flat", keys="Esc")
        cancel.clicked.connect(self.stop_adding)
        row = QHBoxLayout()
        row.setSpacing(theme.space("s"))
        row.addWidget(add)
        row.addWidget(cancel)
        row.addStretch(1)
        column.addWidget(label(self.tr("New person"), "title"))
        column.addWidget(self._handle_row)
        column.addWidget(Labelled(self.tr("Name"), self._name))
        column.addWidget(Labelled(self.tr("Role"), self._role))
        column.addLayout(row)
        return made

    # --- life -----------------------------------------------------------------------------------------------

    def opened(self, **where: Any) -> None:
        self._read()

    def refresh(self, touched: frozenset[str]) -> None:
        if touched & {"people", "assignments", "answers", "tasks"}:
            self._read()

    def parts(self) -> list[QWidget]:
        return [self._table, self._side]

    def _read(self) -> None:
        self.context.jobs.read(self, read_people, self.context.store, then=self._show)

    def _show(self, view: PeopleView) -> None:
        self._head.set_subtitle(self.tr("1 person") if len(view.rows) == 1 else self.tr("{n} people").format(
            n=len(view.rows)))
        kept = self._shown
        if self._stage.count() != len(view.stages):
            self._stage.set_options([(stage, translate(STAGES[stage], "stages")) for stage in view.stages])
        self._model.set_rows(view.rows)
        at = next((n for n, row in enumerate(view.rows) if row.person.handle == kept), 0)
        self._table.setCurrentIndex(self._model.index(at, 0))
        self._show_row(at)

    @Slot(int)
    def _show_row(self, at: int) -> None:
        row = self._model.row(at)
        if row is None:
            return
        view = row.person
        self._shown = view.handle
        self._title.setText(view.shown)
        owner = "owner" in self.context.person.roles
        for role, button in self._roles.items():
            button.setChecked(role in view.roles)
            button.setEnabled(owner and view.kind == "human")
        can = view.active and view.kind == "human"
        for part in (self._assign, self._stage, self._only):
            part.setEnabled(can)
        self._cancel.setEnabled(bool(row.assigned))
        self._active.set_text(self.tr("Let work again") if not view.active else self.tr("Make inactive"))
        self._active.setEnabled(owner)

    @Slot(int)
    def _focus_side(self, _at: int) -> None:
        target = next((b for b in self._roles.values() if b.isEnabled()), self._stage)
        target.setFocus()

    # --- doing ----------------------------------------------------------------------------------------------

    @command("people.add", QT_TRANSLATE_NOOP("commands", "Add a person"), menu="Item", keys="Ctrl+N", icon="add")
    @Slot()
    def add_person(self) -> None:
        self._person.hide()
        self._new.show()
        self._handle.setFocus()
        self.update_commands()

    @command("people.stop_adding", QT_TRANSLATE_NOOP("commands", "Leave the form"), keys="Esc", when="is_adding")
    @Slot()
    def stop_adding(self) -> None:
        self._new.hide()
        self._person.show()
        self._handle_row.set_fault("")
        self._table.setFocus()
        self.update_commands()

    @property
    def is_adding(self) -> bool:
        return not self._new.isHidden()

    @Slot()
    def _add(self) -> None:
        self.context.jobs.run(self, people.add, self._handle.text().strip(), name=self._name.text().strip(),
                              roles=(self._role.value(),), by=self.context.person.id, then=self._added,
                              failed=self._not_added)

    def _added(self, _done: Any) -> None:
        self._shown = self._handle.text().strip()
        self._handle.clear()
        self._name.clear()
        self.stop_adding()

    def _not_added(self, refused: Any) -> None:
        self._handle_row.set_fault(sentence(refused))
        self._handle.setFocus()

    @Slot()
    def _role_pressed(self) -> None:
        role = self.sender().objectName().partition(":")[2]
        change: dict[str, Any] = {"remove" if self._roles[role].isChecked() else "add": (role,)}
        self.hush()
        self.context.jobs.run(self, people.set_roles, self._shown, by=self.context.person.id, **change)

    @Slot()
    def _toggle_only(self) -> None:
        self._only.setChecked(not self._only.isChecked())

    def _chosen(self) -> PersonView | None:
        row = self._model.row(self._table.currentIndex().row())
        return row.person if row is not None else None

    @Slot()
    def _assign_all(self) -> None:
        view = self._chosen()
        if view is not None:
            self.context.jobs.run(self, assign.assign, None, to=[view.id], by=self.context.person.id,
                                  stage=self._stage.value(), only=self._only.isChecked(), then=self._assigned)

    def _assigned(self, done: Any) -> None:
        made = done.value
        self.say(self.tr("{n} assigned, {m} stood already. Ctrl Z takes it back.").format(
            n=f"{made.assigned:,}", m=f"{made.already:,}"), kind="good")

    @Slot()
    def _cancel_all(self) -> None:
        view = self._chosen()
        if view is not None:
            self.hush()
            self.context.jobs.run(self, assign.cancel, None, to=[view.id], by=self.context.person.id,
                                  stage=self._stage.value())

    @Slot()
    def _toggle_active(self) -> None:
        view = self._chosen()
        if view is not None:
            self.hush()
            self.context.jobs.run(self, people.set_active, view.handle, active=not view.active,
                                  by=self.context.person.id)


def _count(n: int) -> Cell:
    return Cell(f"{n:,}", ink="ink" if n else "ink2")
