"""What is scored: the bundle, files of predictions as chips, and whether baselines stand beside them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QFileDialog, QLayout, QVBoxLayout, QWidget

from annotation.errors import Refused
from app import theme
from app.i18n import sentence
from app.parts.buttons import CapButton
from app.parts.chip import Chip
from app.parts.field import Choice, Field, Labelled, beside
from app.parts.flow import flowing
from app.parts.text import label
from exports.scorer.score import named_files

ENDINGS = (".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".pq", ".json", ".eval")


class Inputs(QWidget):
    """``changed``: something else is to be scored."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.files: dict[str, str] = {}
        self._faulty: frozenset[str] = frozenset()
        self.bundle_field = Field(self.tr("Folder of the bundle"), hint=self.tr("a folder that was exported on Gold"))
        self.bundle_field.setObjectName("score:bundle")
        self._bundle = Labelled(self.tr("Bundle"), self.bundle_field)
        self.bundle_field.editingFinished.connect(self._bundle_typed)
        self._known = ""
        self.predictions_field = Field(self.tr("File of predictions"), hint=self.tr(
            "a path, then Enter; or drop files here"))
        self.predictions_field.setObjectName("score:predictions")
        self._predictions = Labelled(self.tr("Predictions of a system: FILE, or NAME=FILE"), self.predictions_field)
        self.predictions_field.returnPressed.connect(self.take_typed)
        choose_bundle = CapButton("", icon="open", tip=self.tr("Choose the folder of the bundle"))
        choose_bundle.set_text(self.tr("Choose"))
        choose_bundle.clicked.connect(self.choose_bundle)
        choose_files = CapButton(self.tr("Add files"), icon="add")
        choose_files.clicked.connect(self.choose_files)
        self.baselines = Chip(self.tr("Baselines"), checkable=True)
        self.baselines.setObjectName("score:baselines")
        self.baselines.setChecked(True)
        self.baselines.toggled.connect(self._toggled)
        self.held_out = Chip(self.tr("Held-out gold"), checkable=True)
        self.held_out.setObjectName("score:held-out")
        self.held_out.toggled.connect(self._toggled)
        self.held_out.hide()
        self.extract = Choice(self.tr("How answers are read"), [
            ("", self.tr("Answers as they are")), ("letter", self.tr("Answers are letters of options")),
            ("index0", self.tr("Answers are places, from 0")), ("index1", self.tr("Answers are places, from 1")),
            ("last-line", self.tr("Answers stand in the last line")), ("exact", self.tr("Exactly, never asked"))])
        self.extract.setObjectName("score:extract")
        self.extract.activated.connect(self._extract_chosen)
        self._chips: list[Chip] = []
        self._row = flowing()
        self._fields = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._fields.setSpacing(theme.space("l"))
        self._fields.addWidget(beside(self._bundle, choose_bundle), 1)
        self._fields.addWidget(beside(self._predictions, choose_files), 1)
        read_as = label(self.extract.accessibleName(), "label", "ink2")
        read_as.setBuddy(self.extract)
        for part in (read_as, self.extract, self.baselines, self.held_out):
            self._flow().addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        column.addLayout(self._fields)
        column.addWidget(self._row)

    def _flow(self) -> QLayout:
        made = self._row.layout()
        assert made is not None
        return made

    def set_narrow(self, narrow: bool) -> None:
        self._fields.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)

    # --- bundle ---------------------------------------------------------------------------------------------

    def bundle(self) -> str:
        return self.bundle_field.text().strip()

    def set_bundle(self, folder: str) -> None:
        self.bundle_field.setText(folder)
        self.bundle_field.setToolTip(folder)
        self._bundle_typed()

    def set_bundle_fault(self, text: str) -> None:
        self._bundle.set_fault(text)

    @Slot()
    def _bundle_typed(self) -> None:
        if self.bundle() != self._known:
            self._known = self.bundle()
            there = bool(self._known) and Path(self._known, "private", "gold.jsonl").expanduser().is_file()
            self.held_out.setVisible(there)
            self.held_out.setChecked(there and self.held_out.isChecked())
            self._bundle.set_fault("")
            self.changed.emit()

    @Slot()
    def choose_bundle(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("Choose the folder of the bundle"), self.bundle())
        if folder:
            self.set_bundle(folder)

    # --- predictions ----------------------------------------------------------------------------------------

    @Slot()
    def take_typed(self) -> None:
        """Add what stands in the field of predictions."""
        typed = self.predictions_field.text().strip()
        if typed and self.add_files([typed]):
            self.predictions_field.clear()

    def add_files(self, paths: Sequence[str]) -> bool:
        """Add files ("FILE" or "NAME=FILE"); False where one could not be taken, which is then said."""
        try:
            added = {name: str(path.expanduser()) for name, path in named_files(paths).items()}
        except Refused as refused:
            self._predictions.set_fault(sentence(refused))
            return False
        for path in added.values():
            if not Path(path).is_file():
                self._predictions.set_fault(self.tr("There is no file {name}.").format(name=path))
                self.predictions_field.setFocus()
                return False
        self._predictions.set_fault("")
        self.files.update(added)
        self._show_chips()
        self.changed.emit()
        return True

    @Slot()
    def choose_files(self) -> None:
        kinds = " ".join(f"*{ending}" for ending in ENDINGS)
        files, _ = QFileDialog.getOpenFileNames(self, self.tr("Add predictions"), "", self.tr(
            "Predictions") + f" ({kinds});;" + self.tr("All files") + " (*)")
        if files:
            self.add_files(files)

    def set_faulty(self, names: frozenset[str]) -> None:
        if names != self._faulty:
            self._faulty = names
            self._show_chips()

    def _show_chips(self) -> None:
        had_focus = False
        for old in self._chips:
            had_focus = had_focus or old.hasFocus()
            self._flow().removeWidget(old)
            old.hide()
            old.deleteLater()
        self._chips = []
        for name, file in self.files.items():
            chip = Chip(name, kind="bad" if name in self._faulty else "neutral", removable=True)
            chip.setObjectName(f"file:{name}")
            chip.setToolTip(file)
            chip.setAccessibleName(self.tr("Take out {name}").format(name=name))
            chip.clicked.connect(self._removed)
            self._flow().addWidget(chip)
            self._chips.append(chip)
        if had_focus:
            self.predictions_field.setFocus()

    @Slot()
    def _removed(self) -> None:
        self.files.pop(self.sender().objectName().partition(":")[2], None)
        self._show_chips()
        self.changed.emit()

    @Slot(int)
    def _extract_chosen(self, _at: int) -> None:
        self.changed.emit()

    @Slot(bool)
    def _toggled(self, _on: bool) -> None:
        self.changed.emit()
