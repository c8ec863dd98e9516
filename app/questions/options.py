"""Options of a question: in a row if all fit in one line, else one below the other; one stop for Tab."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.parts.option import OptionButton

_STEP = {Qt.Key.Key_Down: 1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Left: -1}


class OptionBox(QWidget):
    """Arrows move among the options, Space and Return choose, Tab leaves for the next question."""

    chosen = Signal(int)  # from 0

    def __init__(self, buttons: Sequence[OptionButton], *, stacked: bool = False,
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons = list(buttons)
        self._stacked = stacked
        self._beside: tuple[OptionBox | None, OptionBox | None] = (None, None)
        self._has_stop = True
        self._kept: dict[int, list[QRect]] = {}  # by width: layouts ask for heights far more often than they change
        for n, button in enumerate(self.buttons):
            button.setParent(self)
            button.installEventFilter(self)
            button.clicked.connect(lambda _on=False, n=n: self.chosen.emit(n))
            if n:
                QWidget.setTabOrder(self.buttons[n - 1], button)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._stop_at(0)

    def join(self, other: OptionBox) -> None:
        """Make ``other`` go on where this one ends: arrows walk over, Tab stops at one of the two only."""
        self._beside, other._beside = (self._beside[0], other), (self, other._beside[1])
        other._has_stop = False
        other._stop_at(-1)

    def check(self, chosen: set[int]) -> None:
        """Paint these as chosen."""
        for n, button in enumerate(self.buttons):
            button.setChecked(n in chosen)
        if chosen and not any(button.hasFocus() for button in self.buttons):
            self._stop_at(min(chosen))
        elif not chosen and not any(button.hasFocus() for button in self.buttons):
            self._stop_at(0)

    def stop(self) -> QWidget | None:
        """The option on which Tab arrives: the chosen one, else the first."""
        for button in self.buttons:
            if button.focusPolicy() == Qt.FocusPolicy.StrongFocus:
                return button
        return self.buttons[0] if self.buttons else None

    def choose(self, n: int) -> bool:
        """As if the n-th (from 0) had been clicked; the focus goes along if it was in this box."""
        if not 0 <= n < len(self.buttons) or not self.buttons[n].isEnabled():
            return False
        if any(button.hasFocus() for button in self.buttons):
            self.buttons[n].setFocus(Qt.FocusReason.OtherFocusReason)
        self.chosen.emit(n)
        return True

    def find_letter(self, letter: str) -> int | None:
        for n, button in enumerate(self.buttons):
            if button.key.upper() == letter and not letter.isdigit():
                return n
        return None

    def _stop_at(self, n: int) -> None:
        for i, button in enumerate(self.buttons):
            is_stop = i == n and self._has_stop
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_stop else Qt.FocusPolicy.ClickFocus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.FocusIn and watched in self.buttons:
            self._stop_at(self.buttons.index(watched))
        elif event.type() == QEvent.Type.KeyPress and watched in self.buttons:
            assert isinstance(event, QKeyEvent)
            if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
                return False
            at = self.buttons.index(watched)
            if event.key() in _STEP:
                self._step(at + _STEP[Qt.Key(event.key())])
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and not event.isAutoRepeat():
                self.chosen.emit(at)
                return True
        return False

    def _step(self, to: int) -> None:
        before, after = self._beside
        if to < 0 and before is not None and before.buttons:
            before.buttons[-1].setFocus(Qt.FocusReason.OtherFocusReason)
        elif to >= len(self.buttons) and after is not None and after.buttons:
            after.buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.buttons[to % len(self.buttons)].setFocus(Qt.FocusReason.OtherFocusReason)

    # --- where they stand -----------------------------------------------------------------------------------

    def stands_in_row(self, width: int) -> bool:
        return not self._stacked and sum(self._row_widths()) + self._gap() * (len(self.buttons) - 1) <= width

    def _gap(self) -> int:
        return theme.space("s")

    def _row_widths(self) -> list[int]:
        return [max(button.row_width(), theme.wide(100)) for button in self.buttons]

    def rects(self, width: int) -> list[QRect]:
        """Where the options stand in so many pixels."""
        if width not in self._kept:
            self._kept[width] = self._rects(width) if self.buttons else []
        return self._kept[width]

    def _rects(self, width: int) -> list[QRect]:
        if self.stands_in_row(width):
            widths = self._row_widths()
            even = (width - self._gap() * (len(widths) - 1)) // len(widths)
            if width <= theme.wide(theme.size("answer_panel_long")) and even >= max(widths):
                widths = [even] * len(widths)
            tall = max(button.heightForWidth(w) for button, w in zip(self.buttons, widths, strict=True))
            rects, x = [], 0
            for w in widths:
                rects.append(QRect(x, 0, w, tall))
                x += w + self._gap()
            return rects
        rects, y = [], 0
        for button in self.buttons:
            tall = button.heightForWidth(width)
            rects.append(QRect(0, y, width, tall))
            y += tall + theme.space("xxs")
        return rects

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        rects = self.rects(width)
        return max((rect.bottom() + 1 for rect in rects), default=0)

    def sizeHint(self) -> QSize:  # noqa: N802
        width = self.width() if self.width() > 1 else theme.size("answer_panel_min")
        return QSize(theme.size("answer_panel_min"), self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(theme.wide(100), self.heightForWidth(self.width()) if self.width() > 1 else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._lay_out()
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def restyle(self) -> None:
        self._kept.clear()
        self._lay_out()
        self.updateGeometry()

    def _lay_out(self) -> None:
        for button, rect in zip(self.buttons, self.rects(self.width()), strict=True):
            button.setGeometry(rect)


def cap_of(n: int) -> str:
    """The key of the n-th option (from 0): 1 to 9, then 0, then none."""
    return str(n + 1) if n < 9 else "0" if n == 9 else ""
