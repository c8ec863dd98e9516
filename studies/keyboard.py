"""Keyboard: which keys are down, which press is a repeat, and what a key is called whatever pad or layout it is on."""

from __future__ import annotations

from typing import Literal

REPEAT_US = 2_000  # a repeat is a release and a press with one and the same stamp

# Numbers of Qt's public enum Qt.Key, so that this file needs no Qt.
_NAMED = {0x20: "space", 0x0100_0004: "return", 0x0100_0005: "return", 0x0100_0012: "left", 0x0100_0013: "up",
          0x0100_0014: "right", 0x0100_0015: "down"}
# The numeric pad with NumLock off: Insert End Down PageDown Left Clear Right Home Up PageUp.
_PAD = {0x0100_0006: "0", 0x0100_0011: "1", 0x0100_0015: "2", 0x0100_0017: "3", 0x0100_0012: "4", 0x0100_000B: "5",
        0x0100_0014: "6", 0x0100_0010: "7", 0x0100_0013: "8", 0x0100_0016: "9"}
# Where a key stands on a US keyboard, by the code of X11 and Wayland (Linux's own + 8).
_PLACE = {**{10 + i: key for i, key in enumerate("1234567890")}, **{24 + i: key for i, key in enumerate("qwertyuiop")},
          **{38 + i: key for i, key in enumerate("asdfghjkl")}, **{52 + i: key for i, key in enumerate("zxcvbnm")}}


def name(key: int, *, scan: int = 0, pad: bool = False) -> str:
    """What a study's file calls this key; "" where it has no name for it.

    ``key``: the number of Qt.Key; ``scan``: the native scan code (X11, Wayland; else 0); ``pad``: on the numeric pad.
    A digit of the pad is that digit with NumLock on or off; one of the top row without Shift on a French keyboard; a
    letter is the letter of the layout, and on a layout without Latin letters the one at its place.
    """
    if pad and key in _PAD:
        return _PAD[key]
    if key in _NAMED:
        return _NAMED[key]
    digit = _PLACE.get(scan, "")
    if digit.isdigit():
        return digit
    if 0x30 <= key <= 0x39 or 0x41 <= key <= 0x5A:
        return chr(key).lower()
    return digit if 0x80 <= key < 0x0100_0000 else ""  # letters of other alphabets


class Keyboard:
    """Keys by native scan code. Qt's own mark of a repeat is not enough: on X11 it is missing from a third of them."""

    def __init__(self) -> None:
        self._down: set[int] = set()
        self._stale: set[int] = set()  # down when the focus was lost: their release may have gone elsewhere
        self._released: dict[int, int] = {}

    def press(self, code: int, at_us: int, *, flagged: bool = False) -> Literal["press", "repeat"]:
        """``flagged``: Qt says that it is a repeat."""
        released = self._released.get(code)
        again = flagged or code in self._down or (released is not None and at_us - released <= REPEAT_US)
        self._down.add(code)
        return "repeat" if again or code in self._stale else "press"

    def release(self, code: int, at_us: int) -> None:
        """Of a repeat as well: it is known by the press that follows at once."""
        self._down.discard(code)
        self._stale.discard(code)
        self._released[code] = at_us

    def held(self) -> frozenset[int]:
        """What is down now, and what may still be: none of these can answer a trial that begins now."""
        return frozenset(self._down | self._stale)

    def forget(self) -> None:
        """The focus is lost: what is down now answers nothing until its release has been seen."""
        self._stale |= self._down
        self._down.clear()
