"""A short question of the page itself, asked in place over the foot: a reason to skip, a query, a key."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app import theme
from app.parts.line import LineInPlace
from app.parts.option import OptionButton
from app.parts.surface import Surface
from app.parts.text import label
from app.questions.base import press_key
from app.questions.boxes import LineBox
from app.questions.options import OptionBox, cap_of


class Ask(Surface):
    """Esc leaves it; the focus goes back to where it was."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("panel", sides="top", parent=parent)
        self._title = label("", "strong", "ink", wrap=True)
        self._hint = label("", "caption", "ink2", wrap=True)
        self._line = LineInPlace()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(theme.space("xl"), theme.space("m"), theme.space("l") + theme.space("xs"),
                                        theme.space("m"))
        self._column.setSpacing(theme.space("xs"))
        for widget in (self._title, self._hint, self._line):
            self._column.addWidget(widget)
        self._answer: QWidget | None = None
        self._before: QWidget | None = None
        self.hide()

    def ask_option(self, name: str, title: str, options: Sequence[tuple[str, str]],
                   then: Callable[[str], None]) -> None:
        """One of ``options`` (value, words), by its digit."""
        buttons = [OptionButton(words, key=cap_of(n)) for n, (_value, words) in enumerate(options)]
        for (value, _words), button in zip(options, buttons, strict=True):
            button.setObjectName(f"{name}={value}")
        box = OptionBox(buttons, stacked=True)
        box.chosen.connect(lambda n: then(options[n][0]))
        self._show(name, title, box)
        first = box.stop()
        if first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def ask_text(self, name: str, title: str, hint: str, then: Callable[[str], None]) -> None:
        """One line; Enter sends it."""
        box = LineBox()
        box.setAccessibleName(title)
        box.setPlaceholderText(hint)
        box.setObjectName(name)
        box.submitted.connect(lambda: then(box.text()))
        self._show(name, title, box)
        box.setFocus(Qt.FocusReason.OtherFocusReason)

    def say(self, sentence: str) -> None:
        """A fault of what was entered."""
        self._line.say("bad", sentence)

    def insist(self) -> bool:
        """While a question stands here nothing is submitted or signed: say so, and whether that is the case."""
        if self.isHidden():
            return False
        self._hint.setText(self.tr("Answer this first, or leave it with Esc."))  # no line more: room is scarce here
        return True

    def _show(self, name: str, title: str, answer: QWidget) -> None:
        if not self.isVisible():
            self._before = QApplication.focusWidget()
        if self._answer is not None:
            self._column.removeWidget(self._answer)
            self._answer.hide()
            self._answer.deleteLater()
        self._answer = answer
        self._line.hush()
        self._title.setText(title)
        self._hint.setText(self.tr("Esc leaves everything as it is."))
        self.setAccessibleName(title)
        self._column.insertWidget(1, answer)
        self.show()

    def leave(self) -> None:
        if self.isHidden():
            return
        self.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif isinstance(self._answer, OptionBox) and press_key(
                event, lambda n: self._answer.choose(n - 1), lambda _letter: False):  # type: ignore[union-attr]
            pass
        elif event.text().isprintable() and event.text():
            pass  # nothing may slip through to the questions behind
        else:
            event.ignore()
