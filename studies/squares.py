"""Balanced Latin squares: everything equally often at each place, and equally often right after each other thing."""

from __future__ import annotations

from math import gcd


def balanced_square(size: int) -> tuple[tuple[int, ...], ...]:
    """Rows of 0 .. size - 1: ``size`` rows where it is even, twice as many where it is odd (1: one row).

    Williams (1949), in the construction of Bradley (1958, JASA 53:525): the base row is 0, 1, n-1, 2, n-2, ..; row i
    adds i to each element, modulo n. With an odd n all rows are added once more in reverse: then every pair of
    neighbours comes twice.
    """
    if size < 1:
        raise ValueError("a square has one row or more")
    base = [0] + [(n + 1) // 2 if n % 2 else size - n // 2 for n in range(1, size)]
    rows = [tuple((one + turn) % size for one in base) for turn in range(size)]
    if size % 2 and size > 1:
        rows += [row[::-1] for row in rows]
    return tuple(rows)


def rounds_of(rows: int, size: int) -> int:
    """How many rounds of ``size`` people show each of ``rows`` equally often, one row a person and on from there."""
    return rows // gcd(rows, size)


def first_row(rows: int, size: int, turn: int) -> int:
    """Where the ``turn``-th round of ``size`` people begins in a square.

    Rounds go on where the last one ended, till all rows were shown equally often, and then begin one row further
    down: so in ``rows`` rounds each place of a round meets each row once.
    """
    rounds = rounds_of(rows, size)
    return (turn % rounds * size + turn % rows // rounds) % rows
