"""Protocol: its text with line numbers, what the check says, and the form as people see it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from annotation import protocol as protocols
from annotation.answers import Answer
from annotation.answers import Slot as AnswerSlot
from annotation.draft import Draft
from annotation.errors import AnswerError
from app import theme
from app.commands import command
from app.context import Context
from app.form import Form
from app.i18n import QT_TRANSLATE_NOOP, sentence
from app.page import Page
from app.parts.boxes import clear
from app.parts.buttons import CapButton
from app.parts.code import CodeView
from app.parts.line import LineInPlace
from app.parts.sided import Sided
from app.parts.text import PageHead, label

SHOWN = 4  # faults below the text; the rest is counted


class ProtocolPage(Page):
    name = "protocol"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._draft: Draft | None = None
        self._file = ""
        content, side = QWidget(), QWidget()
        self._head = PageHead(self.tr("Protocol"))
        self._another = CapButton(self.tr("Check a file"), icon="open", keys="Ctrl+Shift+O")
        self._another.clicked.connect(self.check_file)
        self._again = CapButton(self.tr("Check again"), icon="check_again", keys="F5")
        self._again.clicked.connect(self.check_again)
        self._head.add(self._another)
        self._head.add(self._again)
        self._code = CodeView(self.tr("Text of the protocol"))
        self._faults = QVBoxLayout()
        self._faults.setSpacing(theme.space("xs"))
        column = QVBoxLayout(content)
        column.setContentsMargins(theme.space("page_left"), theme.space("page_top"), theme.space("page_right"),
                                  theme.space("l"))
        column.setSpacing(theme.space("m"))
        column.addWidget(self._head)
        column.addWidget(self._code, 1)
        column.addLayout(self._faults)
        self._form = Form()
        self._form.answered.connect(self._answered)
        self._said = label(self.tr("The form as people see it. Nothing you try here is kept."), "caption", "ink2",
                           wrap=True)
        beside = QVBoxLayout(side)
        beside.setContentsMargins(theme.space("xl"), theme.space("page_top"), theme.space("page_top"),
                                  theme.space("l"))
        beside.setSpacing(theme.space("l"))
        beside.addWidget(self._said)
        beside.addWidget(self._form)
        beside.addStretch(1)
        self._side = side
        outer = QHBoxLayout(self.body)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(Sided(content, side, width="answer_panel", content_scrolls=False))

    def opened(self, **where: Any) -> None:
        if not self._code.toPlainText():
            self._read()

    def refresh(self, touched: frozenset[str]) -> None:
        if "protocol" in touched:
            self._read()

    def parts(self) -> list[QWidget]:
        return [self._code, self._side]

    def _read(self) -> None:
        store = self.context.store
        self.context.jobs.read(self, lambda _session: store.protocol, then=self._show_in_use)

    def _show_in_use(self, protocol: Any) -> None:
        self._file = ""
        self._head.set_title(self.tr("Protocol"), self.tr("version {n}, in use").format(n=protocol.version))
        self._show(protocol.text, protocols.check_text(protocol.text, f"{protocol.id}.yaml"))

    def _show(self, text: str, report: Any) -> None:
        if self._code.toPlainText() != text:
            self._code.setPlainText(text)
        clear(self._faults)
        said = [("bad", fault) for fault in report.faults] + [("warn", fault) for fault in report.warnings]
        self._code.mark({fault.line: kind for kind, fault in reversed(said)})
        for kind, fault in said[:SHOWN]:
            line = LineInPlace()
            line.say(kind, self.tr("Line {line}, {path}: {what}").format(line=fault.line, path=fault.path,
                                                                        what=fault.message))
            self._faults.addWidget(line)
        if len(said) > SHOWN:
            more = LineInPlace("info", self.tr("{n} more; mend these first.").format(n=len(said) - SHOWN))
            self._faults.addWidget(more)
        if not said:
            self._faults.addWidget(LineInPlace("good", self.tr("The check found no fault.")))
        else:
            self._code.go_to(said[0][1].line)
        if report.protocol is not None:
            fields = sample_fields(report.protocol)
            self._form.set_item(report.protocol, fields, None)
            self._draft = Draft(report.protocol, fields)
            self._form.render(self._draft)
        self._form.setVisible(report.protocol is not None)

    def _answered(self, slot: AnswerSlot, answer: Answer | None) -> None:
        if self._draft is None:
            return
        try:
            self._draft.answer(slot, answer)
            self._form.show_fault(slot, "")
        except AnswerError as refused:
            self._form.show_fault(slot, sentence(refused, self._draft.protocol))
        self._form.render(self._draft)

    @command("protocol.check_again", QT_TRANSLATE_NOOP("commands", "Check again"), menu="Item", keys="F5",
             icon="check_again")
    @Slot()
    def check_again(self) -> None:
        if self._file:
            self._check(self._file)
        else:
            self._read()

    @command("protocol.check_file", QT_TRANSLATE_NOOP("commands", "Check a protocol file"), menu="Item",
             keys="Ctrl+Shift+O", icon="open")
    @Slot()
    def check_file(self) -> None:
        file, _ = QFileDialog.getOpenFileName(self, self.tr("Check a protocol file"), "", "YAML (*.yaml *.yml)")
        if file:
            self._check(file)

    def _check(self, file: str) -> None:
        self._file = file
        self.context.jobs.work(self, lambda _progress, _cancelled: _read_file(file), then=self._show_file)

    def _show_file(self, found: tuple[str, Any]) -> None:
        text, report = found
        self._head.set_title(self.tr("Protocol"), self.tr("{file}, not in use").format(file=Path(self._file).name))
        self._show(text, report)


def _read_file(file: str) -> tuple[str, Any]:
    report = protocols.check(file)
    try:
        text = Path(file).read_text("utf-8-sig", errors="replace")
    except OSError:
        text = ""
    return text, report


def sample_fields(protocol: Any) -> dict[str, Any]:
    """Values to show a form on: each field says its own label."""
    made: dict[str, Any] = {}
    for field in protocol.fields:
        words = field.label or field.name
        picture = {"sha256": None, "path": words}
        made[field.name] = {
            "number": 1, "table": f"{words}\n1", "image": picture,
            "images": [{"id": "1", "name": words, "image": picture}],
            "candidates": [{"id": "c1", "text": "A"}, {"id": "c2", "text": "B"}],
            "steps": [{"id": "1", "text": words}, {"id": "2", "text": words}],
        }.get(field.kind, words)
    return made
