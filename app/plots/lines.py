"""Values over time: a line of dots for each of up to five, small multiples for more.

    from app.plots.lines import Line, Lines, Point

    plot = Lines(self.tr("Agreement by week"), ("3 Mar", "10 Mar", "17 Mar"), (
        Line("P1", (Point(0.71, (0.6, 0.8), 24), None, Point(0.78, (0.7, 0.86), 31))),), note="α")
    view.show_plot(plot)            # marked(index) is line * len(times) + time
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app import figures
from app.plots.sheet import GAP, PAPER, Drawing, Plot, Sheet, ticks, title_height
from app.plots.style import Style
from app.tokens import TOKENS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_TOGETHER = 5
MOST_LINES = 24              # shown at once
TALL, SMALL = 190, 100       # height of the axes at 100 % text: alone, one of many
REACH = 22                   # side of the area of a dot that takes the pointer


def _tr(text: str) -> str:
    return QCoreApplication.translate("plots", text)


@dataclass(frozen=True, slots=True)
class Point:
    value: float | None
    ci: tuple[float, float] | None = None
    n: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """``points``: one for each time, None where there is nothing; ``stands_out``: drawn as people are (gold)."""

    label: str
    points: tuple[Point | None, ...]
    stands_out: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    """``times``: what stands under each place, in order. The scale is ``low`` to ``high`` and wider where it must."""

    title: str
    times: tuple[str, ...]
    lines: tuple[Line, ...]
    note: str = ""
    low: float = 0.0
    high: float = 1.0
    reference: float | None = None
    first: int = 0                # of a part: the index of its first line
    of_many: bool = False         # small multiples, also where a part has few

    def says(self, line: Line, time: str, point: Point) -> str:
        words = f"{line.label}, {time}: " if len(self.lines) > 1 or line.label else f"{time}: "
        if point.value is None:
            return words + (point.reason or figures.NONE)
        n = "" if point.n is None else f", n {figures.count(point.n)}"
        return words + figures.with_interval(point.value, point.ci) + n

    def table(self) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
        return ("line", "time", "value", "low", "high", "n", "reason"), [
            (line.label, time, point.value, *(point.ci or (None, None)), point.n, point.reason)
            for line in self.lines for time, point in zip(self.times, line.points, strict=True) if point is not None]

    def parts(self, style: Style, width: int) -> Sequence[Plot]:
        if len(self.lines) <= MOST_LINES:
            return (self,)
        low, high = self.scale()
        return [replace(self, lines=self.lines[at:at + MOST_LINES], first=at, of_many=True, low=low, high=high)
                for at in range(0, len(self.lines), MOST_LINES)]

    def where(self, parts: Sequence[Plot], at: int) -> str:
        return _tr("Lines {first} to {last} of {all}").format(
            first=at * MOST_LINES + 1, last=min(len(self.lines), (at + 1) * MOST_LINES),
            all=figures.count(len(self.lines)))

    def paper_width(self, style: Style) -> int:
        return PAPER

    # --- drawing --------------------------------------------------------------------------------------------

    def scale(self) -> tuple[float, float]:
        known = [end for line in self.lines for point in line.points if point is not None and point.value is not None
                 for end in (point.value, *(point.ci or ()))]
        return figures.scale_of(known, low=self.low, high=self.high)

    @property
    def is_together(self) -> bool:
        return len(self.lines) <= MOST_TOGETHER and not self.of_many

    def _abreast(self, style: Style, width: int) -> int:
        return int(max(1, min(4, width // style.wide(200))))

    def height(self, style: Style, width: int) -> int:
        title, foot = title_height(style, self.title, self.note), style.line("small") + 12
        if self.is_together:
            return round(title + style.line() + style.wide(TALL) + foot)
        rows = -(-len(self.lines) // self._abreast(style, width))
        return round(title + rows * (style.line() + GAP + style.wide(SMALL) + foot + GAP))

    def draw(self, style: Style, width: int) -> Drawing:
        with style.worn():
            sheet = Sheet(style, width, self.height(style, width))
            top = sheet.title(self.title, self.note)
            low, high = self.scale()
            at, places = ticks(low, high, 5)
            label = sheet.widest([figures.value(one, places) for one in at], "small") + GAP
            if self.is_together:
                names = min(sheet.widest([line.label for line in self.lines], "text"), 0.3 * width)
                right = width - (names + 4 * GAP if names else GAP)
                top += style.line() / 2
                self._panel(sheet, (label, top, right - label, style.wide(TALL)), range(len(self.lines)))
                self._name_lines(sheet, right + 3.5 * GAP, top, style.wide(TALL), names)
                return sheet.done()
            abreast = self._abreast(style, width)
            wide = width / abreast
            tall = style.line() + GAP + style.wide(SMALL) + style.line("small") + 12 + GAP
            for n, line in enumerate(self.lines):
                x, y = n % abreast * wide, top + n // abreast * tall
                sheet.text(x + label, y + style.line() / 2, line.label, width=wide - label - GAP)
                box = (x + label, y + style.line() + GAP, wide - label - 2.5 * GAP, style.wide(SMALL))
                self._panel(sheet, box, (n,), of_many=True)
            return sheet.done()

    def _panel(self, sheet: Sheet, box: tuple[float, float, float, float], which: Sequence[int], *,
               of_many: bool = False) -> None:
        style, (left, top, wide, tall) = sheet.style, box
        axes, (low, high) = sheet.axes(*box), self.scale()
        axes.set_xlim(-0.5, len(self.times) - 0.5)
        axes.set_ylim(low, high)
        at, places = ticks(low, high, 2 if of_many else 5)
        axes.set_yticks(at, [figures.value(one, places) for one in at])
        axes.tick_params(axis="y", labelsize=style.points("small"), labelcolor=style["ink2"])
        for words in axes.get_yticklabels():
            words.set_fontfeatures(("tnum",))
        axes.grid(visible=False, axis="x")
        axes.grid(visible=True, axis="y")
        step = wide / max(1, len(self.times))
        self._times(sheet, axes, step, of_many)
        if self.reference is not None:
            axes.axhline(self.reference, color=style["accent_ink"], linewidth=1, dashes=(3, 3), zorder=1.5)
        for n in which:
            aside = (n - (len(which) - 1) / 2) * 3 / step if len(which) > 1 else 0.0  # intervals do not hide each other
            self._line(axes, style, self.lines[n], 0 if of_many else n, aside)
            for m, point in enumerate(self.lines[n].points):
                if point is not None:
                    shown = low if point.value is None else point.value
                    x = left + (m + 0.5 + aside) * step
                    y = top + (high - shown) / (high - low) * tall
                    sheet.mark((self.first + n) * len(self.times) + m, (x - REACH / 2, y - REACH / 2, REACH, REACH),
                               self.says(self.lines[n], self.times[m], point), row=n, column=m)

    def _times(self, sheet: Sheet, axes: Axes, step: float, of_many: bool) -> None:
        """Every second, third, .. name of a time where they do not fit side by side; of many the first and last."""
        wide = sheet.widest(self.times, "small") + GAP
        every = max(1, -(-int(wide) // max(1, int(step))))
        shown = list(range(0, len(self.times), every))
        if of_many and len(self.times) > 1:
            shown = [0, len(self.times) - 1] if wide * 1.6 < step * len(self.times) else [0]
        names = [sheet.fit(self.times[n], max(step * every, wide), "small") for n in shown]
        axes.set_xticks(shown, names)

    def _line(self, axes: Axes, style: Style, line: Line, n: int, aside: float) -> None:
        color, marker, dash = _signs(style, line, n)
        xs = [m + aside for m in range(len(line.points))]
        values = [float("nan") if point is None or point.value is None else point.value for point in line.points]
        drawn, = axes.plot(xs, values, color=color, marker=marker, clip_on=False, zorder=3)
        if dash:
            drawn.set_dashes(dash)
        for x, point in zip(xs, line.points, strict=True):
            if point is not None and point.ci is not None and point.value is not None:
                axes.plot((x, x), point.ci, color=color, linewidth=1, clip_on=False, zorder=2)

    def _name_lines(self, sheet: Sheet, x: float, top: float, tall: float, width: float) -> None:
        """Each line's name where it ends, moved apart where they would stand on each other."""
        low, high = self.scale()
        ends = []
        for n, line in enumerate(self.lines):
            known = [point.value for point in line.points if point is not None and point.value is not None]
            if known and line.label:
                ends.append((top + (high - known[-1]) / (high - low) * tall, n))
        step, y = sheet.style.line(), top - sheet.style.line()
        placed = []
        for wanted, n in sorted(ends):
            y = max(wanted, y + step)
            placed.append((y, n))
        over = (placed[-1][0] - (top + tall)) if placed else 0.0
        for at, (y, n) in enumerate(placed):
            if over > 0:  # the lowest have come below the axes: all of them up, as far as they touch
                y = min(y, top + tall - (len(placed) - 1 - at) * step)
            color, marker, _ = _signs(sheet.style, self.lines[n], n)
            if len(self.lines) > 1:
                self._sign(sheet, x - 1.5 * GAP, y, color, marker)
            sheet.text(x, y, self.lines[n].label, width=width + 2)

    def _sign(self, sheet: Sheet, x: float, y: float, color: str, marker: str) -> None:
        from matplotlib.lines import Line2D

        sheet.figure.add_artist(Line2D([x], [y], color=color, marker=marker, linestyle="none", transform=sheet.px))


def _signs(style: Style, line: Line, n: int) -> tuple[str, str, Sequence[int]]:
    """Colour, marker and dash of a line."""
    plot = TOKENS["plot"]
    if line.stands_out:
        return style["accent_ink"], plot["human_marker"], ()
    return style.series[n], plot["markers"][n], plot["dashes"][n]
