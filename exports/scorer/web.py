# SPDX-License-Identifier: Apache-2.0
"""Scores as one HTML page: tables and plots, light and dark, no script, nothing loaded from anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from exports.scorer.drawing import Dot, dots
from exports.scorer.layout import Sheet, headline, sheets

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1d22; --soft: #666c78; --line: #d9dce3; --paper: #fff; --dot: #1f5fbf;
  --people: #b4560a; --base: #7a808c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaee; --soft: #a2a8b4; --line: #3a3f49; --paper: #16181d;
  --dot: #7db0ff; --people: #ffb066; --base: #8d94a1; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto;
  max-width: 72rem; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.note { color: var(--soft); } .wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; } .right { text-align: right; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; } svg .tick, svg .note { fill: var(--soft); }
svg .grid { stroke: var(--line); } svg .mark { stroke: var(--soft); stroke-dasharray: 4 3; }
svg .ci { stroke: var(--dot); stroke-width: 2; } svg .dot { fill: var(--dot); }
svg .people { stroke: var(--people); fill: var(--people); } svg .baseline { stroke: var(--base); fill: var(--base); }
svg { max-width: 100%; height: auto; }
"""


def page(scores: Mapping[str, Any]) -> str:
    return "\n".join(_page(scores)) + "\n"


def _page(scores: Mapping[str, Any]) -> Iterator[str]:
    title = f"Scores: {scores['bundle']}"
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
    yield f'<h1>{escape(title)}</h1><p class="note">{escape(headline(scores))}</p>'
    for system in scores["systems"]:
        if system["file"] is not None and system["predictions_sha256"]:
            yield f'<p class="note">{escape(system["system"])}: SHA-256 {escape(system["predictions_sha256"])}</p>'
    yield from _plots(scores)
    for sheet in sheets(scores):
        yield from _table(sheet)
    yield "</body></html>"


def _plots(scores: Mapping[str, Any]) -> Iterator[str]:
    asked = dict.fromkeys((one["metric"], one["question"]) for system in scores["systems"] for one in system["metrics"])
    for metric, question in asked:
        rows = [(system, one) for system in scores["systems"] for one in system["metrics"]
                if (one["metric"], one["question"]) == (metric, question)]
        name = metric + (f", {question}" if question else "")
        best, worst = rows[0][1]["best"], rows[0][1]["worst"]
        yield from _plot(f"{name}: value and 95 % interval",
                         [Dot(system["system"], one["value"], one["ci"], kind=_kind(system)) for system, one in rows],
                         low=worst, high=best)
        yield from _slices(scores, metric, question, name)
    yield from _plot("Differences on the items that both answered, 95 % interval",
                     [Dot(f"{one['first']} - {one['second']}", one["difference"], one["ci"])
                      for one in scores.get("comparisons", ()) if one["difference"] is not None], line=0.0)
    yield from _plot("Gap to people, 95 % interval",
                     [Dot(f"{one['system']} - {one['people']}", one["gap"], one["ci"], kind="people")
                      for one in scores.get("gaps", ()) if one["gap"] is not None], line=0.0)


def _slices(scores: Mapping[str, Any], metric: str, question: str | None, name: str) -> Iterator[str]:
    for system in scores["systems"]:
        if _kind(system) == "baseline":
            continue
        own = [one for one in system["slices"] if (one["metric"], one["question"]) == (metric, question)]
        for field in dict.fromkeys(one["field"] for one in own):
            yield from _plot(f"{system['system']}, {name}, by {field}",
                             [Dot("(none)" if one["value"] is None else one["value"], one["value_of"], one["ci"],
                                  one["reason"] or "", _kind(system)) for one in own if one["field"] == field][:60])


def _kind(system: Mapping[str, Any]) -> str:
    kind = system.get("kind", "file")
    return kind if kind in ("file", "baseline") else "people"


def _plot(title: str, rows: Sequence[Dot], **more: float | None) -> Iterator[str]:
    drawn = dots(title, rows, **more) if rows else ""
    if drawn:
        yield f"<h2>{escape(title)}</h2>{drawn}"


def _table(sheet: Sheet) -> Iterator[str]:
    yield f'<h2>{escape(sheet.title)}</h2><div class="wide"><table><thead><tr>'
    yield "".join(f'<th scope="col"{_side(sheet, place)}>{escape(name)}</th>' for place, name in enumerate(sheet.head))
    yield "</tr></thead><tbody>"
    for row in sheet.rows:
        cells = "".join(f"<td{_side(sheet, place)}>{escape(cell)}</td>" for place, cell in enumerate(row))
        yield f"<tr>{cells}</tr>"
    yield "</tbody></table></div>"
    if sheet.note:
        yield f'<p class="note">{escape(sheet.note)}</p>'


def _side(sheet: Sheet, place: int) -> str:
    return ' class="right"' if place in sheet.right else ""
