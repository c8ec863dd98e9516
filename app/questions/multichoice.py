"""Any number of options: a key takes one in or out."""

from __future__ import annotations

from typing import ClassVar

from annotation.answers import Answer
from app.questions.base import question_widgets
from app.questions.choice import ChoiceWidget


@question_widgets.register("multichoice")
class MultichoiceWidget(ChoiceWidget):
    single_key: ClassVar[bool] = False
    stacked: ClassVar[bool] = True
    multi: ClassVar[bool] = True

    def _choose(self, n: int) -> None:
        chosen = [option.value for option, button in zip(self.asked.options, self.buttons, strict=True)
                  if button.isChecked() != (button is self.buttons[n])]
        self.answered.emit({"v": chosen} if chosen else None)

    def render_answer(self, answer: Answer | None) -> None:
        values = (answer.get("v") or []) if answer else []
        self.box.check({n for n, option in enumerate(self.asked.options) if option.value in values})
