"""Recipes: which keys of a released file become which fields of a protocol, as YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field as Key
from pydantic import StringConstraints, model_validator

import resources
from annotation.errors import N_, Fault, ProtocolError, Refused, Unknown, Where
from annotation.protocol_base import Label, Model, Name, Text
from annotation.protocol_build import BROKEN, Builder
from annotation.protocol_models import Protocol
from annotation.protocol_yaml import MAX_BYTES, read_nodes

SHELF = Path(resources.__file__).parent / "recipes"
MISSING = object()
Dotted = Annotated[str, StringConstraints(min_length=1, max_length=500)]
_PLACE = re.compile(r"\{([^{}]+)\}")
Parts = tuple[str, ...]


Mapped = Text | tuple[dict[Name, Text], ...]


class Source(Model):
    """Where a field's value comes from, if not from one path alone: a constant, a list of paths, or a path and what is
    made of what stands there.

    An element of the list may name the parts of a candidate or step: ``{text: a.text, id: a.model}``. With ``path``:
    ``map`` gives another value for each (also a list of elements), ``words`` takes the first of these words that stands
    in the text, ``part`` takes the lettered options out of its last lines, or the text without them, with ``mark``,
    which says where a picture stands, numbered. ``or`` comes in where there is nothing.
    """

    value: Mapped | None = None
    listed: tuple[Dotted | dict[str, Dotted], ...] | None = Key(None, alias="list")
    path: Dotted | None = None
    map: dict[Text, Mapped] = {}
    words: tuple[Label, ...] = ()
    part: Literal["text", "options"] | None = None
    mark: Label = ""
    or_: Dotted | Source | None = Key(None, alias="or")

    @model_validator(mode="after")
    def _one(self) -> Source:
        if sum(given is not None for given in (self.value, self.listed, self.path)) != 1:
            raise ValueError("needs value, list or path (and not both)")
        made = [name for name, given in (("map", self.map), ("words", self.words), ("part", self.part)) if given]
        if len(made) > 1:
            raise ValueError(f"either {made[0]} or {made[1]}")
        if self.path is None and (made or self.or_):
            raise ValueError(f"{made[0] if made else 'or'} needs a path")
        if self.mark and self.part != "text":
            raise ValueError("mark needs part: text")
        return self


class Join(Model):
    """A second file, given as ``--with NAME=FILE``; its record stands under NAME beside the keys of the first."""

    with_: Name = Key(alias="with")
    on: Dotted
    right: Dotted
    unmatched: Literal["refuse", "keep"] = "refuse"


class Set(Model):
    """One kind of candidate item made from each record.

    Paths: ``a|b`` takes the first that has a value, ``?`` at the end says that the file need not have it. Exploding an
    object gives elements with ``name`` and ``value``.
    """

    name: Label = "main"
    explode: Dotted | None = None
    pairs: bool = False
    key: Dotted | None = None
    fields: dict[Name, Dotted | Source] = Key(min_length=1)
    tags: dict[Name, Dotted | Source] = {}
    media_root: Label = "."

    @model_validator(mode="after")
    def _pairs_of(self) -> Set:
        if self.pairs and self.explode is None:
            raise ValueError("pairs needs explode: the list whose elements are paired")
        if twice := set(self.fields) & set(self.tags):
            raise ValueError(f"'{min(twice)}' stands in fields and in tags")
        return self


class Recipe(Model):
    """``for`` is the protocol whose fields are filled."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$", max_length=64)]
    for_: Annotated[str, StringConstraints(min_length=1, max_length=64)] = Key(alias="for")
    title: Label = ""
    format: Literal["json", "jsonl", "csv", "tsv", "parquet", "images"] | None = None
    pick: Dotted | None = None
    join: Join | None = None
    sets: tuple[Set, ...] = Key(min_length=1)


def load(path: Path) -> tuple[Recipe, str]:
    """The recipe in ``path`` and its text; ProtocolError with all faults as ``file:line``."""
    try:
        raw = path.read_bytes()[: MAX_BYTES + 1]
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as fault:
        raise Refused(N_("the recipe '{file}' cannot be read: {what}"), code="no_file", where=Where(file=path.name),
                      file=path.name, what=fault.strerror or str(fault)) from None
    except UnicodeDecodeError:
        raise Refused(N_("the recipe '{file}' is not UTF-8"), code="not_unicode", where=Where(file=path.name),
                      file=path.name) from None
    return loads(text, path.name), text


def loads(text: str, file: str = "recipe.yaml") -> Recipe:
    root, faults = read_nodes(text, file)
    if root is None:
        raise ProtocolError(tuple(faults))
    builder = Builder(file)
    made = builder.build(root, Recipe, ())
    faults = sorted(dict.fromkeys([*faults, *builder.faults]), key=lambda fault: (fault.line, fault.column))
    if faults or made is BROKEN:
        raise ProtocolError(tuple(faults))
    return made


def shelf() -> tuple[str, ...]:
    """The ids of the recipes that come with Goldsmith."""
    return tuple(sorted(path.stem for path in SHELF.glob("*.yaml")))


