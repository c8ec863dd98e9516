"""From YAML text to a tree of nodes that keeps every scalar's source text, line and column.

Nothing is resolved here: ``007``, ``false`` and ``~`` stay as they were written. Anchors, aliases, merge
keys, tags and a second document are refused; all such faults are reported at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from annotation.canonical import check_text
from annotation.errors import Fault, Refused

MAX_BYTES = 1_048_576
MAX_DEPTH = 24
_SPECIAL = re.compile(
    r"^(?:|~|null|true|false|[-+]?(?:\.inf|\d[\d_]*(?:\.\d*)?(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?)|\.nan"
    r"|0o[0-7]+|0x[0-9a-f]+|\d{4}-\d\d?-\d\d?(?:[tT ].*)?)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Scalar:
    """``plain`` is true where the text stands without quotes and not in a block."""

    line: int
    column: int
    text: str
    plain: bool

    @property
    def looks_typed(self) -> bool:
        """Whether some YAML reader would make another type than text of it."""
        return self.plain and _SPECIAL.match(self.text) is not None


@dataclass(slots=True)
class Sequence:
    line: int
    column: int
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Mapping:
    line: int
    column: int
    pairs: list[tuple[Scalar, Node]] = field(default_factory=list)
    waiting: Scalar | None = None

    def get(self, key: str) -> Node | None:
        return next((node for scalar, node in self.pairs if scalar.text == key), None)


Node = Scalar | Sequence | Mapping


class _Stop(Exception):
    """Reading cannot go on after this fault."""


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[Fault] = []
        self.root: Node | None = None
        self.stack: list[Sequence | Mapping] = []
        self.documents = 0

    def fault(self, line: int, column: int, message: str) -> None:
        self.faults.append(Fault(self.file, line, column, "yaml", message))

    def take(self, event: Any) -> None:
        kind = type(event).__name__
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        if kind == "DocumentStartEvent":
            self.documents += 1
            if self.documents > 1:
                self.fault(line, column, "a second document begins here; a protocol is one document")
                raise _Stop
        if kind == "AliasEvent":
            self.fault(line, column, f"aliases (*{event.anchor}) are not allowed; write the value out")
            self._add(Scalar(line, column, "", False))
            return
        if kind in ("ScalarEvent", "SequenceStartEvent", "MappingStartEvent"):
            if event.anchor:
                self.fault(line, column, f"anchors (&{event.anchor}) are not allowed")
            if event.tag:
                self.fault(line, column, f"tags ({event.tag}) are not allowed")
        if kind == "ScalarEvent":
            self._scalar(event, line, column)
        elif kind == "SequenceStartEvent":
            self._open(Sequence(line, column))
        elif kind == "MappingStartEvent":
            self._open(Mapping(line, column))
        elif kind in ("SequenceEndEvent", "MappingEndEvent"):
            self.stack.pop()

    def _scalar(self, event: Any, line: int, column: int) -> None:
        try:
            check_text(event.value)
        except Refused as fault:
            self.fault(line, column, str(fault))
        self._add(Scalar(line, column, event.value, event.style is None))

    def _open(self, node: Sequence | Mapping) -> None:
        self._add(node)
        self.stack.append(node)
        if len(self.stack) > MAX_DEPTH:
            self.fault(node.line, node.column, f"the file is nested more than {MAX_DEPTH} levels deep")
            raise _Stop

    def _add(self, node: Node) -> None:
        if not self.stack:
            self.root = node
            return
        parent = self.stack[-1]
        if isinstance(parent, Sequence):
            parent.items.append(node)
        elif parent.waiting is None:
            if not isinstance(node, Scalar):
                self.fault(node.line, node.column, "a list or a mapping cannot be a key")
                node = Scalar(node.line, node.column, "", False)
            parent.waiting = node
        else:
            key, parent.waiting = parent.waiting, None
            self._pair(parent, key, node)

    def _pair(self, parent: Mapping, key: Scalar, node: Node) -> None:
        first = next((k for k, _ in parent.pairs if k.text == key.text), None)
        if key.plain and key.text == "<<":
            self.fault(key.line, key.column, "merge keys (<<) are not allowed; write the keys out")
        elif first is not None:
            self.fault(key.line, key.column, f"the key '{key.text}' stands twice (first in line {first.line})")
        else:
            parent.pairs.append((key, node))


def read_nodes(text: str, file: str) -> tuple[Node | None, list[Fault]]:
    """The root node (None where the text cannot be read) and every fault of the YAML itself."""
    reader = _Reader(file)
    if len(text) > MAX_BYTES:
        reader.fault(1, 1, f"the file is larger than {MAX_BYTES // 1024} KiB; this is no protocol")
        return None, reader.faults
    if not text.strip():
        reader.fault(1, 1, "the file is empty")
        return None, reader.faults
    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            reader.take(event)
    except _Stop:
        return None, reader.faults
    except MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        reader.fault(mark.line + 1 if mark else 1, mark.column + 1 if mark else 1, _sentence(fault))
        return None, reader.faults
    except (YAMLError, ValueError, OverflowError) as fault:
        # ReaderError has a position in place of a mark; an escape beyond Unicode raises ValueError.
        position = getattr(fault, "position", 0) or 0
        before = text[:position]
        reader.fault(before.count("\n") + 1, position - before.rfind("\n"), _unreadable(fault))
        return None, reader.faults
    if reader.root is None:
        reader.fault(1, 1, "the file is empty")
    return reader.root, reader.faults


def _sentence(fault: MarkedYAMLError) -> str:
    parts = [str(part) for part in (fault.context, fault.problem) if part]
    return "this is not YAML: " + ", ".join(parts)


def _unreadable(fault: Exception) -> str:
    character = getattr(fault, "character", None)
    if isinstance(character, int):
        return f"the character U+{character:04X} is not allowed in YAML"
    return "this is not YAML: a character escape names no character"
