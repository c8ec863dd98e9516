"""What belongs to an answer besides its value: the marks and the reason of a verdict, how much better one of two is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QVBoxLayout

from annotation.answers import Answer
from app import theme
from app.parts.reading import ReadingText
from app.parts.text import label
from app.questions.base import tr as asked_tr


def _tr(text: str) -> str:
    return QCoreApplication.translate("CaseGrid", text)


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark in words; ``odd``: others who answered this question, too, did not give it."""

    words: str
    odd: bool


@dataclass(frozen=True, slots=True)
class Rest:
    """``marks`` stand below ``title``, the words over the question's own boxes."""

    title: str
    marks: tuple[Mark, ...]
    reason: str

    @property
    def is_odd(self) -> bool:
        return any(mark.odd for mark in self.marks)

    def said(self) -> str:
        """All of it for a screen reader, what others did not give said as such."""
        marks = [_tr("{mark} (not all say so)").format(mark=mark.words) if mark.odd else mark.words
                 for mark in self.marks]
        parts = [f"{self.title} {', '.join(marks)}"] if marks else []
        return "; ".join([*parts, *([f"{asked_tr('Reason')}: {self.reason}"] if self.reason else [])])


def rest_of(question: Any, cells: Sequence[Answer | None], n: int) -> Rest:
    """What the n-th of the answers to one question has besides its value."""
    answer = cells[n]
    if answer is None:
        return Rest("", (), "")
    given = [_marks(question, cell) for cell in cells if cell is not None]
    marks = tuple(Mark(words, any(words not in other for other in given)) for words in _marks(question, answer))
    title = asked_tr("By how much?") if "strength" in answer else asked_tr("What is wrong?")
    return Rest(title, marks, str(answer.get("reason") or "").strip())


def _marks(question: Any, answer: Answer) -> tuple[str, ...]:
    if strength := answer.get("strength"):
        words = getattr(question, "strength_labels", ())
        return (words[strength - 1] if strength <= len(words) else str(strength),)
    flags = answer.get("flags") or ()
    return tuple(option.label for option in getattr(question, "flags", ()) if option.value in flags)


def add_rest(column: QVBoxLayout, rest: Rest) -> None:
    """Below the value, quieter than it; a mark that not all gave is strong, as a value that differs is."""
    if rest.marks:
        column.addSpacing(theme.space("xs"))
        column.addWidget(label(rest.title, "caption", "ink2", wrap=True))
        for mark in rest.marks:
            text = ReadingText(role="strong" if mark.odd else "body")
            text.show_text(mark.words)
            column.addWidget(text)
    if rest.reason:
        column.addSpacing(theme.space("xs"))
        column.addWidget(label(asked_tr("Reason"), "caption", "ink2"))
        text = ReadingText(role="body")
        text.show_text(rest.reason)
        column.addWidget(text)
