"""The one file that knows colours, fonts and sizes: tokens become palette, style sheet, fonts and icons.

Everything is read from ``resources/look-tokens.json``. Painted widgets ask ``color``, ``font``, ``space``,
``size``, ``height`` and ``paint_icon`` while they paint, so a change of theme needs no more than a repaint;
labels are dressed once with ``dress`` and dressed again by ``apply``.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetrics,
    QIcon,
    QIconEngine,
    QPainter,
    QPalette,
    QPixmap,
    QTextBlockFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget

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


def dress(widget: QWidget, role: str | None = None, ink: str | None = None, *, fill: str | None = None) -> Any:
    """Give a widget a type role, a text colour and a fill by token names; remembered, so that a change of
    theme or text size dresses it again. Returns the widget."""
    if role:
        widget.setProperty("text_role", role)
    if ink:
        widget.setProperty("ink_token", ink)
    if fill:
        widget.setProperty("fill_token", fill)
    _dress(widget)
    return widget


def _dress(widget: QWidget) -> None:
    role, ink, fill = (widget.property(name) for name in ("text_role", "ink_token", "fill_token"))
    if role:
        widget.setFont(font(role))
    if ink or fill:
        own = widget.palette()
        if ink:
            for target in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
                own.setColor(QPalette.ColorGroup.Active, target, color(ink))
                own.setColor(QPalette.ColorGroup.Inactive, target, color(ink))
        if fill:
            own.setColor(QPalette.ColorRole.Window, color(fill))
            own.setColor(QPalette.ColorRole.Base, color(fill))
        own.setColor(QPalette.ColorRole.Link, color("accent_ink"))
        widget.setPalette(own)
    if isinstance(widget, QLabel) and widget.property("icon_name"):
        side = widget.property("icon_size")  # a token, which grows with the text, or pixels
        widget.setPixmap(pixmap(widget.property("icon_name"), scaled(side) if isinstance(side, str) else side,
                                ink or "ink2"))


# --- icons --------------------------------------------------------------------------------------------------

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


# --- putting it on ------------------------------------------------------------------------------------------

@lru_cache(maxsize=1)
def _load_fonts() -> bool:
    for table in ("ui", "mono"):
        for file in TOKENS["font"][table]["files"]:
            QFontDatabase.addApplicationFont(str(RESOURCES / "fonts" / file))
    return True


def system_theme() -> str:
    """What "follow the system" means at this moment."""
    hints = QApplication.styleHints()
    if hasattr(hints, "accessibility"):  # since Qt 6.10
        preference = hints.accessibility().contrastPreference()
        if preference == Qt.ContrastPreference.HighContrast:
            return "contrast"
    return "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"


def apply(app: QApplication, theme: str = "system", scale: float = 1.0) -> None:
    """Put a theme (one of THEMES) and a text size on: palette, sheet, fonts and every dressed widget, at once."""
    if theme not in THEMES:
        raise ValueError(f"unknown theme {theme!r}")
    _load_fonts()
    limits = TOKENS["text_scale"]
    look.wanted = theme
    look.theme = system_theme() if theme == "system" else theme
    look.scale = min(limits["max"], max(limits["min"], scale))
    if not app.property("goldsmith_look"):
        app.setProperty("goldsmith_look", True)
        app.setStyle("Fusion")
        app.styleHints().colorSchemeChanged.connect(_follow)
        for effect in (Qt.UIEffect.UI_AnimateMenu, Qt.UIEffect.UI_AnimateCombo, Qt.UIEffect.UI_AnimateTooltip,
                       Qt.UIEffect.UI_FadeMenu, Qt.UIEffect.UI_FadeTooltip):
            app.setEffectEnabled(effect, False)
    app.setPalette(palette())
    app.setFont(font("body"))
    QToolTip.setFont(font("caption"))
    app.setStyleSheet(_sheet())
    for widget in app.allWidgets():
        _dress(widget)
        restyle = getattr(widget, "restyle", None)
        if callable(restyle):
            restyle()
        widget.updateGeometry()
        widget.update()
    look.changed.emit()


def _follow(*_: object) -> None:
    app = QApplication.instance()
    if look.wanted == "system" and isinstance(app, QApplication):
        apply(app, "system", look.scale)


def _sheet() -> str:
    """The style sheet: only what a palette cannot say. Fonts are not set here: a sheet would reset their features."""
    c = {name: color(name).name() for name in TOKENS["color"]["light"] if name != "scrim"}
    s, thin, ring, r, bar = space("s"), border("control"), border("focus"), radius("control"), size("scrollbar")
    menu = (height("menu_bar") - metrics().height() - s) // 2
    less = ring - thin  # what a thicker border takes from the padding, so that text does not jump
    fields = "QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox, QComboBox"
    focused = ", ".join(f"{name}:focus" for name in fields.split(", "))
    return f"""
{fields} {{ background: {c['raised']}; color: {c['ink']}; border: {thin}px solid {c['edge']}; border-radius: {r}px;
  padding: {s - 3}px {s + 1}px; selection-background-color: {c['mark']}; selection-color: {c['ink']};
  placeholder-text-color: {c['ink2']}; }}
{focused}, QComboBox:on {{ border: {ring}px solid {c['accent']}; padding: {s - 3 - less}px {s + 1 - less}px; }}
*[fault="true"] {{ border: {ring}px solid {c['bad']}; padding: {s - 3 - less}px {s + 1 - less}px; }}
QLineEdit:disabled, QPlainTextEdit:disabled, QComboBox:disabled {{ color: {c['ink3']}; border-color: {c['line']}; }}
*[bare="true"], *[bare="true"]:focus {{ border: none; background: transparent; padding: 0; }}
*[quiet="true"], *[quiet="true"]:focus {{ border: none; background: transparent; padding: 0; }}
*[ringed="true"] {{ border: {ring}px solid transparent; border-radius: {r}px; background: transparent; padding: 0; }}
*[ringed="true"]:focus {{ border: {ring}px solid {c['accent']}; padding: 0; }}
QComboBox::drop-down {{ border: none; width: {3 * s}px; }}
QComboBox QAbstractItemView {{ background: {c['raised']}; color: {c['ink']}; border: {thin}px solid {c['edge']};
  selection-background-color: {c['tint']}; selection-color: {c['ink']}; outline: 0; }}
