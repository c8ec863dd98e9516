"""Numbers with their noun in the lines of the command line: 1 item, 2,000 items."""

from __future__ import annotations


def numbered(n: int, one: str, many: str | None = None) -> str:
    """``n`` with thousands set off, and the noun in the number that goes with it (``many``: by default ``one`` + s)."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"
