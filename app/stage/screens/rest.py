"""A break: where one is, that nothing is timed, and how to go on; a least and a most time are shown quietly."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.parts.meter import Meter
from app.stage.screens.base import NARROW, WordScreen


def clock(seconds: float) -> str:
    """"0:42", "12:05"."""
    whole = max(0, round(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


class BreakScreen(WordScreen):
    """``completed``: {"seconds", "by": "key" or "time"}. No breaks are counted as time of a trial."""

    def __init__(self, done: int, of: int, *, text: str = "", least: float = 0, most: float | None = None,
                 parent: QWidget | None = None) -> None:
        super().__init__(width=NARROW, parent=parent)
        self._least, self._most = least, most
        self._began = time.monotonic()
        half = 2 * done == of
        self.add_heading((self.tr("Half way: {done} of {of}") if half else self.tr("{done} of {of} are done")).format(
            done=done, of=of))
        meter = Meter(mine=True)
        meter.set_value(done, of)
        self.column.addWidget(meter)
        self.add_text(text or (self.tr("Rest a little. The clock stands still; nothing you do now is timed.")
                               if most is not None else
                               self.tr("Rest as long as you like. The clock stands still; nothing you do now is "
                                       "timed.")))
        self.add_primary(self.tr("Go on")).clicked.connect(self._pressed)
        self._aside = self.add_aside()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.CoarseTimer)
        self._timer.timeout.connect(self._tick)
        self._tick()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        self._began = time.monotonic()
        self._tick()
        self._timer.start(200)
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        self._timer.stop()
        super().hideEvent(event)

    @Slot()
    def _tick(self) -> None:
        rested = time.monotonic() - self._began
        assert self.primary is not None
        was_on, may = self.primary.isEnabled(), rested >= self._least
        self.primary.setEnabled(may)
        if may and not was_on and self.isVisible():
            self.primary.setFocus()
        if not may:
            said = self.tr("You can go on in {time}").format(time=clock(self._least - rested + 0.49))
        elif self._most is not None:
            said = self.tr("It goes on by itself in {time}").format(time=clock(self._most - rested + 0.49))
        else:
            said = self.tr("Rest so far {time}").format(time=clock(rested))
        if said != self._aside.text():
            self._aside.setText(said)
        if self._most is not None and rested >= max(self._most, self._least) and self.isVisible():
            self.complete({"seconds": round(rested, 1), "by": "time"})

    @Slot()
    def _pressed(self) -> None:
        self.complete({"seconds": round(time.monotonic() - self._began, 1), "by": "key"})
