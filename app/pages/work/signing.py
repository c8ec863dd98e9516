"""The panel of the stage sign: the values that stand, and the name entered again, or entered in this sitting."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from PySide6.QtCore import QCoreApplication, QEvent, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotation.questions.base import in_words, number_text
from annotation.review import SignCase, SignValue
from app import theme
from app.i18n import translate
from app.parts.boxes import clear
from app.parts.buttons import CapButton
from app.parts.field import Field, set_fault
from app.parts.line import LineInPlace
from app.parts.surface import Hairline
from app.parts.text import label
from app.questions import Asked
from app.questions.base import say_answer
from app.questions.boxes import is_command


@dataclass(frozen=True, slots=True)
class Entered:
    """The signature at which the name was entered in this sitting, and when."""

    signature: UUID
    name: str
    at: datetime


class NameField(Field):
    """Undo belongs to the page while nothing is typed, so that a signature is taken back from where the hands are."""

    def event(self, event: QEvent) -> bool:
        if is_command(event, can_undo=self.isUndoAvailable(), can_redo=self.isRedoAvailable()):
            event.ignore()
            return False
        return super().event(event)


class SignButton(CapButton):
    """A key that is held signs once: nobody signs what came to the screen under the finger."""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if not event.isAutoRepeat():
            super().keyPressEvent(event)


class SignPanel(QWidget):
    """``sign_asked`` carries nothing: the page reads ``name`` and signs the case it showed."""

    sign_asked = Signal()
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values = QWidget()
        self._list = QVBoxLayout(self._values)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(theme.space("m"))
        self.line = LineInPlace()
        self._meaning = label("", "body", "ink", wrap=True)
        self._caption = label("", "label", "ink2", wrap=True)
        self.name = NameField(self.tr("Your name"))
        self.name.setObjectName("sign:name")
        self.name.returnPressed.connect(self.sign_asked)
        self.name.textChanged.connect(self._typed)
        self.button = SignButton(kind="primary", icon="sign")
        self.button.setObjectName("sign:button")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        column.addWidget(label(self.tr("What stands for this item"), "strong", "ink"))
        column.addWidget(self._values)
        column.addWidget(Hairline())
        column.addSpacing(theme.space("s"))
        for widget in (self._meaning, self._caption, self.name, self.line, self.button):
            column.addWidget(widget)
        column.addStretch(1)

    def show_case(self, case: SignCase, protocol: Any, entered: Entered | None) -> None:
        """``entered``: the name that need not be entered again, because it was in this sitting."""
        clear(self._list)
        for value in case.values:
            self._list.addWidget(_value_row(value, case, protocol))
        for slot, why in case.missing:
            self._list.addWidget(_row(_words(protocol, slot.question), self.tr("no value"), why))
        self._meaning.setText(translate(case.meaning, "annotation"))
        self.name.setText("")  # not clear(): an undo would enter the name again
        self.name.setVisible(entered is None)
        if entered is not None:
            self._caption.setText(self.tr("You sign as {name}. The name was entered at {time} and holds until somebody "
                                          "else sits down.").format(name=entered.name,
                                                                    time=f"{entered.at.astimezone():%H:%M}"))
        elif protocol.workflow.sign.reauthenticate == "sitting":
            self._caption.setText(self.tr("Enter your name to sign. It is asked once, until somebody else sits down."))
        else:
            self._caption.setText(self.tr("Enter your name to sign"))
        theme.dress(self._caption, "label" if entered is None else "caption", "ink2")
        self.button.setAccessibleDescription(self._caption.text())
        self.hush()

    def stop(self) -> QWidget:
        """The name where it is asked, else the button."""
        return self.button if self.name.isHidden() else self.name

    def say(self, sentence: str) -> None:
        set_fault(self.name, not self.name.isHidden())
        self.line.say("bad", sentence)

    def hush(self) -> None:
        set_fault(self.name, False)
        self.line.hush()

    def _typed(self, _text: str) -> None:
        self.hush()
        self.changed.emit()


def _value_row(value: SignValue, case: SignCase, protocol: Any) -> QWidget:
    said = in_words(number_text(value.answer.get("v", "")))
    if protocol.has_question(value.slot.question):
        question = protocol.question(value.slot.question)
        asked = Asked(question, value.slot, tuple(question.options_for(case.fields)))
        said = say_answer(asked, value.answer)
    text = value.text if protocol.has_question(value.slot.question) else _words(protocol, value.slot.question)
    if value.slot.element:
        text = f"{value.slot.element}: {text}"
    return _row(text, said, _origin(value))


def _origin(value: SignValue) -> str:
    if value.standing == "adjudicated":
        return _tr("adjudicated")
    if value.standing == "repair":
        return _tr("repaired when it was verified")
    if value.rule == "gold":
        return _tr("computed from the values above")
    return _tr("{rule} of {n}").format(rule=value.rule, n=value.n) if value.n else value.rule


def _tr(text: str) -> str:
    return QCoreApplication.translate("SignPanel", text)


def _words(protocol: Any, name: str) -> str:
    return protocol.question(name).text if protocol.has_question(name) else name.replace("_", " ").capitalize()


def _row(text: str, said: str, origin: str) -> QWidget:
    row = QWidget()
    column = QVBoxLayout(row)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(label(text, "label", "ink2", wrap=True))
    column.addWidget(label(said, "strong", "ink", wrap=True))
    column.addWidget(label(origin, "caption", "ink2", wrap=True))
    row.setAccessibleName(f"{text} {said} ({origin})")
    return row
