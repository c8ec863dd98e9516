# SPDX-License-Identifier: Apache-2.0
"""Scores as LaTeX: a document that compiles by itself, with tables that can be copied into a paper (booktabs)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from exports.scorer.layout import Sheet, headline, sheets

_SPECIAL = {"\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
            "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
            ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}"}
_MARKS = re.compile("[" + re.escape("".join(_SPECIAL)) + "]")
# Rows beyond this are long lists (slices), which break over pages.
MOST_ROWS = 40


def latex(scores: Mapping[str, Any]) -> str:
    return "\n".join(_document(scores)) + "\n"


def escaped(text: str) -> str:
    """A text in which nothing is a command; control characters are left out, line breaks become spaces."""
    plain = "".join(" " if char in "\n\r\t" else char for char in text
                    if char in "\n\r\t" or unicodedata.category(char) != "Cc")
    return _MARKS.sub(lambda found: _SPECIAL[found.group()], plain)


def _document(scores: Mapping[str, Any]) -> Iterator[str]:
    yield r"\documentclass{article}"
    yield r"\usepackage[T1]{fontenc}"
    yield r"\usepackage[utf8]{inputenc}"
    yield r"\usepackage{booktabs,longtable}"
    yield r"\usepackage[margin=1.5cm,landscape]{geometry}"
    yield r"\begin{document}\footnotesize"
    yield r"\noindent " + escaped(headline(scores))
    for sheet in sheets(scores):
        yield ""
        yield from _table(sheet)
    yield r"\end{document}"


def _table(sheet: Sheet) -> Iterator[str]:
    """The column of parts is left out: it is in the JSON, and no page is wide enough."""
    kept = [place for place, name in enumerate(sheet.head) if name not in ("parts", "persons", "each run")]
    columns = "".join("r" if place in sheet.right else "l" for place in kept)
    kind = "tabular" if len(sheet.rows) <= MOST_ROWS else "longtable"
    yield r"\paragraph{" + escaped(sheet.title) + "}"
    yield rf"\begin{{{kind}}}{{{columns}}}"
    yield r"\toprule"
    yield _row([sheet.head[place] for place in kept])
    yield r"\midrule"
    for row in sheet.rows:
        yield _row([row[place] for place in kept])
    yield r"\bottomrule"
    yield rf"\end{{{kind}}}"
    if sheet.note:
        yield ""
        yield r"\noindent " + escaped(sheet.note)


def _row(cells: list[str]) -> str:
    text = " & ".join(map(escaped, cells))
    # A cell that begins with a bracket would be read as an option of the line break before it.
    return ("{}" if text.startswith("[") else "") + text + r" \\"
