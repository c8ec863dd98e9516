"""One person's answers to one item as stored: ``{question: {"v": ..} | {"na": true}}``.

Questions of a group hold one more level, keyed by element id:
``{"score": {"p1": {"v": 4}, "p2": {"na": true}}}``. Absent means not asked or not answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

Answer = Mapping[str, Any]  # {"v": ..} or {"na": True}, for pairwise and verdict with more keys beside "v"
Answers = Mapping[str, Any]


class Slot(NamedTuple):
    """One place for an answer: a question's name and, inside a group, the element's id."""

    question: str
    element: str | None = None

    def __str__(self) -> str:
        return self.question if self.element is None else f"{self.element}/{self.question}"


def is_answer(value: object) -> bool:
    """Whether ``value`` is one answer and not a level of element ids (ids are never ``v`` or ``na``)."""
    return isinstance(value, Mapping) and ("v" in value or "na" in value)


def get(answers: Answers, slot: Slot) -> Answer | None:
    found = answers.get(slot.question)
    if slot.element is None:
        return found if is_answer(found) else None
    return found.get(slot.element) if isinstance(found, Mapping) and not is_answer(found) else None


def put(answers: Answers, slot: Slot, answer: Answer | None) -> dict[str, Any]:
    """A copy of ``answers`` with ``slot`` answered, or without it where ``answer`` is None."""
    new = dict(answers)
    if slot.element is None:
        if answer is None:
            new.pop(slot.question, None)
        else:
            new[slot.question] = dict(answer)
        return new
    level = dict(new.get(slot.question) or {})
    if answer is None:
        level.pop(slot.element, None)
    else:
        level[slot.element] = dict(answer)
    if level:
        new[slot.question] = level
    else:
        new.pop(slot.question, None)
    return new


def walk(answers: Answers) -> Iterator[tuple[Slot, Answer]]:
    """Every answer with its slot, in the order of the mapping."""
    for question, found in answers.items():
        if is_answer(found):
            yield Slot(question), found
        else:
            for element, answer in found.items():
                yield Slot(question, element), answer
