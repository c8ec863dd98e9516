"""Keys of the items that a verb is about: named one by one, or in a file with one a line."""

from __future__ import annotations

import argparse
from pathlib import Path

from annotation.errors import N_, Refused, Where


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--items", action="append", default=[], metavar="KEY", help="may be given several times")
    parser.add_argument("--from", dest="file", metavar="FILE", help="a file with one key a line")


def keys_of(args: argparse.Namespace) -> list[str]:
    return [*args.items, *(_lines(args.file) if args.file is not None else [])]


def _lines(file: str) -> list[str]:
    try:
        text = Path(file).read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(N_("{file} is not UTF-8 text"), code="not_unicode", where=Where(file=file), file=file) from None
    except OSError as fault:
        raise Refused(N_("{file} cannot be read: {why}"), code="unreadable", where=Where(file=file), file=file,
                      why=fault.strerror or "unknown") from None
    found = [line.strip() for line in text.splitlines() if line.strip()]
    if not found:
        raise Refused(N_("{file} names no item"), code="missing_value", where=Where(file=file), file=file)
    return found
