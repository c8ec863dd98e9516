"""Which of two, with the ties that the protocol has; then by how much."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotation.answers import Answer
from app import theme
from app.parts.option import OptionButton
from app.parts.text import label
from app.questions.base import SIDES, QuestionWidget, question_widgets, tr
from app.questions.options import OptionBox, cap_of


@question_widgets.register("pairwise")
class PairwiseWidget(QuestionWidget):
    in_bar: ClassVar[bool] = True
    single_key: ClassVar[bool] = True

    def build(self) -> None:
        question, letters = self.asked.question, self.asked.letters or {}
        self.buttons = []
        for option in self.asked.options:
            shown = letters.get(option.value) if option.label in SIDES else option.label
            button = OptionButton(shown or option.label, key=(option.key or "").upper(), remark=option.hint)
            button.setObjectName(f"q:{self.slot}={option.value}")
            button.setAccessibleName(option.label)
            self.buttons.append(button)
        self.box = OptionBox(self.buttons)
        self.box.chosen.connect(self._choose)
        self.body.addWidget(self.box)
        self.most = question.strength or 0
        self._value: str | None = None
        # The strengths take the last digits, so that their keys stay where they are whatever ties there are.
        first = len(self.asked.options)
        start = 9 - self.most if first + self.most <= 9 else first
        words = question.strength_labels or tuple(str(n) for n in range(1, self.most + 1))
        self.strengths = []
        for n in range(self.most):
            button = OptionButton(words[n] if n < len(words) else str(n + 1), key=cap_of(start + n))
            button.setObjectName(f"q:{self.slot}=strength:{n + 1}")
            self.strengths.append(button)
        self.strength_box = OptionBox(self.strengths)
        self.strength_box.chosen.connect(self._choose_strength)
        self.strength_row = QWidget()
        self.how_much = label(tr("By how much?"), "strong", "ink")
        row = QHBoxLayout(self.strength_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.space("m"))
        row.addWidget(self.how_much)
        row.addWidget(self.strength_box, 1)
        self.body.addWidget(self.strength_row)
        self.strength_row.setVisible(bool(self.most))

    @property
    def takes_one_key(self) -> bool:
        return not self.most

    def set_bar(self, label_width: int) -> None:
        super().set_bar(label_width)
        if self.most:
            self.how_much.setFixedWidth(label_width) if label_width else self.how_much.setMaximumWidth(16777215)
            self._grid.removeWidget(self.strength_row)
            self.how_much.setParent(self)
            if label_width:
                self._grid.addWidget(self.how_much, 5, 0)
                self._grid.addWidget(self.strength_row, 5, 1)
            else:
                row = self.strength_row.layout()
                assert isinstance(row, QHBoxLayout)
                row.insertWidget(0, self.how_much)
                self.body.addWidget(self.strength_row)
            self.how_much.show()

    def _choose(self, n: int) -> None:
        value = self.asked.options[n].value
        strength = next((n for n, button in enumerate(self.strengths, 1) if button.isChecked()), None)
        keeps = strength is not None and value not in self.asked.question.ties
        self.answered.emit({"v": value, "strength": strength} if keeps else {"v": value})

    def _choose_strength(self, n: int) -> None:
        if self._value is not None and self._value not in self.asked.question.ties:
            self.answered.emit({"v": self._value, "strength": n + 1})

    def render_answer(self, answer: Answer | None) -> None:
        self._value = answer.get("v") if answer else None
        self.box.check({n for n, option in enumerate(self.asked.options) if option.value == self._value})
        strength = answer.get("strength") if answer else None
        can = self._value is not None and self._value not in self.asked.question.ties
        for button in self.strengths:
            button.setEnabled(can)
        self.strength_box.check({strength - 1} if strength else set())

    def press(self, n: int) -> bool:
        if n <= len(self.buttons):
            return self.box.choose(n - 1)
        for at, button in enumerate(self.strengths):
            if button.key == cap_of(n - 1):
                return self.strength_box.choose(at)
        return False

    def press_letter(self, letter: str) -> bool:
        """The letters of the halves choose them."""
        for n, option in enumerate(self.asked.options):
            if (self.asked.letters or {}).get(option.value) == letter:
                return self.box.choose(n)
        return False

    def first_focus(self) -> QWidget | None:
        return self.box.stop()

    def say(self, answer: Answer) -> str:
        said = super().say(answer)
        if strength := answer.get("strength"):
            return f"{said}, {self.strengths[strength - 1].text().lower()}"
        return said
