"""Reads the records of a JSON file one by one with their line and column, however large the file is.

An event parser (ijson was tried) gives no places and is slower; here the C decoder of the standard
library reads one element at a time from a window on the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

from annotation.errors import N_, Refused, Where
from annotation.reading.record import RECORD_LIMIT, Record

CHUNK = 1 << 18
_EDGE = 16  # a fault this near to the end of the window may only be a cut number, literal or escape
_space = re.compile(r"[ \t\r\n]*")


class Decoder:
    """JSON text -> value; remembers a name that stood twice in an object (the first would be lost)."""

    def __init__(self) -> None:
        self.twice: str | None = None
        self._decoder = json.JSONDecoder(object_pairs_hook=self._object)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            names = [name for name, _ in pairs]
            self.twice = next(name for name in names if names.count(name) > 1)
        return made

    def raw(self, text: str, at: int) -> tuple[Any, int]:
        self.twice = None
        return self._decoder.raw_decode(text, at)

    def whole(self, text: str) -> Any:
        self.twice = None
        if text.startswith("{"):  # most lines: nothing stands before the value and one line end after it
            value, end = self._decoder.raw_decode(text)
            if text[end:] in ("\n", ""):
                return value
        return self._decoder.decode(text)

    def fault(self) -> Refused | None:
        """The refusal of the value just read, where a name stood twice in it."""
        if self.twice is None:
            return None
        return Refused(N_("the name '{name}' stands twice in one object"), code="bad_value",
                       where=Where(key=self.twice), name=self.twice)


def too_deep() -> Refused:
    return Refused(N_("the value is nested too deep"), code="bad_value")


def too_long() -> Refused:
    return Refused(N_("the record is longer than {limit} characters"), code="too_long", limit=RECORD_LIMIT)


def number_too_long() -> Refused:
    return Refused(N_("a number has more than 4,300 digits"), code="bad_value")


def syntax(fault: json.JSONDecodeError) -> Refused:
    """``fault`` of the decoder as a sentence; its place is the caller's."""
    return Refused(N_("this is not JSON: {what}"), code="bad_value", what=_plain(fault.msg))


def _plain(message: str) -> str:
    known = {
        "Expecting value": "a value is missing here", "Extra data": "more text follows after the value",
        "Expecting property name enclosed in double quotes": "a name in double quotes is missing here",
        "Expecting ',' delimiter": "a comma or a closing bracket is missing here",
        "Expecting ':' delimiter": "a colon is missing here",
        "Illegal trailing comma before end of object": "a comma stands before the closing bracket",
        "Illegal trailing comma before end of array": "a comma stands before the closing bracket",
        "Unterminated string starting at": "a text that begins here never ends",
        "Invalid control character at": "a line break or control character stands inside a text",
        "Invalid \\escape": "an unknown escape stands here",
        "Invalid \\uXXXX escape": "a broken \\u escape stands here",
    }
    return known.get(message.rstrip(": "), message)


