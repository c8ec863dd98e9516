"""What happened to one item, line by line, and its open queries with a place to answer them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotation import answers as said
from annotation import history, notes, stale, trail
from app import theme
from app.context import Context
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.parts.boxes import clear
from app.parts.buttons import CapButton
from app.parts.field import TextField
from app.parts.text import KeyLabel, icon_label, label
from app.questions import Asked
from app.questions.base import say_answer, text_of
from app.words import STAGES, moment

LONGEST = 80  # characters of an answer
_KINDS = {
    "contents": ("import", QT_TRANSLATE_NOOP("history", "brought in")),
    "assigned": ("assign", QT_TRANSLATE_NOOP("history", "assigned")),
    "unassigned": ("user-minus", QT_TRANSLATE_NOOP("history", "assignment cancelled")),
    "answer": ("pencil-line", QT_TRANSLATE_NOOP("history", "answered")),
    "withdrawn": ("undo", QT_TRANSLATE_NOOP("history", "took an answer back")),
    "skipped": ("skip", QT_TRANSLATE_NOOP("history", "skipped")),
    "decided": ("scales", QT_TRANSLATE_NOOP("history", "decided")),
    "taken_back": ("undo", QT_TRANSLATE_NOOP("history", "took a decision back")),
    "sent_back": ("send_back", QT_TRANSLATE_NOOP("history", "sent it back")),
    "signed": ("sign", QT_TRANSLATE_NOOP("history", "signed")),
    "unsigned": ("unlock", QT_TRANSLATE_NOOP("history", "unlocked")),
    "kept": ("check", QT_TRANSLATE_NOOP("history", "said that what was answered is still valid")),
    "kept_no_more": ("undo", QT_TRANSLATE_NOOP("history", "took back that it is still valid")),
    "flag": ("flag", QT_TRANSLATE_NOOP("history", "flagged")),
    "unflag": ("flag", QT_TRANSLATE_NOOP("history", "took the flag back")),
    "query": ("query", QT_TRANSLATE_NOOP("history", "asked")),
    "reply": ("answer_query", QT_TRANSLATE_NOOP("history", "answered a query")),
    "closed": ("check", QT_TRANSLATE_NOOP("history", "closed a query")),
}


@dataclass(frozen=True, slots=True)
class Told:
    entries: tuple[history.Entry, ...]
    queries: tuple[notes.QueryView, ...]
    settles: stale.Settles | None  # what can be done about a stale item, and by whom


def read_item(session: Any, item: UUID, person: UUID, *, reveals: bool) -> Told:
    """The history of an item; the trail keeps that this person has now seen what others answered."""
    if reveals:
        trail.reveal(session, person, item=item)
    return Told(history.history(session, item), notes.queries(session, item=item, only_open=True),
                stale.settles(session, item, person=person))


def say_answers(given: Mapping[str, Any], protocol: Any) -> str:
    """One line a question: what was asked and what was said, in the words of the protocol of now."""
    lines = []
    asked = [question.name for question in protocol.asked]
    for slot, answer in sorted(said.walk(given), key=lambda one: asked.index(one[0].question)
                               if one[0].question in asked else len(asked)):
        name, words = slot.question.replace("_", " ").capitalize(), str(answer.get("v", "N/A"))
        if slot.question in asked:
            question = protocol.question(slot.question)
            name, words = text_of(question), say_answer(Asked(question, slot, tuple(question.options_for({}))), answer)
        name = f"{slot.element}: {name}" if slot.element else name
        words = words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
        lines.append(f"{name} {words}" if name.endswith("?") else f"{name}: {words}")
    return "\n".join(lines)


class Beside(QWidget):
    """``reply_given`` carries (query, text, closes)."""

    reply_given = Signal(object, str, bool)
    still_valid_asked = Signal()
    ask_again_asked = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._query: UUID | None = None
        self._title = theme.dress(KeyLabel(), "title", "ink")
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._note = label(self.tr("The trail keeps that you looked at the answers of others."), "caption", "ink2",
                           wrap=True)
        self._asked = QWidget()
        asked = QVBoxLayout(self._asked)
        asked.setContentsMargins(0, theme.space("m"), 0, 0)
        asked.setSpacing(theme.space("s"))
        self._question = label("", "body", wrap=True)
        self._reply = TextField(self.tr("Answer to the query"), hint=self.tr("Answer"), lines=2)
        self._send = CapButton(self.tr("Answer and close"))
        self._send.clicked.connect(self._send_reply)
        asked.addWidget(label(self.tr("Open query"), "strong"))
        for part in (self._question, self._reply, self._send):
            asked.addWidget(part)
        self._stale = QWidget()
        settled = QVBoxLayout(self._stale)
        settled.setContentsMargins(0, theme.space("m"), 0, 0)
        settled.setSpacing(theme.space("s"))
        self._stale_words = label("", "body", wrap=True)
        self._still_valid, self._ask_again = CapButton(self.tr("Still valid")), CapButton(self.tr("Ask again"))
        self._still_valid.setToolTip(self.tr("What was said of the old text holds for the text of now."))
        self._ask_again.setToolTip(self.tr("Whoever answered the old text gets the item again, with the answers as a "
                                           "draft; decisions are taken back."))
        self._still_valid.clicked.connect(self.still_valid_asked)
        self._ask_again.clicked.connect(self.ask_again_asked)
        deeds = QHBoxLayout()
        deeds.setSpacing(theme.space("s"))
        for button in (self._still_valid, self._ask_again):
            deeds.addWidget(button)
        deeds.addStretch(1)
        settled.addWidget(label(self.tr("Changed since answered"), "strong"))
        settled.addWidget(self._stale_words)
        settled.addLayout(deeds)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(theme.space("m"))
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.space("xl"), theme.space("page_top"), theme.space("page_top"),
                                  theme.space("l"))
        column.setSpacing(theme.space("s"))
        column.addWidget(self._title)
        column.addWidget(self._note)
        column.addWidget(self._stale)
        column.addWidget(self._asked)
        column.addSpacing(theme.space("s"))
        column.addLayout(self._lines)
        column.addStretch(1)

    def show_item(self, key: str, told: Told) -> None:
        self._title.setText(key)
        self._show_settles(told.settles)
        self._query = told.queries[0].id if told.queries else None
        self._asked.setVisible(bool(told.queries))
        if told.queries:
            messages = told.queries[0].messages
            self._question.setText("\n".join(f"{message.handle}: {message.text}" for message in messages))
        clear(self._lines)
        for entry in reversed(told.entries):
            self._lines.addWidget(_Line(entry, self._context.store.protocol))

    def _show_settles(self, settles: stale.Settles | None) -> None:
        self._stale.setVisible(settles is not None)
        if settles is None:
            return
        words = [self.tr("What stands was said of a text that this item no longer has.")]
        if settles.is_signed:
            words.append(self.tr("It is signed, and the signature has to be taken back first."))
        elif not settles.may:
            words.append(self.tr("A researcher or the owner says what becomes of that."))
        self._stale_words.setText(" ".join(words))
        for button in (self._still_valid, self._ask_again):
            button.setVisible(settles.may and not settles.is_signed)

    @Slot()
    def _send_reply(self) -> None:
        if self._query is not None:
            self.reply_given.emit(self._query, self._reply.toPlainText().strip(), True)
            self._reply.clear()


class _Line(QWidget):
    """Who did what when, and in small what it was."""

    def __init__(self, entry: history.Entry, protocol: Any) -> None:
        super().__init__()
        self._protocol = protocol
        icon, words = _KINDS.get(entry.kind, ("info", entry.kind))
        stage = entry.values.get("stage")
        done = translate(words, "history")
        if entry.kind == "contents" and entry.values.get("rev", 1) > 1:
            done = self.tr("changed {fields}").format(fields=", ".join(entry.values["changed"]) or "–")
        head = self.tr("{person} {did}").format(person=entry.person, did=done)
        if stage in STAGES:
            head = self.tr("{head}, {stage}").format(head=head, stage=translate(STAGES[stage], "stages").lower())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.space("s"))
        sign = QVBoxLayout()
        sign.addWidget(icon_label(icon))
        sign.addStretch(1)
        row.addLayout(sign)
        column = QVBoxLayout()
        column.setSpacing(theme.space("xxs"))
        column.addWidget(label(head, "body", wrap=True))
        detail = self._detail(entry)
        if detail:
            column.addWidget(label(detail, "caption", "ink2", wrap=True))
        column.addWidget(label(moment(entry.at), "caption", "ink2"))
        row.addLayout(column, 1)

    def _detail(self, entry: history.Entry) -> str:
        values = entry.values
        if entry.kind == "answer":
            return say_answers(values["answers"], self._protocol)
        if entry.kind == "decided" and values.get("answer") is not None:
            return say_answers({values["question"]: values["answer"]}, self._protocol) + (
                f"\n{values['reason']}" if values.get("reason") else "")
        if entry.kind in ("assigned", "unassigned"):
            return self.tr("to {person}").format(person=values["to"])
        return values.get("text") or values.get("reason") or values.get("meaning") or ""
