# SPDX-License-Identifier: Apache-2.0
"""Lines that are the same but for their id and nonce: one is read, and the others are it with their own id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Row = dict[str, Any]
MOST = 4096  # lines that are remembered
ENOUGH = 1000  # misses after which lines are no longer looked up, unless most of them were met before


class Alike:
    """Remembers what ``kept`` makes of a row, by the text of its line without what stands in "id" and "nonce".

    Only of lines without a backslash that name either key once: there a text ends at the next quotation mark, and all
    that makes a line JSON stands in what is left of it. ``kept`` must not keep the nonce.
    """

    def __init__(self, kept: Callable[[Row], Row]) -> None:
        self.kept = kept
        self._known: dict[str, Row] = {}
        self._id, self._nonce = '"id":"', '"nonce":"'
        self._met = self._missed = 0

    def met(self, line: str) -> Row | None:
        """The row of a line of which the like was met before; None means that it must be read."""
        if self._missed >= ENOUGH and self._met < self._missed:
            return None
        id, rest = self._cut(line)
        row = self._known.get(rest)
        if row is None or id is None:
            self._missed += 1
            return None
        self._met += 1
        return {**row, "id": id}

    def new(self, line: str, row: Row) -> Row:
        """What is kept of a row that was read; remembered for the next one like it."""
        kept = self.kept(row)
        if len(self._known) < MOST:
            if not self._known and '"id": "' in line:  # a space after each colon, or none
                self._id, self._nonce = '"id": "', '"nonce": "'
            id, rest = self._cut(line)
            if id is not None and id == kept.get("id") and line.count('"id"') == 1 and line.count('"nonce"') < 2:
                self._known[rest] = kept
        return kept

    def _cut(self, line: str) -> tuple[str | None, str]:
        """The id, and the line without it and without a nonce that stands after it; None where it cannot be cut."""
        start = line.find(self._id) + len(self._id)
        end = line.find('"', start)
        id = line[start:end]
        if start < len(self._id) or end < 0 or not id.isprintable() or "\\" in line:
            return None, ""
        begun = line.find(self._nonce, end)
        if begun < 0:
            return id, line[:start] + line[end:]
        begun += len(self._nonce)
        done = line.find('"', begun)
        if not line[begun:done].isprintable():
            return None, ""
        return id, line[:start] + line[end:begun] + line[done:]
