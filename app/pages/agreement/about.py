"""The question that is shown: its figures in full, what they mean, what would mislead, and a second opinion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.pages.agreement import meaning, names, words
from app.pages.agreement.choosing import ChoiceBar
from app.pages.agreement.reading import Row
from app.parts.line import LineInPlace
from app.parts.text import label

MOST_CAUTIONS = 3


class AboutQuestion(QWidget):
    """``show_row`` says all about one row; ``show_opinion`` adds what another program makes of the same answers."""

    def __init__(self, protocol: Any, fields: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._protocol = protocol
        self._head = label("", "strong", wrap=True)
        self._meaning = label("", "body", wrap=True)
        self._details = label("", "caption", "ink2", wrap=True)
        self._details.setObjectName("agreement:details")
        self._given = label("", "caption", "ink2", wrap=True)
        self._people = label("", "caption", "ink2", wrap=True)
        self._scale = label("", "caption", "ink2", wrap=True)
        self._opinion = label("", "caption", "ink2", wrap=True)
        self._opinion.setObjectName("agreement:opinion")
        self._chosen = label("", "caption", "ink2", wrap=True)
        self._cautions = [LineInPlace("warn", parent=self) for _ in range(MOST_CAUTIONS)]
        self.choices = ChoiceBar(protocol, fields)
        text = QVBoxLayout()
        text.setSpacing(theme.space("xs"))
        for part in (self._head, self._meaning, self._details, self._given, self._people, self._opinion, self._scale,
                     self._chosen):
            text.addWidget(part)
        text.addStretch(1)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(theme.space("xxl"))
        self._row.addLayout(text, 1)
        self._row.addWidget(self.choices, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        column.addLayout(self._row)
        for line in self._cautions:
            column.addWidget(line)

    def show_row(self, row: Row) -> None:
        result = row.result
        said = meaning.meaning(result) if result.value is not None else ""
        self._head.setText(names.question(self._protocol, result.question))
        _say(self._meaning, f"{said}." if said else "")
        self._details.setText(words.details(result))
        _say(self._given, meaning.given(self._protocol, result, row.beside))
        _say(self._people, meaning.people(result))
        _say(self._scale, meaning.scale(result))
        _say(self._chosen, words.chosen_here(self._protocol, result.question) if row.asked.chosen else "")
        found = meaning.cautions(self._protocol, result, row.beside)
        for n, line in enumerate(self._cautions):
            if n < len(found):
                if line.text() != found[n] or line.isHidden():
                    line.say("warn", found[n])
            else:
                line.hush()
        self.choices.show_asked(row.asked, result.level, result.weights)

    def show_opinion(self, text: str) -> None:
        """The second opinion in words; "" while it is not known."""
        _say(self._opinion, text)

    def fit(self, *, narrow: bool) -> None:
        """The choices stand beside the text, or below it."""
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(theme.space("s" if narrow else "xxl"))


def _say(target: Any, text: str) -> None:
    text = text.replace(" %", "\N{NO-BREAK SPACE}%")
    if target.text() != text:
        target.setText(text)
    target.setVisible(bool(text))