def find(id_or_path: str | Path) -> Path:
    """The file of a shelf id, or the path itself where it is a file; Unknown if there is neither."""
    text = str(id_or_path)
    if text in shelf():
        return SHELF / f"{text}.yaml"
    if Path(text).is_file():
        return Path(text)
    raise Unknown(N_("There is no recipe '{name}'. There are: {known}."), name=text, known=", ".join(shelf()))


def for_protocol(protocol_id: str) -> tuple[str, ...]:
    """The ids of the shelf's recipes that fill the fields of this protocol."""
    return tuple(name for name in shelf() if load(SHELF / f"{name}.yaml")[0].for_ == protocol_id)


def check_against(recipe: Recipe, protocol: Protocol, *, file: str = "recipe.yaml", text: str = "") -> None:
    """ProtocolError where the recipe fills fields that the protocol does not have, or tags that are no tags."""
    faults = []
    for number, one in enumerate(recipe.sets):
        for name in (*one.fields, *one.tags):
            if not protocol.has_field(name):
                faults.append(_fault(file, text, f"sets.{number}.fields.{name}", name,
                                     f"the protocol {protocol.id} has no field '{name}'"))
        for name in one.tags:
            if protocol.has_field(name) and protocol.field(name).kind != "tag":
                faults.append(_fault(file, text, f"sets.{number}.tags.{name}", name, f"the field '{name}' is no tag"))
    if faults:
        raise ProtocolError(tuple(faults))


def _fault(file: str, text: str, path: str, name: str, message: str) -> Fault:
    found = re.search(rf"(?<![\w.]){re.escape(name)}\s*:", text)
    line = text.count("\n", 0, found.start()) + 1 if found else 1
    return Fault(file, line, 1, path, message)


# --- paths ----------------------------------------------------------------------------------------

def parts_of(path: str) -> Parts:
    return tuple(path.split("."))


def leaves(value: Any, parts: Parts) -> Iterator[Any]:
    """Every value at ``parts``: a list on the way is walked, a number picks one element (from 0)."""
    for place, part in enumerate(parts):
        if isinstance(value, Mapping):
            if part in value:
                value = value[part]
                continue
            whole = ".".join(parts[place:])  # a column may have a point in its name
            if whole in value:
                yield value[whole]
            return
        if not isinstance(value, list):
            return
        if part.isdigit():
            if int(part) >= len(value):
                return
            value = value[int(part)]
            continue
        for element in value:
            yield from leaves(element, parts[place:])
        return
    yield value


def read(row: Mapping[str, Any], parts: Parts) -> Any:
    """The value at ``parts``, a list where a list was walked, MISSING where there is nothing."""
    if len(parts) == 1:
        return row.get(parts[0], MISSING)
    found = list(leaves(row, parts))
    if _walks(row, parts):
        return found
    return found[0] if found else MISSING


def _walks(value: Any, parts: Parts) -> bool:
    for place, part in enumerate(parts):
        if isinstance(value, list):
            if not part.isdigit():
                return True
            value = value[int(part)] if int(part) < len(value) else None
        elif isinstance(value, Mapping):
            if part not in value and ".".join(parts[place:]) in value:
                return False
            value = value.get(part)
        else:
            return False
    return False


def key_text(value: Any) -> str | None:
    """A key or id as text: 81, 81.0 and "81" are one; None for what cannot be one."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool) or value is MISSING:
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value) if isinstance(value, int) else None


def choices_of(path: str) -> tuple[tuple[Parts, ...], bool]:
    """``a|b.c?``: the paths to try in turn, and whether none of them need be there (the mark ``?`` at the end)."""
    return tuple(parts_of(one.strip()) for one in path.removesuffix("?").split("|")), path.endswith("?")


def read_first(row: Mapping[str, Any], choices: tuple[Parts, ...]) -> Any:
    """The value at the first of several paths that has one (null is none); MISSING where there is no such path."""
    for parts in choices:
        found = read(row, parts)
        if found is not MISSING and found is not None:
            return found
    return MISSING


class Template:
    """A key such as ``{question_id}-{n}`` or ``{id|key}``; a name that is missing in a row raises Refused."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces = _PLACE.split(text)  # literal, path, literal, path, .., literal
        self.choices = tuple(choices_of(path)[0] for path in self.pieces[1::2])
        simple = len(self.choices) == 1 and self.pieces[0] == self.pieces[2] == "" and len(self.choices[0][0]) == 1
        self._name = self.choices[0][0][0] if simple else None  # most keys are one name: no walk is needed

    def fill(self, row: Mapping[str, Any]) -> str:
        if self._name is not None:
            found = row.get(self._name)
            if found.__class__ is str and found:
                return found
        out = [self.pieces[0]]
        for place, choices in enumerate(self.choices):
            parts = choices[0]
            text = key_text(read_first(row, choices))
            if not text:
                raise Refused(N_("the key needs '{path}', which is missing or no text or number"),
                              code="missing_value", where=Where(key=".".join(parts)), path=".".join(parts))
            out += (text, self.pieces[2 * place + 2])
        return "".join(out)
