"""From a recipe to what is done to each record: how it becomes rows, and where each field's value comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from annotation import recipes, text_parts
from annotation.errors import N_, Refused, Where
from annotation.recipes import MISSING, Parts, Template

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """One set of a recipe, ready to be applied: where each field's value comes from."""

    explode: Parts | None
    pairs: bool
    key: Template | None
    getters: tuple[tuple[str, Callable[[Row], Any]], ...]
    first: Mapping[str, tuple[str, ...]]  # field -> first parts of its paths, one of which the file must have
    optional: frozenset[str]  # fields whose paths the file need not have
    used: frozenset[str]  # first parts of all paths
    root: str
    numbered: bool = False  # whether the key's template wants n or row


class Numbered(dict[str, Any]):
    """A row with ``n`` and ``row`` beside its own names (which win)."""

    def __init__(self, row: Row, n: int, number: int) -> None:
        super().__init__(row)
        self.setdefault("n", n)
        self.setdefault("row", number)


def plan_of(one: recipes.Set) -> Plan:
    sources = {**one.fields, **one.tags}
    first = {}
    optional = set()
    for name, source in sources.items():
        path = source if isinstance(source, str) else source.listed[0] if source.listed else source.path
        if path is None:
            continue
        choices, may_lack = recipes.choices_of(path if isinstance(path, str) else next(iter(path.values())))
        first[name] = tuple(parts[0] for parts in choices)
        if may_lack or (isinstance(source, recipes.Source) and source.or_ is not None):
            optional.add(name)
    key = None
    if one.key is not None:
        key = Template(one.key if "{" in one.key else "{" + one.key + "}")
    used = {parts[0] for source in sources.values() for path in _paths_of(source)
            for parts in recipes.choices_of(path)[0]}
    return Plan(recipes.parts_of(one.explode) if one.explode else None, one.pairs, key,
                 tuple((name, _getter(source)) for name, source in sources.items()), first, frozenset(optional),
                 frozenset(used), one.media_root,
                 key is not None and any(parts[0] in ("n", "row") for choices in key.choices for parts in choices))


def _paths_of(source: str | recipes.Source) -> list[str]:
    if isinstance(source, str):
        return [source]
    listed = [path for one in source.listed or () for path in ([one] if isinstance(one, str) else one.values())]
    return [*listed, *([source.path] if source.path else ()), *(_paths_of(source.or_) if source.or_ else ())]


def made_by(plan: Plan) -> set[str]:
    """First names that exploding and pairing make."""
    if plan.explode is None:
        return set()
    return {"a", "b"} if plan.pairs else {next(part for part in reversed(plan.explode) if not part.isdigit())}


def _getter(source: str | recipes.Source) -> Callable[[Row], Any]:
    if isinstance(source, str):
        choices, _optional = recipes.choices_of(source)
        if len(choices) > 1:
            return lambda row: recipes.read_first(row, choices)
        parts = choices[0]
        return by_name(parts[0]) if len(parts) == 1 else lambda row: recipes.read(row, parts)
    if source.value is not None:
        return lambda row: _constant(source.value)
    if source.path is not None:
        return _made(source, source.path)
    getters = [_element(one) for one in source.listed or ()]
    return lambda row: [value for value in (get(row) for get in getters) if value is not None and value is not MISSING]


def _made(source: recipes.Source, path: str) -> Callable[[Row], Any]:
    """Reads a path and makes of what stands there what the source says; MISSING where it makes nothing."""
    read = _getter(path)
    instead = _getter(source.or_) if source.or_ else None

    def make(row: Row) -> Any:
        found = read(row)
        value = _what(source, found) if found is not MISSING and found is not None else MISSING
        return instead(row) if instead and value in (MISSING, "", []) else value

    return make


def _constant(value: Any) -> Any:
    """As a file would have it: a list of elements is a list of its own each time."""
    return [dict(element) for element in value] if isinstance(value, tuple) else value


def _what(source: recipes.Source, found: Any) -> Any:
    if source.map:
        return _constant(source.map.get(recipes.key_text(found) or "", MISSING))
    if not isinstance(found, str):
        return found if not source.words and source.part is None else MISSING
    if source.words:
        return text_parts.word_of(found, source.words) or MISSING
    if source.part is None:
        return found
    text, options = text_parts.lettered(found)
    if source.part == "options":
        return options or MISSING
    return text_parts.numbered(text, source.mark) if source.mark else text


def by_name(name: str) -> Callable[[Row], Any]:
    return lambda row: row.get(name, MISSING)


def _element(one: str | Mapping[str, str]) -> Callable[[Row], Any]:
    if isinstance(one, str):
        return _getter(one)
    inner = {name: _getter(path) for name, path in one.items()}

    def read(row: Row) -> Any:
        found = {name: get(row) for name, get in inner.items()}
        return {name: value for name, value in found.items() if value is not None and value is not MISSING} or None

    return read


def expanded(plan: Plan, value: dict[str, Any], number: int) -> Iterator[Row]:
    """The rows of a record under a plan that explodes: one for each element, or one for each pair of elements."""
    assert plan.explode is not None
    name = next(part for part in reversed(plan.explode) if not part.isdigit())
    elements: list[Any] = []
    found = False
    for leaf in recipes.leaves(value, plan.explode):
        found = True
        if isinstance(leaf, dict):
            leaf = [{"name": inner, "value": of_it} for inner, of_it in leaf.items()]
        if not isinstance(leaf, list):
            raise Refused(N_("'{path}' is no list"), code="bad_type", where=Where(key=".".join(plan.explode),
                          value=str(leaf)[:80]), path=".".join(plan.explode))
        elements += leaf
    if not found:
        raise Refused(N_("'{path}' is missing"), code="missing_value", where=Where(key=".".join(plan.explode)),
                      path=".".join(plan.explode))
    if not plan.pairs:
        for element in elements:
            yield {**value, name: element}
        return
    numbered = [{name: element, "n": n} for n, element in enumerate(elements, 1)]
    for a, b in combinations(numbered, 2):
        yield {**value, "a": a, "b": b}
