"""Bringing items in: a file is read on trial, every row that cannot come in is shown, then the rest is taken."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from annotation import importing, recipes
from annotation.done import Done
from annotation.errors import Refused
from app import theme
from app.context import Context
from app.i18n import sentence
from app.jobs import Work
from app.parts.boxes import clear
from app.parts.buttons import CapButton
from app.parts.field import Choice
from app.parts.line import LineInPlace
from app.parts.meter import Meter
from app.parts.sided import scroll_column
from app.parts.surface import Hairline
from app.parts.text import PageHead, icon_label, label

SHOWN = 30  # refused rows on the page; all of them are in the file of refused rows
TOUCHED = frozenset({"items", "progress", "tasks"})


@dataclass(frozen=True, slots=True)
class Looked:
    """A file read on trial: the report of the trial and the first rows as read."""

    report: importing.ImportReport
    preview: importing.Preview


class BringIn(QWidget):
    """``left`` is emitted when the person goes back to the table; ``came_in`` with the report of an import."""

    left = Signal()
    came_in = Signal(object)
    changed = Signal()   # what can be done now is different

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._file = ""
        self._looked: Looked | None = None
        self._work: Work | None = None
        self._head = PageHead(self.tr("Bring items in"))
        self._recipe = Choice(self.tr("Recipe"))
        self._recipe.activated.connect(self._recipe_chosen)
        self._another = CapButton(self.tr("Another file"), icon="open", keys="Ctrl+I")
        self._another.clicked.connect(self.choose_file)
        self._head.add(self._recipe)
        self._head.add(self._another)
        self._line = LineInPlace()
        self._meter = Meter(mine=True)
        self._count = label("", "body", "ink2")
        self._stop = CapButton(self.tr("Stop"), keys="Esc")
        self._stop.clicked.connect(self.cancel)
        self._running = QWidget()
        running = QHBoxLayout(self._running)
        running.setContentsMargins(0, theme.space("s"), 0, theme.space("s"))
        running.setSpacing(theme.space("m"))
        running.addWidget(self._meter, 1)
        running.addWidget(self._count)
        running.addWidget(self._stop)
        self._running.hide()
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self._columns_head = label(self.tr("Columns, with their first value"), "strong")
        self._columns = QGridLayout()
        self._columns.setHorizontalSpacing(theme.space("xl"))
        self._columns.setVerticalSpacing(0)
        self._columns.setColumnStretch(2, 1)
        self._take = CapButton("", kind="primary", keys="Ctrl+Return")
        self._take.clicked.connect(self.take)
        self._again = CapButton(self.tr("Read again"), keys="F5")
        self._again.clicked.connect(self.read_again)
        self._cancel = CapButton(self.tr("Cancel"), kind="flat", keys="Esc")
        self._cancel.clicked.connect(self.cancel)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.space("s"))
        buttons.addWidget(self._take)
        buttons.addWidget(self._again)
        buttons.addStretch(1)
        buttons.addWidget(self._cancel)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(theme.space("page_left"), theme.space("page_top"), theme.space("page_right"),
                                  theme.space("l"))
        column.setSpacing(theme.space("m"))
        for part in (self._head, self._line, self._running):
            column.addWidget(part)
        column.addLayout(self._rows)
        column.addWidget(self._columns_head)
        column.addLayout(self._columns)
        column.addSpacing(theme.space("s"))
        column.addLayout(buttons)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll_column(inside))
        self.inside = inside

    # --- choosing and reading -------------------------------------------------------------------------------

    @Slot()
    def choose_file(self) -> None:
        file, _ = QFileDialog.getOpenFileName(
            self, self.tr("Bring items in"), str(Path(self._file).parent) if self._file else "",
            self.tr("Items") + " (*.json *.jsonl *.ndjson *.csv *.tsv *.parquet);;" + self.tr("All files") + " (*)")
        if file:
            self.open_file(file)

    def open_file(self, file: str) -> None:
        """Read a file on trial."""
        self._file = file
        self._offer_recipes()
        self.read_again()

    def _offer_recipes(self) -> None:
        protocol = self._context.store.protocol
        names = recipes.for_protocol(protocol.id)
        kept = self._recipe.value()
        self._recipe.set_options([("", self.tr("Columns by name")),
                                  *((name, self.tr("Recipe {name}").format(name=name)) for name in names)])
        self._recipe.setVisible(bool(names))
        self._recipe.set_value(kept if kept in names else "")

    @Slot()
    def _recipe_chosen(self) -> None:
        self.read_again()

    @Slot()
    def read_again(self) -> None:
        if not self._file or self._work is not None:
            return
        file, store, by = self._file, self._context.store, self._context.person.id
        recipe = self._recipe.value() or None

        def look(progress: Any, cancelled: Any) -> Looked:
            preview = importing.preview(file, recipe=recipe)
            report = importing.import_file(store, file, recipe=recipe, dry_run=True, by=by, progress=progress,
                                           cancelled=cancelled)
            return Looked(report, preview)

        self._begin(self.tr("Reading {file}").format(file=Path(file).name))
        self._work = self._context.jobs.work(self, look, then=self._show, failed=self._not_read,
                                             progressed=self._progressed)

    @Slot()
    def take(self) -> None:
        """Bring in what can come in."""
        if not self.can_take:
            return
        file, store, by = self._file, self._context.store, self._context.person.id
        recipe = self._recipe.value() or None
        refused = Path(file).with_name(f"{Path(file).name}.refused.jsonl")

        def bring(progress: Any, cancelled: Any) -> Done:
            report = importing.import_file(store, file, recipe=recipe, refused=refused, by=by, progress=progress,
                                           cancelled=cancelled)
            return Done("Import", TOUCHED, None, report)

        self._begin(self.tr("Bringing items in"))
        self._work = self._context.jobs.store_work(self, bring, then=self._came, failed=self._not_read,
                                                   progressed=self._progressed)

    @Slot()
    def cancel(self) -> None:
        """Stop what runs; with nothing running, back to the table."""
        if self._work is not None:
            self._work.cancel()
            self._count.setText(self.tr("stopping"))
        else:
            self.left.emit()

    @property
    def has_file(self) -> bool:
        return bool(self._file)

    @property
    def can_take(self) -> bool:
        return self._looked is not None and self._looked.report.accepted > 0 and self._work is None

    # --- showing --------------------------------------------------------------------------------------------

    def _begin(self, words: str) -> None:
        self._line.hush()
        self._count.setText(words)
        self._meter.set_value(0, 0)
        self._running.show()
        self._buttons()

    def _end(self) -> None:
        self._work = None
        self._running.hide()

    def _buttons(self) -> None:
        busy = self._running.isVisible() or self._work is not None
        self._take.setEnabled(self._looked is not None and self._looked.report.accepted > 0 and not busy)
        self._again.setEnabled(bool(self._file) and not busy)
        self.changed.emit()

    def _progressed(self, done: int, of: int) -> None:
        self._meter.set_value(done, max(of, 1))
        self._count.setText(self.tr("{done} of {of} MB").format(done=f"{done / 1e6:.1f}", of=f"{of / 1e6:.1f}"))

    def _not_read(self, refused: Refused) -> None:
        self._end()
        self._looked = None
        self._clear()
        self._head.set_subtitle(Path(self._file).name)
        self._line.say("bad", self.tr("{why} Nothing has been brought in.").format(why=_ended(sentence(refused))))
        self._take.set_text(self.tr("Bring in"))
        self._buttons()
        self._again.setFocus()

    def _show(self, looked: Looked) -> None:
        self._end()
        self._looked = looked
        report = looked.report
        facts = [Path(self._file).name, report.encoding.upper(), {";": self.tr("semicolon"), ",": self.tr("comma"),
                                                         "\t": self.tr("tab")}.get(report.delimiter or ""),
                 self.tr("{n} rows").format(n=f"{report.rows:,}")]
        self._head.set_subtitle(", ".join(fact for fact in facts if fact))
        self._clear()
        if report.refused:
            self._line.say("bad", self.tr(
                "{n} of {of} rows cannot be read yet; nothing has been brought in. Repair the file and read it "
                "again, or leave these rows out.").format(n=f"{report.refused:,}", of=f"{report.rows:,}"))
        elif report.missing:
            self._line.say("warn", self.tr("{n} pictures are missing; their items show a placeholder.").format(
                n=f"{len(report.missing):,}"))
        else:
            self._line.say("good", self.tr("{new} new, {updated} changed, {same} as they are.").format(
                new=f"{report.new:,}", updated=f"{report.updated:,}", same=f"{report.unchanged:,}"))
        for refusal in report.refusals[:SHOWN]:
            self._rows.addWidget(_RefusalRow(refusal))
        if report.refused > SHOWN:
            self._rows.addWidget(label(self.tr("{n} more; all are written to a file when the rest comes in.").format(
                n=f"{report.refused - SHOWN:,}"), "caption", "ink2", wrap=True))
        self._show_columns(looked)
        self._take.set_text(self.tr("Bring in") if not report.accepted
                            else self.tr("Bring 1 row in") if report.accepted == 1
                            else self.tr("Bring {n} rows in").format(n=f"{report.accepted:,}"))
        self._buttons()
        (self._take if report.accepted else self._again).setFocus()

    def _show_columns(self, looked: Looked) -> None:
        """Each column of the file, whether the protocol takes it, and an example."""
        unused = set(looked.report.unused)
        self._columns_head.setVisible(bool(looked.preview.columns))
        for n, name in enumerate(looked.preview.columns):
            first = next((str(row[name]) for row in looked.preview.rows if row.get(name) not in (None, "")), "–")
            words = label(name, "table", "ink2" if name in unused else "ink")
            sign = icon_label("minus" if name in unused else "check", "ink2", "icon_tiny")
            seen = label(self.tr("not used") if name in unused else " ".join(first.split())[:90], "table", "ink2",
                         wrap=True)
            for at, part in enumerate((words, sign, seen)):
                part.setMinimumHeight(theme.height("table_row_dense", "table"))
                self._columns.addWidget(part, 2 * n, at, Qt.AlignmentFlag.AlignVCenter if at < 2 else
                                        Qt.AlignmentFlag(0))
            self._columns.addWidget(Hairline(), 2 * n + 1, 0, 1, 3)

    def _came(self, done: Done) -> None:
        self._end()
        self._looked = None
        self.came_in.emit(done.value)

    def _clear(self) -> None:
        for layout in (self._rows, self._columns):
            clear(layout)


class _RefusalRow(QWidget):
    """Where a row of the file is, its key, and why it cannot come in."""

    def __init__(self, refusal: dict[str, Any]) -> None:
        super().__init__()
        line = refusal.get("line")
        where = self.tr("line {n}").format(n=line) if line else (refusal.get("item") or refusal.get("file") or "")
        value = refusal.get("value")
        said = refusal["message"] if not value else self.tr("{message} (“{value}”)").format(
            message=refusal["message"], value=value)
        row = QHBoxLayout()
        row.setContentsMargins(0, theme.space("s"), 0, theme.space("s"))
        row.setSpacing(theme.space("m"))
        row.addWidget(icon_label("bad", "bad"), 0, Qt.AlignmentFlag.AlignTop)
        place = label(where, "strong", wrap=True)
        place.setFixedWidth(theme.wide(96))
        row.addWidget(place, 0, Qt.AlignmentFlag.AlignTop)
        key = label(refusal.get("key") or "", "body", "ink2", wrap=True)
        key.setFixedWidth(theme.wide(112))
        row.addWidget(key, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(label(said, "body", wrap=True), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(Hairline())


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
