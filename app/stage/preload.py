"""Preload: what can be done before a trial is done before it: pictures on the pool, words in the window's thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from annotation.errors import Refused
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.stage import compose
from app.stage.compose import Device, Frames
from app.stage.flow import Sizes
from app.stage.layout import Setting, settling
from app.stage.view import TrialView

_DUMMY = QT_TRANSLATE_NOOP("stage", "One moment")
SLICE_S = 0.01  # so long trials are set at a time, then the window has its turn

Told = Callable[[int, int], None]


def read_all(views: Sequence[TrialView], media: Any, progress: Told, cancelled: Callable[[], bool]) -> Sizes:
    """The sizes of all pictures, each read to its end: half a picture is no picture. For the pool.

    Raises Refused that names the item and the file.
    """
    known: dict[str, tuple[int, int]] = {}
    for n, view in enumerate(views):
        if cancelled():
            break
        if not all(sha256 in known for sha256, _ in view.pictures):
            for sha256, file in compose.fetch(view, media).items():
                if sha256 not in known:
                    known[sha256] = file.size()
                    file.shown_at((64, 64))
        progress(n + 1, len(views))
    return known


class Preload(QObject):
    """``ready(Frames, begun_us)`` follows ``prepare``, ``refused(Refused)`` where that cannot be."""

    ready = Signal(object)
    refused = Signal(object)

    def __init__(self, jobs: Any, media: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._media = jobs, media
        self._sizes: dict[str, tuple[int, int]] = {}
        self._setting: Setting | None = None
        self._settled_for: Device | None = None
        self._steps: Generator[None, None, Setting] | None = None
        self._then: Callable[[], None] | None = None
        self._failed: Callable[[Any], None] | None = None
        self._number = 0  # of what was asked for last; what comes later of an earlier one is for nobody

    def check_all(self, views: Sequence[TrialView], device: Device, *, then: Callable[[], None],
                  failed: Callable[[Any], None], progressed: Told | None) -> Any:
        """Read all, then settle all; returns the work, which can be cancelled while it reads."""
        media = self._media
        self._then, self._failed = then, failed
        self._setting, self._settled_for = None, device

        def read(progress: Told, cancelled: Callable[[], bool]) -> Sizes:
            return read_all(views, media, progress, cancelled)

        def done(sizes: Sizes) -> None:
            self._sizes.update(sizes)
            found = [(view, {key: sizes[key] for key, _ in view.pictures if key}) for view in views]
            self._steps = settling(found, device.room) if found else None
            self._settle()

        return self._jobs.work(self, read, then=done, failed=failed, progressed=progressed)

    def _settle(self) -> None:
        until = time.monotonic() + SLICE_S
        try:
            while self._steps is not None and time.monotonic() < until:
                next(self._steps)
        except StopIteration as end:
            self._setting, self._steps = end.value, None
        except Refused as refused:
            self._steps = None
            assert self._failed is not None
            self._failed(refused)
            return
        if self._steps is not None:
            QTimer.singleShot(0, self, self._settle)
        elif self._then is not None:
            self._then()

    def prepare(self, view: TrialView, device: Device) -> None:
        self._number += 1
        number, media = self._number, self._media
        try:
            if not all(key in self._sizes for key, _ in view.pictures):
                self._sizes.update({key: file.size() for key, file in compose.fetch(view, media).items()})
            # On another screen than all were settled for, a trial is settled for itself.
            setting = self._setting if device == self._settled_for else None
            layout = compose.lay_out(view, self._sizes, device, setting)
        except Refused as refused:
            # Later: who asked is not told before the asking is over.
            QTimer.singleShot(0, self, lambda refused=refused: self.refused.emit(refused))
            return
        boxes = compose.wanted(layout, device)

        def decode(_progress: Any, _cancelled: Any) -> compose.Decoded:
            return compose.decode(view, media, boxes)

        def done(decoded: compose.Decoded) -> None:
            if number == self._number:
                self.ready.emit(compose.paint(view, layout, decoded, device))

        def failed(refused: Refused) -> None:
            if number == self._number:
                self.refused.emit(refused)

        self._jobs.work(self, decode, then=done, failed=failed)

    def forget(self) -> None:
        """Nothing that was asked for is wanted any more."""
        self._number += 1
        self._steps = None
        self._then = self._failed = None


def dummy(device: Device) -> Frames:
    """A trial that is none: it makes everything happen once that is slow the first time."""
    view = TrialView("", translate(_DUMMY, "stage"), (), (), (frozenset({"question", "options"}),))
    return compose.frames(view, None, device, None)
