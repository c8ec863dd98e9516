"""A project that many tests begin from is made once a process, and copied for each of them."""

from __future__ import annotations

import functools
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, ParamSpec

P = ParamSpec("P")
_places: dict[object, tuple[Path, Path]] = {}


def made_once(make: Callable[Concatenate[Path, P], Path]) -> Callable[Concatenate[Path, P], Path]:
    """``make(folder, ..)`` fills a folder and returns the project in it; its other arguments are told by their repr."""

    @functools.wraps(make)
    def copied(folder: Path, *args: P.args, **named: P.kwargs) -> Path:
        key = make, repr((args, sorted(named.items())))
        if key not in _places:
            first = Path(tempfile.mkdtemp(prefix="goldsmith-kept-"))
            _places[key] = first, make(first, *args, **named).relative_to(first)
        first, project = _places[key]
        shutil.copytree(first, folder, dirs_exist_ok=True)
        return folder / project

    return copied


def forget() -> None:
    """Take away what was kept; the end of a test run calls it."""
    while _places:
        shutil.rmtree(_places.popitem()[1][0], ignore_errors=True)
