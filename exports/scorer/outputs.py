# SPDX-License-Identifier: Apache-2.0
"""A report in the format that is asked for: strict JSON, Markdown, LaTeX, HTML."""

from __future__ import annotations

import json
import os
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
    """The whole file or nothing of it. Raises Refused where it cannot be written."""
    text = FORMATS[format_of(file, named)](scores)
    try:
        _write(Path(file), text)
    except OSError as fault:
        raise Refused(N_("{file} cannot be written: {why}"), code="unwritable", where=Where(file=file), file=file,
                      why=fault.strerror or "unknown") from None


def _write(path: Path, text: str) -> None:
    """Beside it first, so that who stops half-way leaves the file as it was; a pipe or device is written as it is."""
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    target = path.resolve()  # where a link leads: the link stays
    part = target.with_name(f".{target.name[:100]}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
