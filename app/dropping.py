"""Files dropped on the window: which they are, and whether they are predictions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData

_PREDICTED = {"answer", "response", "scores", "judge_score", "refused"}


def local_files(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def is_predictions(file: Path) -> bool:
    """Whether the first line of a JSONL file is one prediction: an id and something said about it."""
    if file.suffix.lower() != ".jsonl":
        return False
    try:
        with file.open("rb") as stream:
            first = json.loads(stream.readline(1_000_000))
    except (OSError, ValueError):
        return False
    return isinstance(first, dict) and "id" in first and bool(_PREDICTED & first.keys())


def destination(files: list[Path], sees: Callable[[str], bool]) -> tuple[str, str, dict[str, Any]]:
    """``(project, page, where)``: a project to open, or the page that takes the files and what to tell it."""
    project = next((str(file) for file in files if file.suffix == ".goldsmith"), "")
    if project or not files:
        return project, "", {}
    if all(is_predictions(file) for file in files) and sees("score"):
        return "", "score", {"files": [str(file) for file in files]}
    return ("", "items", {"file": str(files[0])}) if sees("items") else ("", "", {})
