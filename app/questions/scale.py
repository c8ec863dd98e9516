"""A scale: a row of points with its anchors below; a list where every point has its words; a box where it is long."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotation.answers import Answer
from app import theme
from app.parts.option import OptionButton
from app.parts.point import PointButton
from app.parts.text import label
from app.questions.base import QuestionWidget, question_widgets, tr
from app.questions.boxes import LineBox
from app.questions.number import parse_number, say_number
from app.questions.options import OptionBox

MOST_POINTS = 11


class PointBox(OptionBox):
    """Points from left to right, going on in the next line where the room ends."""

    def _rects(self, width: int) -> list[QRect]:
        rects, x, y, tall = [], 0, 0, 0
        for button in self.buttons:
            wide = button.row_width()
            if x and x + wide > width:
                x, y = 0, y + tall + theme.space("xxs")
            tall = button.heightForWidth(wide)
            rects.append(QRect(x, y, wide, tall))
            x += wide + theme.space("xxs")
        return rects

    def stands_in_row(self, width: int) -> bool:
        return True


@question_widgets.register("scale")
class ScaleWidget(QuestionWidget):
    single_key: ClassVar[bool] = True

    def build(self) -> None:
        question = self.asked.question
        self.numbers = list(question.points)
        self.is_box = question.display == "slider" or len(self.numbers) > MOST_POINTS
        if self.is_box:
            self._build_box()
            return
        anchors = dict(question.anchors)
        words = len(anchors) >= len(self.numbers)
        buttons: list[OptionButton] = []
        for number, option in zip(self.numbers, self.asked.options, strict=False):
            shown, key = say_number(number), option.key or ""
            anchor = anchors.get(option.value, "")
            whole = f"{shown}  {anchor}" if anchor and shown != key else anchor or shown
            button = OptionButton(whole, key=key) if words else PointButton(shown, key=key)
            button.setAccessibleName(option.label)
            button.setToolTip(anchor if not words else "")
            button.setObjectName(f"q:{self.slot}={option.value}")
            buttons.append(button)
        self.box = (OptionBox if words else PointBox)(buttons, stacked=True)
        self.box.chosen.connect(self._choose)
        self.body.addWidget(self.box)
        if not words and anchors:
            self._add_anchors(anchors, sum(button.row_width() + theme.space("xxs") for button in buttons))
        self._build_na()

    def _build_na(self) -> None:
        """N/A stands on a line of its own, with the next digit as its key."""
        rest = self.asked.options[len(self.numbers):]
        buttons = [OptionButton(option.label, key="" if self.is_box else option.key or "") for option in rest]
        for option, button in zip(rest, buttons, strict=True):
            button.setObjectName(f"q:{self.slot}={option.value}")
        self.na_box = OptionBox(buttons)
        self.na_box.chosen.connect(lambda _n: self.answered.emit({"na": True}))
        if not self.is_box:
            self.box.join(self.na_box)
        self.body.addWidget(self.na_box)
        self.na_box.setVisible(bool(buttons))

    def _add_anchors(self, anchors: dict[str, str], width: int) -> None:
        """The ends below the ends of the row; with words in between, all of them in one line."""
        first, last = self.asked.options[0].value, self.asked.options[len(self.numbers) - 1].value
        if set(anchors) <= {first, last}:
            room = QWidget()
            row = QHBoxLayout(room)
            row.setContentsMargins(theme.space("s"), 0, theme.space("s"), 0)
            row.addWidget(label(anchors.get(first, ""), "caption", "ink2"))
            row.addStretch()
            row.addWidget(label(anchors.get(last, ""), "caption", "ink2"))
            room.setMaximumWidth(max(width, room.sizeHint().width() + theme.space("l")))
            self.body.addWidget(room)
        else:
            words = [f"{say_number(value)} {anchors[option.value]}"
                     for value, option in zip(self.numbers, self.asked.options, strict=False)
                     if option.value in anchors]
            self.body.addWidget(label("    ".join(words), "caption", "ink2", wrap=True))

    def _build_box(self) -> None:
        low, high = say_number(self.numbers[0]), say_number(self.numbers[-1])
        self.line_box = LineBox(self)
        self.line_box.setMaximumWidth(theme.wide(120))
        self.line_box.setAccessibleName(self.accessibleName())
        self.line_box.setPlaceholderText(tr("{low} to {high}").format(low=low, high=high))
        self.line_box.textChanged.connect(self._typed)
        self.line_box.submitted.connect(self.submitted)
        row = QHBoxLayout()
        row.setSpacing(theme.space("m"))
        row.addWidget(self.line_box)
        ends = [text for value in (self.numbers[0], self.numbers[-1])
                if (text := self.asked.question.anchors.get(str(value), ""))]
        row.addWidget(label("  –  ".join(ends), "caption", "ink2"), 1)
        self.body.addLayout(row)
        self._build_na()

    @property
    def takes_one_key(self) -> bool:
        return not self.is_box

    def _choose(self, n: int) -> None:
        self.answered.emit({"v": self.numbers[n]})

    def _typed(self, text: str) -> None:
        if text.strip():
            value = parse_number(text)
            self.answered.emit({"v": value if value is not None else text.strip()})
        else:
            self.answered.emit(None)

    def render_answer(self, answer: Answer | None) -> None:
        value = answer.get("v") if answer else None
        self.na_box.check({0} if answer and answer.get("na") else set())
        if not self.is_box:
            self.box.check({n for n, number in enumerate(self.numbers) if number == value})
        elif value != parse_number(self.line_box.text()):
            self.line_box.blockSignals(True)
            self.line_box.setText("" if value is None else say_number(value))
            self.line_box.blockSignals(False)

    def reset(self) -> None:
        if self.is_box:
            self.line_box.blockSignals(True)
            self.line_box.clear()
            self.line_box.blockSignals(False)

    def press(self, n: int) -> bool:
        if self.is_box:
            return False
        return self.box.choose(n - 1) if n <= len(self.numbers) else self.na_box.choose(n - 1 - len(self.numbers))

    def first_focus(self) -> QWidget | None:
        return self.line_box if self.is_box else self.box.stop()
