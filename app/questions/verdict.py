"""Keep, repair or reject; what is wrong, and why in words."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from annotation.answers import Answer
from app import theme
from app.parts.option import OptionButton
from app.parts.text import label
from app.questions.base import EMPTY, FILLED, NEEDED, QuestionWidget, question_widgets, tr
from app.questions.boxes import LineBox
from app.questions.options import OptionBox, cap_of


@question_widgets.register("verdict")
class VerdictWidget(QuestionWidget):
    """Digits go on from the verdicts to the flags; the reason is one line."""

    def build(self) -> None:
        question = self.asked.question
        self.buttons = [OptionButton(option.label, key=(option.key or "").upper()) for option in self.asked.options]
        for option, button in zip(self.asked.options, self.buttons, strict=True):
            button.setObjectName(f"q:{self.slot}={option.value}")
        self.box = OptionBox(self.buttons)
        self.box.chosen.connect(self._choose)
        self.flag_values = [option.value for option in question.flags]
        first = len(self.buttons)
        self.flags = [OptionButton(option.label, key=(option.key or "").upper() or cap_of(first + n), multi=True,
                                   remark=option.hint)
                      for n, option in enumerate(question.flags)]
        for value, button in zip(self.flag_values, self.flags, strict=True):
            button.setObjectName(f"q:{self.slot}=flag:{value}")
        self.flag_title = label(tr("What is wrong?"), "label", "ink2")
        self.flag_box = OptionBox(self.flags, stacked=True)
        self.flag_box.chosen.connect(self._flip)
        self.reason_title = label(tr("Reason"), "label", "ink2")
        self.reason = LineBox()
        self.reason.setObjectName(f"q:{self.slot}=reason")
        self.reason.setAccessibleName(tr("Reason"))
        self.reason.textChanged.connect(self._say_reason)
        self.reason.submitted.connect(self.submitted)
        for widget in (self.box, self.flag_title, self.flag_box, self.reason_title, self.reason):
            self.body.addWidget(widget)
        self.body.setSpacing(theme.space("xs"))
        self._answer: dict[str, Any] = {}

    def _emit(self, **changes: Any) -> None:
        answer = {key: value for key, value in {**self._answer, **changes}.items() if value}
        if answer.get("v") == "keep":
            answer.pop("flags", None)
        if "v" in answer:
            self.answered.emit(answer)

    def _choose(self, n: int) -> None:
        self._emit(v=self.asked.options[n].value)

    def _flip(self, n: int) -> None:
        chosen = [value for value, button in zip(self.flag_values, self.flags, strict=True)
                  if button.isChecked() != (button is self.flags[n])]
        self._emit(flags=chosen)

    def _say_reason(self, text: str) -> None:
        self._emit(reason=text)

    def render_answer(self, answer: Answer | None) -> None:
        self._answer = dict(answer or {})
        verdict = self._answer.get("v")
        self.box.check({n for n, option in enumerate(self.asked.options) if option.value == verdict})
        given = self._answer.get("flags", ())
        self.flag_box.check({n for n, value in enumerate(self.flag_values) if value in given})
        question = self.asked.question
        wants_flags = bool(self.flags) and verdict in ("repair", "reject")
        wants_reason = verdict is not None and (verdict != "keep" or "keep" in question.reason_on)
        for widget, on in ((self.flag_title, wants_flags), (self.flag_box, wants_flags),
                           (self.reason_title, wants_reason), (self.reason, wants_reason)):
            widget.setVisible(on)
        needs = verdict in question.reason_on
        self.reason_title.setText(tr("Reason") if needs else tr("Reason, optional"))
        self.flag_title.setText(tr("What is wrong?") if verdict in question.flags_on else tr("What is wrong? optional"))
        reason = self._answer.get("reason", "")
        if self.reason.text().strip() != reason.strip():
            self.reason.blockSignals(True)
            self.reason.setText(reason)
            self.reason.blockSignals(False)

    def reset(self) -> None:
        self.reason.blockSignals(True)
        self.reason.clear()
        self.reason.blockSignals(False)

    def press(self, n: int) -> bool:
        if n <= len(self.buttons):
            return self.box.choose(n - 1)
        return self.flag_box.isVisible() and self.flag_box.choose(n - 1 - len(self.buttons))

    def press_letter(self, letter: str) -> bool:
        for box in (self.box, self.flag_box):
            n = box.find_letter(letter)
            if n is not None and box.isVisible():
                return box.choose(n)
        return False

    @property
    def takes_more_keys(self) -> bool:
        return not self.flag_box.isHidden()

    def opened_box(self) -> tuple[int, QWidget] | None:
        if self.reason.isHidden():
            return None
        is_needed = self._answer.get("v") in self.asked.question.reason_on
        return (FILLED if self._answer.get("reason") else NEEDED if is_needed else EMPTY), self.reason

    def first_focus(self) -> QWidget | None:
        return self.box.stop()

    def say(self, answer: Answer) -> str:
        labels = {option.value: option.label for option in self.asked.question.flags}
        parts = [super().say(answer), *(labels.get(flag, flag) for flag in answer.get("flags", ()))]
        return ", ".join(part for part in (*parts, answer.get("reason", "")) if part)
