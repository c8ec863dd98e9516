"""The foot of the answers: what is on disk, what is missing, and the ways on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.actions import CommandAction
from app.parts.buttons import CapButton
from app.parts.surface import Surface
from app.parts.text import icon_label, label


class Foot(Surface):
    """Layouts: ``two`` rows beside the item, ``one`` row below it, ``bar`` at the right of a pair's choices."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("panel", sides="top", parent=parent)
        self._check = icon_label("saved", "good")
        self._saved = label("", "caption", "ink2")
        self._saved.setObjectName("work:saved")
        self._missing = label("", "caption", "ink2")
        self._missing.setObjectName("work:missing")
        self.submit = CapButton(kind="primary")
        self.skip = CapButton(kind="flat", icon="skip")
        self.flag = CapButton(kind="flat", icon="flag")
        self.query = CapButton(kind="flat", icon="query")
        self._column = QVBoxLayout(self)
        self._column.setSpacing(theme.space("s"))
        self._words, self._buttons, self._below = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for row in (self._words, self._buttons, self._below):
            row.setSpacing(theme.space("s"))
            self._column.addLayout(row)
        # Flat buttons bring their own room; a gap between them would be seen twice.
        self._flat = QHBoxLayout()
        self._flat.setSpacing(0)
        for button in (self.skip, self.flag, self.query):
            self._flat.addWidget(button)
        self._mode = ""
        self.show_saved(None)
        self.set_mode("two")

    def follow(self, action: Callable[[str], CommandAction]) -> None:
        """Bind the buttons to the page's commands."""
        self.submit.follow(action("item.submit"), text=self.tr("Submit"))
        self.skip.follow(action("item.skip"), text=self.tr("Skip"))
        self.flag.follow(action("item.flag"))
        self.query.follow(action("item.query"))

    def show_saved(self, at: datetime | None) -> None:
        self._check.setVisible(at is not None)
        self._saved.setText(self.tr("saved {time}").format(time=f"{at.astimezone():%H:%M:%S}") if at else "")

    def show_missing(self, text: str) -> None:
        self._missing.setText(text)

    def set_stage(self, stage: str) -> None:
        """While signing there is nothing to submit or to skip here."""
        for widget in (self.submit, self.skip, self._missing):
            widget.setVisible(stage != "sign")

    def set_mode(self, mode: str) -> None:
        if mode != self._mode:
            self._mode = mode
            self._place()

    def restyle(self) -> None:
        self._place()

    def _place(self) -> None:
        large = theme.is_large()
        for said in (self._saved, self._missing):
            said.setMinimumHeight(theme.scaled("icon_small"))  # nothing moves when the check appears
        for row in (self._words, self._buttons, self._below):
            while row.count():
                row.takeAt(0)
        two, bar = self._mode == "two", self._mode == "bar"
        side = theme.space("xl") if two else theme.space("page_left")
        self._column.setContentsMargins(side, theme.space("s") + 2 if two else theme.space("xs"),
                                        theme.space("l"), theme.space("m"))
        self.set_sides("top" if two else "")
        self.skip.set_text("" if large or bar else self.tr("Skip"))
        if bar:
            self._place_in_bar()
            return
        words = self._words if two else self._buttons
        if not two:
            self._buttons.addWidget(self.submit)
            self._buttons.addSpacing(theme.space("s"))
        words.addWidget(self._check)
        words.addWidget(self._saved)
        if not two and not large:
            words.addSpacing(theme.space("s"))
            words.addWidget(self._missing)
        words.addStretch(1)
        if two:
            words.addWidget(self._missing)
            words.addSpacing(theme.space("xs"))
            self._buttons.addWidget(self.submit)
            self._buttons.addStretch(1)
        self._missing.setVisible(two or not large)
        self._buttons.addLayout(self._flat)

    def _place_in_bar(self) -> None:
        """At the right of a pair's choices: the buttons, and below them what is on disk."""
        middle = max(0, theme.height("option") - theme.height("button", "button")) // 2  # on the line of the options
        self._column.setContentsMargins(theme.space("l"), theme.space("s") + 2 + middle, theme.space("page_right"),
                                        theme.space("m"))
        self._buttons.addStretch(1)
        self._buttons.addLayout(self._flat)
        self._buttons.addSpacing(theme.space("s"))
        self._buttons.addWidget(self.submit)
        self._below.addStretch(1)
        self._below.addWidget(self._check)
        self._below.addWidget(self._saved)
        self._missing.setVisible(False)
