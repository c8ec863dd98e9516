"""Pointer: hidden, but for trials that it answers; there it begins equally far from every option."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor

from app.stage.choices import Target
from app.stage.compose import Frames
from app.stage.on_screen import screen_under
from app.stage.surface import Surface
from app.stage.view import TrialView


class Pointer:
    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._targets: tuple[Target, ...] = ()
        self._home: tuple[float, float] | None = None
        self._from = ""  # the first screen with options
        self._is_out = False

    def set_trial(self, view: TrialView, frames: Frames) -> None:
        self._targets, self._home = (frames.targets, frames.home) if view.pointer else ((), None)
        self._from = next((f"screen:{n}" for n, names in enumerate(view.screens, 1) if "options" in names), "")

    def prepare_for(self, what: str) -> bool | None:
        """Right before ``what`` is shown; whether the pointer was put where it begins, None where it was not to be.

        A Wayland desktop lets no program move it.
        """
        if not what.startswith("screen:"):
            self._is_out = False
            self._surface.setCursor(Qt.CursorShape.BlankCursor)
        elif what == self._from and self._home is not None:
            place = self._surface.mapToGlobal(QPoint(round(self._home[0]), round(self._home[1])))
            QCursor.setPos(screen_under(self._surface), place)
            self._is_out = True
            self._surface.setCursor(Qt.CursorShape.ArrowCursor)
            return (QCursor.pos() - place).manhattanLength() <= 2
        return None

    def option_at(self, x: float, y: float) -> str:
        """The key of the option that is pressed there; "" where there is none, or none can be pressed now."""
        if not self._is_out:
            return ""
        return next((target.key for target in self._targets
                     if 0 <= x - target.x < target.width and 0 <= y - target.y < target.height), "")
