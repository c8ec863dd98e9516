"""Where Tab stops inside a part, from top to bottom.

Not by ``nextInFocusChain``: PySide makes the widget it returns a child of the one it was asked of, so that a later
deletion of that one takes the other's wrapper with it (met with the menu bar, 6.11.3).
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget


def stops(part: QWidget) -> list[QWidget]:
    """Every visible, enabled widget below ``part`` that takes the focus by Tab, in the order it is read."""
    found = [child for child in part.findChildren(QWidget)
             if child.isVisible() and child.isEnabled() and child.focusPolicy() & Qt.FocusPolicy.TabFocus
             and child.focusProxy() is None]

    def place(child: QWidget) -> tuple[int, int]:
        corner = child.mapTo(part, QPoint(0, 0))
        return corner.y(), corner.x()

    return sorted(found, key=place)
