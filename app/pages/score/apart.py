"""The items where one system and people differ, and sending them to a round of looking again."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import figures, theme
from app.pages.score.differing import Differing, Found
from app.pages.score.tables import differing_columns
from app.parts.buttons import CapButton
from app.parts.field import Field, Labelled
from app.parts.paged import PagedTable
from app.parts.running import Running
from app.parts.table import RowsModel, Table
from app.parts.text import label

ROWS = 15
MOST = 2_000  # items handed on at once


class ApartPanel(QWidget):
    """``opened`` carries keys of items to show, ``send_asked`` comes from the button; ``changed``: other items."""

    opened = Signal(object)
    send_asked = Signal()
    changed = Signal()

    def __init__(self, *, may_send: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: Found | None = None
        self._may_send = may_send
        self._head = label("", "body", wrap=True)
        self._head.setObjectName("score:apart-said")
        self.running = Running()
        self._model = RowsModel(differing_columns(self.tr), id_of=lambda one: (one.id, one.element))
        self._model.chosen_changed.connect(self._chosen_changed)
        self.table = Table(self.tr("Items where it and people differ"), self._model)
        self.table.setObjectName("score:apart")
        self.table.row_opened.connect(self._row_opened)
        self._paged = PagedTable(self.table, size=ROWS)
        self.why = Field(self.tr("What whoever looks again reads"))
        self.why.setObjectName("score:why")
        self.why.setText(self.tr("A model and people differ here. Please look again."))
        self._labelled = Labelled(self.tr("What whoever looks again reads"), self.why, hint=self.tr(
            "It should not say what to answer. The items get an open query each, and stay as they are."))
        self.send_button = CapButton(self.tr("Send to a recheck round"), icon="send_back", keys="Ctrl+Shift+R")
        self.send_button.clicked.connect(self.send_asked)
        self._show = CapButton(self.tr("Show"), kind="link")
        self._show.clicked.connect(self._open_all)
        self._form = QWidget()
        form = QVBoxLayout(self._form)
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(theme.space("s"))
        form.addWidget(self._labelled)
        row = QHBoxLayout()
        row.setSpacing(theme.space("m"))
        row.addWidget(self.send_button)
        row.addWidget(self._show)
        row.addStretch(1)
        form.addLayout(row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        for part in (self._head, self.running, self._paged, self._form):
            column.addWidget(part)
        column.addStretch(1)
        self.say(self.tr(
            "Press Enter on a system, or on one of its slices, to see the items where it and people differ."))

    def found(self) -> Found | None:
        return self._found

    def say(self, text: str) -> None:
        """A sentence in place of items."""
        self._found = None
        self._head.setText(text)
        for part in (self._paged, self._form):
            part.hide()
        self.changed.emit()

    def show_found(self, found: Found) -> None:
        self._found = found
        self._model.clear_chosen()
        self._paged.show_rows(found.rows)
        where = self.tr("{system}: ").format(system=found.place.system)
        if found.place.slice is not None:
            value = found.place.slice[1] if found.place.slice[1] is not None else self.tr("without a value")
            where = self.tr("{system}, {field} {value}: ").format(
                system=found.place.system, field=found.place.slice[0].replace("_", " "), value=value)
        self._head.setText(where + (
            self.tr("{n} of {all} differ from gold, those on which people agreed most first.").format(
                n=figures.count(len(found.rows)), all=figures.count(found.asked)) if found.rows else
            self.tr("none of {all} differs from gold.").format(all=figures.count(found.asked))))
        for part in (self._paged, self._form):
            part.setVisible(bool(found.rows))
        self._chosen_changed()

    def keys(self) -> tuple[str, ...]:
        """Of the chosen items, or of all where none is chosen."""
        rows: tuple[Differing, ...] = self._found.rows if self._found is not None else ()
        chosen = [one for one in rows if (one.id, one.element) in self._model.chosen] or rows
        return tuple(dict.fromkeys(one.key for one in chosen if one.key is not None))[:MOST]

    @property
    def can_send(self) -> bool:
        return self._may_send and bool(self.keys())

    def fit(self, *, dense: bool) -> None:
        self._paged.fit(dense=dense)

    @Slot()
    def _chosen_changed(self) -> None:
        n = figures.count(len(self.keys()))
        self.send_button.set_text(self.tr("Send {n} to a recheck round").format(n=n))
        self._show.set_text(self.tr("Show {n}").format(n=n))
        self.changed.emit()

    @Slot(int)
    def _row_opened(self, at: int) -> None:
        row = self._model.row(at)
        if row is not None and row.key is not None:
            self.opened.emit((row.key,))

    @Slot()
    def _open_all(self) -> None:
        if self.keys():
            self.opened.emit(self.keys())
