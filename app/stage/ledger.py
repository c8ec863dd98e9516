"""The facts of the sitting that is under way: each is on disk before whoever kept it goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from PySide6.QtCore import QObject, Signal

from annotation.errors import Refused
from app.jobs import Jobs
from studies import keeping
from studies.facts import Event, Fact

End = tuple[str, str]  # the state that a sitting ends in, and the reason


class Ledger(QObject):
    """``facts`` are those that are acknowledged; ``state`` is the sitting's. ``mark`` keeps an event with the next."""

    not_kept = Signal(object, object)  # Refused, and what to call to try again

    def __init__(self, jobs: Jobs, sitting: UUID, facts: Sequence[Fact], state: str,
                 parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._sitting = jobs, sitting
        self.facts: list[Fact] = list(facts)
        self.state = state
        self.is_busy = False
        self._marks: list[Event] = []

    def mark(self, event: Event) -> None:
        self._marks.append(event)

    def keep(self, facts: Sequence[Fact], then: Callable[[], None], end: End | None = None) -> None:
        """Append facts in one transaction, and end the sitting with the last; ``then`` once that is on disk."""
        told = (*self._marks, *facts)
        self._marks = []
        self._send(told, then, end)

    def _send(self, told: tuple[Fact, ...], then: Callable[[], None], end: End | None) -> None:
        """The same facts again have the same numbers: what was written after all is not written twice."""
        self.is_busy = True

        def acknowledged(_: Any) -> None:
            self.is_busy = False
            self.facts += told
            self.state = end[0] if end is not None else self.state
            then()

        def refused(error: Refused) -> None:
            self.not_kept.emit(error, lambda: self._send(told, then, end))

        self._jobs.run(self, _append, self._sitting, len(self.facts), told, end, then=acknowledged, failed=refused,
                       undoable=False)


def _append(session: Any, sitting: UUID, first: int, facts: Sequence[Fact], end: End | None) -> None:
    for n, fact in enumerate(facts):
        keeping.append(session, sitting, first + n, fact)
    if end is not None:
        keeping.end(session, sitting, *end)
