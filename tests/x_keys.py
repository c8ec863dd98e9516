"""Presses real keys of an X server (XTEST) at given moments, from a process of its own: ``python -m tests.x_keys``.

Lines in: ``<monotonic microseconds> <X keysym name> down|up``, or ``quit``. Lines out, in order: the moment at which
it was sent, the same name, down|up. A moment that has passed is sent at once.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue

ROOT = Path(__file__).resolve().parent.parent
SPIN_US = 3_000  # so long before its moment it stops sleeping


def now_us() -> int:
    return time.monotonic_ns() // 1000


class Display:
    """The X server of $DISPLAY; None from ``connect`` where it, or a library, is not there."""

    def __init__(self, x: ctypes.CDLL, test: ctypes.CDLL, display: int) -> None:
        self._x, self._test, self._display = x, test, ctypes.c_void_p(display)
        x.XStringToKeysym.restype = ctypes.c_ulong

    @staticmethod
    def connect() -> Display | None:
        try:
            x, test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        except OSError:
            return None
        x.XOpenDisplay.restype = ctypes.c_void_p
        display = x.XOpenDisplay(None)
        return Display(x, test, display) if display else None

    def code(self, name: str) -> int:
        keysym = self._x.XStringToKeysym(name.encode())
        code = self._x.XKeysymToKeycode(self._display, ctypes.c_ulong(keysym))
        if not code:
            raise ValueError(f"no key {name!r} on this keyboard")
        return code

    def send(self, code: int, down: bool) -> int:
        at = now_us()
        self._test.XTestFakeKeyEvent(self._display, code, int(down), ctypes.c_ulong(0))
        self._x.XFlush(self._display)
        return at

    def settle(self) -> None:
        """Wait until the server has dealt with all that was sent."""
        self._x.XSync(self._display, 0)


def serve() -> int:
    """Do what the lines of stdin say."""
    display = Display.connect()
    if display is None:
        print("no display", flush=True)
        return 1
    print("ready", flush=True)
    codes: dict[str, int] = {}
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        at, name, way = line.split()
        code = codes.setdefault(name, display.code(name))
        while (left := int(at) - now_us()) > 0:
            if left > SPIN_US:
                time.sleep((left - SPIN_US) / 1e6)
        sent = display.send(code, way == "down")
        display.settle()
        print(sent, name, way, flush=True)
    return 0


# --- for tests --------------------------------------------------------------------------------------------------

@dataclass(frozen=True, slots=True)
class Sent:
    at_us: int
    wanted_us: int
    name: str
    down: bool


class Injector:
    """``press`` asks for a key; ``sent`` holds what has been sent up to now."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._wanted: list[int] = []
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._sent: list[Sent] = []
        self._reader = threading.Thread(target=self._read, name="x-keys")
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)

    def _ask(self, at_us: int, name: str, way: str) -> None:
        assert self._process.stdin is not None
        self._wanted.append(at_us)
        self._process.stdin.write(f"{at_us} {name} {way}\n")
        self._process.stdin.flush()

    def press(self, name: str, at_us: int, *, hold_us: int = 20_000) -> None:
        """Down at ``at_us`` (``time.monotonic_ns() // 1000``), and up again after ``hold_us``."""
        self._ask(at_us, name, "down")
        self._ask(at_us + hold_us, name, "up")

    @property
    def sent(self) -> list[Sent]:
        while True:
            try:
                at, name, way = self._lines.get_nowait().split()
            except Empty:
                return self._sent
            self._sent.append(Sent(int(at), self._wanted[len(self._sent)], name, way == "down"))

    @property
    def presses(self) -> list[Sent]:
        return [one for one in self.sent if one.down]

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("quit\n")
        self._process.stdin.close()
        self._process.wait(timeout=10)
        self._reader.join(10)
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def injector() -> Iterator[Injector | None]:
    """None where keys cannot be pressed: no X server, or no libXtst (Debian: libxtst6)."""
    process = subprocess.Popen([sys.executable, "-m", "tests.x_keys"], cwd=ROOT, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True, bufsize=1, env=dict(os.environ))
    assert process.stdout is not None
    assert process.stdin is not None
    if process.stdout.readline().strip() != "ready":
        process.stdin.close()
        process.stdout.close()
        process.wait(timeout=10)
        yield None
        return
    made = Injector(process)
    try:
        yield made
    finally:
        made.close()


if __name__ == "__main__":
    sys.exit(serve())
