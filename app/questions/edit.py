"""A text of the item, mended: the box starts with it and what was taken out and put in stands below."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtGui import QTextCursor

from annotation.answers import Answer
from annotation.diff import diff_words
from app.parts.reading import ReadingText
from app.questions.base import question_widgets, tr
from app.questions.boxes import LineBox, TextBox
from app.questions.text import TextWidget


@question_widgets.register("edit")
class EditWidget(TextWidget):
    typed: ClassVar[bool] = True

    def build(self) -> None:
        self.is_short = False
        self.box: LineBox | TextBox = TextBox(self, least_lines=3, most_lines=9)
        self.box.setAccessibleName(self.accessibleName())
        self.box.setAccessibleDescription(self.accessibleDescription())
        self.box.setPlainText(self.asked.given)
        self.box.textChanged.connect(self._typed)
        self.changes = ReadingText(self, role="body", ink="ink2")
        self.changes.setAccessibleName(tr("Changes"))
        self.changes.hide()
        self.body.addWidget(self.box)
        self.body.addWidget(self.changes)

    def reset(self) -> None:
        self.box.blockSignals(True)
        if isinstance(self.box, TextBox):
            self.box.setPlainText(self.asked.given)
            self.box.moveCursor(QTextCursor.MoveOperation.End)
        self.box.blockSignals(False)

    def _typed(self, *_text: str) -> None:
        text = self.text()
        self.answered.emit({"v": text} if text.strip() and text != self.asked.given else None)

    def render_answer(self, answer: Answer | None) -> None:
        text = str(answer["v"]) if answer else self.asked.given
        if answer or self.text().strip():
            self.set_text(text)
        changed = text != self.asked.given
        self.changes.setVisible(changed)
        if changed:
            self.changes.show_pieces(diff_words(self.asked.given, text))
