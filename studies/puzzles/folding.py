"""Puzzles of nets: whether six squares fold into a cube, with or without pictures of the folding."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

from PIL import Image

from studies.puzzles import nets, solids
from studies.puzzles.drawing import INK, PAPER, Box, Canvas, sheet
from studies.puzzles.nets import Frame, Net
from studies.puzzles.puzzle import DIFFICULTIES, Difficulty, Picture, Puzzle, Step, yes_or_no
from studies.puzzles.solids import Camera

QUESTION = ("Six squares hang together as in the picture. They may be folded along the sides they share, and nowhere "
            "else. Square 1 stays on the table. Do they fold into a closed cube?")
_COLOURS = ("#F0C774", "#9CC3E4", "#A9D3B5", "#E3A79D", "#C9B5E0", "#CFCBC2")
_PANEL = (270.0, 220.0)
_LOOKS = ((9.0, -14.0, 11.0), (-9.0, -14.0, 11.0))


@dataclass(frozen=True, slots=True)
class FoldingFacts:
    net: Net
    cube: bool


def make(rng: random.Random, *, difficulty: Difficulty, cube: bool) -> Puzzle:
    figure = nets.figure_by_lot(rng, cube=cube, hard=DIFFICULTIES.index(difficulty))
    net = nets.net_of(figure, nets.best_first(figure))
    options, answer = yes_or_no(rng, nets.is_cube(net))
    steps = [Step(f"Fold square {n + 1} up by 90° along the side it shares with square "
                  f"{net.parents[n - 1] + 1}{_along(net, n)}.",
                  Picture(f"step{n}", partial(_half_folded, net, n)) if n < 5 else None) for n in range(1, 6)]
    return Puzzle(category="folding_nets", task="nets", difficulty=difficulty, question=QUESTION,
                  pictures=(Picture("net", partial(_flat, net)),), options=options, answer=answer,
                  origin=f"5steps_{difficulty}", steps=tuple(steps),
                  facts=FoldingFacts(net, nets.is_cube(net)))


def _along(net: Net, n: int) -> str:
    """What moves with square ``n`` when it is folded."""
    moving = [n]
    for child, parent in enumerate(net.parents, 1):
        if parent in moving:
            moving.append(child)
    others = [str(child + 1) for child in moving[1:]]
    if not others:
        return ""
    return f" ({' and '.join((', '.join(others[:-1]), others[-1]) if others[1:] else others)} moving along)"


# --- pictures -------------------------------------------------------------------------------------

def _flat(net: Net, scale: float) -> Image.Image:
    return sheet([("", partial(_paint_flat, net))], scale=scale, panel=_PANEL)


def _paint_flat(net: Net, canvas: Canvas, box: Box) -> None:
    canvas.rectangle(box, PAPER)
    xs, ys = [x for x, _ in net.squares], [y for _, y in net.squares]
    side = min(48.0, (box[3] - box[1] - 14) / (max(ys) - min(ys) + 1))
    left = (box[0] + box[2] - side * (max(xs) - min(xs) + 1)) / 2
    top = (box[1] + box[3] - side * (max(ys) - min(ys) + 1)) / 2
    for n, (x, y) in enumerate(net.squares):
        corner = left + (x - min(xs)) * side, top + (max(ys) - y) * side
        canvas.rectangle((corner[0], corner[1], corner[0] + side, corner[1] + side), _COLOURS[n], INK, 1.4)
        canvas.words((corner[0] + side / 2, corner[1] + side / 2), str(n + 1), 18.0)


def plates(frames: Sequence[Frame]) -> list[solids.Box]:
    """The squares in space; where one lies on another, it is a little farther out, so that both are seen."""
    boxes = []
    for n, frame in enumerate(frames):
        off = -0.28 * sum(other.middle == frame.middle for other in frames[:n])
        low, high = [], []
        for axis in range(3):
            half = abs(frame.right[axis]) + abs(frame.far[axis])
            middle = frame.middle[axis] + off * frame.up[axis]
            low.append(middle - half)
            high.append(middle + half)
        boxes.append(solids.Box((low[0], low[1], low[2]), (high[0], high[1], high[2]), _COLOURS[n]))
    return boxes


def _camera(net: Net) -> Camera:
    """Takes in the net after every step, from the side on which less of it stands in the way."""
    spots = [corner for done in range(1, 5) for plate in plates(nets.folded(net, done))
             for corner in product(*zip(plate.low, plate.high, strict=True))]
    x, y, z = (sum(spot[axis] for spot in spots) / len(spots) for axis in range(3))
    look = _LOOKS[x < 0]
    rough = Camera((x + look[0], y + look[1], z + look[2]), (x, y, z), 1.0)
    right, up, _ = rough.frame
    across = [(spot[0] - x) * right[0] + (spot[1] - y) * right[1] + (spot[2] - z) * right[2] for spot in spots]
    high = [(spot[0] - x) * up[0] + (spot[1] - y) * up[1] + (spot[2] - z) * up[2] for spot in spots]
    off = (max(across) + min(across)) / 2 * right + (max(high) + min(high)) / 2 * up
    wide = max(max(across) - min(across), _PANEL[0] / _PANEL[1] * (max(high) - min(high)))
    eye, target = (tuple(float(value) for value in point + off) for point in (rough.eye, rough.target))
    return Camera((eye[0], eye[1], eye[2]), (target[0], target[1], target[2]), wide * 1.1)


def _half_folded(net: Net, done: int, scale: float) -> Image.Image:
    return sheet([(f"After step {done}", partial(_paint_folded, net, done))], scale=scale, panel=_PANEL)


def _paint_folded(net: Net, done: int, canvas: Canvas, box: Box) -> None:
    canvas.rectangle(box, PAPER)
    camera = _camera(net)
    boxes = plates(nets.folded(net, done))

    def number(n: int) -> None:
        middle = tuple((a + b) / 2 for a, b in zip(boxes[n].low, boxes[n].high, strict=True))
        canvas.words(camera.project(middle, box), str(n + 1), 16.0)

    solids.paint(boxes, camera, canvas, box, alpha=0.82, after=number)
