"""Puzzle: what is shown and asked, the options, and the right one; pictures are drawn only when they are wanted."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from PIL import Image

Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard")
LETTERS = "ABCD"
MARK = "<image>"  # where a picture stands in a text, as in the released file
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Picture:
    """``draw(scale)`` gives the picture; at scale 1 it is as many points wide as it is meant to be on a screen."""

    name: str
    draw: Callable[[float], Image.Image]


@dataclass(frozen=True, slots=True)
class Step:
    """One step on the way to the answer. The last one never has a picture: it would be the answer."""

    text: str
    picture: Picture | None = None

    def numbered(self, n: int) -> str:
        """As a line of a text; n from 1."""
        return f"Step {n}: {self.text[0].lower()}{self.text[1:]}"


def numbered(steps: Sequence[Step]) -> list[str]:
    return [step.numbered(n) for n, step in enumerate(steps, 1)]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """``question`` is empty where the pictures say all (then the protocol's sentence stands in its place).

    ``text`` and ``pictures`` are for the form without intermediate pictures; ``steps`` come on top of them.
    ``simulated``: the pictures of the released form with intermediate ones, where these stand within a picture.
    ``options``: (letter, text); the text is the letter where the options are drawn. ``origin`` says how it was made.
    ``facts``: the geometry that the answer was computed from, for a check by other means.
    """

    category: str
    task: str
    difficulty: Difficulty
    question: str
    pictures: tuple[Picture, ...]
    options: tuple[tuple[str, str], ...]
    answer: str
    origin: str
    steps: tuple[Step, ...] = ()
    simulated: tuple[Picture, ...] = ()
    facts: Any = None


def stream(seed: int, *names: object) -> random.Random:
    """A stream of chances of its own for each purpose: adding one puzzle does not change another."""
    return random.Random("/".join(map(str, (seed, *names))))


def drawn_options(count: int) -> tuple[tuple[str, str], ...]:
    """Options that stand in a picture have bare letters."""
    return tuple((letter, letter) for letter in LETTERS[:count])


def yes_or_no(rng: random.Random, right: bool) -> tuple[tuple[tuple[str, str], ...], str]:
    """Options yes and no with their letters drawn by lot, and the letter of the right one."""
    words = ["yes", "no"]
    rng.shuffle(words)
    return tuple(zip("AB", words, strict=True)), "AB"[words.index("yes" if right else "no")]


def placed(rng: random.Random, right: T, wrong: Sequence[T]) -> tuple[tuple[T, ...], str]:
    """All of them in an order by lot, and the letter of the right one."""
    order = [right, *wrong]
    places = list(range(len(order)))
    rng.shuffle(places)
    return tuple(order[place] for place in places), LETTERS[places.index(0)]


def by_likeness(pool: Iterable[tuple[float, T]], difficulty: Difficulty, rng: random.Random, *, count: int,
                apart: Callable[[T, T], bool]) -> list[T] | None:
    """``count`` wrong options out of (distance from the right one, option): hard ones are near, easy ones far.

    Any two of them are ``apart``. None where the pool has too few.
    """
    ordered = sorted(pool, key=lambda one: one[0])
    third = max(count, len(ordered) // 3)
    start = {"hard": 0, "medium": max(0, (len(ordered) - third) // 2), "easy": max(0, len(ordered) - third)}[difficulty]
    band = ordered[start:start + third]
    rng.shuffle(band)
    chosen: list[T] = []
    for _, option in [*band, *ordered]:
        if all(apart(option, other) for other in chosen):
            chosen.append(option)
        if len(chosen) == count:
            return chosen
    return None
