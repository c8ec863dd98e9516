"""Buttons that show their keys: primary, plain, flat and link, with icon, text and caps."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app import theme
from app.parts.caps import caps_width, keys_of, paint_caps
from app.parts.paint import fill_box, focus_ring

KINDS = ("primary", "plain", "flat", "link")
_STATUS_WORD = {"primary": "on_accent", "plain": "ink", "flat": "ink2", "link": "accent_ink"}


class CapButton(QAbstractButton):
    """A button of one of KINDS; ``keys`` as in a shortcut ("Ctrl+Return"), shown as caps.

    ``large`` is the 40 px button of a study. An icon alone (no text) wants a tooltip, which becomes its name.
    """

    def __init__(self, text: str = "", *, kind: str = "plain", keys: str = "", icon: str = "", tip: str = "",
                 large: bool = False, role: str = "button", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the pointer comes and goes
        assert kind in KINDS, kind
        self._kind, self._keys, self._icon, self._large = kind, keys_of(keys), icon, large
        self._role = role
        self._action: QAction | None = None
        self.setText(text)
        self.setToolTip(tip)
        self.setAccessibleName(text or tip)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_kind(self, kind: str) -> None:
        assert kind in KINDS, kind
        self._kind = kind
        self.updateGeometry()
        self.update()

    def set_text(self, text: str) -> None:
        """Text and accessible name together."""
        self.setText(text)
        self.setAccessibleName(text or self.toolTip())
        self.updateGeometry()

    def set_keys(self, keys: str) -> None:
        self._keys = keys_of(keys)
        self.updateGeometry()
        self.update()

    def follow(self, action: QAction, *, text: str | None = None) -> CapButton:
        """Do what an action does, wear its keys, and be off when it is off. Returns the button."""
        self._action = action
        if text is None and not self.text() and not self._icon:
            text = action.text()
        if text is not None:
            self.set_text(text)
        if not self.accessibleName():
            self.setAccessibleName(action.text())
        if not self.toolTip():
            self.setToolTip(action.toolTip())
        self.set_keys(action.shortcut().toString())
        self.clicked.connect(action.trigger)
        action.enabledChanged.connect(self.setEnabled)
        self.setEnabled(action.isEnabled())
        return self

    def _shown_keys(self) -> list[str]:
        # At large text caps leave the buttons (a single one stays: it costs little and says Return or Esc).
        return [] if (theme.is_large() and len(self._keys) > 1) or not self.text() else self._keys

    def _padding(self) -> int:
        return theme.space("s") if not self.text() else theme.space("m")

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        wide = 2 * self._padding()
        parts = []
        if self._icon:
            parts.append(theme.scaled("icon_small"))
        if self.text():
            parts.append(theme.metrics(self._role).horizontalAdvance(self.text()) + 1)
        if self._shown_keys():
            parts.append(caps_width(self._shown_keys()) + theme.space("xs"))
        wide += sum(parts) + theme.space("s") * max(0, len(parts) - 1)
        tall = theme.height("button_large" if self._large else "button", "button")
        return QSize(max(wide, tall), tall)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        on, hover = self.isEnabled(), self.underMouse() and self.isEnabled()
        tone = _STATUS_WORD[self._kind] if on else "ink3"
        rect = self.rect()
        if self._kind == "primary":
            if on:
                fill_box(painter, rect, theme.color("accent").darker(108) if self.isDown() else "accent")
            else:
                fill_box(painter, rect, "raised", edge="line")
        elif self._kind == "plain":
            fill_box(painter, rect, "hover" if hover or self.isDown() else "raised", edge="edge" if on else "line")
        elif hover or self.isDown():
            fill_box(painter, rect, "hover")
        x, middle = self._padding(), rect.height() / 2
        keys = self._shown_keys()
        if not self.text():
            x = (rect.width() - theme.scaled("icon_small")) // 2
        if self._icon:
            side = theme.scaled("icon_small")
            theme.paint_icon(painter, QRect(x, round(middle - side / 2), side, side), self._icon,
                             "ink2" if self._kind == "plain" and on else tone)
            x += side + theme.space("s")
        if self.text():
            right = self._padding() + (caps_width(keys) + theme.space("m") if keys else 0)
            painter.setFont(theme.font(self._role))
            painter.setPen(theme.color("ink" if hover and self._kind == "flat" else tone))
            painter.drawText(QRect(x, 0, rect.width() - x - right + 2, rect.height()),
                             Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.text())
        if keys:
            state = "off" if not on else "on_accent" if self._kind == "primary" else "rest"
            paint_caps(painter, rect.width() - self._padding() - caps_width(keys), middle, keys, state=state)
        if self.hasFocus():
            focus_ring(painter, rect, tone="ink" if self._kind == "primary" else "accent")

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.click()
            return
        super().keyPressEvent(event)


