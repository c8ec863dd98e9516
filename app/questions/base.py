"""What every question widget is: its text, its options or box, and the line in place below."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from annotation.answers import Answer, Slot
from annotation.registry import Registry
from app import theme
from app.parts.line import LineInPlace
from app.parts.text import WrapLabel, label


def tr(text: str) -> str:
    return QCoreApplication.translate("questions", text)


@dataclass(frozen=True)
class Asked:
    """One question at one place: ``options`` in the order shown, ``given`` the text that an edit starts from,
    ``letters`` the letter that a candidate is shown under."""

    question: Any
    slot: Slot
    options: tuple[Any, ...] = ()
    given: str = ""
    letters: Mapping[str, str] | None = None


NEEDED, EMPTY, FILLED = range(3)  # how much a box that an answer opened waits for words


class QuestionWidget(QWidget):
    """Emits ``answered`` and is painted by ``render``: what is chosen is never kept here, only in the draft."""

    answered = Signal(object)    # an answer as stored, or None
    submitted = Signal()         # Enter in a one-line box
    typed: ClassVar[bool] = False        # answers arrive key by key
    single_key: ClassVar[bool] = False   # one key can give the whole answer
    in_bar: ClassVar[bool] = False       # wants the bar at the foot, under a pair

    def __init__(self, asked: Asked, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.asked = asked
        self.slot = asked.slot
        self.setObjectName(f"q:{asked.slot}")
        self.setAccessibleName(text_of(asked.question))
        self.setAccessibleDescription(getattr(asked.question, "hint", None) or "")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.title = WrapLabel(text_of(asked.question))
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        theme.dress(self.title, "strong", "ink")
        self.remark = label("", "caption", "ink2")
        self.remark.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self.hint = label(getattr(asked.question, "hint", None) or "", "caption", "ink2", wrap=True)
        self.hint.setParent(self)  # a label without a parent would be shown as a window
        self.hint.setVisible(bool(self.hint.text()))
        self.stands = label("", "caption", "ink2", wrap=True)
        self.stands.hide()
        self.line = LineInPlace()
        self.line.hide()
        self._body = QWidget()
        self.body = QVBoxLayout(self._body)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(theme.space("xxs"))
        self._head = QWidget()
        self._head_row = head = QHBoxLayout(self._head)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(theme.space("s"))
        head.addWidget(self.title, 1)
        head.addWidget(self.remark)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(theme.space("xs"))
        self._grid.setHorizontalSpacing(theme.space("m"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._bar = False
        self._place()
        self.say_remark("")
        self.build()

    # --- what a type fills in -------------------------------------------------------------------------------

    def build(self) -> None:
        """Put the options or the box into ``self.body``."""

    def render_answer(self, answer: Answer | None) -> None:
        """Paint what the draft holds."""

    def press(self, n: int) -> bool:
        """Choose the n-th option (from 1); False where there is none."""
        return False

    def press_letter(self, letter: str) -> bool:
        """Choose the option with this letter; False where there is none."""
        return False

    @property
    def takes_one_key(self) -> bool:
        """Whether one key gives the whole answer to this very question."""
        return self.single_key

    @property
    def takes_more_keys(self) -> bool:
        """Whether the next bare key may still belong to this answer; then a text that it opened waits."""
        return not self.takes_one_key

    def opened_box(self) -> tuple[int, QWidget] | None:
        """The text box that the answer opened inside this question, and how much it waits for words."""
        return None

    def first_focus(self) -> QWidget | None:
        """The widget that takes the focus when somebody comes to this question."""
        return None

    def reset(self) -> None:
        """Forget the item before: what was typed, and the box's own undo."""

    def say(self, answer: Answer) -> str:
        """An answer as a person reads it."""
        return say_answer(self.asked, answer)

    # --- for the form ---------------------------------------------------------------------------------------

    def set_focus_first(self) -> None:
        widget = self.first_focus()
        if widget is not None:
            widget.setFocus(Qt.FocusReason.TabFocusReason)

    def say_remark(self, text: str) -> None:
        """The words at the right of the question: "1 of 4", else "optional" where it is."""
        required = getattr(self.asked.question, "required", True)
        self.remark.setText(text or ("" if required else tr("optional")))
        self.remark.setVisible(bool(self.remark.text()))

    def say_standing(self, answer: Answer | None) -> None:
        """Say which answer stands, where the stage shows it."""
        self.stands.setText(tr("Stands now: {answer}").format(answer=self.say(answer)) if answer else "")
        self.stands.setVisible(answer is not None)

    def show_fault(self, sentence: str, level: str = "bad") -> None:
        """The line in place below; empty takes it away."""
        if sentence:
            self.line.say(level, sentence)
        self.line.setVisible(bool(sentence))

    def set_bar(self, label_width: int) -> None:
        """Stand in a bar: the text at the left, the options beside it. 0 goes back to one below the other."""
        self._bar = bool(label_width)
        if label_width:
            self._head.setFixedWidth(label_width)
        else:
            self._head.setMinimumWidth(0)
            self._head.setMaximumWidth(16777215)
        # In a bar the text stands on the line of the first option.
        above = (theme.height("option") - theme.metrics("strong").height()) // 2 if label_width else 0
        self._head_row.setContentsMargins(0, above, 0, 0)
        self._place()

    def _place(self) -> None:
        for item in (self._head, self._body, self.hint, self.stands, self.line):
            self._grid.removeWidget(item)
        if self._bar:
            self._grid.addWidget(self._head, 0, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(self._body, 0, 1)
        else:
            self._grid.addWidget(self._head, 0, 0, 1, 2)
            self._grid.addWidget(self._body, 3, 0, 1, 2)
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(self.hint, 1, 0, 1, 2)
        self._grid.addWidget(self.stands, 2, 0, 1, 2)
        self._grid.addWidget(self.line, 4, 0, 1, 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if not press_key(event, self.press, self.press_letter):
            event.ignore()


def press_key(event: QKeyEvent, press: Callable[[int], bool], press_letter: Callable[[str], bool]) -> bool:
    """Hand a bare digit or letter on; digits also from the numeric pad, and unshifted on keyboards that put
    other signs on that row. False where it was neither or nobody took it."""
    if event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier):
        return False
    n = digit_of(event)
    if n is not None:
        return press(n)
    text = event.text()
    return len(text) == 1 and text.isalpha() and press_letter(text.upper())


def printed(event: QKeyEvent) -> str:
    """The sign that a bare key writes, or ""."""
    if event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier):
        return ""
    return event.text() if len(event.text()) == 1 and event.text().isprintable() and event.text() != " " else ""


