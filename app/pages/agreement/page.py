"""The page Agreement: its sections in a row of tabs, each read beside the window and shown as soon as it is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from PySide6.QtCore import Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from annotation import revealing, rights, trail
from annotation.errors import Refused
from app import theme
from app.commands import command
from app.context import Context
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.jobs import Work
from app.pages.agreement.giving import GivingPage
from app.pages.agreement.sections import SECTIONS, Nothing, Read, Section, SectionView
from app.parts.buttons import CapButton
from app.parts.empty import Empty
from app.parts.running import Running
from app.parts.sided import scroll_column
from app.parts.tabs import Tabs
from app.parts.text import PageHead

_T = QT_TRANSLATE_NOOP


class AgreementPage(GivingPage):
    name = "agreement"
    sections: Sequence[Section] = SECTIONS

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._views: dict[int, SectionView] = {}
        self._stale: set[int] = set()
        self._at = 0
        self._work: Work | None = None
        self._asked = 0
        self._tells = False
        self._build()

    def _build(self) -> None:
        self._head = PageHead(self.tr("Agreement"), self.context.title)
        self._copy_button = CapButton(self.tr("Copy table"), icon="copy", keys="Ctrl+Shift+C")
        self._copy_button.clicked.connect(self.copy_table)
        self._save_button = CapButton(self.tr("Save numbers"), icon="export", keys="Ctrl+S")
        self._save_button.clicked.connect(self.save_numbers)
        for button in (self._copy_button, self._save_button):
            self._head.add(button)
        self._tabs = Tabs(self.tr("Sections of this page"),
                          [translate(one.title, "agreement") for one in self.sections])
        self._tabs.chosen.connect(self.show_section)
        if len(self.sections) < 2:
            self._tabs.hide()
        self._running = Running()
        self._running.stopped.connect(self.stop)
        self._stack = QStackedWidget()
        self._places: list[QVBoxLayout] = []
        for _ in self.sections:
            inside = QWidget()
            column = QVBoxLayout(inside)
            column.setContentsMargins(theme.space("page_left"), theme.space("s"), theme.space("page_right"),
                                      theme.space("l"))
            self._places.append(column)
            area = scroll_column(inside)
            area.verticalScrollBar().rangeChanged.connect(self._align)
            self._stack.addWidget(area)
        self._empty = Empty("agreement", "", "")
        self._stack.addWidget(self._empty)
        above = QVBoxLayout()
        above.setContentsMargins(theme.space("page_left"), theme.space("page_top"), theme.space("page_right"), 0)
        above.setSpacing(theme.space("xs"))
        for part in (self._head, self._tabs, self._running):
            above.addWidget(part)
        self._above, self._is_narrow = above, True
        outer = QVBoxLayout(self.body)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(above)
        outer.addWidget(self._stack, 1)

    def current_view(self) -> SectionView:
        """The view of the section that is looked at; made when it is first asked for."""
        if self._at not in self._views:
            made = self.sections[self._at].make(self.context)
            made.read_asked.connect(self._read)
            made.items_asked.connect(self._go_items_of)
            made.tag_asked.connect(self._go_tag)
            made.adjudication_asked.connect(self._go_adjudicate)
            made.said.connect(lambda kind, text: self.say(text, kind=kind))
            made.commands_changed.connect(self.update_commands)
            self._places[self._at].addWidget(made)
            self._views[self._at] = made
            self._fit(made)
        return self._views[self._at]

    # --- life -----------------------------------------------------------------------------------------------

    def opened(self, *, section: str = "", **_where: Any) -> None:
        named = [n for n, one in enumerate(self.sections) if one.name == section]
        if named:
            self._at = named[0]
            self._tabs.set_current(self._at)
        self.restyle()
        self._open()

    def refresh(self, touched: frozenset[str]) -> None:
        for at, view in self._views.items():
            if touched & view.touches and at != self._at:
                self._stale.add(at)
        if touched & self.current_view().touches:
            self._read()

    def closing(self) -> None:
        if self._work is not None:
            self._work.cancel()
        for view in self._views.values():
            view.closing()

    def parts(self) -> list[QWidget]:
        tabs = [self._tabs] if len(self.sections) > 1 else []
        if self._is_empty:
            return [self._empty, *tabs]
        return [*self.current_view().parts(), self._head, *tabs]

    @property
    def _is_empty(self) -> bool:
        return self._stack.currentWidget() is self._empty

    def restyle(self) -> None:
        narrow = self._narrow() or len(self.sections) < 2
        if narrow != self._is_narrow:  # what runs is said in the row of the tabs, where there is room
            self._is_narrow = narrow
            if narrow:
                self._above.addWidget(self._running)
            else:
                self._tabs.add(self._running)
            for part in self._running.findChildren(QWidget):
                theme.dress(part)  # a widget that moves is given the font that it had before
        for view in self._views.values():
            self._fit(view)

    def _narrow(self) -> bool:
        edge = theme.breakpoint("answers_below_item_below") - theme.size("rail_slim")
        return theme.is_large() or self.width() < edge

    def _fit(self, view: SectionView) -> None:
        view.fit(narrow=self._narrow(), dense=self.context.settings.get("dense_tables"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.restyle()

    @Slot()
    def _align(self) -> None:
        """A section ends where the head ends, with its scroll bar or without."""
        for n, column in enumerate(self._places):
            area, margins = self._stack.widget(n), column.contentsMargins()
            if isinstance(area, QScrollArea):
                bar = area.verticalScrollBar()
                margins.setRight(theme.space("page_right") - (bar.sizeHint().width() if bar.maximum() else 0))
                column.setContentsMargins(margins)

    # --- sections -------------------------------------------------------------------------------------------

    @Slot(int)
    def show_section(self, at: int) -> None:
        if at == self._at or not 0 <= at < len(self.sections):
            return
        self._stop_reading()
        self.hush()
        known = at in self._views and at not in self._stale
        self._at = at
        self._tabs.set_current(at)
        self.current_view()
        if known and not self._is_empty:
            self._stack.setCurrentIndex(at)
        self._read()

    @command("agreement.next_section", _T("commands", "The next section"), menu="View", keys="Ctrl+PgDown",
             when="has_sections", group="moving", icon="next")
    def next_section(self) -> None:
        self.show_section((self._at + 1) % len(self.sections))

    @command("agreement.previous_section", _T("commands", "The section before"), menu="View", keys="Ctrl+PgUp",
             when="has_sections", group="moving", icon="previous")
    def previous_section(self) -> None:
        self.show_section((self._at - 1) % len(self.sections))

    @property
    def has_sections(self) -> bool:
        return len(self.sections) > 1

    # --- what is shown is recorded --------------------------------------------------------------------------

    def _open(self) -> None:
        """Read, but remember first that somebody who answers here is shown what comes of others' answers."""
        if self.context.store.read_only:
            self._read()
            return
        self.context.jobs.read(self, revealing.is_to_be_recorded, self.context.person.id, then=self._record,
                               failed=self._not_opened)

    def _record(self, is_to_be_recorded: bool) -> None:
        if not is_to_be_recorded:
            self._read()
            return
        self._tells = True
        self.context.jobs.run(self, trail.reveal, self.context.person.id, then=lambda _none: self._read(),
                              failed=self._not_opened, undoable=False)

    def _not_opened(self, refused: Refused) -> None:
        self.say(refused, button=self.tr("Try again"), act=self._open)

    # --- computing ------------------------------------------------------------------------------------------

    @Slot()
    def _read(self) -> None:
        """Compute anew; what is shown stays until the new numbers are there."""
        self._stop_reading()
        self._stale.discard(self._at)
        self._step(self._asked, tuple(self.current_view().reads()))

    def _step(self, asked: int, reads: tuple[Read, ...]) -> None:
        store, read, rest = self.context.store, reads[0], reads[1:]
        self._running.begin(self.tr("Computing"))
        self._work = self.context.jobs.work(
            self, lambda progress, cancelled: read(store, progress, cancelled),
            then=lambda found: self._take(asked, found, rest), failed=lambda why: self._not_read(asked, why),
            progressed=self._running.progressed)
        self.update_commands()

    def _take(self, asked: int, found: Any, rest: tuple[Read, ...]) -> None:
        if asked != self._asked:
            return  # a newer computation is on its way
        self._work = None
        if found is not None:
            self.hush()
            self._show(found)
        if rest and found is not None and not self._is_empty:
            self._step(asked, rest)
            return
        self._running.end()
        if self._tells:
            self._tells = False
            self.say(self.tr("You answer in this project too, so the trail now says that you were shown these numbers: "
                             "an answer that you change from now on no longer counts for agreement."), kind="info")
        self.update_commands()

    def _not_read(self, asked: int, refused: Refused) -> None:
        if asked != self._asked:
            return
        self._work = None
        self._running.end()
        self.say(refused, button=self.tr("Read again"), keys="F5", act=self._read)
        self.update_commands()

    def _stop_reading(self) -> None:
        self._asked += 1
        if self._work is not None:
            self._work.cancel()
            self._work = None
        self._running.end()

    @command("agreement.stop", _T("commands", "Stop computing"), keys="Esc", when="is_computing", icon="x")
    @Slot()
    def stop(self) -> None:
        if self._work is not None:
            self._stop_reading()
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

    def _show(self, found: Any) -> None:
        view = self.current_view()
        nothing = view.empty(found)
        if nothing is None:
            focused = self._is_empty and self.isVisible() and self._empty.isAncestorOf(self.focusWidget() or self)
            view.show_found(found)
            self._stack.setCurrentIndex(self._at)
            if focused:
                self.focus_first()
        else:
            self._show_empty(nothing)

    def _show_empty(self, nothing: Nothing) -> None:
        focused = self.isVisible() and (self.focusWidget() is None or not self.focusWidget().isVisible()
                                        or not self._tabs.isAncestorOf(self.focusWidget()))
        self._empty.say(nothing.title, nothing.text)
        buttons = []
        for n, way in enumerate(nothing.ways):
            made = CapButton(way.words, kind="plain" if n else "primary", icon=way.icon)
            made.clicked.connect(lambda _on=False, way=way: self.context.go(way.page, **way.where))
            buttons.append(made)
        self._empty.set_buttons(buttons)
        self._stack.setCurrentWidget(self._empty)
        if focused and buttons:
            buttons[0].setFocus()

    # --- ways to items --------------------------------------------------------------------------------------

    @Slot(object)
    def _go_items_of(self, items: tuple[UUID, ...]) -> None:
        self.context.go("items", ids=items)

    @Slot(str, str)
    def _go_tag(self, field: str, value: str) -> None:
        self.context.go("items", tag=(field, value))

    @Slot(object)
    def _go_adjudicate(self, item: UUID) -> None:
        if not rights.may(self.context.person.roles, "adjudicate", protocol=self.context.store.protocol):
            self.say(self.tr("Deciding about an item is for people with the role of an adjudicator."), kind="info")
            return
        self.context.go("adjudicate", item=item)

    @command("agreement.adjudicate", _T("commands", "Adjudicate the item people differ on"), menu="Item", keys="F4",
             when="has_item_in_hand", icon="adjudicate")
    def adjudicate(self) -> None:
        item = self.current_view().item_in_hand()
        if item is not None:
            self._go_adjudicate(item)

    @property
    def has_numbers(self) -> bool:
        return not self._is_empty and self._at in self._views and self._views[self._at].can_give

    @property
    def has_item_in_hand(self) -> bool:
        return not self._is_empty and self._at in self._views and self._views[self._at].item_in_hand() is not None
