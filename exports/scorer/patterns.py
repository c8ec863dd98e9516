# SPDX-License-Identifier: Apache-2.0
"""Patterns that people wrote, tried in a process beside this one: one that never ends is stopped and named.

Python cannot stop a search that it has begun, so that a pattern like (a+)+b would hang whoever runs it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence

from annotation.errors import N_, Refused, Where

SECONDS = 20.0       # for a few megabytes; what is not done by then does not end in a time that anybody has
LETTERS = 4_000_000  # searched by one process
_PROGRAM = """
import json, re, sys
pattern = re.compile(json.loads(sys.stdin.readline()))
for line in sys.stdin:
    last = None
    for last in pattern.finditer(json.loads(line)):
        pass
    print(json.dumps(None if last is None else last.group(1 if pattern.groups else 0)), flush=True)
"""


def last_match(pattern: re.Pattern[str], text: str) -> str | None:
    """The last match, or its first group if the pattern has one."""
    last = None
    for one in pattern.finditer(text):
        last = one
    return None if last is None else last.group(1 if pattern.groups else 0)


def last_matches(pattern: re.Pattern[str], texts: Mapping[str, str], file: str | None) -> dict[str, str | None]:
    """The last match in each text; ``texts`` names an item for each. Refused where a search takes too long."""
    found: dict[str, str | None] = {}
    for some in _portions(list(texts)):
        done, ended = _beside(pattern, some)
        found |= zip(some, done, strict=False)
        if not ended:
            item = texts[some[min(len(done), len(some) - 1)]]
            raise Refused(
                N_("the pattern '{pattern}' does not come to an end on what is answered to {id} (stopped after "
                   "{seconds} s); it can match in too many ways: avoid a repeat within a repeat, as in (a+)+"),
                code="bad_value", pattern=pattern.pattern[:80], id=item[:80], seconds=f"{SECONDS:g}",
                where=Where(file=file, item=item[:80]))
        found |= {text: last_match(pattern, text) for text in some[len(done):]}  # where no process could be had
    return found


def _portions(texts: Sequence[str]) -> Iterator[list[str]]:
    some: list[str] = []
    size = 0
    for text in texts:
        if some and size + len(text) > LETTERS:
            yield some
            some, size = [], 0
        some.append(text)
        size += len(text)
    if some:
        yield some


def _beside(pattern: re.Pattern[str], texts: Sequence[str]) -> tuple[list[str | None], bool]:
    """What a process of its own found, text by text; and False where it had to be stopped."""
    if not sys.executable or getattr(sys, "frozen", False):
        return [], True
    asked = "".join(json.dumps(one) + "\n" for one in (pattern.pattern, *texts)).encode()
    try:
        done = subprocess.run([sys.executable, "-I", "-S", "-c", _PROGRAM], input=asked, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=SECONDS, check=False,
                              creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0))
    except subprocess.TimeoutExpired as late:
        return _read(late.stdout or b""), False
    except OSError:
        return [], True
    return _read(done.stdout), True


def _read(said: bytes) -> list[str | None]:
    """The lines that are whole."""
    return [json.loads(line) for line in said.split(b"\n")[:-1]]
