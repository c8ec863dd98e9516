"""Sentences of the lower floors in the language of the person: a template is translated, then filled."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication

from annotation.errors import AnswerError, NotFinished, Refused, beside_its_place

LONG = 80  # characters of a question that stand in a sentence


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802 - the name that lupdate looks for
    """Mark a text for translation; returns it unchanged. (PySide6's own says that it returns any object.)"""
    return text


def translate(text: str, context: str = "commands") -> str:
    """A text marked with QT_TRANSLATE_NOOP(context, ..)."""
    return QCoreApplication.translate(context, text)


def sentence(refused: Refused, protocol: Any = None, *, alone: bool = True) -> str:
    """The sentence of a refusal, with its place in a file where it is known.

    With ``protocol`` a question is called by its text, which is what a person at a window has read; a refusal itself
    names it as a file does. ``alone``: it begins a line, so with a capital, which the command line's, behind a place or
    a program's name, do not.
    """
    values = refused.values if protocol is None else {**refused.values, **_in_words(refused, protocol)}
    template = QCoreApplication.translate("annotation", refused.template)
    text = template.format(**values)
    where = refused.where
    if where.file and where.file not in text:
        place = ":".join(str(part) for part in (where.file, where.line, where.column) if part is not None)
        return f"{place}: {beside_its_place(text, where.line)}"
    return begun(text, template) if alone else text


def begun(text: str, template: str) -> str:
    """A sentence as the beginning of a line. What it names (a file, a person's handle) keeps its letters."""
    return text if template.startswith("{") else text[:1].upper() + text[1:]


def _in_words(refused: Refused, protocol: Any) -> dict[str, str]:
    """The values of a refusal that are names of questions, as their texts."""
    if isinstance(refused, NotFinished):
        return {"open": ", ".join(_text_of(slot, protocol) for slot in refused.slots)}
    if not isinstance(refused, AnswerError):
        return {}
    return {key: _text_of(str(refused.values[key]), protocol) for key in ("name", "slot") if key in refused.values}


def _text_of(slot: str, protocol: Any) -> str:
    element, _, name = slot.rpartition("/")
    if not protocol.has_question(name):
        return slot
    text = protocol.question(name).text
    text = text if len(text) <= LONG else f"{text[:LONG - 1].rstrip()}\u2026"
    return f"{element}: {text}" if element else text
