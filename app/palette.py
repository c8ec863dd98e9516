"""The command palette: type a few letters, press Enter; the same list serves people and projects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app import theme
from app.parts.caps import KeyCaps, caps_width, keys_of, paint_caps
from app.parts.overlay import Overlay
from app.parts.paint import draw_line
from app.parts.surface import Hairline
from app.parts.text import icon_label, label

ROWS = 9  # shown at once


@dataclass(frozen=True, slots=True)
class Row:
    text: str
    act: Callable[[], object]
    remark: str = ""
    keys: str = ""
    icon: str = ""


def rank(typed: str, row: Row) -> int | None:
    """How well a row answers what was typed, 0 best; None where it does not.

    All words must begin a word of the row, or stand inside it, or at least their letters in this order.
    """
    text = f"{row.text} {row.remark}".casefold()
    wanted = typed.casefold().split()
    if not wanted:
        return 0
    words = text.replace("-", " ").replace("(", " ").split()
    if text.startswith(typed.casefold()):
        return 0
    if all(any(word.startswith(part) for word in words) for part in wanted):
        return 1
    if all(part in text for part in wanted):
        return 2
    letters = iter(text)
    return 3 if len(typed) > 2 and all(letter in letters for letter in typed.casefold() if letter != " ") else None


class Palette(Overlay):
    """``rows`` are offered in their order; ``hint`` stands in the field."""

    def __init__(self, window: QWidget, rows: Sequence[Row], *, name: str, hint: str, icon: str = "search") -> None:
        super().__init__(window, name)
        self._rows, self._found = list(rows), list(rows)
        self._field = QLineEdit()
        self._field.setProperty("quiet", True)
        self._field.setPlaceholderText(hint)
        self._field.setAccessibleName(name)
        theme.dress(self._field, "reading")
        self._count = label("", "caption", "ink2")
        self._list = _List(self)
        head = QHBoxLayout()
        head.setContentsMargins(theme.space("l") + theme.space("xs"), 0, theme.space("l") + theme.space("xs"), 0)
        head.setSpacing(theme.space("m"))
        head.addWidget(icon_label(icon))
        head.addWidget(self._field, 1)
        head.addWidget(self._count)
        foot = QHBoxLayout()
        foot.setContentsMargins(theme.space("l") + theme.space("xs"), 0, theme.space("l"), 0)
        foot.setSpacing(theme.space("xs") + 1)
        for keys, words in ((["↑", "↓"], self.tr("choose")), (["↵"], self.tr("do it")), (["Esc"], self.tr("close"))):
            foot.addWidget(KeyCaps(keys))
            foot.addWidget(label(words, "caption", "ink2"))
            foot.addSpacing(theme.space("m"))
        foot.addStretch(1)
        self._head, self._foot = QWidget(), QWidget()
        self._head.setLayout(head)
        self._foot.setLayout(foot)
        column = QVBoxLayout(self.box)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        for part in (self._head, Hairline(), self._list, Hairline(), self._foot):
            column.addWidget(part)
        self._field.textChanged.connect(self._filter)
        self._field.installEventFilter(self)
        self._filter("")

    def open(self) -> None:
        super().open()
        self._field.setFocus()

    def first_focus(self) -> QWidget:
        return self._field

    def box_rect(self) -> QRect:
        tall = theme.height("rail_row", "body") + 4
        self._head.setFixedHeight(max(52, theme.metrics("reading").height() + 28))
        self._foot.setFixedHeight(tall)
        rows = min(ROWS, max(1, len(self._found)))
        room = self.parentWidget().height() - 2 * theme.space("xxl") - self._head.height() - tall
        while rows > 1 and rows * tall > room:
            rows -= 1
        self._list.set_room(rows, tall)
        wide = min(theme.wide(theme.size("palette")), self.parentWidget().width() - 2 * theme.space("xxl"))
        all_high = self._head.height() + self._list.height() + tall + 4
        top = min(2 * theme.size("menu_bar"), max(theme.space("s"), self.parentWidget().height() - all_high))
        return QRect((self.parentWidget().width() - wide) // 2, top, wide, all_high)

    def shown(self) -> list[str]:
        """The texts of the rows that answer what was typed."""
        return [row.text for row in self._found]

    def _filter(self, typed: str) -> None:
        ranked = [(found, n, row) for n, row in enumerate(self._rows) if (found := rank(typed, row)) is not None]
        self._found = [row for _, _, row in sorted(ranked, key=lambda entry: entry[:2])]
        self._count.setText(self.tr("{n} of {all}").format(n=len(self._found), all=len(self._rows)))
        self._list.set_rows(self._found)
        if self.isVisible():
            self.box.setGeometry(self.box_rect())

    def do(self, at: int) -> None:
        if 0 <= at < len(self._found):
            row = self._found[at]
            self.close_overlay()
            row.act()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: ROWS, Qt.Key.Key_PageUp: -ROWS}
            if event.key() in steps:
                self._list.step(steps[Qt.Key(event.key())])
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:  # with Ctrl it is a key of the page
                    self.do(self._list.current)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close_overlay()
                return True
            if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
                return True
        return super().eventFilter(watched, event)


class _List(QWidget):
    """The rows, painted; the current one in tint with the gold bar."""

    def __init__(self, palette: Palette) -> None:
        super().__init__(palette.box)
        self._palette, self.current, self._top, self._shown, self._tall = palette, 0, 0, ROWS, 40
        self._rows: list[Row] = []
        self._name = ""
        self.setMouseTracking(True)

    def set_room(self, rows: int, tall: int) -> None:
        self._shown, self._tall = rows, tall
        self.setFixedHeight(rows * tall + theme.space("s"))

    def set_rows(self, rows: Sequence[Row]) -> None:
        self._rows, self.current, self._top = list(rows), 0, 0
        self._tell()

    def step(self, by: int) -> None:
        self.current = max(0, min(len(self._rows) - 1, self.current + by))
        self._top = min(max(self._top, self.current - self._shown + 1), self.current)
        self._tell()

    def _tell(self) -> None:
        self.setAccessibleName(self._rows[self.current].text if self._rows else self.tr("Nothing found"))
        self.update()

    def _at(self, event: QMouseEvent) -> int:
        return self._top + int((event.position().y() - theme.space("xs")) // self._tall)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self._at(event)
        if 0 <= at < len(self._rows) and at != self.current:
            self.current = at
            self._tell()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._palette.do(self._at(event))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        side, left = theme.scaled("icon_small"), theme.space("l") + theme.space("xs")
        if not self._rows:
            draw_line(painter, self.rect().adjusted(left, 0, -left, 0), self.tr("Nothing found"), "body", "ink2")
        for n, row in enumerate(self._rows[self._top:self._top + self._shown]):
            rect = QRect(0, theme.space("xs") + n * self._tall, self.width(), self._tall)
            current = n + self._top == self.current
            if current:
                painter.fillRect(rect, theme.color("tint"))
                bar = QRect(rect.left(), rect.top(), theme.border("rail_bar"), rect.height())
                painter.fillRect(bar, theme.color("accent"))
            if row.icon:
                box = QRect(left, rect.center().y() - side // 2, side, side)
                theme.paint_icon(painter, box, row.icon, "ink" if current else "ink2")
            keys = keys_of(row.keys)
            room = caps_width(keys) + theme.space("m") if keys else 0
            text = QRect(left + side + theme.space("m"), rect.top(), rect.width(), rect.height())
            text.setRight(rect.right() - left - room)
            role = "strong" if current else "body"
            used = theme.metrics(role).horizontalAdvance(row.text)
            draw_line(painter, text, row.text, role, "ink")
            if row.remark and used < text.width() - 24:
                draw_line(painter, text.adjusted(used + theme.space("m"), 1, 0, 1), row.remark, "caption", "ink2")
            if keys:
                paint_caps(painter, rect.right() - left - caps_width(keys) + 1, rect.center().y() + 1, keys)
