"""Exports a release for double-blind review, and refuses to where a byte would still name somebody or some place."""

from __future__ import annotations

import io
import re
import socket
import tempfile
import unicodedata
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PIL import Image
from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.errors import N_, Refused, Where
from annotation.store.project import store_of
from annotation.store.tables import Device, Person
from exports import frozen as frozen_release
from exports.anonymous import Renaming, write_renamed
from exports.bundle import Progress, Written, chosen, write_bundle
from exports.placing import new_or_empty, placed
from exports.preflight.identifying import PATTERNS, people_pattern
from exports.scorer.lines import json_file, sha256_of

HOMES = re.compile(r"(?:/(?:home|Users|root)/|\b[A-Za-z]:(?:\\\\|/)Users(?:\\\\|/))[\w.-]+")
_ENDS = re.compile(r"\\[nrt]|\\u(?:2028|2029|0085)|[\n\r\t\u2028\u2029\x85]")
_EXIF = 0x8769
_TEXTS = ("xmp", "comment")  # what Pillow gives as bytes, and is a text
LEAST = 4  # characters of a name that is searched for anywhere
_Look = Callable[[str, int | None, bytes], None]


def write_anonymous(session: Session, out: str | Path, *, version: str | None = None, progress: Progress | None = None,
                    cancelled: Callable[[], bool] | None = None) -> Written:
    """Write the release ``version`` (the newest, if None) without names, addresses, paths and sources.

    Refused where a text of it names somebody of the project, an e-mail or IP address, this machine or a folder of it,
    and soon after ``cancelled()``. ``progress(done, of)`` counts items, then the lines that are looked at.
    """
    version = chosen(session, version)
    target = new_or_empty(Path(out))
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as beside:
        named = Path(beside, "bundle")
        write_bundle(session, named, version=version, progress=progress, cancelled=cancelled)
        head, data = json_file(named / "manifest.json")
        renaming = Renaming(named, head, sha256_of(data))
        with placed(target) as part:
            of = sum(entry["rows"] or 1 for entry in head["files"])
            files = write_renamed(renaming, part, _counted(_Looking(session, version), of, progress, cancelled))
    sha256 = next(one.sha256 for one in files if one.path == "manifest.json")
    return Written(str(out), version, sum(head["splits"].values()), sha256, files)


def _counted(look: _Look, of: int, progress: Progress | None, cancelled: Callable[[], bool] | None) -> _Look:
    """``look`` that says how far it is, and ends where nobody waits for it."""
    done = 0

    def looking(path: str, number: int | None, data: bytes) -> None:
        nonlocal done
        if cancelled is not None and cancelled():
            raise Refused(N_("the export was stopped; nothing was written"), code="cancelled")
        look(path, number, data)
        done += 1
        if progress is not None:
            progress(min(done, of), of)

    return looking


def spread(text: str) -> str:
    """A text as one reads it: in NFC; line ends (also as JSON writes them) are spaces, and what nobody sees is gone."""
    text = unicodedata.normalize("NFC", _ENDS.sub(" ", text))
    return text if text.isascii() else "".join(one for one in text if unicodedata.category(one) != "Cf")


def as_said(word: str) -> str:
    """A pattern for a word as ``spread`` leaves it, with any space between its parts."""
    return r"\s+".join(map(re.escape, spread(word).split()))


def in_picture(data: bytes) -> tuple[str, str]:
    """What stands in a picture's file beside the picture: its texts, and its other values read as if they were some.

    Of these names alone can be told; an address may be there by chance. What is no picture is all such a value.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with Image.open(io.BytesIO(data)) as picture:
                picture.load()  # a PNG may have texts behind its pixels
                exif = picture.getexif()
                found = [*exif.values(), *exif.get_ifd(_EXIF).values(),
                         *(one.decode("utf-8", "replace") if name in _TEXTS and isinstance(one, bytes) else one
                           for name, one in picture.info.items())]
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
            found = [data]
    # Pillow reads texts of EXIF as Latin-1, whatever they are.
    texts = [way for one in found if isinstance(one, str) for way in (one, one.encode("latin-1", "ignore").decode(
        "utf-8", "ignore"))]
    others = [one.decode(code, "ignore") for one in found if isinstance(one, bytes)
              for code in ("utf-8", "utf-16-le", "latin-1")]
    return _lines(texts), _lines(others)


def _lines(texts: list[str]) -> str:
    return "\n".join(spread(one.replace("\0", " ")) for one in texts)


class _Looking:
    """Looks at every line that would leave, and at what is written into the files of pictures."""

    def __init__(self, session: Session, version: str) -> None:
        people = people_pattern(session)
        about: dict[str, Any] = frozen_release.read(session, version).facts.get("about", {})
        words = {*session.scalars(select(Person.name)), *about.get("authors", ()), about.get("contact", ""),
                 about.get("url", ""), about.get("doi", ""), socket.gethostname(), str(Path.home()),
                 *(word for id, name in session.execute(select(Device.id, Device.name))
                   for word in (id.hex, str(id), name))}
        place = getattr(store_of(session), "folder", None)
        words |= {str(place)} if place is not None else set()
        known = sorted({word for word in words if word and len(word) >= LEAST and word != "localhost"}, key=len,
                       reverse=True)
        own = re.compile("|".join(rf"(?<!\w){as_said(word)}(?!\w)" for word in known))
        self.names: list[Callable[[str], object]] = [own.search, *([people.search] if people is not None else [])]
        self.patterns: list[Callable[[str], object]] = [HOMES.search, PATTERNS["email"], PATTERNS["ip_address"]]

    def __call__(self, path: str, number: int | None, data: bytes) -> None:
        if number is None:
            texts, others = in_picture(data)
            self._search(path, None, texts, (*self.names, *self.patterns))
            self._search(path, None, others, self.names)
        else:
            self._search(path, number, spread(data.decode()), (*self.names, *self.patterns))

    def _search(self, path: str, number: int | None, text: str, wanted: Sequence[Callable[[str], object]]) -> None:
        for holds in wanted:
            if holds(text):
                if number is None:
                    raise Refused(N_("the metadata of {file} name a person, an address, a machine or a folder; a "
                                     "bundle for double-blind review cannot hold it"), code="identifying", file=path,
                                  where=Where(file=path))
                raise Refused(N_("line {line} of {file} names a person, an address, a machine or a folder; a bundle "
                                 "for double-blind review cannot hold it"), code="identifying", line=number, file=path,
                              where=Where(file=path, line=number))
