"""How figures are said and taken away: values, intervals, scales of dot columns, Markdown and CSV."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QCoreApplication

MINUS, NONE = "\N{MINUS SIGN}", "–"


def _tr(text: str) -> str:
    return QCoreApplication.translate("figures", text)


def value(number: float | None, places: int = 2) -> str:
    """"0.78" or "−0.18"; a missing value is a dash."""
    if number is None:
        return NONE
    text = f"{number:.{places}f}"
    return (text if float(text) else text.lstrip("-")).replace("-", MINUS)  # no minus before a zero


def interval(ci: Sequence[float] | None, places: int = 2) -> str:
    """"0.71 to 0.84"."""
    if ci is None:
        return NONE
    return _tr("{low} to {high}").format(low=value(ci[0], places), high=value(ci[1], places))


def with_interval(number: float | None, ci: Sequence[float] | None) -> str:
    """"0.78 (0.71 to 0.84)"."""
    return f"{value(number)} ({interval(ci)})" if ci is not None else value(number)


def count(n: int) -> str:
    return f"{n:,}"


def scale_of(numbers: Iterable[float | None], *, low: float = 0.0, high: float = 1.0) -> tuple[float, float]:
    """The ends of a dot column: ``low`` to ``high``, wider where a number lies outside, by whole steps."""
    known = [number for number in numbers if number is not None]
    least, most = min([low, *known]), max([high, *known])
    step = 0.2 if most - least <= 1.2 else 0.5
    return (low if least >= low else math.floor(least / step + 1e-9) * step,
            high if most <= high else math.ceil(most / step - 1e-9) * step)


def overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two intervals share a point."""
    return one[0] <= other[1] and other[0] <= one[1]


def as_markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, padded so that it reads well where nothing renders it."""
    cells = [[one.replace("|", "\\|").replace("\n", " ") for one in row] for row in (head, *rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(head))]
    lines = ["| " + " | ".join(one.ljust(wide) for one, wide in zip(row, widths, strict=True)) + " |" for row in cells]
    lines.insert(1, "|" + "|".join("-" * (wide + 2) for wide in widths) + "|")
    return "\n".join(lines) + "\n"


def as_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """CSV as spreadsheets open it: UTF-8 with its mark, full figures, an empty cell for what is missing."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows(["" if one is None else one for one in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")
