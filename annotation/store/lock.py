"""The write lock of a folder project: one writing program, kept by the operating system, gone with the process."""

from __future__ import annotations

import os
import sys
from pathlib import Path

NAME = "write.lock"


class WriteLock:
    """An open, locked file. The file itself stays: removing it would race with the next program."""

    def __init__(self, handle: int) -> None:
        self._handle: int | None = handle

    def release(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def take(folder: Path) -> WriteLock | None:
    """The lock, or None where another program (or another opening in this one) holds it.

    Raises OSError where the folder cannot be written.
    """
    handle = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _lock(handle)
    except BlockingIOError:
        os.close(handle)
        return None
    except OSError:
        os.close(handle)
        raise
    return WriteLock(handle)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError as fault:
            raise BlockingIOError from fault
else:
    import fcntl

    def _lock(handle: int) -> None:
        # flock and not lockf: a second opening in the same process must be refused too.
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
