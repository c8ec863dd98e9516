"""Things that move by a law: where each is at a time, in a picture that is 100 wide and 100 high."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from studies.puzzles.drawing import BLUE, BLUE_DARK, EDGE, GOLD, GOLD_DARK, INK, INK2, LINE, PAPER, Box, Canvas, Point

State = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Law:
    """``state(t)``: what is to be seen at time t, in hundredths of the picture; ``dt``: seconds between two frames.

    ``marks(state)``: the points by which two states are told apart. ``first``: times at which a series may begin.
    """

    name: str
    state: Callable[[float], State]
    paint: Callable[[Canvas, Box, State], None]
    marks: Callable[[State], tuple[Point, ...]]
    dt: float
    first: tuple[float, ...]


def _spot(box: Box, x: float, y: float) -> Point:
    """y goes up."""
    side = box[2] - box[0]
    return box[0] + x * side / 100, box[3] - y * side / 100


def _size(box: Box, length: float) -> float:
    return length * (box[2] - box[0]) / 100


def _ticks(canvas: Canvas, box: Box, start: Point, end: Point, count: int) -> None:
    """A ruler: a line with small marks at equal distances."""
    canvas.line((_spot(box, *start), _spot(box, *end)), EDGE, 1.2)
    across = (0.0, -4.0) if start[1] == end[1] else (-4.0, 0.0)
    for n in range(count + 1):
        x = start[0] + (end[0] - start[0]) * n / count
        y = start[1] + (end[1] - start[1]) * n / count
        canvas.line((_spot(box, x, y), _spot(box, x + across[0], y + across[1])), EDGE, 1.0)


# --- a hand on a dial -----------------------------------------------------------------------------

def _hand(t: float) -> State:
    """Turns clockwise by 50° in a second. (angle from the top)"""
    return (50.0 * t % 360,)


def _tip(state: State) -> tuple[Point, ...]:
    angle = math.radians(state[0])
    return ((50 + 33 * math.sin(angle), 50 + 33 * math.cos(angle)),)


def _paint_hand(canvas: Canvas, box: Box, state: State) -> None:
    centre = _spot(box, 50, 50)
    canvas.dot(centre, _size(box, 42), PAPER, INK2, 1.6)
    for n in range(36):
        angle = math.radians(10 * n)
        inner = 36 if n % 9 == 0 else 39
        canvas.line((_spot(box, 50 + inner * math.sin(angle), 50 + inner * math.cos(angle)),
                     _spot(box, 50 + 42 * math.sin(angle), 50 + 42 * math.cos(angle))), INK2, 1.0)
    (tip,) = _tip(state)
    canvas.line((centre, _spot(box, *tip)), BLUE_DARK, 4.0)
    canvas.dot(_spot(box, *tip), _size(box, 4.5), BLUE, BLUE_DARK, 1.2)
    canvas.dot(centre, _size(box, 3.5), INK)


# --- a falling ball -------------------------------------------------------------------------------

def _fall(t: float) -> State:
    """From rest at a height of 88, at 9 units per second squared."""
    return (50.0, 88.0 - 4.5 * t * t)


def _paint_fall(canvas: Canvas, box: Box, state: State) -> None:
    _ticks(canvas, box, (22, 8), (22, 88), 16)
    canvas.line((_spot(box, 10, 8), _spot(box, 90, 8)), INK2, 1.6)
    canvas.dot(_spot(box, *state), _size(box, 5.5), GOLD, GOLD_DARK, 1.4)


# --- a thrown ball --------------------------------------------------------------------------------

def _throw(t: float) -> State:
    """From the left, 16 units to the right and at first 34 up a second, at 12 units per second squared down."""
    return (10 + 16 * t, 14 + 34 * t - 6 * t * t)


def _paint_throw(canvas: Canvas, box: Box, state: State) -> None:
    _ticks(canvas, box, (6, 8), (96, 8), 18)
    _ticks(canvas, box, (6, 8), (6, 93), 17)
    canvas.dot(_spot(box, *state), _size(box, 5.5), GOLD, GOLD_DARK, 1.4)


# --- a rolling wheel ------------------------------------------------------------------------------

_WHEEL = 13.0


def _roll(t: float) -> State:
    """17 units to the right a second; the spoke turns with it. (place, angle from the top, clockwise)"""
    return (16 + 17 * t, math.degrees(17 * t / _WHEEL) % 360)


def _spoke(state: State) -> tuple[Point, ...]:
    angle = math.radians(state[1])
    middle = 22 + _WHEEL
    return ((state[0] + _WHEEL, middle), (state[0] + _WHEEL * math.sin(angle), middle + _WHEEL * math.cos(angle)))


def _paint_roll(canvas: Canvas, box: Box, state: State) -> None:
    _ticks(canvas, box, (6, 22), (96, 22), 18)
    middle = _spot(box, state[0], 22 + _WHEEL)
    canvas.dot(middle, _size(box, _WHEEL), BLUE, BLUE_DARK, 1.6)
    angle = math.radians(state[1])
    rim = _spot(box, state[0] + _WHEEL * math.sin(angle), 22 + _WHEEL + _WHEEL * math.cos(angle))
    canvas.line((middle, rim), PAPER, 2.4)
    canvas.dot(middle, _size(box, 2.2), PAPER)


# --- a pendulum -----------------------------------------------------------------------------------

def _swing(t: float) -> State:
    """40° to the left and back to the right; a whole swing takes 8 seconds. (angle from straight down)"""
    return (-40 * math.cos(2 * math.pi * t / 8),)


def _bob(state: State) -> tuple[Point, ...]:
    angle = math.radians(state[0])
    return ((50 + 62 * math.sin(angle), 90 - 62 * math.cos(angle)),)


def _paint_swing(canvas: Canvas, box: Box, state: State) -> None:
    top = _spot(box, 50, 90)
    for n in range(-8, 9):
        angle = math.radians(5 * n)
        canvas.line([_spot(box, 50 + r * math.sin(angle), 90 - r * math.cos(angle)) for r in (71, 74)], EDGE, 1.0)
    canvas.line((_spot(box, 30, 90), _spot(box, 70, 90)), INK2, 2.0)
    (bob,) = _bob(state)
    canvas.line((top, _spot(box, *bob)), INK2, 1.6)
    canvas.dot(_spot(box, *bob), _size(box, 6.5), GOLD, GOLD_DARK, 1.4)


# --- two balls that go round ----------------------------------------------------------------------

def _orbit(t: float) -> State:
    """The inner ball goes round anticlockwise by 60° a second, the outer one by 30°. (two angles from the right)"""
    return (60 * t % 360, (100 + 30 * t) % 360)


def _balls(state: State) -> tuple[Point, ...]:
    return tuple((50 + r * math.cos(math.radians(angle)), 50 + r * math.sin(math.radians(angle)))
                 for r, angle in zip((22, 40), state, strict=True))


def _paint_orbit(canvas: Canvas, box: Box, state: State) -> None:
    for radius in (22, 40):
        canvas.dot(_spot(box, 50, 50), _size(box, radius), None, LINE, 1.4)
    for n in range(12):
        angle = math.radians(30 * n)
        canvas.line([_spot(box, 50 + r * math.cos(angle), 50 + r * math.sin(angle)) for r in (44, 47)], EDGE, 1.0)
    canvas.dot(_spot(box, 50, 50), _size(box, 7), INK2)
    inner, outer = _balls(state)
    canvas.dot(_spot(box, *inner), _size(box, 5), GOLD, GOLD_DARK, 1.4)
    canvas.dot(_spot(box, *outer), _size(box, 5), BLUE, BLUE_DARK, 1.4)


# --- water that rises -----------------------------------------------------------------------------

def _rise(t: float) -> State:
    """Into a vessel with straight walls, 13 units a second. (level)"""
    return (14 + 13 * t,)


def _paint_rise(canvas: Canvas, box: Box, state: State) -> None:
    left, top = _spot(box, 30, 92)
    right, bottom = _spot(box, 76, 10)
    _, level = _spot(box, 0, state[0])
    canvas.rectangle((left, level, right, bottom), BLUE)
    canvas.line(((left, top), (left, bottom), (right, bottom), (right, top)), INK, 2.0)
    _ticks(canvas, box, (26, 10), (26, 90), 16)


LAWS: Mapping[str, Law] = {law.name: law for law in (
    Law("hand", _hand, _paint_hand, _tip, 1.0, (0.0, 1.5, 3.0, 5.0)),
    Law("fall", _fall, _paint_fall, lambda state: ((state[0], state[1]),), 1.0, (0.5, 0.75, 1.0)),
    Law("throw", _throw, _paint_throw, lambda state: ((state[0], state[1]),), 1.2, (0.3, 0.7, 1.2)),
    Law("roll", _roll, _paint_roll, _spoke, 1.0, (0.0, 0.3, 0.6, 0.9)),
    Law("swing", _swing, _paint_swing, _bob, 0.85, (0.6, 0.8, 4.6, 4.8)),
    Law("orbit", _orbit, _paint_orbit, _balls, 0.9, (0.0, 1.0, 2.5, 4.0)),
    Law("rise", _rise, _paint_rise, lambda state: ((50.0, state[0]),), 1.4, (0.0, 0.6, 1.2)),
)}
