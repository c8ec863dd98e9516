"""What is done on the page Gold: drawing, waiving, noting errata, recounting, exporting and verifying."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from annotation import rights
from annotation.done import Done
from annotation.errors import Refused
from app import figures
from app.commands import command
from app.context import Context
from app.i18n import QT_TRANSLATE_NOOP, sentence
from app.jobs import Work
from app.page import Page
from app.pages.gold import reading
from app.pages.gold.changes import ChangesPanel
from app.pages.gold.exporting import Exporting
from app.pages.gold.findings import Findings
from app.pages.gold.reading import GoldPageView, Verified
from app.pages.gold.side import ReleaseSide
from app.parts.running import Running
from exports import errata, waivers

_T = QT_TRANSLATE_NOOP
EXPORT = 1


class GoldDeeds(Page):
    """The page without its looks: the parts that deeds speak to, and the deeds. One deed at a time."""

    _view: GoldPageView | None
    _findings: Findings

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        roles = context.person.roles
        self._may_release, self._may_export = rights.may(roles, "release"), rights.may(roles, "export")
        self._at = 0
        self._busy = False
        self._deed: Work | None = None
        self._just_drawn: str | None = None
        self._running = Running()
        self._side = ReleaseSide(self._may_release, context.project, context.settings)
        private = any(field.private for field in context.store.protocol.fields)
        self._exporting = Exporting(context.project, reading.formats(), context.settings, private_fields=private)
        self._changes = ChangesPanel(context.store.protocol, may=self._may_release)

    def show_section(self, at: int) -> None:
        """The page shows this section."""

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
    def why_no_release(self) -> str:
        return self._still_busy or self._side.why_not()

    @property
    def why_nothing_left_out(self) -> str:
        return self._still_busy or self._side.why_not_leave_out()

    @property
    def why_no_export(self) -> str:
        if self._still_busy or self._view is None:
            return self._still_busy
        if not self._may_export:
            return self.tr("You may not export.")
        return self.tr("There is no release to export, and nothing to draw one from.") if self._may_release else (
            self.tr("There is no release to export. Only researchers and owners draw one."))

    @property
    def _still_busy(self) -> str:
        return self.tr("Something still runs here. Wait until it is done.") if self._busy else ""

    @property
    def can_verify(self) -> bool:
        return not self._busy

    @property
    def can_recount(self) -> bool:
        return not self._busy and self._may_release and self._view is not None and bool(self._view.stale)

    def update_commands(self) -> None:
        super().update_commands()
        self._side.draw_button.setEnabled(self.can_release)
        self._side.without_button.setEnabled(self.can_leave_out)
        self._exporting.export_button.setEnabled(self.can_export)
        self._exporting.verify_button.setEnabled(self.can_verify)

    # --- drawing --------------------------------------------------------------------------------------------

    @command("gold.release", _T("commands", "Draw the release"), menu="Item", keys="Ctrl+Return", when="can_release",
             why="why_no_release", icon="gold")
    @Slot()
    def release(self) -> None:
        if self.can_release:
            self._draw(self._side.version(), leave_out=False, then=self._drawn)

    @command("gold.release_without", _T("commands", "Leave out what waits and release"), menu="Item",
             keys="Ctrl+Shift+Return", when="can_leave_out", why="why_nothing_left_out", icon="gold")
    @Slot()
    def release_without(self) -> None:
        if self.can_leave_out:
            self._draw(self._side.version(), leave_out=True, then=self._drawn)

    def _draw(self, version: str | None, *, leave_out: bool, then: Any) -> None:
        store, by = self.context.store, self.context.person.id
        note = self._side.note_field.text().strip() if version == self._side.version() else ""
        self.hush()
        about, strict = self._side.about(), self._side.strict()
        self._begin(self.tr("Drawing the release"))
        self._deed = self.context.jobs.store_work(
            self, lambda progress, cancelled: reading.draw(store, version, by=by, note=note, about=about,
                                                           leave_out_open=leave_out, strict=strict,
                                                           progress=progress, cancelled=cancelled),
            then=lambda done: then(done, about), failed=self._not_drawn, progressed=self._running.progressed)
        self.update_commands()

    def _drawn(self, done: Done, about: str) -> None:
        self._end()
        report = done.value
        if not report.manifest_sha256:  # something came in the way since the page looked
            self.say(self.tr("Nothing was drawn: what stops the release stands under Before the release."))
            self.check_again()
            return
        self._side.drawn()
        self._just_drawn = report.version
        self._exporting.suggest(report.version)
        said = self.tr("Release {version} is drawn: {n} items, {values} values; its checksum begins {hash}.").format(
            version=report.version, n=figures.count(report.items), values=figures.count(report.values),
            hash=report.manifest_sha256[:16])
        if about:
            said += " " + self.tr("Its card says what {file} states.").format(file=Path(about).name)
        self.say(said, kind="good", button=self.tr("Export"), keys="Ctrl+Shift+E",
            act=self.export)

    def check_again(self) -> None:
        """The page looks anew."""

    def _not_drawn(self, refused: Refused) -> None:
        self._end()
        if refused.code == "cancelled":
            self.say(self.tr("Stopped. Nothing was drawn."), kind="info")
        elif not self._side.refuse(refused):
            self.say(refused)

    @command("gold.recount", _T("commands", "Recount people's error rates"), menu="Item", when="can_recount",
             icon="check_again")
    @Slot()
    def recount(self) -> None:
        """The rule dawid_skene: error rates from all answers, and gold with them."""
        if self.can_recount:
            store, by = self.context.store, self.context.person.id
            self._begin(self.tr("Counting error rates"))
            self.context.jobs.store_work(
                self, lambda progress, _cancelled: reading.recount(store, by=by, progress=progress),
                then=self._recounted, failed=self._refused, progressed=self._running.progressed)

    def _recounted(self, done: Done) -> None:
        self._end()
        changed, items = done.value.changed, done.value.items
        self.say(self.tr("Recounted over {items} items; gold, or what is due, changed for {n}.").format(
            items=figures.count(items), n=figures.count(changed)), kind="good")

    # --- waiving and explaining -----------------------------------------------------------------------------

    @Slot(str, object, str)
    def _waive(self, code: str, keys: tuple[str, ...], reason: str) -> None:
        self.context.jobs.run(self, waivers.waive, code, keys, reason=reason, by=self.context.person.id,
                              failed=lambda why: self._findings.refuse(code, sentence(why)))

    @Slot(str)
    def _unwaive(self, waiver: str) -> None:
        self.context.jobs.run(self, waivers.take_back, UUID(waiver), by=self.context.person.id)

    @Slot(str, str, str)
    def _note_erratum(self, key: str, why: str, release: str) -> None:
        self.context.jobs.run(self, errata.note, key, why, by=self.context.person.id, release=release,
                              then=lambda _done: self._changes.noted_one(),
                              failed=lambda refused: self._changes.refuse(sentence(refused)))

    @Slot(object)
    def _take_back_erratum(self, erratum: UUID) -> None:
        self.context.jobs.run(self, errata.take_back, erratum, by=self.context.person.id)

    # --- exporting and verifying ----------------------------------------------------------------------------

    @command("gold.export", _T("commands", "Export a release"), menu="File", keys="Ctrl+Shift+E", when="can_export",
             why="why_no_export", icon="export")
    @Slot()
    def export(self) -> None:
        """Write the chosen release; with none drawn yet, a draft is drawn first."""
        if not self.can_export:
            return
        self.show_section(EXPORT)
        if not self._exporting.path():
            self._exporting.choose_folder()
        if not self._exporting.path():
            return
        self.hush()
        chosen = self._exporting.releases.chosen()
        # What was just drawn is meant, also where the list of releases has not been read anew yet.
        version = self._just_drawn or (chosen.version if chosen else None)
        if version is None:
            self._draw(None, leave_out=False, then=self._drawn_to_export)
        else:
            self._write(version)

    def _drawn_to_export(self, done: Done, _about: str) -> None:
        self._end()
        version = self._side.version()
        if version is None:
            self._side.drawn()
        if done.value.manifest_sha256:
            if version is not None:  # it stays in its field, and so does its note
                way = self._side.why_not() or self.tr("Ctrl Return makes it.")
                self.say(self.tr("What is exported is a draft, {draft}. Release {version} is not drawn yet. {way}")
                         .format(draft=done.value.version, version=version, way=way), kind="info")
            self._write(done.value.version)

    def _write(self, version: str) -> None:
        store, out, by = self.context.store, self._exporting.path(), self.context.person.id
        format, options = self._exporting.format.value(), self._exporting.options()
        self._begin(self.tr("Writing the release"))
        self._deed = self.context.jobs.work(
            self, lambda progress, cancelled: reading.write(store, out, format=format, version=version, options=options,
                                                            by=by, progress=progress, cancelled=cancelled),
            then=lambda written: self._written(written, format, options), failed=self._not_written,
            progressed=self._running.progressed)
        self.update_commands()

    def _written(self, written: Any, format: str, options: tuple[str, ...]) -> None:
        self._end()
        if format == "bundle" and "anonymous" not in options:  # Score opens with the named one
            bundles = self.context.settings.get("bundles")
            self.context.settings.set("bundles", {**bundles, self.context.project: written.out})
        self._exporting.show_written(written, format, options)

    def _not_written(self, refused: Refused) -> None:
        self._end()
        if refused.code == "cancelled":
            self.say(self.tr("Stopped. Nothing was written."), kind="info")
        else:
            self._exporting.refuse_path(refused)

    @command("gold.verify", _T("commands", "Verify the project and the bundle"), menu="View", keys="Ctrl+Shift+V",
             when="can_verify", icon="check_again")
    @Slot()
    def verify(self) -> None:
        """Every event, release and picture of the project; and the bundle in the folder, if there is one."""
        if not self.can_verify:
            return
        self.show_section(EXPORT)
        project, bundle = self.context.project, self._exporting.path()
        self._begin(self.tr("Verifying"))
        self.context.jobs.work(self, lambda _progress, _cancelled: reading.check(project, bundle),
                               then=self._verified, failed=self._not_verified)

    def _verified(self, found: Verified) -> None:
        self._end()
        self._exporting.show_verified(found)

    def _not_verified(self, refused: Refused) -> None:
        self._end()
        self._exporting.say_not_verified(refused)

    def _refused(self, refused: Refused) -> None:
        self._end()
        self.say(refused)

    def _begin(self, said: str) -> None:
        self._busy = True
        self._running.begin(said)
        self.update_commands()

    def _end(self) -> None:
        self._busy, self._deed = False, None
        self._running.end()
        self.update_commands()
