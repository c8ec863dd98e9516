"""Which puzzles there are, and how so many different ones of a category are made from a seed."""

from __future__ import annotations

from annotation.errors import N_, Refused, Unknown
from studies.puzzles import attention, deep, flat, folding, perspective, tangram, temporal
from studies.puzzles.puzzle import DIFFICULTIES, Puzzle, stream

SIMULATED = ("2D_va", "2D_text_instruct", "3D_va", "3D_text_instruct", "folding_nets", "tangram_puzzle")
PLAIN = ("temporal", "Perspective")
ENDING = "_VSim"
CATEGORIES = tuple(name for base in SIMULATED for name in (base, base + ENDING)) + PLAIN
_TRIES = 40  # for each puzzle wanted


def make(category: str, n: int, *, seed: int, again: int = 0) -> Puzzle:
    """The n-th puzzle (from 0) of a category; one with pictures of the steps has two or three of them.

    Difficulties go in turn; every two neighbours among yes-or-no puzzles have one of each answer.
    ``again``: another puzzle for the same place.
    """
    base = category.removesuffix(ENDING)
    rng = stream(seed, category, n, again)
    difficulty = DIFFICULTIES[n % 3]
    yes = (stream(seed, category, "yes", n // 2).random() < 0.5) == (n % 2 == 0)
    steps = 2 + n // 3 % 2 if category.endswith(ENDING) else 1 + (n + n // 3) % 3
    match base:
        case "2D_va" | "2D_text_instruct":
            return flat.make(rng, analogy=base == "2D_va", difficulty=difficulty, steps=steps)
        case "3D_va" | "3D_text_instruct":
            return deep.make(rng, analogy=base == "3D_va", difficulty=difficulty, steps=steps)
        case "folding_nets":
            return folding.make(rng, difficulty=difficulty, cube=yes)
        case "tangram_puzzle":
            return tangram.make(rng, difficulty=difficulty, fills=yes)
        case "temporal":
            return temporal.make(rng, difficulty=difficulty)
        case "Perspective":
            return perspective.make(rng, difficulty=difficulty)
        case "attention":
            return attention.make(rng)
    raise Unknown(N_("There is no category '{name}'. There are: {known}."), name=category, known=", ".join(CATEGORIES))


def several(category: str, count: int, *, seed: int, begin: int = 0) -> list[Puzzle]:
    """The puzzles of the places from ``begin`` on, no two alike; Refused where there are not so many."""
    found: list[Puzzle] = []
    for n in range(begin, begin + count):
        for again in range(_TRIES):
            puzzle = make(category, n, seed=seed, again=again)
            if all(puzzle.facts != other.facts for other in found):
                found.append(puzzle)
                break
        else:
            raise Refused(N_("there are no {count} different puzzles of the category {name}"), code="too_few",
                          count=count, name=category)
    return found
