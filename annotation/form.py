"""Pure questions about one item's form: which slots it has, what is open, what clashes, in what order things stand."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from annotation.answers import Answers, Slot, get, put, walk
from annotation.derive import derived
from annotation.errors import N_, AnswerError, NotFinished, Refused, Where
from annotation.protocol_models import Protocol
from annotation.protocol_parts import Check
from annotation.questions.choice import OfOptions
from annotation.questions.pairwise import PairwiseQuestion
from annotation.visible import Element, Fields, View, all_slots, elements

__all__ = [
    "Conflict", "Element", "all_slots", "check_answers", "check_item", "clean", "conflicts", "derived",
    "display_order", "elements", "missing", "visible_slots",
]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Answers that do not go together; ``block`` stops a submit, ``warn`` only says so."""

    slots: tuple[Slot, ...]
    sentence: str
    level: Literal["block", "warn"]


def visible_slots(protocol: Protocol, fields: Fields, answers: Answers) -> tuple[Slot, ...]:
    """The slots that are asked under these answers."""
    return View(protocol, fields, answers).visible


def clean(protocol: Protocol, fields: Fields, answers: Answers) -> dict[str, Any]:
    """``answers`` without those of slots that are not visible."""
    return dict(View(protocol, fields, answers).shown)


def missing(protocol: Protocol, fields: Fields, answers: Answers) -> tuple[Slot, ...]:
    """Visible slots that must still be answered."""
    return View(protocol, fields, answers).missing()


def conflicts(protocol: Protocol, fields: Fields, answers: Answers) -> tuple[Conflict, ...]:
    """Broken checks; one that hangs on an open question is not broken yet."""
    view = View(protocol, fields, answers)
    return tuple(
        Conflict(slots, check.say or _plain_sentence(protocol, slots), check.level)
        for check in protocol.checks
        for element in _elements_of(view, check)
        if _is_broken(view, check, element) and (slots := _slots_of(view, check, element))
    )


def check_answers(protocol: Protocol, fields: Fields, answers: Answers) -> dict[str, Any]:
    """The answers as they are stored: each checked by its question, invisible ones dropped.

    AnswerError for a bad value, an unknown slot or a broken check; NotFinished where something is open.
    """
    known = {slot: None for slot in all_slots(protocol, fields)}
    checked: dict[str, Any] = {}
    for slot, answer in walk(answers):
        if slot not in known:
            raise AnswerError(N_("'{slot}' is not asked of this item"), slot=str(slot))
        element_value = _element_value(protocol, fields, slot)
        checked = put(checked, slot, protocol.question(slot.question).check(
            answer, fields=fields, element_value=element_value))
    view = View(protocol, fields, checked)
    if still_open := view.missing():
        said = [f"{slot} ({protocol.question(slot.question).wanted(half)})" if (half := get(view.shown, slot))
                else str(slot) for slot in still_open]
        raise NotFinished(N_("Still open: {open}"), slots=tuple(map(str, still_open)), open=", ".join(said))
    for conflict in conflicts(protocol, fields, view.shown):
        if conflict.level == "block":
            raise AnswerError(N_("{sentence}"), sentence=conflict.sentence)
    return dict(view.shown)


def check_item(protocol: Protocol, fields: Fields) -> None:
    """Refused where a question could not be answered for this item: pairwise compares two, options are two to six."""
    for question in protocol.asked:
        if isinstance(question, PairwiseQuestion):
            name, least, most = question.on, 2, 2
        elif isinstance(question, OfOptions) and question.options_from is not None:
            name, least, most = question.options_from, 2, 6
        else:
            continue
        found = len(fields.get(name) or ())
        if least <= found <= most or (not question.required and not found):
            continue
        view = View(protocol, fields, {})
        if all(view.has_one_of(path, values, None) for path, values in question.show_if.items()
               if path.startswith("item.")):
            raise Refused(N_("'{field}' has {found} elements; the question '{question}' needs {wanted}"),
                          code="bad_value" if found else "missing_value", where=Where(key=name), field=name,
                          found=found, question=question.name, wanted=least if least == most else f"{least} to {most}")


