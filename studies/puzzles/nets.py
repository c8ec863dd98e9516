"""Nets of six squares: folded in space square by square, which shows whether a cube comes of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

Square = tuple[int, int]
Vector = tuple[int, int, int]
NEXT: tuple[Square, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))


@dataclass(frozen=True, slots=True)
class Frame:
    """A square in space: its middle in half units, where its right and its far side point, and its upper face."""

    middle: Vector
    right: Vector
    far: Vector

    @property
    def up(self) -> Vector:
        (a, b, c), (d, e, f) = self.right, self.far
        return b * f - c * e, c * d - a * f, a * e - b * d


@dataclass(frozen=True, slots=True)
class Net:
    """``squares``: the first stays on the table; ``parents[n]`` is the square that n+1 hangs on."""

    squares: tuple[Square, ...]
    parents: tuple[int, ...]


def plus(one: Vector, other: Vector, times: int = 1) -> Vector:
    return one[0] + times * other[0], one[1] + times * other[1], one[2] + times * other[2]


def minus(one: Vector) -> Vector:
    return -one[0], -one[1], -one[2]


def folded(net: Net, done: int) -> tuple[Frame, ...]:
    """Where each square is when the first ``done`` hinges are folded by 90° and the others lie flat."""
    frames = [Frame((0, 0, 0), (1, 0, 0), (0, 1, 0))]
    for n in range(1, len(net.squares)):
        parent = net.parents[n - 1]
        step = net.squares[n][0] - net.squares[parent][0], net.squares[n][1] - net.squares[parent][1]
        frames.append(_across(frames[parent], step, bend=n <= done))
    return tuple(frames)


def _across(frame: Frame, step: Square, *, bend: bool) -> Frame:
    """The neighbour over one side, level with the square or bent up from it."""
    out = plus(plus((0, 0, 0), frame.right, step[0]), frame.far, step[1])
    up = frame.up
    if not bend:
        return Frame(plus(frame.middle, out, 2), frame.right, frame.far)
    middle = plus(plus(frame.middle, out), up)
    if step[0]:
        return Frame(middle, plus((0, 0, 0), up, step[0]), frame.far)
    return Frame(middle, frame.right, plus((0, 0, 0), up, step[1]))


def is_cube(net: Net) -> bool:
    """Whether the six squares come to lie on six different faces."""
    return len({frame.middle for frame in folded(net, len(net.squares))}) == 6


def clashes(net: Net) -> list[tuple[int, int]]:
    """Pairs of squares that come to lie on one face."""
    middles = [frame.middle for frame in folded(net, len(net.squares))]
    return [(a, b) for b in range(6) for a in range(b) if middles[a] == middles[b]]


def net_of(squares: frozenset[Square], first: Square) -> Net:
    """The squares as a tree from ``first`` on, near ones first."""
    order, parents = [first], []
    for here in order:
        for dx, dy in NEXT:
            there = here[0] + dx, here[1] + dy
            if there in squares and there not in order:
                parents.append(order.index(here))
                order.append(there)
    return Net(tuple(order), tuple(parents))


def hexominoes() -> Iterator[frozenset[Square]]:
    """All figures of six squares, one of each after turning and mirroring, in a fixed order."""
    known = {normal(frozenset({(0, 0)}))}
    for _ in range(5):
        known = {normal(figure | {(x + dx, y + dy)}) for figure in known for x, y in figure for dx, dy in NEXT
                 if (x + dx, y + dy) not in figure}
    yield from sorted(known, key=sorted)


def turned(figure: frozenset[Square], way: int) -> frozenset[Square]:
    """One of eight ways to lay it: a turn by way % 4 quarters, mirrored first from 4 on. Moved to the corner."""
    spots = [(-x if way >= 4 else x, y) for x, y in figure]
    for _ in range(way % 4):
        spots = [(-y, x) for x, y in spots]
    left, low = min(x for x, _ in spots), min(y for _, y in spots)
    return frozenset((x - left, y - low) for x, y in spots)


def normal(figure: frozenset[Square]) -> frozenset[Square]:
    return min((turned(figure, way) for way in range(8)), key=sorted)


def has_block(figure: frozenset[Square]) -> bool:
    """Four squares about one corner: they can never be folded."""
    return any({(x + 1, y), (x, y + 1), (x + 1, y + 1)} <= figure for x, y in figure)


def longest_row(figure: frozenset[Square]) -> int:
    best = 1
    for x, y in figure:
        for dx, dy in ((1, 0), (0, 1)):
            n = 1
            while (x + n * dx, y + n * dy) in figure:
                n += 1
            best = max(best, n)
    return best


def hardness(figure: frozenset[Square]) -> int:
    """0 to 2. A row of four with flaps is easily seen to fold, stairs are not; a block of four easily not to fold."""
    row = longest_row(figure)
    if is_cube(net_of(figure, min(figure))):
        if row == 4:
            return 0
        return 1 if figure not in _STAIRS else 2
    if has_block(figure) or row >= 5:
        return 0
    return 1 if row == 4 else 2


_STAIRS = frozenset(turned(frozenset(stairs), way) for way in range(8) for stairs in (
    ((0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2)), ((0, 0), (1, 0), (2, 0), (2, 1), (3, 1), (4, 1))))


def figure_by_lot(rng: random.Random, *, cube: bool, hard: int) -> frozenset[Square]:
    """A figure of this hardness that folds or does not, laid in one of eight ways."""
    fitting = [figure for figure in hexominoes() if is_cube(net_of(figure, min(figure))) == cube
               and hardness(figure) == hard]
    return turned(rng.choice(fitting), rng.randrange(8))


def best_first(figure: frozenset[Square]) -> Square:
    """The square that stays on the table: the one from which the others are near."""
    def far(first: Square) -> tuple[int, Square]:
        net = net_of(figure, first)
        steps = [0]
        for parent in net.parents:
            steps.append(steps[parent] + 1)
        return sum(steps), first

    return min(figure, key=far)
