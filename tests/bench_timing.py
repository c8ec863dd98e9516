"""``python3 dev.py bench timing``: real key presses into our window and into PsychoPy's, in one run.

Both run on one X server of their own; a process apart presses keys (XTEST) at random moments after each onset. The
error is the recorded moment less the one at which the key was sent. The two take turns, and each figure is the median
of the rounds, since one moment in which the system held a process up decides a standard deviation. PsychoPy (GPL, own
environment below ``.venv``, 1.6 GB, made with ``GOLDSMITH_PEERS=install``; on Debian it needs libjack-jackd2-0
libportaudio2 libusb-1.0-0) is left out with a message where it is not there, or would fall back to its slower keys.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.timing_ours import BURST, EVERY, PATIENCE_S
from tests.x_keys import ROOT, Injector, injector

N, ROUNDS = 100, 5
PSYCHOPY = "psychopy==2026.2.5"
APART = ROOT / ".venv" / "peers-psychopy"
SPARE_US, SPREAD_US, HOLD_US = 15_000, 250_000, 30_000

# A loop of 60 Hz with a press of 30 ms, as the program's own manual writes such trials.
_THEIRS = """
import sys, time
n, blocked, patience, burst, every = int(sys.argv[1]), sys.argv[2] == "blocked", *map(float, sys.argv[3:6])
from psychopy import visual, core
from psychopy.hardware import keyboard
win = visual.Window(size=(1920, 1080), fullscr=False, screen=0, waitBlanking=False)
box = visual.Rect(win, width=0.5, height=0.5, fillColor="blue")
if not keyboard.havePTB:
    sys.exit("its keys without Psychtoolbox")
kb = keyboard.Keyboard(backend="ptb")
win.flip()
last = time.monotonic()
for k in range(n):
    core.wait(0.04)
    kb.clearEvents()
    box.draw()
    win.flip()
    kb.clock.reset()
    onset = time.monotonic()
    print("onset", round(onset * 1e6), flush=True)
    found = None
    while found is None and time.monotonic() < onset + patience:
        if blocked and time.monotonic() - last > every / 1000:
            until = time.monotonic() + burst / 1000
            while time.monotonic() < until: pass
            last = time.monotonic()
        box.draw()
        win.flip()
        time.sleep(max(0, 1 / 60 - (time.monotonic() - onset) % (1 / 60)))
        for key in kb.getKeys(keyList=["1", "2", "3", "4"], waitRelease=False):
            found = key
    if found is None:
        print("lost", flush=True)
    else:
        print("key", round((onset + found.rt) * 1e6), round(time.monotonic() * 1e6), flush=True)
win.close()
core.quit()
"""


@dataclass(slots=True)
class Taken:
    """Milliseconds: errors by the program's stamp and by its receipt; presses that it did not see."""

    stamped: list[float] = field(default_factory=list)
    receipt: list[float] = field(default_factory=list)
    lost: int = 0

    @property
    def sd(self) -> float:
        return statistics.pstdev(self.stamped) if self.stamped else float("nan")


def _sd(rounds: list[Taken]) -> float:
    return statistics.median(one.sd for one in rounds)


def _said(rounds: list[Taken]) -> str:
    stamped, receipt = ([error for one in rounds for error in getattr(one, kind)] for kind in ("stamped", "receipt"))
    if not stamped:
        return f"all {sum(one.lost for one in rounds)} lost"
    each = ", ".join(f"{one.sd:.2f}" for one in rounds)
    return (f"SD {_sd(rounds):.2f} ({each}), of all {statistics.pstdev(stamped):.2f}, mean "
            f"{statistics.mean(stamped):.2f}, largest {max(map(abs, stamped)):.1f} ms; on receipt "
            f"{statistics.mean(receipt):.1f}, SD {statistics.pstdev(receipt):.1f} ms; "
            f"lost {sum(one.lost for one in rounds)}")


