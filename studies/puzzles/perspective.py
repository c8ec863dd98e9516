"""Puzzles of places: which of four views is what a camera sees that is marked in a small scene of blocks."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from PIL import Image, ImageOps

from studies.puzzles import solids
from studies.puzzles.drawing import INK, PAPER, TONES, Box, Canvas, Painter, sheet
from studies.puzzles.puzzle import LETTERS, Difficulty, Picture, Puzzle, drawn_options, placed
from studies.puzzles.solids import Camera

QUESTION = ("The first picture shows blocks on a floor, and a camera with an arrow in the direction in which it looks. "
            "Which of the pictures A to D is what the camera sees?")
HALF = 2.5  # the floor reaches from -2.5 to 2.5
FAR = 5.0  # how far the camera is from the middle of the floor
TALL = 1.5
SEEN = 0.07  # part of a view's points by which two options differ at least
_ABOVE = Camera(eye=(5.2, -9.4, 9.0), target=(0.0, 0.0, 0.4), wide=12.0)
_VIEW = (232.0, 150.0)
# Wrong views by how far round the camera would stand, in degrees; None: the right one mirrored.
_OFF: dict[Difficulty, tuple[int | None, ...]] = {
    "easy": (90, 180, 270), "medium": (60, 120, 180, 240, 300), "hard": (45, 315, None)}


@dataclass(frozen=True, slots=True)
class Block:
    """On the square whose middle is (x, y), ``tall`` high."""

    x: float
    y: float
    tall: float
    colour: str


@dataclass(frozen=True, slots=True)
class View:
    """From so many degrees round the scene (0: from the right, anticlockwise)."""

    degrees: int
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class PerspectiveFacts:
    blocks: tuple[Block, ...]
    degrees: int
    options: tuple[View, ...]


def make(rng: random.Random, *, difficulty: Difficulty) -> Puzzle:
    while True:
        blocks = _scene(rng)
        degrees = rng.choice(range(0, 360, 15))
        right = View(degrees)
        off = rng.sample(_OFF[difficulty], 3)
        wrong = [View(degrees, True) if by is None else View((degrees + by) % 360) for by in off]
        if all(_is_fair(blocks, view) for view in (right, *wrong)) and _are_apart(blocks, [right, *wrong]):
            break
    options, answer = placed(rng, right, wrong)
    facts = PerspectiveFacts(blocks, degrees, options)
    return Puzzle(category="Perspective", task="perspective", difficulty=difficulty, question=QUESTION,
                  pictures=(Picture("scene", partial(_scene_picture, facts)),
                            Picture("choice", partial(_choice_picture, facts))),
                  options=drawn_options(4), answer=answer, origin=f"{len(blocks)}blocks_{difficulty}", facts=facts)


def _scene(rng: random.Random) -> tuple[Block, ...]:
    """Four or five blocks of different heights and tones, not on squares that touch."""
    squares = [(float(x), float(y)) for x in range(-2, 3) for y in range(-2, 3)]
    chosen: list[tuple[float, float]] = []
    count = rng.choice((4, 5))
    for square in rng.sample(squares, len(squares)):
        if all(max(abs(square[0] - x), abs(square[1] - y)) > 1 for x, y in chosen) and len(chosen) < count:
            chosen.append(square)
    if len(chosen) < 4:
        return _scene(rng)
    heights = rng.sample((0.5, 0.9, 1.3, 1.8, 2.3), len(chosen))
    tones = rng.sample(TONES[:5], len(chosen))
    return tuple(Block(x, y, tall, tone) for (x, y), tall, tone in zip(chosen, heights, tones, strict=True))


def camera_of(view: View) -> Camera:
    angle = math.radians(view.degrees)
    return Camera((FAR * math.cos(angle), FAR * math.sin(angle), TALL), (0.0, 0.0, 0.55), 66.0, flat=False)


def boxes_of(blocks: Sequence[Block]) -> list[solids.Box]:
    return [solids.Box((b.x - 0.38, b.y - 0.38, 0.0), (b.x + 0.38, b.y + 0.38, b.tall), b.colour) for b in blocks]


def _seen(blocks: Sequence[Block], view: View) -> np.ndarray[tuple[int, int], np.dtype[np.int_]]:
    seen = solids.numbered(boxes_of(blocks), camera_of(view), 93, tall=60)
    return seen[:, ::-1] if view.mirrored else seen


def _is_fair(blocks: Sequence[Block], view: View) -> bool:
    """All blocks but one at most are well in sight, and nothing is cut off at the side."""
    seen = _seen(blocks, view)
    counts = np.bincount(seen.ravel(), minlength=len(blocks) + 1)[1:]
    return int((counts < 25).sum()) == 0 and not seen[:, [0, -1]].any() and not seen[0].any()


def _are_apart(blocks: Sequence[Block], views: Sequence[View]) -> bool:
    seen = [_seen(blocks, view) for view in views]
    return all(float((seen[a] != seen[b]).mean()) >= SEEN for b in range(len(views)) for a in range(b))


# --- pictures -------------------------------------------------------------------------------------

def _scene_picture(facts: PerspectiveFacts, scale: float) -> Image.Image:
    return sheet([("", partial(_paint_scene, facts))], scale=scale, panel=(420.0, 260.0))


def _paint_scene(facts: PerspectiveFacts, canvas: Canvas, box: Box) -> None:
    canvas.rectangle(box, PAPER)
    solids.grid(_ABOVE, canvas, box, (-HALF, -HALF, 0.0), (0, 1), 5)
    boxes = boxes_of(facts.blocks)
    angle = math.radians(facts.degrees)
    eye = (FAR * math.cos(angle), FAR * math.sin(angle))
    _arrow(canvas, box, eye, angle)
    _camera_sign(canvas, box, eye)
    solids.paint(boxes, _ABOVE, canvas, box)
    if _ABOVE.depth((*eye, 0.0)) < _ABOVE.depth((0.0, 0.0, 0.0)):
        _camera_sign(canvas, box, eye)


def _arrow(canvas: Canvas, box: Box, eye: tuple[float, float], angle: float) -> None:
    """On the floor, from the camera towards the middle."""
    def spot(ahead: float, aside: float) -> tuple[float, float]:
        x = eye[0] - ahead * math.cos(angle) + aside * math.sin(angle)
        y = eye[1] - ahead * math.sin(angle) - aside * math.cos(angle)
        return _ABOVE.project((x, y, 0.0), box)

    canvas.polygon([spot(0.3, 0.13), spot(1.5, 0.13), spot(1.5, 0.42), spot(2.25, 0.0), spot(1.5, -0.42),
                    spot(1.5, -0.13), spot(0.3, -0.13)], "#A8231C")


def _camera_sign(canvas: Canvas, box: Box, eye: tuple[float, float]) -> None:
    """The camera."""
    x, y = _ABOVE.project((*eye, 0.0), box)
    canvas.rectangle((x - 14, y - 9, x + 14, y + 10), INK)
    canvas.rectangle((x - 5, y - 13, x + 5, y - 8), INK)
    canvas.dot((x, y + 0.5), 6.6, PAPER)
    canvas.dot((x, y + 0.5), 3.8, INK)


def _choice_picture(facts: PerspectiveFacts, scale: float) -> Image.Image:
    return sheet([(letter, _view(facts.blocks, view)) for letter, view in zip(LETTERS, facts.options, strict=True)],
                 scale=scale, panel=_VIEW, columns=2)


def _view(blocks: Sequence[Block], view: View) -> Painter:
    def paint(canvas: Canvas, box: Box) -> None:
        size = box[2] - box[0], box[3] - box[1]
        inner = Canvas(*size, canvas.scale)
        whole = (0.0, 0.0, *size)
        inner.rectangle(whole, PAPER)
        solids.grid(camera_of(view), inner, whole, (-HALF, -HALF, 0.0), (0, 1), 5)
        solids.paint(boxes_of(blocks), camera_of(view), inner, whole)
        canvas.lay(ImageOps.mirror(inner.image) if view.mirrored else inner.image, box[:2])

    return paint