QMenuBar {{ background: {c['window']}; color: {c['ink2']}; border: none; padding: {menu}px {s + 4}px 0; }}
QMenuBar::item {{ background: transparent; padding: {s // 2}px {s + 4}px; border-radius: {r}px; }}
QMenuBar::item:selected {{ background: {c['hover']}; color: {c['ink']}; }}
QMenu {{ background: {c['raised']}; color: {c['ink']}; border: {thin}px solid {c['edge']}; padding: {s // 2}px; }}
QMenu::item {{ padding: {s - 2}px {3 * s}px {s - 2}px {s + 4}px; border-radius: {radius('cap')}px; }}
QMenu::item:selected {{ background: {c['tint']}; color: {c['ink']}; }}
QMenu::item:disabled {{ color: {c['ink3']}; }}
QMenu::separator {{ height: {thin}px; background: {c['line']}; margin: {s // 2}px {s}px; }}
QMenu::icon {{ padding-left: {s}px; }}
QTableView, QListView, QScrollArea {{ border: none; background: {c['page']}; }}
QTableView {{ gridline-color: transparent; outline: 0; }}
QHeaderView {{ background: {c['page']}; border: none; }}
QScrollBar:vertical {{ background: transparent; width: {bar}px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: {bar}px; margin: 0; }}
QScrollBar::handle {{ background: {c['edge']}; border-radius: {bar // 2 - 2}px; margin: 2px;
  min-height: {space('xxl')}px; min-width: {space('xxl')}px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QToolTip {{ background: {c['raised']}; color: {c['ink']}; border: {thin}px solid {c['edge']}; padding: {s // 2}px; }}
QSplitter::handle {{ background: {c['line']}; }}
"""
