"""RasterSurface: images painted by the processor, for screens without OpenGL; the onset is when they were flushed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QRasterWindow

from app.stage.surface import Events
from studies.timing import monotonic_us


class RasterSurface(Events, QRasterWindow):
    method = "raster_flush"

    def __init__(self) -> None:
        super().__init__()
        self._images: dict[str, QImage] = {}
        self._name = ""
        self._painted = ""
        self._loops = False

    def put(self, images: dict[str, QImage]) -> None:
        """Images in device pixels, by name; one of the same name is replaced."""
        for name, image in images.items():
            kept = QImage(image)
            kept.setDevicePixelRatio(self.devicePixelRatio())
            self._images[name] = kept

    def show_image(self, name: str) -> None:
        self._name = name
        self.update()

    def set_loop(self, on: bool) -> None:
        """Paint again after each time, so that frames can be counted."""
        self._loops = on
        if on:
            self.update()

    def free(self) -> None:
        self._images.clear()
        self._loops = False

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        image = self._images.get(self._name)
        if image is not None:
            painter = QPainter(self)
            painter.drawImage(QPoint(0, 0), image)
            painter.end()
            self._painted = self._name

    def event(self, event: QEvent) -> bool:
        if self.closes(event):
            return True
        done = super().event(event)  # paints and flushes, where the event asks for it
        if self._painted:
            at, name, self._painted = monotonic_us(), self._painted, ""
            if self._loops:
                self.update()
            self.swapped.emit(name, at)
        self.tell(event)
        return done
