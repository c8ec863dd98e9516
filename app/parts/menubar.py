"""The menu bar: the letters that open a menu with Alt are underlined only while Alt is held."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenuBar, QStyleOptionMenuItem, QWidget


class MenuBar(QMenuBar):
    """Qt watches its window for Alt already; this only looks over its shoulder."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._underlines = False

    def initStyleOption(self, option: QStyleOptionMenuItem, action: QAction) -> None:  # noqa: N802 - Qt's name
        super().initStyleOption(option, action)
        if not (self._underlines or self.hasFocus()):
            option.text = option.text.replace("&", "")  # type: ignore[attr-defined]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        kind = event.type()
        if kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt:
                self._underline(kind != QEvent.Type.KeyRelease)
        elif kind == QEvent.Type.WindowDeactivate:
            self._underline(False)
        return super().eventFilter(watched, event)

    def _underline(self, shown: bool) -> None:
        if shown != self._underlines:
            self._underlines = shown
            self.update()
