"""What all searches for faults share: a fault's place, the nearest known name, and whether a condition makes sense."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from annotation.derive import group_field
from annotation.protocol_base import Condition, Empty, Values
from annotation.protocol_models import Protocol

Path = tuple[str | int, ...]
TEXT_KINDS = frozenset({"text", "markdown", "tag", "number"})


@dataclass(frozen=True, slots=True)
class Found:
    """``path`` into the file; ``warning``: the protocol works all the same."""

    path: Path
    message: str
    warning: bool = False


def unknown(word: str, name: str, known: Iterable[str]) -> str:
    """The sentence for a name that leads nowhere, with the nearest known one."""
    names = [str(one) for one in known]
    near = get_close_matches(name, names, 1)
    if near:
        return f"there is no {word} '{name}'; did you mean '{near[0]}'?"
    return f"there is no {word} '{name}'; there are {', '.join(names) or 'none'}"


def twice(names: Iterable[tuple[Path, str]], word: str) -> Iterator[Found]:
    """A fault for every name that stands a second time."""
    seen: set[str] = set()
    for path, name in names:
        if name in seen:
            yield Found(path, f"the {word} '{name}' stands twice")
        seen.add(name)


def public_field(protocol: Protocol, path: Path, name: str, kinds: Collection[str], use: str) -> Iterator[Found]:
    """A fault unless ``name`` is a field that people see, of one of ``kinds``."""
    if not protocol.has_field(name):
        yield Found(path, unknown("field", name, (field.name for field in protocol.fields)))
        return
    field = protocol.field(name)
    if field.private:
        yield Found(path, f"the field '{name}' is private; {use} needs one that is shown")
    elif field.kind not in kinds:
        yield Found(path, f"the field '{name}' is of kind {field.kind}; {use} needs {' or '.join(sorted(kinds))}")


def item_path(protocol: Protocol, path: Path, name: str) -> Iterator[Found]:
    """Faults of ``item.<field>`` and ``item.<list>.count`` in a condition."""
    parts = name.split(".")
    if len(parts) == 3 and parts[2] == "count":
        lists = {"candidates", "steps", "images"}
        yield from public_field(protocol, path, parts[1], lists, "a count")
    elif len(parts) == 2:
        yield from public_field(protocol, path, parts[1], TEXT_KINDS, "a condition")
    else:
        yield Found(path, f"'{name}' is neither item.<field> nor item.<list>.count")


def condition_faults(protocol: Protocol, path: Path, condition: Mapping[str, Values | Empty] | Condition,
                     names: Collection[str]) -> Iterator[Found]:
    """Faults of a condition that may name the values in ``names``."""
    if not condition:
        yield Found(path, "the condition is empty")
    for name, wanted in condition.items():
        here = (*path, name)
        if name.startswith("item."):
            yield from item_path(protocol, here, name)
        elif name not in names:
            yield Found(here, unknown("question", name, names))
        elif not isinstance(wanted, Empty):
            yield from value_list_faults(protocol, here, name, wanted)
        if not isinstance(wanted, Empty) and not wanted:
            yield Found(here, "the list of values is empty")


def value_list_faults(protocol: Protocol, path: Path, name: str, wanted: Values) -> Iterator[Found]:
    """A fault for every value that the question or derived value can never have."""
    known = protocol.options_of(name)
    open_ended = not known
    if protocol.has_question(name):
        question = protocol.question(name)
        if getattr(question, "na", None) is not None:
            known = (*known, "na")
        # Which candidates there are, an item says: only the ties are known here.
        open_ended = open_ended or getattr(question, "type", "") == "pairwise"
    for n, value in enumerate(wanted):
        if not open_ended and value not in known:
            yield Found((*path, n), unknown(f"value of '{name}'", value, known))


def groups_of(protocol: Protocol, names: Iterable[str]) -> tuple[str, ...]:
    """The different lists over which these values repeat."""
    lists = (group_field(protocol, name) for name in names if not name.startswith("item."))
    return tuple(dict.fromkeys(one for one in lists if one is not None))
