"""Which machine this is: a random id kept in the person's data folder, one event chain each."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from uuid import UUID

from annotation.store.ids import new_id


def home() -> Path:
    """The person's data folder: ``GOLDSMITH_HOME``, else the platform's. Not created here."""
    if said := os.environ.get("GOLDSMITH_HOME"):
        return Path(said)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "goldsmith"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "goldsmith"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "goldsmith"


def this_device() -> UUID:
    """This machine's id; where the folder cannot be written, an id for this process only."""
    return _device_of(home())


@cache
def _device_of(folder: Path) -> UUID:
    file = folder / "device"
    try:
        return UUID(file.read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        pass
    made = new_id()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f"device.{made.hex}.part"
        part.write_text(made.hex, encoding="ascii")
        part.replace(file)
    except OSError:
        pass
    return made
