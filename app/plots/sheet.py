"""The sheet a plot is drawn on: a figure measured in logical pixels from its upper left corner, and its marks.

A plot is a frozen dataclass with the methods of ``Plot``. What it draws is a ``Drawing``: the matplotlib figure, and
for each thing in it that can be pointed at a ``Mark`` with its place and what it says.

    drawing = forest.draw(style.of("dark"), width=620)
    drawing.figure                      # a matplotlib Figure
    drawing.marks[0].says               # "Diagnosis: 0.88 (0.76 to 0.96), n 26"
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QCoreApplication

from app import figures
from app.plots.style import DPI, WEIGHTS, Style, families

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

PAPER = 640        # width of a saved picture in logical pixels: 6.7 inches
GAP = 8
_TABULAR = ("tnum",)
_MOST_PIXELS = 80_000_000  # of a saved PNG; a longer one has fewer dots per inch


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that can be pointed at; ``box`` is left, top, width, height in pixels of the drawing.

    ``index`` is its place in the plot's data (of a grid: row x columns + column); ``row`` and ``column`` say where
    arrow keys go. ``filled``: it is an area of colour, so that a ring around it needs an edge of its own.
    """

    index: int
    box: tuple[float, float, float, float]
    says: str
    row: int = 0
    column: int = 0
    filled: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawn plot. ``figure`` is DPI dots an inch; ``width`` and ``height`` are its logical pixels."""

    figure: Figure
    width: int
    height: int
    style: Style
    marks: tuple[Mark, ...]

    def pixels(self, ratio: float = 1.0) -> tuple[bytes, int, int]:
        """RGBA bytes, width and height of the picture at so many device pixels a logical pixel."""
        with self.style.worn():
            from matplotlib.backends.backend_agg import FigureCanvasAgg

            self.figure.set_dpi(DPI * ratio)
            canvas = FigureCanvasAgg(self.figure)
            canvas.draw()
            width, height = canvas.get_width_height()
            return bytes(canvas.buffer_rgba()), width, height

    @property
    def dots(self) -> float:
        """Dots per inch of a PNG: 300, or fewer where the picture is so long that it would not open anywhere."""
        inches = self.width * self.height / DPI**2
        return min(300.0, math.sqrt(_MOST_PIXELS / inches), 60_000 * DPI / max(self.width, self.height))

    def as_file(self, kind: str) -> bytes:
        """The contents of a file: svg (its texts are text), pdf (fonts embedded) or png."""
        out = io.BytesIO()
        with self.style.worn():
            self.figure.savefig(out, format=kind, dpi=self.dots if kind == "png" else DPI,
                                metadata={"Date": None} if kind == "svg" else
                                {"CreationDate": None} if kind == "pdf" else {"Software": None})
        return out.getvalue()


class Plot(Protocol):
    """What PlotView shows. ``title`` and ``note`` stand over it; every method is pure."""

    @property
    def title(self) -> str: ...
    @property
    def note(self) -> str: ...

    def draw(self, style: Style, width: int) -> Drawing:
        """The figure, so many logical pixels wide."""

    def height(self, style: Style, width: int) -> int:
        """How high that is, without matplotlib."""

    def parts(self, style: Style, width: int) -> Sequence[Plot]:
        """What is shown at once, one after the other; one part where all of it fits."""

    def paper_width(self, style: Style) -> int:
        """The width on paper that holds all of it."""

    def table(self) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
        """Its numbers: head and rows, full figures, None for what is missing."""

    def where(self, parts: Sequence[Plot], at: int) -> str:
        """Which part that is, in words ("Rows 1 to 40 of 120")."""


MOST_ROWS = 40     # of a plot with a row for each thing, shown at once


def rows_in_parts(plot: Any, **same: Any) -> Sequence[Plot]:
    """A plot with ``rows`` and ``first`` as plots of MOST_ROWS rows each; ``same`` is what all of them share."""
    if len(plot.rows) <= MOST_ROWS:
        return (plot,)
    return [replace(plot, rows=plot.rows[at:at + MOST_ROWS], first=at, **same)
            for at in range(0, len(plot.rows), MOST_ROWS)]


def rows_of_part(rows: Sequence[object], at: int) -> str:
    """Which rows the part in this place shows, in words."""
    return QCoreApplication.translate("plots", "Rows {first} to {last} of {all}").format(
        first=at * MOST_ROWS + 1, last=min(len(rows), (at + 1) * MOST_ROWS), all=figures.count(len(rows)))



@dataclass(slots=True)
class Sheet:
    """Draws in pixels; use it inside ``with style.worn():``. On paper the title stands in the picture."""

    style: Style
    width: int
    height: int
    figure: Figure = field(init=False)
    marks: list[Mark] = field(init=False, default_factory=list)
    px: Any = field(init=False)

    def __post_init__(self) -> None:
        from matplotlib.figure import Figure
        from matplotlib.transforms import Affine2D

        self.figure = Figure(figsize=(self.width / DPI, self.height / DPI), dpi=DPI)
        self.px = Affine2D().scale(1 / DPI, -1 / DPI).translate(0, self.height / DPI) + self.figure.dpi_scale_trans

    def title(self, title: str, note: str) -> float:
        """Write them where the picture stands alone; returns where the plot begins."""
        if not self.style.paper:
            return 0.0
        top = float(GAP // 2)
        if title:
            self.text(0, top, title, role="title", va="top", width=self.width)
            top += self.style.line("title") + 4
        if note:
            self.text(0, top, note, role="small", ink="ink2", va="top", width=self.width)
            top += self.style.line("small") + 4
        return top + 4

    def width_of(self, words: str, role: str = "text", *, tabular: bool = True) -> float:
        """The width of a line of text in pixels. On the screen its figures are all as wide as each other; SVG and PDF
        as matplotlib writes them cannot say that."""
        from matplotlib import font_manager

        if not words:
            return 0.0
        files = [font_manager.findfont(font_manager.FontProperties(family=name, weight=WEIGHTS[role]))
                 for name in families()]
        font = font_manager.get_font(files)
        font.set_size(self.style.points(role), DPI)
        font.set_text(words, features=_TABULAR if tabular and not self.style.paper else None)
        return float(font.get_width_height()[0]) / 64

    def widest(self, lines: Sequence[str], role: str = "text") -> float:
        # Measuring costs 0.1 ms; the longest by letters is the widest but for a few per cent.
        longest = sorted({one_line(line) for line in lines}, key=len, reverse=True)[:12]
        return max((self.width_of(line, role) for line in longest), default=0.0)

    def fit(self, words: str, width: float, role: str = "text") -> str:
        """The words on one line, cut with an ellipsis where they are wider."""
        words = one_line(words)
        if len(words) * self.style.points(role) * 0.35 < width and self.width_of(words, role) <= width:
            return words
        low, high = 0, len(words)
        while low < high:
            middle = (low + high + 1) // 2
            if self.width_of(words[:middle].rstrip() + "…", role) <= width:
                low = middle
            else:
                high = middle - 1
        return words[:low].rstrip() + "…" if low < len(words) else words

    def text(self, x: float, y: float, words: str, *, role: str = "text", ink: str = "ink", ha: Any = "left",
             va: Any = "center", width: float | None = None, **more: Any) -> Text:
        """Words at a place; ``ink`` is a token or #RRGGBB; cut to ``width``. Centred are capitals and figures:
        matplotlib's own middle is that of the font's line, which lies higher above the base line."""
        shown = one_line(words) if width is None else self.fit(words, width, role)
        if ha != "left" and not self.style.paper:
            # matplotlib aligns by the width that the words have with figures of their own widths
            wider = self.width_of(shown, role) - self.width_of(shown, role, tabular=False)
            x -= wider if ha == "right" else wider / 2
        if va == "center":
            y, va = y + self.style.capital(role) / 2, "baseline"
        made = self.figure.text(x, y, shown, transform=self.px, ha=ha, va=va, fontsize=self.style.points(role),
                                fontweight=WEIGHTS[role], color=ink if ink.startswith("#") else self.style[ink], **more)
        if not self.style.paper:
            made.set_fontfeatures(_TABULAR)
        return made

    def box(self, left: float, top: float, width: float, height: float, fill: str, **more: Any) -> None:
        """A filled rectangle; ``fill`` is #RRGGBB or "none"."""
        from matplotlib.patches import Rectangle

        more.setdefault("linewidth", 0)
        self.figure.add_artist(Rectangle((left, top), width, height, facecolor=fill, transform=self.px, **more))

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Axes at a place; y is left to who draws."""
        made = self.figure.add_axes((left / self.width, 1 - (top + height) / self.height, width / self.width,
                                     height / self.height))
        made.set_facecolor("none")
        return made

    def mark(self, index: int, box: tuple[float, float, float, float], says: str, *, row: int = 0, column: int = 0,
             filled: bool = False) -> None:
        self.marks.append(Mark(index, box, says, row, column, filled))

    def done(self) -> Drawing:
        return Drawing(self.figure, self.width, self.height, self.style, tuple(self.marks))


def title_height(style: Style, title: str, note: str) -> float:
    """How high ``Sheet.title`` is."""
    if not style.paper:
        return 0.0
    return GAP // 2 + (style.line("title") + 4 if title else 0) + (style.line("small") + 4 if note else 0) + 4


def one_line(words: str) -> str:
    """Words as one printable line: other people's labels may hold breaks and signs that no font has."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())


def nice_step(span: float, most: int) -> float:
    """A step of 1, 2 or 5 times a power of ten that divides a span into at most ``most`` parts."""
    if not span > 0:
        return 1.0
    rough = span / max(1, most)
    power = 10.0 ** math.floor(math.log10(rough))
    return next((power * n for n in (1, 2, 5) if power * n >= rough * (1 - 1e-9)), power * 10)


def ticks(low: float, high: float, most: int) -> tuple[list[float], int]:
    """Round numbers from low to high, and how many decimal places they need."""
    step = nice_step(high - low, most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [n * step for n in range(first, last + 1)], max(0, -math.floor(math.log10(step) + 1e-9))
