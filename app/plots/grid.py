"""Values of pairs in a grid of cells: agreement of two people, what two called the same item, signed differences.

    from app.plots.grid import Cell, Grid

    people = ("P1", "P2", "P3")
    plot = Grid(self.tr("By pair of people"), people, people, (
        (None, Cell(0.81, 24), Cell(0.76, 22)),
        (Cell(0.81, 24), None, Cell(None, 3)),
        (Cell(0.76, 22), Cell(None, 3), None)), note="α")
    view.show_plot(plot)            # marked(index) is row * 3 + column

    plot = confusion(self.tr("What they said"), ("yes", "no"), ((30, 4), (6, 20)), down="P1", across="P2")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from PySide6.QtCore import QCoreApplication

from app import figures
from app.plots.sheet import GAP, PAPER, Drawing, Plot, Sheet, one_line, title_height
from app.plots.style import Style, contrast

MOST_ROWS = 24    # shown at once
FEWEST = 5        # items that a number of a pair needs
SEAM = 2          # between cells


def _tr(text: str) -> str:
    return QCoreApplication.translate("plots", text)


@dataclass(frozen=True, slots=True)
class Cell:
    """One pair: its value (None has a ``reason``) and its items. ``below`` is printed under the value in place of
    n, ``shade`` is coloured in place of the value, ``framed``: where the two are the same; ``words`` for readers."""

    value: float | None
    n: int | None = None
    ci: tuple[float, float] | None = None
    reason: str = ""
    below: str | None = None
    shade: float | None = None
    framed: bool = False
    words: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """``cells[row][column]``; None is empty and no mark. ``low`` to ``high`` is the scale of the colours, the same for
    every project; of ``signed`` values it goes from -high to high, 0 is neutral. A cell with fewer than FEWEST items
    is hatched and has no number (not where ``counted``: counts are no estimates)."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell | None, ...], ...]
    note: str = ""
    down: str = ""                 # what the rows are
    across: str = ""               # what the columns are
    kind: Literal["value", "signed", "counted"] = "value"
    low: float = 0.2
    high: float = 1.0
    at: tuple[int, int, int] = (0, 0, 0)   # of a part: first row, first column, columns of the whole

    # --- what it says ---------------------------------------------------------------------------------------

    def is_few(self, cell: Cell) -> bool:
        return self.kind != "counted" and cell.n is not None and cell.n < FEWEST

    def shown(self, cell: Cell) -> str:
        """The number in a cell."""
        if cell.value is None:
            return figures.NONE
        if self.kind == "counted":
            return f"{cell.value:,.0f}" if float(cell.value).is_integer() else f"{cell.value:,.1f}"
        words = figures.value(cell.value)
        return f"+{words}" if self.kind == "signed" and float(f"{cell.value:.2f}") > 0 else words

    def says(self, row: str, column: str, cell: Cell) -> str:
        if cell.words:
            return cell.words
        words = _tr("{one} and {other}").format(one=row, other=column)
        n = "" if cell.n is None else f", n {figures.count(cell.n)}"
        if self.is_few(cell):
            return f"{words}: " + _tr("too few items") + n
        if cell.value is None:
            return f"{words}: {cell.reason or figures.NONE}{n}"
        return f"{words}: {self.shown(cell)}" + (f" ({figures.interval(cell.ci)})" if cell.ci else "") + n

    def table(self) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
        return ("row", "column", "value", "low", "high", "n", "reason"), [
            (row, column, cell.value, *(cell.ci or (None, None)), cell.n, cell.reason)
            for row, line in zip(self.rows, self.cells, strict=True)
            for column, cell in zip(self.columns, line, strict=True) if cell is not None]

    # --- sizes, without matplotlib --------------------------------------------------------------------------

    def _least(self, style: Style) -> float:
        """The least width of a cell."""
        longest = max((max(len(self.shown(cell)), len(self._below(cell)) - 1) for line in self.cells for cell in line
                       if cell is not None), default=4)
        return 12 + max(4, longest) * 0.62 * style.line() / 1.21

    def _label(self, style: Style, width: int) -> float:
        longest = max((len(one_line(row)) for row in self.rows), default=0)
        return min(_letters(style, longest), 0.26 * width)

    def _wide(self, style: Style, width: int) -> float:
        """The width of a cell with its seam."""
        room = (width - self._label(style, width) - GAP) / max(1, len(self.columns))
        longest = max((len(one_line(column)) for column in self.columns), default=0)
        return max(self._least(style) + SEAM, min(room, max(style.wide(84), _letters(style, longest) + GAP)))

    def _tall(self, style: Style) -> float:
        return round(style.line("strong") + style.line("small") + 9)

    def _head(self, style: Style, width: int) -> float:
        """The height of the names over the columns: upright where they do not fit side by side."""
        longest = max((len(one_line(column)) for column in self.columns), default=0)
        length = _letters(style, longest)
        if length <= self._wide(style, width):
            return style.line() + 6
        return min(length, style.wide(110)) + 10

    def _sides(self, style: Style) -> float:
        return style.line("small") + 6 if self.down or self.across else 0.0

    def height(self, style: Style, width: int) -> int:
        return round(title_height(style, self.title, self.note) + self._sides(style) + self._head(style, width)
                     + len(self.rows) * (self._tall(style) + SEAM))

    def parts(self, style: Style, width: int) -> Sequence[Plot]:
        across = int(max(1, (width - self._label(style, width) - GAP) // (self._least(style) + SEAM)))
        if len(self.rows) <= MOST_ROWS and len(self.columns) <= across:
            return (self,)
        return [replace(self, rows=self.rows[top:top + MOST_ROWS], columns=self.columns[left:left + across],
                        cells=tuple(line[left:left + across] for line in self.cells[top:top + MOST_ROWS]),
                        at=(top, left, len(self.columns)))
                for top in range(0, len(self.rows), MOST_ROWS) for left in range(0, len(self.columns), across)]

    def where(self, parts: Sequence[Plot], at: int) -> str:
        part = parts[at]
        assert isinstance(part, Grid)
        top, left, _ = part.at
        return _tr("Rows {top} to {bottom} of {rows}, columns {left} to {right} of {columns}").format(
            top=top + 1, bottom=top + len(part.rows), rows=len(self.rows), left=left + 1,
            right=left + len(part.columns), columns=len(self.columns))

    def paper_width(self, style: Style) -> int:
        needed = 0.26 * PAPER + GAP + len(self.columns) * (self._least(style) + SEAM)
        return round(max(PAPER, needed))

    # --- drawing --------------------------------------------------------------------------------------------

    def draw(self, style: Style, width: int) -> Drawing:
        with style.worn():
            sheet = Sheet(style, width, self.height(style, width))
            top = sheet.title(self.title, self.note)
            label, wide, tall = self._label(style, width), self._wide(style, width), self._tall(style) + SEAM
            left = label + GAP
            if self._sides(style):
                words = [_tr("down: {rows}").format(rows=self.down) if self.down else "",
                         _tr("across: {columns}").format(columns=self.across) if self.across else ""]
                sheet.text(0, top, ", ".join(filter(None, words)), role="small", ink="ink2", va="top", width=width)
                top += self._sides(style)
            head = self._head(style, width)
            upright = head > style.line() + 6
            for n, column in enumerate(self.columns):
                x = left + n * wide + wide / 2 - SEAM / 2
                if upright:
                    sheet.text(x, top + head - 5, column, ink="ink2", ha="center", va="bottom", width=head - 8,
                               rotation=90)
                else:
                    sheet.text(x, top + head / 2, column, ink="ink2", ha="center", width=wide - 4)
            top += head
            for n, (row, line) in enumerate(zip(self.rows, self.cells, strict=True)):
                y = top + n * tall
                sheet.text(label, y + (tall - SEAM) / 2, row, ha="right", width=label)
                for m, cell in enumerate(line):
                    box = (left + m * wide, y, wide - SEAM, tall - SEAM)
                    if cell is None:
                        sheet.text(box[0] + box[2] / 2, y + box[3] / 2, "·", ink="ink2", ha="center")
                        continue
                    self._draw_cell(sheet, box, cell)
                    index = (self.at[0] + n) * (self.at[2] or len(self.columns)) + self.at[1] + m
                    sheet.mark(index, box, self.says(row, self.columns[m], cell), row=n, column=m, filled=True)
            return sheet.done()

    def _below(self, cell: Cell) -> str:
        if cell.below is not None:
            return cell.below
        return "" if cell.n is None else f"n {figures.count(cell.n)}"

    def fill(self, style: Style, cell: Cell) -> str:
        given = cell.shade if cell.shade is not None else cell.value
        if given is None or self.is_few(cell):
            return style["page"]
        if self.kind == "signed":
            return style.lean(given / self.high)
        return style.shade((given - self.low) / (self.high - self.low))

    def _draw_cell(self, sheet: Sheet, box: tuple[float, float, float, float], cell: Cell) -> None:
        style, (left, top, wide, tall) = sheet.style, box
        fill = self.fill(style, cell)
        if self.is_few(cell):
            sheet.box(*box, fill, hatch="///", edgecolor=style["ink3"])
            return
        faint = "line" if contrast(fill, style["page"]) < 1.2 else ""
        edge = style["ink"] if cell.framed else style["edge"] if style.is_contrast else style[faint] if faint else None
        sheet.box(*box, fill)
        if edge is not None:
            line = 1.8 if cell.framed else 0.8
            sheet.box(left + line / 2, top + line / 2, wide - line, tall - line, "none", edgecolor=edge,
                      linewidth=line)
        ink, middle = style.ink_on(fill), left + wide / 2
        below = self._below(cell)
        first = top + tall / 2 - (style.line("small") / 2 if below else 0)
        sheet.text(middle, first, self.shown(cell), role="strong", ink=ink, ha="center")
        if below:
            sheet.text(middle, first + (style.line("strong") + style.line("small")) / 2, below, role="small", ink=ink,
                       ha="center", width=wide - 2)


def _letters(style: Style, count: int) -> float:
    """A width that holds so many letters: Inter's are 0.55 em wide on the whole, few may all be wide ones."""
    return (0.56 * count + 0.8) * style.line() / 1.21 if count else 0.0


def confusion(title: str, categories: Sequence[str], counts: Sequence[Sequence[float]], *, down: str, across: str,
              note: str = "") -> Grid:
    """What one said (``down``, the rows) and the other (``across``) about the same items: counts, and under each its
    share of the row, which is what is coloured. Where both said the same there is a frame. Counts of many pairs may
    have halves."""
    lines = []
    for n, (row, line) in enumerate(zip(categories, counts, strict=True)):
        total = sum(line)
        cells: list[Cell | None] = []
        for m, (column, count) in enumerate(zip(categories, line, strict=True)):
            share = count / total if total else None
            percent = "" if share is None else f"{100 * share:.0f} %"
            said = _tr("{down}: {row}, {across}: {column}").format(down=down, row=row, across=across, column=column)
            number = f"{count:,.0f}" if float(count).is_integer() else f"{count:,.1f}"
            words = f"{said}: {number}" + ("" if share is None else ", " + _tr("{percent} of the row").format(
                percent=percent))
            cells.append(Cell(count, None, below=percent, shade=share or 0.0, framed=n == m, words=words))
        lines.append(tuple(cells))
    names = tuple(categories)
    return Grid(title, names, names, tuple(lines), note, down, across, "counted", low=0.0, high=1.0)
