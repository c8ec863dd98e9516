"""A chip: a short word on a quiet ground, neutral or of a kind (good warn bad info), maybe removable."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app import theme
from app.parts.paint import fill_box, focus_ring

_ICONS = {"good": "check", "warn": "differ", "bad": "x-circle", "info": "info"}


class Chip(QAbstractButton):
    """``kind`` neutral, good, warn, bad or info; ``removable`` shows a cross and emits ``clicked`` for it.

    ``checkable`` makes it a small switch (a filter): chosen is tint with a check.
    """

    def __init__(self, text: str = "", *, kind: str = "neutral", icon: str | None = None, removable: bool = False,
                 checkable: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind, self._removable = kind, removable
        self._icon = _ICONS.get(kind, "") if icon is None else icon
        self.setCheckable(checkable)
        self.setText(text)
        self.setAccessibleName(text)
        active = removable or checkable
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if active else Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not active)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_text(self, text: str) -> None:
        self.setText(text)
        self.setAccessibleName(text)
        self.updateGeometry()

    def set_kind(self, kind: str) -> None:
        self._kind, self._icon = kind, _ICONS.get(kind, "")
        self.updateGeometry()
        self.update()

    def _sign(self) -> str:
        return "check" if self.isCheckable() and self.isChecked() else self._icon

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        side = theme.scaled("icon_tiny")
        wide = 2 * (theme.space("s") + 2) + theme.metrics("label").horizontalAdvance(self.text()) + 1
        wide += (side + theme.space("xs")) * (bool(self._icon) or self.isCheckable())
        wide += (side + theme.space("xs")) * self._removable
        return QSize(wide, theme.height("chip", "label"))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        rect, side = self.rect(), theme.scaled("icon_tiny")
        plain = self._kind == "neutral"
        chosen = self.isCheckable() and self.isChecked()
        fill = "tint" if chosen else "hover" if plain else f"{self._kind}_tint"
        fill_box(painter, rect, fill, radius="chip", edge="edge" if theme.is_contrast() else None)
        ink = "ink" if chosen else "ink2" if plain else self._kind
        x, middle = theme.space("s") + 2, rect.height() / 2
        if self._sign():
            theme.paint_icon(painter, QRect(x, round(middle - side / 2), side, side), self._sign(),
                             "accent_ink" if chosen else ink)
            x += side + theme.space("xs")
        elif self.isCheckable():
            x += (side + theme.space("xs")) // 2
        painter.setFont(theme.font("label"))
        painter.setPen(theme.color(ink))
        painter.drawText(QRect(x, 0, rect.width() - x, rect.height()), Qt.AlignmentFlag.AlignVCenter, self.text())
        if self._removable:
            box = QRect(rect.width() - side - theme.space("s"), round(middle - side / 2), side, side)
            theme.paint_icon(painter, box.adjusted(1, 1, -1, -1), "x", "ink2")
        if self.hasFocus():
            focus_ring(painter, rect, radius="chip")

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        delete = event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self._removable
        if delete or event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            return
        super().keyPressEvent(event)
