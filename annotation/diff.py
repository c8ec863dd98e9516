"""What was taken out of a text and what was put in, by words."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


def diff_words(old: str, new: str) -> list[tuple[str, str]]:
    """Runs (kind, text): ``same``, ``out`` (only in old), ``in`` (only in new), in reading order."""
    a, b = _WORDS.findall(old), _WORDS.findall(new)
    runs: list[tuple[str, str]] = []
    for verb, a1, a2, b1, b2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if verb == "equal":
            runs.append(("same", "".join(a[a1:a2])))
            continue
        if a1 < a2:
            runs.append(("out", "".join(a[a1:a2])))
        if b1 < b2:
            runs.append(("in", "".join(b[b1:b2])))
    return _join_over_little(runs)


def _join_over_little(runs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Two changes with only a space, or one word shorter than either, between them read as one change."""
    joined: list[list[str]] = []
    out = new = ""
    for n, (kind, text) in enumerate(runs):
        after = sum(len(later) for of, later in runs[n + 1:n + 3] if of != "same")
        word = text.strip()
        between = kind == "same" and after > 0 and (out or new) and (
            not word or (" " not in word and len(word) < min(len(out) + len(new), after)))
        if kind == "out" or between:
            out += text
        if kind == "in" or between:
            new += text
        if kind == "same" and not between:
            joined += [["out", out], ["in", new], ["same", text]]
            out = new = ""
    joined += [["out", out], ["in", new]]
    return [(kind, text) for kind, text in joined if text]
