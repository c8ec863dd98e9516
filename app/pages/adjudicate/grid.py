"""The rows of a case: what is asked, agree or differ, and what each answer says."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from annotation.answers import Answer
from annotation.diff import diff_words
from annotation.questions.base import in_words, number_text
from annotation.review import Case, CaseAnswer, CaseRow
from app import theme
from app.asking import ask
from app.parts.caps import cap_width, paint_caps
from app.parts.paint import draw_line, focus_ring
from app.parts.reading import ReadingText
from app.parts.surface import Hairline
from app.parts.text import icon_label, label
from app.questions import Asked
from app.questions.base import say_answer
from app.questions.options import cap_of

LABEL = 184


def _tr(text: str) -> str:
    return QCoreApplication.translate("CaseGrid", text)


class AnswerHead(QAbstractButton):
    """The head of a column: its digit, "Answer 2", "taken", the time it took."""

    def __init__(self, answer: CaseAnswer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the pointer comes and goes
        self._answer = answer
        self._time = say_time(answer.active_ms)
        words = _tr("Verification {n}") if answer.stage == "verify" else _tr("Answer {n}")
        self.setText(words.format(n=answer.n))
        self.setObjectName(f"answer:{answer.n}")
        self.setAccessibleName(self.text())
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def nextCheckState(self) -> None:  # noqa: N802 - Qt's name
        """Painted from the page's state."""

    def sizeHint(self) -> QSize:  # noqa: N802
        wide = cap_width("0") + theme.metrics("strong").horizontalAdvance(self.text()) + 3 * theme.space("m")
        return QSize(wide, theme.height("button") + theme.space("m"))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter, rect = QPainter(self), self.rect()
        if not self.isChecked() and self.underMouse():
            painter.fillRect(rect, theme.color("hover"))
        x: float = theme.space("s")
        cap = cap_of(self._answer.n - 1)
        if cap:
            x = paint_caps(painter, x, rect.height() / 2, [cap], state="chosen" if self.isChecked() else "rest")
        x += theme.space("s")
        wide = theme.metrics("strong").horizontalAdvance(self.text()) + 2
        draw_line(painter, QRect(round(x), 0, wide, rect.height()), self.text(), "strong", "ink")
        x += wide + theme.space("s")
        right = rect.width() - theme.space("m")
        taken = _tr("taken")
        if self.isChecked():
            wide = theme.metrics("label").horizontalAdvance(taken) + 2
            draw_line(painter, QRect(round(x), 0, wide, rect.height()), taken, "label", "accent_ink")
            x += wide + theme.space("s")
        if right - x >= theme.metrics("caption").horizontalAdvance(self._time):
            draw_line(painter, QRect(round(x), 0, round(right - x), rect.height()), self._time, "caption", "ink2",
                      align=Qt.AlignmentFlag.AlignRight)
        if self.hasFocus():
            focus_ring(painter, rect.adjusted(0, 2, 0, -2))


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

    def focus_first(self) -> None:
        if self._heads:
            self._heads[0].setFocus(Qt.FocusReason.OtherFocusReason)

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
        assert self._case is not None
        count = len(self._heads)
        grid.setColumnMinimumWidth(0, theme.wide(LABEL))
        few = [_tr("One answer, nobody named"), _tr("Two answers, people hidden"), _tr("Three answers, people hidden")]
        said = few[count - 1] if 1 <= count <= 3 else _tr("{n} answers, people hidden").format(n=count)
        grid.addWidget(label(said, "caption", "ink2"), 0, 0)
        for n, head in enumerate(self._heads, 1):
            grid.addWidget(head, 0, n)
            grid.setColumnStretch(n, 1)
        grid.addWidget(Hairline("edge"), 1, 0, 1, count + 1)
        for at, row in enumerate(self._case.rows):
            line = 2 + 2 * at
            words = self._label_of(row)
            words.setFixedWidth(theme.wide(LABEL))
            grid.addWidget(words, line, 0)
            for n, _answer in enumerate(self._case.answers):
                grid.addWidget(self._cell(row, n), line, n + 1)
            grid.addWidget(Hairline(), line + 1, 0, 1, count + 1)
        grid.setRowStretch(2 + 2 * len(self._case.rows), 1)

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
        cell = ReadingText(role="strong" if odd else "body", ink="ink2" if row.agrees or answer is None else "ink")
        said = _tr("left empty") if n in row.empty else self._say(row, answer)
        if answer is not None and row.base is not None and isinstance(answer.get("v"), str) \
                and self._protocol.scale_of(row.slot.question) == "text":
            cell.show_pieces(diff_words(row.base, str(answer["v"])))
        else:
            cell.show_text(said)
        assert self._case is not None
        cell.setAccessibleName(_tr("Answer {n}: {question}: {said}").format(
            n=self._case.answers[n].n, question=self._words(row), said=said))
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(theme.space("s"), theme.space("m"), theme.space("l"), theme.space("m"))
        column.addWidget(cell)
        column.addStretch(1)
        return box

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


def say_time(ms: int) -> str:
    """52 s, 1 min 31 s."""
    minutes, seconds = divmod(round(ms / 1000), 60)
    if not minutes:
        return _tr("{s} s").format(s=seconds)
    return _tr("{m} min {s} s").format(m=minutes, s=seconds) if seconds else _tr("{m} min").format(m=minutes)
