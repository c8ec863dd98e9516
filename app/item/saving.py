"""When a draft is written: a choice at once, typing 300 ms after the last key, at the latest every 2 s."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from PySide6.QtCore import QObject, QTimer, Signal

QUIET_MS = 300
LATEST_MS = 2000


class DraftSaver(QObject):
    """Saves the answers of one task. ``saved`` carries the time only while that is what the draft holds;
    ``unsaved`` says that something newer is not on disk yet."""

    saved = Signal(object)
    unsaved = Signal()

    def __init__(self, jobs: Any, save: Callable[..., Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._save = jobs, save
        self._task: UUID | None = None
        self._answers: Callable[[], dict[str, Any]] = dict
        self._on_disk: dict[str, Any] = {}
        self._sent: dict[str, Any] = {}
        self._quiet, self._latest = QTimer(self), QTimer(self)
        for timer, wait in ((self._quiet, QUIET_MS), (self._latest, LATEST_MS)):
            timer.setSingleShot(True)
            timer.setInterval(wait)
            timer.timeout.connect(self.save_now)

    def begin(self, task: UUID, answers: Callable[[], dict[str, Any]]) -> None:
        """From now on save what ``answers`` gives for ``task``; what it holds now is on disk."""
        self._stop()
        self._task, self._answers = task, answers
        self._on_disk = self._sent = answers()

    def end(self) -> None:
        """Nothing more is saved (it was submitted, skipped or left behind)."""
        self._stop()
        self._task = None

    def typed(self) -> None:
        if self._task is not None:
            self.unsaved.emit()
            self._quiet.start()
            if not self._latest.isActive():
                self._latest.start()

    def save_now(self) -> None:
        """Write what is not on its way to the disk yet."""
        self._stop()
        if self._task is None:
            return
        answers = self._answers()
        if answers == self._sent:
            return
        self.unsaved.emit()
        self._sent, task = answers, self._task
        self._jobs.run(self, self._save, task, answers, then=lambda at: self._arrived(task, answers, at),
                       undoable=False)

    def _arrived(self, task: UUID, answers: dict[str, Any], at: datetime) -> None:
        if task == self._task:
            self._on_disk = answers
            if self._answers() == answers:
                self.saved.emit(at)

    def _stop(self) -> None:
        self._quiet.stop()
        self._latest.stop()
