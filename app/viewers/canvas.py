"""A picture on its canvas: fit, zoom, pan and turn, by keys, wheel and pointer."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from app import theme

STEP = 1.25
MOST = 16.0


class Canvas(QWidget):
    """Shows one QImage, a sentence in its place, or nothing yet. Keys while it has the focus: + - 0 R, arrows."""

    view_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(64, 64)
        self._image: QImage | None = None
        self._turned: QImage | None = None
        self._sentence = ""
        self._angle = 0
        self._zoom: float | None = None  # None: fitted to the room
        self._middle = QPointF(0.5, 0.5)  # the point of the picture in the middle of the canvas, as shares of it
        self._grip: tuple[QPoint, QPointF] | None = None

    # --- what is shown --------------------------------------------------------------------------------------

    def show_image(self, image: QImage) -> None:
        self._image, self._sentence = image, ""
        self._angle = 0
        self._turned = image
        self.fit()

    def show_sentence(self, sentence: str) -> None:
        """Say in place of the picture what is missing."""
        self._image = self._turned = None
        self._sentence = sentence
        self.fit()

    @property
    def pixel_size(self) -> QSize:
        return self._turned.size() if self._turned else QSize()

    @property
    def zoom(self) -> float:
        """Screen pixels per picture pixel."""
        return self._fitting() if self._zoom is None else self._zoom

    @property
    def angle(self) -> int:
        return self._angle

    # --- moving ---------------------------------------------------------------------------------------------

    def fit(self) -> None:
        self._zoom, self._middle = None, QPointF(0.5, 0.5)
        self._changed()

    def zoom_by(self, factor: float) -> None:
        least = min(self._fitting(), 1.0)
        self._zoom = min(MOST, max(least, self.zoom * factor))
        self._changed()

    def turn(self) -> None:
        """A quarter clockwise."""
        if self._image:
            self._angle = (self._angle + 90) % 360
            self._turned = self._image.transformed(QTransform().rotate(self._angle)) if self._angle else self._image
            self.fit()

    def pan(self, dx: float, dy: float) -> None:
        """Move the view by screen pixels."""
        if self._turned:
            size = self._turned.size()
            self._middle += QPointF(dx / (size.width() * self.zoom), dy / (size.height() * self.zoom))
            self._changed()

    def _fitting(self) -> float:
        if not self._turned:
            return 1.0
        pad = 2 * theme.space("xl")
        size = self._turned.size()
        return min(1.0, max(0.01, min((self.width() - pad) / size.width(), (self.height() - pad) / size.height())))

    def _changed(self) -> None:
        if self._turned:
            for get, put, room, side in (
                (self._middle.x, self._middle.setX, self.width(), self._turned.width()),
                (self._middle.y, self._middle.setY, self.height(), self._turned.height()),
            ):
                half = room / (2 * side * self.zoom)
                put(0.5 if half >= 0.5 else min(1 - half, max(half, get())))
        self.view_changed.emit()
        self.update()

    # --- events ---------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key, far = event.key(), 48
        if event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
            event.ignore()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_by(STEP)
        elif key == Qt.Key.Key_Minus:
            self.zoom_by(1 / STEP)
        elif key == Qt.Key.Key_0:
            self.fit()
        elif key == Qt.Key.Key_R:
            self.turn()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.pan(-far if key == Qt.Key.Key_Left else far, 0)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.pan(0, -far if key == Qt.Key.Key_Up else far)
        else:
            event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        if event.angleDelta().y():
            self.zoom_by(STEP if event.angleDelta().y() > 0 else 1 / STEP)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._grip = (event.position().toPoint(), QPointF(self._middle))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self._grip:
            start, middle = self._grip
            self._middle = QPointF(middle)
            moved = event.position().toPoint() - start
            self.pan(-moved.x(), -moved.y())

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # noqa: N802
        self._grip = None

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:  # noqa: N802
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._changed()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("canvas"))
        if self._turned:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self.zoom < 4)
            size = QPointF(self._turned.width() * self.zoom, self._turned.height() * self.zoom)
            left = self.width() / 2 - self._middle.x() * size.x()
            top = self.height() / 2 - self._middle.y() * size.y()
            painter.drawImage(QRectF(left, top, size.x(), size.y()), self._turned)
        elif self._sentence:
            self._paint_sentence(painter)
        if self.hasFocus():
            ring = theme.border("focus")
            painter.setPen(QPen(theme.color("accent"), ring))
            painter.drawRect(QRectF(self.rect()).adjusted(ring / 2, ring / 2, -ring / 2, -ring / 2))

    def _paint_sentence(self, painter: QPainter) -> None:
        side = theme.size("icon_empty")
        box = QRectF(self.rect()).adjusted(theme.space("xl"), 0, -theme.space("xl"), 0)
        left, top = box.center().x() - side / 2, box.center().y() - side - theme.space("s")
        theme.paint_icon(painter, QRectF(left, top, side, side), "image", "ink2")
        painter.setFont(theme.font("body"))
        painter.setPen(theme.color("ink2"))
        below = QRectF(box.left(), box.center().y() + theme.space("xs"), box.width(), box.height() / 2)
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap,
                         self._sentence)
