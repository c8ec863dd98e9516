"""Where Tab stops inside a part, from top to bottom.

Not by ``nextInFocusChain``: PySide makes the widget it returns a child of the one it was asked of, so that a later
deletion of that one takes the other's wrapper with it (met with the menu bar, 6.11.3).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

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


def move_last(inside: QWidget, parts: Iterable[QWidget]) -> None:
    """Make Tab come to these parts of ``inside`` one after the other, and after all else in the window.

    Qt appends what is made later to the end, so that a question made for this item would come after the buttons.
    What stands before them is not touched: to order a scroll area whose content has a proxy breaks Qt's chain (6.11.3).
    """
    end = QWidget(inside)  # just made, so it is the last
    end.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    found = [widget for part in parts for widget in (part, *part.findChildren(QWidget))
             if widget.focusPolicy() and widget.focusProxy() is None]
    for before, after in pairwise([end, *found]):
        QWidget.setTabOrder(before, after)
    end.setParent(None)
    end.deleteLater()
