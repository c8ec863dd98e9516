"""The tokens of the look: what is shown now, and colours, sizes and type roles by their names."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPalette, QTextBlockFormat, QTextCursor

RESOURCES = Path(__file__).resolve().parent.parent / "resources"
TOKENS: dict[str, Any] = json.loads((RESOURCES / "look-tokens.json").read_text("utf-8"))
THEMES = ("system", "light", "dark", "contrast")
_TABLES = {"light": "light", "dark": "dark", "contrast": "high_contrast"}
_ROLES = {name.lower(): role for name, role in QPalette.ColorRole.__members__.items()}


class _Look(QObject):
    """What is shown now; ``changed`` is emitted after palette, sheet and fonts have been set."""

    changed = Signal()
    theme = "light"      # one of THEMES without "system": what "system" came out as
    wanted = "system"
    scale = 1.0


look = _Look()


# --- colours ------------------------------------------------------------------------------------------------

def color(name: str) -> QColor:
    """The colour of a token in the theme shown now; ``scrim`` carries its alpha."""
    return _color(look.theme, name)


@lru_cache(maxsize=256)
def _color(theme: str, name: str) -> QColor:
    value = TOKENS["color"][_TABLES[theme]][name]
    if isinstance(value, dict):
        made = QColor(value["rgb"])
        made.setAlphaF(value["alpha"])
        return made
    return QColor(value)


def is_contrast() -> bool:
    return look.theme == "contrast"


def is_dark() -> bool:
    return look.theme != "light"


def palette() -> QPalette:
    """The QPalette of the theme shown now."""
    made = QPalette()
    for name, token in TOKENS["palette_roles"].items():
        if name == "disabled":
            continue
        made.setColor(_ROLES[name.lower()], color(token))
    for name, token in TOKENS["palette_roles"]["disabled"].items():
        made.setColor(QPalette.ColorGroup.Disabled, _ROLES[name.lower()], color(token))
    return made


# --- sizes --------------------------------------------------------------------------------------------------

def scale() -> float:
    """Text size as a factor, 0.85 to 2.0."""
    return look.scale


def is_large() -> bool:
    """Whether the rules for large text hold: one question at a time, slim rail, no caps on buttons."""
    return look.scale >= TOKENS["breakpoint"]["one_question_at_scale"]


def breakpoint(name: str) -> int:
    return TOKENS["breakpoint"][name]


def space(name: str) -> int:
    """A distance of the grid: xxs 2, xs 4, s 8, m 12, l 16, xl 24, xxl 32, page_left ..; does not grow."""
    return TOKENS["space"][name]


def radius(name: str = "control") -> int:
    return TOKENS["radius"][name]


def border(name: str = "control") -> int:
    return TOKENS["border"][name]


def size(name: str) -> int:
    """A size token as it stands (``rail``, ``side_column``, ``meter`` ..); does not grow with the text."""
    return TOKENS["size"][name]


def height(name: str, role: str = "body", lines: int = 1) -> int:
    """The height of a control: its token, or its lines of text and the token's own padding, if that is more."""
    given = TOKENS["size"][name]
    padding = given - _line_px(TOKENS["type"][role]["px"])
    return max(given, lines * metrics(role).height() + padding)


def scaled(name: str) -> int:
    """A size token that grows with the text: icons, columns of numbers, the side columns of a page."""
    return round(TOKENS["size"][name] * max(1.0, look.scale))


def rail_icon() -> int:
    """The side of an icon in the rail: it grows with the text up to the 28 px that a rail of 72 has room for."""
    return min(size("icon_empty") - space("xs"), scaled("icon"))


def wide(px: int) -> int:
    """A width that holds text: so many logical pixels at 100 %, growing with the text."""
    return round(px * look.scale)


def _line_px(px: int) -> int:
    return round(px * 1.21)  # Inter's own line


# --- type ---------------------------------------------------------------------------------------------------

def text_px(role: str) -> int:
    """The pixel size of a type role at the text size of now."""
    given = TOKENS["type"][role]
    grow = given.get("grow", 1.0)
    return round(given["px"] * (1 + grow * (look.scale - 1)))


def font(role: str = "body") -> QFont:
    """The font of a type role: display title reading body strong button table caption label cap axis code."""
    return QFont(_font(role, look.scale))


def font_at(role: str, px: int) -> QFont:
    """The font of a type role in another pixel size (where a text has to fit what cannot scroll)."""
    made = font(role)
    made.setPixelSize(px)
    return made


@lru_cache(maxsize=64)
def _font(role: str, _scale: float) -> QFont:
    given = TOKENS["type"][role]
    family = TOKENS["font"][given.get("family", "ui")]["family"]
    made = QFont()
    made.setFamilies([family, *TOKENS["font"]["fallback"]])
    made.setPixelSize(text_px(role))
    made.setWeight(QFont.Weight(given["weight"]))
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    if family == TOKENS["font"]["mono"]["family"]:
        made.setFeature(QFont.Tag("calt"), 0)
    elif given["px"] <= 16:
        made.setFeature(QFont.Tag("tnum"), 1)
    return made


def forget_fonts() -> None:
    """A font that was shown before its file was loaded goes on standing for another family: make all anew."""
    _font.cache_clear()


def metrics(role: str = "body") -> QFontMetrics:
    return QFontMetrics(_font(role, look.scale))


def line_percent(role: str) -> int:
    """The line height of a role as Qt counts it, in per cent of the font's own line (1.6 em is 132)."""
    return round(100 * TOKENS["type"][role].get("line", 1.21) / 1.21)


def set_lines(document_owner: Any, role: str) -> None:
    """Set the line height of every block of a QTextEdit, QTextBrowser or QTextDocument."""
    document = document_owner.document() if hasattr(document_owner, "document") else document_owner
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    block = QTextBlockFormat()
    block.setLineHeight(line_percent(role), QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    cursor.mergeBlockFormat(block)
