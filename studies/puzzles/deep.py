"""Puzzles of solids in space: what a solid looks like after one to three motions, told in words or by analogy."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
from PIL import Image

from studies.puzzles import changed, solids, space
from studies.puzzles.drawing import BLUE, GOLD, INK, PAPER, Box, Canvas, sheet
from studies.puzzles.puzzle import Difficulty, Puzzle, by_likeness, placed
from studies.puzzles.solids import Camera
from studies.puzzles.space import REACH, Motion, Roll, Shift, Solid

INSTRUCTED = (
    "The first picture shows a solid at the start. These motions are made with it, one after the other:\n\n{steps}\n\n"
    "The solid turns about its gold cube; the arrows x, y and z show the directions, a square of the grid is one unit, "
    "and the shadow lies straight below. Which of the pictures A to D shows the solid afterwards?")
CAMERA = Camera(eye=(6.6, -9.6, 6.9), target=(0.0, 0.0, -0.15), wide=8.2)
SEEN = 0.045  # part of a panel's points by which two options differ at least
_LOOK = 56
_FAIR = 14  # points of such a picture that a cube shows at least


@dataclass(frozen=True, slots=True)
class DeepFacts:
    """``shown``: the solid whose motions are to be seen (analogy), else None; ``start``: the one asked about."""

    shown: Solid | None
    start: Solid
    motions: tuple[Motion, ...]
    options: tuple[Solid, ...]


def make(rng: random.Random, *, analogy: bool, difficulty: Difficulty, steps: int) -> Puzzle:
    while True:
        start = space.solid_by_lot(rng, 4)
        shown = space.solid_by_lot(rng, rng.choice((4, 5))) if analogy else None
        motions = _motions(rng, steps)
        if not all(_stays(solid, motions) for solid in (start, shown) if solid):
            continue
        right = space.moved(start, motions)
        pool = {space.place_of(end): end for end in _wrong(rng, start, motions, right)}
        wrong = by_likeness(((space.distance(right, end), end) for end in pool.values()), difficulty, rng, count=3,
                            apart=are_told_apart)
        if wrong is not None:
            break
    options, answer = placed(rng, right, wrong)
    return _puzzle(DeepFacts(shown, start, motions, options), answer, difficulty, analogy=analogy)


def _motions(rng: random.Random, steps: int) -> tuple[Motion, ...]:
    motions: list[Motion] = []
    for _ in range(steps):
        motions.append(space.motion_by_lot(rng, besides=motions))
    return tuple(motions)


def _stays(solid: Solid, motions: Sequence[Motion]) -> bool:
    """In reach all the time, each state told from the one before and the last from the first, every cube in sight."""
    now = solid
    if not _is_clear(now):
        return False
    for motion in motions:
        before, now = now, motion.apply(now)
        if not space.fits(now) or not are_told_apart(before, now) or not _is_clear(now):
            return False
    return are_told_apart(solid, now)


def _wrong(rng: random.Random, start: Solid, motions: tuple[Motion, ...], right: Solid) -> Iterator[Solid]:
    for _ in range(40):
        other = list(motions)
        place = rng.randrange(len(motions))
        other[place] = _altered(rng, motions[place]) if rng.random() < 0.7 else space.motion_by_lot(rng)
        if rng.random() < 0.2:
            other.append(space.motion_by_lot(rng))
        end = space.moved(start, other)
        if space.fits(end) and are_told_apart(end, right) and _is_clear(end):
            yield end


def _altered(rng: random.Random, motion: Motion) -> Motion:
    """A motion that is easily taken for this one."""
    if isinstance(motion, Shift):
        return rng.choice((Shift(motion.axis, -motion.by), Shift((motion.axis + 1) % 3, motion.by),
                           Shift(motion.axis, motion.by + rng.choice((-1, 1)))))
    return rng.choice((Roll(motion.axis, motion.quarters + rng.choice((1, 2))),
                       Roll((motion.axis + rng.choice((1, 2))) % 3, motion.quarters)))


def are_told_apart(one: Solid, other: Solid) -> bool:
    """Whether their pictures differ by enough, as well as the solids themselves."""
    if space.place_of(one) == space.place_of(other):
        return False
    return float((_seen(one) != _seen(other)).mean()) >= SEEN


def _seen(solid: Solid) -> npt.NDArray[np.int_]:
    """What is seen at each point: 0 nothing, 1 the gold cube, 2 another."""
    return np.minimum(solids.numbered(boxes_of(solid), CAMERA, _LOOK), 2)


def _is_clear(solid: Solid) -> bool:
    """Of every cube, a fair part is in sight."""
    seen = np.bincount(solids.numbered(boxes_of(solid), CAMERA, _LOOK).ravel(), minlength=len(solid.cubes) + 1)
    return bool((seen[1:] >= _FAIR).all())


# --- pictures -------------------------------------------------------------------------------------

_FLOOR = -REACH - 0.5


def boxes_of(solid: Solid) -> list[solids.Box]:
    return [solids.Box((x - 0.5, y - 0.5, z - 0.5), (x + 0.5, y + 0.5, z + 0.5), BLUE if n else GOLD)
            for n, (x, y, z) in enumerate(solid.cubes)]


def paint(solid: Solid, canvas: Canvas, box: Box) -> None:
    """One panel: the floor with the shadow, two walls behind, all in unit squares, and the solid."""
    canvas.rectangle(box, PAPER)
    count = 2 * REACH + 1
    solids.grid(CAMERA, canvas, box, (_FLOOR, _FLOOR, _FLOOR), (1, 2), count, fill="#FAF9F7", line="#D9D5CC")
    solids.grid(CAMERA, canvas, box, (_FLOOR, -_FLOOR, _FLOOR), (0, 2), count, fill="#FAF9F7", line="#D9D5CC")
    solids.grid(CAMERA, canvas, box, (_FLOOR, _FLOOR, _FLOOR), (0, 1), count)
    for x, y in sorted({cube[:2] for cube in solid.cubes}):
        square = ((x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5))
        canvas.polygon([CAMERA.project((*spot, _FLOOR), box) for spot in square], "#B8B2A6", "#D2CEC4", 0.8)
    solids.paint(boxes_of(solid), CAMERA, canvas, box)


def _with_directions(solid: Solid, canvas: Canvas, box: Box) -> None:
    """A wider panel, with the three arrows beside the floor."""
    canvas.rectangle(box, PAPER)
    paint(solid, canvas, (box[2] - (box[3] - box[1]), box[1], box[2], box[3]))
    _directions(canvas, box)


def _directions(canvas: Canvas, box: Box) -> None:
    """The arrows x, y and z, below on the left."""
    x0, y0 = CAMERA.project((0.0, 0.0, 0.0), (0.0, 0.0, 140.0, 140.0))
    home = (box[0] + 16, box[3] - 24)
    for axis, word in enumerate(space.AXES):
        x1, y1 = CAMERA.project(tuple(float(n == axis) for n in range(3)), (0.0, 0.0, 140.0, 140.0))
        far, words = 1.9, 2.5
        _arrow(canvas, home, (home[0] + far * (x1 - x0), home[1] + far * (y1 - y0)))
        canvas.words((home[0] + words * (x1 - x0), home[1] + words * (y1 - y0)), word, 13.0)


def _arrow(canvas: Canvas, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A line with a head whose tip is at ``end``."""
    along = np.subtract(end, start) / np.hypot(*np.subtract(end, start))
    across = np.array([-along[1], along[0]])
    back = np.asarray(end) - along * 6
    canvas.line((start, tuple(back)), INK, 1.3)
    canvas.polygon([end, tuple(back + across * 3), tuple(back - across * 3)], INK)


def _single(solid: Solid, word: str, scale: float) -> Image.Image:
    return sheet([(word, partial(_with_directions, solid))], scale=scale, panel=(272.0, 220.0))


def _row(words: Sequence[str], shown: Sequence[Solid | None], _example: bool, scale: float) -> Image.Image:
    return sheet([(word, partial(paint, solid) if solid else None) for word, solid in zip(words, shown, strict=True)],
                 scale=scale)


def _puzzle(facts: DeepFacts, answer: str, difficulty: Difficulty, *, analogy: bool) -> Puzzle:
    def after(solid: Solid, last: int) -> list[Solid]:
        return [space.moved(solid, facts.motions[:k]) for k in range(last)]

    n = len(facts.motions)
    assert facts.shown is not None or not analogy
    example = after(facts.shown, n + 1) if analogy and facts.shown is not None else None
    return changed.puzzle(changed.Kind("3D", "Solid", INSTRUCTED, _single, _row), after(facts.start, n), example,
                          [motion.words() for motion in facts.motions], facts.options, answer, difficulty, facts)
