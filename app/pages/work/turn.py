"""One person's turn at one item while it is on the screen: draft, clock, and whether it changes an answer."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from annotation.answers import Slot
from annotation.draft import Draft
from annotation.tasks import TaskView
from app.item.clock import Clock


class Turn:
    """``view`` as claimed; ``draft`` holds the answers from now on."""

    def __init__(self, view: TaskView, protocol: Any, stage: str) -> None:
        self.view, self.protocol, self.stage = view, protocol, stage
        self.draft = Draft(protocol, view.fields, view.answers, order=view.order)
        self.clock = Clock(protocol.workflow.idle_limit_s * 1000, before=view.active_ms)
        self._first = self.draft.answers

    @property
    def task(self) -> UUID:
        return self.view.id

    @property
    def changes_an_answer(self) -> bool:
        """Whether this was submitted before and is open again."""
        return self.view.revision is not None and self.view.state == "submitted"

    @property
    def is_unchanged(self) -> bool:
        return self.draft.answers == self._first

    @property
    def is_untouched(self) -> bool:
        """Whether it can be given back without losing anything."""
        return not self.draft.answers and self.view.revision is None

    @property
    def keeps_its_time(self) -> bool:
        """Whether the time at it counts on when it is left: something of it is kept, and not only looked at."""
        return not (self.is_untouched or (self.changes_an_answer and self.is_unchanged))

    def goes_on_after(self, slot: Slot, *, missing_before: tuple[Slot, ...]) -> bool:
        """Whether the answer to ``slot`` was the last one that was missing, and the protocol goes on then."""
        return (self.protocol.workflow.advance == "on_answer" and missing_before == (slot,)
                and self.draft.can_submit)
