# SPDX-License-Identifier: Apache-2.0
"""Plots of scores as SVG of our own: a dot with its interval for every system, on one axis; needs no library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from exports.scorer.layout import figure

ROW, TOP, LEFT, WIDTH, RIGHT = 26, 12, 230, 420, 150  # pixels
MOST_LETTERS = 34


@dataclass(frozen=True, slots=True)
class Dot:
    """One row: a value with an interval, either may be missing; ``note`` stands where there is no value."""

    name: str
    value: float | None
    ci: Sequence[float] | None
    note: str = ""
    kind: str = "file"


def dots(title: str, rows: Sequence[Dot], *, low: float | None = None, high: float | None = None,
         line: float | None = None) -> str:
    """An SVG with a title that is read aloud; ``line``: a vertical line (no difference; the best value)."""
    ends = [end for row in rows for end in (row.value, *(row.ci or ())) if end is not None]
    marks = [end for end in (low, high, line) if end is not None]
    if not ends:
        return ""
    ticks = _ticks(min([*ends, *marks]), max([*ends, *marks]))
    first, last = ticks[0], ticks[-1]
    height = TOP + ROW * len(rows) + 34

    def x(value: float) -> float:
        return round(LEFT + WIDTH * (value - first) / (last - first), 1)

    bottom = TOP + ROW * len(rows)
    whole = LEFT + WIDTH + RIGHT
    parts = [f'<svg class="plot" role="img" viewBox="0 0 {whole} {height}" width="{whole}" height="{height}" '
             f'xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}</title>']
    for tick in ticks:
        parts.append(f'<line class="grid" x1="{x(tick)}" x2="{x(tick)}" y1="{TOP}" y2="{bottom}"/>'
                     f'<text class="tick" x="{x(tick)}" y="{bottom + 18}" text-anchor="middle">{tick:g}</text>')
    if line is not None:
        parts.append(f'<line class="mark" x1="{x(line)}" x2="{x(line)}" y1="{TOP}" y2="{bottom}"/>')
    for number, row in enumerate(rows):
        y = TOP + ROW * number + ROW / 2
        name = escape(_short(row.name))
        parts.append(f'<text class="name" x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{name}</text>')
        if row.value is None:
            parts.append(f'<text class="note" x="{LEFT + 6}" y="{y + 4}">{escape(row.note or "undefined")}</text>')
            continue
        if row.ci is not None:
            parts.append(f'<line class="ci {row.kind}" x1="{x(row.ci[0])}" x2="{x(row.ci[1])}" y1="{y}" y2="{y}"/>')
        parts.append(f'<circle class="dot {row.kind}" cx="{x(row.value)}" cy="{y}" r="4.5"/>')
        words = figure(row.value) + ("" if row.ci is None else f" [{figure(row.ci[0])}, {figure(row.ci[1])}]")
        parts.append(f'<text class="value" x="{LEFT + WIDTH + 12}" y="{y + 4}">{words}</text>')
    return "".join(parts) + "</svg>"


def _short(name: str) -> str:
    return name if len(name) <= MOST_LETTERS else name[:MOST_LETTERS - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _ticks(low: float, high: float) -> list[float]:
    """Four to eight round numbers that enclose both ends."""
    span = high - low or max(abs(high), 1.0) * 0.1
    rough = span / 5
    step = 10.0 ** math.floor(math.log10(rough))
    step *= next(times for times in (1.0, 2.0, 5.0, 10.0) if times * step >= rough * 0.999)
    first = math.floor(low / step + 1e-9)
    last = max(first + 1, math.ceil(high / step - 1e-9))
    return [round(number * step, 12) for number in range(first, last + 1)]
