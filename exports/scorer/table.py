# SPDX-License-Identifier: Apache-2.0
"""Scores as a plain Markdown table for the terminal and for a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

FEW = 20  # below this a slice says little; the table marks it


def table(scores: Mapping[str, Any]) -> str:
    """One table of systems by metric, and one of slices if the items have tags."""
    return "\n".join(_tables(scores))


def _tables(scores: Mapping[str, Any]) -> Iterator[str]:
    rows = [[system["system"], one["metric"], one["question"] or "", _figure(one["value"]), _interval(one["ci"]),
             str(one["n"]), str(one["missing"]), str(one["refused"]), str(one["unparsable"]), _parts(one)]
            for system in scores["systems"] for one in system["metrics"]]
    yield f"{scores['bundle']}  (manifest {scores['manifest_sha256'][:12]}, scorer {scores['scorer_version']})"
    yield ""
    yield from _lines(["system", "metric", "question", "value", "95 % interval", "n", "missing", "refused",
                       "unparsable", "parts"], rows)
    slices = [[system["system"], one["metric"], one["question"] or "", f"{one['field']} = {_tag(one['value'])}",
               _figure(one["value_of"]), _interval(one["ci"]), f"{one['n']}{' (few)' if one['n'] < FEW else ''}"]
              for system in scores["systems"] for one in system["slices"]]
    if slices:
        yield ""
        yield from _lines(["system", "metric", "question", "slice", "value", "95 % interval", "n"], slices)


def _tag(value: str | None) -> str:
    return "(none)" if value is None else value


def _figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _interval(ci: Sequence[float] | None) -> str:
    return "" if ci is None else f"{ci[0]:.3f} to {ci[1]:.3f}"


def _parts(one: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {part if isinstance(part, int) else _figure(part)}"
                     for name, part in one["parts"].items() if part != one["value"] or name != one["metric"])


def _lines(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A Markdown table, padded so that it also reads well where nothing renders it."""
    cells = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in [head, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for number, row in enumerate(cells):
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        if number == 0:
            yield "|" + "|".join("-" * (width + 2) for width in widths) + "|"
