"""A number in a box, with its unit beside it."""

from __future__ import annotations

import re
from typing import ClassVar

from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotation.answers import Answer
from annotation.questions.base import number_text
from app import theme
from app.parts.text import label
from app.questions.base import QuestionWidget, question_widgets
from app.questions.boxes import LineBox

_NUMBER = re.compile(r"^[+\-\u2212]?(\d+([.,]\d*)?|[.,]\d+)$")


def parse_number(text: str) -> int | float | None:
    """A number as typed: a point or a comma, an ordinary or a true minus; None where it is none."""
    text = text.strip().replace("\u2009", "").replace(" ", "")
    if not _NUMBER.match(text):
        return None
    value = float(text.replace(",", ".").replace("\u2212", "-"))
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def say_number(value: int | float) -> str:
    """A number as shown: whole without a point, with a true minus."""
    return number_text(value).replace("-", "\u2212")


@question_widgets.register("number")
class NumberWidget(QuestionWidget):
    typed: ClassVar[bool] = True

    def build(self) -> None:
        self.box = LineBox(self)
        self.box.setAccessibleName(self.accessibleName())
        self.box.setMaximumWidth(theme.wide(160))
        self.box.textChanged.connect(self._typed)
        self.box.submitted.connect(self.submitted)
        row = QHBoxLayout()
        row.setSpacing(theme.space("s"))
        row.addWidget(self.box)
        row.addWidget(label(self.asked.question.unit, "body", "ink2"), 1)
        self.body.addLayout(row)

    def _typed(self, text: str) -> None:
        if text.strip():
            value = parse_number(text)
            # What is no number is handed on as it is: the question says the sentence about it.
            self.answered.emit({"v": value if value is not None else text.strip()})
        else:
            self.answered.emit(None)

    def render_answer(self, answer: Answer | None) -> None:
        value = answer.get("v") if answer else None
        if value == parse_number(self.box.text()):
            return
        self.box.blockSignals(True)
        self.box.setText("" if value is None else say_number(value))
        self.box.blockSignals(False)

    def reset(self) -> None:
        self.box.blockSignals(True)
        self.box.clear()
        self.box.blockSignals(False)

    def first_focus(self) -> QWidget | None:
        return self.box
