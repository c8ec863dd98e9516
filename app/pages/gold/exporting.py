"""Writing a release into a folder: in which format, with what, what that format has no place for; and verifying."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from annotation.errors import Refused
from app import figures, theme
from app.i18n import sentence
from app.pages.gold import formats
from app.pages.gold.reading import Format, Verified
from app.pages.gold.releases import Releases
from app.parts.boxes import clear
from app.parts.buttons import CapButton
from app.parts.field import Choice, Field, Labelled, beside
from app.parts.line import LineInPlace
from app.parts.option import OptionButton
from app.parts.scroll import into_sight
from app.parts.text import label
from app.settings import Settings
from exports.outlook import ReleaseView

FAULTS = 8


class Exporting(QWidget):
    """``export_asked`` and ``verify_asked`` go to the page; ``score_asked`` carries the folder of a bundle."""

    export_asked = Signal()
    verify_asked = Signal()
    score_asked = Signal(str)

    def __init__(self, project: str, known: tuple[Format, ...], settings: Settings, *, private_fields: bool,
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._project, self._known, self._settings = project, {one.name: one for one in known}, settings
        self._has_private = private_fields
        self._suggested, self._draft = "", ""
        self.releases = Releases()
        self.releases.shown.connect(self._release_shown)
        self.releases.opened.connect(self._go_to_path)
        self.format = Choice(self.tr("Format"), [(one.name, formats.name(one)) for one in known])
        self.format.setObjectName("gold:format")
        self.format.activated.connect(self._format_chosen)
        self.path_field = Field(self.tr("Folder to export to"), hint=self.tr("a new or empty folder"))
        self.path_field.setObjectName("gold:path")
        self.path_field.returnPressed.connect(self.export_asked)
        self.path_field.textEdited.connect(self._typed)
        self._path = Labelled(self.tr("Export to the folder"), self.path_field)
        self._choose = CapButton(self.tr("Choose"), icon="open", tip=self.tr("Choose the folder"))
        self._choose.clicked.connect(self.choose_folder)
        self._options: dict[str, OptionButton] = {}
        for name in formats.OPTIONS:
            made = OptionButton(formats.option(name), multi=True)
            made.setObjectName(f"gold:option:{name}")
            made.clicked.connect(self._toggle)
            self._options[name] = made
        self._blind = label(formats.blind(), "caption", "ink2", wrap=True)
        self._blind.setObjectName("gold:blind")
        self._about = label("", "body", "ink2", wrap=True)
        self._cannot = label("", "caption", "ink2", wrap=True)
        self._cannot.setObjectName("gold:cannot")
        self.export_button = CapButton(self.tr("Export"), icon="export", keys="Ctrl+Shift+E")
        self.export_button.clicked.connect(self.export_asked)
        self.verify_button = CapButton(self.tr("Verify"), kind="flat", icon="check_again", keys="Ctrl+Shift+V")
        self.verify_button.clicked.connect(self.verify_asked)
        self._written, self._verified = LineInPlace(parent=self), LineInPlace(parent=self)
        self._written.setObjectName("gold:written")
        self._verified.setObjectName("gold:verified")
        self._notes = QVBoxLayout()
        self._notes.setSpacing(theme.space("xs"))
        self._faults = QVBoxLayout()
        self._faults.setSpacing(theme.space("xs"))
        self._build()
        self._recall()

    def _build(self) -> None:
        as_what = QHBoxLayout()
        as_what.addWidget(Labelled(self.tr("Format"), self.format))
        as_what.addStretch(1)
        options = QVBoxLayout()
        options.setSpacing(theme.space("xxs"))
        for one in self._options.values():
            options.addWidget(one)
        options.addWidget(self._blind)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.space("s"))
        buttons.addWidget(self.export_button)
        buttons.addWidget(self.verify_button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        column.addWidget(label(self.tr("Releases"), "strong"))
        column.addWidget(self.releases)
        column.addSpacing(theme.space("m"))
        column.addWidget(label(self.tr("Export"), "strong"))
        column.addLayout(as_what)
        column.addWidget(self._about)
        column.addWidget(self._cannot)
        column.addLayout(options)
        column.addWidget(beside(self._path, self._choose))
        column.addLayout(buttons)
        column.addWidget(self._written)
        column.addLayout(self._notes)
        column.addWidget(self._verified)
        column.addLayout(self._faults)

    def fit(self, *, dense: bool) -> None:
        self.releases.fit(dense=dense)
        wide = max(one.sizeHint().width() for one in self._options.values())
        for one in self._options.values():
            one.setFixedWidth(wide)  # their boxes stand below each other

    # --- what is asked for ----------------------------------------------------------------------------------

    def path(self) -> str:
        return self.path_field.text().strip()

    def options(self) -> tuple[str, ...]:
        """Those that are switched on, of those that the format has."""
        return tuple(name for name, one in self._options.items() if not one.isHidden() and one.isChecked())

    @Slot()
    def choose_folder(self) -> None:
        start = Path(self.path() or self._suggested).parent
        folder = QFileDialog.getExistingDirectory(self, self.tr("Export to the folder"), str(start))
        if folder:
            self._set_path(folder)

    @Slot()
    def _toggle(self) -> None:
        pressed = self.sender()
        assert isinstance(pressed, OptionButton)
        pressed.setChecked(not pressed.isChecked())
        for one in self._options.values():  # neither goes with the other
            one.setChecked(one.isChecked() and (one is pressed or not pressed.isChecked()))
        self._chosen()

    def _chosen(self) -> None:
        """Show what the choice means, and remember it; private fields have to be asked for each time."""
        self._blind.setVisible("anonymous" in self.options())
        self._suggest()
        kept = {"format": self.format.value(), "options": [one for one in self.options() if one != "private"]}
        self._settings.set("exports", {**self._settings.get("exports"), self._project: json.dumps(kept)})

    def _recall(self) -> None:
        """The format and the options of the last time."""
        try:
            kept = json.loads(self._settings.get("exports").get(self._project, "{}"))
        except ValueError:
            kept = {}
        self.format.set_value(str(kept.get("format", "")))
        for name, one in self._options.items():
            one.setChecked(name in kept.get("options", ()))
        self._format_chosen(0)

    @Slot(int)
    def _format_chosen(self, _at: int) -> None:
        one = self._known[self.format.value()]
        self._about.setText(formats.about(one))
        self._cannot.setText(formats.cannot(one))
        self._cannot.setVisible(bool(one.cannot))
        for name, button in self._options.items():
            there = name in one.options and (name != "private" or (one.name == "bundle" and self._has_private))
            button.setVisible(there) if not there or button.parentWidget() is not None else None
        self._chosen()

    # --- showing --------------------------------------------------------------------------------------------

    def show_releases(self, rows: Any, *, draft: str) -> None:
        """``draft``: the version that a draft drawn now would have."""
        self._draft = draft
        self.releases.show_releases(rows)

    @Slot(object)
    def _release_shown(self, row: ReleaseView | None) -> None:
        self.export_button.set_text(self.tr("Export release {version}").format(version=row.version)
                                    if row is not None else self.tr("Draw a draft and export it"))
        self._suggest()

    def _suggest(self) -> None:
        chosen = self.releases.chosen()
        self.suggest(chosen.version if chosen is not None else self._draft)

    def suggest(self, version: str) -> None:
        """A folder beside the project, named after release and format, where nobody typed another."""
        base = Path(self._project) if "://" not in self._project else Path.home() / "project"
        parts = [base.stem, version]
        parts += [self.format.value()] if self.format.value() != "bundle" else []
        parts += ["anonymous"] if "anonymous" in self.options() else []
        name = "-".join(filter(None, parts))
        if "anonymous" in self.options():
            name = "-".join(filter(None, ("gold", *parts[1:])))  # not the project's own name
        suggested = str(base.parent / name)
        if not self.path() or self.path() == self._suggested:
            self._set_path(suggested)
        self._suggested = suggested

    def _set_path(self, path: str) -> None:
        self.path_field.setText(path)
        self.path_field.setToolTip(path)
        self._path.set_fault("")

    @Slot()
    def _go_to_path(self) -> None:
        self.path_field.setFocus()
        self.path_field.selectAll()

    @Slot()
    def _typed(self) -> None:
        self._path.set_fault("")

    def refuse_path(self, refused: Refused) -> None:
        if refused.code == "identifying":  # not the folder's fault
            into_sight(self._written)
            clear(self._notes)
            self._verified.hush()
            self._written.say("bad", self.tr("{why}. Nothing was written.").format(why=sentence(refused).rstrip(".")))
            return
        self._path.set_fault(sentence(refused))
        self.path_field.setFocus()

    def show_written(self, written: Any, format: str, options: Sequence[str] = ()) -> None:
        """What was written, read back and left out."""
        into_sight(self._written)
        self._verified.hush()
        clear(self._faults)
        clear(self._notes)
        said = self.tr("Release {version}, {n} items, was written to {out}.").format(
            version=written.release, n=figures.count(written.items), out=written.out)
        if "anonymous" in options:
            self._written.say("good", self.tr(
                "{said} It names nobody; its manifest commits to the named release.").format(said=said))
            return
        if format == "bundle":
            self._written.say("good", said, button=self.tr("Score"), act=lambda: self.score_asked.emit(written.out))
            return
        self._written.say("good", self.tr("{said} {n} rows were read back and are as in the bundle.").format(
            said=said, n=figures.count(written.read_back)))
        for line in formats.left_out(written):
            self._notes.addWidget(label(line, "body", "ink2", wrap=True))

    def show_verified(self, found: Verified) -> None:
        clear(self._faults)
        faults = list(found.project.faults)
        said = self.tr("The project: {events} events, {n} pictures").format(
            events=figures.count(found.project.rows), n=figures.count(found.project.files))
        if found.bundle is not None:
            faults += found.bundle.faults
            said += self.tr("; the bundle {name}: {files} files, {rows} rows").format(
                name=Path(found.where).name, files=figures.count(found.bundle.files),
                rows=figures.count(found.bundle.rows))
        if not faults:
            self._verified.say("good", self.tr("{what}. No fault.").format(what=said))
            return
        n = self.tr("1 fault") if len(faults) == 1 else self.tr("{n} faults").format(n=figures.count(len(faults)))
        self._verified.say("bad", self.tr("{n}. {what}.").format(n=n, what=said))
        for fault in faults[:FAULTS]:
            place = fault.file if fault.line is None else f"{fault.file}:{fault.line}"
            self._faults.addWidget(label(f"{place}: {fault.message} ({fault.code})", "body", "ink", wrap=True))
        if len(faults) > FAULTS:
            self._faults.addWidget(label(self.tr("and {n} more").format(n=len(faults) - FAULTS), "body", "ink2"))

    def say_not_verified(self, refused: Any) -> None:
        clear(self._faults)
        self._verified.say("bad", sentence(refused))
