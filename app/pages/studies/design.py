"""The section Design: the study's text to edit, its faults as one types, and beside it what one person would see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from annotation.errors import Fault
from app import theme
from app.i18n import sentence
from app.pages.studies import words
from app.pages.studies.reading import Checked
from app.parts.boxes import clear
from app.parts.code import CodeView
from app.parts.line import LineInPlace
from app.parts.text import label, number

SHOWN = 3
LEAST_LINES = 10  # of the text, where the page scrolls
WAIT_MS = 300  # after the last key, so that typing never waits for the check


class CodeEdit(CodeView):
    """The same, to write in."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setReadOnly(False)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextEditorInteraction)


class DesignPanel(QWidget):
    """``edited``: the text changed and was checked. ``check`` is how the page has a text checked off the window."""

    edited = Signal()

    def __init__(self, check: Callable[[str, Callable[[Checked], None]], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._check, self._kept = check, ""
        self._checked: Checked | None = None
        self.code = CodeEdit(self.tr("Text of the study"))
        self.code.setObjectName("studies:text")
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(WAIT_MS)
        self._soon.timeout.connect(self.check_now)
        self.code.textChanged.connect(self._typed)
        self._faults = QVBoxLayout()
        self._faults.setSpacing(theme.space("xs"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        column.addWidget(self.code, 1)
        column.addLayout(self._faults)
        self.restyle()

    def restyle(self) -> None:
        tall = theme.metrics("code").lineSpacing() + 1  # not of the view, which is restyled after this
        self.code.setMinimumHeight(LEAST_LINES * tall + theme.space("m"))

    # --- text -----------------------------------------------------------------------------------------------

    def show_text(self, text: str, *, kept: bool) -> None:
        """A text to edit; ``kept``: it stands in the project like this."""
        self._kept = text if kept else ""
        if self.code.toPlainText() != text:
            self.code.setPlainText(text)
        self.check_now()

    def text(self) -> str:
        return self.code.toPlainText()

    @property
    def is_changed(self) -> bool:
        """Whether the text is other than what the project keeps."""
        return bool(self.text().strip()) and self.text() != self._kept

    @property
    def checked(self) -> Checked | None:
        """The check of what stands there now; None while it is not checked yet."""
        return self._checked

    @Slot()
    def _typed(self) -> None:
        self._checked = None
        self._soon.start()
        self.edited.emit()

    @Slot()
    def check_now(self) -> None:
        self._soon.stop()
        text = self.text()
        if not text.strip():
            self._show(text, Checked((), None, None))
            return
        self._check(text, lambda found: self._show(text, found))

    def _show(self, text: str, found: Checked) -> None:
        if text != self.text():
            return  # typed on since; a later check comes
        self._checked = found
        clear(self._faults)
        self.code.mark({fault.line: "warn" if found.kept else "bad" for fault in reversed(found.faults) if fault.line})
        if found.kept and found.faults:
            self._faults.addWidget(LineInPlace("info", self.tr(
                "These rules are newer than this study. It is kept and works as it was; a new version has to keep to "
                "them.")))
        for line in lines_of(found.faults, self.tr, kind="warn" if found.kept else "bad"):
            self._faults.addWidget(line)
        if found.drawn is not None and found.drawn.why is not None:
            self._faults.addWidget(LineInPlace("bad", sentence(found.drawn.why)))
        self.edited.emit()


def lines_of(faults: Sequence[Fault], tr: Callable[[str], str], *, kind: str = "bad") -> list[LineInPlace]:
    """The first faults, and how many more there are."""
    made = [LineInPlace(kind, tr("Line {line}, {path}: {what}").format(line=fault.line, path=fault.path,
                                                                       what=fault.message)) for fault in faults[:SHOWN]]
    if len(faults) > SHOWN:
        made.append(LineInPlace("info", tr("{n} more; mend these first.").format(n=len(faults) - SHOWN)))
    return made


class Numbers(QWidget):
    """Pairs of words and numbers below each other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.space("m"))
        self._grid.setVerticalSpacing(theme.space("xs"))
        self._grid.setColumnStretch(0, 1)

    def show_rows(self, rows: Sequence[tuple[str, str]]) -> None:
        clear(self._grid)
        for n, (what, how_much) in enumerate(rows):
            self._grid.addWidget(label(what, "body", "ink2"), n, 0)
            self._grid.addWidget(number(how_much), n, 1)
        self.setVisible(bool(rows))


class Outline(QWidget):
    """What one person would see, from the check of the text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._head = label(self.tr("What one person sees"), "strong")
        self._numbers = Numbers()
        self._none = label("", "body", "ink2", wrap=True)
        self._sure = label("", "caption", "ink2", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("s"))
        for part in (self._head, self._numbers, self._none, self._sure):
            column.addWidget(part)
        row = QHBoxLayout()
        column.addLayout(row)

    def show_checked(self, found: Checked | None) -> None:
        rows: list[tuple[str, str]] = []
        why = ""
        if found is None:
            why = self.tr("Checking the text")
        elif found.study is None or found.drawn is None:
            why = self.tr("The text has faults; mend them first.")
        elif found.drawn.plan is None:
            why = self.tr("No list can be drawn.")
        else:
            rows = words.drawn_rows(found.study, found.drawn)
        self._numbers.show_rows(rows)
        self._none.setText(why)
        self._none.setVisible(bool(why))
        self._sure.setText(self._said(found) if rows else "")
        self._sure.setVisible(bool(rows))

    def _said(self, found: Any) -> str:
        study = found.study
        lasting = self.tr("nobody sees an item twice; every item is seen equally often in each condition over all lists"
                          ) if study.vary == "within" and len(study.conditions) > 1 else ""
        return f"{lasting[:1].upper()}{lasting[1:]}." if lasting else ""
