"""Values with their intervals, one row each: coefficients of slices, scores, worths, differences.

    from app.plots.forest import Forest, Row

    plot = Forest(self.tr("By slice: category"), (
        Row("All items", 0.78, (0.71, 0.84), 120, stands_out=True),
        Row("Diagnosis", 0.88, (0.76, 0.96), 26),
        Row("Rare", None, reason="no item has two judgements")),
        note="Krippendorff's α, 95 % interval, n", reference=0.78)
    view.show_plot(plot)            # a PlotView; marked(index) is the row
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app import figures
from app.plots.sheet import GAP, PAPER, Drawing, Plot, Sheet, rows_in_parts, rows_of_part, ticks, title_height
from app.plots.style import Style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DOTS = 140        # the least width of the scale
SPOT = 7          # half of a mark with its edge: one that stands at the end of the scale reaches beyond it


def _tr(text: str) -> str:
    return QCoreApplication.translate("plots", text)


@dataclass(frozen=True, slots=True)
class Row:
    """One value; None has a ``reason``. ``group`` is a heading over the rows that share it and follow each other;
    ``stands_out``: drawn as people are (gold diamond): the whole over its slices, people over models."""

    label: str
    value: float | None
    ci: tuple[float, float] | None = None
    n: int | None = None
    reason: str = ""
    group: str = ""
    stands_out: bool = False


@dataclass(frozen=True, slots=True)
class Forest:
    """Dots with intervals. ``low`` and ``high`` are the least ends of the scale (None: as the data are), it grows
    where a value lies outside. ``reference``: dashed line; ``band``: an interval in tint over all rows. ``hollow``:
    rows whose interval holds the reference have an empty dot. ``places`` of the printed values."""

    title: str
    rows: tuple[Row, ...]
    note: str = ""
    value_name: str = ""
    reference: float | None = None
    band: tuple[float, float] | None = None
    low: float | None = 0.0
    high: float | None = 1.0
    hollow: bool = False
    places: int = 2
    counted: str = "n"
    first: int = 0                # of a part: the index of its first row
    ends: tuple[float, float] | None = None

    # --- what it says ---------------------------------------------------------------------------------------

    def says(self, row: Row) -> str:
        """A row as a sentence for the pointer and for screen readers."""
        words = f"{row.group}, {row.label}" if row.group else row.label
        if row.value is None:
            return f"{words}: {row.reason or figures.NONE}"
        words += f": {figures.value(row.value, self.places)}"
        if row.ci is not None:
            words += f" ({figures.interval(row.ci, self.places)})"
        return words if row.n is None else f"{words}, {self.counted} {figures.count(row.n)}"

    def table(self) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
        head = ("group", "label", "value", "low", "high", "n", "reason")
        return head, [(row.group, row.label, row.value, *(row.ci or (None, None)), row.n, row.reason)
                      for row in self.rows]

    def scale(self) -> tuple[float, float]:
        """The ends of the scale: round numbers that hold every value and interval."""
        if self.ends is not None:
            return self.ends
        known = [end for row in self.rows if row.value is not None for end in (row.value, *(row.ci or ()))]
        known += [one for one in (self.reference, self.low, self.high, *(self.band or ())) if one is not None]
        low, high = (min(known), max(known)) if known else (0.0, 1.0)
        if low == high:
            low, high = low - 0.5, high + 0.5
        steps, _ = ticks(low, high, 8)
        step = steps[1] - steps[0] if len(steps) > 1 else high - low
        return (low if low == self.low else _down(low, step), high if high == self.high else -_down(-high, step))

    # --- parts ----------------------------------------------------------------------------------------------

    def parts(self, style: Style, width: int) -> Sequence[Plot]:
        return rows_in_parts(self, ends=self.scale())

    def where(self, parts: Sequence[Plot], at: int) -> str:
        return rows_of_part(self.rows, at)

    def paper_width(self, style: Style) -> int:
        return PAPER

    # --- drawing --------------------------------------------------------------------------------------------

    def _tall(self, style: Style) -> float:
        return max(27.0, round(style.line() + 12))

    def _heads(self) -> list[str | None]:
        """A heading before each row, or None."""
        before = [row.group for row in self.rows]
        return [row.group if row.group and (n == 0 or before[n - 1] != row.group) else None
                for n, row in enumerate(self.rows)]

    def height(self, style: Style, width: int) -> int:
        rows = len(self.rows) + sum(head is not None for head in self._heads())
        foot = style.line("small") + 10
        return round(title_height(style, self.title, self.note) + style.line("small") + GAP
                     + rows * self._tall(style) + foot)

    def draw(self, style: Style, width: int) -> Drawing:
        """Labels at the left, the scale in the middle, value, interval and n at the right as far as there is room."""
        with style.worn():
            sheet = Sheet(style, width, self.height(style, width))
            top = sheet.title(self.title, self.note)
            columns = self._columns(sheet)
            names = [row.label for row in self.rows]
            beside = sum(wide for _, wide, *_ in columns) + 2 * GAP * len(columns)
            indent = 2 * GAP if any(row.group for row in self.rows) else 0
            label = min(sheet.widest(names) + indent + 2, max(0.3 * width, width - beside - 1.4 * DOTS))
            while columns and width - label - beside < DOTS:
                dropped = columns.pop(1) if len(columns) > 1 else columns.pop()  # the value leaves last
                beside -= dropped[1] + 2 * GAP
            tick = sheet.width_of(figures.value(self.scale()[0], 2), "small") / 2
            left = max(label + style.wide(GAP) + SPOT, tick)
            right = width - beside - (GAP if columns else style.wide(14))
            self._draw_rows(sheet, top, left, right, label, columns)
            return sheet.done()

    def _columns(self, sheet: Sheet) -> list[tuple[str, float, str, list[str]]]:
        """Head, width, role and cells of each column of figures that has any."""
        rows, made = self.rows, []
        values = [figures.value(row.value, self.places) for row in rows]
        none = figures.NONE if any(row.ci for row in rows) else ""
        between = [figures.interval(row.ci, self.places) if row.ci else none if row.value is not None else ""
                   for row in rows]
        counts = [figures.count(row.n) if row.n is not None else "" for row in rows]
        for head, role, cells in ((self.value_name or _tr("Value"), "strong", values),
                                  (_tr("95 % interval"), "text", between), (self.counted, "text", counts)):
            if any(cells):
                wide = sheet.widest(cells, role)
                head = sheet.fit(head, max(wide, sheet.style.wide(70)), "small")
                made.append((head, max(wide, sheet.width_of(head, "small")), role, cells))
        return made

    def _draw_rows(self, sheet: Sheet, top: float, left: float, right: float, label: float,
                   columns: list[tuple[str, float, str, list[str]]]) -> None:
        style, tall = sheet.style, self._tall(sheet.style)
        x, places = right, []
        for name, wide, role, cells in columns:
            x += 2 * GAP + wide
            sheet.text(x, top + style.line("small") / 2, name, role="small", ink="ink2", ha="right")
            places.append((x, role, cells))
        begin = top + style.line("small") + GAP
        y, middles = begin, []
        for n, (row, head) in enumerate(zip(self.rows, self._heads(), strict=True)):
            if head is not None:
                sheet.text(0, y + tall / 2, head, role="strong", width=right, zorder=5, bbox={
                    "facecolor": sheet.style["page"], "edgecolor": "none", "pad": 1.5})  # no line goes through it
                y += tall
            middle = y + tall / 2
            sheet.text(label, middle, row.label, ha="right", width=label)
            for at, cell_role, cells in places:
                if row.value is None and cell_role == "strong":
                    continue  # its reason stands there
                sheet.text(at, middle, cells[n], role=cell_role, ha="right",
                           ink="ink" if cell_role == "strong" else "ink2")
            sheet.mark(self.first + n, (0, y, sheet.width, tall), self.says(row), row=n)
            middles.append(middle)
            y += tall
        axes = sheet.axes(left, begin, right - left, max(1.0, y - begin))
        self._scale(sheet, axes, right - left, y - begin)
        # A reason runs on below the heads of value and interval, which its row has not.
        room = columns[-1][1] + 2 * GAP if columns and any(row.n is not None for row in self.rows) else 0.0
        for n, row in enumerate(self.rows):
            if row.value is None:
                sheet.text(left + GAP, middles[n], row.reason or figures.NONE, role="small", ink="ink2",
                           width=sheet.width - room - left - GAP,
                           bbox={"pad": 1, "facecolor": sheet.style["page"], "edgecolor": "none"})
            else:
                self._dot(axes, sheet.style, row, row.value, middles[n] - begin)

    def _scale(self, sheet: Sheet, axes: Axes, width: float, height: float) -> None:
        style, (low, high) = sheet.style, self.scale()
        widest = max(sheet.width_of(figures.value(end, 2), "small") for end in (low, high))
        at, places = ticks(low, high, int(max(1, min(6, width // (widest * 1.35)))))
        axes.set_xlim(low, high)
        axes.set_ylim(height or 1, 0)
        axes.set_yticks([])
        axes.set_xticks(at, [figures.value(one, places) for one in at])
        for words in axes.get_xticklabels():
            words.set_fontfeatures(["tnum"])
        if low < 0 < high:
            axes.axvline(0, color=style["edge"], linewidth=0.8, zorder=1)
        if self.band is not None:
            axes.axvspan(*self.band, facecolor=style["tint"], linewidth=0, zorder=0)
        if self.reference is not None:
            axes.axvline(self.reference, color=style["accent_ink"], linewidth=1, dashes=(3, 3), zorder=1.5)

    def _dot(self, axes: Axes, style: Style, row: Row, value: float, y: float) -> None:
        color = style["accent_ink"] if row.stands_out else style["ink"]
        if row.ci is not None:
            axes.plot(row.ci, (y, y), color=color, clip_on=False, zorder=2)
        holds = (self.hollow and self.reference is not None and row.ci is not None
                 and row.ci[0] <= self.reference <= row.ci[1])
        axes.plot([value], [y], marker="D" if row.stands_out else "o", color=color, clip_on=False, zorder=3,
                  markerfacecolor=style["page"] if holds else color, markeredgewidth=1.4)


def _down(value: float, step: float) -> float:
    return (value / step - 1e-9) // 1 * step if value % step else value
