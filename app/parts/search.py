"""A search field: the words, the filters that are on as chips inside it, and its key."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app import theme
from app.parts.boxes import clear
from app.parts.caps import KeyCaps
from app.parts.chip import Chip
from app.parts.paint import fill_box
from app.parts.text import icon_label

PAUSE_MS = 120  # after the last key


class SearchField(QWidget):
    """``searched`` comes a moment after the last key; ``filter_removed`` names the chip that was taken out."""

    searched = Signal(str)
    filter_removed = Signal(str)

    def __init__(self, name: str, *, hint: str = "", keys: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edit = QLineEdit()
        self.edit.setProperty("quiet", True)
        self.edit.setAccessibleName(name)
        self.edit.setPlaceholderText(hint or name)
        self.edit.installEventFilter(self)
        self.setFocusProxy(self.edit)
        self._caps = KeyCaps(keys)
        self._chips = QHBoxLayout()
        self._chips.setSpacing(theme.space("s"))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(theme.space("m"), 0, theme.space("s"), 0)
        self._row.setSpacing(theme.space("s"))
        self._row.addWidget(icon_label("search"))
        self._row.addLayout(self._chips)
        self._row.addWidget(self.edit, 1)
        self._row.addWidget(self._caps)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._search)
        self.edit.textEdited.connect(self._typed)
        self.edit.returnPressed.connect(self._search)
        self.restyle()

    def restyle(self) -> None:
        theme.dress(self.edit, "body", "ink")
        self.setFixedHeight(theme.height("field", "body"))
        self._caps.setVisible(not theme.is_large())

    def text(self) -> str:
        return self.edit.text()

    def set_text(self, text: str) -> None:
        self.edit.setText(text)

    def set_filters(self, filters: Sequence[tuple[str, str]]) -> None:
        """``(name, words)`` of each filter that is on."""
        clear(self._chips)
        for name, words in filters:
            chip = Chip(words, removable=True)
            chip.setObjectName(f"filter:{name}")
            chip.setAccessibleName(self.tr("Take out the filter {words}").format(words=words))
            chip.clicked.connect(self._removed)
            self._chips.addWidget(chip)

    @Slot()
    def _removed(self) -> None:
        self.filter_removed.emit(self.sender().objectName().partition(":")[2])
        self.edit.setFocus()

    @Slot()
    def _typed(self) -> None:
        self._pause.start()

    @Slot()
    def _search(self) -> None:
        self._pause.stop()
        self.searched.emit(self.edit.text())

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:
        focused = self.edit.hasFocus()
        fill_box(QPainter(self), self.rect(), "raised", edge="accent" if focused else "edge",
                 width=theme.border("focus") if focused else None)
