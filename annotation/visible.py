"""What is asked of one item given the answers so far: elements, visible slots, and whether a condition holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from annotation.answers import Answer, Answers, Slot, get, put
from annotation.protocol_base import Condition, Empty, Values
from annotation.protocol_models import Group, Protocol
from annotation.questions.base import Question, number_text

Fields = Mapping[str, Any]


class Element(NamedTuple):
    """One element of a list field; ``position`` counts from 0, as imported."""

    id: str
    position: int
    value: Any


def elements(protocol: Protocol, fields: Fields, list_field: str) -> tuple[Element, ...]:
    """The elements of a list field with their lasting ids; () where the item has none."""
    found = fields.get(list_field)
    if not isinstance(found, (list, tuple)):
        return ()
    prefix = "c" if protocol.field(list_field).kind == "candidates" else ""
    return tuple(
        Element(str(value["id"]) if isinstance(value, Mapping) and "id" in value else f"{prefix}{position + 1}",
                position, value)
        for position, value in enumerate(found)
    )


def all_slots(protocol: Protocol, fields: Fields) -> tuple[Slot, ...]:
    """Every slot that the item could have, in the protocol's order; in a group, element by element."""
    return tuple(slot for slot, _question, _value in _walk(protocol, fields))


def _walk(protocol: Protocol, fields: Fields) -> Iterator[tuple[Slot, Question, Any]]:
    for entry in protocol.questions:
        if isinstance(entry, Group):
            for element in elements(protocol, fields, entry.for_each):
                for question in entry.questions:
                    yield Slot(question.name, element.id), question, element.value
        else:
            yield Slot(entry.name), entry, None


class View:
    """One item under one set of answers. ``shown`` holds the answers of visible slots only."""

    def __init__(self, protocol: Protocol, fields: Fields, answers: Answers) -> None:
        self.protocol = protocol
        self.fields = fields
        self.shown: Answers = {}
        self.visible: tuple[Slot, ...] = ()
        self.element_values: dict[Slot, Any] = {}
        self._show(answers)
        self._visible: frozenset[Slot] = frozenset(self.visible)

    def _show(self, answers: Answers) -> None:
        # One pass is enough: show_if may only name questions that stand earlier in the file.
        visible = []
        for slot, question, value in _walk(self.protocol, self.fields):
            if not self._is_shown(question, slot.element):
                continue
            visible.append(slot)
            self.element_values[slot] = value
            answer = get(answers, slot)
            if answer is not None:
                self.shown = put(self.shown, slot, answer)
        self.visible = tuple(visible)

    def _is_shown(self, question: Question, element: str | None) -> bool:
        return all(self.has_one_of(name, values, element) for name, values in question.show_if.items())

    def answer(self, name: str, element: str | None) -> Answer | None:
        """The answer to a question, inside a group that of ``element``, where it is visible."""
        return get(self.shown, self.slot(name, element))

    def slot(self, name: str, element: str | None) -> Slot:
        return Slot(name, element if self.protocol.group_of(name) is not None else None)

    def has_one_of(self, name: str, values: Values, element: str | None) -> bool:
        """Whether a question's answer or ``item.<field>`` is one of ``values``."""
        if name.startswith("item."):
            return self.item_text(name) in values
        answer = self.answer(name, element)
        return answer is not None and not self.protocol.question(name).values_of(answer).isdisjoint(values)

    def item_text(self, path: str) -> str | None:
        """The text of ``item.<field>`` or ``item.<list>.count``; None where the item has no such value."""
        parts = path.split(".")
        value = self.fields.get(parts[1])
        if len(parts) == 3:
            return str(len(value)) if isinstance(value, (list, tuple)) else "0"
        return None if value is None else number_text(value)

    def is_given(self, slot: Slot) -> bool:
        """Whether a visible slot has an answer that counts."""
        question = self.protocol.question(slot.question)
        return question.is_given(get(self.shown, slot), fields=self.fields,
                                 element_value=self.element_values.get(slot))

    def is_visible(self, slot: Slot) -> bool:
        return slot in self._visible

    def missing(self) -> tuple[Slot, ...]:
        """Visible slots still to be answered; an optional one only where an answer stands that is not whole."""
        return tuple(
            slot for slot in self.visible
            if not self.is_given(slot)
            and (self.protocol.question(slot.question).required or get(self.shown, slot) is not None)
        )

    def holds(self, condition: Condition, element: str | None) -> bool | None:
        """For checks. None: not known yet, since a question is open or not asked."""
        return all_of(self._term(name, wanted, element) for name, wanted in condition.items())

    def _term(self, name: str, wanted: Values | Empty, element: str | None) -> bool | None:
        if not name.startswith("item."):
            slot = self.slot(name, element)
            if not self.is_visible(slot):
                return None
            if isinstance(wanted, Empty):
                return self.is_given(slot) is not wanted.is_empty
            if get(self.shown, slot) is None:
                return None
        if isinstance(wanted, Empty):
            return (self.item_text(name) in (None, "")) is wanted.is_empty
        return self.has_one_of(name, wanted, element)


def all_of(terms: Iterator[bool | None]) -> bool | None:
    """And, with None for "not known": one False settles it."""
    known: bool | None = True
    for term in terms:
        if term is False:
            return False
        if term is None:
            known = None
    return known
