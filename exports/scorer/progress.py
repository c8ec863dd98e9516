# SPDX-License-Identifier: Apache-2.0
"""What a score is at, as one line on a terminal that is written over and goes away at the end."""

from __future__ import annotations

from typing import TextIO

WIDTH = 78


class Line:
    """Says a sentence in the place of the one before; nothing where nobody is looking, or ``quiet``."""

    def __init__(self, stream: TextIO, *, quiet: bool = False) -> None:
        self._stream = None if quiet or not stream.isatty() else stream

    def __call__(self, text: str) -> None:
        if self._stream is not None:
            self._stream.write(f"\r{text[:WIDTH].ljust(WIDTH)}")
            self._stream.flush()

    def clear(self) -> None:
        if self._stream is not None:
            self._stream.write(f"\r{' ' * WIDTH}\r")
            self._stream.flush()
