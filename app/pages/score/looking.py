"""Score: the items where a system and people differ, shown on the page Items, and sent to a round of looking again."""

from __future__ import annotations

from pathlib import Path

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
from app.pages.score import words
from app.pages.score.apart import ApartPanel
from app.pages.score.differing import Found, Place, items_of, read_differing, send
from app.pages.score.reading import System
from app.pages.score.scoring import ScoringPage

_T = QT_TRANSLATE_NOOP
APART = 3  # the place of the section


class LookingPage(ScoringPage):
    """``_system`` is the row that is looked at, ``show_section`` shows a section of the page."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._at = 0
        self._looking: Work | None = None
        self._apart = ApartPanel(may_send=rights.may(context.person.roles, "assign"))
        self._apart.opened.connect(self._show_keys)
        self._apart.send_asked.connect(self.recheck)
        self._apart.running.stopped.connect(self.stop)

    def _system(self) -> System | None:
        """The page's current row."""
        return None

    def show_section(self, at: int) -> None:
        """The page shows this section."""

    def _look_at(self, slice: tuple[str, str | None] | None, *, focus: bool) -> None:
        """List the items where the system of the current row and people differ."""
        system = self._system()
        if system is None:
            return
        self.show_section(APART)
        if system.file is None or system.kind not in ("file", "people"):
            self._apart.say(self.tr("{system} is made of others’ answers: choose a file of predictions.").format(
                system=words.system(system)))
            return
        name = next((name for name, file in self._inputs.files.items() if str(Path(file)) == str(Path(system.file))),
                    system.name)
        self._read_differing(Place(name, system.file, system.figure["metric"], system.figure["question"], slice),
                             focus=focus)

    def _look_again(self) -> None:
        """Scored anew: what is listed is read anew too, or goes with its file."""
        found = self._apart.found()
        if found is not None and found.place.system in self._inputs.files:
            self._read_differing(found.place, focus=False)
        elif found is not None:
            self._apart.say("")

    def _read_differing(self, place: Place, *, focus: bool) -> None:
        self._stop_looking()
        bundle, options = self._inputs.bundle(), self._options
        self._apart.running.begin(self.tr("Looking for items"))

        def take(found: Found | None) -> None:
            self._looking = None
            self._apart.running.end()
            if found is not None:
                self._apart.show_found(found)
                if focus and found.rows:
                    self._apart.table.setFocus()
            self.update_commands()

        def failed(refused: Refused) -> None:
            self._looking = None
            self._apart.running.end()
            self._apart.say(words.fault(refused))

        self._looking = self.context.jobs.work(
            self, lambda _progress, cancelled: read_differing(bundle, place, options, cancelled), then=take,
            failed=failed)
        self.update_commands()

    @Slot(object)
    def _show_keys(self, keys: tuple[str, ...]) -> None:
        self.context.jobs.read(self, items_of, keys, then=lambda items: self.context.go("items", ids=items),
                               failed=self._not_here)

    def _not_here(self, refused: Refused) -> None:
        self.say(self.tr("{fault}. The bundle is perhaps of another project.").format(
            fault=sentence(refused).rstrip(".")))

    @command("score.recheck", _T("commands", "Send the items to a recheck round"), menu="Item", keys="Ctrl+Shift+R",
             when="can_recheck", icon="send_back")
    @Slot()
    def recheck(self) -> None:
        """The chosen items, or all that are listed: each gets an open query."""
        found = self._apart.found()
        if found is None or not self.can_recheck or self._scored is None:
            return
        chosen = {"system": found.place.system, "metric": found.place.metric, "slice": found.place.slice,
                  "bundle": self._scored.data["manifest_sha256"]}
        names = self.context.store.protocol.value_names
        question = found.place.question if found.place.question in names else None
        self.context.jobs.run(self, send, self._apart.keys(), by=self.context.person.id, why=self._apart.why.text(),
                              question=question, chosen=chosen, then=self._sent, failed=self._not_here)

    def _sent(self, done: Done) -> None:
        made = done.value
        if not made.items:
            self.say(self.tr("Each of these items is in a recheck round already, and its query is open."), kind="info")
            return
        text = self.tr("{round}: {n} items have an open query now.").format(
            round=made.name.capitalize(), n=figures.count(len(made.items)))
        if made.already:
            text += " " + self.tr("{n} were in a round already.").format(n=figures.count(made.already))
        self.say(text, kind="good", button=self.tr("Show"), act=lambda: self.context.go("items", ids=made.items))

    def _stop_looking(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
            self._apart.running.end()

    @property
    def is_computing(self) -> bool:
        return super().is_computing or self._looking is not None

    def update_commands(self) -> None:
        super().update_commands()
        self._apart.send_button.setEnabled(self.can_recheck)

    @property
    def can_recheck(self) -> bool:
        return self._at == APART and not self._views.currentIndex() and self._apart.can_send
