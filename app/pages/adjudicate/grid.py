"""The rows of a case: what is asked, agree or differ, and what each answer says."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from annotation.answers import Answer
from annotation.diff import diff_words
from annotation.questions.base import in_words, number_text
from annotation.review import Case, CaseRow
from app import theme
from app.asking import ask
from app.pages.adjudicate.beside import Rest, add_rest, rest_of
from app.pages.adjudicate.heads import AnswerHead, HeadBar
from app.parts.reading import ReadingText
from app.parts.surface import Hairline
from app.parts.text import icon_label, label
from app.questions import Asked
from app.questions.base import say_answer

LABEL = 184


def _tr(text: str) -> str:
    return QCoreApplication.translate("CaseGrid", text)


class CaseGrid(QWidget):
    """Columns side by side; one below the other where they are too narrow to read."""

    taken = Signal(int)  # the answer's number

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._case: Case | None = None
        self._protocol: Any = None
        self._taken = 0
        self._heads: list[AnswerHead] = []
        self._columns: list[list[QWidget]] = []
        self._grid: QGridLayout | None = None
        self._stacked = self._in_row = False
        self._bar: HeadBar | None = None  # only where the answers stand side by side
        self._top = 0
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._inner: QWidget | None = None

    def show_case(self, case: Case, protocol: Any) -> None:
        self._case, self._protocol, self._taken = case, protocol, 0
        self._build()

    def show_taken(self, n: int) -> None:
        """Mark a column as taken; 0 none."""
        self._taken = n
        for head in self._heads:
            head.setChecked(head.objectName() == f"answer:{n}")
            head.setAccessibleDescription(_tr("taken") if head.isChecked() else "")
        self.update()
        if self._bar is not None:
            self._bar.update()

    def focus_first(self) -> None:
        if self._heads:
            self._heads[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def scrolled_to(self, y: int) -> None:
        """How much of the rows is above what is seen: the heads stay in sight."""
        self._top = y
        if self._bar is not None:
            self._bar.set_top(y)

    @property
    def heads_height(self) -> int:
        """How much of what is seen the heads take."""
        return self._bar.height() if self._bar is not None else 0

    def needs_stack(self) -> bool:
        count = max(1, len(self._case.answers) if self._case else 1)
        return (self.width() - theme.wide(LABEL)) / count < theme.wide(176)

    def _fit_in_row(self) -> bool:
        return sum(head.sizeHint().width() for head in self._heads) <= self.width() - theme.space("page_left") * 2

    def resizeEvent(self, event: Any) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        if self._case is not None and (self.needs_stack() != self._stacked or (
                self._stacked and self._fit_in_row() != self._in_row)):
            self._build()

    def restyle(self) -> None:
        if self._case is not None:
            self._build()

    # --- building -------------------------------------------------------------------------------------------

    def _build(self) -> None:
        assert self._case is not None
        had_focus = any(head.hasFocus() for head in self._heads)
        if self._inner is not None:
            self._outer.removeWidget(self._inner)
            self._inner.hide()
            self._inner.deleteLater()
        self._bar = None
        self._inner = QWidget(self)
        self._grid = grid = QGridLayout(self._inner)
        self._stacked = self.needs_stack()
        grid.setContentsMargins(theme.space("page_left"), 0, theme.space("page_right") if self._stacked else 0, 0)
        grid.setHorizontalSpacing(0)
        grid.setVerticalSpacing(0)
        self._heads = [AnswerHead(answer) for answer in self._case.answers]
        for answer, head in zip(self._case.answers, self._heads, strict=True):
            head.clicked.connect(lambda _on=False, n=answer.n: self.taken.emit(n))
        (self._build_stack if self._stacked else self._build_columns)(grid)
        self._outer.addWidget(self._inner)
        self.show_taken(self._taken)
        if had_focus:
            self.focus_first()

    def _build_columns(self, grid: QGridLayout) -> None:
        assert self._case is not None and self._inner is not None
        count = len(self._heads)
        grid.setColumnMinimumWidth(0, theme.wide(LABEL))
        few = [_tr("One answer, nobody named"), _tr("Two answers, people hidden"), _tr("Three answers, people hidden")]
        said = few[count - 1] if 1 <= count <= 3 else _tr("{n} answers, people hidden").format(n=count)
        self._bar = HeadBar(grid, label(said, "caption", "ink2"), self._heads, self._inner)
        for n in range(count):
            grid.setColumnStretch(n + 1, 1)
        for at, row in enumerate(self._case.rows):
            line = 1 + 2 * at
            words = self._label_of(row)
            words.setFixedWidth(theme.wide(LABEL))
            grid.addWidget(words, line, 0)
            for n, _answer in enumerate(self._case.answers):
                grid.addWidget(self._cell(row, n), line, n + 1)
            grid.addWidget(Hairline(), line + 1, 0, 1, count + 1)
        grid.setRowStretch(1 + 2 * len(self._case.rows), 1)
        self._bar.set_top(self._top)

    def _build_stack(self, grid: QGridLayout) -> None:
        assert self._case is not None
        grid.setColumnStretch(1, 1)
        heads = QHBoxLayout()
        heads.setSpacing(0)
        self._in_row = self._fit_in_row()
        heads.setDirection(QHBoxLayout.Direction.LeftToRight if self._in_row else QHBoxLayout.Direction.TopToBottom)
        for head in self._heads:
            heads.addWidget(head)
        grid.addLayout(heads, 0, 0, 1, 2)
        line = 1
        for row in self._case.rows:
            grid.addWidget(Hairline(), line, 0, 1, 2)
            grid.addWidget(self._label_of(row), line + 1, 0, 1, 2)
            line += 2
            for n, answer in enumerate(self._case.answers):
                number = label(str(answer.n), "strong", "ink2")
                number.setContentsMargins(theme.space("s"), theme.space("m"), theme.space("l"), 0)
                grid.addWidget(number, line, 0, Qt.AlignmentFlag.AlignTop)
                grid.addWidget(self._cell(row, n), line, 1)
                line += 1
        grid.setRowStretch(line, 1)

    def _label_of(self, row: CaseRow) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, theme.space("m"), theme.space("m"), theme.space("m"))
        column.setSpacing(theme.space("xxs"))
        sign = QWidget()
        line = QGridLayout(sign)
        line.setContentsMargins(0, 0, 0, 0)
        line.setHorizontalSpacing(theme.space("xs") + 2)
        alone = row.agrees and sum(cell is not None for cell in row.cells) == 1 < len(row.cells)
        icon = "person" if alone else "agree" if row.agrees else "differ"
        line.addWidget(icon_label(icon, "ink2" if row.agrees else "warn"), 0, 0)
        said = _tr("one answer") if alone else _tr("agree") if row.agrees else _tr("differ")
        line.addWidget(label(said, "label", "ink2" if row.agrees else "warn"), 0, 1)
        if row.due:
            line.addWidget(label(_tr("to decide"), "caption", "ink2"), 0, 2)
        line.setColumnStretch(3, 1)
        column.addWidget(sign)
        if any(self._rest(row, n).is_odd for n in range(len(row.cells))):
            said = _tr("{said}, with other marks").format(said=said)
            column.addWidget(label(_tr("marks differ"), "label", "warn"))
        text = ReadingText(role="body" if row.agrees else "button", ink="ink2" if row.agrees else "ink")
        text.show_text(self._words(row))
        column.addWidget(text)
        column.addStretch(1)
        box.setAccessibleName(f"{self._words(row)}: {said}")
        return box

    def _words(self, row: CaseRow) -> str:
        if not self._protocol.has_question(row.slot.question):
            words, heading = row.slot.question.replace("_", " ").capitalize(), row.slot.element
        else:
            words, heading = row.text, self._asked(row)[1]
        return f"{heading}: {words}" if row.slot.element else words

    def _cell(self, row: CaseRow, n: int) -> QWidget:
        answer = row.cells[n]
        odd = n in row.odd
        rest = self._rest(row, n)
        cell = ReadingText(role="strong" if odd else "body", ink="ink2" if row.agrees or answer is None else "ink")
        said = _tr("left empty") if n in row.empty else self._say(row, answer)
        if answer is not None and row.base is not None and isinstance(answer.get("v"), str) \
                and self._protocol.scale_of(row.slot.question) == "text":
            cell.show_pieces(diff_words(row.base, str(answer["v"])))
        else:
            cell.show_text(said)
        assert self._case is not None
        cell.setAccessibleName(_tr("Answer {n}: {question}: {said}").format(
            n=self._case.answers[n].n, question=self._words(row), said="; ".join(filter(None, (said, rest.said())))))
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(theme.space("s"), theme.space("m"), theme.space("l"), theme.space("m"))
        column.setSpacing(theme.space("xxs"))
        column.addWidget(cell)
        add_rest(column, rest)
        column.addStretch(1)
        return box

    def _rest(self, row: CaseRow, n: int) -> Rest:
        known = self._protocol.has_question(row.slot.question)
        return rest_of(self._protocol.question(row.slot.question) if known else None, row.cells, n)

    def _say(self, row: CaseRow, answer: Answer | None) -> str:
        assert self._case is not None
        if answer is None:
            return _tr("not asked")
        if not self._protocol.has_question(row.slot.question):
            return in_words(number_text(answer.get("v", "")))
        return say_answer(self._asked(row)[0], answer)

    def _asked(self, row: CaseRow) -> tuple[Asked, str]:
        assert self._case is not None
        return ask(self._protocol, self._case.fields, self._case.order, row.slot)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self._taken and not self._stacked and self._inner is not None:
            head = next((head for head in self._heads if head.isChecked()), None)
            if head is not None:
                left = head.mapTo(self, head.rect().topLeft()).x()
                QPainter(self).fillRect(left, 0, head.width(), self.height(), theme.color("tint"))
