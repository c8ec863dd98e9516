"""Keys and presses as the window system hands them on: a code, a name, its stamp, and when this program saw it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent

from studies import keyboard

_OURS = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
_SCANS = {"xcb", "wayland", "wayland-egl"}  # whose codes are Linux's own + 8


@dataclass(frozen=True, slots=True)
class KeySeen:
    """``code`` tells one key of the keyboard from another; ``name`` is what a study's file calls it, or "".

    ``repeats``: marked as a repeat by Qt, which overlooks some but marks no other.
    """

    code: int
    name: str
    stamp_ms: int
    receipt_us: int
    repeats: bool


@dataclass(frozen=True, slots=True)
class PressSeen:
    """A press of the pointer, in logical pixels of the window."""

    x: float
    y: float
    stamp_ms: int
    receipt_us: int


def seen(event: QKeyEvent, receipt_us: int) -> KeySeen:
    platform = QGuiApplication.platformName()
    scan = event.nativeScanCode()
    name = "" if event.modifiers() & ~_OURS else keyboard.name(
        int(event.key()), scan=scan if platform in _SCANS else 0,
        pad=bool(event.modifiers() & Qt.KeyboardModifier.KeypadModifier))
    # macOS has no scan codes: Qt gives every key the same one.
    code = event.nativeVirtualKey() if platform == "cocoa" else scan
    return KeySeen(code or int(event.key()) << 32, "escape" if event.key() == Qt.Key.Key_Escape else name,
                   event.timestamp(), receipt_us, event.isAutoRepeat())
