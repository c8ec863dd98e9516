"""The releases that were drawn, the newest first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import figures, theme
from app.parts.paged import PagedTable
from app.parts.table import Cell, Column, RowsModel, Table
from app.parts.text import label
from app.words import moment
from exports.outlook import ReleaseView

ROWS = 8


class Releases(QWidget):
    """``shown`` carries the release of the current row, or None; ``opened``: Enter was pressed on one."""

    shown = Signal(object)
    opened = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = Table(self.tr("Releases"), RowsModel(self._columns(), id_of=lambda row: row.version),
                           marks_row=True)
        self.table.setObjectName("gold:releases")
        self.table.row_shown.connect(self._row_shown)
        self.table.row_opened.connect(self._row_opened)
        self._paged = PagedTable(self.table, size=ROWS)
        self._none = label(self.tr("None yet. Export draws a draft by itself."), "body", "ink2", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        for part in (self._none, self._paged):
            column.addWidget(part)

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

    def chosen(self) -> ReleaseView | None:
        row: ReleaseView | None = self._paged.current()
        return row

    def show_releases(self, rows: Sequence[ReleaseView]) -> None:
        """A new one is chosen as soon as it is there; else what was chosen stays."""
        before = self._paged.rows()
        new = bool(rows) and (not before or rows[0].version != before[0].version)
        self._paged.show_rows(rows, keep_place=not new)
        self._none.setVisible(not rows)
        self._paged.setVisible(bool(rows))
        self._row_shown(0)

    def fit(self, *, dense: bool) -> None:
        self._paged.fit(dense=dense)

    @Slot(int)
    def _row_shown(self, _at: int) -> None:
        self.shown.emit(self.chosen())

    @Slot(int)
    def _row_opened(self, _at: int) -> None:
        self.opened.emit()