def is_text_box(widget: QWidget | None) -> bool:
    """Whether what is typed there is text."""
    return isinstance(widget, (QLineEdit, QPlainTextEdit))


_ROW = {10 + n: n for n in range(1, 10)} | {19: 10}  # X11 and Wayland key codes of the digit row


def digit_of(event: QKeyEvent) -> int | None:
    """1 to 9, and 10 for the key 0."""
    key = event.key()
    if Qt.Key.Key_0 <= key <= Qt.Key.Key_9:
        return (key - Qt.Key.Key_0) or 10
    if not event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not event.text().isalpha():
        return _ROW.get(event.nativeScanCode())
    return None


def text_of(question: Any) -> str:
    """What is asked, in words."""
    return getattr(question, "text", None) or question.name.replace("_", " ").capitalize()


SIDES = ("Left is better", "Right is better")  # what a protocol says that has no words of its own


def by_letter(question: Any, words: str | None, letter: str) -> str:
    """A candidate as it is answered: by its letter, and a side of a pair with what is said of it."""
    if words in SIDES:
        return tr("{letter} is better").format(letter=letter)
    return words if words and hasattr(question, "ties") else letter


def say_answer(asked: Asked, answer: Answer) -> str:
    """An answer as a person reads it: labels in place of values."""
    if answer.get("na"):
        na = getattr(asked.question, "na", None)
        return getattr(na, "label", None) or "N/A"
    labels = {option.value: option.label for option in asked.options}
    for element, letter in (asked.letters or {}).items():
        labels[element] = by_letter(asked.question, labels.get(element), letter)
    value = answer.get("v")
    values = value if isinstance(value, list) else [value]
    said = ", ".join(str(labels.get(one, one)) for one in values) or tr("none")
    return said.replace("-", "\u2212") if isinstance(value, (int, float)) else said


question_widgets: Registry[type[QuestionWidget]] = Registry("question type")
