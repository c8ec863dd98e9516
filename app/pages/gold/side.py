"""The side column of Gold: the version and the note, what the release would hold, what stands in the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from annotation.errors import Refused
from app import figures, theme
from app.i18n import sentence
from app.pages.gold import words
from app.pages.gold.reading import GoldPageView
from app.parts.boxes import clear
from app.parts.buttons import CapButton
from app.parts.field import Field, Labelled, beside
from app.parts.line import LineInPlace
from app.parts.option import OptionButton
from app.parts.surface import Hairline
from app.parts.text import label, number
from app.settings import Settings
from exports.outlook import Outlook
from exports.preflight import Finding


class ReleaseSide(QWidget):
    """``changed``: the version was typed; the page asks ``version`` and ``can_release``, and does it."""

    changed = Signal()

    def __init__(self, may: bool, project: str, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._may, self._project, self._settings = may, project, settings
        self._view: GoldPageView | None = None
        self._findings: tuple[Finding, ...] | None = None
        self.version_field = Field(self.tr("Version of the release"), hint=self.tr("1.0; empty for a draft"))
        self.version_field.setObjectName("gold:version")
        self.note_field = Field(self.tr("Note to the release"), hint=self.tr("what changed"))
        self.note_field.setObjectName("gold:note")
        self._version = Labelled(self.tr("Version"), self.version_field)
        self.version_field.textEdited.connect(self._typed)
        self.about_field = Field(self.tr("File of statements about the data set"), hint=self.tr("a YAML file"))
        self.about_field.setObjectName("gold:about")
        self.about_field.textEdited.connect(self._about_typed)
        self._about = Labelled(self.tr("About the data set"), self.about_field, hint=self.tr(
            "Licence, authors, intended use, as YAML. Empty: what the release before says."))
        choose = CapButton(self.tr("Choose"), icon="open", tip=self.tr("Choose the file of statements"))
        choose.clicked.connect(self.choose_about)
        known = settings.get("abouts").get(project, "")
        self._set_about(known if known and Path(known).expanduser().is_file() else "")
        self._strict = OptionButton(self.tr("Warnings stop a final one too"), multi=True)
        self._strict.setObjectName("gold:strict")
        self._strict.clicked.connect(self._toggle_strict)
        self._numbers = QVBoxLayout()
        self._numbers.setSpacing(0)
        self._line = LineInPlace()
        self._line.setObjectName("gold:way")
        self.draw_button = CapButton("", kind="primary", keys="Ctrl+Return")
        self.draw_button.setObjectName("gold:draw")
        self.without_button = CapButton("")
        self.without_button.setObjectName("gold:without")
        self._kept = label(self.tr("A release is not undone: it stays as it was drawn, and the next stands beside it."),
                           "caption", "ink2", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.space("xl"), theme.space("page_top"), theme.space("page_top"),
                                  theme.space("l"))
        column.setSpacing(theme.space("s"))
        column.addWidget(label(self.tr("Release"), "strong"))
        column.addWidget(self._version)
        column.addWidget(Labelled(self.tr("Note"), self.note_field))
        column.addWidget(beside(self._about, choose))
        column.addWidget(self._strict)
        column.addSpacing(theme.space("xs"))
        column.addLayout(self._numbers)
        column.addStretch(1)
        for part in (self._line, self.draw_button, self.without_button, self._kept):
            column.addWidget(part)

    # --- what is asked for ----------------------------------------------------------------------------------

    def version(self) -> str | None:
        """The version of a final release, or None for a draft."""
        return self.version_field.text().strip() or None

    def strict(self) -> bool:
        """Whether what is to be warned of stops a final release too."""
        return self._strict.isChecked()

    @Slot()
    def _toggle_strict(self) -> None:
        self._strict.setChecked(not self._strict.isChecked())
        self.show_way()
        self.changed.emit()

    def about(self) -> str:
        """The file that states what only people know, or ""."""
        typed = self.about_field.text().strip()
        return str(Path(typed).expanduser()) if typed else ""

    @Slot()
    def choose_about(self) -> None:
        file, _ = QFileDialog.getOpenFileName(self, self.tr("Choose the file of statements"), str(
            Path(self.about()).parent) if self.about() else "", "YAML (*.yaml *.yml);;" + self.tr("All files") + " (*)")
        if file:
            self._set_about(file)

    def _set_about(self, file: str) -> None:
        self.about_field.setText(file)
        self.about_field.setToolTip(file)
        self._about.set_fault("")

    @Slot()
    def _about_typed(self) -> None:
        self._about.set_fault("")

    def _stops(self) -> set[str]:
        """Codes of what stops a final release; what waits, until preflight has looked at the rest."""
        if self._findings is None:
            return {check.code for check in self._view.outlook.checks} if self._view is not None else set()
        return {one.code for one in self._findings if one.state == "stops" or (
            self.strict() and one.state == "noted" and one.severity == "warn")}

    def _waits(self) -> set[str]:
        """Codes of what can be left out."""
        return {check.code for check in self._view.outlook.checks if not check.stops} if self._view else set()

    @property
    def can_release(self) -> bool:
        """Whether the release in the field can be drawn with nothing left out."""
        view = self._view
        if view is None or not self._may or not view.outlook.items or view.stale:
            return False
        return self.version() is None or not self._stops()

    @property
    def can_leave_out(self) -> bool:
        """Whether a final release can be drawn once what waits is left out."""
        view, stops = self._view, self._stops()
        return (view is not None and self._may and self.version() is not None and not view.stale and bool(stops)
                and stops <= self._waits() and bool(view.outlook.left))

    def why_not(self) -> str:
        """Why the release in the field cannot be drawn as it stands."""
        return self._line.text()

    def why_not_leave_out(self) -> str:
        """Why nothing can be left out of a release now."""
        version = self.version()
        if self._view is None or self.can_leave_out:
            return ""
        if self._may and version is None:
            return self.tr("Only a final release leaves out what waits. Enter its version first, such as 1.0.")
        return self._line.text() or self.tr(
            "Nothing waits that could be left out. Ctrl Return makes release {version}.").format(
                version=_short(version or ""))

    def refuse(self, refused: Refused) -> bool:
        """Say what is wrong with the version or the statements at their field; False where it is something else."""
        if refused.where.file is not None and refused.where.file == self.about():
            self._about.set_fault(sentence(refused))
            self.about_field.setFocus()
            return True
        if refused.code not in ("bad_value", "exists"):
            return False
        self._version.set_fault(sentence(refused))
        self.version_field.setFocus()
        return True

    def drawn(self) -> None:
        self.version_field.clear()
        self.note_field.clear()
        for field in (self._version, self._about):
            field.set_fault("")
        self._settings.set("abouts", {**self._settings.get("abouts"), self._project: self.about()})

    def _typed(self, _text: str) -> None:
        self._version.set_fault("")
        self.show_way()
        self.changed.emit()

    # --- showing --------------------------------------------------------------------------------------------

    def show_view(self, protocol: Any, view: GoldPageView) -> None:
        self._view = view
        look = view.outlook
        clear(self._numbers)
        rows = [(self.tr("Items with gold"), look.items), (self.tr("Values"), look.values),
                (self.tr("Items that wait"), look.waiting)]
        rows += [(words.answer(protocol, look.question or "", {"v": value}).replace("_", " ").capitalize(), n)
                 for value, n in look.tally]
        for name, n in rows:
            self._numbers.addWidget(self._row(name, figures.count(n)))
        self._numbers.addSpacing(theme.space("s"))
        self._numbers.addWidget(Hairline())
        self._numbers.addSpacing(theme.space("s"))
        self._numbers.addWidget(self._row(self.tr("Protocol"), self.tr("version {n}").format(n=protocol.version)))
        self._numbers.addWidget(self._row(self.tr("People"), figures.count(view.people)))
        self.show_way()

    def show_findings(self, findings: tuple[Finding, ...] | None) -> None:
        """What preflight found; None: it has not looked."""
        self._findings = findings
        self.show_way()

    @staticmethod
    def _row(name: str, value: str) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 1, 0, 1)
        line.addWidget(label(name, "body", "ink2", wrap=True), 1)
        line.addWidget(number(value))
        row.setAccessibleName(f"{name}: {value}")
        return row

    def show_way(self) -> None:
        """What stands in the way of what the field asks for, and the words of the buttons."""
        view, version = self._view, self.version()
        if view is None:
            return
        look = view.outlook
        self.draw_button.set_text(self.tr("Draw draft {version}").format(version=look.draft) if version is None
                                  else self.tr("Release {version}").format(version=_short(version)))
        self.without_button.set_text(self.tr("Leave out {n} and go on").format(n=figures.count(look.waiting)))
        self.without_button.setVisible(self.can_leave_out)
        text, kind = "", "warn"
        if not self._may:
            text = self.tr("Only researchers and owners draw releases.")
        elif not look.items:
            text, kind = self.tr("Nothing can be released: no item has gold."), "bad"
        elif view.stale:
            text = self.tr("Answers came since people’s error rates were counted. Recount first.")
        elif version is not None:
            text, kind = self._in_the_way(look)
        if text:
            self._line.say(kind, text)
        else:
            self._line.hush()

    def _in_the_way(self, look: Outlook) -> tuple[str, str]:
        """What stops a final release, and how weighty that is."""
        stops, waits = self._stops(), self._waits()
        if not stops:
            return "", "warn"
        if look.stops_final:
            return self.tr("Pictures are missing. A final release waits until they are there; a draft does not."), "bad"
        if not stops <= waits:
            n = len(stops)
            return (self.tr("1 finding stops a final release. Settle or waive it.") if n == 1 else
                    self.tr("{n} findings stop a final release. Settle or waive them.").format(n=n)), "bad"
        if not look.left:
            return self.tr("All items with gold wait for somebody. Settle them first; a draft takes them as they "
                           "are."), "warn"
        n = look.waiting
        return (self.tr("1 item waits. Settle it or leave it out.") if n == 1 else self.tr(
            "{n} items wait. Settle them or leave them out.").format(n=figures.count(n))), "warn"


def _short(version: str) -> str:
    return version if len(version) <= 12 else version[:11] + "…"
