"""The table of items, of any length: only the pages of rows that are looked at are read."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from annotation.finding import ItemRow, Page
from app.i18n import translate
from app.pages.items.agreeing import Dots
from app.parts.table import Cell, Column, RowsModel
from app.words import STAGES, moment

PAGE = 100
KEPT = 40  # pages in memory
_Index = QModelIndex | QPersistentModelIndex


class ItemsModel(RowsModel):
    """``wanted`` asks for the rows from an offset on; ``fill`` brings them."""

    wanted = Signal(int)

    def __init__(self, columns: Sequence[Column], parent: QWidget | None = None) -> None:
        super().__init__(columns, id_of=lambda row: row.id, parent=parent)
        self._total = 0
        self._pages: OrderedDict[int, tuple[ItemRow, ...]] = OrderedDict()
        self._asked: set[int] = set()
        self._next: list[int] = []
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._ask)

    def start(self, page: Page) -> None:
        """A new search: the total and the first rows."""
        self.beginResetModel()
        self._total = page.total
        self._pages.clear()
        self._asked.clear()
        self._next.clear()
        self._pages[page.offset // PAGE] = page.rows
        self.endResetModel()

    def fill(self, page: Page) -> None:
        at = page.offset // PAGE
        self._asked.discard(at)
        self._pages[at] = page.rows
        while len(self._pages) > KEPT:
            self._pages.popitem(last=False)
        if page.rows:
            self.dataChanged.emit(self.index(page.offset, 0),
                                  self.index(page.offset + len(page.rows) - 1, len(self.columns) - 1))

    @property
    def total(self) -> int:
        return self._total

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's default
        return 0 if parent.isValid() else self._total

    def row(self, at: int) -> Any | None:
        page, within = divmod(at, PAGE)
        rows = self._pages.get(page)
        if rows is None:
            if 0 <= at < self._total and page not in self._asked and page not in self._next:
                self._next.append(page)
                self._soon.start(0)
            return None
        self._pages.move_to_end(page)
        return rows[within] if within < len(rows) else None

    @Slot()
    def _ask(self) -> None:
        # While somebody drags the scroll bar, only the last pages passed are worth reading.
        for page in self._next[-2:]:
            self._asked.add(page)
            self.wanted.emit(page * PAGE)
        self._next.clear()


def columns_of(protocol: Any, tr: Any, dots: Dots) -> list[Column]:
    """Key, first text, first tag, stage, answers, whether people differ, signs, changed. ``dots`` is filled as
    rows are read."""
    fields = [field for field in protocol.fields if not field.private]
    first = next((field for field in fields if field.kind in ("text", "markdown")), None)
    tag = next((field for field in fields if field.kind == "tag"), None)
    order = tuple(protocol.workflow.stages)

    def stage(row: ItemRow) -> Cell:
        if row.state != "active":
            return Cell(tr("withdrawn") if row.state == "withdrawn" else tr("changed since"), icon="warn", tone="warn")
        now = next((name for name in order if name in row.stages and row.stages[name].state == "open"), None)
        if now is not None:
            return Cell(translate(STAGES[now], "stages"))
        return Cell(tr("done"), icon="good", tone="good") if row.stages else Cell("–", ink="ink2")

    def answers(row: ItemRow) -> Cell:
        want = row.stages["annotate"].want if "annotate" in row.stages else 0
        given = dots.get(row.id, ())[:6]
        return Cell(dots=given + ("none",) * (min(want, 6) - len(given)),
                    tip=tr("{n} answers of {of}").format(n=row.answers, of=max(want, row.answers)))

    def people(row: ItemRow) -> Cell:
        settled = row.stages.get("adjudicate")
        if settled is not None and settled.want:
            return Cell(tr("differ"), icon="differ", tone="warn") if settled.state == "open" else Cell(
                tr("settled"), icon="scales", tone="ink2", ink="ink2")
        given = dots.get(row.id, ())
        if len(given) < 2:
            return Cell("")
        return Cell(tr("differ"), icon="differ", tone="warn") if "other" in given else Cell(
            tr("agree"), icon="agree", ink="ink2")

    def signs(row: ItemRow) -> Cell:
        if row.queries:
            return Cell(f"{row.queries}", icon="query", tip=tr("{n} open queries").format(n=row.queries))
        if row.flags:
            return Cell(f"{row.flags}", icon="flag", tip=tr("{n} flags").format(n=row.flags))
        return Cell("")

    made = [
        Column("chosen", "", kind="check", width=36),
        Column("key", tr("Key"), width=112, sort="key", cell=lambda row: Cell(row.key, strong=True)),
        Column("text", first.label or first.name if first else tr("Item"), cell=lambda row: Cell(row.text)),
        Column("stage", tr("Stage"), width=136, rank=2, sort="state", cell=stage),
        Column("answers", tr("Answers"), kind="dots", width=80, rank=3, cell=answers),
        Column("people", tr("People"), width=96, rank=4, cell=people),
        Column("signs", tr("Marks"), width=64, rank=6, cell=signs),
        Column("updated", tr("Changed"), kind="number", width=104, rank=5, sort="updated",
               cell=lambda row: Cell(moment(row.updated), ink="ink2")),
    ]
    if tag is not None:
        made.insert(3, Column("tag", tag.label or tag.name, width=120, roomy=240, rank=7,
                              cell=lambda row: Cell(row.tags.get(tag.name, "–"))))
    return made
