"""The section Sittings: who sat, on which list, how far, what happened; withdrawing and excluding, with a reason."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import figures, theme
from app.pages.studies import words
from app.pages.studies.reading import Seen
from app.parts.buttons import CapButton
from app.parts.field import Field, Labelled
from app.parts.paged import PagedTable
from app.parts.table import Cell, Column, RowsModel, Table
from app.parts.text import label
from app.words import moment
from studies.model_parts import FREE_TEXT
from studies.sittings import SittingView

ROWS = 12


class SittingsPanel(QWidget):
    """``ended`` carries the sitting, ``withdrawn`` or ``excluded`` or ``aborted``, and the reason; ``resumed`` the
    participant of an open sitting."""

    ended = Signal(object, str, str)
    resumed = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._said = label("", "body", "ink", wrap=True)
        self._said.setObjectName("studies:progress")
        self.table = Table(self.tr("Sittings"), RowsModel(self._columns(), id_of=lambda row: row.id), marks_row=True)
        self.table.setObjectName("studies:sittings")
        self.table.row_shown.connect(self._row_shown)
        self._paged = PagedTable(self.table, size=ROWS)
        self._reason = Field(self.tr("Reason"), hint=self.tr("kept with the sitting; say nothing that names a person"))
        self._reason.setObjectName("studies:reason")
        self._reason_row = Labelled(self.tr("Reason"), self._reason)
        self._resume = CapButton(self.tr("Go on with it"), icon="next")
        self._resume.setObjectName("studies:resume")
        self._exclude = CapButton(self.tr("Exclude"), kind="flat", icon="x")
        self._exclude.setObjectName("studies:exclude")
        self._withdraw = CapButton(self.tr("Withdraw"), kind="flat", icon="x")
        self._withdraw.setObjectName("studies:withdraw")
        self._resume.clicked.connect(self._go_on)
        self._exclude.clicked.connect(self._do_exclude)
        self._withdraw.clicked.connect(self._do_withdraw)
        self._about = label(self.tr(
            "An excluded sitting leaves results and exports and frees its place in the list. Withdraw where the person "
            "asks for it: nothing of it is used again. Ctrl Z takes either back while its place is free."),
            "caption", "ink2", wrap=True)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.space("s"))
        for button in (self._resume, self._exclude, self._withdraw):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self._why = label("", "body", "ink2", wrap=True)
        self._why.setObjectName("studies:why_not_on")
        self._below = QWidget()
        below = QVBoxLayout(self._below)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(theme.space("s"))
        below.addWidget(self._reason_row)
        below.addLayout(buttons)
        below.addWidget(self._why)
        below.addWidget(self._about)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("m"))
        for part in (self._said, self._paged, self._below):
            column.addWidget(part)
        column.addStretch(1)

    def _columns(self) -> list[Column]:
        return [
            Column("participant", self.tr("Participant"), width=112,
                   cell=lambda row: Cell(row.participant, strong=True)),
            Column("state", self.tr("State"), width=112, cell=lambda row: Cell(
                words.state(row.state), icon="check" if row.state == "completed" else "", tone="good")),
            Column("pilot", self.tr("Kind"), width=72, rank=3,
                   cell=lambda row: Cell(self.tr("pilot") if row.pilot else self.tr("counts"),
                                         ink="ink2" if row.pilot else "ink")),
            Column("list", self.tr("List"), kind="number", width=56, rank=4, cell=lambda row: str(row.list_no + 1)),
            Column("done", self.tr("Trials"), kind="number", width=88, rank=1,
                   cell=lambda row: self.tr("{n} of {of}").format(n=row.done, of=row.planned)),
            Column("at", self.tr("Begun"), width=96, rank=5, cell=lambda row: moment(row.at)),
            Column("flags", self.tr("What happened"), least=160, rank=2, cell=lambda row: Cell(
                "; ".join(filter(None, (row.reason, *map(words.flag, row.flags)))) or "–", ink="ink2",
                tip="; ".join(map(words.flag, row.flags)))),
        ]

    def show_seen(self, seen: Seen | None) -> None:
        """The sittings of a study, the newest first; None: of a text that is not kept yet."""
        if seen is None:
            self._said.setText(self.tr("Keep the study; then people can sit for it."))
        else:
            self._said.setText(words.progress(seen.counts) if seen.sittings else self.tr("Nobody has sat for it yet."))
        rows: Sequence[SittingView] = seen.sittings[::-1] if seen is not None else ()
        self._paged.show_rows(rows, keep_place=True)
        self._paged.setVisible(bool(rows))
        self._below.setVisible(bool(rows))
        self._row_shown(0)

    def current(self) -> SittingView | None:
        row: SittingView | None = self._paged.current() if self._paged.rows() else None
        return row

    def fit(self, *, dense: bool) -> None:
        self._paged.fit(dense=dense)

    @Slot(int)
    def _row_shown(self, _at: int) -> None:
        row = self.current()
        state = row.state if row is not None else ""
        for button, can in ((self._resume, state == "open"), (self._exclude, state in ("open", "completed", "aborted")),
                            (self._withdraw, state not in ("", "withdrawn"))):
            if not can and self.window().focusWidget() is button:
                self._paged.table.setFocus()  # Qt would hand it on to the next button: to Exclude, to Withdraw
            button.setEnabled(can)
        why = words.cannot_go_on(state)
        self._why.setText(why)
        self._why.setVisible(bool(why))
        self._resume.setToolTip(why)
        self._resume.setAccessibleDescription(why)

    @Slot()
    def _go_on(self) -> None:
        row = self.current()
        if row is not None:
            self.resumed.emit(row.participant, row.pilot)

    @Slot()
    def _do_exclude(self) -> None:
        self._end("excluded")

    @Slot()
    def _do_withdraw(self) -> None:
        self._end("withdrawn")

    def _end(self, state: str) -> None:
        row, reason = self.current(), self._reason.text().strip()
        if row is None:
            return
        if state == "excluded" and not reason:
            self._reason_row.set_fault(self.tr("Say why this sitting is left out."))
            self._reason.setFocus()
            return
        if len(reason) > FREE_TEXT:
            self._reason_row.set_fault(self.tr("The reason has {n} characters, and at most {most} can be kept.").format(
                n=figures.count(len(reason)), most=figures.count(FREE_TEXT)))
            self._reason.setFocus()
            return
        self._reason_row.set_fault("")
        self._reason.clear()
        self.ended.emit(row.id, state, reason)
