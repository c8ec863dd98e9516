"""One person's answers to one item while they are being given: undo, redo, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from annotation.answers import Answer, Answers, Slot, get, put, walk
from annotation.errors import N_, AnswerError
from annotation.form import Conflict, conflicts, order_slots
from annotation.protocol_models import Protocol
from annotation.questions.edit import EditQuestion
from annotation.visible import View, all_slots, elements


class Draft:
    """Snapshots inside are never changed. Answers of questions that went out of sight are kept, so that they come
    back with their question; ``answers`` holds the visible ones only."""

    def __init__(self, protocol: Protocol, fields: Mapping[str, Any], answers: Answers | None = None, *,
                 order: Mapping[str, Any] | None = None) -> None:
        self.protocol = protocol
        self.fields = fields
        self.order = order
        self._slots = frozenset(all_slots(protocol, fields))
        self._past: list[Answers] = []
        self._future: list[Answers] = []
        self._typing: Slot | None = None
        self._set(dict(answers or {}))

    def _set(self, answers: Answers) -> None:
        self._now = answers
        self._view = View(self.protocol, self.fields, answers)

    def answer(self, slot: Slot, answer: Answer | None, *, typing: bool = False) -> None:
        """Take an answer (None clears it); AnswerError if its question refuses it, and then nothing changes.

        ``typing``: one more key press in the same box; a row of them is one step to undo.
        """
        if slot not in self._slots:
            raise AnswerError(N_("'{slot}' is not asked of this item"), slot=str(slot))
        if answer is not None:
            answer = self.protocol.question(slot.question).check(
                answer, fields=self.fields, element_value=self._element_value(slot))
        if answer == get(self._now, slot):
            return
        if not (typing and self._typing == slot and self._past):
            self._past.append(self._now)
        self._future.clear()
        self._typing = slot if typing else None
        self._set(put(self._now, slot, answer))

    def take(self, answers: Answers) -> None:
        """Those of these answers to another text that can be given to this one; edits begin with that text, so none."""
        for slot, answer in walk(answers):
            if not isinstance(self.protocol.question(slot.question), EditQuestion):
                with suppress(AnswerError):
                    self.answer(slot, answer)

    def _element_value(self, slot: Slot) -> Any:
        group = self.protocol.group_of(slot.question)
        if group is None:
            return None
        return next(e.value for e in elements(self.protocol, self.fields, group.for_each) if e.id == slot.element)

    def undo(self) -> None:
        if self._past:
            self._future.append(self._now)
            self._typing = None
            self._set(self._past.pop())

    def redo(self) -> None:
        if self._future:
            self._past.append(self._now)
            self._typing = None
            self._set(self._future.pop())

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    @property
    def answers(self) -> dict[str, Any]:
        """The answers of visible slots: what is saved and submitted."""
        return dict(self._view.shown)

    def get(self, slot: Slot) -> Answer | None:
        return get(self._view.shown, slot)

    @property
    def visible(self) -> tuple[Slot, ...]:
        """Visible slots; the elements of a group in the order shown."""
        return order_slots(self.protocol, self._view.visible, self.order)

    @property
    def missing(self) -> tuple[Slot, ...]:
        return order_slots(self.protocol, self._view.missing(), self.order)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        return conflicts(self.protocol, self.fields, self._view.shown)

    def first_open(self) -> Slot | None:
        """The first slot that must still be answered."""
        return next(iter(self.missing), None)

    def wanted(self, slot: Slot) -> AnswerError:
        """What a missing slot still wants, as a sentence."""
        return self.protocol.question(slot.question).wanted(self.get(slot))

    @property
    def can_submit(self) -> bool:
        return not self.missing and not any(conflict.level == "block" for conflict in self.conflicts)