class Cursor:
    """A window on a stream of JSON text that knows the line and column of what it looks at."""

    def __init__(self, stream: TextIO, file: str) -> None:
        self.stream, self.file = stream, file
        self.text, self.at, self.ended = "", 0, False
        self._mark, self._line, self._line_start = 0, 1, 0
        self.decoder = Decoder()

    def place(self, at: int | None = None) -> tuple[int, int]:
        """Line and column, from 1, of the position ``at`` (by default here)."""
        at = self.at if at is None else at
        if at < self._mark:
            return self._line, max(1, at - self._line_start + 1)
        lines = self.text.count("\n", self._mark, at)
        if lines:
            self._line += lines
            self._line_start = self.text.rfind("\n", self._mark, at) + 1
        self._mark = at
        return self._line, at - self._line_start + 1

    def more(self) -> None:
        """Read on; what lies before the cursor is forgotten."""
        self.place()
        rest = self.text[self.at:]
        if len(rest) > RECORD_LIMIT:
            raise self.refuse(too_long())
        block = self.stream.read(max(CHUNK, len(rest)))
        self.ended = not block
        self._line_start -= self.at
        self._mark = self.at = 0
        self.text = rest + block

    def peek(self) -> str:
        """The next character that is not space, "" at the end of the file."""
        while True:
            self.at = _space.match(self.text, self.at).end()  # type: ignore[union-attr]
            if self.at < len(self.text):
                return self.text[self.at]
            if self.ended:
                return ""
            self.more()

    def take(self, wanted: str) -> None:
        found = self.peek()
        if found != wanted:
            self.wrong(N_("'{wanted}' is missing here"), wanted=wanted)
        self.at += 1

    def value(self) -> Any:
        """Decode the value here and step behind it."""
        self.peek()
        while True:
            try:
                value, end = self.decoder.raw(self.text, self.at)
            except json.JSONDecodeError as fault:
                cut = fault.msg.startswith("Unterminated") or fault.pos >= len(self.text) - _EDGE
                if cut and not self.ended:
                    self.more()
                    continue
                if cut and (fault.msg.startswith("Unterminated") or not self.text[fault.pos:].strip()):
                    self.wrong(N_("the file ends in the middle of a value"), at=len(self.text))
                raise self.refuse(syntax(fault), at=fault.pos) from None
            except RecursionError:
                raise self.refuse(too_deep()) from None
            except ValueError:
                raise self.refuse(number_too_long()) from None
            if isinstance(value, (int, float)) and end >= len(self.text) - _EDGE and not self.ended:
                self.more()  # the number may go on
                continue
            self.at = end
            return value

    def wrong(self, template: str, *, at: int | None = None, **values: Any) -> None:
        if self.peek() == "" and at is None:
            template, values = N_("the file ends too early"), {}
        raise self.refuse(Refused(template, code="bad_value", **values), at=at)

    def refuse(self, fault: Refused, *, at: int | None = None) -> Refused:
        line, column = self.place(at)
        return fault.at(file=self.file, line=line, column=column)


def records(stream: TextIO, file: str, pick: tuple[str, ...]) -> Iterator[Record]:
    """Every record below the path ``pick``; without one, the elements of the array or the one object of the file."""
    cursor = Cursor(stream, file)
    if cursor.peek() == "":
        raise Refused(N_("'{file}' is empty"), code="bad_value", where=Where(file=file, line=1, column=1), file=file)
    number = 0
    for number, record in enumerate(_below(cursor, pick), 1):
        yield Record(number, *record)
    if pick and number == 0:
        raise Refused(N_("'{file}' has nothing at '{path}'"), code="missing_column",
                      where=Where(file=file, key=".".join(pick)), file=file, path=".".join(pick))
    if cursor.peek() != "":
        cursor.wrong(N_("more text follows after the end of the JSON value"))


def _below(cursor: Cursor, pick: tuple[str, ...]) -> Iterator[tuple[Any, int, int, Refused | None]]:
    first = cursor.peek()
    if first == "[" and not (pick and pick[0].isdigit()):
        for _ in _elements(cursor):
            if pick:
                yield from _below(cursor, pick)
            else:
                yield _read(cursor)
    elif first == "[":
        for place in _elements(cursor):
            if place == int(pick[0]):
                yield from _below(cursor, pick[1:])
            else:
                cursor.value()
    elif pick and first == "{":
        yield from _inside(cursor, pick)
    elif pick:
        cursor.value()
    else:
        yield _read(cursor)


def _inside(cursor: Cursor, pick: tuple[str, ...]) -> Iterator[tuple[Any, int, int, Refused | None]]:
    """Walk the object here; only the value under the first part of ``pick`` is entered."""
    cursor.take("{")
    while cursor.peek() != "}":
        if cursor.peek() != '"':
            cursor.wrong(N_("a name in double quotes is missing here"))
        name = cursor.value()
        cursor.take(":")
        if name == pick[0]:
            yield from _below(cursor, pick[1:])
        else:
            cursor.value()
        if cursor.peek() != ",":
            break
        cursor.take(",")
    cursor.take("}")


def _elements(cursor: Cursor) -> Iterator[int]:
    """Stop before every element of the array here; the caller steps over it."""
    cursor.take("[")
    place = 0
    if cursor.peek() != "]":
        while True:
            yield place
            place += 1
            if cursor.peek() != ",":
                break
            cursor.take(",")
    cursor.take("]")


def _read(cursor: Cursor) -> tuple[Any, int, int, Refused | None]:
    cursor.peek()
    line, column = cursor.place()
    value = cursor.value()
    return value, line, column, cursor.decoder.fault()
