"""Boxes in space as pictures, drawn face by face from the far ones to the near ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageColor, ImageDraw

from studies.puzzles import drawing
from studies.puzzles.drawing import Canvas, Point

Floats = npt.NDArray[np.float64]
Vector = tuple[float, float, float]
_LIGHT = ((0.60, 0.76), (0.86, 0.70), (0.5, 1.0))  # how bright a face is, by axis and by side (low, high)


@dataclass(frozen=True, slots=True)
class Box:
    """From ``low`` to ``high``; a side may have no length, which makes a plate."""

    low: Vector
    high: Vector
    colour: str


@dataclass(frozen=True)
class Camera:
    """Looks from ``eye`` at ``target``; z is up. ``wide``: units across the picture where ``flat`` (parallel rays, as
    in an isometric drawing), else the opening angle across, in degrees.
    """

    eye: Vector
    target: Vector
    wide: float
    flat: bool = True

    @cached_property
    def frame(self) -> tuple[Floats, Floats, Floats]:
        """Right, up and ahead."""
        ahead = np.subtract(self.target, self.eye)
        ahead = ahead / np.linalg.norm(ahead)
        right = np.cross(ahead, (0.0, 0.0, 1.0))
        right = right / np.linalg.norm(right)
        return right, np.cross(right, ahead), ahead

    def project(self, point: Sequence[float], box: drawing.Box) -> Point:
        """Where a point in space stands in a picture that fills ``box``."""
        right, up, ahead = self.frame
        off = np.subtract(point, self.eye)
        width = box[2] - box[0]
        if self.flat:
            k = width / self.wide
        else:
            k = width / (2 * float(np.tan(np.radians(self.wide) / 2))) / float(off @ ahead)
        return (box[0] + box[2]) / 2 + float(off @ right) * k, (box[1] + box[3]) / 2 - float(off @ up) * k

    def depth(self, point: Sequence[float]) -> float:
        return float(np.subtract(point, self.eye) @ self.frame[2])

    def is_on_high_side(self, axis: int, value: float) -> bool:
        """Whether the plane ``axis = value`` shows its upper side."""
        return bool(self.frame[2][axis] < 0 if self.flat else self.eye[axis] > value)


def far_to_near(boxes: Sequence[Box], camera: Camera) -> list[int]:
    """The places of ``boxes`` in an order in which later ones are never hidden by earlier ones.

    Two boxes that do not cut into each other have a plane between them, parallel to one of their sides; the box on the
    camera's side of it comes later.
    """
    left = set(range(len(boxes)))
    behind = {n: {m for m in left if m != n and _is_behind(boxes[m], boxes[n], camera)} for n in left}
    order: list[int] = []
    while left:
        free = [n for n in left if not behind[n] & left] or list(left)
        first = max(free, key=lambda n: (camera.depth(_middle(boxes[n])), -n))
        order.append(first)
        left.remove(first)
    return order


def _is_behind(one: Box, other: Box, camera: Camera) -> bool:
    """Whether ``other`` may hide a part of ``one``, and not the other way round."""
    ways = set()
    for axis in range(3):
        if one.high[axis] <= other.low[axis] + 1e-9 and one.low[axis] < other.high[axis] - 1e-9:
            ways.add(camera.is_on_high_side(axis, (one.high[axis] + other.low[axis]) / 2))
        if other.high[axis] <= one.low[axis] + 1e-9 and other.low[axis] < one.high[axis] - 1e-9:
            ways.add(not camera.is_on_high_side(axis, (other.high[axis] + one.low[axis]) / 2))
    return ways == {True}


def _middle(box: Box) -> Vector:
    x, y, z = ((a + b) / 2 for a, b in zip(box.low, box.high, strict=True))
    return x, y, z


def faces(box: Box, camera: Camera) -> list[tuple[tuple[Vector, ...], float]]:
    """The faces turned to the camera: corners, and how bright."""
    found = []
    for axis in range(3):
        high = camera.is_on_high_side(axis, box.high[axis])
        if not high and camera.is_on_high_side(axis, box.low[axis]):
            continue  # the camera stands between the two planes
        if any(box.high[n] == box.low[n] for n in range(3) if n != axis):
            continue  # the narrow side of a plate
        one, two = (axis + 1) % 3, (axis + 2) % 3
        corners = []
        for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
            corner = [0.0, 0.0, 0.0]
            corner[axis] = box.high[axis] if high else box.low[axis]
            corner[one] = (box.low, box.high)[a][one]
            corner[two] = (box.low, box.high)[b][two]
            corners.append((corner[0], corner[1], corner[2]))
        found.append((tuple(corners), _LIGHT[axis][high]))
    return found


def lit(colour: str, light: float) -> str:
    red, green, blue = (round(value * light) for value in ImageColor.getrgb(colour)[:3])
    return f"#{red:02X}{green:02X}{blue:02X}"


def paint(boxes: Sequence[Box], camera: Camera, canvas: Canvas, box: drawing.Box, *, alpha: float = 1.0,
          after: Callable[[int], None] | None = None) -> None:
    """All boxes; ``after(n)`` is called when box ``n`` has been drawn, for words on it."""
    for n in far_to_near(boxes, camera):
        for corners, light in faces(boxes[n], camera):
            shade = lit(boxes[n].colour, light)
            fill = shade if alpha == 1.0 else f"{shade}{round(255 * alpha):02X}"
            canvas.polygon([camera.project(corner, box) for corner in corners], fill, lit(boxes[n].colour, 0.38), 1.0)
        if after is not None:
            after(n)


def grid(camera: Camera, canvas: Canvas, box: drawing.Box, corner: Vector, sides: tuple[int, int], count: int, *,
         fill: str = "#EFEDE7", line: str = "#D2CEC4") -> None:
    """A plane of ``count`` x ``count`` unit squares from ``corner`` along two axes: a floor, or a wall."""
    def spot(a: float, b: float) -> Point:
        point = list(corner)
        point[sides[0]] += a
        point[sides[1]] += b
        return camera.project(point, box)

    canvas.polygon([spot(0, 0), spot(count, 0), spot(count, count), spot(0, count)], fill, line)
    for n in range(1, count):
        canvas.line((spot(n, 0), spot(n, count)), line, 0.8)
        canvas.line((spot(0, n), spot(count, n)), line, 0.8)


def numbered(boxes: Sequence[Box], camera: Camera, size: int, *, tall: int | None = None) -> npt.NDArray[np.int_]:
    """Which box is seen at each point of a small picture, from 1; 0 where there is none."""
    image = Image.new("L", (size, tall or size))
    draw = ImageDraw.Draw(image)
    whole = (0.0, 0.0, float(size), float(tall or size))
    for n in far_to_near(boxes, camera):
        for corners, _ in faces(boxes[n], camera):
            draw.polygon([camera.project(corner, whole) for corner in corners], fill=n + 1)
    return np.asarray(image, dtype=int)
