"""The page Score: a bundle and files of predictions in; a table with intervals, plots, comparisons and items out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, QTimer, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from annotation.errors import Refused
from app import figures, theme
from app.commands import command
from app.context import Context
from app.dropping import local_files
from app.i18n import QT_TRANSLATE_NOOP
from app.pages.score import words
from app.pages.score.comparing import ComparisonPanel
from app.pages.score.looking import LookingPage
from app.pages.score.plots import PlotsPanel
from app.pages.score.reading import Scored, System, save
from app.pages.score.system import SystemPanel
from app.pages.score.tables import system_columns
from app.parts.buttons import CapButton
from app.parts.empty import Empty
from app.parts.field import Choice
from app.parts.sided import scroll_column
from app.parts.table import RowsModel, Table
from app.parts.tabs import Tabs
from app.parts.text import PageHead, label
from app.revealing import show_after_record
from exports.scorer.outputs import ENDINGS
from exports.scorer.table import table as markdown

_T = QT_TRANSLATE_NOOP


class ScorePage(LookingPage):
    name = "score"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._systems = RowsModel(system_columns(self.tr))
        self._build()
        self.setAcceptDrops(True)

    def _build(self) -> None:
        self._head = PageHead(self.tr("Score"))
        self._copy_button = CapButton(self.tr("Copy table"), icon="copy", keys="Ctrl+Shift+C")
        self._copy_button.clicked.connect(self.copy_table)
        self._save_button = CapButton(self.tr("Save scores"), icon="export", keys="Ctrl+S")
        self._save_button.clicked.connect(self.save_scores)
        for button in (self._copy_button, self._save_button):
            self._head.add(button)
        self._sentence = label("", "reading", wrap=True)
        self._sentence.setObjectName("score:sentence")
        self._method = label("", "caption", "ink2", wrap=True)
        self._metric = Choice(self.tr("Metric"))
        self._metric.activated.connect(self._metric_chosen)
        self._table = Table(self.tr("Scores"), self._systems, marks_row=True)
        self._table.setObjectName("score:results")
        self._table.row_shown.connect(self._row_shown)
        self._table.row_opened.connect(self._row_opened)
        self._table.clicked.connect(self._cell_clicked)
        jobs, settings = self.context.jobs, self.context.settings
        self._plots = PlotsPanel(jobs, settings)
        self._plots.system_marked.connect(self._choose_row)
        self._below = SystemPanel(jobs, settings)
        self._below.slice_opened.connect(self._show_slice)
        self._comparison = ComparisonPanel(jobs, settings)
        self._comparison.reshaped.connect(self.restyle)
        self._apart.changed.connect(self.update_commands)
        self._tabs = Tabs(self.tr("Sections below the table"), [
            self.tr("Plots"), self.tr("Slices"), self.tr("Comparison"), self.tr("Where they differ"),
            self.tr("Versions")])
        self._tabs.chosen.connect(self.show_section)
        self._empty = Empty("score", "", "")
        self._say_empty(stopped=False)
        self._content = self._make_content()
        for view in (self._content, self._empty, QWidget()):  # the last: nothing, while the first scores are made
            self._views.addWidget(view)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(theme.space("page_left"), theme.space("page_top"), theme.space("page_right"),
                                  theme.space("l"))
        column.setSpacing(theme.space("s"))
        for part in (self._head, self._inputs):
            column.addWidget(part)
        column.addWidget(self._faults)
        column.addWidget(self._running)
        column.addSpacing(theme.space("xs"))
        column.addWidget(self._views, 1)
        outer = QVBoxLayout(self.body)
        outer.setContentsMargins(0, 0, 0, 0)
        self._inside, self._scroll = inside, scroll_column(inside)
        outer.addWidget(self._scroll)

    def _make_content(self) -> QWidget:
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("xs"))
        row = QHBoxLayout()
        row.setSpacing(theme.space("l"))
        said = QVBoxLayout()
        said.setSpacing(theme.space("xs"))
        said.addWidget(self._sentence)
        said.addWidget(self._method)
        said.addStretch(1)
        row.addLayout(said, 1)
        row.addWidget(self._metric)
        column.addLayout(row)
        column.addSpacing(theme.space("s"))
        column.addWidget(self._table)
        column.addSpacing(theme.space("m"))
        column.addWidget(self._tabs)
        column.addSpacing(theme.space("s"))
        self._sections: list[QWidget] = [self._plots, self._below, self._comparison, self._apart,
                                         self._versions]
        for section in self._sections:
            column.addWidget(section)
        for section in self._sections[1:]:
            section.hide()
        column.addStretch(1)
        return content

    def _say_empty(self, *, stopped: bool) -> None:
        if stopped:
            again = CapButton(self.tr("Score again"), kind="primary", icon="score", keys="F5")
            again.clicked.connect(self._read)
            self._empty.say(self.tr("Stopped"), self.tr("Nothing was scored."))
            self._empty.set_buttons([again])
            return
        to_gold = CapButton(self.tr("Go to Gold"), kind="primary", icon="gold", keys="Alt+7")
        to_gold.clicked.connect(self._go_gold)
        other = CapButton(self.tr("Choose a bundle"), icon="open")
        other.clicked.connect(self._inputs.choose_bundle)
        self._empty.say(self.tr("No bundle yet"), self.tr(
            "A score needs a bundle: gold in a folder of its own. Export one on Gold, or type its folder above."))
        self._empty.set_buttons([to_gold, other])

    # --- life -----------------------------------------------------------------------------------------------

    def opened(self, **where: Any) -> None:
        """``bundle``: a folder; ``other``: that of another version; ``files``: predictions to add."""
        self.restyle()
        show_after_record(self, lambda: self._open(dict(where)))

    def _open(self, where: dict[str, Any]) -> None:
        bundle = where.get("bundle") or ""
        last = self.context.settings.get("bundles").get(self.context.project, "")
        if bundle:
            self._inputs.set_bundle(str(bundle))
        elif not self._inputs.bundle() and last and Path(last).is_dir():
            self._inputs.set_bundle(last)
        if where.get("files"):
            self._inputs.add_files([str(file) for file in where["files"]])
        if where.get("other"):
            self._versions.set_folder(str(where["other"]))
        if not self._inputs.bundle():
            self._read()

    def parts(self) -> list[QWidget]:
        if self._views.currentIndex():
            return [self._inputs, self._empty, self._head]
        return [self._inputs, self._table, self._sections[self._at], self._tabs, self._head]

    def focus_first(self) -> None:
        self._inputs.predictions_field.setFocus()

    def restyle(self) -> None:
        edge = theme.breakpoint("answers_below_item_below") - theme.size("rail_slim")
        narrow = theme.is_large() or self.width() < edge
        self._inputs.set_narrow(narrow)
        self._sentence.setMaximumWidth(theme.wide(theme.size("reading_column") + theme.size("rail")))
        dense = self.context.settings.get("dense_tables")
        self._table.set_dense(dense)
        self._table.fit_rows()
        self._below.fit(narrow=narrow, dense=dense)
        self._plots.fit(narrow=narrow)
        for part in (self._comparison, self._apart, self._versions):
            part.fit(dense=dense)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.restyle()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if local_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """A folder is the bundle, files are predictions."""
        files = local_files(event.mimeData())
        folders = [file for file in files if file.is_dir()]
        if folders:
            self._inputs.set_bundle(str(folders[0]))
        elif files:
            self._inputs.add_files([str(file) for file in files])

    # --- showing --------------------------------------------------------------------------------------------

    def _show(self, scored: Scored) -> None:
        kept = self._metric.value()
        self._scored = scored
        self._views.setCurrentIndex(0)
        self._inputs.set_bundle_fault("")
        self._versions.set_fault(words.fault(scored.no_other, self._versions.folder()) if scored.no_other else "")
        self._head.set_subtitle(self.tr("{bundle}, manifest {hash}").format(
            bundle=scored.data["bundle"], hash=scored.data["manifest_sha256"][:12]))
        self._faults.show_faults(scored, self._inputs.files)
        self._inputs.set_faulty(frozenset(name for name, _ in scored.faults))
        metrics = scored.metrics()
        self._metric.set_options([(str(n), words.metric(*pair)) for n, pair in enumerate(metrics)])
        self._metric.set_value(kept)
        self._metric.setVisible(len(metrics) > 1)
        self._metric_chosen(0)

    @Slot(int)
    def _metric_chosen(self, _at: int) -> None:
        scored = self._scored
        if scored is None:
            return
        metrics = scored.metrics()
        rows: list[System] = scored.systems(*metrics[int(self._metric.value() or 0)]) if metrics else []
        kept = self._system()
        self._sentence.setText(words.sentence(rows))
        self._method.setText(words.method(rows, scored.data["settings"]))
        chosen = metrics[int(self._metric.value() or 0)] if metrics else None
        self._comparison.show_comparisons(scored.comparisons(*chosen) if chosen else [])
        self._versions.show_versions(scored.data.get("against"), scored.versions(*chosen) if chosen else [])
        if rows:
            figure = rows[0].figure
            # An error has no worst value: its axis ends at the largest one shown.
            ends = [figure["worst"]] if figure["worst"] is not None else [row.figure["value"] or 0.0 for row in rows]
            low, high = min(*ends, figure["best"]), max(*ends, figure["best"])
            self._systems.set_scale("interval", figures.scale_of([], low=low, high=high))
            self._below.set_scale(figures.scale_of([], low=low, high=high))
        self._systems.set_rows(rows)
        self._plots.show_systems(rows)
        self._look_again()
        at = next((n for n, row in enumerate(rows) if kept is not None and row.name == kept.name), 0)
        self._table.setVisible(bool(rows))
        if rows:
            self._table.setCurrentIndex(self._systems.index(at, 0))
        self._row_shown(at)

    def _system(self) -> System | None:
        row: System | None = self._systems.row(self._table.currentIndex().row())
        return row

    @Slot(int)
    def _row_shown(self, at: int) -> None:
        self._below.show_system(self._systems.row(at))
        self.restyle()

    # --- sections -------------------------------------------------------------------------------------------

    @Slot(int)
    def show_section(self, at: int) -> None:
        if not 0 <= at < len(self._sections):
            return
        self._at = at
        self._tabs.set_current(at)
        for n, section in enumerate(self._sections):
            section.setVisible(n == at)
        self.restyle()
        self.update_commands()
        QTimer.singleShot(0, self, self._scroll_to_section)  # once it is laid out

    @Slot()
    def _scroll_to_section(self) -> None:
        """Where the section begins below what is seen, its tabs go to the top."""
        bar, top = self._scroll.verticalScrollBar(), self._tabs.mapTo(self._inside, QPoint(0, 0)).y()
        seen = bar.value() + self._scroll.viewport().height()
        if top + self._tabs.height() + theme.wide(120) > seen:
            bar.setValue(top - theme.space("s"))

    @command("score.next_section", _T("commands", "The next section"), menu="View", keys="Ctrl+PgDown",
             when="has_scores", group="moving", icon="next")
    def next_section(self) -> None:
        self.show_section((self._at + 1) % len(self._sections))

    @command("score.previous_section", _T("commands", "The section before"), menu="View", keys="Ctrl+PgUp",
             when="has_scores", group="moving", icon="previous")
    def previous_section(self) -> None:
        self.show_section((self._at - 1) % len(self._sections))

    @Slot(int)
    def _choose_row(self, at: int) -> None:
        self._table.setCurrentIndex(self._systems.index(at, 0))
        self._table.setFocus()

    @Slot(int)
    def _row_opened(self, _at: int) -> None:
        self._look_at(None, focus=True)

    @Slot(QModelIndex)
    def _cell_clicked(self, index: QModelIndex) -> None:
        """A click on a figure; one on a name only chooses the row."""
        if self._systems.columns[index.column()].name != "system":
            self._look_at(None, focus=False)

    @Slot(str, object)
    def _show_slice(self, field: str, value: str | None) -> None:
        self._look_at((field, value), focus=True)

    @Slot()
    def _go_gold(self) -> None:
        self.context.go("gold")

    # --- taking away ----------------------------------------------------------------------------------------

    @property
    def has_scores(self) -> bool:
        return self._scored is not None and bool(self._scored.data["systems"])

    def update_commands(self) -> None:
        super().update_commands()
        for button in (self._copy_button, self._save_button):
            button.setEnabled(self.has_scores)

    @command("score.copy", _T("commands", "Copy the scores as Markdown"), menu="Edit", keys="Ctrl+Shift+C",
             when="has_scores", icon="copy")
    @Slot()
    def copy_table(self) -> None:
        if self._scored is not None:
            QGuiApplication.clipboard().setText(markdown(self._scored.data))
            self.context.status(self.tr("copied"))

    @command("score.save", _T("commands", "Save the scores"), menu="File", keys="Ctrl+S", when="has_scores",
             icon="export")
    @Slot()
    def save_scores(self) -> None:
        """As JSON (as ``goldsmith score --json`` prints it), Markdown, LaTeX or HTML with plots, by the ending."""
        if self._scored is None:
            return
        kinds = ("JSON (*.json)", "Markdown (*.md)", "LaTeX (*.tex)", "HTML (*.html)")
        file, kind = QFileDialog.getSaveFileName(self, self.tr("Save scores"), "scores.json", ";;".join(kinds))
        if not file:
            return
        if Path(file).suffix.lower() not in ENDINGS:
            file += kind[kind.index("*") + 1:-1] if "*" in kind else ".json"
        try:
            save(file, self._scored)
        except Refused as refused:
            self.say(refused)
            return
        self.say(self.tr("Saved to {file}.").format(file=file), kind="good")
