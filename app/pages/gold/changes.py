"""What differs between two releases and why, the words that people note about it, and what was taken out since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import figures, theme
from app.pages.gold import words
from app.pages.gold.reading import Changes
from app.parts.boxes import clear
from app.parts.buttons import CapButton
from app.parts.field import Choice, Field, Labelled
from app.parts.paged import PagedTable
from app.parts.surface import Surface
from app.parts.table import Cell, Column, RowsModel, Table
from app.parts.text import label
from exports.changes import Change
from exports.outlook import ReleaseView

ROWS = 12


class ChangesPanel(QWidget):
    """``asked``: read (before, after); ``noted`` (key, why, release); ``taken_back`` an erratum; ``opened`` an item."""

    asked = Signal(str, str)
    noted = Signal(str, str, str)
    taken_back = Signal(object)
    opened = Signal(object)

    def __init__(self, protocol: Any, *, may: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._protocol, self._may = protocol, may
        self._found: Changes | None = None
        self._versions: list[str] = []
        self.before, self.after = Choice(self.tr("The older release")), Choice(self.tr("The newer release"))
        self.before.setObjectName("gold:before")
        self.after.setObjectName("gold:after")
        for choice in (self.before, self.after):
            choice.activated.connect(self._chosen)
        self._counts = label("", "reading", wrap=True)
        self._counts.setObjectName("gold:changes-said")
        self._table = Table(self.tr("Items that differ"), RowsModel(self._columns(), id_of=lambda row: row.item),
                            marks_row=True)
        self._table.setObjectName("gold:changes")
        self._table.row_shown.connect(self._row_shown)
        self._table.row_opened.connect(self._row_opened)
        self._paged = PagedTable(self._table, size=ROWS)
        self._why = Field(self.tr("Why the item is another"), hint=self.tr("published with the next release"))
        self._why.setObjectName("gold:why")
        self._why.returnPressed.connect(self._note)
        self._labelled = Labelled(self.tr("Why the item is another"), self._why)
        self._note_button = CapButton(self.tr("Note erratum"), icon="edit")
        self._note_button.clicked.connect(self._note)
        self._form = QWidget()
        self._errata, self._gone = QVBoxLayout(), QVBoxLayout()
        self._errata_head = label(self.tr("Errata"), "strong")
        self._build()

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(theme.space("m"))
        row.addWidget(Labelled(self.tr("From release"), self.before))
        row.addWidget(Labelled(self.tr("To release"), self.after))
        row.addStretch(1)
        form = QVBoxLayout(self._form)
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(theme.space("s"))
        form.addWidget(self._labelled)
        button = QHBoxLayout()
        button.addWidget(self._note_button)
        button.addStretch(1)
        form.addLayout(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        column.addLayout(row)
        for part in (self._counts, self._paged, self._form):
            column.addWidget(part)
        column.addSpacing(theme.space("m"))
        column.addWidget(self._errata_head)
        for box in (self._errata, self._gone):
            box.setSpacing(0)
        column.addLayout(self._errata)
        column.addSpacing(theme.space("m"))
        column.addWidget(label(self.tr("Taken out after the release"), "strong"))
        column.addLayout(self._gone)

    def _columns(self) -> list[Column]:
        return [
            Column("item", self.tr("Item"), width=112, cell=lambda row: Cell(row.key, strong=True, tip=row.id)),
            Column("what", self.tr("What"), width=112, rank=1, cell=lambda row: words.changed(row.what)),
            Column("gold", self.tr("Gold before and after"), least=160, cell=self._gold),
            Column("causes", self.tr("Through"), width=112, rank=3,
                   cell=lambda row: Cell(words.changed(row.causes) or figures.NONE, ink="ink2")),
            Column("why", self.tr("Why"), least=120, rank=2, cell=self._said),
        ]

    def _gold(self, row: Change) -> Cell:
        said = "; ".join(
            f"{one.question.replace('_', ' ')}: {words.answer(self._protocol, one.question, one.before)} → "
            f"{words.answer(self._protocol, one.question, one.after)}" for one in row.gold)
        return Cell(said or figures.NONE, ink="ink" if said else "ink2")

    def _said(self, row: Change) -> Cell:
        why = self._found.why(row.item) if self._found is not None else ""
        untold = not why and {"gold", "removed"} & set(row.what) and "withdrawn" not in row.causes
        return Cell(self.tr("nobody has said"), icon="warn", tone="warn") if untold else Cell(
            why or figures.NONE, ink="ink" if why else "ink2")

    # --- showing --------------------------------------------------------------------------------------------

    def show_releases(self, rows: Sequence[ReleaseView]) -> None:
        """The choices; the last final release against the newest, until somebody chooses others."""
        versions = [row.version for row in rows]
        if versions == self._versions:
            return
        kept = (self.before.value(), self.after.value()) if len(versions) == len(self._versions) else ("", "")
        self._versions = versions
        for choice in (self.before, self.after):
            choice.set_options([(one, one) for one in versions])
        finals = [row.version for row in rows[1:] if row.kind == "final"]
        self.before.set_value(kept[0] or next(iter(finals), versions[-1] if versions else ""))
        self.after.set_value(kept[1] or (versions[0] if versions else ""))

    def read(self) -> None:
        """Ask for what the choices say."""
        if self._versions:
            self.asked.emit(self.before.value(), self.after.value())
        else:
            self._show_nothing(self.tr(
                "No release yet. After the second one, what differs between the two stands here."))

    def show_changes(self, found: Changes) -> None:
        self._found = found
        difference = found.difference
        rows: Sequence[Change] = difference.changes if difference is not None else ()
        self._paged.show_rows(rows, keep_place=True)
        self._paged.setVisible(bool(rows))
        if difference is None:
            self._counts.setText(self.tr("Choose two releases to see what differs between them.")
                                 if len(self._versions) > 1 else
                                 self.tr("One release so far. After the second one, what differs between the two "
                                         "stands here."))
        else:
            counts = [f"{figures.count(n)} {words.changed((what,))}" for what, n in difference.counts().items() if n]
            self._counts.setText(self.tr("From release {before} to {after}: {counts}.").format(
                before=difference.before, after=difference.after, counts=", ".join(counts) or self.tr("no items")))
        self._row_shown(0)
        self._show_errata(found)
        self._show_gone(found)

    def _show_nothing(self, text: str) -> None:
        self._found = None
        self._counts.setText(text)
        for part in (self._paged, self._form, self._errata_head):
            part.hide()

    def _show_errata(self, found: Changes) -> None:
        clear(self._errata)
        self._errata_head.setVisible(bool(found.errata))
        for one in found.errata:
            said = self.tr("{key}, release {version}: {why} ({by})").format(
                key=one.key, version=one.release, why=one.why, by=one.by)
            buttons = []
            if self._may:
                back = CapButton(self.tr("Take back"), kind="link")
                back.setObjectName(f"erratum:{one.key}")
                back.setAccessibleName(self.tr("Take back: erratum of {key}").format(key=one.key))
                back.clicked.connect(lambda _on=False, id=one.id: self.taken_back.emit(id))
                buttons.append(back)
            self._errata.addWidget(_line(said, buttons))

    def _show_gone(self, found: Changes) -> None:
        clear(self._gone)
        if not found.gone_items and not found.gone_people:
            self._gone.addWidget(label(self.tr("Nothing."), "body", "ink2"))
            return
        self._gone.addWidget(label(self.tr(
            "A bundle of this release that is written now has a tombstone in the place of each of these rows; its "
            "counts and hashes can still be checked."), "caption", "ink2", wrap=True))
        for kind, rows in ((self.tr("item"), found.gone_items), (self.tr("answers of"), found.gone_people)):
            for name, day, why in rows:
                self._gone.addWidget(_line(f"{kind} {name}, {day}: {why}", []))

    def fit(self, *, dense: bool) -> None:
        self._paged.fit(dense=dense)

    # --- what is done ---------------------------------------------------------------------------------------

    def noted_one(self) -> None:
        self._why.clear()
        self._labelled.set_fault("")

    def refuse(self, text: str) -> None:
        self._labelled.set_fault(text)
        self._why.setFocus()

    @Slot(int)
    def _chosen(self, _at: int) -> None:
        self.read()

    @Slot(int)
    def _row_shown(self, _at: int) -> None:
        row: Change | None = self._paged.current() if self._paged.rows() else None
        can = self._may and row is not None and "added" not in row.what
        if row is not None:
            self._note_button.set_text(self.tr("Note erratum for {key}").format(key=row.key))
        self._form.setVisible(can)

    @Slot(int)
    def _row_opened(self, _at: int) -> None:
        row: Change | None = self._paged.current()
        if row is not None:
            self.opened.emit((row.item,))

    @Slot()
    def _note(self) -> None:
        row: Change | None = self._paged.current()
        if row is not None:
            self.noted.emit(row.key, self._why.text().strip(), self.before.value())


def _line(said: str, buttons: Sequence[CapButton]) -> QWidget:
    row = Surface("page", sides="bottom")
    row.setAccessibleName(said)
    line = QHBoxLayout(row)
    line.setContentsMargins(0, theme.space("xxs"), 0, theme.space("xxs"))
    line.addWidget(label(said, "body", "ink", wrap=True), 1)
    for button in buttons:
        line.addWidget(button)
    row.setMinimumHeight(theme.height("table_row", "body"))
    return row
