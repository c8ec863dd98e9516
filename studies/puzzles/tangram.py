"""Puzzles of pieces and a board: whether the pieces fill it, with or without pictures of the first pieces laid."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PIL import Image

from studies.puzzles import tiling
from studies.puzzles.drawing import EDGE, INK, LINE, PANEL, PAPER, Box, Canvas, Painter, sheet
from studies.puzzles.puzzle import Difficulty, Picture, Puzzle, Step, yes_or_no
from studies.puzzles.tiling import Board, Piece

QUESTION = ("The picture shows a board and, below it, the pieces. Pieces may be moved and turned, not turned over. "
            "Can they fill the board, each used once, without gaps and without overlap?")
# board, pieces
_SIZES: Mapping[Difficulty, tuple[tuple[Board, int], ...]] = {
    "easy": ((Board(3, 3), 3), (Board(4, 3), 3)),
    "medium": ((Board(4, 3), 4), (Board(4, 4), 4)),
    "hard": ((Board(5, 3), 4), (Board(4, 4), 4), (Board(5, 4), 5)),
}
_COLOURS = ("#F0C774", "#9CC3E4", "#A9D3B5", "#E3A79D", "#C9B5E0")
_SIDE = 24.0


@dataclass(frozen=True, slots=True)
class TangramFacts:
    board: Board
    pieces: tuple[Piece, ...]
    fills: bool


def make(rng: random.Random, *, difficulty: Difficulty, fills: bool) -> Puzzle:
    while True:
        board, count = rng.choice(_SIZES[difficulty])
        cut = tiling.cut(rng, board, count)
        if cut is None:
            continue
        pieces = cut if fills else _spoilt(rng, board, cut, near=difficulty == "hard")
        if pieces is None:
            continue
        rng.shuffle(pieces)
        pieces = [tiling.laid(piece, rng.randrange(4)) for piece in pieces]
        # The largest pieces are laid first, as people do.
        pieces.sort(key=len, reverse=True)
        laid = next(tiling.fillings(board, pieces), None) if fills else tiling.partly_filled(board, pieces)
        if laid is not None and tiling.can_fill(board, pieces) == fills:
            break
    options, answer = yes_or_no(rng, fills)
    n = len(pieces)
    steps = [Step(f"Piece {k} is laid on the board.",
                  Picture(f"step{k}", partial(_laid, board, laid[:k], f"After step {k}"))) for k in range(1, n)]
    last = Step(f"Piece {n} is left for the free squares.")
    return Puzzle(category="tangram_puzzle", task="tangram", difficulty=difficulty, question=QUESTION,
                  pictures=(Picture("pieces", partial(_all, board, tuple(pieces))),), options=options, answer=answer,
                  origin=f"{board.columns}x{board.rows}_{n}steps_{difficulty}", steps=(*steps, last),
                  facts=TangramFacts(board, tuple(pieces), fills))


def _spoilt(rng: random.Random, board: Board, cut: list[Piece], *, near: bool) -> list[Piece] | None:
    """One piece altered (or two, where it need not be near) so that nothing fills the board, not even turned over."""
    pieces = list(cut)
    for n in rng.sample(range(len(pieces)), 1 if near else min(2, len(pieces))):
        other = tiling.altered(rng, pieces[n])
        if other is None:
            return None
        pieces[n] = other
    fit = all(tiling.places(board, piece) for piece in pieces)
    return pieces if fit and not tiling.can_fill(board, pieces, flips=True) else None


# --- pictures -------------------------------------------------------------------------------------

def _all(board: Board, pieces: Sequence[Piece], scale: float) -> Image.Image:
    """The board above, all pieces in a row below."""
    tall = max(max(y for _, y in piece) + 1 for piece in pieces) * _SIDE
    gaps = 26.0
    across = sum((max(x for x, _ in piece) + 1) * _SIDE for piece in pieces) + gaps * (len(pieces) - 1)
    width = max(440.0, across + 40)
    height = board.rows * _SIDE + tall + 76.0

    def paint(canvas: Canvas, box: Box) -> None:
        canvas.rectangle(box, PAPER)
        _board(canvas, board, ((box[0] + box[2] - board.columns * _SIDE) / 2, box[1] + 18.0))
        x = (box[0] + box[2] - across) / 2
        for n, piece in enumerate(pieces):
            rows = max(b for _, b in piece) + 1
            top = box[1] + 18.0 + board.rows * _SIDE + 22.0
            _piece(canvas, piece, n, (x, top + (tall - rows * _SIDE) / 2), rows)
            columns = max(a for a, _ in piece) + 1
            canvas.words((x + columns * _SIDE / 2, box[3] - 15.0), str(n + 1), 15.0)
            x += columns * _SIDE + gaps

    return _framed("", paint, (width, height), scale)


def _framed(word: str, paint: Painter, size: tuple[float, float], scale: float) -> Image.Image:
    return sheet([(word, paint)], scale=scale, panel=size)


def _board(canvas: Canvas, board: Board, corner: tuple[float, float]) -> None:
    x0, y0 = corner
    for x, y in board.cells:
        canvas.rectangle((x0 + x * _SIDE, y0 + y * _SIDE, x0 + (x + 1) * _SIDE, y0 + (y + 1) * _SIDE), PANEL, LINE)
    canvas.rectangle((x0, y0, x0 + board.columns * _SIDE, y0 + board.rows * _SIDE), None, EDGE, 2.0)


def _piece(canvas: Canvas, piece: Piece, n: int, corner: tuple[float, float], rows: int) -> None:
    """Squares with thin lines between, and a strong line around."""
    x0, y0 = corner

    def spot(x: float, y: float) -> tuple[float, float]:
        return x0 + x * _SIDE, y0 + (rows - y) * _SIDE

    for x, y in piece:
        canvas.polygon([spot(x, y), spot(x + 1, y), spot(x + 1, y + 1), spot(x, y + 1)], _COLOURS[n], "#FFFFFF80", 0.8)
    for x, y in piece:
        for there, ends in (((x + 1, y), ((1, 0), (1, 1))), ((x - 1, y), ((0, 0), (0, 1))),
                            ((x, y + 1), ((0, 1), (1, 1))), ((x, y - 1), ((0, 0), (1, 0)))):
            if there not in piece:
                canvas.line([spot(x + a, y + b) for a, b in ends], INK, 1.6)


def _laid(board: Board, laid: Sequence[Piece], word: str, scale: float) -> Image.Image:
    def paint(canvas: Canvas, box: Box) -> None:
        canvas.rectangle(box, PAPER)
        corner = (box[0] + box[2] - board.columns * _SIDE) / 2, (box[1] + box[3] - board.rows * _SIDE) / 2
        _board(canvas, board, corner)
        for n, piece in enumerate(laid):
            _piece(canvas, piece, n, corner, board.rows)
            x, y = max(piece, key=lambda cell: (sum(abs(cell[0] - a) + abs(cell[1] - b) == 1 for a, b in piece), cell))
            canvas.words((corner[0] + (x + 0.5) * _SIDE, corner[1] + (board.rows - y - 0.5) * _SIDE), str(n + 1), 14.0)

    return _framed(word, paint, (200.0, board.rows * _SIDE + 40.0), scale)
