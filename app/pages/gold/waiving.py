"""The reason for which somebody takes a finding on; it travels in the bundle."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.pages.gold import words
from app.parts.buttons import CapButton
from app.parts.field import Field, Labelled


class WaiveForm(QWidget):
    """Hidden until ``open``; ``given`` carries the finding's code and the reason. Esc closes it."""

    given = Signal(str, str)

    def __init__(self, code: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._code = code
        name = words.name(code)
        self._field = Field(self.tr("Reason to waive: {name}").format(name=name))
        self._field.setObjectName(f"reason:{code}")
        self._field.returnPressed.connect(self._give)
        self._labelled = Labelled(self.tr("Reason; it is published with the bundle"), self._field)
        self._waive = CapButton(self.tr("Waive"))
        self._waive.setObjectName(f"give:{code}")
        self._waive.setAccessibleName(self.tr("Waive: {name}").format(name=name))
        self._waive.clicked.connect(self._give)
        cancel = CapButton(self.tr("Cancel"), kind="flat", keys="Esc")
        cancel.clicked.connect(self.close_form)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.space("s"))
        buttons.addWidget(self._waive)
        buttons.addWidget(cancel)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.space("xl"), theme.space("s"), 0, theme.space("m"))
        column.setSpacing(theme.space("s"))
        column.addWidget(self._labelled)
        column.addLayout(buttons)
        self.hide()

    def reason(self) -> str:
        return self._field.text()

    def open(self, reason: str) -> None:
        self._field.setText(reason)
        self.show()
        self._field.setFocus()

    @Slot()
    def close_form(self) -> None:
        if self.isHidden():
            return
        had_focus = self.isAncestorOf(self.window().focusWidget() or self.window())
        self.hide()
        self._labelled.set_fault("")
        opener = self.window().findChild(QWidget, f"waive:{self._code}")
        if had_focus and opener is not None:
            opener.setFocus()

    def refuse(self, text: str) -> None:
        self._labelled.set_fault(text)
        self._field.setFocus()

    @Slot()
    def _give(self) -> None:
        if not self._field.text().strip():
            self.refuse(self.tr("A waiver needs a reason."))
            return
        self.given.emit(self._code, self._field.text().strip())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Escape:
            self.close_form()
        else:
            super().keyPressEvent(event)
