"""From YAML nodes to models, by the models' declared types: only int, float and bool slots are resolved."""

from __future__ import annotations

import re
import types
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from annotation.errors import Fault
from annotation.protocol_later import KEYS, LATER
from annotation.protocol_yaml import Mapping, Node, Scalar, Sequence

BROKEN = object()
Path = tuple[str | int, ...]
_INT = re.compile(r"^[-+]?\d+$")
_FLOAT = re.compile(r"^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$")
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


class Builder:
    """Collects faults, warnings, and the place in the file of every path of the model."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []
        self.places: dict[Path, tuple[int, int]] = {}

    def place(self, path: Path) -> tuple[int, int]:
        """Line and column of ``path``, or of the nearest part above it that stands in the file."""
        while path not in self.places and path:
            path = path[:-1]
        return self.places.get(path, (1, 1))

    def fault(self, path: Path, message: str, *, at: tuple[int, int] | None = None) -> Any:
        line, column = at or self.place(path)
        self.faults.append(Fault(self.file, line, column, dotted(path), message))
        return BROKEN

    def build(self, node: Node, want: Any, path: Path) -> Any:
        """The value of ``node`` as the type ``want``, or BROKEN after at least one fault."""
        self.places.setdefault(path, (node.line, node.column))
        origin, args = get_origin(want), get_args(want)
        if origin is Annotated:
            return self.build(node, args[0], path)
        if origin in (Union, types.UnionType):
            return self._union(node, args, path)
        if origin is Literal:
            return self._literal(node, args, path)
        if origin is tuple:
            return self._list(node, args[0], path)
        if origin is dict:
            return self._dict(node, args[1], path)
        if isinstance(want, type) and issubclass(want, BaseModel):
            return self._model(node, want, path)
        return self._scalar(node, want, path)

    def _union(self, node: Node, members: tuple[Any, ...], path: Path) -> Any:
        members = tuple(_bare(m) for m in members if m is not type(None))
        flat = [inner for m in members for inner in (map(_bare, get_args(m)) if _is_union(m) else (m,))]
        models = [m for m in flat if isinstance(m, type) and issubclass(m, BaseModel)]
        if isinstance(node, Mapping) and models:
            chosen = models[0] if len(models) == 1 else self._choose(node, models, path)
            return chosen if chosen is BROKEN else self.build(node, chosen, path)
        fitting = [m for m in flat if _fits(node, m)]
        if not fitting:
            return self.fault(path, f"wants {' or '.join(dict.fromkeys(map(_word, flat)))}")
        if len(fitting) > 1 and int in fitting and float in fitting:
            return self._scalar(node, int if _INT.match(getattr(node, "text", "")) else float, path)
        return self.build(node, fitting[0], path)

    def _choose(self, node: Mapping, models: list[type[BaseModel]], path: Path) -> Any:
        """Among models told apart by ``group`` or by the words of ``type``."""
        for model in models:
            if "group" in model.model_fields and node.get("group") is not None:
                return model
        by_type = {get_args(m.model_fields["type"].annotation)[0]: m for m in models if "type" in m.model_fields}
        name = node.get("type")
        if name is None:
            return self.fault(path, "needs 'type'")
        if not isinstance(name, Scalar) or name.text not in by_type:
            text = name.text if isinstance(name, Scalar) else ""
            self.places[(*path, "type")] = (name.line, name.column)
            return self.fault((*path, "type"), _unknown("question type", text, by_type, "type"))
        return by_type[name.text]

    def _literal(self, node: Node, words: tuple[Any, ...], path: Path) -> Any:
        if not isinstance(node, Scalar):
            return self.fault(path, f"wants one of {', '.join(words)}")
        if node.text in words:
            return node.text
        return self.fault(path, _unknown("", node.text, words, _slot(path)))

    def _list(self, node: Node, want: Any, path: Path) -> Any:
        if not isinstance(node, Sequence):
            return self.fault(path, "wants a list, as [one, two]")
        built = [self.build(item, want, (*path, n)) for n, item in enumerate(node.items)]
        return BROKEN if BROKEN in built else tuple(built)

    def _dict(self, node: Node, want: Any, path: Path) -> Any:
        if not isinstance(node, Mapping):
            return self.fault(path, "wants keys with values")
        built = {}
        for key, inner in node.pairs:
            self.places[(*path, key.text)] = (key.line, key.column)
            self._warn_typed(key, (*path, key.text))
            built[key.text] = self.build(inner, want, (*path, key.text))
        return BROKEN if any(value is BROKEN for value in built.values()) else built

    def _scalar(self, node: Node, want: Any, path: Path) -> Any:
        if not isinstance(node, Scalar):
            return self.fault(path, f"wants {_word(want)}")
        if want is str:
            self._warn_typed(node, path)
            return node.text
        if want is bool and node.plain and node.text in _BOOL:
            return _BOOL[node.text]
        if want is int and _INT.match(node.text) and len(node.text) < 20:
            return int(node.text)
        if want is float and _FLOAT.match(node.text) and len(node.text) < 40:
            return float(node.text)
        return self.fault(path, f"'{node.text[:60]}' is not {_word(want)}")

    def _warn_typed(self, node: Scalar, path: Path) -> None:
        if node.looks_typed:
            shown = node.text or "nothing"
            self.warnings.append(Fault(self.file, node.line, node.column, dotted(path),
                                       f"{shown} is taken as the text '{node.text}'; put it in quotes"))

    def _model(self, node: Node, model: type[BaseModel], path: Path) -> Any:
        if not isinstance(node, Mapping):
            return self.fault(path, "wants keys with values")
        by_key = {field.alias or name: field for name, field in model.model_fields.items()}
        built: dict[str, Any] = {}
        for key, inner in node.pairs:
            inner_path = (*path, key.text)
            self.places[inner_path] = (key.line, key.column)
            if key.text in by_key:
                built[key.text] = self.build(inner, by_key[key.text].annotation, inner_path)
            else:
                self.fault(inner_path, _unknown("key", key.text, by_key, None))
        for name, field in by_key.items():
            if field.is_required() and name not in built:
                self.fault(path, f"needs '{name}'", at=(node.line, node.column))
        return self._validate(model, by_key, built, path)

    def _validate(self, model: type[BaseModel], by_key: dict[str, FieldInfo], built: dict[str, Any], path: Path) -> Any:
        known = {key: value for key, value in built.items() if value is not BROKEN}
        whole = len(known) == len(built) and all(k in built for k, f in by_key.items() if f.is_required())
        if not whole and not known:
            return BROKEN
        try:
            made = model.model_validate(known)
        except ValidationError as fault:
            for error in fault.errors():
                place = tuple(part for part in error["loc"] if not _is_tag(part, model))
                if error["type"] == "missing" or (place and place[0] not in known):
                    continue
                if not place and not whole:
                    continue
                self.fault((*path, *place), _sentence(error))
            return BROKEN
        return made if whole else BROKEN


def dotted(path: Path) -> str:
    """``questions.2.options``; elements of lists count from 0; the whole file is ``protocol``."""
    return ".".join(map(str, path)) or "protocol"


def _is_tag(part: str | int, model: type[BaseModel]) -> bool:
    # Unions put the tag of the chosen member into a fault's place; no key of ours has such a name.
    return isinstance(part, str) and (part.startswith(("function-", "tuple[", "constrained-")) or part in ("[key]",))


def _bare(want: Any) -> Any:
    while get_origin(want) is Annotated:
        want = get_args(want)[0]
    return want


def _is_union(want: Any) -> bool:
    return get_origin(want) in (Union, types.UnionType)


def _fits(node: Node, want: Any) -> bool:
    origin = get_origin(want)
    if origin is tuple:
        return isinstance(node, Sequence)
    if origin is dict or (isinstance(want, type) and issubclass(want, BaseModel)):
        return isinstance(node, Mapping)
    return isinstance(node, Scalar)


def _word(want: Any) -> str:
    words = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
    if want in words:
        return words[want]
    if get_origin(want) is tuple:
        return "a list"
    return "one word" if get_origin(want) is Literal else "keys with values"


def _slot(path: Path) -> str:
    """The name under which LATER lists the words of a slot: its last key, a scorer's apart."""
    keys = [part for part in path if isinstance(part, str)]
    return "scorer.metric" if keys[0] == "export" and keys[-1] in ("metric", "scorer") else keys[-1]


def _unknown(kind: str, name: str, known: Iterable[str], slot: str | None) -> str:
    later = KEYS if slot is None else LATER.get(slot, frozenset())
    if name in later:
        return f"{kind + ' ' if kind else ''}'{name}' comes later; this version does not have it yet"
    words = [str(word) for word in known]
    near = get_close_matches(name, words, 1)
    said = f"unknown {kind} '{name[:60]}'" if kind else f"'{name[:60]}' is not known here"
    return f"{said}; did you mean '{near[0]}'?" if near else f"{said}; there are {', '.join(words)}"


def _sentence(error: Any) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind == "value_error":
        return str(context["error"])
    if kind == "string_pattern_mismatch":
        return f"'{str(error['input'])[:60]}' is not allowed; it must match {context['pattern']}"
    if kind == "string_too_short":
        return "must not be empty"
    if kind == "string_too_long":
        return f"is longer than {context['max_length']} characters"
    if kind == "too_short":
        return f"needs at least {context['min_length']}"
    text = str(error["msg"])
    return text.replace("Input should be", "must be")
