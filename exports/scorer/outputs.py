# SPDX-License-Identifier: Apache-2.0
"""A report in the format that is asked for: strict JSON, Markdown, LaTeX, HTML."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from annotation.errors import N_, Refused, Where
from exports.scorer.latex import latex
from exports.scorer.table import table
from exports.scorer.web import page

SCHEMA = "goldsmith/score/1"
ENDINGS = {".json": "json", ".md": "md", ".tex": "latex", ".html": "html", ".htm": "html"}


def as_json(scores: Mapping[str, Any]) -> str:
    """Strict JSON: no NaN, no infinities; every digit of every number."""
    return json.dumps({"ok": True, "schema": SCHEMA, **scores}, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def as_markdown(scores: Mapping[str, Any]) -> str:
    return table(scores) + "\n"


FORMATS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "json": as_json, "md": as_markdown, "latex": latex, "html": page}


def format_of(file: str, named: str | None) -> str:
    """The format named, else that of the file's ending; JSON for any other."""
    return named or ENDINGS.get(Path(file).suffix.lower(), "json")


def write(scores: Mapping[str, Any], file: str, named: str | None = None) -> None:
    """Raises Refused where the file cannot be written."""
    text = FORMATS[format_of(file, named)](scores)
    try:
        Path(file).write_text(text, encoding="utf-8", newline="\n")
    except OSError as fault:
        raise Refused(N_("{file} cannot be written: {why}"), code="unwritable", where=Where(file=file), file=file,
                      why=fault.strerror or "unknown") from None
