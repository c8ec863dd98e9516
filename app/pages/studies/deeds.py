"""What is done on the page Studies: keeping a text, registering, sitting, ending sittings, exporting."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from annotation.done import Done
from annotation.errors import N_, Refused
from app.commands import command
from app.context import Context
from app.i18n import QT_TRANSLATE_NOOP
from app.page import Page
from app.pages.studies import reading, words
from app.pages.studies.design import DesignPanel
from app.pages.studies.people import SittingsPanel
from app.pages.studies.reading import Seen
from app.parts.field import Choice
from app.stage.kiosk import Stage, Wanted, open_stage
from exports.studies.writing import FORMATS, Written
from studies.model import Study
from studies.sittings import StudyView

_T = QT_TRANSLATE_NOOP


class StudiesDeeds(Page):
    """The page without its looks."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._seen: Seen | None = None
        self._hash = ""                      # of the study that is shown; "" for a text that is not kept yet
        self._known: tuple[StudyView, ...] = ()
        self._stage: Stage | None = None
        self._before: QWidget | None = None  # what had the focus before the sitting
        self._design = DesignPanel(self._check)
        self._sittings = SittingsPanel()
        self._format = Choice(self.tr("Format"), [(name, words.format(name)) for name in FORMATS])
        self._format.setObjectName("studies:format")

    def _check(self, text: str, then: Any) -> None:
        kept = bool(self._hash) and not self._design.is_changed
        self.context.jobs.read(self, reading.check, text, kept=kept, then=then, failed=self.say)

    def show_study(self, hash: str) -> None:
        """The page reads and shows this one."""

    # --- what can be done -----------------------------------------------------------------------------------

    @property
    def can_keep(self) -> bool:
        checked = self._design.checked
        return (not self.reading_only and self._design.is_changed and checked is not None
                and checked.study is not None and not checked.faults and not self._is_taken(checked.study))

    def _is_taken(self, study: Study) -> bool:
        """Whether another text has this id and version: two that cannot be told apart by name."""
        return any((view.id, view.version) == (study.id, study.version) and view.hash != study.hash
                   for view in self._known)

    @property
    def can_sit(self) -> bool:
        return (self._seen is not None and not self._design.is_changed and self._stage is None
                and not self.reading_only and self._seen.drawn.plan is not None)

    @property
    def can_register(self) -> bool:
        seen = self._seen
        return (self.can_sit and seen is not None and seen.registered is None
                and not any(not one.pilot for one in seen.sittings))

    @property
    def can_save_registration(self) -> bool:
        return self._seen is not None and self._seen.registered is not None

    @property
    def can_export(self) -> bool:
        return self._seen is not None and bool(self._seen.counts.completed or self._seen.counts.pilots)

    # --- text -----------------------------------------------------------------------------------------------

    @command("studies.open", _T("commands", "Open a study's file"), menu="File", keys="Ctrl+Shift+O", icon="open")
    @Slot()
    def open_file(self) -> None:
        file, _ = QFileDialog.getOpenFileName(self, self.tr("Open a study's file"), "", "YAML (*.yaml *.yml)")
        if file:
            self.open_path(file)

    def open_path(self, file: str) -> None:
        """A file chosen or dropped: its text to edit, not kept yet."""
        self.context.jobs.work(self, lambda _progress, _cancelled: Path(file).read_text("utf-8-sig"),
                               then=self.begin_text, failed=self.say)

    def begin_text(self, text: str) -> None:
        """A text that the project does not keep yet."""
        self._hash, self._seen = "", None
        self._design.show_text(text, kept=False)
        self.update_commands()

    @command("studies.keep", _T("commands", "Keep this study"), menu="Item", keys="Ctrl+S", when="can_keep",
             icon="saved")
    @Slot()
    def keep(self) -> None:
        if self.can_keep:
            self.hush()
            self.context.jobs.run(self, reading.add, self._design.text(), by=self.context.person.id, then=self._kept,
                                  failed=self.say)

    def _kept(self, done: Done) -> None:
        self.say(self.tr("The study is kept. Try it as a pilot before anybody sits for it."), kind="good")
        self.show_study(done.value)

    # --- registering ----------------------------------------------------------------------------------------

    @command("studies.register", _T("commands", "Register this study"), menu="Item", when="can_register",
             icon="lock")
    @Slot()
    def register(self) -> None:
        if self.can_register:
            self.context.jobs.run(self, reading.register, self._hash, by=self.context.person.id, undoable=False,
                                  then=self._registered, failed=self.say)

    def _registered(self, done: Done) -> None:
        self.say(self.tr("Registered: design, lists, seed, exclusion rule, analysis and number of people are frozen. "
                         "The document's checksum begins {hash}.").format(hash=done.value.sha256[:16]), kind="good",
                 button=self.tr("Save the document"), act=self.save_registration)
        self.show_study(self._hash)

    @command("studies.save_registration", _T("commands", "Save the registration"), menu="Item",
             when="can_save_registration", icon="export")
    @Slot()
    def save_registration(self) -> None:
        if not self.can_save_registration or self._seen is None or self._seen.registered is None:
            return
        document = self._seen.registered
        file, _ = QFileDialog.getSaveFileName(self, self.tr("Save the registration"),
                                              f"{self._seen.view.id}-registration.md", "Markdown (*.md);;JSON (*.json)")
        if file:
            text = document.text if file.endswith(".json") else document.markdown
            self.context.jobs.work(self, lambda _progress, _cancelled: _put(file, text),
                                   then=lambda name: self.say(self.tr("Saved as {file}.").format(file=name),
                                                              kind="good"), failed=self.say)

    # --- sitting --------------------------------------------------------------------------------------------

    @command("studies.begin", _T("commands", "Begin a sitting"), menu="Item", keys="Ctrl+Return", when="can_sit",
             icon="go_on")
    @Slot()
    def begin(self) -> None:
        self._sit(Wanted(self._hash))

    @command("studies.pilot", _T("commands", "Try it as a pilot"), menu="Item", keys="Ctrl+Shift+Return",
             when="can_sit", icon="show")
    @Slot()
    def pilot(self) -> None:
        self._sit(Wanted(self._hash, pilot=True))

    @Slot(str, bool)
    def go_on(self, participant: str, pilot: bool) -> None:
        """With the study as it is kept: neither a text being written nor other items change what was drawn."""
        if self.reading_only:
            self.say(self.reading_only)
        elif self._stage is None and self._seen is not None:
            self._open_stage(Wanted(self._hash, participant=participant, pilot=pilot, resume=True))

    def _sit(self, wanted: Wanted) -> None:
        if self.can_sit:
            self._open_stage(wanted)

    def _open_stage(self, wanted: Wanted) -> None:
        self.hush()
        self._before = self.window().focusWidget()
        self._stage = open_stage(self.context.jobs, wanted, by=self.context.person.id, parent=self)
        self._stage.ended.connect(self._sat)
        self.update_commands()

    @Slot(str)
    def _sat(self, state: str) -> None:
        stage, self._stage = self._stage, None
        if stage is not None:
            if stage.refused is not None:
                self.say(stage.refused)
            stage.deleteLater()
        if state == "completed":
            self.say(self.tr("The sitting is complete."), kind="good")
        self.window().activateWindow()
        self.update_commands()
        if self._before is not None and self._before.isEnabled() and self.isAncestorOf(self._before):
            self._before.setFocus()  # a button that could not be pressed meanwhile has lost it
        self.show_study(self._hash)

    @Slot(object, str, str)
    def end_sitting(self, sitting: UUID, state: str, reason: str) -> None:
        self.hush()
        self.context.jobs.run(self, reading.end, sitting, state, reason, by=self.context.person.id,
                              then=lambda _done: self.show_study(self._hash), failed=self.say)

    # --- exporting ------------------------------------------------------------------------------------------

    @command("studies.export", _T("commands", "Export the trials"), menu="File", keys="Ctrl+Shift+E",
             when="can_export", icon="export")
    @Slot()
    def export(self) -> None:
        if not self.can_export or self._seen is None:
            return
        format = self._format.value()
        place, _ = QFileDialog.getSaveFileName(self, self.tr("Export to the new folder"),
                                               f"{self._seen.view.id}-{format}")
        if place:
            self.write_to(place)

    def write_to(self, place: str) -> None:
        """Export to a new folder; pilots where there is nothing else."""
        assert self._seen is not None
        store, hash, format = self.context.store, self._hash, self._format.value()
        pilots = not self._seen.counts.completed

        def write(_progress: Any, _cancelled: Any) -> Written:
            with store.read() as session:
                return reading.write(session, hash, place, format, pilots=pilots)

        self.context.jobs.work(self, write, then=self._exported, failed=self.say)

    def _exported(self, written: Written) -> None:
        out = sum(written.left_out.values())
        rows = self.tr("1 row") if written.rows == 1 else self.tr("{n} rows").format(n=f"{written.rows:,}")
        people = (self.tr("1 participant") if written.participants == 1 else
                  self.tr("{n} participants").format(n=f"{written.participants:,}"))
        said = (self.tr("{rows} of {people} is in {folder}.") if written.rows == 1 else
                self.tr("{rows} of {people} are in {folder}.")).format(rows=rows, people=people, folder=written.out)
        if out:
            why = ", ".join(f"{n} {words.state(name)}" for name, n in sorted(written.left_out.items()))
            said += " " + (self.tr("1 sitting is not in it: {why}.").format(why=why) if out == 1 else
                           self.tr("{n} sittings are not in it: {why}.").format(n=f"{out:,}", why=why))
        self.say(said, kind="good")


def _put(file: str, text: str) -> str:
    try:
        Path(file).write_text(text, "utf-8")
    except OSError as fault:
        raise Refused(N_("{file} cannot be written: {why}"), file=file, why=fault.strerror or "unknown") from None
    return Path(file).name
