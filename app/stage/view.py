"""TrialView: what one trial shows, in words and references to pictures; made of study, protocol and item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.questions.base import in_words
from app.questions.base import text_of
from studies.model import Study
from studies.plan import PlannedTrial


@dataclass(frozen=True, slots=True)
class Part:
    """One field of the item, its value as stored."""

    name: str
    kind: str
    label: str
    value: Any
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One option as shown; ``key`` by the names of ``studies.model_parts.KeyName``."""

    value: str
    text: str
    key: str


@dataclass(frozen=True, slots=True)
class TrialView:
    """``screens``: what is to be seen on each, everything counted: "question", "options" and names of parts.

    ``goes_on``: the screens (from 1) that Space ends, and that say so.
    """

    item: str
    question: str
    parts: tuple[Part, ...]
    options: tuple[Choice, ...]
    screens: tuple[frozenset[str], ...]
    goes_on: frozenset[int] = frozenset()
    pointer: bool = False

    @property
    def pictures(self) -> tuple[tuple[str | None, str], ...]:
        """(SHA-256 or None where the file was never there, path as written) of every picture, each once."""
        found: dict[tuple[str | None, str], None] = {}
        for part in self.parts:
            for reference in references(part.value):
                found[reference.get("sha256"), str(reference.get("path") or "")] = None
        return tuple(found)


def references(value: Any) -> list[Mapping[str, Any]]:
    """Every reference to a picture in a field's value, in order."""
    if isinstance(value, Mapping):
        if "sha256" in value:
            return [value]
        return [one for inner in value.values() for one in references(inner)]
    if isinstance(value, (list, tuple)):
        return [one for inner in value for one in references(inner)]
    return []


def view_of(study: Study, protocol: Any, planned: PlannedTrial, fields: Mapping[str, Any]) -> TrialView:
    """What ``planned`` shows of an item with these ``fields`` (as stored); what is private is never shown."""
    declared = {field.name: field for field in protocol.fields if not field.private}
    parts = []
    for name in study.condition(planned.condition).shows:
        value = fields.get(name)
        if name in declared and value not in (None, "", [], ()):
            field = declared[name]
            own = "" if field.label == in_words(name) else field.label  # a name in words says nothing
            parts.append(Part(name, field.kind, own, value, field.unit))
    question = next(one for one in protocol.questions if one.name == study.question)
    words = {option.value: option.label for option in question.options_for(fields)}
    choices = tuple(Choice(value, words.get(value, value), key)
                    for value, key in zip(planned.options, planned.keys, strict=False))
    screens, goes_on = _screens(study, tuple(part.name for part in parts))
    return TrialView(planned.key, text_of(question), tuple(parts), choices, screens, goes_on, study.answers.pointer)


def _screens(study: Study, names: tuple[str, ...]) -> tuple[tuple[frozenset[str], ...], frozenset[int]]:
    everything = frozenset({"question", "options", *names})
    staged = study.trial.reveal
    if not staged:
        return (everything,), frozenset()
    screens, seen = [], frozenset[str]()
    for one in staged:
        seen |= {name for said in one.shows for name in (names if said == "fields" else (said,))} & everything
        screens.append(seen)
    return tuple(screens), frozenset(n for n, one in enumerate(staged[:-1], 1) if one.seconds is None)
