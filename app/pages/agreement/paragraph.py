"""What goes into a paper from this page: the paragraph on methods to read and copy."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.parts.buttons import CapButton
from app.parts.text import label


class PaperPanel(QWidget):
    """``copied`` says a word for the status line."""

    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._given = ""
        self._text = label("", "body", wrap=True)
        self._text.setObjectName("agreement:methods")
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._copy = CapButton(self.tr("Copy paragraph"), kind="link", keys="Ctrl+Shift+M")
        self._copy.clicked.connect(self.copy)
        head = QHBoxLayout()
        head.addWidget(label(self.tr("For the methods section"), "strong"))
        head.addStretch(1)
        head.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("xs"))
        column.addLayout(head)
        column.addWidget(self._text)
        self._yours = label("", "caption", "ink2", wrap=True)
        column.addWidget(self._yours)
        self.restyle()

    def restyle(self) -> None:
        self._text.setMaximumWidth(theme.wide(theme.size("reading_column") + theme.size("rail")))

    def show_paragraph(self, text: str) -> None:
        if text != self._given:
            self._given = text
            self._text.setText(text.replace(" %", "\u00a0%"))  # which stays with its number
            say = self.tr("Say who the people were, how they were trained and paid, and what the numbers mean for the "
                          "use.")
            self._yours.setText(self.tr("What stands in square brackets is yours to fill in.") + " " + say
                                if "[" in text else say)
        self.setVisible(bool(text))

    @Slot()
    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self._given)
        self.copied.emit(self.tr("copied"))
