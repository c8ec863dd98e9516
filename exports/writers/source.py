"""A bundle folder as the writers read it: its public files alone, each checked against the manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from annotation import protocol as protocols
from annotation.errors import N_, Refused, Where
from annotation.protocol import Protocol
from exports.manifest import FileEntry
from exports.rows import line
from exports.scorer.lines import is_listed, json_file, listing, one_line, read_bytes, sha256_of

Row = Mapping[str, Any]
SCHEMA = "goldsmith-export/1"
REPORT = "export.json"


@dataclass(frozen=True)
class Source:
    """``items`` in the order of the file; only what stands below public/ is ever read."""

    folder: Path
    manifest: Row
    manifest_sha256: str
    protocol: Protocol
    items: tuple[Row, ...]
    gold: Mapping[tuple[str, str], tuple[Row, ...]]  # (id, question) -> its gold rows, by element

    @property
    def version(self) -> str:
        return str(self.manifest["version"])

    @property
    def splits(self) -> tuple[str, ...]:
        """The protocol's splits, then any other that an item has; also those that no item fell into."""
        return tuple(dict.fromkeys([*self.protocol.export.splits, *(item["split"] for item in self.items)]))

    @cached_property
    def kept(self) -> tuple[Row, ...]:
        """The items that ``export.keep`` of the protocol lets through, and all of which the gold is held out.

        To leave out a part of these would tell their gold.
        """
        keep = self.protocol.export.keep
        held = frozenset((self.manifest.get("private") or {}).get("held_out") or ())
        return tuple(item for item in self.items if item["split"] in held or all(
            any(row.get("answer") in values for row in self.gold.get((item["id"], name), ()))
            for name, values in keep.items()))

    @property
    def left_out(self) -> tuple[tuple[str, int], ...]:
        n = len(self.items) - len(self.kept)
        return (("not_kept", n),) if n else ()

    def annotations(self) -> Iterator[Row]:
        yield from _rows(self.folder, "public/annotations.jsonl", self._listed)

    def annotators(self) -> Iterator[Row]:
        yield from _rows(self.folder, "public/annotators.jsonl", self._listed)

    def text(self, path: str) -> bytes:
        """The bytes of a public file, as listed."""
        return _checked(self.folder, path, self._listed)

    def picture(self, path: str) -> bytes:
        return _checked(self.folder, path, self._listed)

    @cached_property
    def _listed(self) -> dict[str, str]:
        return {entry["path"]: listing(entry) for entry in self.manifest["files"]}

    def report(self, format: str, **more: Any) -> bytes:
        """export.json: where this folder comes from; the same bytes for the same bundle."""
        head = self.manifest
        return line({
            "schema": SCHEMA, "format": format, "tool": head.get("tool"),
            "bundle": {"name": head["name"], "version": head["version"], "kind": head.get("kind"),
                       "manifest_sha256": self.manifest_sha256, "licence": head.get("licence"),
                       "created": head.get("created")},
            "protocol": head.get("protocol"), "canary": head.get("canary"),
            "notice": "Benchmark data must not appear in training corpora.",
            "left_out": dict(self.left_out), **more})


def read_source(folder: Path) -> Source:
    """The bundle at ``folder``; Refused where its public files are not those that its manifest lists."""
    if not (folder / "manifest.json").is_file():
        raise Refused(N_("{name} is no bundle: it holds no manifest.json"), code="no_file", name=folder.name,
                      where=Where(file=str(folder)))
    manifest, data = json_file(folder / "manifest.json")
    for key, kind in (("name", str), ("version", str), ("files", list)):
        if not isinstance(manifest.get(key), kind):
            raise Refused(N_("{file} lacks '{key}'"), code="bad_field", file="manifest.json", key=key,
                          where=Where(file=str(folder / "manifest.json"), key=key))
    listed = {entry["path"]: listing(entry) for entry in manifest["files"]
              if isinstance(entry, dict) and {"path", "sha256"} <= entry.keys()}
    if "public/protocol.yaml" not in listed:
        raise Refused(N_("the bundle carries no protocol; it was not written by this program"), code="missing_file",
                      where=Where(file=str(folder)))
    protocol = protocols.loads(_checked(folder, "public/protocol.yaml", listed).decode())
    items = tuple(_rows(folder, "public/items.jsonl", listed))
    known = {item["id"] for item in items}
    _once(items)
    gold: dict[tuple[str, str], list[Row]] = {}
    for row in _rows(folder, "public/gold.jsonl", listed):
        if row["id"] not in known:
            raise Refused(N_("the gold names the item '{id}', which the bundle does not hold"), code="unknown_id",
                          id=row["id"], where=Where(file="public/gold.jsonl", key=row["id"]))
        gold.setdefault((row["id"], row["question"]), []).append(row)
    return Source(folder, manifest, sha256_of(data), protocol, items,
                  {place: tuple(rows) for place, rows in gold.items()})


def _once(items: tuple[Row, ...]) -> None:
    """Refused where two items have one id, or ids that differ in capitals alone: some readers take them for one."""
    seen: dict[str, str] = {}
    for item in items:
        folded = item["id"].casefold()
        if folded in seen:
            raise Refused(N_("the id '{id}' stands twice"), code="duplicate_id", id=item["id"],
                          where=Where(file="public/items.jsonl", item=item["id"]))
        seen[folded] = item["id"]


def _rows(folder: Path, path: str, listed: Mapping[str, str]) -> Iterator[Row]:
    data = _checked(folder, path, listed)
    for number, raw in enumerate(data.split(b"\n"), 1):
        if raw.strip() and "tombstone" not in (row := one_line(raw, path, number)):
            yield row


def _checked(folder: Path, path: str, listed: Mapping[str, str]) -> bytes:
    """The file's bytes; a path that the manifest does not list, or that leaves the folder, is never opened."""
    if path not in listed or path.startswith("/") or ".." in path.split("/"):
        raise Refused(N_("the manifest does not list {file}"), code="missing_file", file=path, where=Where(file=path))
    data = read_bytes(folder / path)
    if not is_listed(data, listed[path]):
        raise Refused(N_("{file} is not the file that the manifest lists; run verify"), code="hash", file=path,
                      where=Where(file=path))
    return data


def put(folder: Path, path: str, data: bytes, *, rows: int | None = None) -> FileEntry:
    """Write one file of an export."""
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as out:
        out.write(data)
    return FileEntry(path, hashlib.sha256(data).hexdigest(), len(data), rows)


def listed(folder: Path, path: str, *, rows: int | None = None) -> FileEntry:
    """The entry of a file that another library wrote."""
    hashed = hashlib.sha256()
    with (folder / path).open("rb") as file:
        while piece := file.read(1 << 20):
            hashed.update(piece)
    return FileEntry(path, hashed.hexdigest(), (folder / path).stat().st_size, rows)
