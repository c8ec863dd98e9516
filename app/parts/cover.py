"""A cover over a page: nothing behind it is to be seen (a pause)."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import theme
from app.parts.buttons import CapButton
from app.parts.surface import Surface
from app.parts.text import label


class Cover(Surface):
    """``open`` shows it with a sentence; its button, Return and Space lift it."""

    lifted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("page", parent=parent)
        self._title = label("", "title", "ink")
        self._text = label("", "reading", "ink2", wrap=True)
        self._button = CapButton("", kind="primary", icon="go_on")
        self._button.clicked.connect(self.lifted)
        block = QWidget()
        inner = QVBoxLayout(block)
        inner.setSpacing(theme.space("s"))
        for widget in (self._title, self._text, self._button):
            inner.addWidget(widget)
        self._block = block
        column = QVBoxLayout(self)
        column.addStretch(2)
        column.addWidget(block, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        self.hide()
        self.restyle()

    def restyle(self) -> None:
        self._block.setFixedWidth(theme.size("reading_column") - theme.space("xxl") - theme.space("xl"))

    def open(self, title: str, text: str, button: str, keys: str) -> None:
        self._title.setText(title)
        self._text.setText(text)
        self._button.set_text(button)
        self._button.set_keys(keys)
        self.setAccessibleName(f"{title}. {text}")
        self.show()
        self.raise_()
        self._button.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, _event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Keys end here: nothing behind a cover may be answered by accident."""

    def focusNextPrevChild(self, _next: bool) -> bool:  # noqa: N802
        return True
