"""A query that was answered: where the answer came from, the answer, and what was asked."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.parts.text import icon_label, label


class QueryRow(QWidget):
    """Where the answer came from, and the answer."""

    def __init__(self, query: Any) -> None:
        super().__init__()
        answer = [message for message in query.messages if message.handle != query.handle][-1]
        head = QHBoxLayout()
        head.setSpacing(theme.space("s"))
        head.addWidget(icon_label("answer_query"))
        head.addWidget(label(self.tr("{key}, from {person}").format(key=query.key, person=answer.handle), "caption",
                             "ink2"), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.space("xs"), 0, theme.space("s"))
        column.setSpacing(theme.space("xxs"))
        column.addLayout(head)
        column.addWidget(label(answer.text, "body", wrap=True))
        column.addWidget(label(query.messages[0].text, "body", "ink2", wrap=True))
