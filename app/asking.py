"""How one question is asked of one item: its options in the order drawn, the letters of candidates, its heading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.answers import Slot
from annotation.form import elements
from app.questions import Asked

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def tr(text: str) -> str:
    return QCoreApplication.translate("form", text)


def letters_of(protocol: Any, fields: Mapping[str, Any], order: Mapping[str, Any], list_field: str) -> dict[str, str]:
    """The letter under which each element of a list field is shown, by the order of the task."""
    ids = [element.id for element in elements(protocol, fields, list_field)]
    shown = (order.get("candidates") or {}).get(list_field) or ids
    return dict(zip([one for one in shown if one in ids], LETTERS, strict=False))


def ask(protocol: Any, fields: Mapping[str, Any], order: Mapping[str, Any], slot: Slot) -> tuple[Asked, str]:
    """One question of an item as it is asked in this order, and the heading above it (of a group's element)."""
    question = protocol.question(slot.question)
    group = protocol.group_of(slot.question)
    value, heading = None, ""
    if group is not None:
        found = next(element for element in elements(protocol, fields, group.for_each) if element.id == slot.element)
        value = found.value
        letter = letters_of(protocol, fields, order, group.for_each).get(found.id, "")
        kind = protocol.field(group.for_each).kind
        name = value.get("name") if isinstance(value, Mapping) else None
        heading = name or (tr("Answer {letter}").format(letter=letter) if kind == "candidates"
                           else tr("Step {n}").format(n=found.position + 1))
    over = getattr(question, "on", None)
    is_list = over is not None and protocol.has_field(over) and protocol.field(over).is_list
    shown = (order.get("options") or {}).get(question.name)
    if is_list:
        shown = (order.get("candidates") or {}).get(over)
    options = question.options_for(fields, value, order=shown)
    given = question.source(fields, value) if hasattr(question, "source") else ""
    letters = letters_of(protocol, fields, order, str(over)) if is_list else None
    return Asked(question, slot, tuple(options), given, letters), heading
