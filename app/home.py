"""The folder of everything that belongs to the person: settings, log, reports, the demo project."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def home() -> Path:
    """GOLDSMITH_HOME, or the platform's place; not made here."""
    if named := os.environ.get("GOLDSMITH_HOME"):
        return Path(named)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "goldsmith"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "goldsmith"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "goldsmith"
