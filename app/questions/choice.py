"""One option of several."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtWidgets import QWidget

from annotation.answers import Answer
from app.parts.option import OptionButton
from app.questions.base import QuestionWidget, question_widgets
from app.questions.options import OptionBox


@question_widgets.register("choice")
class ChoiceWidget(QuestionWidget):
    single_key: ClassVar[bool] = True
    stacked: ClassVar[bool] = False
    multi: ClassVar[bool] = False

    def build(self) -> None:
        self.buttons = []
        for option in self.asked.options:
            letter = (self.asked.letters or {}).get(option.value)
            text = f"{letter}  {option.label}" if letter else option.label
            button = OptionButton(text, key=(option.key or "").upper(), remark=option.hint, multi=self.multi)
            button.setObjectName(f"q:{self.slot}={option.value}")
            self.buttons.append(button)
        self.box = OptionBox(self.buttons, stacked=self.stacked)
        self.box.chosen.connect(self._choose)
        self.body.addWidget(self.box)

    def _choose(self, n: int) -> None:
        self.answered.emit({"v": self.asked.options[n].value})

    def render_answer(self, answer: Answer | None) -> None:
        value = answer.get("v") if answer else None
        self.box.check({n for n, option in enumerate(self.asked.options) if option.value == value})

    def press(self, n: int) -> bool:
        return self.box.choose(n - 1)

    def press_letter(self, letter: str) -> bool:
        n = self.box.find_letter(letter)
        return n is not None and self.box.choose(n)

    def first_focus(self) -> QWidget | None:
        return self.box.stop()
