"""What the sections of reports share: a sentence, its method, choices, a table with its row in words, and panels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QVBoxLayout, QWidget

from app import theme
from app.context import Context
from app.pages.agreement.disputes import MOST
from app.pages.agreement.sections import SectionView
from app.parts.field import Choice, Labelled
from app.parts.table import Column, RowsModel, Table
from app.parts.text import label
from app.plots.view import PlotView

LETTERS = 18   # of a value that are seen
MOST_ROWS = 40  # seen at once


def choice(name: str) -> Choice:
    """A list to choose from that may be narrower than its longest value."""
    made = Choice(name)
    made.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(LETTERS)
    return made


def fill(field: Choice, options: Sequence[tuple[str, str]], value: str) -> None:
    """New options where they changed; the value stays where it is still there."""
    if [(field.itemData(n), field.itemText(n)) for n in range(field.count())] != list(options):
        field.set_options(options)
    if options:
        field.set_value(value)


class ReportView(SectionView):
    """``_frame`` and then ``_panels`` lay it out; whoever inherits says what is read and shows it.

    Tab goes in the order in which widgets are made: the panels come last.
    """

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._protocol: Any = context.store.protocol
        self._above: tuple[QWidget, ...] = ()
        self._below: tuple[QWidget, ...] = ()
        self._across = 0

    def _frame(self, table: Table, *, name: str, choices: Sequence[Choice] = (), above: Sequence[QWidget] = ()
               ) -> None:
        """``above`` and ``choices`` stand over the table."""
        self._sentence = label("", "reading", wrap=True)
        self._sentence.setObjectName(f"{name}:sentence")
        self._method = label("", "caption", "ink2", wrap=True)
        self._method.setObjectName(f"{name}:method")
        self._table, self._choices = table, tuple(choices)
        table.setObjectName(f"{name}:table")
        table.row_shown.connect(self._row_shown)
        table.row_opened.connect(self._row_opened)
        self._head = label("", "strong", wrap=True)
        self._details = label("", "body", wrap=True)
        self._details.setObjectName(f"{name}:details")
        self._missing = label("", "caption", "ink2", wrap=True)  # what has no value, and why
        self._missing.setObjectName(f"{name}:missing")
        self._missing.hide()
        self._bar = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._bar.setSpacing(theme.space("m"))
        self._labelled = [Labelled(one.accessibleName(), one) for one in choices]
        for field in self._labelled:
            self._bar.addWidget(field)
        self._bar.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("xs"))
        for part in (self._sentence, self._method, *above):
            column.addWidget(part)
        column.addSpacing(theme.space("s"))
        column.addLayout(self._bar)
        column.addSpacing(theme.space("xs"))
        column.addWidget(table)
        column.addSpacing(theme.space("s"))
        column.addWidget(self._head)
        column.addWidget(self._details)
        column.addWidget(self._missing)
        column.addSpacing(theme.space("xl"))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(theme.space("xxl"))
        self._grid.setVerticalSpacing(theme.space("xl"))
        column.addLayout(self._grid)
        self._above = tuple(above)
        column.addStretch(1)

    def _panels(self, *below: QWidget) -> None:
        """Two abreast under the table."""
        self._below = below
        self.fit(narrow=False, dense=False)

    def _plot(self, name: str, opened: Any) -> PlotView:
        made = PlotView(self.context.jobs, self.context.settings, self)
        made.setObjectName(name)
        made.marked.connect(opened)
        return made

    def _show_rows(self, model: RowsModel, rows: Sequence[Any], at: int) -> None:
        """New rows, of which ``at`` is current."""
        model.renew_rows(rows)
        self._table.fit_rows(MOST_ROWS)
        if not rows:
            return
        if self._table.currentIndex().row() != at:
            self._table.setCurrentIndex(model.index(at, 0))  # which shows the row
        else:
            self._row_shown(at)

    def _span(self, known: Sequence[bool], first: str, columns: int) -> None:
        """Where a row has no value its reason takes the room of the figures, from the column ``first`` on."""
        at = [column.name for column in self._table.rows_model().columns].index(first)
        self._table.clearSpans()
        for n, is_known in enumerate(known):
            if not is_known:
                self._table.setSpan(n, at, 1, columns)

    def _say_details(self, head: str, text: str, missing: str = "") -> None:
        self._head.setText(head)
        self._details.setText(text)
        self._missing.setText(missing)
        self._missing.setVisible(bool(missing))

    def _row_shown(self, at: int) -> None:
        """Another row is current."""

    def _row_opened(self, at: int) -> None:
        """Enter or a double click on a row."""

    def parts(self) -> list[QWidget]:
        taken_away = Qt.WidgetAttribute.WA_WState_ExplicitShowHide  # what was never shown yet is hidden too
        return [part for part in (self._table, *self._labelled, *self._above, *self._below)
                if not (part.isHidden() and part.testAttribute(taken_away))]

    def fit(self, *, narrow: bool, dense: bool) -> None:
        self._sentence.setMaximumWidth(theme.wide(theme.size("reading_column") + theme.size("rail")))
        self._missing.setMaximumWidth(theme.wide(theme.size("reading_column") + theme.size("rail")))
        self._details.setMaximumWidth(theme.wide(theme.size("reading_column") + theme.size("rail")))
        self._bar.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
        self._table.set_dense(dense)
        self._table.fit_rows(MOST_ROWS)
        across = 1 if narrow else 2
        if across != self._across:
            self._across = across
            for n, part in enumerate(self._below):
                self._grid.addWidget(part, n // across, n % across, Qt.AlignmentFlag.AlignTop)
            for column in (0, 1):
                self._grid.setColumnStretch(column, 1 if column < across else 0)

    def _go(self, items: tuple[UUID, ...] | None) -> None:
        if items:
            self.items_asked.emit(items[:MOST])
        else:
            self.said.emit("info", self.tr("There is no such item."))


def columns_of_words(columns: Sequence[Column]) -> tuple[str, ...]:
    """Heads of a table that is taken away."""
    return tuple(one.title for one in columns)
