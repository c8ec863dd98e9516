"""Answers side by side under letters, their sources hidden, in the order that the task recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.parts.chip import Chip
from app.parts.scroll import ReadingScroll
from app.parts.surface import Hairline
from app.parts.text import label
from app.viewers.base import PictureSource, Viewer, label_of, viewers
from app.viewers.image import PictureView

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LEAST = 240  # a half narrower than this stands alone, with the others behind their letters


class Half(QWidget):
    """One candidate: its letter, "chosen", the number of words; then its text or its picture."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.element = ""
        self.letter = label("", "title", "ink")
        self.chosen = label(self.tr("chosen"), "label", "accent_ink")
        self.words = label("", "caption", "ink2")
        self.text = ReadingScroll()
        self.picture = PictureView()
        head = QHBoxLayout()
        head.setSpacing(theme.space("l"))
        head.addWidget(self.letter)
        head.addWidget(self.chosen)
        head.addStretch()
        head.addWidget(self.words)
        self._column = QVBoxLayout(self)
        self._column.setSpacing(theme.space("xs"))
        self._column.addLayout(head)
        self._column.addWidget(self.text, 1)
        self._column.addWidget(self.picture, 1)

    def show_candidate(self, letter: str, value: Mapping[str, Any], media: PictureSource | None, name: str) -> None:
        self.element = str(value.get("id", ""))
        self.letter.setText(letter)
        text, image = value.get("text"), value.get("image")
        self.text.set_name(f"{name} {letter}")
        self.text.setVisible(text is not None or image is None)
        self.text.show_markdown(text or "")
        self.picture.setVisible(image is not None)
        if image is not None:
            self.picture.show_reference(image, media, f"{name} {letter}")
        count = len(text.split()) if text else 0
        self.words.setText(self.tr("1 word") if count == 1 else self.tr("{n} words").format(n=count) if text else "")
        self.say_chosen(False)

    def say_chosen(self, chosen: bool) -> None:
        self.chosen.setVisible(chosen)
        theme.dress(self.letter, ink="accent_ink" if chosen else "ink")
        self.setAccessibleName(f"{self.letter.text()} {self.chosen.text()}" if chosen else self.letter.text())

    def set_margins(self, left: int, right: int) -> None:
        self._column.setContentsMargins(left, theme.space("l"), right, theme.space("m"))


@viewers.register("candidates")
class CandidatesViewer(Viewer):
    place: ClassVar[str] = "fill"
    takes_keys: ClassVar[bool] = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._order: tuple[str, ...] = ()
        self._halves: list[Half] = []
        self._lines: list[Hairline] = []
        self._count = self._at = 0
        self._bound = False
        self._chips: list[Chip] = []
        self._chip_bar = QWidget()
        self._chip_row = QHBoxLayout(self._chip_bar)
        self._chip_row.setContentsMargins(theme.space("page_left"), theme.space("s"), theme.space("l"), 0)
        self._chip_row.addStretch()
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._chip_bar)
        column.addLayout(self._row, 1)

    @property
    def abreast(self) -> int:  # type: ignore[override]
        return self._count

    def set_order(self, order: tuple[str, ...]) -> None:
        self._order = order

    def show_field(self, field: Any, value: Any, media: PictureSource | None) -> None:
        found = [one for one in value or () if isinstance(one, Mapping)]
        if self._order:
            place = {id: n for n, id in enumerate(self._order)}
            found.sort(key=lambda one: place.get(str(one.get("id")), len(place)))
        self._count, self._at = len(found), 0
        while len(self._halves) < self._count:
            self._add_half()
        for n, one in enumerate(found):
            self._halves[n].show_candidate(LETTERS[n % 26], one, media, label_of(field))
        self.setAccessibleName(label_of(field))
        self._arrange()

    def _add_half(self) -> None:
        n = len(self._halves)
        if n:
            line = Hairline(upright=True)
            self._lines.append(line)
            self._row.addWidget(line)
        half = Half()
        half.text.scrolled.connect(lambda value, half=half: self._follow(half, value))
        chip = Chip(LETTERS[n % 26], checkable=True)
        chip.clicked.connect(lambda _on=False, n=n: self.show_half(n))
        self._halves.append(half)
        self._chips.append(chip)
        self._row.addWidget(half, 1)
        self._chip_row.insertWidget(n, chip)

    def show_half(self, n: int) -> None:
        """Bring the n-th to the front, where only one has room."""
        self._at = n
        self._arrange()

    def show_chosen(self, element: str | None) -> None:
        for half in self._halves[: self._count]:
            half.say_chosen(half.element == element)

    def bind_halves(self) -> bool:
        """Scroll the halves together, or each on its own again; True where they are bound now."""
        self._bound = not self._bound
        return self._bound

    def _follow(self, half: Half, value: int) -> None:
        if self._bound:
            for other in self._halves[: self._count]:
                if other is not half and other.text.position() != value:
                    other.text.scroll_to(value)

    def scroll_page(self, pages: int) -> None:
        for half in self._halves[: self._count]:
            if half.isVisible():
                half.text.scroll_page(pages)

    def _arrange(self) -> None:
        alone = self._count > 1 and self.width() / self._count < theme.wide(LEAST)
        self._chip_bar.setVisible(alone)
        for n, half in enumerate(self._halves):
            half.setVisible(n < self._count and (not alone or n == self._at))
            half.set_margins(theme.space("page_left"), theme.space("xl") + theme.space("xs"))
            self._chips[n].setVisible(n < self._count)
            self._chips[n].setChecked(n == self._at)
        for n, line in enumerate(self._lines):
            line.setVisible(n + 1 < self._count and not alone)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._arrange()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: N802
        """Where only one has room, Tab goes from letter to letter."""
        if self._chip_bar.isVisible() and next and self._at + 1 < self._count and self.isAncestorOf(self.focusWidget()):
            self.show_half(self._at + 1)
            self._halves[self._at].text.setFocus(Qt.FocusReason.TabFocusReason)
            return True
        return super().focusNextPrevChild(next)
