"""The size of the screen: a drawn bank card is made as large as a real one held against the glass."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.parts.paint import focus_ring
from app.stage.on_screen import screen_under
from app.stage.screens.base import BROAD, WordScreen

CARD_MM = (85.60, 53.98)  # ISO/IEC 7810, ID-1
LEAST, MOST = 1.5, 14.0   # logical pixels a millimetre: from a wall projector to a telephone


class Card(QWidget):
    """The card, at ``px_per_mm``. Its lower right corner can be dragged; arrows change its width by one pixel."""

    resized = Signal()

    def __init__(self, px_per_mm: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.px_per_mm = px_per_mm
        self._dragged = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Card on the screen"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)

    def card(self) -> QRectF:
        return QRectF(4, 4, CARD_MM[0] * self.px_per_mm, CARD_MM[1] * self.px_per_mm)

    def set_width(self, px: float) -> None:
        """Make the card so many logical pixels wide."""
        room = min(MOST, max(LEAST, (self.width() - 2 * theme.space("l")) / CARD_MM[0]))
        self.px_per_mm = min(room, max(LEAST, px / CARD_MM[0]))
        self.setAccessibleDescription(self.tr("{n} pixels wide").format(n=round(self.card().width())))
        self.updateGeometry()
        self.update()
        self.resized.emit()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(round(self.card().width()) + 24, round(self.card().height()) + 16)

    def _handle(self) -> QRectF:
        corner = self.card().bottomRight()
        return QRectF(corner - QPointF(20, 20), corner + QPointF(8, 8))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card, mm = self.card(), self.px_per_mm
        painter.setPen(QPen(theme.color("edge"), 1.5))
        painter.setBrush(theme.color("panel"))
        painter.drawRoundedRect(card, 3.18 * mm, 3.18 * mm)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("hover"))  # chip and lines: what a card has, so that it is known for one
        painter.drawRoundedRect(QRectF(card.left() + 9 * mm, card.top() + 19 * mm, 12 * mm, 9 * mm), mm, mm)
        for n, wide in enumerate((52, 34)):
            painter.drawRoundedRect(QRectF(card.left() + 9 * mm, card.top() + (34 + 7 * n) * mm, wide * mm, 3 * mm),
                                    mm, mm)
        painter.setPen(QPen(theme.color("accent"), 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        corner = card.bottomRight() + QPointF(5, 5)
        painter.drawLine(corner, corner - QPointF(20, 0))
        painter.drawLine(corner, corner - QPointF(0, 20))
        if self.hasFocus():
            focus_ring(painter, self.rect().adjusted(0, 0, round(card.width()) + 20 - self.width(), 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        far = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        if event.key() in (Qt.Key.Key_Right, Qt.Key.Key_Up):
            self.set_width(self.card().width() + far)
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Down):
            self.set_width(self.card().width() - far)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._dragged = self._handle().contains(event.position())

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._dragged = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        on = self._dragged or self._handle().contains(event.position())
        self.setCursor(Qt.CursorShape.SizeFDiagCursor if on else Qt.CursorShape.ArrowCursor)
        if self._dragged:
            self.set_width(event.position().x() - self.card().left())


class CardScreen(WordScreen):
    """``completed``: {"px_per_mm", "device_pixel_ratio"}, both in the screen's own (device) pixels."""

    def __init__(self, *, px_per_mm: float = 0, parent: QWidget | None = None) -> None:
        super().__init__(width=BROAD, parent=parent)
        guess = px_per_mm or self._claimed()
        self.add_heading(self.tr("How large is this screen?"))
        self.add_text(self.tr("Hold a bank card or an identity card against the glass, at the upper left corner of "
                              "the drawn one. Make the drawn card just as large: drag its lower right corner, or "
                              "press **←** and **→** (with **Shift** in larger steps)."))
        self._card = Card(min(MOST, max(LEAST, guess)))
        self.column.addWidget(self._card)
        self._same = self.add_primary(self.tr("Just as large"), "Space")
        self._same.clicked.connect(self._tell)
        self._none = self.add_button(self.tr("No card at hand"), "0", kind="flat")
        self._none.clicked.connect(self._leave_out)
        self.end_foot()
        self._card.resized.connect(self.fit)

    def _claimed(self) -> float:
        """What the screen says of itself; often wrong, so only to begin with."""
        return screen_under(self).physicalDotsPerInch() / 25.4

    def focus_first(self) -> None:
        self._card.setFocus()

    def number(self, n: int) -> bool:
        if n == 10:
            self._leave_out()
        return n == 10

    @Slot()
    def _tell(self) -> None:
        ratio = self.devicePixelRatioF()
        self.complete({"px_per_mm": round(self._card.px_per_mm * ratio, 4), "device_pixel_ratio": ratio})

    @Slot()
    def _leave_out(self) -> None:
        self.complete({"px_per_mm": None, "device_pixel_ratio": self.devicePixelRatioF()})
