"""Key caps: the keys of a shortcut, drawn as they are on a keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme

_SIGNS = {"Return": "↵", "Enter": "↵", "Left": "←", "Right": "→", "Up": "↑", "Down": "↓", "PgDown": "PgDn",
          "Space": "Space", "Del": "Del", "Escape": "Esc", "Minus": "-"}


def keys_of(sequence: QKeySequence | str) -> list[str]:
    """The caps of a shortcut, one a key and without plus signs: ``Ctrl+Return`` is ``["Ctrl", "↵"]``."""
    text = sequence if isinstance(sequence, str) else sequence.toString(QKeySequence.SequenceFormat.PortableText)
    if not text:
        return []
    first = text.split(", ")[0]
    parts = [*first[:-1].split("+"), "+"] if first.endswith("+") else first.split("+")
    return [_SIGNS.get(part, part) for part in parts if part]


def cap_height() -> int:
    return theme.height("cap", "cap")


def cap_width(key: str) -> int:
    return max(cap_height(), theme.metrics("cap").horizontalAdvance(key) + 2 * (theme.space("xs") + 1))


def caps_width(keys: Sequence[str]) -> int:
    return sum(cap_width(key) for key in keys) + theme.space("xs") * max(0, len(keys) - 1)


def paint_caps(painter: QPainter, x: float, middle: float, keys: Sequence[str], *, state: str = "rest") -> float:
    """Paint caps from ``x``, centred on the line ``middle``; returns the x after the last.

    ``state``: ``rest``, ``chosen`` (gold), ``off``, or ``on_accent`` (on a primary button).
    """
    tall = cap_height()
    fill = {"rest": "raised", "chosen": "accent", "off": None, "on_accent": None}[state]
    edge = {"rest": "edge", "chosen": "accent_ink", "off": "line", "on_accent": "on_accent"}[state]
    ink = {"rest": "ink", "chosen": "on_accent", "off": "ink3", "on_accent": "on_accent"}[state]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(theme.font("cap"))
    for key in keys:
        box = QRectF(x + 0.5, round(middle - tall / 2) + 0.5, cap_width(key) - 1, tall - 1)
        painter.setPen(QPen(theme.color(edge), theme.border("control")))
        painter.setBrush(theme.color(fill) if fill else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, theme.radius("cap"), theme.radius("cap"))
        inset = theme.radius("cap") - 1
        painter.drawLine(round(box.left()) + inset, round(box.bottom()) - 1, round(box.right()) - inset,
                         round(box.bottom()) - 1)
        painter.setPen(theme.color(ink))
        painter.drawText(box.adjusted(0, 0, 0, -1), Qt.AlignmentFlag.AlignCenter, key)
        x += cap_width(key) + theme.space("xs")
    painter.restore()
    return x - theme.space("xs") if keys else x


class KeyCaps(QWidget):
    """Caps that stand beside a text; never focusable, said to readers by the control they belong to."""

    def __init__(self, keys: Sequence[str] | str = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys_of(keys) if isinstance(keys, str) else list(keys)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_keys(self, keys: Sequence[str] | str) -> None:
        self._keys = keys_of(keys) if isinstance(keys, str) else list(keys)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(caps_width(self._keys), cap_height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        paint_caps(painter, 0, self.height() / 2, self._keys, state="rest" if self.isEnabled() else "off")
