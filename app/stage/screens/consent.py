"""Consent: the text as it stands in the study, and two ways on that cost one key each."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.stage.screens.base import BROAD, WordScreen


def text_hash(text: str) -> str:
    """Which wording somebody agreed to."""
    return hashlib.sha256(text.encode()).hexdigest()


class ConsentScreen(WordScreen):
    """``completed``: {"agreed", "text_sha256", "language", "utc"}. One agrees at the end of the text, not before it."""

    def __init__(self, text: str, *, language: str = "", parent: QWidget | None = None) -> None:
        super().__init__(width=BROAD, parent=parent)
        self._text, self._language = text, language
        self.add_heading(self.tr("Do you want to take part?"))
        self.add_text(text)
        self._agree = self.add_primary(self.tr("I agree"), "1")
        self._decline = self.add_button(self.tr("I do not agree"), "2")
        self._aside = self.add_aside(self.tr("Read to the end first."))
        self.end_foot()
        self._agree.clicked.connect(self._agreed)
        self._decline.clicked.connect(self._declined)
        self._curtain.moved.connect(self._read)
        self._seen_all = False
        self._agree.setEnabled(False)

    def focus_first(self) -> None:
        (self._agree if self._agree.isEnabled() else self._decline).setFocus()

    @Slot()
    def _read(self) -> None:
        self._seen_all = self._seen_all or self.shows_end
        self._agree.setEnabled(self._seen_all)
        self._aside.setVisible(not self._seen_all)

    def number(self, n: int) -> bool:
        if n == 1 and self._agree.isEnabled():
            self._agreed()
        elif n == 2:
            self._declined()
        else:
            return False
        return True

    def go_on(self) -> None:
        """Neither Space nor Return agrees from anywhere: consent is given by its own key or button."""

    @Slot()
    def _agreed(self) -> None:
        self._tell(agreed=True)

    @Slot()
    def _declined(self) -> None:
        self._tell(agreed=False)

    def _tell(self, *, agreed: bool) -> None:
        self.complete({"agreed": agreed, "text_sha256": text_hash(self._text), "language": self._language,
                       "utc": datetime.now(UTC).isoformat(timespec="seconds")})
