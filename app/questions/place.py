"""Where one question stands in a form: under the heading of its element, folded to a row, or open."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.parts.fold import FoldRow, number_width
from app.parts.surface import Hairline
from app.parts.text import label
from app.questions.base import QuestionWidget


class Place(QWidget):
    """Where one question stands: the heading of its element, its folded row, or itself between hairlines."""

    def __init__(self, question: QuestionWidget, heading: str) -> None:
        super().__init__()
        self.question = question
        self.heading = label(heading, "label", "ink2", wrap=True)
        self.row = FoldRow()
        self.row.hide()
        self.number = label("", "caption", "accent_ink")
        self._before = QWidget(self)
        before = QHBoxLayout(self._before)
        before.setContentsMargins(0, 0, 0, 0)
        before.addWidget(self.number)
        self._before.hide()
        self.below = Hairline()
        self.below.hide()
        self._stands: tuple[bool, bool, int, float] | None = None
        self._inner = QHBoxLayout()
        self._inner.setContentsMargins(0, 0, 0, 0)
        self._inner.setSpacing(0)
        self._inner.addWidget(self._before, 0, Qt.AlignmentFlag.AlignTop)
        self._inner.addWidget(question, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.heading)
        column.addWidget(self.row)
        column.addLayout(self._inner)
        column.addWidget(self.below)

    def stand(self, *, folds: bool, is_open: bool, number: int) -> None:
        if (folds, is_open, number, theme.scale()) == self._stands:
            return
        self._stands = (folds, is_open, number, theme.scale())
        self.row.setVisible(folds and not is_open)
        self.question.setVisible(is_open)
        self._before.setVisible(folds and is_open)
        self.below.setVisible(folds and is_open)
        side = theme.space("s")
        self.number.setText(str(number))
        self._before.setFixedWidth(number_width())
        m = theme.space("m") if folds and is_open else 0
        self._inner.setContentsMargins(side if m else 0, m, side if m else 0, m)
