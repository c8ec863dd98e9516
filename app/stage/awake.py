"""Awake: asks the desktop to leave the screen on while a sitting runs; never waits for it, never fails."""

from __future__ import annotations

import ctypes
import sys

from PySide6.QtCore import QObject
from PySide6.QtDBus import QDBusConnection, QDBusInterface

_NAME, _PATH = "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"
_OWN = "goldsmith-stage"
_ON, _DISPLAY, _SYSTEM = 0x80000000, 2, 1  # of SetThreadExecutionState


class Awake(QObject):
    """``hold`` until ``let_go``."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asked: QDBusInterface | None = None

    def hold(self) -> None:
        if sys.platform == "win32":
            ctypes.windll.kernel32.SetThreadExecutionState(_ON | _DISPLAY | _SYSTEM)
        elif sys.platform == "linux" and self._asked is None:
            bus = QDBusConnection.connectToBus(QDBusConnection.BusType.SessionBus, _OWN)
            if bus.isConnected():
                self._asked = QDBusInterface(_NAME, _PATH, _NAME, bus, self)
                self._asked.asyncCallWithArgumentList("Inhibit", ["Goldsmith", "A timed study is running"])

    def let_go(self) -> None:
        if sys.platform == "win32":
            ctypes.windll.kernel32.SetThreadExecutionState(_ON)
        elif self._asked is not None:
            self._asked = None
            # The wish is bound to the connection that uttered it.
            QDBusConnection.disconnectFromBus(_OWN)
