"""Flow: the fields of an item set one below the other in a column, with pictures in rows at one common scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from app import theme
from app.stage.texts import Words
from app.stage.view import Part

Sizes = Mapping[str, tuple[int, int]]  # of each picture by its SHA-256, upright
ASIDE = 0.5  # of the width of a line, where what is read first stands at the left of the pictures
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing on the screen, in logical pixels. ``name``: with which name of a screen it comes."""

    name: str
    x: float
    y: float
    width: float
    height: float
    words: Words | None = None
    picture: str | None = None
    cap: str = ""

    def moved(self, x: float, y: float) -> Piece:
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(slots=True)
class Cell:
    """A picture, or a picture with words above it. ``read``: the words are to be read, not only a name."""

    name: str
    words: Words | None
    picture: str | None
    size: tuple[int, int]
    read: bool = False


@dataclass(slots=True)
class Flow:
    """The stimulus of one trial at one size of text, ready to be set in any width and at any scale of pictures.

    ``aside``: the text before the first picture stands at the left of all that follows, in a narrower column;
    ``under``: the pictures before those that words are read with stand under it.
    """

    rows: list[Words | list[Cell] | tuple[Words, Words]]
    names: list[str]
    text_width: float
    factor: float
    aside: bool = False
    under: bool = False
    gap: int = field(default_factory=lambda: theme.space("l"))

    @property
    def cells(self) -> list[Cell]:
        return [cell for row in self.rows if isinstance(row, list) for cell in row]

    @property
    def ways(self) -> tuple[Flow, ...]:
        """The ways in which it may be set, the plainest first."""
        first, read = self._first(), self._read()
        return (self, replace(self, under=True)) if self.aside and 0 < first < read else (self,)

    def _first(self) -> int:
        """The first row of pictures; 0 where there is none."""
        return next((n for n, row in enumerate(self.rows) if isinstance(row, list)), 0)

    def _read(self) -> int:
        """The row with which the words begin that are read with pictures; 0 where there are none."""
        first = next((n for n, row in enumerate(self.rows) if isinstance(row, list) and any(c.read for c in row)), 0)
        while first and not isinstance(self.rows[first - 1], list) and self.names[first - 1] == self.names[first]:
            first -= 1  # with its label
        return first

    def smallest(self, scale: float) -> float:
        """The longer side of the smallest picture."""
        return min((max(cell.size) * scale for cell in self.cells), default=0.0)

    def place(self, width: float, scale: float) -> tuple[float, float, list[Piece]]:
        """Width and height that it takes, and its pieces from (0, 0)."""
        first = 0 if not self.aside else self._read() if self.under else self._first()
        if not first:
            return self._stack(0, len(self.rows), width, min(width, self.text_width), scale)
        column = min(width, ASIDE * self.text_width)
        filled, above, told = self._stack(0, first, column, column, scale)
        left = max(column, filled) + 2 * self.gap
        used, tall, found = self._stack(first, len(self.rows), max(1, width - left),
                                        max(1, min(width - left, self.text_width)), scale)
        return left + used, max(above, tall), told + [piece.moved(left, 0) for piece in found]

    def _stack(self, begin: int, end: int, width: float, room: float, scale: float
               ) -> tuple[float, float, list[Piece]]:
        """Some rows one below the other; ``room`` is how wide a line of text may be."""
        pieces: list[Piece] = []
        y, used = 0.0, 0.0
        for name, row in zip(self.names[begin:end], self.rows[begin:end], strict=True):
            y += self.gap if pieces else 0
            if isinstance(row, Words):
                tall = row.height_at(room)
                pieces.append(Piece(name, 0, y, room, tall, words=row))
                used, y = max(used, min(room, row.natural_width())), y + tall
            elif isinstance(row, tuple):
                mark, text = row
                left = mark.natural_width() + theme.space("m")
                tall = text.height_at(max(1, room - left))
                pieces.append(Piece(name, 0, y, left, tall, words=mark))
                pieces.append(Piece(name, left, y, room - left, tall, words=text))
                used, y = max(used, left + min(room - left, text.natural_width())), y + tall
            else:
                wide, tall, found = _grid(row, width, scale, self.gap)
                pieces += [piece.moved(0, y) for piece in found]
                used, y = max(used, wide), y + tall
        return min(used, width) if used <= width else used, y, pieces


