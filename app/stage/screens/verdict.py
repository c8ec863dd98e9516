"""Right or wrong after a practice trial: a sign, a word, and last a colour."""

from __future__ import annotations

import math

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app import theme
from app.parts.text import icon_label, label
from app.stage.screens.base import NARROW, WordScreen


class VerdictScreen(WordScreen):
    """``completed``: {}. ``right`` None: no answer in time. Goes on by itself after ``seconds``, by Space before."""

    def __init__(self, right: bool | None, *, was: str = "", seconds: float = 0, parent: QWidget | None = None) -> None:
        super().__init__(width=NARROW, parent=parent)
        self._seconds = seconds
        tone = "warn" if right is None else "good" if right else "bad"
        said = (self.tr("Too late") if right is None else self.tr("Right") if right else self.tr("Wrong"))
        row = QHBoxLayout()
        row.setSpacing(theme.space("m"))
        row.addWidget(icon_label({"good": "check-circle", "bad": "x-circle", "warn": "warning"}[tone], tone,
                                 "icon_empty"))
        row.addWidget(label(said, "display", "ink"))
        row.addStretch(1)
        self.setAccessibleName(said)
        self.column.addLayout(row)
        if was:  # its room is kept where nothing is to be told, so that nothing jumps from trial to trial
            told = "\N{NO-BREAK SPACE}" if right else self.tr("It was: {answer}").format(answer=was)
            self.column.addWidget(label(told, "reading", "ink", wrap=True))
        self.add_primary(self.tr("Go on")).clicked.connect(self._tell)
        self.end_foot()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        if self._seconds:
            QTimer.singleShot(math.ceil(1000 * self._seconds), self, self._tell)

    @Slot()
    def _tell(self) -> None:
        self.complete()
