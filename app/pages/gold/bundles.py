"""Releases that were drawn, writing one as a bundle into a folder, and verifying project and bundle."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from annotation.errors import Refused
from app import figures, theme
from app.i18n import sentence
from app.pages.gold.reading import Verified
from app.parts.buttons import CapButton
from app.parts.field import Field, Labelled
from app.parts.line import LineInPlace
from app.parts.option import OptionButton
from app.parts.table import Cell, Column, RowsModel, Table
from app.parts.text import label
from app.words import moment
from exports.bundle import Written
from exports.outlook import ReleaseView

ROWS = 5
FAULTS = 8


class Bundles(QWidget):
    """``export_asked`` and ``verify_asked`` go to the page; ``score_asked`` carries the folder of a bundle."""

    export_asked = Signal()
    verify_asked = Signal()
    score_asked = Signal(str)

    def __init__(self, project: str, private_fields: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._project = project
        self._suggested, self._draft = "", ""
        self._model = RowsModel(self._columns(), id_of=lambda row: row.version)
        self.table = Table(self.tr("Releases"), self._model, marks_row=True)
        self.table.setObjectName("gold:releases")
        self.table.row_shown.connect(self._row_shown)
        self.table.row_opened.connect(self._row_opened)
        self._none = label(self.tr("None yet. Export draws a draft by itself."), "body", "ink2", wrap=True)
        self.path_field = Field(self.tr("Folder of the bundle"), hint=self.tr("a new or empty folder"))
        self.path_field.setObjectName("gold:path")
        self.path_field.returnPressed.connect(self.export_asked)
        self.path_field.textEdited.connect(self._typed)
        self._path = Labelled(self.tr("Export to the folder"), self.path_field)
        self._choose = CapButton(self.tr("Choose"), icon="open", tip=self.tr("Choose the folder"))
        self._choose.clicked.connect(self.choose_folder)
        self.private = OptionButton(self.tr("With the private fields"), multi=True)
        self.private.clicked.connect(self._toggle_private)
        if not private_fields:
            self.private.hide()
        self.export_button = CapButton(self.tr("Export"), icon="export", keys="Ctrl+Shift+E")
        self.export_button.clicked.connect(self.export_asked)
        self.verify_button = CapButton(self.tr("Verify"), kind="flat", icon="check_again", keys="Ctrl+Shift+V")
        self.verify_button.clicked.connect(self.verify_asked)
        self._written, self._verified = LineInPlace(), LineInPlace()
        self._written.setObjectName("gold:written")
        self._verified.setObjectName("gold:verified")
        self._faults = QVBoxLayout()
        self._faults.setSpacing(theme.space("xs"))
        self._build()
        self.restyle()

    def _build(self) -> None:
        field = QHBoxLayout()
        field.setSpacing(theme.space("s"))
        field.addWidget(self._path, 1)
        side = QVBoxLayout()
        side.setSpacing(theme.space("xs"))
        side.addWidget(label("", "label"))
        side.addSpacing((theme.height("field", "body") - theme.height("button", "button")) // 2)  # on its middle
        side.addWidget(self._choose)
        side.addStretch(1)
        field.addLayout(side)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.space("s"))
        buttons.addWidget(self.export_button)
        buttons.addWidget(self.verify_button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        column.addWidget(label(self.tr("Releases and bundles"), "strong"))
        column.addWidget(self._none)
        column.addWidget(self.table)
        column.addSpacing(theme.space("xs"))
        column.addLayout(field)
        column.addLayout(buttons)
        column.addWidget(self.private)  # a row of its own: beside the buttons a window of 800 has no room for it
        for part in (self._written, self._verified):
            column.addWidget(part)
        column.addLayout(self._faults)

    def _columns(self) -> list[Column]:
        return [
            Column("version", self.tr("Release"), width=80, cell=lambda row: Cell(row.version, strong=True)),
            Column("kind", self.tr("Kind"), width=72, rank=1,
                   cell=lambda row: self.tr("final") if row.kind == "final" else self.tr("draft")),
            Column("at", self.tr("Drawn"), width=96, rank=4, cell=lambda row: Cell(moment(row.at), tip=self.tr(
                "by {handle}").format(handle=row.by))),
            Column("items", self.tr("Items"), kind="number", width=64, rank=2,
                   cell=lambda row: figures.count(row.items)),
            Column("values", self.tr("Values"), kind="number", width=64, rank=5,
                   cell=lambda row: figures.count(row.values)),
            Column("manifest", self.tr("Manifest SHA-256"), least=136, rank=3,
                   cell=lambda row: Cell(row.manifest_sha256[:16], ink="ink2", tip=row.manifest_sha256)),
            Column("note", self.tr("Note"), least=80, rank=6,
                   cell=lambda row: Cell(row.note or figures.NONE, ink="ink2")),
        ]

    def fit(self) -> None:
        self.table.fit_rows(ROWS)

    def restyle(self) -> None:
        self.private.setFixedWidth(self.private.sizeHint().width())

    # --- what is asked for ----------------------------------------------------------------------------------

    def chosen(self) -> ReleaseView | None:
        row: ReleaseView | None = self._model.row(self.table.currentIndex().row())
        return row

    def path(self) -> str:
        return self.path_field.text().strip()

    @Slot()
    def choose_folder(self) -> None:
        start = Path(self.path() or self._suggested).parent
        folder = QFileDialog.getExistingDirectory(self, self.tr("Export to the folder"), str(start))
        if folder:
            self._set_path(folder)

    @Slot()
    def _toggle_private(self) -> None:
        self.private.setChecked(not self.private.isChecked())

    # --- showing --------------------------------------------------------------------------------------------

    def show_releases(self, rows: Sequence[ReleaseView], *, draft: str) -> None:
        """``draft``: the version that a draft drawn now would have."""
        self._draft = draft
        kept = self.chosen()
        newest_before = self._model.row(0)
        self._model.set_rows(rows)
        self._none.setVisible(not rows)
        self.table.setVisible(bool(rows))
        self.table.fit_rows(ROWS)
        at = next((n for n, row in enumerate(rows) if kept is not None and row.version == kept.version), 0)
        if rows and newest_before is not None and rows[0].version != newest_before.version:
            at = 0  # a new one was drawn: that is the one to export
        if rows:
            self.table.setCurrentIndex(self._model.index(at, 0))
        self._row_shown(at)

    @Slot(int)
    def _row_shown(self, at: int) -> None:
        row = self._model.row(at)
        self.export_button.set_text(self.tr("Export release {version}").format(version=row.version)
                                    if row is not None else self.tr("Draw a draft and export it"))
        suggested = self._suggestion(row.version if row is not None else self._draft)
        if not self.path() or self.path() == self._suggested:
            self._set_path(suggested)
        self._suggested = suggested

    def _suggestion(self, version: str) -> str:
        base = Path(self._project) if "://" not in self._project else Path.home() / "project"
        return str(base.parent / f"{base.stem}-{version}")

    def _set_path(self, path: str) -> None:
        self.path_field.setText(path)
        self.path_field.setToolTip(path)
        self._path.set_fault("")

    @Slot(int)
    def _row_opened(self, _at: int) -> None:
        self.path_field.setFocus()
        self.path_field.selectAll()

    @Slot()
    def _typed(self) -> None:
        self._path.set_fault("")

    def refuse_path(self, refused: Refused) -> None:
        self._path.set_fault(sentence(refused))
        self.path_field.setFocus()

    def show_written(self, written: Written) -> None:
        self._verified.hush()
        self._clear_faults()
        self._written.say("good", self.tr("Release {version}, {n} items, was written to {out}.").format(
            version=written.release, n=figures.count(written.items), out=written.out),
            button=self.tr("Score"), act=lambda: self.score_asked.emit(written.out))

    def show_verified(self, found: Verified) -> None:
        self._clear_faults()
        faults = [("", fault) for fault in found.project.faults]
        said = self.tr("The project: {events} events, {n} pictures").format(
            events=figures.count(found.project.rows), n=figures.count(found.project.files))
        if found.bundle is not None:
            faults += [("", fault) for fault in found.bundle.faults]
            said += self.tr("; the bundle {name}: {files} files, {rows} rows").format(
                name=Path(found.where).name, files=figures.count(found.bundle.files),
                rows=figures.count(found.bundle.rows))
        if not faults:
            self._verified.say("good", self.tr("{what}. No fault.").format(what=said))
            return
        n = self.tr("1 fault") if len(faults) == 1 else self.tr("{n} faults").format(n=figures.count(len(faults)))
        self._verified.say("bad", self.tr("{n}. {what}.").format(n=n, what=said))
        for _, fault in faults[:FAULTS]:
            place = fault.file if fault.line is None else f"{fault.file}:{fault.line}"
            self._faults.addWidget(label(f"{place}: {fault.message} ({fault.code})", "body", "ink", wrap=True))
        if len(faults) > FAULTS:
            self._faults.addWidget(label(self.tr("and {n} more").format(n=len(faults) - FAULTS), "body", "ink2"))

    def say_not_verified(self, refused: Any) -> None:
        self._clear_faults()
        self._verified.say("bad", sentence(refused))

    def _clear_faults(self) -> None:
        while self._faults.count():
            widget = self._faults.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
