"""The look put on: palette, style sheet, fonts and every dressed widget; the one door to colours, fonts and sizes.

Everything is read from ``resources/look-tokens.json``. Painted widgets ask ``color``, ``font``, ``space``,
``size``, ``height`` and ``paint_icon`` while they paint, so a change of theme needs no more than a repaint;
labels are dressed once with ``dress`` and dressed again by ``apply``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget

from app.icons import has_icon, icon, icon_name, paint_icon, pixmap
from app.tokens import (
    RESOURCES,
    THEMES,
    TOKENS,
    border,
    breakpoint,
    color,
    font,
    font_at,
    forget_fonts,
    height,
    is_contrast,
    is_dark,
    is_large,
    line_percent,
    look,
    metrics,
    palette,
    radius,
    rail_icon,
    scale,
    scaled,
    set_lines,
    size,
    space,
    text_px,
    wide,
)

__all__ = [
    "RESOURCES", "THEMES", "TOKENS", "apply", "border", "breakpoint", "color", "dress", "font", "font_at", "has_icon",
    "height", "icon", "icon_name", "is_contrast", "is_dark", "is_large", "line_percent", "look", "metrics",
    "paint_icon", "palette", "pixmap", "radius", "rail_icon", "scale", "scaled", "set_lines", "size", "space",
    "system_theme", "text_px", "wide",
]


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


def dress_again(widget: QWidget) -> None:
    """After a move to another parent: Qt then gives a widget and those in it the colours that they had at first."""
    for part in (widget, *widget.findChildren(QWidget)):
        _dress(part)


# --- putting it on ------------------------------------------------------------------------------------------

@lru_cache(maxsize=1)
def _load_fonts() -> bool:
    for table in ("ui", "mono"):
        for file in TOKENS["font"][table]["files"]:
            QFontDatabase.addApplicationFont(str(RESOURCES / "fonts" / file))
    forget_fonts()
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
*[fault="true"], *[fault="true"]:focus {{ border: {ring}px solid {c['bad']};
  padding: {s - 3 - less}px {s + 1 - less}px; }}
QLineEdit:disabled, QPlainTextEdit:disabled, QComboBox:disabled {{ color: {c['ink3']}; border-color: {c['line']}; }}
*[bare="true"], *[bare="true"]:focus {{ border: none; background: transparent; padding: 0; }}
*[quiet="true"], *[quiet="true"]:focus {{ border: none; background: transparent; padding: 0; }}
*[ringed="true"] {{ border: {ring}px solid transparent; border-radius: {r}px; background: transparent; padding: 0; }}
*[ringed="true"]:focus {{ border: {ring}px solid {c['accent']}; padding: 0; }}
QComboBox {{ combobox-popup: 0; }}
QComboBox::drop-down {{ border: none; width: {2 * s + scaled("icon_tiny")}px; }}
QComboBox QAbstractItemView {{ background: {c['raised']}; color: {c['ink']}; border: {thin}px solid {c['edge']};
  selection-background-color: {c['tint']}; selection-color: {c['ink']}; outline: 0; }}
QMenuBar {{ background: {c['window']}; color: {c['ink2']}; border: none; padding: {menu}px {s + 4}px 0 {s}px; }}
QMenuBar::item {{ background: transparent; padding: {s // 2}px {s + 2}px; border-radius: {r}px; }}
QMenuBar::item:selected {{ background: {c['hover']}; color: {c['ink']}; }}
QMenu {{ background: {c['raised']}; color: {c['ink']}; border: {thin}px solid {c['edge']}; padding: {s // 2}px; }}
QMenu::item {{ padding: {s - 2}px {3 * s}px {s - 2}px {s + 4}px; border-radius: {radius('cap')}px; }}
QMenu::item:selected {{ background: {c['tint']}; color: {c['ink']}; }}
QMenu::item:disabled {{ color: {c['ink3']}; }}
QMenu::separator {{ height: {thin}px; background: {c['line']}; margin: {s // 2}px {s}px; }}
QMenu::icon {{ padding-left: {s}px; }}
QTableView, QListView, QScrollArea {{ border: none; background: {c['page']}; }}
QScrollArea[fill_token="panel"] {{ background: {c['panel']}; }}
QScrollArea[fill_token="raised"] {{ background: {c['raised']}; }}
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
