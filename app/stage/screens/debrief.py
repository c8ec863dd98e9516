"""After the last trial: what it was about, room for a comment, and whether anything went wrong."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app import theme
from app.parts.field import TextField
from app.parts.option import OptionButton
from app.parts.scroll import into_sight
from app.parts.text import label
from app.stage.screens.base import BROAD, WordScreen
from app.stage.screens.room import Room


class DebriefScreen(WordScreen):
    """``completed``: {"went_wrong": True, False or None, "comment": text}. Nothing here has to be answered."""

    def __init__(self, text: str = "", *, heading: str = "", parent: QWidget | None = None) -> None:
        super().__init__(width=BROAD, parent=parent)
        self._wrong: bool | None = None
        self.add_heading(heading or self.tr("That was the last one. Thank you."))
        if text:
            self.add_text(text)
        self.column.addSpacing(theme.space("m"))
        self.column.addWidget(label(self.tr("Did anything go wrong, or disturb you?"), "strong"))
        self._no = OptionButton(self.tr("No"), key="1", trial=True)
        self._yes = OptionButton(self.tr("Yes"), key="2", trial=True)
        for option in (self._no, self._yes):
            option.clicked.connect(self._pressed)
            self.column.addWidget(option)
        self._said = label(self.tr("Is there anything you would like to say?"), "strong")
        self._comment = TextField(self._said.text(), hint=self.tr("may stay empty"), lines=3)
        self.column.addSpacing(theme.space("m"))
        self.column.addWidget(self._said)
        self.column.addWidget(self._comment)
        self._room = Room(self._comment)
        self._room.grew.connect(self._fit_room)
        self.column.addWidget(self._room)
        self._send = self.add_primary(self.tr("Finish"), "Ctrl+Return")
        self._send.clicked.connect(self._tell)
        self.end_foot()
        self.set_close()

    def focus_first(self) -> None:
        self._no.setFocus()

    def number(self, n: int) -> bool:
        if n > 2:
            return False
        self._choose(n == 2)
        return True

    @Slot()
    def _pressed(self) -> None:
        self._choose(self.sender() is self._yes)

    def _choose(self, wrong: bool) -> None:
        self._wrong = wrong
        self._yes.setChecked(wrong)
        self._no.setChecked(not wrong)
        self._said.setText(self.tr("What happened? Please say it in your own words.") if wrong
                           else self.tr("Is there anything you would like to say?"))
        self._comment.setAccessibleName(self._said.text())
        if wrong:
            self._comment.setFocus()
            self._area.ensureWidgetVisible(self._comment)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        ctrl = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if ctrl and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._tell()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _fit_room(self) -> None:
        self.fit()
        into_sight(self._room)

    @Slot()
    def _tell(self) -> None:
        if self._room.is_over:
            self._comment.setFocus()
            into_sight(self._room)
            return
        self.complete({"went_wrong": self._wrong, "comment": self._comment.toPlainText().strip()})
