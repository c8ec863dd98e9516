"""The page Agreement: a sentence, one row a question and metric, its slices, and the items behind every row."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFileDialog, QStackedWidget, QVBoxLayout, QWidget

from annotation.agreement.result import Result
from annotation.disputed import Dispute
from annotation.errors import Refused
from app import figures, theme
from app.commands import command
from app.context import Context
from app.i18n import QT_TRANSLATE_NOOP
from app.jobs import Work
from app.page import Page
from app.pages.agreement import words
from app.pages.agreement.disputes import MOST, DisputePanel
from app.pages.agreement.reading import AgreementView, read_agreement, read_disputed, same
from app.pages.agreement.slices import SlicePanel
from app.pages.agreement.tables import result_columns, span_reasons
from app.parts.buttons import CapButton
from app.parts.empty import Empty
from app.parts.running import Running
from app.parts.sided import scroll_column
from app.parts.table import RowsModel, Table
from app.parts.text import PageHead, label

_T = QT_TRANSLATE_NOOP


class AgreementPage(Page):
    name = "agreement"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._protocol = context.store.protocol
        self._view: AgreementView | None = None
        self._work: Work | None = None
        self._asked = 0
        self._results = RowsModel(result_columns(self._protocol, self.tr))
        self._build()

    def _build(self) -> None:
        self._head = PageHead(self.tr("Agreement"), self.context.title)
        self._copy_button = CapButton(self.tr("Copy table"), icon="copy", keys="Ctrl+Shift+C")
        self._copy_button.clicked.connect(self.copy_table)
        self._save_button = CapButton(self.tr("Save numbers"), icon="export", keys="Ctrl+S")
        self._save_button.clicked.connect(self.save_numbers)
        for button in (self._copy_button, self._save_button):
            self._head.add(button)
        self._sentence = label("", "reading", wrap=True)
        self._sentence.setObjectName("agreement:sentence")
        self._method = label("", "caption", "ink2", wrap=True)
        self._running = Running()
        self._running.stopped.connect(self.stop)
        self._table = Table(self.tr("Agreement per question"), self._results, marks_row=True)
        self._table.setObjectName("agreement:results")
        self._table.row_shown.connect(self._row_shown)
        self._table.row_opened.connect(self._open_result)
        self._details = label("", "caption", "ink2", wrap=True)
        self._details.setObjectName("agreement:details")
        self._slices = SlicePanel(self._protocol)
        self._slices.by_chosen.connect(self._read)
        self._slices.shown.connect(self._read_disputed)
        self._slices.opened.connect(self._open_slice)
        self._disputes = DisputePanel(self._protocol)
        self._disputes.asked.connect(self._go_items_of)
        self._empty = Empty("agreement", "", "")
        self._views = QStackedWidget()
        self._views.addWidget(scroll_column(self._make_content()))
        self._views.addWidget(self._empty)
        outer = QVBoxLayout(self.body)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._views)

    def _make_content(self) -> QWidget:
        self._below = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._below.setSpacing(theme.space("xxl"))
        self._below.addWidget(self._slices, 1)
        self._below.addWidget(self._disputes, 1)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(theme.space("page_left"), theme.space("page_top"), theme.space("page_right"),
                                  theme.space("l"))
        column.setSpacing(theme.space("xs"))
        column.addWidget(self._head)
        for part in (self._sentence, self._method, self._running):
            column.addWidget(part)
        column.addSpacing(theme.space("s"))
        column.addWidget(self._table)
        column.addWidget(self._details)
        column.addSpacing(theme.space("l"))
        column.addLayout(self._below)
        column.addStretch(1)
        return content

    # --- life -----------------------------------------------------------------------------------------------

    def opened(self, **where: Any) -> None:
        self.restyle()
        self._read()

    def refresh(self, touched: frozenset[str]) -> None:
        if touched & {"answers", "items", "protocol"}:
            self._read()

    def closing(self) -> None:
        if self._work is not None:
            self._work.cancel()

    def parts(self) -> list[QWidget]:
        if self._views.currentIndex():
            return [self._empty]
        return [self._table, self._slices, self._disputes, self._head]

    def restyle(self) -> None:
        edge = theme.breakpoint("answers_below_item_below") - theme.size("rail_slim")
        narrow = theme.is_large() or self.width() < edge
        self._below.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
        self._sentence.setMaximumWidth(theme.wide(theme.size("reading_column") + theme.size("rail")))
        dense = self.context.settings.get("dense_tables")
        self._table.set_dense(dense)
        self._table.fit_rows()
        for panel in (self._slices, self._disputes):
            panel.fit(dense=dense)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.restyle()

    # --- computing ------------------------------------------------------------------------------------------

    def _read(self) -> None:
        """Compute anew; what is shown stays until the new numbers are there."""
        if self._work is not None:
            self._work.cancel()
        self._asked += 1
        asked, store = self._asked, self.context.store
        by = self._slices.by()
        self._running.begin(self.tr("Computing"))
        self._work = self.context.jobs.work(
            self, lambda progress, cancelled: (asked, read_agreement(store, by, progress=progress,
                                                                     cancelled=cancelled)),
            then=self._take, failed=self._not_read, progressed=self._running.progressed)
        self.update_commands()

    def _take(self, found: tuple[int, AgreementView | None]) -> None:
        asked, view = found
        if asked != self._asked:
            return  # a newer computation is on its way
        self._work = None
        self._running.end()
        if view is not None:
            self.hush()
            self._show(view)
        self.update_commands()

    def _not_read(self, refused: Refused) -> None:
        self._work = None
        self._running.end()
        self.say(refused, button=self.tr("Read again"), keys="F5", act=self._read)
        self.update_commands()

    @command("agreement.stop", _T("commands", "Stop computing"), keys="Esc", when="is_computing", icon="x")
    @Slot()
    def stop(self) -> None:
        if self._work is not None:
            self._work.cancel()
            self._asked += 1
            self._work = None
            self._running.end()
            self.say(self.tr("Stopped. The numbers on this page are from before."), kind="info",
                     button=self.tr("Read again"), keys="F5", act=self._read)
            self.update_commands()

    @property
    def is_computing(self) -> bool:
        return self._work is not None

    @command("agreement.read", _T("commands", "Compute agreement anew"), menu="View", keys="F5", icon="check_again")
    def read_again(self) -> None:
        self.hush()
        self._read()

    # --- showing --------------------------------------------------------------------------------------------

    def _show(self, view: AgreementView) -> None:
        kept = self._result()
        self._view = view
        self._views.setCurrentIndex(0 if view.is_judged and view.whole else 1)
        if not (view.is_judged and view.whole):
            self._show_empty(view)
            return
        self._sentence.setText(words.sentence(self._protocol, view.whole))
        self._method.setText(words.method(view.whole) + " " + words.blindness())
        ends = [figure for one in view.whole for figure in (one.value, *(one.ci or ()))]
        self._results.set_scale("interval", figures.scale_of(ends))
        self._results.set_rows(view.whole)
        span_reasons(self._table, self._results)
        at = next((n for n, one in enumerate(view.whole) if kept is not None and same(one, kept)), 0)
        self._table.setCurrentIndex(self._results.index(at, 0))  # which shows the row
        self.context.status(self.tr("computed in {s} s").format(s=f"{view.seconds:.2f}"))

    def _show_empty(self, view: AgreementView) -> None:
        buttons = []
        if not view.items:
            self._empty.say(self.tr("No items yet"), self.tr(
                "Agreement is about items that two people and more have answered. Bring items in first."))
            buttons.append(self._way(self.tr("Bring items in"), "primary", "import", self._go_import))
        elif not view.whole:
            self._empty.say(self.tr("Nothing to compare"), self.tr(
                "No question of this protocol has a scale on which agreement is defined."))
            buttons.append(self._way(self.tr("See the protocol"), "primary", "protocol", self._go_protocol))
        else:
            self._empty.say(self.tr("Nobody judged the same item twice yet"), self.tr(
                "An item counts as soon as two people have answered it without sight of each other. Assign people, or "
                "let them work on what waits."))
            buttons.append(self._way(self.tr("Assign people"), "primary", "people", self._go_people))
            buttons.append(self._way(self.tr("See the items"), "plain", "items", self._go_items))
        focused = self.isVisible() and (self.focusWidget() is None or not self.focusWidget().isVisible())
        self._empty.set_buttons(buttons)
        if focused:
            buttons[0].setFocus()

    def _way(self, text: str, kind: str, icon: str, act: Any) -> CapButton:
        made = CapButton(text, kind=kind, icon=icon)
        made.clicked.connect(act)
        return made

    def _result(self) -> Result | None:
        return self._results.row(self._table.currentIndex().row())

    @Slot(int)
    def _row_shown(self, at: int) -> None:
        result, view = self._results.row(at), self._view
        if result is None or view is None:
            return
        self._details.setText(words.details(result))
        self._slices.show_slices(view, result)
        self.restyle()

    @Slot()
    def _read_disputed(self) -> None:
        result, view = self._result(), self._view
        if result is None or view is None:
            return
        wanted = (result.question, self._slices.value())
        self.context.jobs.read(self, read_disputed, result.question, view.by, self._slices.value(),
                               then=lambda found: self._show_disputed(wanted, found))

    def _show_disputed(self, wanted: tuple[str, str | None], found: Dispute) -> None:
        result = self._result()
        if result is not None and wanted == (result.question, self._slices.value()):
            self._disputes.show_dispute(*wanted, found)
            self.restyle()

    # --- ways to items --------------------------------------------------------------------------------------

    @Slot(int)
    def _open_result(self, _at: int) -> None:
        """The items behind a row on which people differ, the most disputed first."""
        result, view = self._result(), self._view
        if result is not None and view is not None:
            self.context.jobs.read(self, read_disputed, result.question, view.by, None, then=self._go_disputed)

    @Slot()
    def _open_slice(self) -> None:
        value = self._slices.value()
        if value is None:
            self._open_result(0)
        elif self._view is not None:
            self.context.go("items", tag=(self._view.by, value))

    def _go_disputed(self, found: Dispute) -> None:
        if found.items:
            self._go_items_of(found.items[:MOST])
        else:
            self.say(self.tr("Nobody differs on this question, so there is no item to show."), kind="info")

    @Slot(object)
    def _go_items_of(self, items: tuple[UUID, ...]) -> None:
        self.context.go("items", ids=items)

    @Slot()
    def _go_import(self) -> None:
        self.context.go("items", bring_in=True)

    @Slot()
    def _go_items(self) -> None:
        self.context.go("items")

    @Slot()
    def _go_people(self) -> None:
        self.context.go("people")

    @Slot()
    def _go_protocol(self) -> None:
        self.context.go("protocol")

    # --- taking away ----------------------------------------------------------------------------------------

    @property
    def has_numbers(self) -> bool:
        return self._view is not None and bool(self._view.whole)

    def _all_results(self) -> list[Result]:
        assert self._view is not None
        return [*self._view.whole, *self._view.slices]

    @command("agreement.copy", _T("commands", "Copy the table as Markdown"), menu="Edit", keys="Ctrl+Shift+C",
             when="has_numbers", icon="copy")
    @Slot()
    def copy_table(self) -> None:
        if self.has_numbers:
            assert self._view is not None
            QGuiApplication.clipboard().setText(words.markdown(self._protocol, self._all_results()) + "\n"
                                                + words.method(self._view.whole) + "\n")
            self.context.status(self.tr("copied"))

    @command("agreement.save", _T("commands", "Save the numbers as CSV"), menu="File", keys="Ctrl+S",
             when="has_numbers", icon="export")
    @Slot()
    def save_numbers(self) -> None:
        if not self.has_numbers:
            return
        file, _ = QFileDialog.getSaveFileName(self, self.tr("Save numbers"), "agreement.csv", "CSV (*.csv)")
        if not file:
            return
        try:
            Path(file).write_bytes(words.csv(self._all_results()))
        except OSError as fault:
            self.say(self.tr("{file} cannot be written: {why}").format(file=file, why=fault.strerror))
            return
        self.say(self.tr("Saved to {file}.").format(file=file), kind="good")
