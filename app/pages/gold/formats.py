"""The formats of the writers and their options in words, and what an export leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QCoreApplication

from app import figures
from app.i18n import QT_TRANSLATE_NOOP
from app.pages.gold.reading import Format

_N = QT_TRANSLATE_NOOP
_NAMES = {"bundle": _N("gold", "Gold bundle"), "jsonl": "JSONL", "csv": "CSV", "tsv": "TSV",
          "excel-csv": _N("gold", "CSV for Excel"), "parquet": "Parquet", "hf": _N("gold", "Hugging Face folder"),
          "inspect": _N("gold", "Inspect AI task")}
OPTIONS = {"private": _N("gold", "With private/: private fields, held-out answers; never publish it"),
           "anonymous": _N("gold", "Anonymous, for double-blind review: no names, paths or authors in any byte")}
BLIND = _N("gold", "It leaves out: names and handles of people, keys of items, names of clusters and rounds, sources "
                   "of pictures, source and comments of the protocol, the project’s title, what people state of the "
                   "data set, and of the time of the release all but the day. Where a text still names a person, an "
                   "address or a folder, nothing is written and the line is named. Export it before the named bundle "
                   "is public.")
_LEFT_OUT = {"not_kept": (_N("gold", "1 item was left out that export.keep of the protocol does not keep."),
                          _N("gold", "{n} items were left out that export.keep of the protocol does not keep.")),
             "na": (_N("gold", "1 gold answer was left out because it is N/A."),
                    _N("gold", "{n} gold answers were left out because they are N/A."))}


def _tr(text: str) -> str:
    return QCoreApplication.translate("gold", text)


def name(one: Format) -> str:
    return _tr(_NAMES.get(one.name, one.name))


def option(name: str) -> str:
    return _tr(OPTIONS[name])


def blind() -> str:
    """What an anonymous export leaves out."""
    return _tr(BLIND)


def about(one: Format) -> str:
    """What the format is for, as its writer says it."""
    text = _tr(one.about)
    return f"{text[:1].upper()}{text[1:]}."


def cannot(one: Format) -> str:
    """What the format has no place for."""
    return _tr("It cannot carry: {what}.").format(what="; ".join(map(_tr, one.cannot))) if one.cannot else ""


def left_out(written: Any) -> Iterator[str]:
    """What this very export leaves out, a line each: items and answers, and what the format has no place for."""
    for why, n in written.left_out:
        one, many = _LEFT_OUT.get(why, (why, "{n} " + why))
        yield _tr(one if n == 1 else many).format(n=figures.count(n))
    for what in written.cannot:
        yield _tr("Not in it: {what}.").format(what=_tr(what))