def _grid(cells: list[Cell], width: float, scale: float, gap: int) -> tuple[float, float, list[Piece]]:
    """As many in a row as fit, the rows as even as can be; what does not fit at all tells by its width."""
    widths = [_cell_width(cell, scale) for cell in cells]
    columns = len(cells)
    while columns > 1 and max(_row_width(widths[n:n + columns], gap)
                              for n in range(0, len(cells), columns)) > width:
        columns -= 1
    columns = -(-len(cells) // -(-len(cells) // columns))
    widths = _share(cells, widths, (width - gap * (columns - 1)) / columns)
    pieces: list[Piece] = []
    used = y = 0.0
    for begin in range(0, len(cells), columns):
        row, wide = cells[begin:begin + columns], widths[begin:begin + columns]
        above = max((cell.words.height_at(w) + theme.space("xs") for cell, w in zip(row, wide, strict=True)
                     if cell.words), default=0.0)
        y += gap if begin else 0
        x = 0.0
        for cell, w in zip(row, wide, strict=True):
            if cell.words:
                pieces.append(Piece(cell.name, x, y, w, cell.words.height_at(w), words=cell.words))
            if cell.picture:
                pieces.append(Piece(cell.name, x, y + above, cell.size[0] * scale, cell.size[1] * scale,
                                    picture=cell.picture))
            x += w + gap
        used = max(used, x - gap)
        y += above + max(cell.size[1] * scale for cell in row)
    return used, y, pieces


def _share(cells: list[Cell], widths: list[float], column: float) -> list[float]:
    """Words to be read take the room that is left in their row, in even columns: few long lines leave pictures more."""
    if not any(cell.read for cell in cells):
        return widths
    most = max(cell.words.natural_width() for cell in cells if cell.words)
    even = min(column, max(most, *widths), theme.size("reading_column"))
    return [even] * len(cells) if even >= max(widths) else widths


def _cell_width(cell: Cell, scale: float) -> float:
    least = min(cell.words.natural_width(), theme.wide(160 if cell.read else 80)) if cell.words else 0.0
    return max(cell.size[0] * scale, least)


def _row_width(widths: list[float], gap: int) -> float:
    return sum(widths) + gap * (len(widths) - 1)


# --- from fields to rows ------------------------------------------------------------------------------------

def flow(parts: tuple[Part, ...], sizes: Sizes, factor: float, text_width: float, *, aside: bool = False) -> Flow:
    """``factor``: of all sizes of text. Pictures that follow one another stand in one grid."""
    made = Flow([], [], text_width, factor, aside)
    for part in parts:
        label = part.label if len(parts) > 1 else ""
        cells = list(_cells(part, sizes, factor, label))
        if cells:
            if made.rows and isinstance(made.rows[-1], list) and not any(cell.read for cell in made.rows[-1] + cells):
                made.rows[-1].extend(cells)
            else:
                made.rows.append(cells)
                made.names.append(part.name)
            continue
        if label and part.kind != "number":
            made.rows.append(Words(label, "caption", factor, ink="ink2"))
            made.names.append(part.name)
        for row in _texts(part, factor):
            made.rows.append(row)
            made.names.append(part.name)
    return made


def _cells(part: Part, sizes: Sizes, factor: float, label: str) -> Iterator[Cell]:
    if part.kind == "image":
        yield _cell(part.name, part.value, sizes, label, factor)
    elif part.kind == "images":
        for n, one in enumerate(part.value):
            own = str(one.get("name") or "")
            path = str(one["image"].get("path") or "").replace("\\", "/").rsplit("/", 1)[-1]
            called = "" if own in (path, path.rsplit(".", 1)[0]) else own  # a file's name would tell, or say nothing
            yield _cell(part.name, one["image"], sizes, called or (label if n == 0 else ""), factor)
    elif part.kind in ("steps", "candidates"):
        picture = "figure" if part.kind == "steps" else "image"
        if not any(one.get(picture) for one in part.value):
            return
        for n, one in enumerate(part.value):
            text = f"{_mark(part.kind, n)}  {one.get('text') or ''}".rstrip()
            yield _cell(part.name, one.get(picture), sizes, text, factor, read=bool(one.get("text")))


def _cell(name: str, reference: Any, sizes: Sizes, words: str, factor: float, *, read: bool = False) -> Cell:
    sha256 = reference.get("sha256") if isinstance(reference, Mapping) else None
    set_in = Words(words, "reading" if read else "caption", factor, ink="ink" if read else "ink2") if words else None
    return Cell(name, set_in, sha256, sizes[sha256] if sha256 else (0, 0), read)


def _mark(kind: str, n: int) -> str:
    return f"{n + 1}" if kind == "steps" else LETTERS[n % 26]


def _texts(part: Part, factor: float) -> Iterator[Words | tuple[Words, Words]]:
    if part.kind in ("steps", "candidates"):
        for n, one in enumerate(part.value):
            yield (Words(_mark(part.kind, n), "reading", factor, ink="ink2"),
                   Words(str(one.get("text") or ""), "reading", factor))
    elif part.kind in ("markdown", "table"):
        yield Words(str(part.value), "reading", factor, kind=part.kind)
    elif part.kind == "number":
        said = f"{part.label}: {part.value}" if part.label else str(part.value)
        yield Words(f"{said} {part.unit}".rstrip(), "reading", factor)
    else:
        yield Words(str(part.value), "reading", factor, ink="ink2" if part.kind == "tag" else "ink")
