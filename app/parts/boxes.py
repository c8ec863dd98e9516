"""What is done to a layout as a whole."""

from __future__ import annotations

from PySide6.QtWidgets import QLayout


def clear(layout: QLayout) -> None:
    """Take all out of a layout. Widgets are hidden at once, since they stand until the event loop deletes them."""
    while (taken := layout.takeAt(0)) is not None:
        widget = taken.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
