"""Solids of cubes in space: moves along the axes and turns by quarters about their gold cube, in whole numbers."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

AXES = "xyz"
REACH = 2  # cubes stand from -2 to 2 on each axis
Cube = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Solid:
    """The first cube is the gold one, about which the solid turns."""

    cubes: tuple[Cube, ...]


@dataclass(frozen=True, slots=True)
class Shift:
    axis: int
    by: int

    def apply(self, solid: Solid) -> Solid:
        return Solid(tuple(_with(cube, self.axis, cube[self.axis] + self.by) for cube in solid.cubes))

    def words(self) -> str:
        units = f"{abs(self.by)} unit{'s' if abs(self.by) > 1 else ''}"
        way = "in the direction of" if self.by > 0 else "against the direction of"
        return f"move the solid {units} {way} the arrow {AXES[self.axis]}"


@dataclass(frozen=True, slots=True)
class Roll:
    """A turn by ``quarters``, anticlockwise as seen from the tip of the axis."""

    axis: int
    quarters: int

    def apply(self, solid: Solid) -> Solid:
        pivot = solid.cubes[0]
        return Solid(tuple(self._turned(cube, pivot) for cube in solid.cubes))

    def _turned(self, cube: Cube, pivot: Cube) -> Cube:
        one, two = (self.axis + 1) % 3, (self.axis + 2) % 3
        a, b = cube[one] - pivot[one], cube[two] - pivot[two]
        for _ in range(self.quarters % 4):
            a, b = -b, a
        return _with(_with(cube, one, pivot[one] + a), two, pivot[two] + b)

    def words(self) -> str:
        how = {1: "90° anticlockwise", 2: "180°", 3: "90° clockwise"}[self.quarters % 4]
        seen = "" if self.quarters % 4 == 2 else f", as seen from the tip of arrow {AXES[self.axis]}"
        return f"turn the solid in place by {how} about the direction {AXES[self.axis]}{seen}"


Motion = Shift | Roll


def _with(cube: Cube, axis: int, value: int) -> Cube:
    return tuple(value if n == axis else old for n, old in enumerate(cube))  # type: ignore[return-value]


def moved(solid: Solid, motions: Iterable[Motion]) -> Solid:
    for motion in motions:
        solid = motion.apply(solid)
    return solid


def place_of(solid: Solid) -> tuple[Cube, frozenset[Cube]]:
    """What can be seen of it: where the gold cube is, and where the others are."""
    return solid.cubes[0], frozenset(solid.cubes[1:])


def fits(solid: Solid) -> bool:
    return all(-REACH <= value <= REACH for cube in solid.cubes for value in cube)


def distance(one: Solid, other: Solid) -> int:
    """How many cubes stand elsewhere, and how far the gold one is away."""
    gold = sum(abs(a - b) for a, b in zip(one.cubes[0], other.cubes[0], strict=True))
    return gold + len(set(one.cubes[1:]) ^ set(other.cubes[1:]))


def rolls() -> list[Roll]:
    return [Roll(axis, quarters) for axis in range(3) for quarters in (1, 2, 3)]


def is_lopsided(solid: Solid) -> bool:
    """Every turn by quarters is seen."""
    return all(place_of(roll.apply(solid)) != place_of(solid) for roll in rolls())


def solid_by_lot(rng: random.Random, count: int) -> Solid:
    """So many cubes that hang together, not all in one plane, the gold one at an end; anywhere in reach."""
    while True:
        cubes: list[Cube] = [(0, 0, 0)]
        while len(cubes) < count:
            start = rng.choice(cubes[1:] or cubes)  # nothing else touches the gold cube, so it stays an end
            axis = rng.randrange(3)
            new = _with(start, axis, start[axis] + rng.choice((-1, 1)))
            if new not in cubes and (len(cubes) == 1 or sum(abs(value) for value in new) > 1):
                cubes.append(new)
        solid = Solid(tuple(cubes))
        if any(len({cube[axis] for cube in cubes}) < 2 for axis in range(3)) or not is_lopsided(solid):
            continue
        middle = [rng.randint(-REACH, REACH) for _ in range(3)]
        solid = Solid(tuple((x + middle[0], y + middle[1], z + middle[2]) for x, y, z in cubes))
        if fits(solid):
            return solid


def motion_by_lot(rng: random.Random, *, besides: Sequence[Motion] = ()) -> Motion:
    """A shift or a turn, not about the axis of one in ``besides``."""
    while True:
        axis = rng.randrange(3)
        motion: Motion = Roll(axis, rng.choice((1, 2, 3))) if rng.random() < 0.6 else \
            Shift(axis, rng.choice((-3, -2, 2, 3)))
        if all(type(motion) is not type(other) or motion.axis != other.axis for other in besides):
            return motion
