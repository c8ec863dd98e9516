"""A screen of words: one column in the middle, scrolled where it is long, and what goes on below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from app import theme
from app.parts.buttons import CapButton
from app.parts.caps import KeyCaps
from app.parts.focus import stops
from app.parts.option import OptionButton
from app.parts.reading import ReadingText
from app.parts.scroll import Curtain, scroll_area
from app.parts.surface import Surface
from app.parts.text import label
from app.questions.base import digit_of

NARROW, BROAD = 480, 640  # the column of a short text, and of one to be read, at 100 %
_RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_GOES_ON = ("Space", "Return")  # buttons that say one of these are pressed by both
_SCROLL = {int(Qt.Key.Key_PageDown): 1, int(Qt.Key.Key_PageUp): -1}


class WordScreen(Surface):
    """``completed`` carries what is kept of the screen, as plain JSON; it is emitted once.

    Subclasses put widgets into ``column`` and buttons into ``foot``. On an option Space and Return choose it, on a
    button they press it; from anywhere else but a field they press the ``primary`` button if it says one of the two.
    Space turns a page first where there is more below. ``number(n)`` takes the digits.
    """

    completed = Signal(dict)

    def __init__(self, *, width: int = NARROW, parent: QWidget | None = None) -> None:
        super().__init__("page", parent=parent)
        self._width, self._is_done, self._steady = width, False, 0
        self.primary: CapButton | None = None
        self._primary_keys = ""
        self._heading: QWidget | None = None
        self.options: list[OptionButton] = []
        self._content = QWidget()
        self.column = QVBoxLayout(self._content)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(theme.space("l"))
        self._area = scroll_area(self._content)
        self._curtain = Curtain(self._area)
        self._curtain.moved.connect(self._look)
        self.foot = QHBoxLayout()
        self.foot.setSpacing(theme.space("xl"))
        self._more = label("", "caption", "ink2")
        self._more_caps = KeyCaps("PgDown")
        below = QHBoxLayout()
        below.setSpacing(theme.space("s"))
        below.addWidget(self._more)
        below.addWidget(self._more_caps)
        below.addStretch()
        self._below = QWidget()
        self._below.setLayout(below)
        below.setContentsMargins(0, theme.space("xs"), 0, 0)
        self._root = QVBoxLayout(self)
        self._root.setSpacing(0)
        self._root.addStretch(1)
        self._root.addWidget(self._area, 1000)
        self._root.addWidget(self._below)
        self._root.addSpacing(theme.space("xl"))
        self._root.addLayout(self.foot)
        self._root.addStretch(1)

    # --- building -------------------------------------------------------------------------------------------

    def add_heading(self, text: str) -> QWidget:
        """The one sentence of the screen; also its name to readers."""
        made = label(text, "display", "ink", wrap=True)
        self.setAccessibleName(text)
        self._heading = made
        self.column.addWidget(made)
        return made

    def add_text(self, text: str) -> ReadingText:
        """Markdown to be read."""
        made = ReadingText()
        made.setAccessibleName(text)
        made.show_markdown(text)
        self.column.addWidget(made)
        return made

    def add_primary(self, text: str, keys: str = "Space") -> CapButton:
        """The way on; Space and Return press it from anywhere where ``keys`` is one of them."""
        self._primary_keys = keys
        self.primary = made = self.add_button(text, keys, kind="primary")
        return made

    def add_button(self, text: str, keys: str = "", *, kind: str = "plain") -> CapButton:
        made = CapButton(text, kind=kind, keys=keys, large=True)
        self.foot.addWidget(made)
        return made

    def add_options(self, texts: Sequence[str]) -> None:
        """Options one below the other, each with its digit; pressing one is the same as its digit."""
        for n, text in enumerate(texts, 1):
            option = OptionButton(text, key=str(n) if n < 10 else "", trial=True)
            option.clicked.connect(self._option_pressed)
            self.options.append(option)
            self.column.addWidget(option)
        self.set_close()

    @Slot()
    def _option_pressed(self) -> None:
        pressed = self.sender()
        self.number(next(n for n, option in enumerate(self.options, 1) if option is pressed))

    def set_close(self) -> None:
        """Let what stands in the column now stand close together, but for the room below the heading."""
        self.column.setSpacing(theme.space("xs"))
        for n in range(self.column.count()):
            if self.column.itemAt(n).widget() is self._heading:
                self.column.insertSpacing(n + 1, theme.space("m"))
                return

    def add_aside(self, text: str = "") -> QLabel:
        """A few quiet words beside the buttons; it takes what room they leave."""
        made = label(text, "body", "ink2", wrap=True)
        self.foot.addWidget(made, 1)
        return made

    def end_foot(self) -> None:
        self.foot.addStretch(1)

    # --- going on -------------------------------------------------------------------------------------------

    def complete(self, data: dict[str, Any] | None = None) -> None:
        """Say once what is kept; later calls are not heard (a held key must not answer twice)."""
        if not self._is_done:
            self._is_done = True
            self.completed.emit(data or {})

    def go_on(self) -> None:
        """What the keys of the primary button do."""
        if self.primary is not None and self.primary.isEnabled():
            self.primary.click()

    def field_done(self) -> None:
        """What Return does in a field."""
        self.go_on()

    def number(self, n: int) -> bool:
        """A digit was pressed, 10 for the key 0; True where it is used."""
        return False

    def focus_first(self) -> None:
        first = self.primary if self.primary is not None and self.primary.isEnabled() else next(iter(stops(self)), None)
        if first is not None:
            first.setFocus()
        else:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setFocus()

    # --- keys -----------------------------------------------------------------------------------------------

    @property
    def has_more(self) -> bool:
        bar = self._area.verticalScrollBar()
        return bar.value() < bar.maximum()

    @property
    def shows_end(self) -> bool:
        """The last line is to be seen; only once it is laid out."""
        view = self._area.viewport()
        tall = self.column.heightForWidth(view.width()) if self.column.hasHeightForWidth() else -1
        return self.isVisible() and self._area.verticalScrollBar().value() + view.height() >= tall - 1

    def scroll_page(self, pages: int) -> None:
        bar = self._area.verticalScrollBar()
        bar.setValue(bar.value() + pages * max(1, self._area.viewport().height() - self._curtain.height()))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key = event.key()
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        digit, at = digit_of(event) if plain else None, self.focusWidget()
        if key in _SCROLL:
            self.scroll_page(_SCROLL[key])
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            line = theme.metrics("reading").height()
            bar = self._area.verticalScrollBar()
            bar.setValue(bar.value() + (line if key == Qt.Key.Key_Down else -line))
        elif plain and key == Qt.Key.Key_Space and self.has_more:
            self.scroll_page(1)
        elif plain and key in _RETURN and isinstance(at, QLineEdit):
            self.field_done()
        elif plain and key in _RETURN and isinstance(at, OptionButton):
            at.click()
        elif plain and key in (Qt.Key.Key_Space, *_RETURN) and self._primary_keys in _GOES_ON:
            self.go_on()
        elif digit is not None and self.number(digit):
            return
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: Any, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """On the primary button Space turns the page first, too."""
        if (event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space
                and self.has_more):
            self.scroll_page(1)
            return True
        return False

    # --- size -----------------------------------------------------------------------------------------------

    def keep_height(self, height: int) -> None:
        """Give the text at least this height, so that pages of different length leave the buttons in one place."""
        self._steady = height
        self.fit()

    def text_width(self) -> int:
        return min(theme.wide(self._width), max(1, self.width() - 2 * theme.space("page_left")))

    def fit(self) -> None:
        """The column in the middle, the scroll area as high as its text but no higher than the screen."""
        wide = self.text_width()
        side = (self.width() - wide) // 2
        bar = theme.size("scrollbar") if side > theme.size("scrollbar") else 0  # stands beside the column
        top = 2 * theme.space("page_top") + theme.height("chip", "label")
        self._root.setContentsMargins(side, top, side - bar, theme.space("xxl"))
        self.column.setContentsMargins(0, 0, bar, 0)
        self.foot.setContentsMargins(0, 0, bar, 0)
        tall = self.column.heightForWidth(wide + bar) if self.column.hasHeightForWidth() else -1
        self._area.setMaximumHeight(max(1, self._steady, tall if tall > 0 else self.column.sizeHint().height()))
        self._curtain.fit()

    def _look(self) -> None:
        lines = self._curtain.hidden_lines if self.has_more else 0
        for part in (self._more, self._more_caps):
            part.setVisible(self.has_more)
        self._below.setVisible(self._area.verticalScrollBar().maximum() > 0)
        self._more.setText(self.tr("More below") if not lines else self.tr("1 more line") if lines == 1 else
                           self.tr("{n} more lines").format(n=lines))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.fit()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        if self.primary is not None:
            self.primary.installEventFilter(self)
        self.fit()
        focused = QApplication.focusWidget()
        if focused is None or not self.isAncestorOf(focused):
            self.focus_first()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return super().event(event)

    def restyle(self) -> None:
        self.fit()
