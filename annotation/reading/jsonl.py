"""Reads a file with one JSON value a line; a line that cannot be read is a refused record, not the end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TextIO

from annotation.errors import Refused
from annotation.reading.json_ import Decoder, number_too_long, syntax, too_deep, too_long
from annotation.reading.record import RECORD_LIMIT, Record

_KEPT = 1000  # characters of an unreadable line that are carried on


def records(stream: TextIO, file: str) -> Iterator[Record]:
    """Every line that is not blank; the stream must be opened with newline="\\n" (U+2028 is a letter in JSON)."""
    decoder = Decoder()
    number = line = 0
    while text := stream.readline(RECORD_LIMIT + 1):
        line += 1
        if len(text) > RECORD_LIMIT:
            number += 1
            head = text[:_KEPT]
            del text
            _to_end_of_line(stream)
            yield Record(number, head, line, 1, too_long())
            continue
        fault: Refused | None
        try:
            value, fault = decoder.whole(text), None
        except json.JSONDecodeError as wrong:
            if not text.strip():
                continue
            number += 1
            text = text.rstrip("\r\n")
            yield Record(number, text[:_KEPT], line, min(wrong.pos, len(text)) + 1, syntax(wrong))
            continue
        except RecursionError:
            value, fault = text[:_KEPT], too_deep()
        except ValueError:
            value, fault = text[:_KEPT], number_too_long()
        number += 1
        yield Record(number, value, line, 1, fault or decoder.fault())


def _to_end_of_line(stream: TextIO) -> None:
    while (text := stream.readline(1 << 20)) and not text.endswith("\n"):
        pass
