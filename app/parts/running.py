"""Work that takes a while: a meter, the count and a button to stop it, shown only after half a second."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app import theme
from app.parts.buttons import CapButton
from app.parts.meter import Meter
from app.parts.text import label

PATIENCE_MS = 500


class Running(QWidget):
    """``begin(words)``, ``progressed(done, of)``, ``end()``; its place is kept, so that nothing moves."""

    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._meter = Meter(mine=True, width=theme.wide(theme.size("meter") * 20))
        self._words = label("", "caption", "ink2")
        self._stop = CapButton(self.tr("Stop"), kind="flat", role="caption")
        self._stop.clicked.connect(self.stopped)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.space("m"))
        for part in (self._words, self._meter, self._stop):
            row.addWidget(part)
        row.addStretch(1)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(PATIENCE_MS)
        self._soon.timeout.connect(self._show)
        self.hide()

    def begin(self, words: str) -> None:
        self._words.setText(words)
        self._meter.set_value(0, 1)
        if self.isHidden():
            self._soon.start()

    def progressed(self, done: int, of: int) -> None:
        self._meter.set_value(done, max(1, of))
        if of > 1:
            self._words.setText(self.tr("{done} of {of}").format(done=f"{done:,}", of=f"{of:,}"))

    def end(self) -> None:
        self._soon.stop()
        self.hide()

    @Slot()
    def _show(self) -> None:
        self.show()
