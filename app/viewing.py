"""How the window is looked at: text size, theme, rail, full screen, and going from part to part."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QApplication, QWidget

from app import theme
from app.commands import command
from app.i18n import QT_TRANSLATE_NOOP
from app.parts.focus import stops

_T = QT_TRANSLATE_NOOP
STEP, LEAST, MOST = 10, 85, 200  # per cent


class Viewing:
    """Commands of the menu View, mixed into the window."""

    _settings: Any
    _rail: QWidget

    @command("view.larger", _T("commands", "Larger text"), menu="View", keys="Ctrl++", icon="text_size")
    def larger(self) -> None:
        self._settings.set("text_size", min(MOST, self._settings.get("text_size") // STEP * STEP + STEP))

    @command("view.smaller", _T("commands", "Smaller text"), menu="View", keys="Ctrl+-", icon="text_size")
    def smaller(self) -> None:
        self._settings.set("text_size", max(LEAST, -(-self._settings.get("text_size") // STEP) * STEP - STEP))

    @command("view.rail", _T("commands", "Rail: names or icons"), menu="View", keys="Ctrl+B", icon="columns")
    def toggle_rail(self) -> None:
        self._settings.set("slim_rail", not self._settings.get("slim_rail"))

    @command("view.theme", _T("commands", "Next theme: light, dark, high contrast"), menu="View", icon="theme")
    def next_theme(self) -> None:
        order = ("light", "dark", "contrast")
        at = order.index(theme.look.theme)
        self._settings.set("theme", order[(at + 1) % len(order)])

    @command("view.full", _T("commands", "Full screen"), menu="View", keys="F11", icon="full_screen")
    def full_screen(self: Any) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    @command("view.part", _T("commands", "From part to part"), menu="View", keys="F6", icon="next", group="moving")
    def next_part(self: Any) -> None:
        """Item, answers, foot, rail, and round again."""
        page = self.page()
        parts = [*(page.parts() if page else []), self._rail]
        now = QApplication.focusWidget()
        inside = [n for n, part in enumerate(parts) if now is not None and (part is now or part.isAncestorOf(now))]
        at = inside[-1] if inside else -1
        for step in range(1, len(parts) + 1):
            part = parts[(at + step) % len(parts)]
            target = part if part.focusPolicy() else next(iter(stops(part)), None)
            if target is not None and target.isVisible():
                target.setFocus()
                return
