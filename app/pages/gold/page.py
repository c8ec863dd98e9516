"""The page Gold: checks, releases and bundles, the answers that stand; beside them the next release."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from PySide6.QtCore import QDateTime, Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from annotation import rights
from annotation.done import Done
from annotation.errors import Refused
from app import figures, theme
from app.commands import command
from app.context import Context
from app.i18n import QT_TRANSLATE_NOOP
from app.page import Page
from app.pages.gold import reading
from app.pages.gold.bundles import Bundles
from app.pages.gold.checks import Checks
from app.pages.gold.reading import MOST, GoldPageView, Verified
from app.pages.gold.side import ReleaseSide
from app.pages.gold.values import Values
from app.parts.buttons import CapButton
from app.parts.empty import Empty
from app.parts.running import Running
from app.parts.sided import Sided
from app.parts.text import PageHead, label
from exports.bundle import Written

_T = QT_TRANSLATE_NOOP


class GoldPage(Page):
    name = "gold"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._protocol = context.store.protocol
        roles = context.person.roles
        self._may_release, self._may_export = rights.may(roles, "release"), rights.may(roles, "export")
        self._view: GoldPageView | None = None
        self._busy = False
        self._just_drawn: str | None = None
        self._asked = 0
        self._build()

    def _build(self) -> None:
        self._head = PageHead(self.tr("Gold"), self.context.title)
        self._checked_at = label("", "caption", "ink2")
        self._again = CapButton(self.tr("Check again"), kind="flat", keys="F5")
        self._again.clicked.connect(self.check_again)
        self._running = Running()
        self._checks = Checks()
        self._checks.asked.connect(self._show_items)
        private = any(field.private for field in self._protocol.fields)
        self._bundles = Bundles(self.context.project, private)
        self._bundles.export_asked.connect(self.export)
        self._bundles.verify_asked.connect(self.verify)
        self._bundles.score_asked.connect(self._score)
        self._bundles.export_button.setEnabled(self._may_export)
        self._values = Values(self.context)
        self._values.opened.connect(self._show_items)
        self._side = ReleaseSide(self._may_release)
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
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(theme.space("page_left"), theme.space("page_top"), theme.space("page_right"),
                                  theme.space("l"))
        column.setSpacing(theme.space("xs"))
        column.addWidget(self._head)
        row = QHBoxLayout()
        row.setSpacing(theme.space("m"))
        row.addWidget(label(self.tr("Before the release"), "strong"))
        row.addWidget(self._running, 1)
        row.addStretch(1)
        row.addWidget(self._checked_at)
        row.addWidget(self._again)
        column.addLayout(row)
        column.addWidget(self._checks)
        column.addSpacing(theme.space("l"))
        column.addWidget(self._bundles)
        column.addSpacing(theme.space("l"))
        column.addWidget(self._values)
        column.addStretch(1)
        return self._content

    # --- life -----------------------------------------------------------------------------------------------

    def opened(self, **where: Any) -> None:
        self.hush()
        self.restyle()
        self._read()

    def refresh(self, touched: frozenset[str]) -> None:
        if touched & {"answers", "adjudication", "signatures", "gold", "items", "queries", "releases", "progress"}:
            self._read()

    def parts(self) -> list[QWidget]:
        if self._views.currentIndex():
            return [self._empty]
        return [self._side, self._checks, self._bundles, self._values]

    def focus_first(self) -> None:
        if self._views.currentIndex():
            super().focus_first()
        else:
            self._side.version_field.setFocus()

    def restyle(self) -> None:
        self._values.fit()
        self._bundles.fit()

    # --- reading --------------------------------------------------------------------------------------------

    def _read(self) -> None:
        self._asked += 1
        asked, store = self._asked, self.context.store
        self._running.begin(self.tr("Checking"))
        self.context.jobs.work(self, lambda _progress, _cancelled: (asked, reading.read_page(store)), then=self._show,
                               failed=self._not_read)
        self._values.read()

    def _not_read(self, refused: Refused) -> None:
        self._running.end()
        self.say(refused)

    def _show(self, found: tuple[int, GoldPageView]) -> None:
        asked, view = found
        if asked != self._asked:
            return
        self._running.end()
        was_empty = bool(self._views.currentIndex())
        self._view = view
        self._views.setCurrentIndex(0 if view.items else 1)
        self._checks.show_outlook(self._protocol, view.outlook)
        self._side.show_view(self._protocol, view)
        self._bundles.show_releases(view.releases, draft=view.outlook.draft)
        if self._just_drawn in {release.version for release in view.releases}:
            self._just_drawn = None  # the list chooses a new release by itself
        self._checked_at.setText(self.tr("checked {time}").format(
            time=QDateTime.currentDateTime().toString("HH:mm:ss")))
        if was_empty != (not view.items) and self.isVisible():
            self.focus_first()
        self.update_commands()

    @command("gold.check", _T("commands", "Check again"), menu="View", keys="F5", icon="check_again")
    @Slot()
    def check_again(self) -> None:
        self.hush()
        self._read()

    # --- ways on --------------------------------------------------------------------------------------------

    @Slot(object)
    def _show_items(self, items: tuple[UUID, ...]) -> None:
        self.context.go("items", ids=items[:MOST])

    @Slot()
    def _go_import(self) -> None:
        self.context.go("items", bring_in=True)

    @Slot(str)
    def _score(self, bundle: str) -> None:
        self.context.go("score", bundle=bundle)

    # --- releasing ------------------------------------------------------------------------------------------

    @property
    def can_release(self) -> bool:
        return not self._busy and self._side.can_release

    @property
    def can_leave_out(self) -> bool:
        return not self._busy and self._side.can_leave_out

    @property
    def can_export(self) -> bool:
        if self._busy or self._view is None or not self._may_export:
            return False
        return bool(self._view.releases) or (self._may_release and bool(self._view.outlook.items))

    @property
    def can_verify(self) -> bool:
        return not self._busy

    def update_commands(self) -> None:
        super().update_commands()
        self._side.draw_button.setEnabled(self.can_release)
        self._side.without_button.setEnabled(self.can_leave_out)
        self._bundles.export_button.setEnabled(self.can_export)
        self._bundles.verify_button.setEnabled(self.can_verify)

    @command("gold.release", _T("commands", "Draw the release"), menu="Item", keys="Ctrl+Return", when="can_release",
             icon="gold")
    @Slot()
    def release(self) -> None:
        if self.can_release:
            self._draw(self._side.version(), leave_out=False, then=self._drawn)

    @command("gold.release_without", _T("commands", "Leave out what waits and release"), menu="Item",
             keys="Ctrl+Shift+Return", when="can_leave_out", icon="gold")
    @Slot()
    def release_without(self) -> None:
        if self.can_leave_out:
            self._draw(self._side.version(), leave_out=True, then=self._drawn)

    def _draw(self, version: str | None, *, leave_out: bool, then: Any) -> None:
        self._begin(self.tr("Drawing the release"))
        self.context.jobs.run(self, reading.draw, version, by=self.context.person.id,
                              note=self._side.note_field.text().strip(), leave_out_open=leave_out, then=then,
                              failed=self._not_drawn)

    def _drawn(self, done: Done) -> None:
        self._end()
        report = done.value
        if not report.manifest_sha256:  # something came in the way since the page looked
            self._read()
            return
        self._side.drawn()
        self._just_drawn = report.version
        self.say(self.tr("Release {version} is drawn: {n} items, {values} values, manifest {hash}.").format(
            version=report.version, n=figures.count(report.items), values=figures.count(report.values),
            hash=report.manifest_sha256[:16]), kind="good", button=self.tr("Export"), keys="Ctrl+Shift+E",
            act=self.export)

    def _not_drawn(self, refused: Refused) -> None:
        self._end()
        if not self._side.refuse(refused):
            self.say(refused)

    @command("gold.export", _T("commands", "Export a bundle"), menu="File", keys="Ctrl+Shift+E", when="can_export",
             icon="export")
    @Slot()
    def export(self) -> None:
        """Write the chosen release; with none drawn yet, a draft is drawn first."""
        if not self.can_export:
            return
        if not self._bundles.path():
            self._bundles.choose_folder()
        if not self._bundles.path():
            return
        self.hush()
        chosen = self._bundles.chosen()
        # What was just drawn is meant, also where the list of releases has not been read anew yet.
        version = self._just_drawn or (chosen.version if chosen else None)
        if version is None:
            self._draw(None, leave_out=False, then=self._drawn_to_export)
        else:
            self._write(version)

    def _drawn_to_export(self, done: Done) -> None:
        self._end()
        self._side.drawn()
        if done.value.manifest_sha256:
            self._write(done.value.version)

    def _write(self, version: str) -> None:
        store, out, by = self.context.store, self._bundles.path(), self.context.person.id
        private = self._bundles.private.isChecked()
        self._begin(self.tr("Writing the bundle"))
        self.context.jobs.work(self, lambda _progress, _cancelled: reading.write(store, out, version=version,
                                                                                 private=private, by=by),
                               then=self._written, failed=self._not_written)

    def _written(self, written: Written) -> None:
        self._end()
        bundles = self.context.settings.get("bundles")
        self.context.settings.set("bundles", {**bundles, self.context.project: written.out})
        self._bundles.show_written(written)

    def _not_written(self, refused: Refused) -> None:
        self._end()
        self._bundles.refuse_path(refused)

    @command("gold.verify", _T("commands", "Verify the project and the bundle"), menu="View", keys="Ctrl+Shift+V",
             when="can_verify", icon="check_again")
    @Slot()
    def verify(self) -> None:
        """Every event, release and picture of the project; and the bundle in the folder, if there is one."""
        if not self.can_verify:
            return
        project, bundle = self.context.project, self._bundles.path()
        self._begin(self.tr("Verifying"))
        self.context.jobs.work(self, lambda _progress, _cancelled: reading.check(project, bundle),
                               then=self._verified, failed=self._not_verified)

    def _verified(self, found: Verified) -> None:
        self._end()
        self._bundles.show_verified(found)

    def _not_verified(self, refused: Refused) -> None:
        self._end()
        self._bundles.say_not_verified(refused)

    def _begin(self, said: str) -> None:
        self._busy = True
        self._running.begin(said)
        self.update_commands()

    def _end(self) -> None:
        self._busy = False
        self._running.end()
        self.update_commands()
