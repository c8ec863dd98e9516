"""Asked once when somebody wants to leave: go on, or stop and, if they like, say why."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app import theme
from app.parts.field import Field
from app.parts.text import label
from app.stage.screens.base import NARROW, WordScreen
from app.stage.screens.room import Room


class LeaveScreen(WordScreen):
    """``completed``: {"stop": bool, "reason": text}. The same for a participant and for an experimenter."""

    def __init__(self, *, by_experimenter: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(width=NARROW, parent=parent)
        if by_experimenter:
            self.add_heading(self.tr("End this sitting?"))
            self.add_text(self.tr("What was answered up to now is kept. The sitting does not count as completed, and "
                                  "its place becomes free again. It cannot be gone on with later."))
            asked = self.tr("Why it ends")
        else:
            self.add_heading(self.tr("Do you want to stop?"))
            self.add_text(self.tr("You may stop at any time, without giving a reason. Who has stopped cannot go "
                                  "on later. Nothing is timed while this page is shown."))
            asked = self.tr("Your reason, if you like to give one")
        above = label(asked, "label", "ink2")
        self._reason = Field(asked)
        above.setBuddy(self._reason)
        self.column.addWidget(above)
        self.column.addWidget(self._reason)
        self._room = Room(self._reason)
        self._room.grew.connect(self.fit)
        self.column.addWidget(self._room)
        self.column.insertSpacing(2, theme.space("m"))
        self.set_close()
        self.add_primary(self.tr("Go on with the study"), "Esc").clicked.connect(self._stay)
        self._stop = self.add_button(self.tr("Stop here"))
        self._stop.clicked.connect(self._leave)
        self.end_foot()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Escape:
            self._stay()
        else:
            super().keyPressEvent(event)

    def field_done(self) -> None:
        """Return in the reason only goes to the button: nobody leaves by a key too many."""
        self._stop.setFocus()

    @Slot()
    def _stay(self) -> None:
        self.complete({"stop": False, "reason": ""})

    @Slot()
    def _leave(self) -> None:
        if self._room.is_over:
            self._reason.setFocus()
            return
        self.complete({"stop": True, "reason": self._reason.text().strip()})
