"""Shapes in the plane: polygons on a grid, and moves, turns, reflections and changes of size about the origin."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

REACH = 6  # a panel shows -6 to 6 in both directions
Corner = tuple[Fraction, Fraction]
Polygon = tuple[Corner, ...]
_FINE = 6  # points of the grid in one unit, where areas are compared


@dataclass(frozen=True, slots=True)
class Move:
    right: int
    up: int

    def apply(self, corner: Corner) -> Corner:
        return corner[0] + self.right, corner[1] + self.up

    def words(self) -> str:
        parts = [_units(self.right, "right", "left"), _units(self.up, "up", "down")]
        return f"move the shape {' and '.join(part for part in parts if part)}"


@dataclass(frozen=True, slots=True)
class Turn:
    """By ``quarters`` of a full turn, anticlockwise."""

    quarters: int

    def apply(self, corner: Corner) -> Corner:
        x, y = corner
        for _ in range(self.quarters % 4):
            x, y = -y, x
        return x, y

    def words(self) -> str:
        how = {1: "90° anticlockwise", 2: "180°", 3: "90° clockwise"}[self.quarters % 4]
        return f"turn the shape by {how} about the black dot"


@dataclass(frozen=True, slots=True)
class Mirror:
    """In the vertical line through the origin (left and right change places), or in the horizontal one."""

    vertical: bool

    def apply(self, corner: Corner) -> Corner:
        return (-corner[0], corner[1]) if self.vertical else (corner[0], -corner[1])

    def words(self) -> str:
        return f"mirror the shape in the {'vertical' if self.vertical else 'horizontal'} line through the black dot"


@dataclass(frozen=True, slots=True)
class Resize:
    """Seen from the origin."""

    factor: Fraction

    def apply(self, corner: Corner) -> Corner:
        return corner[0] * self.factor, corner[1] * self.factor

    def words(self) -> str:
        times = {Fraction(2): "twice", Fraction(3, 2): "one and a half times", Fraction(1, 2): "half"}[self.factor]
        return f"make the shape {times} as large, seen from the black dot"


Change = Move | Turn | Mirror | Resize


def _units(n: int, ahead: str, back: str) -> str:
    if n == 0:
        return ""
    return f"{abs(n)} unit{'s' if abs(n) > 1 else ''} {'to the ' if ahead == 'right' else ''}{ahead if n > 0 else back}"


def changed(shape: Polygon, changes: Iterable[Change]) -> Polygon:
    return tuple(reduce(lambda corner, change: change.apply(corner), changes, corner) for corner in shape)


def same(one: Polygon, other: Polygon) -> bool:
    """Whether both are one figure, whichever corner comes first and whichever way round."""
    return ring(one) == ring(other)


def ring(shape: Polygon) -> Polygon:
    n = len(shape)
    return min(tuple(way[(start + k) % n] for k in range(n)) for way in (shape, shape[::-1]) for start in range(n))


def fits(shape: Polygon) -> bool:
    return all(abs(x) <= REACH and abs(y) <= REACH for x, y in shape)


def cover(shape: Polygon) -> npt.NDArray[np.bool_]:
    """Which points of a fine grid over the panel the shape covers."""
    size = 2 * REACH * _FINE
    image = Image.new("1", (size + 1, size + 1))
    ImageDraw.Draw(image).polygon([(float((x + REACH) * _FINE), float((REACH - y) * _FINE)) for x, y in shape], fill=1)
    return np.asarray(image)


def difference(one: Polygon, other: Polygon) -> float:
    """The area that only one of them covers, in units squared."""
    return float(np.count_nonzero(cover(one) ^ cover(other))) / _FINE**2


def area(shape: Sequence[Corner]) -> Fraction:
    """Signed; anticlockwise is positive (the shoelace formula)."""
    return sum((x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(shape, [*shape[1:], shape[0]], strict=True)),
               Fraction(0)) / 2


def centre(shape: Polygon) -> Corner:
    return sum((x for x, _ in shape), Fraction(0)) / len(shape), sum((y for _, y in shape), Fraction(0)) / len(shape)


def is_lopsided(shape: Polygon) -> bool:
    """No turn by quarters and no reflection brings the shape onto itself: what happened to it can be told."""
    mx, my = centre(shape)
    at_home = tuple((x - mx, y - my) for x, y in shape)
    ways: list[tuple[Change, ...]] = [*((Turn(q),) for q in (1, 2, 3)), *((Mirror(True), Turn(q)) for q in range(4))]
    area_of = abs(area(shape))
    return all(not same(at_home, changed(at_home, way)) and
               difference(at_home, changed(at_home, way)) >= 0.3 * float(area_of) for way in ways)


def shape_by_lot(rng: random.Random, corners: int) -> Polygon:
    """A lopsided polygon without slivers, in a quarter of the panel."""
    while True:
        spots = [(Fraction(rng.randint(0, 4)), Fraction(rng.randint(0, 4))) for _ in range(corners)]
        if len(set(spots)) < corners:
            continue
        mx, my = centre(tuple(spots))
        spots.sort(key=lambda spot: float(np.arctan2(float(spot[1] - my), float(spot[0] - mx))))
        shape = tuple(spots)
        if not 5 <= area(shape) <= 9 or not _is_plump(shape) or not is_lopsided(shape):
            continue
        x, y = rng.choice((-5, -4, 0, 1)), rng.choice((-5, -4, 0, 1))
        return changed(shape, [Move(x, y)])


def _is_plump(shape: Polygon) -> bool:
    """Every corner can be seen: sides of 1.4 units or more, angles from 30 to 150 degrees or reflex by as much."""
    n = len(shape)
    for k in range(n):
        before, here, after = shape[k - 1], shape[k], shape[(k + 1) % n]
        one = np.array([float(before[0] - here[0]), float(before[1] - here[1])])
        two = np.array([float(after[0] - here[0]), float(after[1] - here[1])])
        long_one, long_two = np.hypot(*one), np.hypot(*two)
        if min(long_one, long_two) < 1.4:
            return False
        if abs(float(one @ two) / (long_one * long_two)) > 0.87:
            return False
    return True


def change_by_lot(rng: random.Random, *, besides: Sequence[type] = ()) -> Change:
    """One change; kinds in ``besides`` are not drawn."""
    kind = rng.choice([one for one in (Move, Turn, Mirror, Resize) if one not in besides])
    if kind is Move:
        while True:
            right, up = rng.randint(-5, 5), rng.randint(-5, 5)
            if abs(right) + abs(up) >= 3 and (right == 0 or up == 0 or rng.random() < 0.6):
                return Move(right, up)
    if kind is Turn:
        return Turn(rng.choice((1, 2, 3)))
    if kind is Mirror:
        return Mirror(rng.random() < 0.5)
    return Resize(rng.choice((Fraction(1, 2), Fraction(3, 2), Fraction(2))))
