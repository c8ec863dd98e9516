"""Which screen a window is on."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QScreen, QWindow
from PySide6.QtWidgets import QWidget

from annotation.errors import N_, Refused


def screen_under(window: QWidget | QWindow) -> QScreen:
    """The screen below the middle of a window.

    Not by ``window.screen()``: PySide makes the screen it returns a child of the window that was asked, so that the
    end of that window takes everybody's screen along (met with the second sitting of one process, 6.11.3).
    """
    place = window.window().geometry() if isinstance(window, QWidget) else window.geometry()
    return QGuiApplication.screenAt(place.center()) or QGuiApplication.primaryScreen()


def screen_of(number: int) -> QScreen:
    """The screen with this number, from 1; 0 is the first one. Refused where there is none."""
    screens = QGuiApplication.screens()
    if not 0 <= number <= len(screens):
        raise Refused(N_("There is no screen {number}; there are {n}"), code="no_screen", number=number,
                      n=len(screens))
    return screens[max(0, number - 1)]
