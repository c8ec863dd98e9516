"""The list of items: search field, chips of filters, the table, and a bar while some are chosen."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from annotation.finding import Page as Found
from annotation.finding import find_items
from app import theme
from app.context import Context
from app.pages.items.agreeing import Dots, find_with_dots
from app.pages.items.filters import Filters
from app.pages.items.model import PAGE, ItemsModel, columns_of
from app.parts.buttons import CapButton
from app.parts.empty import Empty
from app.parts.search import SearchField
from app.parts.surface import Surface
from app.parts.table import Table
from app.parts.text import PageHead, label

MOST = 5000  # items chosen at once by Ctrl+A


class Listing(QWidget):
    """``found`` is emitted when a search has been shown; ``cut_short`` when not all could be chosen."""

    found = Signal()
    chosen_changed = Signal()
    row_opened = Signal(object)
    assign_asked = Signal()
    back_asked = Signal()
    cut_short = Signal()

    def __init__(self, context: Context, buttons: list[CapButton], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.filters = Filters(context.store.protocol)
        self._sort, self._descending, self._asked = "key", False, 0
        self.found_ms = 0.0  # how long the last search took, key to row
        self._dots: Dots = {}
        self.model = ItemsModel(columns_of(context.store.protocol, self.tr, self._dots))
        self.model.wanted.connect(self._read_rows)
        self.model.chosen_changed.connect(self._chosen_changed)
        self.table = Table(self.tr("Items"), self.model, dense=context.settings.get("dense_tables"))
        self.table.set_sort("key", descending=False)
        self.table.sort_asked.connect(self.sort_by)
        self.table.row_opened.connect(self._open_row)
        context.settings.changed.connect(self._setting_changed)
        self._head = PageHead(self.tr("Items"))
        for button in buttons:
            self._head.add(button)
        self.search = SearchField(self.tr("Search in all fields"), keys="Ctrl+F")
        self.search.searched.connect(self._searched)
        self.search.filter_removed.connect(self._take_filter_out)
        show_all = CapButton(self.tr("Show all items"), keys="Esc")
        show_all.clicked.connect(self.back_asked)
        nothing = Empty("search", self.tr("Nothing found"), self.tr("No item fits these words and filters."),
                        [show_all])
        self.body = QStackedWidget()
        self.body.addWidget(self.table)
        self.body.addWidget(nothing)
        self._nothing = nothing
        self._foot = self._make_foot()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        inner = QVBoxLayout()
        inner.setContentsMargins(theme.space("page_left"), theme.space("page_top"), theme.space("page_right"), 0)
        inner.setSpacing(theme.space("m"))
        for part in (self._head, self.search, self.body):
            inner.addWidget(part)
        inner.setStretch(2, 1)
        column.addLayout(inner, 1)
        column.addWidget(self._foot)

    def _make_foot(self) -> Surface:
        made = Surface("panel", sides="top")
        self._chosen_words = label("", "strong")
        give = CapButton(self.tr("Assign"), icon="assign", keys="Ctrl+Shift+A")
        give.clicked.connect(self.assign_asked)
        clear = CapButton(self.tr("Clear choice"), kind="flat", keys="Esc")
        clear.clicked.connect(self.back_asked)
        row = QHBoxLayout(made)
        row.setContentsMargins(theme.space("page_left"), theme.space("s"), theme.space("page_right"), theme.space("s"))
        row.setSpacing(theme.space("xl"))
        row.addWidget(self._chosen_words)
        row.addWidget(give)
        row.addStretch(1)
        row.addWidget(clear)
        made.hide()
        return made

    # --- finding --------------------------------------------------------------------------------------------

    def find(self, *, keep_place: bool = False) -> None:
        """Search anew; from the first row, or around the current one."""
        self._asked += 1
        asked, begun = self._asked, time.monotonic()
        place = self.table.currentIndex().row() if keep_place else 0
        first = max(0, place) // PAGE * PAGE

        def show(read: tuple[Found, Dots]) -> None:
            if asked == self._asked:  # else a later search has been asked for: this one is of no use any more
                self.found_ms = (time.monotonic() - begun) * 1000
                page, dots = read
                self._dots.clear()
                self._dots.update(dots)
                self._show(page, place)

        self._context.jobs.read(self, find_with_dots, self._context.store, **self.filters.as_query(), sort=self._sort,
                                descending=self._descending, offset=first, limit=PAGE, then=show)

    def _show(self, page: Found, place: int) -> None:
        column = max(1, self.table.currentIndex().column())
        self.model.start(page)
        if page.total:
            self.table.setCurrentIndex(self.model.index(min(place, page.total - 1) if place >= 0 else 0, column))
        self._head.set_subtitle(
            self.tr("{n} shown").format(n=f"{page.total:,}") if self.filters.is_on
            else self.tr("1 item") if page.total == 1 else self.tr("{n} items").format(n=f"{page.total:,}"))
        self.search.set_filters(self.filters.words())
        self.body.setCurrentWidget(self.table if page.total else self._nothing)
        self.found.emit()

    @Slot(int)
    def _read_rows(self, offset: int) -> None:
        asked = self._asked

        def fill(read: tuple[Found, Dots]) -> None:
            if asked == self._asked:
                page, dots = read
                self._dots.update(dots)
                self.model.fill(page)

        self._context.jobs.read(self, find_with_dots, self._context.store, **self.filters.as_query(), sort=self._sort,
                                descending=self._descending, offset=offset, limit=PAGE, then=fill)

    def only(self, **where: Any) -> None:
        """Show exactly what another page asks for."""
        self.filters.set(**where)
        self.search.set_text(self.filters.text)
        self.find()

    def show_all(self) -> None:
        self.filters.clear()
        self.search.set_text("")
        self.find()

    def add_filter(self, name: str, value: Any) -> None:
        self.filters.add(name, value)
        self.find()

    @Slot(str)
    def _searched(self, text: str) -> None:
        if text != self.filters.text:
            self.filters.text = text
            self.find()

    @Slot(str)
    def _take_filter_out(self, name: str) -> None:
        self.filters.remove(name)
        self.find()

    @Slot(str, bool)
    def sort_by(self, by: str, descending: bool) -> None:
        self._sort, self._descending = by, descending
        self.table.set_sort(by, descending=descending)
        self.find()

    # --- choosing -------------------------------------------------------------------------------------------

    def choose_all(self) -> None:
        """Choose everything that is shown, up to MOST."""
        self._context.jobs.read(self, find_items, **self.filters.as_query(), sort=self._sort,
                                descending=self._descending, offset=0, limit=MOST, then=self._choose_found)

    def _choose_found(self, page: Found) -> None:
        self.model.chosen.update(row.id for row in page.rows)
        self.model.choose([], True)
        if page.total > len(page.rows):
            self.cut_short.emit()

    @Slot()
    def _chosen_changed(self) -> None:
        n = len(self.model.chosen)
        self._chosen_words.setText(self.tr("1 item chosen") if n == 1 else self.tr("{n} items chosen").format(
            n=f"{n:,}"))
        self._foot.setVisible(bool(n))
        self.chosen_changed.emit()

    @Slot(int)
    def _open_row(self, at: int) -> None:
        row = self.model.row(at)
        if row is not None:
            self.row_opened.emit(row)

    @Slot(str)
    def _setting_changed(self, name: str) -> None:
        if name == "dense_tables":
            self.table.set_dense(self._context.settings.get(name))
