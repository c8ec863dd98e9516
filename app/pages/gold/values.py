"""The answers that stand: item, question, answer, the rule behind it, how many gave it, whether it is signed."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotation.gold import GoldView
from app import figures, theme
from app.context import Context
from app.pages.gold import words
from app.pages.gold.reading import MOST, read_values
from app.parts.field import Choice
from app.parts.paged import PagedTable
from app.parts.table import Cell, Column, RowsModel, Table
from app.parts.text import label

ROWS = 15


class Values(QWidget):
    """``opened`` carries the item of the row on which Enter was pressed."""

    opened = Signal(object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._protocol = context, context.store.protocol
        self._count = label("", "caption", "ink2")
        self._question = Choice(self.tr("Question"), [("", self.tr("All questions")), *(
            (name, name.replace("_", " ")) for name in self._protocol.gold)])
        self._question.activated.connect(self._question_chosen)
        table = Table(self.tr("Gold values"), RowsModel(self._columns()), marks_row=True)
        table.setObjectName("gold:values")
        table.row_opened.connect(self._row_opened)
        self._paged = PagedTable(table, size=ROWS)
        row = QHBoxLayout()
        row.setSpacing(theme.space("m"))
        row.addWidget(label(self.tr("Gold values"), "strong"))
        row.addWidget(self._count)
        row.addStretch(1)
        row.addWidget(self._question)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("xs"))
        column.addLayout(row)
        column.addWidget(self._paged)

    def _columns(self) -> list[Column]:
        def standing(row: GoldView) -> Cell:
            text, icon = words.standing(row.standing)
            return Cell(text, icon=icon, ink="ink2")

        return [
            Column("item", self.tr("Item"), width=112, cell=lambda row: Cell(
                row.key if row.element is None else f"{row.key} · {row.element}", strong=True)),
            Column("question", self.tr("Question"), width=112, rank=2,
                   cell=lambda row: Cell(row.question.replace("_", " "), tip=row.question)),
            Column("answer", self.tr("Answer"), least=136,
                   cell=lambda row: words.answer(self._protocol, row.question, row.answer)),
            Column("rule", self.tr("Rule"), width=88, rank=4,
                   cell=lambda row: Cell(row.rule.replace("_", " "), ink="ink2")),
            Column("n", self.tr("n"), kind="number", width=40, rank=5, cell=lambda row: str(row.n)),
            Column("standing", self.tr("Stands"), width=120, rank=3, cell=standing),
            Column("signed", self.tr("Signed"), width=80, rank=1, cell=lambda row: Cell(
                self.tr("signed"), icon="good", tone="good") if row.signed else Cell(figures.NONE, ink="ink2")),
        ]

    def read(self) -> None:
        store, question = self._context.store, self._question.value()
        self._context.jobs.work(self, lambda _progress, _cancelled: (question, read_values(store, question)),
                                then=self._show)

    def _show(self, found: tuple[str, tuple[GoldView, ...]]) -> None:
        question, rows = found
        if question != self._question.value():
            return  # another question was chosen meanwhile
        self._paged.show_rows(rows[:MOST], keep_place=True)
        self._count.setText(self.tr("the first {n}").format(n=figures.count(MOST)) if len(rows) > MOST
                            else figures.count(len(rows)))
        self._paged.setVisible(bool(rows))

    def fit(self, *, dense: bool) -> None:
        self._paged.fit(dense=dense)

    @Slot(int)
    def _question_chosen(self, _at: int) -> None:
        self.read()

    @Slot(int)
    def _row_opened(self, at: int) -> None:
        row = self._paged.model().row(at)
        if row is not None:
            self.opened.emit((row.item,))
