"""One coefficient by the values of a tag: a table with a dot column, and the details of its current row."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotation.agreement.result import Result
from app import figures, theme
from app.i18n import sentence
from app.pages.agreement import words
from app.pages.agreement.reading import AgreementView
from app.pages.agreement.tables import slice_columns, span_reasons
from app.parts.field import Choice
from app.parts.table import RowsModel, Table
from app.parts.text import label


class SlicePanel(QWidget):
    """``by_chosen``: another tag; ``shown``: another slice is current, or there is none; ``opened``: Enter."""

    by_chosen = Signal()
    shown = Signal()
    opened = Signal()

    def __init__(self, protocol: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tags = {field.name: field.label or field.name for field in protocol.fields
                      if field.kind == "tag" and not field.private}
        self._model = RowsModel(slice_columns(self.tr))
        self._head, self._none = label("", "strong"), label("", "body", "ink2", wrap=True)
        self._details = label("", "caption", "ink2", wrap=True)
        self._by = Choice(self.tr("Slices by"), [*self._tags.items(), ("", self.tr("no slices"))])
        self._by.activated.connect(self._chosen)
        self.table = Table(self.tr("Agreement per slice"), self._model, marks_row=True)
        self.table.setObjectName("agreement:slices")
        self.table.row_shown.connect(self._row_shown)
        self.table.row_opened.connect(self._row_opened)
        row = QHBoxLayout()
        row.addWidget(self._head)
        row.addStretch(1)
        row.addWidget(self._by)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        column.addLayout(row)
        for part in (self._none, self.table, self._details):
            column.addWidget(part)
        column.addStretch(1)
        if not self._tags:
            self._by.hide()

    def by(self) -> str:
        """The tag to slice by, or ""."""
        return self._by.value() if self._tags else ""

    def current(self) -> Result | None:
        """The row that is current: the whole, or a slice."""
        row: Result | None = self._model.row(self.table.currentIndex().row())
        return row

    def value(self) -> str | None:
        """The value of the tag of the current slice; None for the whole."""
        part = self.current()
        return part.by["value"] if part is not None and part.by else None

    def show_slices(self, view: AgreementView, result: Result) -> None:
        at, rows = self.table.currentIndex().row(), view.slices_of(result)
        self._head.setText(self.tr("By slice"))
        if view.no_slices is not None:
            self._none.setText(sentence(view.no_slices))
        elif not rows:
            self._none.setText(self.tr("Choose a tag to see each of its values.") if self._tags else
                               self.tr("The protocol has no tag to slice by."))
        for part, is_shown in ((self._none, not rows), (self.table, bool(rows)), (self._details, bool(rows))):
            part.setVisible(is_shown)
        listed = [result, *rows] if rows else []
        self._model.set_scale("interval", figures.scale_of(
            figure for one in listed for figure in (one.value, *(one.ci or ()))))
        self._model.set_rows(listed)
        span_reasons(self.table, self._model)
        if listed:
            self.table.setCurrentIndex(self._model.index(min(max(at, 0), len(listed) - 1), 0))
        else:
            self.shown.emit()

    def fit(self, *, dense: bool) -> None:
        self._head.setMinimumHeight(theme.height("field", "body"))
        self.table.set_dense(dense)
        self.table.fit_rows()

    @Slot(int)
    def _chosen(self, _at: int) -> None:
        self.by_chosen.emit()

    @Slot(int)
    def _row_shown(self, _at: int) -> None:
        part = self.current()
        self._details.setText(words.details(part) if part is not None and part.by else "")
        if part is not None:
            self.shown.emit()

    @Slot(int)
    def _row_opened(self, _at: int) -> None:
        self.opened.emit()


