"""Writes a release as a gold bundle: a folder that anybody can read, check and score without this program."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.errors import N_, Refused, Unknown
from annotation.store.project import store_of
from annotation.store.tables import Release
from exports import frozen as frozen_release
from exports.changelog import changelog
from exports.frozen import Frozen
from exports.manifest import FileEntry, card, checksums, licence, manifest
from exports.placing import placed
from exports.rows import Row, Rows, line


@dataclass(frozen=True, slots=True)
class Written:
    """``files``: every file of the bundle."""

    out: str
    release: str
    items: int
    manifest_sha256: str
    files: tuple[FileEntry, ...]


def manifest_sha256(session: Session, frozen: Frozen) -> str:
    """The hash of the manifest that ``frozen`` gives, without writing a file."""
    rows = Rows(session, frozen)
    entries = [_hashed(path, make) for path, make in _made(rows)] + _media_entries(rows)
    return hashlib.sha256(manifest(frozen, rows.protocol, entries)).hexdigest()


def write_bundle(session: Session, out: str | Path, *, version: str | None = None, private: bool = False) -> Written:
    """Write the release ``version`` (the newest, if None) to ``out``, a new or empty folder.

    It is made as OUT.part and renamed, so that no half bundle stands under its name. Two calls give
    the same bytes. Refused where the folder holds something, or where the release cannot be rebuilt
    as it was drawn.
    """
    known = frozen_release.versions(session)
    if version is None:
        if not known:
            raise Unknown(N_("There is no release yet"))
        version = known[-1]
    frozen = frozen_release.read(session, version)
    with placed(out) as part:
        written = _write(session, part, frozen, private=private)
    return Written(str(out), frozen.version, len(frozen.items), written[0], written[1])


def _write(session: Session, part: Path, frozen: Frozen, *, private: bool) -> tuple[str, tuple[FileEntry, ...]]:
    rows = Rows(session, frozen)
    entries = [_into(part, path, make) for path, make in _made(rows)]
    entries += _copied(session, part, rows)
    head = manifest(frozen, rows.protocol, entries)
    drawn = hashlib.sha256(head).hexdigest()
    stored = session.scalars(select(Release.manifest_sha256).where(Release.version == frozen.version)).one()
    if drawn != stored:
        raise Refused(N_("the release {version} cannot be rebuilt as it was drawn; run verify on the project"),
                      code="manifest_hash", version=frozen.version)
    entries.append(_into(part, "manifest.json", lambda: iter([head]), rows=None))
    if private:
        entries.append(_into(part, "private/items.jsonl", _lines(rows.private_items)))
    sums = checksums({one.path: one.sha256 for one in entries})
    entries.append(_into(part, "SHA256SUMS", lambda: iter([sums]), rows=None))
    return drawn, tuple(sorted(entries, key=lambda one: one.path))


Make = Callable[[], Iterator[bytes]]
TEXTS = ("CARD.md", "CHANGELOG.md", "LICENSE", "public/protocol.yaml")  # files without rows


def _made(rows: Rows) -> list[tuple[str, Make]]:
    """The files that the manifest lists, apart from media: path and how its bytes are made."""
    texts = {"CARD.md": card(rows.frozen, rows.protocol), "CHANGELOG.md": changelog(rows.frozen.facts),
             "LICENSE": licence(rows.frozen), "public/protocol.yaml": rows.protocol.text.encode()}
    return [*((path, _lines(make)) for path, make in rows.files()), *((path, _once(texts[path])) for path in TEXTS)]


def _lines(make: Callable[[], Iterator[Row]]) -> Make:
    return lambda: map(line, make())


def _once(data: bytes) -> Make:
    return lambda: iter([data])


class _Counted:
    """Counts and hashes what goes by; writes it too where there is a file."""

    def __init__(self, out: BinaryIO | None) -> None:
        self.hash, self.bytes, self.pieces, self.out = hashlib.sha256(), 0, 0, out

    def take(self, make: Make) -> _Counted:
        for piece in make():
            self.hash.update(piece)
            self.bytes += len(piece)
            self.pieces += 1
            if self.out is not None:
                self.out.write(piece)
        return self

    def entry(self, path: str, *, rows: int | None) -> FileEntry:
        return FileEntry(path, self.hash.hexdigest(), self.bytes, rows)


def _hashed(path: str, make: Make) -> FileEntry:
    counted = _Counted(None).take(make)
    return counted.entry(path, rows=None if path in TEXTS else counted.pieces)


def _into(folder: Path, path: str, make: Make, *, rows: int | None = -1) -> FileEntry:
    """Write one file; ``rows`` -1 = as many as were written, if it is a file of rows."""
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as out:
        counted = _Counted(out).take(make)
    return counted.entry(path, rows=(None if path in TEXTS else counted.pieces) if rows == -1 else rows)


def _media_entries(rows: Rows) -> list[FileEntry]:
    return [FileEntry(rows.path_of(sha256), sha256, rows.media[sha256].bytes, None)
            for sha256 in sorted(rows.pictures())]


def _copied(session: Session, part: Path, rows: Rows) -> list[FileEntry]:
    """Every picture of the release, copied; Refused where its bytes are gone or are not what they were."""
    media = store_of(session).media
    entries = _media_entries(rows)
    for entry in entries:
        if not media.exists(entry.sha256):
            raise Refused(N_("a picture of the release is not in the project any more ({sha256})"),
                          code="missing_media", sha256=entry.sha256[:12])
        data = media.path(entry.sha256).read_bytes()
        if hashlib.sha256(data).hexdigest() != entry.sha256:
            raise Refused(N_("a picture of the release has changed in the project ({sha256})"), code="hash",
                          sha256=entry.sha256[:12])
        target = part / entry.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return entries
