"""Decisions that a second adjudicator made again without sight of the first: how far the two agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotation.adjudicator_check import AdjudicatorCheck
from app import figures, theme
from app.pages.agreement import figure, names
from app.parts.table import Cell, Column, RowsModel, Table
from app.parts.text import label


class SecondDecisions(QWidget):
    """``items_asked`` carries the question whose twice decided items are wanted."""

    items_asked = Signal(str)

    def __init__(self, protocol: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._protocol = protocol
        self._words = label("", "body", "ink2", wrap=True)
        self._words.setObjectName("people:second:words")
        self._model = RowsModel(self._columns())
        self.table = Table(self.tr("Decisions made twice"), self._model, marks_row=True, lines=2)
        self.table.setObjectName("people:second")
        self.table.row_opened.connect(self._opened)
        self._head = label(self.tr("Second decisions"), "strong")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("xs"))
        for part in (self._head, self._words, self.table):
            column.addWidget(part)
        self.show_checks(())

    def _columns(self) -> list[Column]:
        def question(row: AdjudicatorCheck) -> Cell:
            pairs = "; ".join(self.tr("{one} and {other}: {same}").format(
                one=pair.one, other=pair.other, same=figure.of_n(figure.of_share(pair.same))) for pair in row.pairs)
            return Cell(names.question(self._protocol, row.question), below=pairs)

        return [
            Column("question", self.tr("Question"), least=160, most=640, cell=question),
            Column("dot", self.tr("Same decision"), kind="interval", width=200, rank=2,
                   cell=lambda row: figure.dot_cell(figure.of_share(row.same))),
            Column("same", self.tr("Same decision"), kind="number", width=116,
                   cell=lambda row: figure.value_cell(figure.of_share(row.same))),
            Column("n", self.tr("Decisions"), kind="number", width=84, rank=3,
                   cell=lambda row: figure.of_n(figure.of_share(row.same))),
            Column("alpha", self.tr("Krippendorff’s α"), kind="number", width=124, rank=1,
                   cell=lambda row: figure.value_cell(figure.Figure(
                       row.alpha.value, row.alpha.ci, row.alpha.n_items, row.alpha.ci_method, row.alpha.reason or ""))),
        ]

    def fit(self, *, dense: bool) -> None:
        self._head.setMinimumHeight(theme.height("field", "body"))
        self.table.set_dense(dense)
        self.table.fit_rows()

    def show_checks(self, checks: Sequence[AdjudicatorCheck]) -> None:
        self._model.renew_rows(checks)
        self.table.fit_rows()
        self._words.setText(self._said(checks))
        self.table.setVisible(bool(checks))

    def _said(self, checks: Sequence[AdjudicatorCheck]) -> str:
        if "adjudicate" not in self._protocol.workflow.stages:
            return self.tr("This protocol has no adjudication, so no decision can be made again.")
        if not checks:
            return self.tr("No decision was made again yet. A second adjudicator to whom nothing else waits can decide "
                           "on Adjudicate, without sight of the first, what others have decided: that says how "
                           "reliable decisions are.")
        same = [figure.of_share(one.same) for one in checks]
        return self.tr("Two adjudicators, the second without sight of the first, decided the same in {n} of {all} "
                       "cases. They decide what people differ on, so this is agreement on the hard items.").format(
            n=figures.count(sum(one.count or 0 for one in same)), all=figures.count(sum(one.n or 0 for one in same)))

    @Slot(int)
    def _opened(self, at: int) -> None:
        row = self._model.row(at)
        if row is not None:
            self.items_asked.emit(row.question)
