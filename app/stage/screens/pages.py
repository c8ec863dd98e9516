"""Instructions: pages turned with Space and Backspace, with the keys to press drawn; also after an interruption."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app import theme
from app.parts.text import label
from app.stage.screens.base import BROAD, WordScreen
from app.stage.screens.keys_drawn import KeysDrawn


class PagesScreen(WordScreen):
    """``completed``: {"pages": how many}. The keys stand on the last page, so that they are fresh when it begins.

    ``first`` is a page of our own before the study's ("Welcome back"); ``heading`` stands over all of them.
    """

    def __init__(self, heading: str, pages: Sequence[str], *, first: str = "", keys: Sequence[str] = (),
                 words: Sequence[str] = (), parent: QWidget | None = None) -> None:
        super().__init__(width=BROAD, parent=parent)
        self._pages = [page for page in (first, *pages) if page] or [""]
        self._at = 0
        self.add_heading(heading)
        self._texts = [self.add_text(page) for page in self._pages]
        self._keys_said = label(self.tr("You answer with these keys. Rest your fingers on them."), "reading", "ink",
                                wrap=True)
        self._keys = KeysDrawn(keys, words)
        self._has_keys = bool(keys)
        self.column.addSpacing(theme.space("s"))
        self.column.addWidget(self._keys_said)
        self.column.addWidget(self._keys)
        self.column.addStretch(1)
        self._next = self.add_primary(self.tr("Go on"), "Space")
        self._back = self.add_button(self.tr("Back"), "⌫", kind="flat")
        self._place = self.add_aside()
        self._next.clicked.connect(self._forward)
        self._back.clicked.connect(self._backward)
        self._show()

    def _show(self) -> None:
        last = self._at == len(self._pages) - 1
        for n, text in enumerate(self._texts):
            text.setVisible(n == self._at and bool(self._pages[n]))
        for part in (self._keys_said, self._keys):
            part.setVisible(last and self._has_keys)
        self._back.setEnabled(self._at > 0)
        self._back.setVisible(len(self._pages) > 1)
        self._place.setText(self.tr("Page {n} of {of}").format(n=self._at + 1, of=len(self._pages))
                            if len(self._pages) > 1 else "")
        self._area.verticalScrollBar().setValue(0)
        self.fit()

    def fit(self) -> None:
        """As high as the longest page, so that the buttons stand still."""
        wide = self.text_width()
        keys = (self._keys_said.heightForWidth(wide) + self._keys.sizeHint().height() + 3 * self.column.spacing()
                if self._has_keys else 0)
        if len(self._texts) > 1:
            heights = [text.height_at(wide) + (keys if text is self._texts[-1] else 0) for text in self._texts]
            self._steady = max(heights) + theme.metrics("display").height() + self.column.spacing()
        super().fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Backspace:
            self._backward()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _forward(self) -> None:
        if self._at + 1 < len(self._pages):
            self._at += 1
            self._show()
        else:
            self.complete({"pages": len(self._pages)})

    @Slot()
    def _backward(self) -> None:
        if self._at > 0:
            self._at -= 1
            self._show()
            self._next.setFocus()
