"""Checks of attention: puzzles that nobody gets wrong who looks at them."""

from __future__ import annotations

import math
import random
from functools import partial

from PIL import Image

from studies.puzzles.drawing import BLUE, BLUE_DARK, PAPER, Box, Canvas, sheet
from studies.puzzles.puzzle import LETTERS, Picture, Puzzle, drawn_options, placed

CORNERS = {"circle": 0, "triangle": 3, "square": 4, "star": 10}
QUESTION = "This checks that you are looking. Which of the pictures A to D shows a {name}?"


def make(rng: random.Random) -> Puzzle:
    name = rng.choice(sorted(CORNERS))
    options, answer = placed(rng, name, [other for other in CORNERS if other != name])
    return Puzzle(category="attention", task="2D", difficulty="easy", question=QUESTION.format(name=name),
                  pictures=(Picture("choice", partial(_row, options)),), options=drawn_options(4), answer=answer,
                  origin="attention_easy", facts=(name, options))


def _row(names: tuple[str, ...], scale: float) -> Image.Image:
    return sheet([(letter, partial(_paint, name)) for letter, name in zip(LETTERS, names, strict=True)], scale=scale)


def _paint(name: str, canvas: Canvas, box: Box) -> None:
    canvas.rectangle(box, PAPER)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    corners, radius = CORNERS[name], 46.0
    if not corners:
        canvas.dot((x, y), radius, BLUE, BLUE_DARK, 1.6)
        return
    turn = math.pi / 4 if name == "square" else math.pi / 2
    sizes = (radius, 0.42 * radius) if name == "star" else (radius,)
    canvas.polygon([(x + sizes[n % len(sizes)] * math.cos(turn + 2 * math.pi * n / corners),
                     y - sizes[n % len(sizes)] * math.sin(turn + 2 * math.pi * n / corners))
                    for n in range(corners)], BLUE, BLUE_DARK)
