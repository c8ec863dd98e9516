"""Items: search, filters, the table of all of them; choose some and assign; open one; bring new ones in."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from annotation import assign, notes, people, rights, stale
from app.commands import command
from app.context import Context
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.page import Page
from app.pages.items.beside import Beside, read_item
from app.pages.items.bring_in import BringIn
from app.pages.items.listing import MOST, Listing
from app.palette import Palette, Row
from app.parts.buttons import CapButton
from app.parts.empty import Empty
from app.parts.sided import Sided
from app.words import STAGES

_T = QT_TRANSLATE_NOOP


class ItemsPage(Page):
    name = "items"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._protocol = context.store.protocol
        self._open_item: Any = None
        self._can_settle = False
        bring = CapButton(self.tr("Import"), icon="import", keys="Ctrl+I")
        bring.clicked.connect(self.bring_in)
        narrow = CapButton(self.tr("Filter"), icon="filter", keys="Ctrl+Shift+F")
        narrow.clicked.connect(self.choose_filter)
        self._listing = Listing(context, [bring, narrow] if self.may_import else [narrow])
        self._listing.found.connect(self._found)
        self._listing.chosen_changed.connect(self.update_commands)
        self._listing.row_opened.connect(self._open_row)
        self._listing.assign_asked.connect(self.assign_chosen)
        self._listing.back_asked.connect(self.step_back)
        self._listing.cut_short.connect(self._say_cut_short)
        self._beside = Beside(context)
        self._beside.reply_given.connect(self._reply)
        self._beside.still_valid_asked.connect(self.say_still_valid)
        self._beside.ask_again_asked.connect(self.ask_again)
        self._empty = Empty("items", self.tr("No items yet"), self.tr(
            "Drop a CSV, JSON, JSONL or Parquet file on the window, or choose one."), self._empty_buttons())
        self._sided = Sided(self._listing, self._beside, content_scrolls=False)
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

    def _empty_buttons(self) -> list[CapButton]:
        if not rights.may(self.context.person.roles, "import"):
            return []
        bring = CapButton(self.tr("Bring items in"), kind="primary", icon="import", keys="Ctrl+I")
        bring.clicked.connect(self.bring_in)
        return [bring]

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
            self._listing.only(**where)
        else:
            self._listing.find()

    def refresh(self, touched: frozenset[str]) -> None:
        if touched & {"items", "answers", "tasks", "progress", "flags", "queries", "adjudication", "signatures",
                      "assignments"}:
            self._listing.find(keep_place=True)
            if self._open_item is not None and not self._beside.isHidden():
                self._open_row(self._open_item)

    def parts(self) -> list[QWidget]:
        view = self._views.currentWidget()
        if view is self._bring:
            return [self._bring.inside]
        if view is self._empty:
            return [self._empty]
        side = [self._beside] if not self._beside.isHidden() else []
        return [self._listing.body, *side, self._listing.search]

    @Slot()
    def _found(self) -> None:
        if not self.is_bringing:
            focused = self._listing.table.hasFocus()
            empty = not self._listing.model.total and not self._listing.filters.is_on
            self._views.setCurrentWidget(self._empty if empty else self._sided)
            if focused:
                self._listing.table.setFocus()
        self.update_commands()

    # --- commands -------------------------------------------------------------------------------------------

    @property
    def has_chosen(self) -> bool:
        return bool(self._listing.model.chosen) and self._views.currentWidget() is self._sided

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
        return self.is_bringing or self.has_chosen or not self._beside.isHidden() or self._listing.filters.is_on

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
            self._listing.find(keep_place=True)

    @command("items.search", _T("commands", "Search items"), menu="Item", keys="Ctrl+F", when="is_table",
             icon="search")
    def search(self) -> None:
        self._listing.search.edit.setFocus()
        self._listing.search.edit.selectAll()

    @command("items.filter", _T("commands", "Filter items"), menu="Item", keys="Ctrl+Shift+F", when="is_table",
             icon="filter")
    @Slot()
    def choose_filter(self) -> None:
        rows = [Row(words, lambda name=name, value=value: self._listing.add_filter(name, value), remark, icon="filter")
                for name, value, words, remark in self._listing.filters.offers()]
        self._offer(rows, self.tr("Filter items"), "filter")

    @command("items.sort", _T("commands", "Sort items"), menu="Item", when="is_table", icon="columns")
    def choose_sort(self) -> None:
        words = {"key": self.tr("by key"), "updated": self.tr("by last change"), "state": self.tr("by state")}
        rows = [Row(said + (self.tr(", last first") if down else ""),
                    lambda by=by, down=down: self._listing.sort_by(by, down), icon="columns")
                for by, said in words.items() for down in (False, True)]
        self._offer(rows, self.tr("Sort items"), "columns")

    @command("items.choose_all", _T("commands", "Choose all that are shown"), menu="Item", keys="Ctrl+A",
             when="is_table", icon="check-square")
    def choose_all(self) -> None:
        self._listing.choose_all()

    @Slot()
    def _say_cut_short(self) -> None:
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
        n = len(self._listing.model.chosen)
        self._offer(rows, self.tr("Assign 1 item to") if n == 1 else self.tr("Assign {n} items to").format(
            n=f"{n:,}"), "assign")

    def _assign(self, person: Any, stage: str) -> None:
        self.context.jobs.run(self, assign.assign, sorted(self._listing.model.chosen), to=[person],
                              by=self.context.person.id, stage=stage, then=self._assigned)

    def _assigned(self, done: Any) -> None:
        self._listing.model.clear_chosen()
        self.say(self.tr("{n} assigned, {m} stood already. Ctrl Z takes it back.").format(
            n=f"{done.value.assigned:,}", m=f"{done.value.already:,}"), kind="good")

    @command("items.back", _T("commands", "One step back"), keys="Esc", when="can_step_back", icon="undo")
    @Slot()
    def step_back(self) -> None:
        """Clear the choice, else close the side column, else leave the import, else show all items."""
        if self.is_bringing:
            self._bring.cancel()
        elif self.has_chosen:
            self._listing.model.clear_chosen()
        elif not self._beside.isHidden():
            self._open_item = None
            self._sided.show_side(False)
        else:
            self._listing.show_all()
        if self.is_table:
            self._listing.table.setFocus()
        self.update_commands()

    # --- one item -------------------------------------------------------------------------------------------

    @Slot(object)
    def _open_row(self, row: Any) -> None:
        self._open_item = row
        writes = not self.context.store.read_only
        self.context.jobs.run(self, read_item, row.id, self.context.person.id, reveals=writes, writes=writes,
                              undoable=False, then=lambda told: self._show_item(row, told))

    def _show_item(self, row: Any, told: Any) -> None:
        if self._open_item is row:
            self._beside.show_item(row.key, told)
            self._can_settle = told.settles is not None and told.settles.may and not told.settles.is_signed
            self._sided.show_side(True)
            self.update_commands()

    @property
    def can_settle(self) -> bool:
        return self._can_settle and not self._beside.isHidden() and self.is_table

    @command("items.still_valid", _T("commands", "Still valid: keep what was said of the old text"), menu="Item",
             when="can_settle", icon="check")
    @Slot()
    def say_still_valid(self) -> None:
        self._settle(stale.still_valid, self.tr("What was said of {key} is still valid. Ctrl Z takes it back."))

    @command("items.ask_again", _T("commands", "Ask again: give the item back to who answered"), menu="Item",
             when="can_settle", icon="send_back")
    @Slot()
    def ask_again(self) -> None:
        self._settle(stale.ask_again, self.tr("Whoever answered {key} is asked again. Ctrl Z takes it back."))

    def _settle(self, deed: Any, words: str) -> None:
        row = self._open_item
        if row is not None:
            self.context.jobs.run(self, deed, row.id, by=self.context.person.id,
                                  then=lambda _done: self._settled(words.format(key=row.key)))

    def _settled(self, words: str) -> None:
        self.say(words, kind="good")
        self._listing.table.setFocus()  # the button that was pressed goes

    @Slot(object, str, bool)
    def _reply(self, query: Any, text: str, closes: bool) -> None:
        row = self._open_item
        self.context.jobs.run(self, notes.answer_query, query, by=self.context.person.id, text=text, closes=closes,
                              then=lambda _done: self._open_row(row))

    # --- the rest -------------------------------------------------------------------------------------------

    @Slot()
    def _back_to_table(self) -> None:
        self._views.setCurrentWidget(self._sided)
        self._listing.find(keep_place=True)
        self._listing.table.setFocus()

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
