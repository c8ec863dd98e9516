"""One system in more detail: its score by slice, and the parts that its score is made of."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.jobs import Jobs
from app.pages.score import words
from app.pages.score.plots import by_slice
from app.pages.score.reading import System
from app.pages.score.tables import part_columns, parts_of, slice_columns
from app.parts.field import Choice
from app.parts.table import RowsModel, Table
from app.parts.text import label
from app.plots.view import PlotView
from app.settings import Settings


class SystemPanel(QWidget):
    """Slices at the left, parts at the right; one below the other where it is narrow.

    ``slice_opened`` carries the field and the value of a slice on which Enter was pressed.
    """

    slice_opened = Signal(str, object)

    def __init__(self, jobs: Jobs, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plot = PlotView(jobs, settings, parent=self)
        self._plot.marked.connect(self._marked)
        self._system: System | None = None
        self._slices, self._parts = RowsModel(slice_columns(self.tr)), RowsModel(part_columns(self.tr))
        self._slice_head, self._part_head = label("", "strong"), label("", "strong", wrap=True)
        self._none = label("", "body", "ink2", wrap=True)
        self._no_parts = label(self.tr("This score is not made of parts."), "body", "ink2", wrap=True)
        self._by = Choice(self.tr("Slices by"))
        self._by.activated.connect(self._by_chosen)
        self._slice_table = Table(self.tr("Scores per slice"), self._slices, marks_row=True)
        self._slice_table.setObjectName("score:slices")
        self._slice_table.row_opened.connect(self._slice_row_opened)
        self._part_table = Table(self.tr("Parts of the score"), self._parts, marks_row=True)
        self._part_table.setObjectName("score:parts")
        row, left, right = QHBoxLayout(), QVBoxLayout(), QVBoxLayout()
        row.addWidget(self._slice_head)
        row.addStretch(1)
        row.addWidget(self._by)
        left.addLayout(row)
        for column, parts in ((left, (self._none, self._slice_table, self._plot)),
                              (right, (self._part_head, self._no_parts, self._part_table))):
            column.setSpacing(theme.space("s"))
            for part in parts:
                column.addWidget(part)
            column.addStretch(1)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(theme.space("xxl"))
        self._box.addLayout(left, 3)
        self._box.addLayout(right, 2)

    def set_scale(self, scale: tuple[float, float]) -> None:
        self._slices.set_scale("interval", scale)

    def show_system(self, system: System | None) -> None:
        self._system = system
        fields = list(dict.fromkeys(one["field"] for one in system.slices)) if system is not None else []
        if [self._by.itemData(n) for n in range(self._by.count())] != fields:
            self._by.set_options([(field, field.replace("_", " ")) for field in fields])
        self._by.setVisible(len(fields) > 1)
        self._part_head.setText(self.tr("What the answers did: {system}").format(system=words.system(system))
                                if system is not None else self.tr("What the answers did"))
        parts = parts_of(system.figure) if system is not None else []
        self._parts.set_rows(parts)
        self._part_table.setVisible(bool(parts))
        self._no_parts.setVisible(system is not None and not parts)
        self._show_slices()

    def _show_slices(self) -> None:
        field, at = self._by.value(), self._slice_table.currentIndex()
        listed = [one for one in self._system.slices if one["field"] == field] if self._system is not None else []
        self._slice_head.setText(self.tr("By slice: {field}").format(field=field.replace("_", " ")) if listed
                                 else self.tr("By slice"))
        self._none.setText(self.tr("Answers of people are not cut into slices: choose the row of a model.")
                           if self._system is not None and self._system.is_people else
                           self.tr("The items of this bundle carry no tag to slice by."))
        self._none.setVisible(not listed)
        self._slice_table.setVisible(bool(listed))
        self._slices.set_rows(listed)
        self._plot.show_plot(by_slice(self._system, field, listed) if self._system is not None else None)
        if listed and at.isValid():
            self._slice_table.setCurrentIndex(self._slices.index(min(at.row(), len(listed) - 1), at.column()))

    def fit(self, *, narrow: bool, dense: bool) -> None:
        self._box.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
        for table in (self._slice_table, self._part_table):
            table.set_dense(dense)
            table.fit_rows()

    @Slot(int)
    def _slice_row_opened(self, at: int) -> None:
        one = self._slices.row(at)
        if one is not None:
            self.slice_opened.emit(one["field"], one["value"])

    @Slot(int)
    def _marked(self, at: int) -> None:
        if at:  # the first is the whole
            self._slice_row_opened(at - 1)

    @Slot(int)
    def _by_chosen(self, _at: int) -> None:
        self._show_slices()
        for table in (self._slice_table, self._part_table):
            table.fit_rows()
