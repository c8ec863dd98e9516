"""Icons: glyphs of the phosphor font in token colours, painted when asked for, so that no cache is ever stale."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from app.tokens import TOKENS, color


@lru_cache(maxsize=1)
def _icon_font() -> tuple[str, dict[str, str]]:
    # The phosphor font and char map that qtawesome ships, without importing qtawesome: its import loads all of
    # its fonts (0.18 s of the start) and we draw from one.
    spec = find_spec("qtawesome")
    assert spec is not None and spec.origin is not None
    folder = Path(spec.origin).parent / "fonts"
    families = QFontDatabase.applicationFontFamilies(
        QFontDatabase.addApplicationFont(str(folder / "phosphor-1.3.0.ttf")))
    return families[0], json.loads((folder / "phosphor-charmap-1.3.0.json").read_text("utf-8"))


def icon_name(name: str) -> str:
    """The phosphor name for a page, command or sign (``submit`` is ``paper-plane-right``); others as they are."""
    for table in ("commands", "pages", "signs"):
        if name in TOKENS["icons"][table]:
            return TOKENS["icons"][table][name]
    return name


def has_icon(name: str) -> bool:
    return icon_name(name) in _icon_font()[1]


def paint_icon(painter: QPainter, rect: QRect | QRectF, name: str, tone: str | QColor = "ink2") -> None:
    """Paint an icon centred in ``rect``, as large as the smaller side."""
    family, chars = _icon_font()
    box = QRectF(rect)
    made = QFont(family)
    made.setPixelSize(max(1, round(min(box.width(), box.height()))))
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    painter.setFont(made)
    painter.setPen(color(tone) if isinstance(tone, str) else tone)
    grown = box.adjusted(-box.width(), -box.height(), box.width(), box.height())
    painter.drawText(grown, Qt.AlignmentFlag.AlignCenter, chr(int(chars[icon_name(name)], 16)))
    painter.restore()


class _IconEngine(QIconEngine):
    """Paints the glyph when asked, in the colour of now, so that no icon cache can be stale."""

    def __init__(self, name: str, tone: str) -> None:
        super().__init__()
        self.name, self.tone = name, tone

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State) -> None:
        paint_icon(painter, rect, self.name, "ink3" if mode == QIcon.Mode.Disabled else self.tone)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return made

    def clone(self) -> QIconEngine:
        return _IconEngine(self.name, self.tone)


def icon(name: str, tone: str = "ink2") -> QIcon:
    """A QIcon for menus and tool buttons that always wears the theme of now."""
    return QIcon(_IconEngine(name, tone))


def pixmap(name: str, px: int, tone: str = "ink2") -> QPixmap:
    """An icon as a picture of ``px`` logical pixels."""
    app = QApplication.instance()
    ratio = app.devicePixelRatio() if isinstance(app, QApplication) else 1.0
    made = QPixmap(QSize(px, px) * ratio)
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    paint_icon(painter, QRectF(QPointF(0, 0), QSize(px, px)), name, tone)
    painter.end()
    return made
