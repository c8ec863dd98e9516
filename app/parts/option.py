"""An answer option: key cap, text over as many lines as it needs, and a check when chosen."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app import theme
from app.parts.caps import cap_width, caps_width, paint_caps
from app.parts.paint import fill_box, focus_ring

_WRAP = Qt.TextFlag.TextWordWrap.value | Qt.AlignmentFlag.AlignLeft.value | Qt.AlignmentFlag.AlignTop.value


class OptionButton(QAbstractButton):
    """One option. ``setChecked`` paints it as chosen; a click only emits ``clicked`` (the draft decides).

    ``multi`` shows a square in place of the check; ``remark`` is a caption after the text ("opens the text").
    Deliberately not in an exclusive group: an exclusive group cannot be cleared when the draft is undone.
    """

    def __init__(self, text: str, *, key: str = "", remark: str = "", multi: bool = False, trial: bool = False,
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the pointer comes and goes
        self._key, self._remark, self._multi, self._trial = key, remark, multi, trial
        self._key_works = True
        self.setText(text)
        self.setAccessibleName(text)
        self.setAccessibleDescription(remark)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def key(self) -> str:
        return self._key

    def set_key(self, key: str) -> None:
        self._key = key
        self.updateGeometry()
        self.update()

    def set_key_works(self, works: bool) -> None:
        """A digit chooses in the question that has the focus alone: elsewhere its cap is painted as off."""
        works = works or not self._key.isdigit()
        if works != self._key_works:
            self._key_works = works
            self.update()

    @property
    def key_works(self) -> bool:
        return self._key_works

    def nextCheckState(self) -> None:  # noqa: N802 - Qt's name
        """Leave the check as it is: it is painted from the draft, not by the click."""

    def _role(self) -> str:
        return "reading" if self._trial else "body"

    def _row(self) -> int:
        return theme.height("option_trial" if self._trial else "option", self._role())

    def _text_left(self) -> int:
        return theme.space("s") + (max(cap_width(self._key), theme.size("cap")) + 10 if self._key else 0)

    def _sign_room(self) -> int:
        return theme.scaled("icon_small") + theme.space("s") + theme.space("xs")

    def _text_height(self, width: int) -> int:
        metrics = theme.metrics("strong" if not self._trial else self._role())
        room = max(1, width - self._text_left() - self._sign_room() - self._remark_width())
        return metrics.boundingRect(QRect(0, 0, room, 10000), _WRAP, self.text()).height()

    def _remark_width(self) -> int:
        if not self._remark:
            return 0
        return theme.metrics("caption").horizontalAdvance(self._remark) + theme.space("s")

    def row_width(self) -> int:
        """The width it wants in one line, when options stand in a row."""
        text = theme.metrics("strong").horizontalAdvance(self.text())
        return self._text_left() + text + self._remark_width() + self._sign_room() + theme.space("xs")

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self.row_width(), self._row())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(min(self.row_width(), theme.wide(120)), self._row())

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        padding = self._row() - theme.metrics(self._role()).height()
        return max(self._row(), self._text_height(width) + padding)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        on, chosen, rect = self.isEnabled(), self.isChecked(), self.rect()
        if chosen:
            fill_box(painter, rect, "tint", edge="edge" if theme.is_contrast() else None)
        elif on and self.underMouse():
            fill_box(painter, rect, "hover")
        first = self._row() / 2  # the middle of the first line: the cap stays there
        if self._key:
            state = "off" if not on else "chosen" if chosen else "rest" if self._key_works else "off"
            paint_caps(painter, theme.space("s"), first, [self._key], state=state)
        role = "strong" if chosen and not self._trial else self._role()
        painter.setFont(theme.font(role))
        painter.setPen(theme.color("ink" if on else "ink3"))
        tall = self._text_height(rect.width())
        top = (self._row() - theme.metrics(self._role()).height()) // 2
        room = rect.width() - self._text_left() - self._sign_room() - self._remark_width()
        painter.drawText(QRect(self._text_left(), top, room, tall + 2), _WRAP, self.text())
        if self._remark:
            used = min(room, theme.metrics(role).horizontalAdvance(self.text()))
            painter.setFont(theme.font("caption"))
            painter.setPen(theme.color("ink2" if on else "ink3"))
            painter.drawText(QRect(self._text_left() + used + theme.space("s"), 0, self._remark_width(), self._row()),
                             Qt.AlignmentFlag.AlignVCenter, self._remark)
        sign = ("check-square" if chosen else "square") if self._multi else "check" if chosen else ""
        if sign:
            side = theme.scaled("icon_small")
            box = QRect(rect.width() - side - theme.space("s"), round(first - side / 2), side, side)
            theme.paint_icon(painter, box, sign, "accent_ink" if chosen else "ink2" if on else "ink3")
        if self.hasFocus():
            focus_ring(painter, rect)


class CapRow(QAbstractButton):
    """One point of a scale: a single large cap, gold when chosen. ``text`` is its label for readers."""

    def __init__(self, key: str, *, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the pointer comes and goes
        self._key = key
        self.setText(key)
        self.setAccessibleName(name or key)
        self.setToolTip(name if name != key else "")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def nextCheckState(self) -> None:  # noqa: N802 - Qt's name
        """Painted from the draft, as OptionButton."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        tall = theme.height("option", "body")
        return QSize(max(tall, caps_width([self._key]) + 2 * theme.space("s")), tall)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        if self.isChecked():
            fill_box(painter, self.rect(), "tint", edge="edge" if theme.is_contrast() else None)
        elif self.isEnabled() and self.underMouse():
            fill_box(painter, self.rect(), "hover")
        state = "off" if not self.isEnabled() else "chosen" if self.isChecked() else "rest"
        x = (self.width() - caps_width([self._key])) / 2
        paint_caps(painter, round(x), self.height() / 2, [self._key], state=state)
        if self.hasFocus():
            focus_ring(painter, self.rect())


