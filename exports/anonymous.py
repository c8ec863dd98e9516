"""A bundle for double-blind review: made from the named one by renaming alone, so that it can be made again.

Everything is drawn from the nonce of the named manifest. Before that is published nothing leads back; after it,
anybody can. Rows pass by, and are sorted on disk where they are many.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from annotation import protocol as protocols
from exports.commitments import commitment
from exports.manifest import FileEntry, checksums
from exports.rows import line
from exports.scorer.lines import one_line
from exports.sinks import Sinks, line_rows
from exports.sorting import in_order
from exports.tombstones import Gone
from exports.verify_files import BINARY, LINES, MANIFEST, MEDIA, Found, read
from exports.verify_lines import order

Row = dict[str, Any]
SPDX = re.compile(r"[A-Za-z0-9.+-]{1,40}")  # the short name of a licence says nothing of anybody
GONE_FACTS = ("source",)  # keys of a protocol that tell where it comes from
NAME = "anonymous"
PEOPLE = ("annotator", "adjudicator", "signer")


class Renaming:
    """New ids, pseudonyms and names for one named bundle."""

    def __init__(self, folder: Path, head: Mapping[str, Any], manifest_sha256: str) -> None:
        self.folder, self.head = folder, head
        self.nonce: str = head["anonymous"]["nonce"]
        self.commitment = commitment(self.nonce, bytes.fromhex(manifest_sha256))
        self.created = head["created"][:10] + "T00:00:00Z"
        guid = self._draw("canary", "")
        self.canary = f"canary GUID {guid[:8]}-{guid[8:12]}-{guid[12:16]}-{guid[16:20]}-{guid[20:32]}"
        named = [row["annotator"] for row in self.rows_of("public/annotators.jsonl")]
        width = max(2, len(str(len(named))))
        self.people = {name: f"annotator-{n:0{width}d}" for n, name in enumerate(
            sorted(named, key=lambda name: self._draw("person", name)), 1)}
        self.protocol = bare_protocol((folder / "public/protocol.yaml").read_text(encoding="utf-8"))
        self.protocol_hash = hashlib.sha256(self.protocol.encode()).hexdigest()

    def _draw(self, kind: str, name: str) -> str:
        return hmac.new(bytes.fromhex(self.nonce), f"{kind}\x1f{name}".encode(), hashlib.sha256).hexdigest()

    def id(self, public: str) -> str:
        return "g" + self._draw("id", public)[:15]

    def rows_of(self, path: str) -> Iterator[Row]:
        with (self.folder / path).open("rb") as file:
            for number, raw in enumerate(file, 1):
                yield one_line(raw, path, number)

    def renamed(self, path: str) -> Iterator[bytes]:
        """The lines of a file under new names, in their new order."""
        new = map(self.row, self.rows_of(path))
        return (made for _, made in in_order((order(path, row), line(row)) for row in new))

    def row(self, row: Row) -> Row:
        """One row under new names."""
        new = dict(row)
        if "id" in row:
            new["id"] = self.id(row["id"])
        for key in PEOPLE:
            if row.get(key) is not None:
                new[key] = self.people[row[key]]
        if "inputs" in row:
            new["inputs"] = [{**one, "annotator": self.people[one["annotator"]]} for one in row["inputs"]]
        if row.get("cluster") is not None:
            new["cluster"] = "c" + self._draw("cluster", row["cluster"])[:12]
        for key, value in (("canary", self.canary), ("protocol", self.protocol_hash), ("frozen_at", self.created)):
            if key in row:
                new[key] = value
        if row.get("round") not in (None, "", "main"):
            new["round"] = "round-" + self._draw("round", row["round"])[:6]
        if "key" in row:
            new["key"] = new["id"]
        if "media" in row and "tombstone" not in row:
            new["media"] = [{**one, "source": None, "licence": _short(one.get("licence"))} for one in row["media"]]
        return new

    def manifest(self, files: list[FileEntry]) -> bytes:
        head = self.head
        return line({
            **{key: head[key] for key in ("schema", "version", "kind", "splits", "scorer")}, "name": NAME,
            "licence": _short(head["licence"]), "tool": {"name": "goldsmith"}, "created": self.created,
            "protocol": {**head["protocol"], "sha256": self.protocol_hash},
            "files": [{"path": one.path, "sha256": one.sha256, "bytes": one.bytes, "rows": one.rows,
                       **({"rows_sha256": one.rows_sha256} if one.rows_sha256 else {})}
                      for one in sorted(files, key=lambda one: one.path)],
            "canary": self.canary, "private": {**head["private"], "files": []},
            "anonymous": {"commitment": self.commitment},
            **{key: [self._carried(one) for one in head[key]] for key in ("errata", "waivers") if key in head}})

    def _carried(self, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        """A waiver or an erratum: its items, and who took it on."""
        new = dict(entry)
        if "items" in entry:
            new["items"] = sorted(map(self.id, entry["items"]))
        if isinstance(entry.get("id"), str):
            new["id"] = self.id(entry["id"])
        if "by" in entry:
            new["by"] = self.people.get(entry["by"], entry["by"])
        return new

    def texts(self) -> dict[str, bytes]:
        """What people read first; nobody is named."""
        head, licence = self.head, _short(self.head["licence"])
        splits = "".join(f"- Split {name}: {n} items\n" for name, n in sorted(head["splits"].items()))
        card = (f"# An anonymous data set {head['version']}\n\nFor double-blind review: names, addresses, keys of "
                "items and sources of pictures are left out.\nThe manifest commits to the named release, which proves "
                f"later that it holds the same data.\n\n{splits}\nLicence: {licence or 'withheld for review'}\n\n"
                "## Canary\n\n"
                f"Benchmark data must not appear in training corpora.\n\n    {self.canary}\n")
        citation = ("cff-version: 1.2.0\nmessage: Under review.\ntype: dataset\ntitle: An anonymous data set\n"
                    f'version: "{head["version"]}"\nauthors:\n  - name: Anonymous\n')
        return {"CARD.md": card.encode(), "CITATION.cff": citation.encode(),
                "CHANGELOG.md": f"# Changes\n\n## {head['version']}\n".encode(),
                "LICENSE": f"{licence}\n".encode() if licence else b"The licence is withheld for review.\n"}


def _short(licence: str | None) -> str | None:
    return licence if licence is not None and SPDX.fullmatch(licence) else None


def bare_protocol(text: str) -> str:
    """A protocol without comments and without its source; every other value as it was written."""
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = None
    node = yaml.compose(text)
    node.value = [(key, value) for key, value in node.value if key.value not in GONE_FACTS]
    out = io.StringIO()
    yaml.width = 4096
    yaml.serialize(node, out)
    return out.getvalue()


def write_renamed(renaming: Renaming, part: Path, look: Callable[[str, int | None, bytes], None]
                  ) -> tuple[FileEntry, ...]:
    """Write the anonymous bundle into ``part``; ``look(path, line, bytes)`` is shown all lines and pictures of it."""
    files: list[FileEntry] = []
    with Sinks(part, b"", Gone()) as sinks:
        for entry in renaming.head["files"]:
            path = entry["path"]
            if path.startswith(MEDIA) or path == BINARY:
                (part / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(renaming.folder / path, part / path)
                found = read(part, path)
                files.append(FileEntry(path, found.sha256, found.size, None))
                if path.startswith(MEDIA):
                    look(path, None, (part / path).read_bytes())
            elif path.endswith(".jsonl") and path != LINES:
                sink = sinks.add(path)
                for number, made in enumerate(renaming.renamed(path), 1):
                    look(path, number, made)
                    sink.row(one_line(made.removesuffix(b"\n"), path, number))
            elif path.startswith("schema/") or path == "public/model.json":
                sinks.add(path).text((renaming.folder / path).read_bytes())
        for path, data in {**renaming.texts(), "public/protocol.yaml": renaming.protocol.encode()}.items():
            sinks.add(path).text(data)
        paths = sinks.paths(None)
        listed = sinks.add(LINES)
        for row in line_rows(sinks.lines(paths)):
            listed.row(row)
        files += [sinks[path].entry() for path in sinks.paths(None)]
    for path in ("public/protocol.yaml", "public/model.json"):
        if (part / path).exists():
            for number, raw in enumerate((part / path).read_bytes().split(b"\n"), 1):
                look(path, number, raw)
    # tombstones stand for lines of the named bundle: what is listed here is what the file says
    found_of: dict[str, Found] = {one.path: read(part, one.path) for one in files if one.path.endswith(".jsonl")}
    files = [one if one.path not in found_of else FileEntry(
        one.path, found_of[one.path].sha256, found_of[one.path].size, one.rows, found_of[one.path].rows_sha256)
        for one in files]
    head = renaming.manifest(files)
    look(MANIFEST, 1, head)
    (part / MANIFEST).write_bytes(head)
    files.append(FileEntry(MANIFEST, hashlib.sha256(head).hexdigest(), len(head), None))
    sums = checksums({one.path: one.sha256 for one in files})
    (part / "SHA256SUMS").write_bytes(sums)
    files.append(FileEntry("SHA256SUMS", hashlib.sha256(sums).hexdigest(), len(sums), None))
    protocols.loads(renaming.protocol)
    return tuple(sorted(files, key=lambda one: one.path))