def rows(row: Callable[..., dict[str, Any]]) -> list[dict[str, Any]]:
    """Quiet and with the thread blocked in bursts, ours and theirs in turn."""
    found: dict[tuple[str, str], list[Taken]] = {}
    theirs = _psychopy()
    with _screen() as display, tempfile.TemporaryDirectory() as folder:
        os.environ["DISPLAY"] = display
        env = {**os.environ, "QT_QPA_PLATFORM": "xcb", "LIBGL_ALWAYS_SOFTWARE": "1", "GOLDSMITH_HOME": folder,
               "PYTHONPATH": str(ROOT)}
        with injector() as keys:
            if keys is None:
                raise AssertionError("keys cannot be pressed here (Debian: apt-get install xvfb libxtst6)")
            for way in ("quiet", "blocked") * ROUNDS:
                found.setdefault(("ours", way), []).append(
                    _take(keys, [sys.executable, "-m", "tests.timing_ours", str(N), way, folder], env))
                if theirs is not None:
                    try:
                        found.setdefault(("theirs", way), []).append(
                            _take(keys, [str(theirs), "-c", _THEIRS, str(N), way, str(PATIENCE_S), str(BURST),
                                         str(EVERY)], {**env, "PYTHONPATH": ""}))
                    except AssertionError as fault:
                        print(f"PsychoPy did not run: {fault}", file=sys.stderr)
                        theirs = None

    def lost(who: str) -> int:
        return sum(one.lost for way in ("quiet", "blocked") for one in found.get((who, way), ()))

    return [_row(row, found, way) for way in ("quiet", "blocked")] + [
        row("timing", "presses lost or doubled, quiet and blocked", 2 * N * ROUNDS, lost("ours"), "presses", 0,
            beside=f"PsychoPy: {lost('theirs')}" if theirs is not None else "PsychoPy did not run here")]


def _row(row: Callable[..., dict[str, Any]], found: dict[tuple[str, str], list[Taken]], way: str) -> dict[str, Any]:
    ours, theirs = found["ours", way], found.get(("theirs", way))
    if not theirs:
        beside = f"{_said(ours)}; PsychoPy did not run here (GOLDSMITH_PEERS=install makes its environment)"
        target = 1.0 if way == "quiet" else 2.0
    else:
        beside = f"ours {_said(ours)}; PsychoPy {_said(theirs)}"
        target = _sd(theirs) + 0.5 if way == "quiet" else _sd(theirs)
    return row("timing", f"SD of the time of {N} presses, median of {ROUNDS} rounds, {way}; load "
               f"{os.getloadavg()[0]:.1f}", N, _sd(ours), "ms", round(target, 3), beside=beside)


def _take(keys: Injector, command: list[str], env: dict[str, str]) -> Taken:
    """Run a program and press a key after each of its onsets; one line of it at a time."""
    draw, taken = random.Random(7), Taken()
    before = len(keys.presses)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env, cwd=ROOT
                          ) as process:
        assert process.stdout is not None
        asked = 0
        for line in process.stdout:
            said = line.split()
            if said[:1] == ["onset"]:
                keys.press(str(draw.randrange(4) + 1), int(said[1]) + SPARE_US + draw.randrange(SPREAD_US),
                           hold_us=HOLD_US)
                asked += 1
            elif said[:1] == ["lost"]:
                taken.lost += 1
            elif said[:1] == ["key"]:
                sent = _sent(keys, before + asked)
                taken.stamped.append((int(said[1]) - sent) / 1000)
                taken.receipt.append((int(said[2]) - sent) / 1000)
    if process.returncode or not asked:
        raise AssertionError(f"{command[1:3]} ended with {process.returncode} after {asked} trials")
    return taken


def _sent(keys: Injector, n: int) -> int:
    """When the nth press was sent; its line may come a moment after the program's own."""
    while len(keys.presses) < n:
        time.sleep(0.001)
    return keys.presses[n - 1].at_us


def _psychopy() -> Path | None:
    python = APART / "bin" / "python"
    if not python.exists() and os.environ.get("GOLDSMITH_PEERS") == "install":
        subprocess.run([sys.executable, "-m", "venv", str(APART)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", PSYCHOPY], check=True)
    return python if python.exists() and list(APART.glob("lib/*/site-packages/psychopy")) else None


@contextmanager
def _screen() -> Iterator[str]:
    """An X server of our own; its display."""
    reads, writes = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writes), "-screen", "0", "1920x1080x24", "-nolisten", "tcp"],
                              pass_fds=[writes], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writes)
    try:
        with os.fdopen(reads) as said:
            number = said.readline().strip()
        if not number:
            raise AssertionError("Xvfb did not start")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()
