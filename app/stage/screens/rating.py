"""How sure somebody is: a few levels by digits, asked after the answer and outside its time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.stage.screens.base import NARROW, WordScreen


class RatingScreen(WordScreen):
    """``completed``: {"level": from 1}."""

    def __init__(self, text: str, levels: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(width=NARROW, parent=parent)
        self.add_heading(text)
        self.add_options(levels)

    def number(self, n: int) -> bool:
        if n <= len(self.options):
            self.complete({"level": n})
            return True
        return False
