"""An overlay: a raised box on a scrim over the whole window; Esc or F1 closes it and gives the focus back.

While it is open it holds the focus, and no key reaches what is behind it but those that lead elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QGraphicsDropShadowEffect, QWidget

from app import theme
from app.parts.paint import fill_box


class _Box(QWidget):
    def paintEvent(self, _event: QPaintEvent) -> None:
        fill_box(QPainter(self), self.rect(), "raised", edge="edge" if theme.is_contrast() else "line",
                 radius="overlay")


class Overlay(QWidget):
    """Subclasses build into ``self.box`` and say how large it is in ``box_rect``."""

    closed = Signal()

    def __init__(self, window: QWidget, name: str) -> None:
        super().__init__(window)
        self.setAccessibleName(name)
        self._before = QApplication.focusWidget()
        self.box = _Box(self)
        shadow = QGraphicsDropShadowEffect(self.box)
        lift = theme.TOKENS["elevation"]["overlay"]
        shadow.setBlurRadius(lift["blur"])
        shadow.setOffset(0, lift["y"])
        tone = theme.color("scrim")
        tone.setRgb(0, 0, 0, round(255 * lift["alpha_dark" if theme.is_dark() else "alpha_light"]))
        shadow.setColor(tone)
        self.box.setGraphicsEffect(shadow)
        window.installEventFilter(self)
        self.leads_elsewhere: Callable[[QKeySequence], bool] = lambda _keys: False
        self._application().focusChanged.connect(self._focus_moved)

    @staticmethod
    def _application() -> QApplication:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        return application

    def box_rect(self) -> QRect:
        raise AssertionError("each overlay says its own size")

    def open(self) -> None:
        self._fit()
        self.show()
        self.raise_()

    def first_focus(self) -> QWidget:
        """What has the focus while the overlay is open."""
        return self

    def close_overlay(self) -> None:
        """Leave, and give the focus back to where it was."""
        self.parentWidget().removeEventFilter(self)
        self._application().focusChanged.disconnect(self._focus_moved)
        self.hide()
        before = self._before
        if before is not None and shiboken6.isValid(before) and before.isVisible():  # the page may be built anew
            self._before.setFocus()
        self.closed.emit()
        self.deleteLater()

    def _fit(self) -> None:
        self.setGeometry(self.parentWidget().rect())
        self.box.setGeometry(self.box_rect())

    def restyle(self) -> None:
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parentWidget():
            self._fit()
        return False

    @Slot(QWidget, QWidget)
    def _focus_moved(self, _old: QWidget | None, now: QWidget | None) -> None:
        """What the page behind gives the focus to meanwhile gets it when the overlay has closed."""
        if not self.isVisible() or (now is not None and (now is self or self.isAncestorOf(now))):
            return
        if now is not None and now.window() is self.window():
            self._before = now
        elif now is not None or not self.isActiveWindow():
            return  # another window, a menu or a dialog
        self.first_focus().setFocus()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            # Accepted: the key comes here, and is no shortcut of the page or the window.
            event.setAccepted(not self.leads_elsewhere(QKeySequence(event.keyCombination())))
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_F1):
            self.close_overlay()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.box.geometry().contains(event.position().toPoint()):
            self.close_overlay()

    def focusNextPrevChild(self, _next: bool) -> bool:
        return True  # the keys stay in the overlay

    def paintEvent(self, _event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme.color("scrim"))
