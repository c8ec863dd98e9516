"""How a plot looks: colours, fonts and rcParams from the tokens, for each theme on the screen and for paper.

``shown()`` is the style of the window as it is now; ``of("light", paper=True)`` is that of a saved picture, on a
white page. Whoever draws or saves does it ``with style.worn():``, which holds the one lock around matplotlib:

    with of("light", paper=True).worn():
        figure.savefig(...)
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from app.home import home
from app.tokens import RESOURCES, TOKENS, look

DPI = 96          # logical pixels of an inch, as the rcParams of the tokens have it
_TABLES = {"light": "light", "dark": "dark", "contrast": "high_contrast"}
# Tried after the program's own font for other scripts, if the system has them.
_OTHER_SCRIPTS = ("Noto Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans Arabic", "Noto Sans Hebrew",
                  "Noto Sans Devanagari", "Droid Sans Fallback", "Microsoft YaHei", "PingFang SC", "DejaVu Sans")
_lock = threading.RLock()  # rcParams belong to the whole process


@dataclass(frozen=True, eq=False, slots=True)
class Style:
    """One look of plots. Sizes are logical pixels (1/96 inch) and grow with ``scale``; colours are #RRGGBB."""

    theme: str                      # light, dark, contrast
    scale: float
    paper: bool                     # on a white page, with its title
    colors: Mapping[str, str]
    series: tuple[str, ...]
    sequential: tuple[str, ...]
    diverging: tuple[str, ...]
    partly: str

    def __getitem__(self, token: str) -> str:
        return self.colors[token]

    @property
    def is_contrast(self) -> bool:
        return self.theme == "contrast"

    def points(self, role: str) -> float:
        """The size of a role of text (text, strong, small, title) in points."""
        return TOKENS["rcParams"][_SIZES[role]] * self.scale

    def line(self, role: str = "text") -> float:
        """The height of one line of text in pixels: 1.21 em of Inter."""
        return 1.21 * self.points(role) * DPI / 72

    def capital(self, role: str = "text") -> float:
        """The height of a capital or a figure in pixels: 0.727 em of Inter."""
        return 0.727 * self.points(role) * DPI / 72

    def wide(self, px: float) -> float:
        """A length that holds text: it grows with it."""
        return px * self.scale

    def shade(self, share: float) -> str:
        """A colour of the one-hue scale; ``share`` 0 to 1, clipped."""
        return _between(self.sequential, share)

    def lean(self, share: float) -> str:
        """A colour of the scale with two ends; ``share`` -1 to 1, clipped, 0 is neutral."""
        return _between(self.diverging, (share + 1) / 2)

    def ink_on(self, ground: str) -> str:
        """The better of two inks on a ground; at least 4.5 to 1 on any."""
        return max(_INKS, key=lambda ink: contrast(ink, ground))

    def rc(self) -> dict[str, Any]:
        """The rcParams; texts are never read as formulas, since labels are other people's words."""
        found: dict[str, Any] = {}
        for name, value in TOKENS["rcParams"].items():
            if isinstance(value, str) and value.startswith("@"):
                value = self[value[1:]]
            elif name in _GROWING:
                value *= self.scale
            found[name] = value
        found |= {"font.family": families(), "text.parse_math": False, "savefig.bbox": None,
                  "figure.facecolor": self["page"], "axes.facecolor": self["page"], "savefig.facecolor": self["page"],
                  "hatch.linewidth": 1.2, "svg.hashsalt": "goldsmith",
                  # Inter has CFF outlines, which matplotlib would put into a PDF as if they were TrueType (type 42);
                  # some viewers then refuse the font. As type 3 each glyph is drawn, and words can still be copied.
                  "pdf.fonttype": 3}
        return found

    @contextmanager
    def worn(self) -> Iterator[None]:
        """Hold the lock and set the rcParams, over matplotlib's own and not the person's, until the end."""
        with _lock:
            load()
            import matplotlib

            keep = {name: value for name, value in matplotlib.rcParamsDefault.items()
                    if not name.startswith(("backend", "toolbar", "interactive", "webagg", "tk.", "date.epoch"))}
            params: Any = {**keep, **self.rc()}
            with matplotlib.rc_context(params):
                yield


_GROWING = {"font.size", "axes.titlesize", "axes.labelsize", "xtick.labelsize", "ytick.labelsize", "legend.fontsize"}
_SIZES = {"text": "font.size", "strong": "font.size", "small": "xtick.labelsize", "title": "axes.titlesize"}
WEIGHTS = {"text": 400, "strong": 600, "small": 400, "title": TOKENS["rcParams"]["axes.titleweight"]}
# The black and the white of high contrast: whatever lies between them, one of the two reaches 4.5.
_INKS = (TOKENS["color"]["high_contrast"]["page"], TOKENS["color"]["high_contrast"]["ink"])


@lru_cache(maxsize=64)
def of(theme: str, scale: float = 1.0, *, paper: bool = False) -> Style:
    """The style of a theme (light, dark, contrast) at a text size (1.0 is 100 %)."""
    table, plot = _TABLES[theme], TOKENS["plot"]
    colors = {name: value if isinstance(value, str) else value["rgb"]
              for name, value in TOKENS["color"][table].items()}
    if paper:
        colors["page"] = TOKENS["rcParams"]["savefig.facecolor"]
    return Style(theme, scale, paper, colors, tuple(plot[f"series_{table}"]), tuple(plot[f"sequential_{table}"]),
                 tuple(plot[f"diverging_{table}"]), plot[f"partly_{'light' if theme == 'light' else 'dark'}"])


def shown() -> Style:
    """The style of the windows as they are now."""
    return of(look.theme, look.scale)


def on_paper() -> Style:
    """The style of what is copied and saved: light, white, at 100 % text."""
    return of("light", paper=True)


def contrast(one: str, other: str) -> float:
    """Contrast of two colours, 1 to 21 (WCAG 2.2, relative luminance)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    parts = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
             for channel in (part / 255 for part in _rgb(color))]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _between(stops: tuple[str, ...], share: float) -> str:
    at = min(1.0, max(0.0, share)) * (len(stops) - 1)
    low = min(int(at), len(stops) - 2)
    mixed = (round(a + (b - a) * (at - low)) for a, b in zip(_rgb(stops[low]), _rgb(stops[low + 1]), strict=True))
    return "#" + "".join(f"{part:02X}" for part in mixed)


# --- matplotlib, when it is first needed --------------------------------------------------------------------

@lru_cache(maxsize=1)
def load() -> None:
    """Import matplotlib and give it the program's fonts; its list of fonts is kept in the person's folder."""
    os.environ.setdefault("MPLCONFIGDIR", str(home() / "matplotlib"))
    import warnings  # only beside matplotlib

    from matplotlib import font_manager

    manager, folder = font_manager.fontManager, str(RESOURCES / "fonts")
    for table in ("ui", "mono"):
        for file in TOKENS["font"][table]["files"]:
            manager.addfont(os.path.join(folder, file))
    manager.ttflist.sort(key=lambda font: not font.fname.startswith(folder))  # ours before the system's of that name
    # Of a font of another script there is often one weight only; a sign that no font has is drawn as a box.
    # A line about it in the log helps nobody.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)


@lru_cache(maxsize=1)
def families() -> list[str]:
    """The families that text is set in: the program's own, then what the system has for other scripts."""
    from matplotlib import font_manager

    known = {font.name for font in font_manager.fontManager.ttflist}
    return [TOKENS["font"]["ui"]["family"], *(name for name in _OTHER_SCRIPTS if name in known), "sans-serif"]
