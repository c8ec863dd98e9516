"""One step of the tour: what was expected, what another process reports, and whether the two agree."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Steps:
    """The steps so far, in order; ``say`` hears of each as it ends."""

    say: Callable[[str], None]
    rows: list[dict[str, Any]] = field(default_factory=list)
    begun: float = field(default_factory=time.monotonic)

    def compare(self, name: str, expected: Any, reported: Any, command: list[str]) -> bool:
        agrees = same(expected, reported)
        self.rows.append({"name": name, "expected": expected, "reported": reported, "agrees": agrees,
                          "command": "goldsmith " + " ".join(command)})
        self.say(f"{'ok  ' if agrees else 'FAIL'} {name} at {time.monotonic() - self.begun:.1f} s")
        return agrees

    @property
    def failed(self) -> list[str]:
        return [row["name"] for row in self.rows if not row["agrees"]]


def same(expected: Any, reported: Any) -> bool:
    """Equal; numbers to nine decimal places, as two programs may add in another order."""
    if isinstance(expected, float) and isinstance(reported, (int, float)):
        return abs(expected - reported) < 1e-9
    if isinstance(expected, dict) and isinstance(reported, dict):
        return expected.keys() == reported.keys() and all(same(expected[key], reported[key]) for key in expected)
    return bool(expected == reported)


def ask(*words: str) -> dict[str, Any]:
    """The JSON that ``goldsmith WORDS --json`` prints in a process of its own."""
    done = subprocess.run([sys.executable, "-m", "app", *words, "--json"], capture_output=True, text=True,
                          encoding="utf-8", check=False)
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        answer = {"ok": False, "error": {"code": "no_json", "message": done.stderr[-300:]}}
    return answer
