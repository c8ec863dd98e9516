"""Puzzles in time: which of three frames comes next in a motion, or between two others."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PIL import Image

from studies.puzzles.drawing import PAPER, Box, Canvas, Painter, sheet
from studies.puzzles.motion import LAWS, Law
from studies.puzzles.puzzle import LETTERS, Difficulty, Picture, Puzzle, drawn_options, placed

FRAMES = 4
SEEN = 7.5  # hundredths of a frame's width by which two options differ at least
# Wrong frames, in steps of time from the right one.
_OFF = {"easy": (-2.0, -1.5, 1.5, 2.0, -2.5, 2.5), "medium": (-1.0, 1.0, 1.5, -1.5), "hard": (-0.6, 0.6, 0.75, -0.75)}
NEXT = ("Four frames of one motion, taken at equal times; the last one is missing. "
        "Which of the frames A to C belongs in its place?")
BETWEEN = ("Four frames of one motion, taken at equal times; one of them is missing. "
           "Which of the frames A to C belongs in its place?")


@dataclass(frozen=True, slots=True)
class TemporalFacts:
    """Frame k shows time ``start`` + k ``dt``; ``missing`` counts from 0; ``options`` are times."""

    law: str
    start: float
    missing: int
    options: tuple[float, ...]


def make(rng: random.Random, *, difficulty: Difficulty, law: str | None = None) -> Puzzle:
    while True:
        chosen = LAWS[law or rng.choice(sorted(LAWS))]
        start = rng.choice(chosen.first)
        missing = rng.choice((1, 2, 3, 3))
        right = start + missing * chosen.dt
        wrong = _wrong(rng, chosen, start, right, difficulty)
        if wrong is not None:
            break
    options, answer = placed(rng, right, wrong)
    facts = TemporalFacts(chosen.name, start, missing, options)
    shown = [None if n == missing else start + n * chosen.dt for n in range(FRAMES)]
    return Puzzle(category="temporal", task="temporal", difficulty=difficulty,
                  question=NEXT if missing == FRAMES - 1 else BETWEEN,
                  pictures=(Picture("question", partial(_row, chosen, [str(n + 1) for n in range(FRAMES)], shown)),
                            Picture("choice", partial(_row, chosen, tuple(LETTERS[:3]), options))),
                  options=drawn_options(3), answer=answer, origin=f"{chosen.name}_{missing + 1}of{FRAMES}_{difficulty}",
                  facts=facts)


def _wrong(rng: random.Random, law: Law, start: float, right: float, difficulty: Difficulty) -> list[float] | None:
    """Two other times within what can be seen of the motion, told apart from the right one and from each other."""
    chosen: list[float] = []
    for off in rng.sample(_OFF[difficulty], len(_OFF[difficulty])):
        time = right + off * law.dt
        if time < max(0.0, start - law.dt) or not _in_sight(law, time):
            continue
        if all(apart(law, time, other) >= SEEN for other in (right, *chosen)):
            chosen.append(time)
        if len(chosen) == 2:
            return chosen
    return None


def apart(law: Law, one: float, other: float) -> float:
    """How far the mark that differs most is from where it stands at the other time."""
    return max(math.dist(a, b) for a, b in zip(law.marks(law.state(one)), law.marks(law.state(other)), strict=True))


def _in_sight(law: Law, time: float) -> bool:
    return all(7 <= x <= 94 and 8 <= y <= 93 for x, y in law.marks(law.state(time)))


def _row(law: Law, words: Sequence[str], times: Sequence[float | None], scale: float) -> Image.Image:
    return sheet([(word, None if time is None else _frame(law, time)) for word, time in zip(words, times, strict=True)],
                 scale=scale)


def _frame(law: Law, time: float) -> Painter:
    def paint(canvas: Canvas, box: Box) -> None:
        canvas.rectangle(box, PAPER)
        law.paint(canvas, box, law.state(time))

    return paint
