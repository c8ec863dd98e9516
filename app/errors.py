"""Bugs: a report is written and a box offers to copy it; nothing is sent anywhere."""

from __future__ import annotations

import faulthandler
import logging
import platform
import sys
import threading
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TextIO

import PySide6
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QVBoxLayout, QWidget

from annotation.errors import Refused
from annotation.version import VERSION
from app import theme
from app.home import home
from app.i18n import sentence
from app.parts.buttons import CapButton
from app.parts.field import TextField
from app.parts.text import label

log = logging.getLogger(__name__)


def report_of(error: BaseException) -> str:
    """The report of a bug: where it happened and on what. Messages are left out: one may quote an answer or a name."""
    lines = [f"Goldsmith {VERSION}", f"Python {platform.python_version()}, PySide6 {PySide6.__version__}",
             platform.platform(), datetime.now(UTC).isoformat(timespec="seconds"), ""]
    return "\n".join(lines) + "".join(_frames(error))


def _frames(error: BaseException) -> Iterator[str]:
    """Where the error and those before it came up, and of which kind they are."""
    for cause in (error.__cause__, None if error.__suppress_context__ else error.__context__):
        if cause is not None:
            yield from _frames(cause)
            yield "\nthen:\n"
            break
    yield from traceback.format_tb(error.__traceback__)
    yield f"{type(error).__name__}\n"


def write_report(text: str) -> Path:
    folder = home() / "reports"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.txt"
    path.write_text(text, "utf-8")
    return path


class Bugs(QObject):
    """Takes what nobody caught, in any thread, and shows one box at a time on the GUI thread."""

    _came = Signal(object)
    told = Signal(str)  # a Refused that reached the top: its sentence

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._box: BugBox | None = None
        self._file: TextIO | None = None
        self._came.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """From now on: sys.excepthook, threading.excepthook, and faulthandler for crashes below Python."""
        sys.excepthook = self._hook
        threading.excepthook = self._thread_hook
        folder = home()
        folder.mkdir(parents=True, exist_ok=True)
        self._file = (folder / "crash.txt").open("a", encoding="utf-8")
        faulthandler.enable(self._file)

    def remove(self) -> None:
        sys.excepthook, threading.excepthook = sys.__excepthook__, threading.__excepthook__
        if self._file is not None:
            faulthandler.disable()
            self._file.close()
            self._file = None

    def take(self, error: object) -> None:
        """A bug that somebody caught (jobs)."""
        if isinstance(error, BaseException):
            self._came.emit(error)

    def _hook(self, kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, where)
            return
        self._came.emit(error)

    def _thread_hook(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._came.emit(args.exc_value)

    @Slot(object)
    def _show(self, error: BaseException) -> None:
        if isinstance(error, Refused):
            self.told.emit(sentence(error))
            return
        text = report_of(error)
        try:
            path = str(write_report(text))
        except OSError:
            path = ""
        log.error("bug: %s, report %s", type(error).__name__, path or "not written")
        if self._box is None:
            self._box = BugBox(text, path, QApplication.activeWindow())
            self._box.finished.connect(self._closed)
            self._box.open()

    @Slot()
    def _closed(self) -> None:
        if self._box is not None:
            self._box.deleteLater()
            self._box = None


class BugBox(QDialog):
    """What happened in a sentence, the report, and Copy report."""

    def __init__(self, text: str, path: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("A fault in Goldsmith"))
        self._text = text
        said = label(self.tr("Goldsmith did something wrong. What you answered before is saved."), "strong", wrap=True)
        kept = label(self.tr("The report was written to {path}. Nothing is sent anywhere.").format(path=path)
                     if path else self.tr("Nothing is sent anywhere."), "body", "ink2", wrap=True)
        shown = TextField(self.tr("Report"), lines=10, mono=True)
        shown.setReadOnly(True)
        shown.setPlainText(text)
        copy = CapButton(self.tr("Copy report"), kind="primary", icon="copy")
        copy.clicked.connect(self._copy)
        close = CapButton(self.tr("Go on"), keys="Esc")
        close.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addWidget(copy)
        row.addWidget(close)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[theme.space("xl")] * 4)
        column.setSpacing(theme.space("m"))
        for part in (said, kept, shown):
            column.addWidget(part)
        column.addLayout(row)
        self.resize(theme.wide(theme.size("palette")), self.sizeHint().height())
        copy.setFocus()

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)
