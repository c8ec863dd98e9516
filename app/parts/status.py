"""The status line: project and person at the left; at the right what the page says, saved, and what waits."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app import theme
from app.parts.buttons import CapButton
from app.parts.surface import Surface
from app.parts.text import icon_label, label


class StatusLine(Surface):
    """A fault of the store turns the whole line and stays until it is settled."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("window", sides="top", parent=parent)
        self._where = label("", "caption", "ink2")
        self._where.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._said = label("", "caption", "ink2")
        self._sign = icon_label("saved", "good", "icon_tiny")
        self._saved = label("", "caption", "ink2")
        self._waiting = label("", "caption", "ink2")
        self._fault_sign = icon_label("warning", "bad", "icon_tiny")
        self._fault = label("", "caption", "ink")
        self._button = CapButton("", kind="link")
        self._act: Callable[[], None] | None = None
        self._button.clicked.connect(self._pressed)
        self._at: datetime | None = None
        self._shows_saved = True
        self._row = QHBoxLayout(self)
        self._row.setSpacing(theme.space("s"))
        for part in (self._fault_sign, self._fault, self._button):
            self._row.addWidget(part)
            part.hide()
        self._row.addWidget(self._where, 1)
        self._row.addWidget(self._said)
        for part in (self._sign, self._saved):
            self._row.addWidget(part)
            part.hide()
        self._row.addWidget(self._waiting)
        self._said.hide()
        self._waiting.hide()
        self.restyle()

    def restyle(self) -> None:
        # The gaps belong to the words: what is not said leaves none at the right edge.
        self._sign.setContentsMargins(theme.space("l"), 0, 0, 0)
        self._waiting.setContentsMargins(theme.space("m"), 0, 0, 0)
        self._row.setContentsMargins(theme.space("l") + 4, 1, theme.space("l") + 4, 0)
        self.setFixedHeight(theme.height("status", "caption"))

    def set_where(self, project: str, person: str) -> None:
        text = f"{project}  ·  {person}" if person and not theme.is_large() else project
        self._where.setText(text)
        self._where.setToolTip(f"{project} · {person}")

    def say(self, text: str) -> None:
        self._said.setText(text)
        self._said.setVisible(bool(text))

    def set_saved(self, at: datetime) -> None:
        self._at = at
        self._tell()

    def set_shows_saved(self, shows: bool) -> None:
        """A page that tells by itself when it was saved has it left out here: one fact, one place."""
        self._shows_saved = shows
        self._tell()

    def _tell(self) -> None:
        shown = self._at is not None and self._shows_saved
        self._sign.setVisible(shown)
        self._saved.setVisible(shown)
        if self._at is not None:
            self._saved.setText(self.tr("saved {time}").format(time=f"{self._at.astimezone():%H:%M:%S}"))

    def set_waiting(self, count: int) -> None:
        """Writes that are not on disk yet; nothing is said where there are none."""
        self._waiting.setText(self.tr("{n} not saved yet").format(n=count) if count else "")
        self._waiting.setVisible(bool(count))

    def fault(self, text: str, *, button: str = "", act: Callable[[], None] | None = None) -> None:
        """Say a fault of the store, or settle it with an empty text."""
        self.set_fill("bad_tint" if text else "window")
        self._fault.setText(text)
        self._act = act
        self._button.set_text(button)
        for part in (self._fault_sign, self._fault):
            part.setVisible(bool(text))
        self._button.setVisible(bool(text and button))

    def _pressed(self) -> None:
        if self._act is not None:
            self._act()
