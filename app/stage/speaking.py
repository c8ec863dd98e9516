"""Our own words on the stage in the language of the study, where the program has them; else in English."""

from __future__ import annotations

import json
from functools import lru_cache

from PySide6.QtCore import QCoreApplication, QObject, QTranslator

from app.theme import RESOURCES


@lru_cache(maxsize=8)
def words_in(language: str) -> dict[str, str]:
    """English -> this language ("de-AT" takes "de"); {} where there are none. One file a language."""
    for name in (language, language.partition("-")[0]):
        file = RESOURCES / "stage-words" / f"{name}.json"
        if name and file.is_file():
            return dict(json.loads(file.read_text("utf-8")))
    return {}


class Speaking(QTranslator):
    """Installed while a sitting goes on: what stands in the table is said so, whichever screen says it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: dict[str, str] = {}

    def speak(self, language: str) -> None:
        """From now on in this language, on screens that are made from now on."""
        self.be_silent()
        self._words = words_in(language)
        if self._words:
            QCoreApplication.installTranslator(self)

    def be_silent(self) -> None:
        QCoreApplication.removeTranslator(self)
        self._words = {}

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        return not self._words

    def translate(self, _context: str, text: str, _about: str | None = None, _n: int = -1) -> str | None:
        return self._words.get(text)
