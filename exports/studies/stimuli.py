"""The pictures that trials showed: which each condition of an item has, in the order shown, and their files."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.store.project import store_of
from annotation.store.tables import ItemVersion, Media
from exports.disguise import ENDINGS
from studies.trial_row import TrialRow
from studies.trial_rows import Sat

CHUNK = 500  # ids in one question to the database


@dataclass(frozen=True, slots=True)
class Stimuli:
    """``shown``: (item version, condition) -> names of files; ``files``: where the bytes of each lie.

    ``gone``: pictures that were shown and are not in the project any more; they are left out of both.
    """

    shown: Mapping[tuple[str, str], tuple[str, ...]]
    files: Mapping[str, Path]
    gone: int = 0

    def of(self, row: TrialRow) -> tuple[str, ...]:
        return self.shown.get((row.planned.version, row.planned.condition), ())

    def put(self, folder: Path) -> None:
        """Copy each once into ``folder``, which is made where there are any."""
        for name, file in self.files.items():
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, folder / name)


def read(session: Session, sat: Sat) -> Stimuli:
    """The pictures of all rows of ``sat``; what is private is never shown, so it is not among them."""
    wanted = {(row.planned.version, row.planned.condition) for row in sat.rows}
    shows = {one.name: one.shows for one in sat.study.conditions}
    fields = _fields(session, sorted({version for version, _ in wanted}))
    pictures = {(version, condition): tuple(dict.fromkeys(
        sha256 for name in shows.get(condition, ()) for sha256 in _pictures(fields.get(version, {}).get(name))))
        for version, condition in sorted(wanted)}
    known = {sha256 for found in pictures.values() for sha256 in found}
    media = store_of(session).media
    names = {sha256: f"{sha256}.{ENDINGS.get(mime, 'bin')}" for sha256, mime in session.execute(
        select(Media.sha256, Media.mime)) if sha256 in known and media.exists(sha256)}
    return Stimuli({place: tuple(names[one] for one in found if one in names) for place, found in pictures.items()},
                   {name: media.path(sha256) for sha256, name in sorted(names.items())}, len(known) - len(names))


def _fields(session: Session, versions: list[str]) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for at in range(0, len(versions), CHUNK):
        for version, fields in session.execute(select(ItemVersion.id, ItemVersion.fields_json).where(
                ItemVersion.id.in_([UUID(one) for one in versions[at:at + CHUNK]]))):
            found[version.hex] = fields
    return found


def _pictures(value: Any) -> Iterator[str]:
    """The hash of every picture in a field's value, in order."""
    if isinstance(value, Mapping):
        if isinstance(value.get("sha256"), str):
            yield value["sha256"]
        else:
            for inner in value.values():
                yield from _pictures(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _pictures(inner)
