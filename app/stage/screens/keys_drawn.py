"""The keys to answer with, drawn large, each with what it chooses below it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.parts.paint import fill_box

SIGNS = {"space": "Space", "return": "↵", "left": "←", "right": "→", "up": "↑", "down": "↓"}


def cap_of(key: str) -> str:
    """The name of a key as it stands on a keyboard."""
    return SIGNS.get(key, key.upper())


class KeysDrawn(QWidget):
    """``keys`` are names as in a study's file; ``words`` what each chooses (or nothing), read out with them."""

    def __init__(self, keys: Sequence[str], words: Sequence[str] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._caps = [cap_of(key) for key in keys]
        self._words = [words[n] if n < len(words) else "" for n in range(len(keys))]
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(", ".join(f"{cap}: {word}" if word else cap
                                         for cap, word in zip(self._caps, self._words, strict=True)))

    def _side(self) -> int:
        return max(44, theme.metrics("title").height() + 2 * theme.space("m"))

    def _below(self) -> int:
        return 2 * theme.metrics("body").height() + theme.space("s") if any(self._words) else 0

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(theme.wide(240), self._side() + self._below() + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        side, gap = self._side(), theme.space("xxl") if any(self._words) else theme.space("s")
        least = [max(side, theme.metrics("title").horizontalAdvance(cap) + 2 * theme.space("m")) for cap in self._caps]
        room = (self.width() - gap * (len(least) - 1)) // max(1, len(least))
        wants = [max(wide, min(room, theme.metrics("body").horizontalAdvance(word) + 2))
                 for wide, word in zip(least, self._words, strict=True)]
        x = 0
        for cap, word, wide, taken in zip(self._caps, self._words, least, wants, strict=True):
            box = QRect(x, 0, wide, side)
            fill_box(painter, box, "raised", edge="edge")
            painter.setPen(theme.color("edge"))
            painter.drawLine(box.left() + 5, box.bottom() - 2, box.right() - 5, box.bottom() - 2)
            painter.setPen(theme.color("ink"))
            painter.setFont(theme.font("title"))
            painter.drawText(box.adjusted(0, 0, 0, -2), Qt.AlignmentFlag.AlignCenter, cap)
            painter.setFont(theme.font("body"))
            painter.drawText(QRect(x, side + theme.space("s"), taken, self._below()),
                             Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap, word)
            x += taken + gap
