"""Shares of a whole: one bar of 100 % a row, the parts in the same order, with their numbers inside.

    from app.plots.shares import Shares

    plot = Shares(self.tr("What the answers did"), ("Correct", "Partly", "Misled"),
                  (("Physicians", (93, 10, 10)), ("Atlas-2", (55, 32, 26))), is_rising=True)
    view.show_plot(plot)            # marked(index) is row * 3 + part
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.plots.sheet import GAP, PAPER, Drawing, Plot, Sheet, rows_in_parts, rows_of_part, title_height
from app.plots.style import Style, contrast
from app.tokens import TOKENS


def _tr(text: str) -> str:
    return QCoreApplication.translate("plots", text)


@dataclass(frozen=True, slots=True)
class Shares:
    """``rows``: label and counts, one for each of ``names``. ``is_rising``: the first part is the good end and the
    last the bad one, which is hatched; else the parts are shades of one hue and good for nothing."""

    title: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float, ...]], ...]
    note: str = ""
    is_rising: bool = False
    first: int = 0

    def says(self, label: str, name: str, count: float, total: float) -> str:
        return _tr("{label}, {name}: {percent} %, {count} of {all}").format(
            label=label, name=name, percent=f"{100 * count / total:.0f}", count=f"{count:,g}", all=f"{total:,g}")

    def table(self) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
        return ("row", "part", "count", "share"), [
            (label, name, count, count / sum(counts) if sum(counts) else None)
            for label, counts in self.rows for name, count in zip(self.names, counts, strict=True)]

    def parts(self, style: Style, width: int) -> Sequence[Plot]:
        return rows_in_parts(self)

    def where(self, parts: Sequence[Plot], at: int) -> str:
        return rows_of_part(self.rows, at)

    def paper_width(self, style: Style) -> int:
        return PAPER

    # --- drawing --------------------------------------------------------------------------------------------

    def _tall(self, style: Style) -> float:
        return max(29.0, round(style.line() + 14))

    def _legend(self, style: Style, width: int) -> list[list[int]]:
        """Which names stand in which line of the legend."""
        lines: list[list[int]] = [[]]
        x = 0.0
        for n, name in enumerate(self.names):
            wide = style.line() + len(name) * 0.58 * style.line() / 1.21 + 3 * GAP
            if lines[-1] and x + wide > width:
                lines.append([])
                x = 0.0
            lines[-1].append(n)
            x += wide
        return lines

    def height(self, style: Style, width: int) -> int:
        legend = len(self._legend(style, width)) * (style.line("small") + 6) + GAP
        return round(title_height(style, self.title, self.note) + legend + len(self.rows) * self._tall(style)
                     + style.line("small") + 12)

    def _look(self, style: Style, n: int) -> tuple[str, str]:
        """Fill and hatch of a part."""
        last = len(self.names) - 1
        if self.is_rising:
            return ((style.series[3], "") if n == 0 else (style.series[2], "///") if n == last
                    else (style.partly, "" if last <= 2 else TOKENS["plot"]["hatches"][(n - 1) % 4]))
        return style.shade(0.25 + 0.7 * n / max(1, last)), TOKENS["plot"]["hatches"][n % 4 if last > 3 else 0]

    def draw(self, style: Style, width: int) -> Drawing:
        with style.worn():
            sheet = Sheet(style, width, self.height(style, width))
            top = sheet.title(self.title, self.note)
            label = min(sheet.widest([label for label, _ in self.rows]) + 2, 0.32 * width)
            left = label + GAP
            for line in self._legend(style, width):
                x = 0.0
                for n in line:
                    side = 0.6 * style.line("small")
                    self._bar(sheet, (x, top + (style.line("small") - side) / 2, side * 1.3, side), n)
                    words = sheet.text(x + 1.3 * side + 6, top + style.line("small") / 2, self.names[n], role="small",
                                       width=width - x - 2 * side)
                    x += 1.3 * side + 6 + sheet.width_of(words.get_text(), "small") + 2 * GAP
                top += style.line("small") + 6
            top += GAP
            room = width - left - sheet.width_of("100 %", "small") / 2
            bottom = top + len(self.rows) * self._tall(style)
            self._axis(sheet, left, top, room, bottom - top)
            for at, (row, counts) in enumerate(self.rows):
                self._row(sheet, at, row, counts, (left, top + at * self._tall(style), room), label)
            return sheet.done()

    def _axis(self, sheet: Sheet, left: float, top: float, wide: float, tall: float) -> None:
        axes = sheet.axes(left, top, wide, max(1.0, tall))
        axes.set_xlim(0, 100)
        axes.set_yticks([])
        axes.grid(visible=False)
        axes.set_xticks([0, 50, 100], ["0", "50 %", "100 %"])

    def _row(self, sheet: Sheet, at: int, label: str, counts: Sequence[float],
             place: tuple[float, float, float], label_width: float) -> None:
        style, (left, top, room) = sheet.style, place
        tall, total = self._tall(style), sum(counts)
        sheet.text(label_width, top + tall / 2, label, ha="right", width=label_width)
        if not total:
            sheet.text(left + GAP, top + tall / 2, _tr("nothing counted"), role="small", ink="ink2")
            return
        x, bar = left, style.line() + 2
        for n, (name, count) in enumerate(zip(self.names, counts, strict=True)):
            wide = room * count / total
            if not count:
                continue
            box = (x, top + (tall - bar) / 2, wide, bar)
            self._bar(sheet, box, n)
            words = f"{100 * count / total:.0f}"
            if sheet.width_of(words, "strong") + 6 <= wide:
                fill, hatch = self._look(style, n)
                if hatch:  # a number is not read off stripes
                    clear = sheet.width_of(words, "strong") + 6
                    sheet.box(x + (wide - clear) / 2, box[1], clear, bar, fill)
                sheet.text(x + wide / 2, top + tall / 2, words, role="strong", ink=style.ink_on(fill), ha="center")
            sheet.mark((self.first + at) * len(self.names) + n, (x, top, max(wide, 6), tall),
                       self.says(label, name, count, total), row=at, column=n)
            x += wide

    def _bar(self, sheet: Sheet, box: tuple[float, float, float, float], n: int) -> None:
        style, (left, top, wide, tall) = sheet.style, box
        fill, hatch = self._look(style, n)
        edge = style["edge"] if style.is_contrast or contrast(fill, style["page"]) < 1.3 else style["page"]
        line = 0.8
        sheet.box(left, top, wide, tall, fill, hatch=hatch or None, edgecolor=style["page"] if hatch else "none")
        sheet.box(left, top, wide, tall, "none", edgecolor=edge, linewidth=line)
