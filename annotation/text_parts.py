"""Parts of a text that a released file keeps in one: lettered options in its last lines, marks where pictures stand."""

from __future__ import annotations

import re
from collections.abc import Sequence

_OPTION = re.compile(r"^\s*[(\[]?([A-Z])\s*[.):\]]\s*(.*\S)\s*$")


def lettered(text: str) -> tuple[str, list[dict[str, str]]]:
    """What stands before the lettered last lines of ``text``, and these as ``{"id": letter, "text": ..}``.

    ``A. no``, ``(B) yes``, ``C: none``: the letters run from A without a gap, two at least; empty lines do not count.
    A text without such lines is returned as it is, with none.
    """
    lines = text.splitlines()
    found: list[tuple[str, str]] = []
    end = len(lines)
    for place in range(len(lines) - 1, -1, -1):
        if not lines[place].strip():
            continue
        option = _OPTION.match(lines[place])
        if option is None:
            break
        found.insert(0, (option[1], option[2]))
        end = place
        if option[1] == "A":
            break
    if len(found) < 2 or [letter for letter, _ in found] != [chr(ord("A") + n) for n in range(len(found))]:
        return text, []
    return "\n".join(lines[:end]).rstrip(), [{"id": letter, "text": words} for letter, words in found]


def numbered(text: str, mark: str) -> str:
    """``text`` with each ``mark`` as ``[n]``, the number of the picture that stands there.

    Lines that hold nothing but marks go: the pictures are shown beside the text anyway.
    """
    count = 0
    lines = []
    for line in text.splitlines():
        pieces = line.split(mark)
        if len(pieces) > 1 and not "".join(pieces).strip():
            count += len(pieces) - 1
            continue
        made = pieces[0]
        for piece in pieces[1:]:
            count += 1
            made += f"[{count}]{piece}"
        lines.append(made)
    return "\n".join(lines).strip()


def word_of(text: str, words: Sequence[str]) -> str | None:
    """The first of ``words`` that stands in ``text``, with no letter or digit beside it; capitals do not count."""
    for word in words:
        if re.search(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", text, re.IGNORECASE):
            return word
    return None
