"""Lines of answers that say the same about many items: what they share is encoded once."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from exports.rows import encoded

VARY = ("day", "id", "nonce", "rev", "seconds")  # sorted, as their places in the line are
STEADY = ("annotator", "answer", "counts", "element", "na", "question", "round", "shown", "stage", "withheld")
KEYS = len(VARY) + len(STEADY)  # with shown_order, and without the nonce
LONG = 100  # characters of an answer that few others will give
MOST = 20_000  # kept at once
_steady = itemgetter(*STEADY)


class Alike:
    """Remembers what was said before, from the second time on."""

    def __init__(self) -> None:
        self._known: dict[Any, str | None] = {}

    def line(self, row: Mapping[str, Any], nonce: str) -> bytes | None:
        """The same as ``rows.line`` of a row of annotations.jsonl with this nonce; None where it is to be asked."""
        answer, id = row["answer"], row["id"]
        if type(answer) is not str or len(answer) > LONG or len(row) != KEYS or row["shown_order"] is not None or (
                not id.isalnum()) or not id.isascii():
            return None
        steady = _steady(row)
        found = self._known.get(steady, "")
        if not found:
            if len(self._known) > MOST:
                self._known.clear()
            found = self._known[steady] = None if found == "" else _pattern(row)
            if found is None:
                return None
        return (found % (row["day"], id, nonce, row["rev"], row["seconds"])).encode()


def _pattern(row: Mapping[str, Any]) -> str:
    """The line with a place for each value that varies."""
    places = {key: '"%s"' for key in VARY} | {"rev": "%d", "seconds": "%r"}
    kept = {key: encoded(value).replace("%", "%%") for key, value in row.items() if key not in places}
    return "{" + ",".join(f'"{key}":{text}' for key, text in sorted((kept | places).items())) + "}\n"
