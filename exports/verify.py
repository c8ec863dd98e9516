"""Checks a bundle or a project, offline: every file, every row, every hash; each fault is named."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
from exports.rows import line
from exports.scorer.lines import is_listed, listing, parse
from exports.verify_rows import check_rows

__all__ = ["Fault", "Report", "verify"]

SUMS, MANIFEST = "SHA256SUMS", "manifest.json"
NEEDED = ("CARD.md", "CHANGELOG.md", "LICENSE", MANIFEST, SUMS, "public/adjudications.jsonl",
          "public/annotations.jsonl", "public/annotators.jsonl", "public/gold.jsonl", "public/items.jsonl",
          "public/protocol.yaml")
PRIVATE = "private/items.jsonl"
MEDIA = "public/media/"
HEAD: dict[str, tuple[type, ...]] = {
    "schema": (str,), "name": (str,), "version": (str,), "kind": (str,), "licence": (str, type(None)), "tool": (dict,),
    "created": (str,), "protocol": (dict,), "splits": (dict,), "scorer": (list,), "files": (list,), "canary": (str,),
}


def verify(target: str | Path, *, manifest_sha256: str | None = None) -> Report:
    """All faults of a bundle folder, or of a project (its chain, its releases, its pictures).

    ``manifest_sha256``: what the bundle's manifest (or some release of the project) must have.
    Raises Refused where ``target`` is neither.
    """
    folder = Path(target)
    if "://" in str(target) or (folder / "project.db").exists():
        with open_store(target, read_only=True) as store:
            return _project(store, manifest_sha256)
    if any((folder / name).exists() for name in (MANIFEST, SUMS, "public")):
        return _bundle(folder, manifest_sha256)
    raise Refused(N_("{target} is neither a bundle nor a project"), code="not_found", target=str(target),
                  where=Where(file=str(target)))


# --- a bundle ------------------------------------------------------------------------------------

@dataclass(frozen=True, slots=True)
class _Found:
    """Hash, size and number of lines of one file that is there."""

    sha256: str
    bytes: int
    lines: int


def _bundle(folder: Path, wanted: str | None) -> Report:
    faults: list[Fault] = []
    there = {path: _read(folder / path) for path in _paths(folder, faults)}
    faults += [Fault("missing_file", path, f"{path} is missing") for path in NEEDED if path not in there]
    head = _head(folder, there, faults, wanted)
    _check_sums(folder, there, faults)
    book = check_rows(folder, frozenset(there), head, faults)
    if head:
        _check_listed(folder, head, there, book.gone_pictures, faults)
    return Report("bundle", len(there), book.count, tuple(dict.fromkeys(faults)), book.stones)


def _paths(folder: Path, faults: list[Fault]) -> list[str]:
    """Every plain file; what is no plain file does not belong into a bundle."""
    found = []
    for base, folders, names in os.walk(folder):
        for name in sorted([*names, *(one for one in folders if (Path(base) / one).is_symlink())]):
            path = Path(base) / name
            shown = path.relative_to(folder).as_posix()
            if path.is_symlink() or not path.is_file():
                faults.append(Fault("extra_file", shown, f"{shown} is a link or no plain file"))
            else:
                found.append(shown)
        if not names and not folders and Path(base) != folder:
            shown = Path(base).relative_to(folder).as_posix()
            faults.append(Fault("extra_file", shown, f"{shown} is an empty folder"))
    return sorted(found)


def _read(path: Path) -> _Found:
    hashed, size, lines = hashlib.sha256(), 0, 0
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            hashed.update(piece)
            size += len(piece)
            lines += piece.count(b"\n")
    return _Found(hashed.hexdigest(), size, lines)


def _head(folder: Path, there: dict[str, _Found], faults: list[Fault], wanted: str | None) -> dict[str, Any]:
    """The manifest where its keys can be relied on, else {}."""
    if MANIFEST not in there:
        return {}
    if wanted is not None and wanted.strip().lower() != there[MANIFEST].sha256:
        faults.append(Fault("manifest_hash", MANIFEST, f"the manifest's SHA-256 is {there[MANIFEST].sha256}, not "
                                                       f"{wanted.strip().lower()}"))
    raw = (folder / MANIFEST).read_bytes()
    try:
        head = parse(raw.decode())
    except (UnicodeDecodeError, Refused) as fault:
        faults.append(Fault("bad_json", MANIFEST, f"{MANIFEST}: {fault}"))
        return {}
    if not isinstance(head, dict):
        faults.append(Fault("bad_json", MANIFEST, f"{MANIFEST} is not a JSON object"))
        return {}
    _check_canonical(head, raw, faults)
    bad = [key for key, kinds in HEAD.items() if not isinstance(head.get(key), kinds) or key not in head]
    if head.get("schema") != "gold-bundle/1.0":
        bad.append("schema")
    bad += [f"files.{n}" for n, entry in enumerate(head.get("files") or ()) if not _is_entry(entry)]
    faults += [Fault("bad_field", MANIFEST, f"{MANIFEST}: '{key}' is missing or not of its kind")
               for key in dict.fromkeys(bad)]
    return {} if bad else head


def _is_entry(entry: Any) -> bool:
    return (isinstance(entry, dict) and isinstance(entry.get("path"), str) and isinstance(entry.get("sha256"), str)
            and isinstance(entry.get("bytes"), int) and isinstance(entry.get("rows"), (int, type(None))))


def _check_canonical(head: dict[str, Any], raw: bytes, faults: list[Fault]) -> None:
    if line(head) != raw:
        faults.append(Fault("not_canonical", MANIFEST, f"{MANIFEST} is not canonical JSON"))


def _check_sums(folder: Path, there: dict[str, _Found], faults: list[Fault]) -> None:
    if SUMS not in there:
        return
    listed: dict[str, str] = {}
    text = (folder / SUMS).read_bytes().decode(errors="replace")
    lines = text.split("\n")
    if lines[-1] != "":
        faults.append(Fault("not_canonical", SUMS, f"{SUMS} does not end with a line feed", line=len(lines)))
    for number, one in enumerate(lines if lines[-1] else lines[:-1], 1):
        digest, gap, path = one[:64], one[64:66], one[66:]
        if gap != "  " or not path or set(digest) - set("0123456789abcdef"):
            faults.append(Fault("bad_field", SUMS, f"line {number} is not 'HEX  PATH'", line=number))
        elif path in listed:
            faults.append(Fault("duplicate_id", SUMS, f"{path} stands twice", line=number, id=path))
        else:
            listed[path] = digest
    if list(listed) != sorted(listed):
        faults.append(Fault("not_canonical", SUMS, f"{SUMS} is not sorted by path"))
    for path, digest in listed.items():
        if path not in there:
            faults.append(Fault("missing_file", path, f"{path} is listed in {SUMS} and missing"))
        elif there[path].sha256 != digest:
            faults.append(Fault("hash", path, f"{path} is not the file that {SUMS} lists"))
    faults += [Fault("extra_file", path, f"{path} is not listed in {SUMS}")
               for path in there if path not in listed and path != SUMS]


def _check_listed(folder: Path, head: dict[str, Any], there: dict[str, _Found], gone: frozenset[str],
                  faults: list[Fault]) -> None:
    """The manifest lists every file but itself, the checksums and what is private."""
    listed = {entry["path"]: entry for entry in head["files"]}
    if len(listed) < len(head["files"]):
        faults.append(Fault("duplicate_id", MANIFEST, "a file stands twice in the manifest"))
    for path, entry in listed.items():
        found = there.get(path)
        if found is None and path.startswith(MEDIA) and Path(path).stem in gone:
            continue  # a picture of an item that was taken out
        if found is None:
            faults.append(Fault("missing_file", path, f"{path} is listed in the manifest and missing"))
            continue
        stands_in = found.sha256 != entry["sha256"] and is_listed((folder / path).read_bytes(), listing(entry))
        if found.sha256 != entry["sha256"] and not stands_in:
            faults.append(Fault("hash", path, f"{path} is not the file that the manifest lists"))
        if found.bytes != entry["bytes"] and not stands_in:
            faults.append(Fault("count", path, f"{path} has {found.bytes} bytes, the manifest says {entry['bytes']}"))
        rows = found.lines if path.endswith(".jsonl") else None
        if rows != entry["rows"]:
            faults.append(Fault("count", path, f"{path} has {rows} rows, the manifest says {entry['rows']}"))
    faults += [Fault("extra_file", path, f"{path} is not listed in the manifest")
               for path in there if path not in listed and path not in (MANIFEST, SUMS, PRIVATE)]


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
    except (Refused, KeyError):  # a row that the release names is gone: it cannot be rebuilt
        return None


def _check_media(store: Store, session: Session, faults: list[Fault]) -> int:
    count = 0
    for sha256 in session.scalars(select(Media.sha256).order_by(Media.sha256)):
        count += 1
        file = f"media/{sha256[:2]}/{sha256}"
        if not store.media.exists(sha256):
            faults.append(Fault("missing_file", file, f"the picture {sha256[:12]} is missing", id=sha256))
        elif _read(store.media.path(sha256)).sha256 != sha256:
            faults.append(Fault("hash", file, f"the picture {sha256[:12]} has changed", id=sha256))
    return count
