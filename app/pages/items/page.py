"""Items: search, filters, the table of all of them; choose some and assign; open one; bring new ones in."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from annotation import assign, notes, people, rights
from annotation.finding import Page as Found
from annotation.finding import find_items
from app import theme
from app.commands import command
from app.context import Context
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.page import Page
from app.pages.items.beside import Beside, read_item
from app.pages.items.bring_in import BringIn
from app.pages.items.filters import Filters
from app.pages.items.model import PAGE, ItemsModel, columns_of
from app.palette import Palette, Row
from app.parts.buttons import CapButton
from app.parts.empty import Empty
from app.parts.search import SearchField
from app.parts.sided import Sided
from app.parts.surface import Surface
from app.parts.table import Table
from app.parts.text import PageHead, label
from app.words import STAGES

_T = QT_TRANSLATE_NOOP
MOST = 5000  # items chosen at once by Ctrl+A


class ItemsPage(Page):
    name = "items"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._protocol = context.store.protocol
        self._filters = Filters(self._protocol)
        self._sort, self._descending, self._asked = "key", False, 0
        self._open_item: Any = None
        self.found_ms = 0.0  # how long the last search took, key to row
        self._model = ItemsModel(columns_of(self._protocol, self.tr))
        self._model.wanted.connect(self._read_rows)
        self._model.chosen_changed.connect(self._chosen_changed)
        self._table = Table(self.tr("Items"), self._model, dense=context.settings.get("dense_tables"))
        self._table.set_sort("key", descending=False)
        self._table.sort_asked.connect(self._sort_by)
        self._table.row_opened.connect(self._open_row)
        context.settings.changed.connect(self._setting_changed)
        self._head = PageHead(self.tr("Items"))
        may_import = rights.may(context.person.roles, "import")
        self._import = CapButton(self.tr("Import"), icon="import", keys="Ctrl+I")
        self._import.clicked.connect(self.bring_in)
        self._filter = CapButton(self.tr("Filter"), icon="filter", keys="Ctrl+Shift+F")
        self._filter.clicked.connect(self.choose_filter)
        self._head.add(self._import)
        self._import.setVisible(may_import)
        self._head.add(self._filter)
        self._search = SearchField(self.tr("Search in all fields"), keys="Ctrl+F")
        self._search.searched.connect(self._searched)
        self._search.filter_removed.connect(self._take_filter_out)
        self._beside = Beside(context)
        self._beside.reply_given.connect(self._reply)
        self._foot_bar = self._make_foot()
        self._empty = Empty("items", self.tr("No items yet"), self.tr(
            "Drop a CSV, JSON, JSONL or Parquet file on the window, or choose one."), self._empty_buttons())
        self._nothing = Empty("search", self.tr("Nothing found"), self.tr(
            "No item fits these words and filters."), [self._show_all_button()])
        self._table_or = QStackedWidget()
        self._table_or.addWidget(self._table)
        self._table_or.addWidget(self._nothing)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        inner = QVBoxLayout()
        inner.setContentsMargins(theme.space("page_left"), theme.space("page_top"), theme.space("page_right"), 0)
        inner.setSpacing(theme.space("m"))
        for part in (self._head, self._search, self._table_or):
            inner.addWidget(part)
        inner.setStretch(2, 1)
        column.addLayout(inner, 1)
        column.addWidget(self._foot_bar)
        self._sided = Sided(content, self._beside, content_scrolls=False)
        self._sided.show_side(False)
        self._bring = BringIn(context)
        self._bring.left.connect(self._back_to_table)
        self._bring.came_in.connect(self._came_in)
        self._bring.changed.connect(self.update_commands)
        self._views = QStackedWidget()
        for view in (self._sided, self._bring, self._empty):
            self._views.addWidget(view)
        outer = QHBoxLayout(self.body)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._views)

    # --- building -------------------------------------------------------------------------------------------

    def _make_foot(self) -> Surface:
        made = Surface("panel", sides="top")
        self._chosen_words = label("", "strong")
        give = CapButton(self.tr("Assign"), icon="assign", keys="Ctrl+Shift+A")
        give.clicked.connect(self.assign_chosen)
        clear = CapButton(self.tr("Clear choice"), kind="flat", keys="Esc")
        clear.clicked.connect(self.step_back)
        row = QHBoxLayout(made)
        row.setContentsMargins(theme.space("page_left"), theme.space("s"), theme.space("page_right"), theme.space("s"))
        row.setSpacing(theme.space("xl"))
        row.addWidget(self._chosen_words)
        row.addWidget(give)
        row.addStretch(1)
        row.addWidget(clear)
        made.hide()
        return made

    def _empty_buttons(self) -> list[CapButton]:
        if not rights.may(self.context.person.roles, "import"):
            return []
        bring = CapButton(self.tr("Bring items in"), kind="primary", icon="import", keys="Ctrl+I")
        bring.clicked.connect(self.bring_in)
        return [bring]

    def _show_all_button(self) -> CapButton:
        made = CapButton(self.tr("Show all items"), keys="Esc")
        made.clicked.connect(self.step_back)
        return made

    # --- life -----------------------------------------------------------------------------------------------

    def opened(self, **where: Any) -> None:
        """``file`` to bring in; ``bring_in``; or filters: ``text, state, stage, stage_state, tag, ids, key``."""
        self.hush()
        file = where.pop("file", None)
        asks = where.pop("bring_in", False)
        if file:
            self._views.setCurrentWidget(self._bring)
            self._bring.open_file(str(file))
        elif asks:
            self.bring_in()
        elif where:
            self._views.setCurrentWidget(self._sided)
            self._filters.set(**where)
            self._search.set_text(self._filters.text)
            self._find()
        else:
            self._find()

    def refresh(self, touched: frozenset[str]) -> None:
        if touched & {"items", "answers", "tasks", "progress", "flags", "queries", "adjudication", "signatures",
                      "assignments"}:
            self._find(keep_place=True)

    def parts(self) -> list[QWidget]:
        view = self._views.currentWidget()
        if view is self._bring:
            return [self._bring.inside]
        if view is self._empty:
            return [self._empty]
        side = [self._beside] if not self._beside.isHidden() else []
        return [self._table_or, *side, self._search]

    # --- finding --------------------------------------------------------------------------------------------

    def _find(self, *, keep_place: bool = False) -> None:
        self._asked += 1
        asked, begun = self._asked, time.monotonic()
        place = self._table.currentIndex().row() if keep_place else 0
        first = max(0, place) // PAGE * PAGE

        def show(found: Found) -> None:
            if asked == self._asked:  # a later search has been asked for: this one is of no use any more
                self.found_ms = (time.monotonic() - begun) * 1000
                self._show(found, place)

        self.context.jobs.read(self, find_items, **self._filters.as_query(), sort=self._sort,
                               descending=self._descending, offset=first, limit=PAGE, then=show)

    def _show(self, found: Found, place: int) -> None:
        focused = self._table.hasFocus()
        column = max(1, self._table.currentIndex().column())
        self._model.start(found)
        if found.total:
            self._table.setCurrentIndex(self._model.index(min(place, found.total - 1) if place >= 0 else 0, column))
        narrowed = self._filters.is_on
        self._head.set_subtitle(
            self.tr("{n} shown").format(n=f"{found.total:,}") if narrowed
            else self.tr("1 item") if found.total == 1 else self.tr("{n} items").format(n=f"{found.total:,}"))
        self._search.set_filters(self._filters.words())
        self._table_or.setCurrentWidget(self._table if found.total else self._nothing)
        if self._views.currentWidget() is not self._bring:
            empty = not found.total and not narrowed
            self._views.setCurrentWidget(self._empty if empty else self._sided)
            if focused or (self.window().focusWidget() is self and not empty):
                self._table.setFocus()
        self.update_commands()

    @Slot(int)
    def _read_rows(self, offset: int) -> None:
        asked = self._asked

        def fill(found: Found) -> None:
            if asked == self._asked:
                self._model.fill(found)

        self.context.jobs.read(self, find_items, **self._filters.as_query(), sort=self._sort,
                               descending=self._descending, offset=offset, limit=PAGE, then=fill)

    @Slot(str)
    def _searched(self, text: str) -> None:
        if text != self._filters.text:
            self._filters.text = text
            self._find()

    @Slot(str)
    def _take_filter_out(self, name: str) -> None:
        self._filters.remove(name)
        self._find()

    @Slot(str, bool)
    def _sort_by(self, by: str, descending: bool) -> None:
        self._sort, self._descending = by, descending
        self._table.set_sort(by, descending=descending)
        self._find()

    @Slot(str)
    def _setting_changed(self, name: str) -> None:
        if name == "dense_tables":
            self._table.set_dense(self.context.settings.get(name))

    # --- commands -------------------------------------------------------------------------------------------

    @property
    def has_chosen(self) -> bool:
        return bool(self._model.chosen) and self._views.currentWidget() is self._sided

    @property
    def may_assign(self) -> bool:
        return self.has_chosen and rights.may(self.context.person.roles, "assign")

    @property
    def may_import(self) -> bool:
        return rights.may(self.context.person.roles, "import")

    @property
    def is_table(self) -> bool:
        return self._views.currentWidget() is self._sided

    @property
    def is_bringing(self) -> bool:
        return self._views.currentWidget() is self._bring

    @property
    def can_take(self) -> bool:
        return self.is_bringing and self._bring.can_take

    @property
    def can_step_back(self) -> bool:
        return self.is_bringing or self.has_chosen or not self._beside.isHidden() or self._filters.is_on

    @command("items.import", _T("commands", "Bring items in"), menu="File", keys="Ctrl+I", when="may_import",
             icon="import")
    @Slot()
    def bring_in(self) -> None:
        self.hush()
        before = self._views.currentIndex()
        self._views.setCurrentWidget(self._bring)
        self.update_commands()
        self._bring.choose_file()
        if not self._bring.has_file:
            self._views.setCurrentIndex(before)
            self.update_commands()

    @command("items.take", _T("commands", "Bring these rows in"), menu="Item", keys="Ctrl+Return", when="can_take",
             icon="import")
    def take_rows(self) -> None:
        self._bring.take()

    @command("items.read_again", _T("commands", "Read again"), menu="View", keys="F5", icon="check_again")
    def read_again(self) -> None:
        if self.is_bringing:
            self._bring.read_again()
        else:
            self._find(keep_place=True)

    @command("items.search", _T("commands", "Search items"), menu="Item", keys="Ctrl+F", when="is_table",
             icon="search")
    def search(self) -> None:
        self._search.edit.setFocus()
        self._search.edit.selectAll()

    @command("items.filter", _T("commands", "Filter items"), menu="Item", keys="Ctrl+Shift+F", when="is_table",
             icon="filter")
    @Slot()
    def choose_filter(self) -> None:
        rows = [Row(words, lambda name=name, value=value: self._add_filter(name, value), remark, icon="filter")
                for name, value, words, remark in self._filters.offers()]
        self._offer(rows, self.tr("Filter items"), "filter")

    def _add_filter(self, name: str, value: Any) -> None:
        self._filters.add(name, value)
        self._find()

    @command("items.sort", _T("commands", "Sort items"), menu="Item", when="is_table", icon="columns")
    def choose_sort(self) -> None:
        words = {"key": self.tr("by key"), "updated": self.tr("by last change"), "state": self.tr("by state")}
        rows = [Row(said + (self.tr(", last first") if down else ""),
                    lambda by=by, down=down: self._sort_by(by, down), icon="columns")
                for by, said in words.items() for down in (False, True)]
        self._offer(rows, self.tr("Sort items"), "columns")

    @command("items.choose_all", _T("commands", "Choose all that are shown"), menu="Item", keys="Ctrl+A",
             when="is_table", icon="check-square")
    def choose_all(self) -> None:
        self.context.jobs.read(self, find_items, **self._filters.as_query(), sort=self._sort,
                               descending=self._descending, offset=0, limit=MOST, then=self._choose_found)

    def _choose_found(self, found: Found) -> None:
        self._model.chosen.update(row.id for row in found.rows)
        self._model.choose([], True)
        if found.total > len(found.rows):
            self.say(self.tr("The first {n} are chosen; narrow the search for the rest.").format(n=f"{MOST:,}"),
                     kind="info")

    @command("items.assign", _T("commands", "Assign the chosen items"), menu="Item", keys="Ctrl+Shift+A",
             when="may_assign", icon="assign")
    @Slot()
    def assign_chosen(self) -> None:
        self.context.jobs.read(self, people.people, then=self._offer_people)

    def _offer_people(self, everybody: Any) -> None:
        stages = [name for name in self._protocol.workflow.stages if name in ("write", "annotate", "verify")]
        rows = []
        for view in everybody:
            for stage in stages:
                if view.active and rights.may(view.roles, stage, protocol=self._protocol):
                    rows.append(Row(view.shown, lambda person=view.id, stage=stage: self._assign(person, stage),
                                    translate(STAGES[stage], "stages"), icon="person"))
        n = len(self._model.chosen)
        self._offer(rows, self.tr("Assign 1 item to") if n == 1 else self.tr("Assign {n} items to").format(
            n=f"{n:,}"), "assign")

    def _assign(self, person: Any, stage: str) -> None:
        self.context.jobs.run(self, assign.assign, sorted(self._model.chosen), to=[person],
                              by=self.context.person.id, stage=stage, then=self._assigned)

    def _assigned(self, done: Any) -> None:
        self._model.clear_chosen()
        self.say(self.tr("{n} assigned, {m} stood already. Ctrl Z takes it back.").format(
            n=f"{done.value.assigned:,}", m=f"{done.value.already:,}"), kind="good")

    @command("items.back", _T("commands", "One step back"), keys="Esc", when="can_step_back", icon="undo")
    @Slot()
    def step_back(self) -> None:
        """Clear the choice, else close the side column, else leave the import, else show all items."""
        if self.is_bringing:
            self._bring.cancel()
        elif self.has_chosen:
            self._model.clear_chosen()
        elif not self._beside.isHidden():
            self._open_item = None
            self._sided.show_side(False)
        else:
            self._filters.clear()
            self._search.set_text("")
            self._find()
        if self.is_table:
            self._table.setFocus()
        self.update_commands()

    # --- one item -------------------------------------------------------------------------------------------

    @Slot(int)
    def _open_row(self, at: int) -> None:
        row = self._model.row(at)
        if row is None:
            return
        self._open_item = row
        writes = not self.context.store.read_only
        self.context.jobs.run(self, read_item, row.id, self.context.person.id, reveals=writes, writes=writes,
                              undoable=False, then=lambda told: self._show_item(row, told))

    def _show_item(self, row: Any, told: Any) -> None:
        if self._open_item is row:
            self._beside.show_item(row.key, told)
            self._sided.show_side(True)
            self.update_commands()

    @Slot(object, str, bool)
    def _reply(self, query: Any, text: str, closes: bool) -> None:
        at = self._table.currentIndex().row()
        self.context.jobs.run(self, notes.answer_query, query, by=self.context.person.id, text=text, closes=closes,
                              then=lambda _done: self._open_row(at))

    # --- the rest -------------------------------------------------------------------------------------------

    @Slot()
    def _chosen_changed(self) -> None:
        n = len(self._model.chosen)
        self._chosen_words.setText(self.tr("1 item chosen") if n == 1 else self.tr("{n} items chosen").format(
            n=f"{n:,}"))
        self._foot_bar.setVisible(bool(n))
        self.update_commands()

    @Slot()
    def _back_to_table(self) -> None:
        self._views.setCurrentWidget(self._sided)
        self._find(keep_place=True)
        self._table.setFocus()

    @Slot(object)
    def _came_in(self, report: Any) -> None:
        self._back_to_table()
        words = self.tr("{new} new, {updated} changed, {same} as they were.").format(
            new=f"{report.new:,}", updated=f"{report.updated:,}", same=f"{report.unchanged:,}")
        if report.refused:
            words += " " + self.tr("{n} refused; they are in {file}.").format(n=f"{report.refused:,}",
                                                                             file=report.refused_file)
        self.say(words, kind="warn" if report.refused else "good")

    def _offer(self, rows: list[Row], name: str, icon: str) -> None:
        window = self.window()
        show = getattr(window, "show_overlay", None)
        if callable(show):
            show(Palette(window, rows, name=name, hint=name, icon=icon))
