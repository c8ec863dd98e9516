"""The foot of a case: why, and what is done with it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.actions import CommandAction
from app.parts.buttons import CapButton
from app.parts.field import Field, set_fault
from app.parts.line import LineInPlace
from app.parts.surface import Surface
from app.parts.text import label


class DecisionFoot(Surface):
    """Reason at the left, buttons at the right; below each other where it is narrow."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("panel", sides="top", parent=parent)
        self._title = label(self.tr("Why this answer?"), "strong", "ink")
        self._need = label("", "caption", "ink2")
        self.reason = Field(self.tr("Why this answer?"))
        self.reason.setObjectName("adjudicate:reason")
        self._line = LineInPlace()
        self.take = CapButton(kind="primary")
        self.edit = CapButton(kind="plain")
        self.back = CapButton(kind="flat", icon="send_back")
        words = QHBoxLayout()
        words.setSpacing(theme.space("s"))
        words.addWidget(self._title)
        words.addWidget(self._need)
        words.addStretch(1)
        why = QVBoxLayout()
        why.setSpacing(theme.space("xs"))
        why.addLayout(words)
        why.addWidget(self.reason)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.space("s"))
        for button in (self.take, self.edit, self.back):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self._right = QVBoxLayout()
        self._right.addStretch(1)
        self._right.addLayout(buttons)
        self._row = QHBoxLayout()
        self._row.setSpacing(theme.space("xl"))
        self._row.addLayout(why, 1)
        self._row.addLayout(self._right)
        column = QVBoxLayout(self)
        left, right = theme.space("page_left"), theme.space("page_right")
        column.setContentsMargins(left, theme.space("m"), right, theme.space("l"))
        column.setSpacing(theme.space("s"))
        column.addWidget(self._line)
        column.addLayout(self._row)

    def follow(self, action: Callable[[str], CommandAction]) -> None:
        self.take.follow(action("adjudicate.take"), text=self.tr("Take"))
        self.edit.follow(action("adjudicate.edit"), text=self.tr("Edit first"))
        self.back.follow(action("adjudicate.send_back"), text=self.tr("Send back"))
        self.back.set_keys("")  # its keys stand in the menu; the foot has no room for three more caps

    def begin(self, *, reason_required: bool) -> None:
        self.reason.clear()
        self._need.setText(self.tr("required") if reason_required else self.tr("optional"))
        self.hush()

    def show_taken(self, n: int, *, edited: bool) -> None:
        text = self.tr("Take answer {n}").format(n=n) if n else self.tr("Take")
        text = self.tr("Take what is edited") if edited else text
        self.take.set_text(text)

    def say(self, sentence: str) -> None:
        set_fault(self.reason, not self.reason.text().strip())
        self._line.say("bad", sentence)

    def hush(self) -> None:
        set_fault(self.reason, False)
        self._line.hush()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._turn()

    def restyle(self) -> None:
        self._turn()

    def _turn(self) -> None:
        needed = sum(button.sizeHint().width() for button in (self.take, self.edit, self.back)) + theme.wide(320)
        narrow = self.width() < needed
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(theme.space("s") if narrow else theme.space("xl"))
