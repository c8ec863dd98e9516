"""The page Gold: findings, export, changes and values in a row of tabs; beside them the next release."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from PySide6.QtCore import QDateTime, Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from annotation.errors import Refused
from app import theme
from app.commands import command
from app.context import Context
from app.i18n import QT_TRANSLATE_NOOP
from app.jobs import Work
from app.pages.gold import reading
from app.pages.gold.deeds import GoldDeeds
from app.pages.gold.findings import Findings
from app.pages.gold.reading import Changes, GoldPageView
from app.pages.gold.values import Values
from app.parts.buttons import CapButton
from app.parts.empty import Empty
from app.parts.line import LineInPlace
from app.parts.sided import Sided
from app.parts.tabs import Tabs
from app.parts.text import PageHead, label
from app.revealing import show_after_record
from exports.preflight import Finding

_T = QT_TRANSLATE_NOOP
FINDINGS, EXPORT, CHANGES, VALUES = range(4)


class GoldPage(GoldDeeds):
    name = "gold"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._view: GoldPageView | None = None
        self._asked = 0
        self._looking: Work | None = None
        self._is_told = False     # the trail says that this person was shown results
        self._values_read = False
        self._build()

    def _build(self) -> None:
        self._head = PageHead(self.tr("Gold"), self.context.title)
        self._checked_at = label("", "caption", "ink2")
        self._again = CapButton(self.tr("Check again"), kind="flat", keys="F5")
        self._again.clicked.connect(self.check_again)
        self._head.add(self._checked_at)
        self._head.add(self._again)
        self._tabs = Tabs(self.tr("Sections of this page"), [
            self.tr("Before the release"), self.tr("Releases and export"), self.tr("Changes"), self.tr("Values")])
        self._tabs.chosen.connect(self.show_section)
        self._running.stopped.connect(self.stop)
        self._findings = Findings(self.context.store.protocol, may_waive=self._may_release)
        self._findings.asked.connect(self._show_keys)
        self._findings.waived.connect(self._waive)
        self._findings.taken_back.connect(self._unwaive)
        self._stale = LineInPlace(parent=self)
        self._stale.setObjectName("gold:stale")
        self._exporting.export_asked.connect(self.export)
        self._exporting.verify_asked.connect(self.verify)
        self._exporting.score_asked.connect(self._score)
        self._exporting.releases.shown.connect(self.update_commands)
        self._changes.asked.connect(self._read_changes)
        self._changes.noted.connect(self._note_erratum)
        self._changes.taken_back.connect(self._take_back_erratum)
        self._changes.opened.connect(self._show_items)
        self._values = Values(self.context)
        self._values.opened.connect(self._show_items)
        self._side.changed.connect(self.update_commands)
        self._side.draw_button.clicked.connect(self.release)
        self._side.without_button.clicked.connect(self.release_without)
        self._empty = Empty("gold", self.tr("No gold yet"), self.tr(
            "Gold is the answer that stands for an item, by the rule of the protocol. Bring items in; then two people "
            "or more answer them."))
        way = CapButton(self.tr("Bring items in"), kind="primary", icon="import")
        way.clicked.connect(self._go_import)
        self._empty.set_buttons([way])
        self._views = QStackedWidget()
        self._views.addWidget(Sided(self._make_content(), self._side))
        self._views.addWidget(self._empty)
        outer = QVBoxLayout(self.body)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._views)

    def _make_content(self) -> QWidget:
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(theme.space("page_left"), theme.space("page_top"), theme.space("page_right"),
                                  theme.space("l"))
        column.setSpacing(theme.space("s"))
        looked = QWidget()
        beside = QVBoxLayout(looked)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(theme.space("s"))
        beside.addWidget(self._stale)
        beside.addWidget(self._findings)
        # Not a stack: that would be as high as its highest section, and the column scrolls.
        self._sections = [looked, self._exporting, self._changes, self._values]
        row = QHBoxLayout()
        row.addWidget(self._tabs, 1)
        column.addWidget(self._head)
        column.addLayout(row)
        column.addWidget(self._running)
        for section in self._sections:
            column.addWidget(section)
        column.addStretch(1)
        for section in self._sections[1:]:
            section.hide()
        return content

    # --- life -----------------------------------------------------------------------------------------------

    def opened(self, **where: Any) -> None:
        self.hush()
        self.restyle()
        show_after_record(self, self._read)

    def refresh(self, touched: frozenset[str]) -> None:
        if touched & {"answers", "adjudication", "signatures", "gold", "items", "queries", "releases", "progress",
                      "flags"}:
            self._read()

    def closing(self) -> None:
        self._stop_looking()

    def left(self) -> None:
        self._stop_looking()

    def parts(self) -> list[QWidget]:
        if self._views.currentIndex():
            return [self._empty]
        return [self._side, self._sections[self._at], self._tabs, self._head]

    def focus_first(self) -> None:
        if self._views.currentIndex():
            super().focus_first()
        else:
            self._side.version_field.setFocus()

    def restyle(self) -> None:
        dense = self.context.settings.get("dense_tables")
        for part in (self._values, self._exporting, self._changes):
            part.fit(dense=dense)

    # --- sections -------------------------------------------------------------------------------------------

    @Slot(int)
    def show_section(self, at: int) -> None:
        if not 0 <= at < len(self._sections) or at == self._at:
            return
        self._at = at
        self._tabs.set_current(at)
        for n, section in enumerate(self._sections):
            section.setVisible(n == at)
        self._read_section()

    @command("gold.next_section", _T("commands", "The next section"), menu="View", keys="Ctrl+PgDown", group="moving",
             icon="next")
    def next_section(self) -> None:
        self.show_section((self._at + 1) % len(self._sections))

    @command("gold.previous_section", _T("commands", "The section before"), menu="View", keys="Ctrl+PgUp",
             group="moving", icon="previous")
    def previous_section(self) -> None:
        self.show_section((self._at - 1) % len(self._sections))

    # --- reading --------------------------------------------------------------------------------------------

    def _read(self) -> None:
        """The numbers, the releases and what waits; then everything that preflight looks at."""
        self._stop_looking()
        self._asked += 1
        asked, store = self._asked, self.context.store
        self._running.begin(self.tr("Checking"))
        self._looking = self.context.jobs.work(
            self, lambda _progress, _cancelled: reading.read_page(store), then=lambda view: self._show(asked, view),
            failed=lambda why: self._not_read(asked, why))
        self._values_read = False
        self._read_section()

    def _show(self, asked: int, view: GoldPageView) -> None:
        if asked != self._asked:
            return
        was_empty = bool(self._views.currentIndex())
        self._view = view
        self._views.setCurrentIndex(0 if view.items else 1)
        self._show_stale(view)
        self._side.show_view(self.context.store.protocol, view)
        self._exporting.show_releases(view.releases, draft=view.outlook.draft)
        self._changes.show_releases(view.releases)
        if self._at == CHANGES:
            self._changes.read()
        if self._just_drawn in {release.version for release in view.releases}:
            self._just_drawn = None  # the list chooses a new release by itself
        if was_empty != (not view.items) and self.isVisible():
            self.focus_first()
        store = self.context.store
        self._looking = self.context.jobs.work(
            self, lambda progress, cancelled: reading.examine(store, progress, cancelled),
            then=lambda found: self._show_findings(asked, found), failed=lambda why: self._not_read(asked, why),
            progressed=self._running.progressed)
        self.update_commands()

    def _show_findings(self, asked: int, findings: tuple[Finding, ...]) -> None:
        if asked != self._asked:
            return
        self._looking = None
        if not self._busy:
            self._running.end()
        self._findings.show_findings(findings)
        self._side.show_findings(findings)
        self._checked_at.setText(self.tr("checked {time}").format(
            time=QDateTime.currentDateTime().toString("HH:mm:ss")))
        self.update_commands()

    def _not_read(self, asked: int, refused: Refused) -> None:
        if asked != self._asked:
            return
        self._looking = None
        self._running.end()
        if refused.code != "cancelled":
            self.say(refused, button=self.tr("Check again"), keys="F5", act=self.check_again)
        self.update_commands()

    def _show_stale(self, view: GoldPageView) -> None:
        if not view.stale:
            self._stale.hush()
            return
        names = ", ".join(one.replace("_", " ") for one in view.stale)
        self._stale.say("warn", self.tr(
            "Answers to {names} came since people's error rates were counted, and gold rests on them.").format(
                names=names), button=self.tr("Recount") if self._may_release else "", act=self.recount)

    def _read_section(self) -> None:
        """What the section that is looked at shows beside the findings; each is read when it is first seen."""
        if self._at == CHANGES and self._view is not None:
            self._changes.read()
        elif self._at == VALUES and not self._values_read:
            self._values_read = True
            self._values.read()

    @Slot(str, str)
    def _read_changes(self, before: str, after: str) -> None:
        store = self.context.store

        def show(found: Changes | None) -> None:
            if found is not None and (before, after) == (self._changes.before.value(), self._changes.after.value()):
                self._changes.show_changes(found)

        self.context.jobs.work(self, lambda _progress, cancelled: reading.read_changes(store, before, after, cancelled),
                               then=show, failed=self.say)

    def _stop_looking(self) -> None:
        self._asked += 1
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
            if not self._busy:
                self._running.end()

    @command("gold.check", _T("commands", "Check again"), menu="View", keys="F5", icon="check_again")
    @Slot()
    def check_again(self) -> None:
        self.hush()
        self._read()

    @command("gold.stop", _T("commands", "Stop"), keys="Esc", when="is_working", icon="x")
    @Slot()
    def stop(self) -> None:
        """The deed that runs, else the look at the items."""
        if self._deed is not None:
            self._deed.cancel()
        elif self._looking is not None:
            self._stop_looking()
            self.say(self.tr("Stopped. The findings on this page are from before."), kind="info",
                     button=self.tr("Check again"), keys="F5", act=self.check_again)
            self.update_commands()

    @property
    def is_working(self) -> bool:
        return self._looking is not None or self._deed is not None

    # --- ways on --------------------------------------------------------------------------------------------

    @Slot(object)
    def _show_items(self, items: tuple[UUID, ...]) -> None:
        self.context.go("items", ids=items)

    @Slot(object)
    def _show_keys(self, keys: tuple[str, ...]) -> None:
        self.context.jobs.read(self, reading.items_of, keys, then=self._show_items)

    @Slot()
    def _go_import(self) -> None:
        self.context.go("items", bring_in=True)

    @Slot(str)
    def _score(self, bundle: str) -> None:
        self.context.go("score", bundle=bundle)
