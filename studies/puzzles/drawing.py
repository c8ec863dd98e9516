"""Canvas: shapes and words in points of the screen, drawn large and made small so that edges are smooth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

import resources

PAPER, PANEL, LINE, EDGE = "#FFFFFF", "#F7F6F2", "#DFDCD5", "#8A857A"
INK, INK2, GOLD, BLUE = "#1E1C18", "#57534B", "#D8952B", "#3E7CB8"
GOLD_DARK, BLUE_DARK = "#805008", "#1B4570"
# Tones that differ in lightness as well, so that they are told apart without seeing colours.
TONES = ("#D8952B", "#3E7CB8", "#5E9C76", "#B5564B", "#8B6BB0", "#4C4A46")
SMOOTH = 3
GAP, HEAD = 10.0, 26.0
Point = tuple[float, float]
Box = tuple[float, float, float, float]
_FONTS = Path(resources.__file__).parent / "fonts"


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(_FONTS / "Inter-SemiBold.otf"), size)


class Canvas:
    """``width`` and ``height`` in points; ``picture()`` is ``scale`` times as large."""

    def __init__(self, width: float, height: float, scale: float = 1.0, paper: str = PAPER) -> None:
        self.size = (round(width * scale), round(height * scale))
        self.scale = scale
        smooth = SMOOTH if scale < 1.5 else 2
        self.k = scale * smooth
        self.image = Image.new("RGB", (self.size[0] * smooth, self.size[1] * smooth), paper)
        self.draw = ImageDraw.Draw(self.image, "RGBA")  # colours may let shine through

    def _at(self, points: Sequence[Point]) -> list[Point]:
        return [(x * self.k, y * self.k) for x, y in points]

    def polygon(self, points: Sequence[Point], fill: str | None, edge: str | None = None, width: float = 1.6) -> None:
        at = self._at(points)
        if fill is not None:
            self.draw.polygon(at, fill=fill)
        if edge is not None:
            self.draw.line([*at, at[0], at[1]], fill=edge, width=max(1, round(width * self.k)), joint="curve")

    def rectangle(self, box: Box, fill: str | None, edge: str | None = None, width: float = 1.0) -> None:
        x0, y0, x1, y1 = box
        self.polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), fill, edge, width)

    def line(self, points: Sequence[Point], colour: str, width: float = 1.0) -> None:
        self.draw.line(self._at(points), fill=colour, width=max(1, round(width * self.k)), joint="curve")

    def dot(self, centre: Point, radius: float, fill: str | None, edge: str | None = None, width: float = 1.0) -> None:
        (x, y), = self._at((centre,))
        r = radius * self.k
        self.draw.ellipse((x - r, y - r, x + r, y + r), fill=fill, outline=edge,
                          width=max(1, round(width * self.k)) if edge else 0)

    def words(self, centre: Point, text: str, size: float = 15.0, colour: str = INK) -> None:
        (x, y), = self._at((centre,))
        self.draw.text((x, y), text, fill=colour, font=_font(round(size * self.k)), anchor="mm")

    def lay(self, picture: Image.Image, corner: Point) -> None:
        """Another canvas's image of the same scale, with its corner there."""
        (x, y), = self._at((corner,))
        self.image.paste(picture, (round(x), round(y)))

    def picture(self) -> Image.Image:
        return self.image.resize(self.size, Image.Resampling.LANCZOS)


Painter = Callable[[Canvas, Box], None]


def sheet(panels: Sequence[tuple[str, Painter | None]], *, scale: float, panel: Point = (140.0, 140.0),
          columns: int = 4) -> Image.Image:
    """Panels with a word above each, side by side in rows; one without a painter has a question mark."""
    rows = -(-len(panels) // columns)
    across = min(columns, len(panels))
    head = HEAD if any(word for word, _ in panels) else GAP / 2
    canvas = Canvas(across * panel[0] + (across + 1) * GAP, rows * (panel[1] + head) + (rows + 1) * GAP / 2 + GAP / 2,
                    scale)
    for place, (word, paint) in enumerate(panels):
        x = GAP + (place % columns) * (panel[0] + GAP)
        y = GAP / 2 + (place // columns) * (panel[1] + head + GAP / 2)
        box = (x, y + head, x + panel[0], y + head + panel[1])
        if word:
            canvas.words((x + panel[0] / 2, y + HEAD / 2), word, 15.0)
        if paint is None:
            canvas.rectangle(box, PANEL, EDGE)
            canvas.words(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), "?", 44.0, INK2)
        else:
            paint(canvas, box)
            canvas.rectangle(box, None, EDGE)
    return canvas.picture()


def small(picture: Image.Image) -> Image.Image:
    """The picture with at most 128 colours, which makes its file small."""
    return picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=128)
