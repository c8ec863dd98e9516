"""Puzzles of shapes in the plane: what a shape looks like after one to three changes, told in words or by analogy."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from PIL import Image

from studies.puzzles import changed, plane
from studies.puzzles.drawing import (
    BLUE,
    BLUE_DARK,
    EDGE,
    GOLD,
    GOLD_DARK,
    INK,
    LINE,
    PAPER,
    Box,
    Canvas,
    sheet,
)
from studies.puzzles.plane import REACH, Change, Mirror, Move, Polygon, Resize, Turn
from studies.puzzles.puzzle import Difficulty, Puzzle, by_likeness, placed

SEEN = 2.0  # units squared by which two options differ at least
INSTRUCTED = (
    "The first picture shows a shape at the start. These changes are made to it, one after the other:\n\n{steps}\n\n"
    "The black dot stays where it is; one square of the grid is one unit. "
    "Which of the pictures A to D shows the shape afterwards?")


@dataclass(frozen=True, slots=True)
class FlatFacts:
    """``shown``: the shape whose changes are to be seen (analogy), else None; ``start``: the shape asked about."""

    shown: Polygon | None
    start: Polygon
    changes: tuple[Change, ...]
    options: tuple[Polygon, ...]


def make(rng: random.Random, *, analogy: bool, difficulty: Difficulty, steps: int) -> Puzzle:
    while True:
        start = plane.shape_by_lot(rng, rng.choice((4, 5)))
        shown = plane.shape_by_lot(rng, rng.choice((4, 5))) if analogy else None
        changes = _changes(rng, steps)
        if changes is None or not all(_stays(shape, changes) for shape in (start, shown) if shape):
            continue
        right = plane.changed(start, changes)
        pool = {plane.ring(end): end for end in _wrong(rng, start, changes, right)}
        wrong = by_likeness(((plane.difference(right, end), end) for end in pool.values()), difficulty, rng, count=3,
                            apart=lambda a, b: plane.difference(a, b) >= SEEN)
        if wrong is not None:
            break
    options, answer = placed(rng, right, wrong)
    facts = FlatFacts(shown, start, changes, options)
    return _puzzle(facts, answer, difficulty, analogy=analogy)


def _changes(rng: random.Random, steps: int) -> tuple[Change, ...] | None:
    """So many changes, no two neighbours of one kind, that do not come to nothing."""
    changes: list[Change] = []
    for _ in range(steps):
        changes.append(plane.change_by_lot(rng, besides=[type(changes[-1])] if changes else []))
    if sum(isinstance(one, Resize) for one in changes) > 1:
        return None
    return tuple(changes)


def _stays(shape: Polygon, changes: Sequence[Change]) -> bool:
    """In sight all the time, always to be told from where it was, never too small."""
    now = shape
    for change in changes:
        before, now = now, plane.changed(now, [change])
        if not plane.fits(now) or plane.difference(before, now) < SEEN or abs(plane.area(now)) < 2:
            return False
    return plane.difference(shape, now) >= SEEN


def _wrong(rng: random.Random, start: Polygon, changes: tuple[Change, ...], right: Polygon) -> Iterator[Polygon]:
    """Ends of other changes that fit the panel and are seen to differ from the right one."""
    for _ in range(60):
        place = rng.randrange(len(changes))
        other = list(changes)
        other[place] = _altered(rng, changes[place]) if rng.random() < 0.75 else plane.change_by_lot(rng)
        if rng.random() < 0.15:
            other.append(plane.change_by_lot(rng))
        end = plane.changed(start, other)
        if plane.fits(end) and abs(plane.area(end)) >= 2 and plane.difference(right, end) >= SEEN:
            yield end


def _altered(rng: random.Random, change: Change) -> Change:
    """A change of the same kind that is easily taken for this one."""
    if isinstance(change, Move):
        kind = rng.randrange(3)
        if kind == 0:
            return Move(-change.right, change.up) if change.right else Move(change.right, -change.up)
        if kind == 1:
            return Move(change.up, change.right)
        return Move(change.right + rng.choice((-2, -1, 1, 2)), change.up + rng.choice((-1, 0, 1)))
    if isinstance(change, Turn):
        return rng.choice((Turn(change.quarters + rng.choice((1, 2))), Mirror(True), Mirror(False)))
    if isinstance(change, Mirror):
        return rng.choice((Mirror(not change.vertical), Turn(2)))
    return Resize(rng.choice([one for one in _FACTORS if one != change.factor]))


_FACTORS = (Fraction(1, 2), Fraction(3, 2), Fraction(2))


# --- pictures -------------------------------------------------------------------------------------

def paint(shape: Polygon, fill: str, edge: str, canvas: Canvas, box: Box) -> None:
    """One panel: the grid, the shape, the origin as a black dot."""
    canvas.rectangle(box, PAPER)
    unit = (box[2] - box[0]) / (2 * REACH + 1)
    mx, my = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    for n in range(-REACH, REACH + 1):
        colour = EDGE if n == 0 else LINE
        canvas.line(((mx + n * unit, box[1]), (mx + n * unit, box[3])), colour, 0.6)
        canvas.line(((box[0], my + n * unit), (box[2], my + n * unit)), colour, 0.6)
    canvas.polygon([(mx + float(x) * unit, my - float(y) * unit) for x, y in shape], fill, edge)
    canvas.dot((mx, my), 3.6, INK, PAPER, 0.8)


def _panel(shape: Polygon, first: bool) -> partial[None]:
    return partial(paint, shape, GOLD if first else BLUE, GOLD_DARK if first else BLUE_DARK)


def _single(shape: Polygon, word: str, scale: float) -> Image.Image:
    return sheet([(word, _panel(shape, False))], scale=scale, panel=(200.0, 200.0))


def _row(words: Sequence[str], shapes: Sequence[Polygon | None], first: bool, scale: float) -> Image.Image:
    return sheet([(word, _panel(shape, first) if shape else None) for word, shape in zip(words, shapes, strict=True)],
                 scale=scale)


def _puzzle(facts: FlatFacts, answer: str, difficulty: Difficulty, *, analogy: bool) -> Puzzle:
    def after(shape: Polygon, last: int) -> list[Polygon]:
        return [plane.changed(shape, facts.changes[:k]) for k in range(last)]

    n = len(facts.changes)
    assert facts.shown is not None or not analogy
    example = after(facts.shown, n + 1) if analogy and facts.shown is not None else None
    return changed.puzzle(changed.Kind("2D", "Shape", INSTRUCTED, _single, _row), after(facts.start, n), example,
                          [change.words() for change in facts.changes], facts.options, answer, difficulty, facts)
