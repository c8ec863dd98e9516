"""Which language the participant reads: asked only where a study has several."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QWidget

from app.stage.screens.base import NARROW, WordScreen

_PLAIN = {"en": "English", "es": "Español", "fr": "Français", "pt": "Português", "zh": "中文"}  # of no one country


def native_name(code: str) -> str:
    """A language as those who speak it call it."""
    name = _PLAIN.get(code) or QLocale(code.replace("-", "_")).nativeLanguageName()
    return name[:1].upper() + name[1:] if name else code


class LanguageScreen(WordScreen):
    """``completed``: {"language": code}. Each language has a digit; nothing is chosen beforehand."""

    def __init__(self, codes: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(width=NARROW, parent=parent)
        self._codes = tuple(codes)
        self.add_heading(self.tr("Which language do you read best?"))
        self.add_options([native_name(code) for code in self._codes])

    def number(self, n: int) -> bool:
        if n <= len(self.options):
            self.complete({"language": self._codes[n - 1]})
            return True
        return False
