# SPDX-License-Identifier: Apache-2.0
"""Scores as plain Markdown tables for the terminal and for a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exports.scorer.layout import headline, sheets


def table(scores: Mapping[str, Any]) -> str:
    """One table of systems by metric, and one of each thing more that was computed."""
    return "\n".join(_tables(scores))


def _tables(scores: Mapping[str, Any]) -> Iterator[str]:
    yield _plain(headline(scores))
    for number, sheet in enumerate(sheets(scores)):
        yield ""
        if number:
            yield f"**{_plain(sheet.title)}**"
            yield ""
        yield from _lines(sheet.head, sheet.rows)
        if sheet.note:
            yield ""
            yield _plain(sheet.note)


def _plain(text: str) -> str:
    return text.replace("\n", " ").replace("\r", " ")


def _lines(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A Markdown table, padded so that it also reads well where nothing renders it."""
    cells = [[_plain(cell.replace("\\", "\\\\").replace("|", "\\|")) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for number, row in enumerate(cells):
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        if number == 0:
            yield "|" + "|".join("-" * (width + 2) for width in widths) + "|"
