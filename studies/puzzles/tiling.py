"""Filling a board of squares with pieces that may be moved and turned: exact cover by search."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Cell = tuple[int, int]
Piece = frozenset[Cell]


@dataclass(frozen=True, slots=True)
class Board:
    columns: int
    rows: int

    @property
    def cells(self) -> frozenset[Cell]:
        return frozenset((x, y) for x in range(self.columns) for y in range(self.rows))


def moved(piece: Piece, x: int, y: int) -> Piece:
    return frozenset((a + x, b + y) for a, b in piece)


def laid(piece: Piece, quarters: int, *, mirrored: bool = False) -> Piece:
    """Turned (and mirrored first), then moved so that it touches the axes."""
    spots = [(-x if mirrored else x, y) for x, y in piece]
    for _ in range(quarters % 4):
        spots = [(-y, x) for x, y in spots]
    left, low = min(x for x, _ in spots), min(y for _, y in spots)
    return frozenset((x - left, y - low) for x, y in spots)


def ways(piece: Piece, *, flips: bool = False) -> list[Piece]:
    """The different ways to lay a piece, in a fixed order."""
    found = {laid(piece, quarters, mirrored=mirrored) for quarters in range(4)
             for mirrored in ((False, True) if flips else (False,))}
    return sorted(found, key=sorted)


def fillings(board: Board, pieces: Sequence[Piece], *, flips: bool = False) -> Iterator[tuple[Piece, ...]]:
    """Every way to cover the board with all pieces, each once; the cells that each piece takes, in its order.

    The lowest free cell is covered first, by each piece that is left in each way.
    """
    if sum(map(len, pieces)) != len(board.cells):
        return
    laid_ways = [ways(piece, flips=flips) for piece in pieces]

    def go(free: frozenset[Cell], left: frozenset[int], placed: dict[int, Piece]) -> Iterator[tuple[Piece, ...]]:
        if not free:
            yield tuple(placed[n] for n in range(len(pieces)))
            return
        x, y = min(free, key=lambda cell: (cell[1], cell[0]))
        for n in sorted(left):
            for way in laid_ways[n]:
                a, b = min(way, key=lambda cell: (cell[1], cell[0]))
                there = moved(way, x - a, y - b)
                if there <= free:
                    yield from go(free - there, left - {n}, {**placed, n: there})

    yield from go(board.cells, frozenset(range(len(pieces))), {})


def can_fill(board: Board, pieces: Sequence[Piece], *, flips: bool = False) -> bool:
    return next(fillings(board, pieces, flips=flips), None) is not None


def places(board: Board, piece: Piece) -> list[Piece]:
    """Everywhere on the board that the piece can lie."""
    found = []
    for way in ways(piece):
        for x in range(board.columns):
            for y in range(board.rows):
                there = moved(way, x, y)
                if there <= board.cells:
                    found.append(there)
    return found


def partly_filled(board: Board, pieces: Sequence[Piece]) -> tuple[Piece, ...] | None:
    """All pieces but the last laid on the board without overlap, so that as much as can be hangs together of what is
    left free; None where they cannot all lie.
    """
    best: tuple[int, tuple[Piece, ...]] | None = None
    tried = 0

    def go(taken: frozenset[Cell], done: tuple[Piece, ...]) -> None:
        nonlocal best, tried
        if len(done) == len(pieces) - 1:
            free = board.cells - taken
            parts = len(parts_of(free))
            tried += 1
            if best is None or parts < best[0]:
                best = (parts, done)
            return
        for there in places(board, pieces[len(done)]):
            if tried > 400 or (best is not None and best[0] == 1):
                return
            if not there & taken:
                go(taken | there, (*done, there))

    go(frozenset(), ())
    return best[1] if best else None


def parts_of(cells: frozenset[Cell]) -> list[frozenset[Cell]]:
    """The pieces into which cells fall that do not hang together."""
    left, parts = set(cells), []
    while left:
        part = {left.pop()}
        edge = set(part)
        while edge:
            x, y = edge.pop()
            for there in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if there in left:
                    left.remove(there)
                    part.add(there)
                    edge.add(there)
        parts.append(frozenset(part))
    return parts


def cut(rng: random.Random, board: Board, count: int) -> list[Piece] | None:
    """The board cut by lot into ``count`` pieces of 2 to 5 cells, no two alike; None where the lot had it otherwise."""
    seeds = rng.sample(sorted(board.cells), count)
    parts = [{seed} for seed in seeds]
    free = set(board.cells) - set(seeds)
    while free:
        growing = [(n, cell) for n, part in enumerate(parts) if len(part) < 5 for cell in _beside(part, free)]
        if not growing:
            return None
        least = min(len(parts[n]) for n, _ in growing)
        n, cell = rng.choice([one for one in growing if len(parts[one[0]]) <= least + 1])
        parts[n].add(cell)
        free.remove(cell)
    pieces = [frozenset(part) for part in parts]
    shapes = {min(ways(piece, flips=True), key=sorted) for piece in pieces}
    return pieces if len(shapes) == count and all(len(piece) >= 2 for piece in pieces) else None


def _beside(part: set[Cell], free: set[Cell]) -> list[Cell]:
    return sorted({there for x, y in part for there in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))} & free)


def altered(rng: random.Random, piece: Piece) -> Piece | None:
    """The piece with one cell moved elsewhere, still in one part and of another shape; None where the lot failed."""
    cell = rng.choice(sorted(piece))
    rest = set(piece) - {cell}
    if len(parts_of(frozenset(rest))) != 1:
        return None
    x, y = rng.choice(sorted(rest))
    dx, dy = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
    new = frozenset(rest | {(x + dx, y + dy)})
    if len(new) != len(piece) or min(ways(new, flips=True), key=sorted) == min(ways(piece, flips=True), key=sorted):
        return None
    return new
