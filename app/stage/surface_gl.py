"""GlSurface: images kept as textures, one drawn a frame; the onset is when the swap was done."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, QSize
from PySide6.QtGui import QImage, QMatrix4x4, QSurfaceFormat
from PySide6.QtOpenGL import (
    QOpenGLFramebufferObject,
    QOpenGLTexture,
    QOpenGLTextureBlitter,
    QOpenGLWindow,
)

from app.stage.surface import Events
from studies.timing import monotonic_us


class GlSurface(Events, QOpenGLWindow):
    """Swaps wait for the screen where the driver lets them (interval 1)."""

    method = "gl_swap_finish"

    def __init__(self) -> None:
        super().__init__()
        form = QSurfaceFormat.defaultFormat()
        form.setSwapInterval(1)
        form.setSwapBehavior(QSurfaceFormat.SwapBehavior.DoubleBuffer)
        form.setDepthBufferSize(0)
        form.setStencilBufferSize(0)
        self.setFormat(form)
        self._textures: dict[str, tuple[QOpenGLTexture, QSize]] = {}
        self._waiting: dict[str, QImage] = {}
        self._blitter: QOpenGLTextureBlitter | None = None
        self._name = ""
        self._painted = ""
        self._loops = False
        self.frameSwapped.connect(self._take_swap)

    def put(self, images: dict[str, QImage]) -> None:
        """Upload images in device pixels, and draw each once out of sight: a driver may put both off to first use."""
        if self._blitter is None:
            self._waiting.update(images)
            return
        self.makeCurrent()
        aside = QOpenGLFramebufferObject(8, 8)
        aside.bind()
        for name, image in images.items():
            if name in self._textures:
                self._textures.pop(name)[0].destroy()
            texture = QOpenGLTexture(image, QOpenGLTexture.MipMapGeneration.DontGenerateMipMaps)
            texture.setMinMagFilters(QOpenGLTexture.Filter.Nearest, QOpenGLTexture.Filter.Nearest)
            texture.setWrapMode(QOpenGLTexture.WrapMode.ClampToEdge)
            self._textures[name] = texture, image.size()
            self._draw(name, QSize(8, 8))
        aside.release()
        self.context().functions().glFinish()
        self.doneCurrent()

    def show_image(self, name: str) -> None:
        self._name = name
        self.update()

    def set_loop(self, on: bool) -> None:
        self._loops = on
        if on:
            self.update()

    def free(self) -> None:
        self._loops = False
        if self._blitter is not None:
            self.makeCurrent()
            for texture, _size in self._textures.values():
                texture.destroy()
            self._textures.clear()
            self._blitter.destroy()
            self._blitter = None
            self.doneCurrent()

    def initializeGL(self) -> None:  # noqa: N802 - Qt's name
        self._blitter = QOpenGLTextureBlitter()
        self._blitter.create()
        if self._waiting:
            self.put(self._waiting)
            self._waiting = {}
            self.makeCurrent()

    def paintGL(self) -> None:  # noqa: N802
        ratio = self.devicePixelRatio()
        if self._name in self._textures:
            self._draw(self._name, QSize(round(self.width() * ratio), round(self.height() * ratio)))
            self._painted = self._name

    def _draw(self, name: str, room: QSize) -> None:
        texture, size = self._textures[name]
        assert self._blitter is not None
        self.context().functions().glViewport(0, 0, room.width(), room.height())
        place: QMatrix4x4 = QOpenGLTextureBlitter.targetTransform(
            QRectF(0, 0, size.width(), size.height()), QRect(0, 0, room.width(), room.height()))
        self._blitter.bind()
        self._blitter.blit(texture.textureId(), place, QOpenGLTextureBlitter.Origin.OriginTopLeft)
        self._blitter.release()

    def _take_swap(self) -> None:
        # Some drivers queue a frame and return: the clock is read when all is done, as PsychoPy does.
        self.makeCurrent()
        self.context().functions().glFinish()
        at = monotonic_us()
        name, self._painted = self._painted, ""
        if self._loops:
            self.update()
        if name:
            self.swapped.emit(name, at)

    def event(self, event: QEvent) -> bool:
        if self.closes(event):
            return True
        done = super().event(event)
        self.tell(event)
        return done
