"""Free text: one line, or several."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QWidget

from annotation.answers import Answer
from app.questions.base import QuestionWidget, question_widgets
from app.questions.boxes import LineBox, TextBox


@question_widgets.register("text")
class TextWidget(QuestionWidget):
    typed: ClassVar[bool] = True

    def build(self) -> None:
        self.is_short = getattr(self.asked.question, "size", "long") == "short"
        self.box: LineBox | TextBox = LineBox(self) if self.is_short else TextBox(self)
        self.box.setAccessibleName(self.accessibleName())
        self.box.setAccessibleDescription(self.accessibleDescription())
        if isinstance(self.box, LineBox):
            self.box.submitted.connect(self.submitted)
        self.box.textChanged.connect(self._typed)
        self.body.addWidget(self.box)

    def text(self) -> str:
        return self.box.text() if isinstance(self.box, LineBox) else self.box.toPlainText()

    def _typed(self, *_text: str) -> None:
        text = self.text()
        self.answered.emit({"v": text} if text.strip() else None)

    def render_answer(self, answer: Answer | None) -> None:
        self.set_text(str(answer["v"]) if answer else "")

    def set_text(self, text: str) -> None:
        """Write into the box only what it does not hold already, so that the cursor stays where it is."""
        shown = self.text()
        if text == shown or (not text.strip() and not shown.strip()):
            return
        self.box.blockSignals(True)
        if isinstance(self.box, LineBox):
            self.box.setText(text)
        else:
            self.box.setPlainText(text)
            self.box.moveCursor(QTextCursor.MoveOperation.End)
        self.box.blockSignals(False)

    def reset(self) -> None:
        self.box.blockSignals(True)
        self.box.clear()  # clears the undo of the box too
        self.box.blockSignals(False)

    def first_focus(self) -> QWidget | None:
        return self.box
