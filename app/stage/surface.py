"""Surface: what the two kinds of window share, their events with the moment at which they came; and which is taken."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QOffscreenSurface,
    QOpenGLContext,
    QWindow,
)

from app.stage import keys
from studies.timing import monotonic_us


class Surface(QWindow):
    """A window that shows one of the images it was given; for the type alone, as Qt's two windows have no such base.

    ``swapped(name, at_us)`` follows each time an image was handed to the screen.
    """

    method: str
    swapped: Any
    key_down: Any
    key_up: Any
    pressed: Any
    focus_changed: Any
    exposed: Any
    scale_changed: Any
    close_asked: Any

    def put(self, images: dict[str, QImage]) -> None: ...

    def show_image(self, name: str) -> None: ...

    def set_loop(self, on: bool) -> None: ...

    def free(self) -> None: ...


class Events:
    """The events of a window as signals; nothing is taken from a key but what it is and when it came."""

    swapped: Any = Signal(str, object)    # the image's name, microseconds
    key_down: Any = Signal(object)        # KeySeen
    key_up: Any = Signal(object)
    pressed: Any = Signal(object)         # PressSeen
    focus_changed: Any = Signal(bool, object)
    exposed: Any = Signal()
    scale_changed: Any = Signal()
    close_asked: Any = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        receipt = monotonic_us()
        self.key_down.emit(keys.seen(event, receipt))

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        receipt = monotonic_us()
        self.key_up.emit(keys.seen(event, receipt))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        receipt, at = monotonic_us(), event.position()
        self.pressed.emit(keys.PressSeen(at.x(), at.y(), event.timestamp(), receipt))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self.mousePressEvent(event)

    def focusInEvent(self, _event: QFocusEvent) -> None:  # noqa: N802
        self.focus_changed.emit(True, monotonic_us())

    def focusOutEvent(self, _event: QFocusEvent) -> None:  # noqa: N802
        self.focus_changed.emit(False, monotonic_us())

    def tell(self, event: QEvent) -> None:
        """What has no handler of its own; called after Qt has dealt with it."""
        if event.type() == QEvent.Type.Expose:
            self.exposed.emit()
        elif event.type() == QEvent.Type.DevicePixelRatioChange:
            self.scale_changed.emit()

    def closes(self, event: QEvent) -> bool:
        """Whether it is a wish to close, which is not granted here but told."""
        if isinstance(event, QCloseEvent) and event.spontaneous():
            event.ignore()
            self.close_asked.emit()
            return True
        return False


def has_gl() -> bool:
    """Whether a context can be made and used here."""
    context = QOpenGLContext()
    if not context.create():
        return False
    surface = QOffscreenSurface()
    surface.setFormat(context.format())
    surface.create()
    works = context.makeCurrent(surface)
    if works:
        context.doneCurrent()
    surface.destroy()
    return works
