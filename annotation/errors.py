# SPDX-License-Identifier: Apache-2.0
"""Refused: the person can do something about it; its text is shown as it is.

A template and its values are kept apart, so that ``app`` can translate the template;
``str()`` gives the English sentence.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any


def N_(template: str) -> str:  # noqa: N802 - the customary name of a translation mark
    """Mark a sentence for translation; returns it unchanged."""
    return template


@dataclass(frozen=True, slots=True)
class Where:
    """The place of a fault: any part may be unknown (None). Lines and columns count from 1."""

    file: str | None = None
    line: int | None = None
    column: int | None = None
    key: str | None = None
    value: str | None = None
    item: str | None = None


class Refused(Exception):
    """A sentence that a person can act on. Command line exit code 3."""

    exit_code = 3
    code = "refused"

    def __init__(self, template: str, *, code: str | None = None, where: Where | None = None, **values: Any) -> None:
        super().__init__(template)
        self.template = template
        self.values = values
        self.where = where or Where()
        if code is not None:
            self.code = code

    def __str__(self) -> str:
        return self.template.format(**self.values)

    def at(self, **parts: Any) -> Refused:
        """The same refusal with parts of its place filled in (only those not yet known)."""
        known = {k: v for k, v in asdict(self.where).items() if v is not None}
        self.where = replace(Where(), **{**parts, **known})
        return self


def beside_its_place(text: str, line: int | None) -> str:
    """A sentence to stand after "file:line: ", without saying the line a second time."""
    if line is None:
        return text
    if text.startswith(f"line {line} "):
        return "this " + text.replace(f"line {line} ", "line ", 1)
    return text.removeprefix(f"line {line}: ")


class AnswerError(Refused):
    """An answer that its question does not take."""

    code = "bad_value"


class NotFinished(Refused):
    """A submit with questions still open; ``slots`` lists their names."""

    code = "missing_value"

    def __init__(self, template: str, *, slots: tuple[str, ...] = (), **values: Any) -> None:
        super().__init__(template, **values)
        self.slots = slots


class Unknown(Refused):
    """A handle, id, verb or name that does not exist. Command line exit code 2."""

    exit_code = 2
    code = "unknown"


class NotAllowed(Refused):
    """The person's roles do not include this."""

    exit_code = 2
    code = "not_allowed"


class StoreLocked(Refused):
    """Another program writes to this project."""

    exit_code = 4
    code = "locked"


class StoreTooNew(Refused):
    """The project was written by a newer Goldsmith."""

    exit_code = 4
    code = "too_new"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a protocol file. ``path`` is dotted, as ``questions.2.options``."""

    file: str
    line: int
    column: int
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.path}: {self.message}"


class ProtocolError(Refused):
    """A protocol that cannot be used; ``faults`` holds all of them at once."""

    code = "bad_protocol"

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        first = faults[0]
        super().__init__(
            N_("{first}") if len(faults) == 1 else N_("{first} (and {more} more)"),
            where=Where(file=first.file, line=first.line, column=first.column, key=first.path),
            first=str(first),
            more=len(faults) - 1,
        )
        self.faults = faults
