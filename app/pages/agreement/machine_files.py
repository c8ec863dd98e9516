"""The files of predictions that are compared here: chosen or dropped, each a chip, its fault in place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.i18n import sentence
from app.pages.agreement.machine_reading import Fault
from app.parts.boxes import clear
from app.parts.buttons import CapButton
from app.parts.chip import Chip
from app.parts.line import LineInPlace
from app.parts.text import label


class MachineFiles(QWidget):
    """``changed``: a file came or went. Nothing of a file is kept in the project."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.files: list[str] = []
        self._choose = CapButton(self.tr("Add predictions"), icon="open")
        self._choose.setObjectName("machines:choose")
        self._choose.clicked.connect(self.choose)
        self._hint = label(self.tr("A file with item, question, answer and model (CSV, JSON lines or parquet), chosen "
                                   "or dropped here. It is compared and not kept."), "caption", "ink2", wrap=True)
        self._line = LineInPlace("bad", parent=self)
        self._chips = QHBoxLayout()
        self._chips.setSpacing(theme.space("s"))
        row = QHBoxLayout()
        row.setSpacing(theme.space("m"))
        row.addWidget(self._choose)
        row.addWidget(self._hint, 1)
        chips = QHBoxLayout()
        chips.addLayout(self._chips)
        chips.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.space("xs"), 0, theme.space("xs"))
        column.setSpacing(theme.space("s"))
        column.addLayout(row)
        column.addLayout(chips)
        column.addWidget(self._line)

    def add(self, files: Sequence[str]) -> None:
        new = [file for file in dict.fromkeys(files) if file not in self.files]
        if new:
            self.files += new
            self._show_chips()
            self.changed.emit()

    def show_faults(self, faults: Sequence[Fault]) -> None:
        """What was left out and why, the first in full."""
        if not faults:
            self._line.hush()
            return
        if faults[0].why.where.key == "question" and faults[0].why.code == "missing_value":
            why = self.tr("its rows name no question: choose one under Question")
        else:
            why = sentence(faults[0].why, alone=False)
        said = self.tr("{file} was left out: {why}.").format(file=Path(faults[0].file).name, why=why.rstrip("."))
        more = len(faults) - 1
        self._line.say("bad", said + (" " + self.tr("So were {n} more.").format(n=more) if more else ""))

    @Slot()
    def choose(self) -> None:
        files, _ = QFileDialog.getOpenFileNames(self, self.tr("Add predictions"), "", self.tr(
            "Predictions") + " (*.jsonl *.ndjson *.csv *.tsv *.parquet);;" + self.tr("All files") + " (*)")
        self.add(files)

    def _show_chips(self) -> None:
        had_focus = any(self._chips.itemAt(n).widget() and self._chips.itemAt(n).widget().hasFocus()
                        for n in range(self._chips.count()))
        clear(self._chips)
        for file in self.files:
            name = Path(file).name
            chip = Chip(name if len(name) <= 40 else f"{name[:39]}…", removable=True)
            chip.setProperty("file", file)
            chip.setToolTip(file)
            chip.setAccessibleName(self.tr("Take out {name}").format(name=name))
            chip.clicked.connect(self._removed)
            self._chips.addWidget(chip)
        if had_focus:
            self._choose.setFocus()

    @Slot()
    def _removed(self) -> None:
        self.files.remove(self.sender().property("file"))
        self._show_chips()
        self.changed.emit()
