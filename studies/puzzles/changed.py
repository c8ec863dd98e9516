"""Puzzles of something that is changed step by step, told in words or shown on another one, flat or solid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PIL import Image

from studies.puzzles.puzzle import LETTERS, Difficulty, Picture, Puzzle, Step, drawn_options, numbered


@dataclass(frozen=True, slots=True)
class Kind:
    """``single(thing, word, scale)`` draws one; ``row(words, things, example, scale)`` several, None as an open place.

    ``called``: Shape, Solid. ``instructed``: the question where the changes are told, with ``{steps}`` in it.
    """

    task: str
    called: str
    instructed: str
    single: Callable[[Any, str, float], Image.Image]
    row: Callable[[Sequence[str], Sequence[Any], bool, float], Image.Image]


def puzzle(kind: Kind, stages: Sequence[Any], example: Sequence[Any] | None, said: Sequence[str],
           options: Sequence[Any], answer: str, difficulty: Difficulty, facts: Any) -> Puzzle:
    """``stages``: the thing at the start and after each change but the last, which are ``said`` in words.

    ``example``: another one from the start to the end; then the changes are not told.
    """
    n, start = len(said), stages[0]
    choice = Picture("choice", partial(kind.row, tuple(LETTERS), options, False))
    titles = [f"After step {k}" for k in range(1, n + 1)]
    simulated: tuple[Picture, ...] = ()
    if example is not None:
        given = Picture("a", partial(kind.row, [f"{kind.called} 1: start", *titles], example, True))
        begun = f"{kind.called} 2: start"
        pictures: tuple[Picture, ...] = (
            given, Picture("b", partial(kind.row, [begun, titles[-1]], [start, None], False)), choice)
        whole = Picture("b_steps", partial(kind.row, [begun, *titles], [*stages, None], False))
        simulated = (given, whole, choice) if n > 1 else ()
        words = [f"{kind.called} 2 after step {k}" for k in range(1, n)] + ["One of A to D"]
        question = ""
    else:
        words = [f"{one.capitalize()}." for one in said]
        pictures = (Picture("start", partial(kind.single, start, "Start")), choice)
        question = kind.instructed.format(steps="\n".join(numbered([Step(word) for word in words])))
    steps = tuple(Step(word, Picture(f"step{k}", partial(kind.single, stages[k], titles[k - 1])) if k < n else None)
                  for k, word in enumerate(words, 1)) if n > 1 else ()
    return Puzzle(category=f"{kind.task}_{'text_instruct' if example is None else 'va'}", task=kind.task,
                  difficulty=difficulty, question=question, pictures=pictures, options=drawn_options(4), answer=answer,
                  origin=f"{n}steps_{difficulty}", steps=steps, simulated=simulated, facts=facts)
