"""Exports a release for double-blind review, and refuses to where a byte would still name somebody or some place."""

from __future__ import annotations

import re
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

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

HOMES = re.compile(r"(?:/home/|/Users/|/root/|\b[A-Za-z]:(?:\\\\|/)Users(?:\\\\|/))[\w.-]+")
LEAST = 4  # characters of a name that is searched for anywhere


def write_anonymous(session: Session, out: str | Path, *, version: str | None = None, progress: Progress | None = None,
                    cancelled: Callable[[], bool] | None = None) -> Written:
    """Write the release ``version`` (the newest, if None) without names, addresses, paths and sources.

    Refused where a text of it names somebody of the project, an e-mail or IP address, this machine or a folder of it.
    """
    version = chosen(session, version)
    target = new_or_empty(Path(out))
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as beside:
        named = Path(beside, "bundle")
        write_bundle(session, named, version=version, progress=progress, cancelled=cancelled)
        head, data = json_file(named / "manifest.json")
        renaming = Renaming(named, head, sha256_of(data))
        with placed(target) as part:
            files = write_renamed(renaming, part, _Looking(session, version))
    sha256 = next(one.sha256 for one in files if one.path == "manifest.json")
    return Written(str(out), version, sum(head["splits"].values()), sha256, files)


class _Looking:
    """Looks at every line that would leave."""

    def __init__(self, session: Session, version: str) -> None:
        self.people = people_pattern(session)
        about: dict[str, Any] = frozen_release.read(session, version).facts.get("about", {})
        words = {*session.scalars(select(Person.name)), *about.get("authors", ()), about.get("contact", ""),
                 about.get("url", ""), about.get("doi", ""), socket.gethostname(), str(Path.home()),
                 *(word for id, name in session.execute(select(Device.id, Device.name))
                   for word in (id.hex, str(id), name))}
        place = getattr(store_of(session), "folder", None)
        words |= {str(place)} if place is not None else set()
        known = sorted({word for word in words if word and len(word) >= LEAST and word != "localhost"}, key=len,
                       reverse=True)
        self.words = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in known))

    def __call__(self, path: str, number: int, data: bytes) -> None:
        text = data.decode()
        for holds in (self.words.search, HOMES.search, PATTERNS["email"], PATTERNS["ip_address"],
                      *((self.people.search,) if self.people is not None else ())):
            if holds(text):
                raise Refused(N_("line {line} of {file} names a person, an address, a machine or a folder; a bundle "
                                 "for double-blind review cannot hold it"), code="identifying", line=number, file=path,
                              where=Where(file=path, line=number))
