"""Another version of the gold beside this one: what each system gains or loses by it, and whose rank changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from app import figures, theme
from app.jobs import Jobs
from app.pages.score import words
from app.pages.score.tables import version_columns
from app.parts.buttons import CapButton
from app.parts.field import Field, Labelled, beside
from app.parts.paged import PagedTable
from app.parts.table import RowsModel, Table
from app.parts.text import label
from app.plots.comparisons import differences
from app.plots.forest import Row
from app.plots.view import PlotView
from app.settings import Settings

ROWS = 12


class VersionsPanel(QWidget):
    """``changed``: another folder was named, or none any more."""

    changed = Signal()

    def __init__(self, jobs: Jobs, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._known = ""
        self.field = Field(self.tr("Folder of another version of this bundle"),
                           hint=self.tr("a folder, then Enter; empty for none"))
        self.field.setObjectName("score:other")
        self.field.editingFinished.connect(self._typed)
        self._labelled = Labelled(self.tr("Against the version in"), self.field)
        choose = CapButton(self.tr("Choose"), icon="open", tip=self.tr("Choose the folder"))
        choose.clicked.connect(self.choose)
        self._head, self._sentence = label("", "body", wrap=True), label("", "body", wrap=True)
        self._head.setObjectName("score:versions-said")
        self._sentence.setObjectName("score:version-change")
        self._model = RowsModel(version_columns(self.tr), id_of=lambda one: one["system"])
        self.table = Table(self.tr("Each system under both versions"), self._model, marks_row=True)
        self.table.setObjectName("score:versions")
        self.table.row_shown.connect(self._row_shown)
        self._paged = PagedTable(self.table, size=ROWS)
        self.plot = PlotView(jobs, settings, parent=self)
        self.plot.setObjectName("score:version-plot")
        self.plot.marked.connect(self._marked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        column.addWidget(beside(self._labelled, choose))
        for part in (self._head, self._paged, self._sentence):
            column.addWidget(part)
        column.addSpacing(theme.space("m"))
        column.addWidget(self.plot)
        column.addStretch(1)
        self.show_versions(None, [])

    def folder(self) -> str:
        return self.field.text().strip()

    def set_folder(self, folder: str) -> None:
        self.field.setText(folder)
        self._typed()

    def set_fault(self, text: str) -> None:
        self._labelled.set_fault(text)

    def fit(self, *, dense: bool) -> None:
        self._paged.fit(dense=dense)

    def show_versions(self, found: Mapping[str, Any] | None, rows: Sequence[Mapping[str, Any]]) -> None:
        """``found``: what the report says of both versions as a whole; ``rows``: each system by one metric."""
        self._head.setText(words.versions(found) if found is not None else self.tr(
            "Name the folder of an earlier or a later release to see what its gold makes of the same answers."))
        ends = [abs(end) for one in rows if one["common_change"] is not None
                for end in (one["common_change"], *(one["ci"] or ()))]
        most = figures.scale_of([max(ends, default=0.1)], low=0.0, high=0.1)[1]
        self._model.set_scale("interval", (-most, most))
        self._paged.show_rows(rows, keep_place=True)
        for part in (self._paged, self._sentence, self.plot):
            part.setVisible(bool(rows))
        self._row_shown(0)
        self.plot.show_plot(differences(self.tr("What the gold alone changes"), [
            Row(one["system"], one["common_change"], None if one["ci"] is None else (one["ci"][0], one["ci"][1]),
                one["n_common"], "" if one["common_change"] is not None else self.tr("no value")) for one in rows],
            note=self.tr("here less there, 95 % interval")) if rows else None)

    @Slot()
    def choose(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("Choose the folder of another version"), str(
            Path(self.folder()).parent) if self.folder() else "")
        if folder:
            self.set_folder(folder)

    @Slot()
    def _typed(self) -> None:
        if self.folder() != self._known:
            self._known = self.folder()
            self.field.setToolTip(self._known)
            self.set_fault("")
            self.changed.emit()

    @Slot(int)
    def _marked(self, at: int) -> None:
        self._paged.go_to(at)
        self.table.setFocus()

    @Slot(int)
    def _row_shown(self, _at: int) -> None:
        one = self._paged.current() if self._paged.rows() else None
        self._sentence.setText(words.version_change(one) if one is not None else "")
