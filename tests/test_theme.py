"""The tokens as they come out: contrast, fonts, icons, text size, and that colours are named in one file only."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication, QLabel

from app import theme, tokens

ROOT = Path(__file__).resolve().parent.parent
TEXT_PAIRS = [  # the pairs that look.md allows
    *[(ink, on) for ink in ("ink", "ink2") for on in ("window", "page", "panel", "raised", "hover", "canvas", "tint")],
    *[("accent_ink", on) for on in ("page", "panel", "raised", "tint")],
    ("on_accent", "accent"), ("ink", "mark"),
    *[(kind, f"{kind}_tint") for kind in ("good", "warn", "bad", "info")],
    *[("ink", f"{kind}_tint") for kind in ("good", "warn", "bad", "info")],
    *[(kind, "page") for kind in ("good", "warn", "bad", "info")],
]


def luminance(color: QColor) -> float:
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in color.getRgbF()[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: QColor, other: QColor) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.fixture(params=["light", "dark", "contrast"])
def shown_theme(request, qapp):
    theme.apply(qapp, request.param, 1.0)
    yield request.param
    theme.apply(qapp, "light", 1.0)


def test_every_text_pair_has_enough_contrast(shown_theme):
    low = {pair: round(contrast(theme.color(pair[0]), theme.color(pair[1])), 2) for pair in TEXT_PAIRS}
    assert {pair: value for pair, value in low.items() if value < 4.5} == {}


def test_the_palette_that_qt_was_given_has_enough_contrast(shown_theme, qapp):
    palette, role = qapp.palette(), QPalette.ColorRole
    for ink, ground in ((role.WindowText, role.Window), (role.Text, role.Base), (role.ButtonText, role.Button),
                        (role.HighlightedText, role.Highlight), (role.PlaceholderText, role.Base),
                        (role.ToolTipText, role.ToolTipBase), (role.Link, role.Base)):
        assert contrast(palette.color(ink), palette.color(ground)) >= 4.5, (ink, ground)


def test_focus_and_borders_stand_out(shown_theme):
    for ground in ("page", "panel", "raised", "window"):
        assert contrast(theme.color("accent"), theme.color(ground)) >= 3
        assert contrast(theme.color("edge"), theme.color(ground)) >= 3


def test_the_shipped_fonts_are_the_ones_shown(qapp):
    theme.apply(qapp, "light", 1.0)
    assert QFontInfo(theme.font("body")).family() == "Inter"
    assert QFontInfo(theme.font("code")).family() == "JetBrains Mono"
    assert [QFontInfo(theme.font(role)).weight() for role in ("body", "button", "strong")] == [400, 500, 600]


def test_a_font_of_before_the_files_were_loaded_is_made_anew(qapp):
    """Once shown it goes on standing for the family that was found instead of it."""
    early = tokens._font("code", 1.0)
    theme._load_fonts.cache_clear()
    theme.apply(qapp, "light", 1.0)
    assert tokens._font("code", 1.0) is not early


def test_every_icon_of_the_tokens_is_in_the_shipped_set(qapp):
    for table in theme.TOKENS["icons"].values():
        if isinstance(table, dict):
            missing = [name for name in table.values() if not theme.has_icon(name)]
            assert missing == []


@pytest.mark.parametrize(("scale", "body", "display"), [(0.85, 12, 25), (1.0, 14, 28), (1.5, 21, 36), (2.0, 28, 45)])
def test_text_grows_and_titles_grow_less(qapp, scale, body, display):
    theme.apply(qapp, "light", scale)
    try:
        assert (theme.text_px("body"), theme.text_px("display")) == (body, display)
        assert theme.space("xl") == 24
        assert theme.height("button", "button") >= theme.metrics("button").height()
    finally:
        theme.apply(qapp, "light", 1.0)


def test_a_change_of_theme_dresses_what_is_shown(qtbot, qapp):
    theme.apply(qapp, "light", 1.0)
    shown = theme.dress(QLabel("words"), "body", "ink")
    qtbot.addWidget(shown)
    shown.show()
    before = shown.palette().color(QPalette.ColorRole.WindowText)
    theme.apply(qapp, "dark", 2.0)
    try:
        assert shown.palette().color(QPalette.ColorRole.WindowText) != before
        assert shown.font().pixelSize() == 28
    finally:
        theme.apply(qapp, "light", 1.0)


def test_only_the_theme_names_a_colour_or_a_style_sheet():
    named = re.compile(r"#[0-9A-Fa-f]{6}\b|setStyleSheet|QColor\(\s*[\"'#\d]|setPointSize|setPixelSize|setFamil")
    found = []
    for path in (ROOT / "app").rglob("*.py"):
        if path.name not in ("theme.py", "tokens.py", "icons.py"):
            found += [f"{path.relative_to(ROOT)}:{n}: {line.strip()}"
                      for n, line in enumerate(path.read_text("utf-8").splitlines(), 1) if named.search(line)]
    assert found == []


def test_follow_the_system_ends_up_in_a_theme(qapp):
    theme.apply(qapp, "system", 1.0)
    assert theme.look.wanted == "system"
    assert theme.look.theme in ("light", "dark", "contrast")
    assert QApplication.palette().color(QPalette.ColorRole.Window) == theme.color("window")
    theme.apply(qapp, "light", 1.0)
