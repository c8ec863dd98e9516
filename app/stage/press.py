"""Presses keys by itself, to learn how their times are taken: through the X server, else as Qt's own events."""

from __future__ import annotations

import ctypes
import random
import sys
import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QInputDevice, QKeyEvent

from studies.timing import monotonic_us

SHIFT = 0xFFE1  # a key that writes nothing, as X calls it
APART = (0.012, 0.030)  # seconds from one press to the next: no multiple of a frame


class XKeys:
    """The test extension of the X server: what it presses goes the whole way of a real key, from the server on."""

    def __init__(self, x: ctypes.CDLL, test: ctypes.CDLL, display: int) -> None:
        self._x, self._test, self._display = x, test, ctypes.c_void_p(display)
        self._code = x.XKeysymToKeycode(self._display, ctypes.c_ulong(SHIFT))

    @staticmethod
    def open() -> XKeys | None:
        """None where there is no X server, or its libraries are not installed."""
        if QGuiApplication.platformName() != "xcb" or not sys.platform.startswith("linux"):
            return None
        try:
            x, test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        except OSError:
            return None
        x.XOpenDisplay.restype = ctypes.c_void_p
        display = x.XOpenDisplay(None)
        return XKeys(x, test, display) if display else None

    def press(self, down: bool) -> int:
        """When it was sent."""
        at = monotonic_us()
        self._test.XTestFakeKeyEvent(self._display, self._code, int(down), ctypes.c_ulong(0))
        self._x.XFlush(self._display)
        return at

    def close(self) -> None:
        self._x.XCloseDisplay(self._display)


class PostedKeys:
    """Qt's own events from another thread: they say how soon this program hears, not what came before."""

    def __init__(self, window: QObject) -> None:
        self._window = window
        QInputDevice.primaryKeyboard()  # made by whoever asks first; an event from another thread must not be that

    def press(self, down: bool) -> int:
        at = monotonic_us()
        kind = QEvent.Type.KeyPress if down else QEvent.Type.KeyRelease
        QCoreApplication.postEvent(self._window, QKeyEvent(kind, Qt.Key.Key_Shift, Qt.KeyboardModifier.NoModifier))
        return at

    def close(self) -> None:
        """Nothing to give back."""


def press_all(keys: XKeys | PostedKeys, n: int, told: Callable[[int, int], None],
              cancelled: Callable[[], bool]) -> list[int]:
    """Press and release ``n`` times at uneven distances, for the pool; when each press was sent."""
    draw, sent = random.Random(1), []
    for done in range(n):
        if cancelled():
            break
        sent.append(keys.press(True))
        time.sleep(draw.uniform(*APART))
        keys.press(False)
        time.sleep(draw.uniform(*APART))
        told(done + 1, n)
    time.sleep(0.2)  # the last ones arrive
    keys.close()
    return sent
