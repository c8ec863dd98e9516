"""A layout that breaks its widgets into lines, as words are: for chips, of which nobody knows how many there are."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget

from app import theme


class FlowLayout(QLayout):
    """From left to right, then the next line; each widget as large as it asks, on the middle of its line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(theme.space("s"))

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802 - Qt's name
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]  # noqa: N802 - Qt's name
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]  # noqa: N802 - Qt's name
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # type: ignore[override]  # noqa: N802 - Qt's name
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        return self._lay_out(QRect(0, 0, width, 0), moves=False)

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802 - Qt's name
        super().setGeometry(rect)
        self._lay_out(rect, moves=True)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self.minimumSize()

    def minimumSize(self) -> QSize:  # noqa: N802 - Qt's name
        size = QSize()
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return size

    def _lay_out(self, rect: QRect, *, moves: bool) -> int:
        lines: list[list[tuple[QLayoutItem, QSize]]] = [[]]
        used = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if lines[-1] and used + self.spacing() + size.width() > rect.width():
                lines.append([])
                used = 0
            used += size.width() + (self.spacing() if lines[-1] else 0)
            lines[-1].append((item, size))
        y = rect.y()
        for line in lines:
            tall, x = max((size.height() for _, size in line), default=0), rect.x()
            for item, size in line:
                if moves:
                    item.setGeometry(QRect(QPoint(x, y + (tall - size.height()) // 2),
                                           QSize(min(size.width(), max(1, rect.width())), size.height())))
                x += size.width() + self.spacing()
            y += tall + self.spacing()
        return max(0, y - self.spacing() - rect.y())


def flowing(parent: QWidget | None = None) -> QWidget:
    """A widget with such a layout, as high as its width needs."""
    made = QWidget(parent)
    FlowLayout(made)
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    policy.setHeightForWidth(True)
    made.setSizePolicy(policy)
    return made
