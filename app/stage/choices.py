"""Where the options stand: in a column, in a row, or, for the pointer, all equally far from where it begins."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app import theme
from app.parts.caps import cap_width
from app.stage.flow import Piece
from app.stage.texts import Words
from app.stage.view import Choice

_SIGNS = {"left": "←", "right": "→", "up": "↑", "down": "↓", "return": "↵", "space": "Space"}


def cap_text(key: str) -> str:
    """What is written on the key."""
    return _SIGNS.get(key, key.upper())


@dataclass(frozen=True, slots=True)
class Target:
    """Where an option can be pressed."""

    key: str
    x: float
    y: float
    width: float
    height: float


@dataclass(slots=True)
class Placed:
    """``home``: where the pointer begins, in the block's own pixels."""

    width: float
    height: float
    pieces: list[Piece]
    targets: list[Target]
    home: tuple[float, float] | None = None

    def moved(self, x: float, y: float) -> Placed:
        home = (self.home[0] + x, self.home[1] + y) if self.home else None
        targets = [Target(t.key, t.x + x, t.y + y, t.width, t.height) for t in self.targets]
        return Placed(self.width, self.height, [piece.moved(x, y) for piece in self.pieces], targets, home)


class Options:
    """The options of one trial at one size of text."""

    def __init__(self, choices: tuple[Choice, ...], factor: float) -> None:
        self._choices, self.factor = choices, factor
        self._words = [Words(choice.text, "reading", factor, close=True) for choice in choices]
        caps = [cap_width(cap_text(choice.key)) * factor for choice in choices]
        self._cap = max(caps, default=0)
        self._left = theme.space("s") + self._cap + 10
        self._row = max(theme.size("option_trial") * min(1.0, factor + 0.1), self._line() + theme.space("m"))

    def _line(self) -> float:
        return max((words.height_at(100_000) for words in self._words), default=0.0)

    @property
    def natural_width(self) -> float:
        return max((self._wide(n) for n in range(len(self._words))), default=0.0)

    def _wide(self, n: int) -> float:
        return self._left + self._words[n].natural_width() + theme.space("s")

    def _tall(self, n: int, width: float) -> float:
        return self._row - self._line() + self._words[n].height_at(max(1, width - self._left - theme.space("s")))

    def _one(self, n: int, x: float, y: float, width: float, height: float) -> tuple[Piece, Piece, Target]:
        text = width - self._left - theme.space("s")
        down = (self._row - self._line()) / 2
        cap = cap_text(self._choices[n].key)
        return (Piece("options", x + theme.space("s"), y, self._cap, self._row, cap=cap),
                Piece("options", x + self._left, y + down, text, height - 2 * down, words=self._words[n]),
                Target(self._choices[n].key, x, y, width, height))

    def _placed(self, boxes: list[tuple[float, float, float, float]], home: tuple[float, float] | None = None
                ) -> Placed:
        pieces: list[Piece] = []
        targets = []
        for n, box in enumerate(boxes):
            cap, words, target = self._one(n, *box)
            pieces += [cap, words]
            targets.append(target)
        return Placed(max((x + w for x, _, w, _ in boxes), default=0.0),
                      max((y + h for _, y, _, h in boxes), default=0.0), pieces, targets, home)

    def place(self, each: float, width: float, *, pointer: bool, column: bool) -> Placed | None:
        """In so much room; None where they do not fit."""
        if not self._words:
            return Placed(0.0, 0.0, [], [])
        if pointer:
            return self.around(each, width)
        in_a_row = None if column else self.row(each, width)
        return in_a_row or self.column(min(self.natural_width, width, theme.wide(900)))

    def column(self, width: float) -> Placed:
        boxes, y = [], 0.0
        for n in range(len(self._words)):
            tall = self._tall(n, width)
            boxes.append((0.0, y, width, tall))
            y += tall + theme.space("xxs")
        return self._placed(boxes)

    def each(self, width: float, *, pointer: bool) -> float:
        """How wide one option is where all are equally wide, in so much room."""
        if not pointer:
            return self.natural_width
        columns, gap = self._columns(), theme.space("m")
        return min(max(self._least(), self.natural_width), (width - columns * gap) / columns)

    def _columns(self) -> int:
        return 1 if len(self._words) == 1 else 2 if len(self._words) <= 4 else 3

    def _least(self) -> float:
        return self._left + theme.wide(64) * self.factor  # large enough to be met by the pointer

    def row(self, each: float, width: float) -> Placed | None:
        """All in one line; None where that is too wide."""
        gap = theme.space("l")
        if len(self._words) * (each + gap) - gap > width:
            return None
        return self._placed([(n * (each + gap), 0.0, each, self._row) for n in range(len(self._words))])

    def around(self, each: float, width: float) -> Placed | None:
        """Equally large boxes whose middles lie on one circle around ``home``; None where that is too wide."""
        n, gap = len(self._words), theme.space("m")
        if each < self._least() or not all(words.fits_words(each - self._left) for words in self._words):
            return None
        tall = max(self._tall(k, each) for k in range(n))
        middles = _circle(n, each + gap, tall + gap)
        left, top = min(x for x, _ in middles) - each / 2, min(y for _, y in middles) - tall / 2
        boxes = [(x - each / 2 - left, y - tall / 2 - top, each, tall) for x, y in middles]
        placed = self._placed(boxes, (-left, -top))
        return placed if placed.width <= width + 1 else None


def _circle(n: int, wide: float, tall: float) -> list[tuple[float, float]]:
    """The middles of ``n`` boxes of this size, left to right and top to bottom, none upon another."""
    if n == 2:
        return [(-wide / 2 - tall / 4, 0), (wide / 2 + tall / 4, 0)]
    if n <= 4:
        # A middle row is left free, so that the pointer begins on no option.
        a, b = wide / 2, tall
        corners = [(-a, -b), (a, -b), (-a, b), (a, b)]
        return corners[:n] if n != 3 else [(-a, -b), (a, -b), (0, math.hypot(a, b))]
    radius = tall
    while True:
        angles = [-math.pi / 2 + 2 * math.pi * k / n for k in range(n)]
        middles = [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]
        if all(abs(x - u) >= wide or abs(y - v) >= tall
               for k, (x, y) in enumerate(middles) for u, v in middles[:k]):
            return sorted(middles, key=lambda m: (round(m[1] / tall * 2), m[0]))
        radius += 4