def display_order(protocol: Protocol, fields: Fields, *, seed: str, item_seed: str | None = None) -> dict[str, Any]:
    """The order in which shuffled options and candidates are shown.

    ``{"options": {question: [values]}, "candidates": {field: [ids]}}``, with an entry only for what is shuffled.
    ``seed`` (item and person) orders what is shuffled per person, ``item_seed`` (the item; else ``seed``) what is
    shuffled per item. The same seed gives the same order on every machine.
    """
    seeds = {"per_person": seed, "per_item": seed if item_seed is None else item_seed}
    options: dict[str, list[str]] = {}
    candidates: dict[str, list[str]] = {}
    for field in protocol.fields:
        if field.shuffle != "never" and field.name in fields:
            candidates[field.name] = _shuffled(_ids(protocol, fields, field.name), seeds[field.shuffle], field.name)
    for question in protocol.asked:
        if isinstance(question, PairwiseQuestion) and question.shuffle != "never" and question.on not in candidates:
            ids = _ids(protocol, fields, question.on)
            candidates[question.on] = _shuffled(ids, seeds[question.shuffle], question.on)
        elif isinstance(question, OfOptions) and question.shuffle != "never":
            values = [option.value for option in question.options_for(fields)]
            options[question.name] = _shuffled(values, seeds[question.shuffle], question.name)
    return {"options": options, "candidates": candidates}


def _ids(protocol: Protocol, fields: Fields, list_field: str) -> list[str]:
    return [element.id for element in elements(protocol, fields, list_field)]


def _shuffled(values: Iterable[str], seed: str, name: str) -> list[str]:
    # Sorted by a hash and not by random.shuffle: the order is then a fact about the seed, not about a Python version.
    listed = list(values)
    rank = {value: hashlib.sha256(f"{seed}\x1f{name}\x1f{n}".encode()).digest() for n, value in enumerate(listed)}
    return sorted(listed, key=lambda value: rank[value])


def _element_value(protocol: Protocol, fields: Fields, slot: Slot) -> Any:
    group = protocol.group_of(slot.question)
    if group is None:
        return None
    return next((e.value for e in elements(protocol, fields, group.for_each) if e.id == slot.element), None)


def _names(check: Check) -> tuple[str, ...]:
    conditions = check.iff if check.iff is not None else (check.if_ or {}, check.then or {})
    return tuple(dict.fromkeys(name for c in conditions for name in c if not name.startswith("item.")))


def _elements_of(view: View, check: Check) -> tuple[str | None, ...]:
    """The elements for which a check is asked: those of the one group it names, else once."""
    for name in _names(check):
        group = view.protocol.group_of(name)
        if group is not None:
            return tuple(e.id for e in elements(view.protocol, view.fields, group.for_each))
    return (None,)


def _is_broken(view: View, check: Check, element: str | None) -> bool:
    if check.iff is not None:
        one, other = (view.holds(condition, element) for condition in check.iff)
        return one is not None and other is not None and one != other
    return view.holds(check.if_ or {}, element) is True and view.holds(check.then or {}, element) is False


def _slots_of(view: View, check: Check, element: str | None) -> tuple[Slot, ...]:
    return tuple(slot for name in _names(check) if view.is_visible(slot := view.slot(name, element)))


def _plain_sentence(protocol: Protocol, slots: tuple[Slot, ...]) -> str:
    """For a check without words of its own: the questions that do not go together."""
    return " / ".join(protocol.question(slot.question).text for slot in slots)


def order_slots(protocol: Protocol, slots: Iterable[Slot], order: Mapping[str, Any] | None) -> tuple[Slot, ...]:
    """``slots`` with the elements of each group in the order in which they are shown."""
    shown = (order or {}).get("candidates", {})
    listed = list(slots)
    if not shown:
        return tuple(listed)
    first = {slot: n for n, slot in enumerate(listed)}

    def place(slot: Slot) -> tuple[int, int, int]:
        group = protocol.group_of(slot.question)
        ids = shown.get(group.for_each) if group is not None else None
        if group is None or ids is None or slot.element not in ids:
            return first[slot], 0, 0
        start = min(n for s, n in first.items() if protocol.group_of(s.question) is group)
        return start, ids.index(slot.element), first[slot]

    return tuple(sorted(listed, key=place))
