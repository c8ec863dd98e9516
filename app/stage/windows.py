"""WindowWatch: what happens to the window of the trials that may disturb one: focus, state, screen, scale."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QScreen

from app.stage.surface import Surface
from studies.timing import monotonic_us


class WindowWatch(QObject):
    """``happened(kind, at_us, data)``, kinds as in ``studies.facts.EVENTS``; told between ``begin`` and ``end``."""

    happened = Signal(str, object, dict)

    def __init__(self, surface: Surface, *, full_screen: bool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._surface, self._full_screen = surface, full_screen
        self._on = self._small = False
        surface.focus_changed.connect(self._focus)
        surface.scale_changed.connect(self._scale)
        surface.screenChanged.connect(self._screen)
        surface.windowStateChanged.connect(self._state)

    def begin(self) -> None:
        self._on = True

    def end(self) -> None:
        self._on = False

    def _tell(self, kind: str, **data: object) -> None:
        if self._on:
            self.happened.emit(kind, monotonic_us(), data)

    def _focus(self, has: bool, at_us: int) -> None:
        if self._on:
            self.happened.emit("focus_back" if has else "focus_lost", at_us, {})

    def _scale(self) -> None:
        self._tell("scale_changed", device_pixel_ratio=self._surface.devicePixelRatio())

    def _screen(self, screen: QScreen) -> None:
        self._tell("screen_changed", screen=screen.name())

    def _state(self, state: Qt.WindowState) -> None:
        if state == Qt.WindowState.WindowMinimized:
            self._small = True
            self._tell("minimised")
        elif self._small and state == Qt.WindowState.WindowFullScreen:
            self._small = False
        elif self._full_screen and state != Qt.WindowState.WindowFullScreen:
            self._tell("full_screen_left")
