"""Preload: what can be done before a trial is done before it, beside the window's thread; faults are told by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from app.i18n import QT_TRANSLATE_NOOP, translate
from app.stage import compose
from app.stage.compose import Device, Frames
from app.stage.flow import Sizes
from app.stage.layout import Setting, settle
from app.stage.view import TrialView

_DUMMY = QT_TRANSLATE_NOOP("stage", "One moment")


def check(views: Sequence[TrialView], media: Any, device: Device, progress: Callable[[int, int], None],
          cancelled: Callable[[], bool]) -> Setting | None:
    """Read every picture of every trial to its end and find the one setting that fits all; for the pool.

    None where it was cancelled. Raises Refused that names the item, and the file or the screen.
    """
    known: dict[str, tuple[int, int]] = {}
    found: list[tuple[TrialView, Sizes]] = []
    for n, view in enumerate(views):
        if cancelled():
            return None
        for sha256, file in compose.fetch(view, media).items():
            if sha256 not in known:
                known[sha256] = file.size()
                file.shown_at((64, 64))  # to the last byte: half a picture is no picture
        found.append((view, {sha256: known[sha256] for sha256, _ in view.pictures if sha256}))
        progress(n + 1, len(views))
    return settle(found, device.room) if found else None


def dummy(device: Device) -> Frames:
    """A trial that is none: it makes everything happen once that is slow the first time."""
    view = TrialView("", translate(_DUMMY, "stage"), (), (), (frozenset({"question", "options"}),))
    return compose.frames(view, None, device, None)
