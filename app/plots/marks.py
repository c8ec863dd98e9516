"""The picture of a plot as a widget: its image, and a button over each of its marks.

Each mark is a real button, so that pointer, keys and screen readers meet the same thing. One of them takes Tab;
arrow keys go from mark to mark, Home and End to the first and last, Enter or the space bar opens.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app import theme
from app.parts.paint import fill_box, focus_ring
from app.plots.sheet import Mark

_STEPS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}


class MarkButton(QAbstractButton):
    """One mark; painted only where the pointer or the focus is, the image shows the rest."""

    moved = Signal(object, object)    # this button, the key: an arrow, Home or End

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the pointer comes and goes
        self.mark: Mark | None = None
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_mark(self, mark: Mark) -> None:
        self.mark = mark
        left, top, wide, tall = mark.box
        self.setGeometry(QRect(round(left), round(top), max(1, round(wide)), max(1, round(tall))))
        self.setAccessibleName(mark.says)
        self.setToolTip(mark.says)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        if self.hasFocus():
            if self.mark is not None and self.mark.filled:  # a ring of any one colour would be lost on some cell
                focus_ring(painter, self.rect(), tone="ink", radius="page")
                edge = theme.border("focus")
                fill_box(painter, self.rect().adjusted(edge, edge, -edge, -edge), None, edge="page", radius="page",
                         width=edge)
            else:
                focus_ring(painter, self.rect())
        elif self.underMouse():
            fill_box(painter, self.rect(), None, edge="edge", radius="page" if self.mark and self.mark.filled
                     else "control")

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key = event.key()
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif key in _STEPS or key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.moved.emit(self, key)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        self.raise_()
        self.update()


class Picture(QWidget):
    """``show_image(image, marks)``; ``marked`` carries a mark's index when it is clicked or opened by Enter."""

    marked = Signal(int)
    outgrown = Signal()      # the image is not as wide or as fine as the widget

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image = QImage()
        self._buttons: list[MarkButton] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_image(self, image: QImage, marks: Sequence[Mark]) -> None:
        """The image carries its device pixel ratio. The mark that had the focus keeps it."""
        self._image = image
        current = self.current()
        while len(self._buttons) < len(marks):
            button = MarkButton(self)
            button.clicked.connect(self._clicked)
            button.moved.connect(self._move)
            self._buttons.append(button)
        for button in self._buttons[len(marks):]:
            button.deleteLater()
        del self._buttons[len(marks):]
        for button, mark in zip(self._buttons, marks, strict=True):
            button.set_mark(mark)
            button.show()
        kept = next((button for button in self._buttons if button.mark is not None and current is not None
                     and button.mark.index == current.index), None)
        self._make_current(kept or (self._buttons[0] if self._buttons else None))
        self.update()

    def marks(self) -> list[Mark]:
        return [button.mark for button in self._buttons if button.mark is not None]

    def buttons(self) -> list[MarkButton]:
        """The marks as widgets, in reading order."""
        return list(self._buttons)

    def current(self) -> Mark | None:
        """The mark that takes Tab."""
        return next((button.mark for button in self._buttons
                     if button.focusPolicy() == Qt.FocusPolicy.StrongFocus), None)

    def image(self) -> QImage:
        return self._image

    def _make_current(self, wanted: MarkButton | None) -> None:
        for button in self._buttons:
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if button is wanted else Qt.FocusPolicy.ClickFocus)

    def _clicked(self) -> None:
        button = self.sender()
        if isinstance(button, MarkButton) and button.mark is not None:
            self._make_current(button)
            self.marked.emit(button.mark.index)

    def _move(self, button: MarkButton, key: Qt.Key) -> None:
        target = self._neighbour(button, key)
        if target is not None:
            self._make_current(target)
            target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _neighbour(self, button: MarkButton, key: Qt.Key) -> MarkButton | None:
        """The next mark in the direction of the arrow: along its row, or in the nearest row that has one."""
        if key == Qt.Key.Key_Home:
            return self._buttons[0]
        if key == Qt.Key.Key_End:
            return self._buttons[-1]
        here, (down, right) = button.mark, _STEPS[key]
        assert here is not None
        found: list[tuple[int, int, int]] = []
        for n, other in enumerate(self._buttons):
            mark = other.mark
            assert mark is not None
            rows, columns = mark.row - here.row, mark.column - here.column
            if right and rows == 0 and columns * right > 0:
                found.append((abs(columns), 0, n))
            elif down and rows * down > 0:
                found.append((abs(rows), abs(columns), n))
        return self._buttons[min(found)[2]] if found else None

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self._image.isNull():
            return
        QPainter(self).drawImage(0, 0, self._image)
        if self._image.devicePixelRatioF() != self.devicePixelRatioF():  # the window has gone to another screen
            self.outgrown.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        if event.size().width() != event.oldSize().width():  # its height is set when it is drawn
            self.outgrown.emit()
