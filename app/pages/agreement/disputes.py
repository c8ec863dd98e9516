"""The items of one question on which people differ, most disputed first, with what people say."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotation.disputed import Dispute
from app import figures, theme
from app.pages.agreement.tables import dispute_columns
from app.parts.buttons import CapButton
from app.parts.table import RowsModel, Table
from app.parts.text import label

MOST = 2_000  # items handed to the page Items at once
ROWS = 12     # items seen at once


class DisputePanel(QWidget):
    """``asked`` carries the items to show on the page Items, ``adjudication_asked`` one to decide about; ``moved``:
    another item is current."""

    asked = Signal(object)
    adjudication_asked = Signal(object)
    moved = Signal()

    def __init__(self, protocol: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question = ""
        self._dispute: Dispute | None = None
        self._model = RowsModel(dispute_columns(protocol, lambda: self._question, self.tr))
        self._head, self._count = label(self.tr("Where people differ"), "strong"), label("", "caption", "ink2")
        self._none = label("", "body", "ink2", wrap=True)
        self.table = Table(self.tr("Items on which people differ"), self._model, marks_row=True)
        self.table.setObjectName("agreement:disputed")
        self.table.row_opened.connect(self._open_item)
        self.table.row_shown.connect(self.moved)
        self._decide = CapButton(self.tr("Adjudicate"), kind="link", keys="F4")
        self._decide.clicked.connect(self._adjudicate)
        self._all = CapButton(self.tr("Show all"), kind="link")
        self._all.clicked.connect(self._open_all)
        row = QHBoxLayout()
        row.setSpacing(theme.space("m"))
        row.addWidget(self._head)
        row.addWidget(self._count)
        row.addStretch(1)
        row.addWidget(self._decide)
        row.addWidget(self._all)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        column.addLayout(row)
        for part in (self._none, self.table):
            column.addWidget(part)
        column.addStretch(1)

    def show_dispute(self, question: str, found: Dispute) -> None:
        kept = self.current_item() if question == self._question else None
        self._question, self._dispute = question, found
        self._model.renew_rows(found.rows)
        at = next((n for n, row in enumerate(found.rows) if row.item == kept), 0)
        if found.rows and self.table.currentIndex().row() != at:
            self.table.setCurrentIndex(self._model.index(at, 0))
        self._count.setText(self.tr("{n} of {all}").format(n=figures.count(found.differing),
                                                           all=figures.count(found.judged)))
        self._none.setText(self.tr("Nobody judged these twice.") if not found.judged else
                           self.tr("Nowhere: everybody gave the same answer."))
        self._all.set_text(self.tr("Show {n}").format(n=figures.count(min(MOST, len(found.items)))))
        for part, is_shown in ((self._none, not found.rows), (self.table, bool(found.rows)),
                               (self._all, bool(found.rows)), (self._decide, bool(found.rows))):
            part.setVisible(is_shown)
        self.table.fit_rows(ROWS)

    def current_item(self) -> UUID | None:
        """The item of the current row."""
        row = self._model.row(self.table.currentIndex().row())
        return None if row is None else row.item

    def fit(self, *, dense: bool) -> None:
        self._head.setMinimumHeight(theme.height("field", "body"))
        self.table.set_dense(dense)
        self.table.fit_rows(ROWS)

    @Slot()
    def _open_all(self) -> None:
        if self._dispute is not None and self._dispute.items:
            self.asked.emit(self._dispute.items[:MOST])

    @Slot()
    def _adjudicate(self) -> None:
        item = self.current_item()
        if item is not None:
            self.adjudication_asked.emit(item)

    @Slot(int)
    def _open_item(self, at: int) -> None:
        row = self._model.row(at)
        if row is not None:
            self.asked.emit((row.item,))
