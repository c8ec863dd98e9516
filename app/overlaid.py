"""The one overlay that may be open over the window, and the keys that work while it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtGui import QKeySequence

from app.parts.overlay import Overlay

if TYPE_CHECKING:
    from app.actions import CommandAction


class Overlaid:
    """Mixed into the window."""

    _actions: dict[str, CommandAction]
    _overlay: Overlay | None = None

    def show_overlay(self, overlay: Overlay) -> None:
        """In the place of the one that is open."""
        self.close_overlay()
        self._overlay = overlay
        overlay.leads_elsewhere = self._leads_elsewhere
        overlay.closed.connect(self._overlay_closed)
        overlay.open()

    def close_overlay(self) -> None:
        if self._overlay is not None:
            self._overlay.close_overlay()

    def _leads_elsewhere(self, keys: QKeySequence) -> bool:
        """Whether these keys go to a page, or open something in the place of the overlay."""
        return any(keys in action.shortcuts() for action in self._actions.values()
                   if action.command.menu in ("File", "Go") or action.objectName() == "app.palette")

    @Slot()
    def _overlay_closed(self) -> None:
        self._overlay = None
