"""Checks a bundle or a project, offline: every file, every row, every hash; each fault is named."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from lzma import LZMAError
from pathlib import Path
from typing import NoReturn

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import trail
from annotation.errors import N_, Refused, Where
from annotation.store.opening import open_store
from annotation.store.project import Store
from annotation.store.tables import Media, Release
from exports import frozen
from exports.bundle import manifest_sha256 as rebuilt_manifest
from exports.faults import Fault, Report
from exports.same import not_same
from exports.verify_files import MANIFEST, SUMS, Files
from exports.verify_rows import check_rows

__all__ = ["Fault", "Report", "verify"]

def verify(target: str | Path, *, manifest_sha256: str | None = None, same_as: str | Path | None = None,
           release: str | None = None) -> Report:
    """All faults of a bundle folder, of a project (its chain, its releases, its pictures), or of one release of it.

    ``same_as``: the named bundle that an anonymous one is said to be made from; both are checked, and then compared.
    ``manifest_sha256``: what the bundle's manifest (or some release of the project) must have. Raises Refused where
    ``target`` is neither, Unknown for a release that does not exist.
    """
    folder = Path(target)
    with _readable():
        is_project = "://" in str(target) or (folder / "project.db").exists()
    if is_project:
        if same_as is not None:
            raise Refused(N_("--same-as compares two bundles, and {target} is a project"), code="bad_value",
                          target=str(target))
        with open_store(target, read_only=True) as store:
            return (_project(store, manifest_sha256) if release is None
                    else _release(store, release, manifest_sha256))
    if release is not None:
        raise Refused(N_("--release is for projects, and {target} is none"), code="bad_value", target=str(target))
    with _readable():
        is_bundle = any((folder / name).exists() for name in (MANIFEST, SUMS, "public"))
    if is_bundle:
        found = _bundle(folder, manifest_sha256)
        return found if same_as is None else _compared(found, folder, Path(same_as))
    raise Refused(N_("{target} is neither a bundle nor a project"), code="not_found", target=str(target),
                  where=Where(file=str(target)))


# --- a bundle ------------------------------------------------------------------------------------

def _bundle(folder: Path, wanted: str | None) -> Report:
    faults: list[Fault] = []
    with _readable():
        for _ in os.walk(folder, onerror=_raise):  # else what is in a closed folder would seem to be missing
            pass
        files = Files(folder, faults, wanted)
        book = check_rows(folder, frozenset(files.there), files.head, faults)
        files.check(book.gone_pictures)
    return Report("bundle", len(files.there), book.count, tuple(dict.fromkeys(faults)), book.stones)


@contextmanager
def _readable() -> Iterator[None]:
    """Refused, with the file, where the drive does not give it."""
    try:
        yield
    except OSError as fault:
        file = str(fault.filename or "")
        raise Refused(N_("{file} cannot be read: {why}"), code="unreadable", file=file,
                      why=fault.strerror or str(fault), where=Where(file=file)) from None


def _raise(fault: OSError) -> NoReturn:
    raise fault


def _compared(found: Report, anonymous: Path, named: Path) -> Report:
    other = _bundle(named, None)
    if found.faults or other.faults:  # the rows of a bundle with faults need not even be rows
        what = tuple(replace(fault, file=f"{named.name}/{fault.file}") for fault in other.faults)
        return replace(found, faults=(*found.faults, *what))
    return replace(found, faults=not_same(anonymous, named))


# --- a project -----------------------------------------------------------------------------------

def _project(store: Store, wanted: str | None) -> Report:
    with store.read() as session:
        chain = trail.verify_chain(session)
        faults = [Fault("chain", "event", f"line {seq} of device {device.hex[:12]} does not fit ({what})", line=seq,
                        id=device.hex) for device, seq, what in chain.faults]
        known = _check_releases(session, faults)
        if wanted is not None and wanted.strip().lower() not in known:
            faults.append(Fault("manifest_hash", "release", "no release of this project has this manifest", id=wanted))
        pictures = _check_media(store, session, faults)
    return Report("project", pictures, chain.n, tuple(faults))


def _release(store: Store, version: str, wanted: str | None) -> Report:
    """One release: that it can be rebuilt as it was drawn, byte for byte, and that its pictures are there."""
    faults: list[Fault] = []
    with store.read() as session:
        drawn = frozen.read(session, version)
        stored = session.scalars(select(Release.manifest_sha256).where(Release.version == version)).one()
        if _rebuilt(session, version) != stored:
            faults.append(Fault("manifest_hash", "release", f"the release {version} cannot be rebuilt as it was drawn",
                                id=version))
        if wanted is not None and wanted.strip().lower() != stored:
            faults.append(Fault("manifest_hash", "release", f"the manifest's SHA-256 is {stored}", id=version))
        pictures = sorted({one["sha256"] for item in drawn.items for one in item.media if one["sha256"] is not None})
        for sha256 in pictures:
            _check_picture(store, sha256, faults)
        return Report("release", len(pictures), len(drawn.items), tuple(faults))


def _check_releases(session: Session, faults: list[Fault]) -> set[str]:
    known = set()
    for version, stored in session.execute(select(Release.version, Release.manifest_sha256).order_by(
            Release.created, Release.id)):
        known.add(stored)
        if _rebuilt(session, version) != stored:
            faults.append(Fault("manifest_hash", "release", f"the release {version} cannot be rebuilt as it was drawn",
                                id=version))
    return known


def _rebuilt(session: Session, version: str) -> str | None:
    try:
        return rebuilt_manifest(session, frozen.read(session, version))
    except (Refused, KeyError, ValueError, TypeError, LZMAError):  # what the release names is gone or broken
        return None


def _check_media(store: Store, session: Session, faults: list[Fault]) -> int:
    count = 0
    for sha256 in session.scalars(select(Media.sha256).order_by(Media.sha256)):
        count += 1
        _check_picture(store, sha256, faults)
    return count


def _check_picture(store: Store, sha256: str, faults: list[Fault]) -> None:
    file = f"media/{sha256[:2]}/{sha256}"
    if not store.media.exists(sha256):
        faults.append(Fault("missing_file", file, f"the picture {sha256[:12]} is missing", id=sha256))
    elif _hash_of(store.media.path(sha256)) != sha256:
        faults.append(Fault("hash", file, f"the picture {sha256[:12]} has changed", id=sha256))


def _hash_of(file: Path) -> str:
    hashed = hashlib.sha256()
    with file.open("rb") as data:
        while piece := data.read(1 << 20):
            hashed.update(piece)
    return hashed.hexdigest()
