"""Whether an anonymous bundle and a named one hold the same data: by commitment, and line by line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from annotation.errors import N_, Refused, Where
from exports.anonymous import Renaming
from exports.commitments import commitment
from exports.faults import Fault
from exports.scorer.lines import json_file, sha256_of
from exports.verify_files import LINES, MANIFEST, MEDIA


def not_same(anonymous: Path, named: Path) -> tuple[Fault, ...]:
    """What shows that ``anonymous`` was not made from ``named``; () where it was. Faults name files of ``anonymous``.

    Both bundles are sound: ``verify`` was asked before. Refused where they are not one anonymous and one named.
    """
    blind, _ = json_file(anonymous / MANIFEST)
    head, data = json_file(named / MANIFEST)
    if "commitment" not in blind.get("anonymous", {}) or "nonce" not in head.get("anonymous", {}):
        raise Refused(N_("{bundle} and {other} are not an anonymous bundle and a named one"), code="bad_value",
                      bundle=str(anonymous), other=str(named), where=Where(file=str(anonymous)))
    faults: list[Fault] = []
    if commitment(head["anonymous"]["nonce"], bytes.fromhex(sha256_of(data))) != blind["anonymous"]["commitment"]:
        faults.append(Fault("commitment", MANIFEST, "the commitment is not to the manifest of the named bundle", 1))
    renaming = Renaming(named, head, sha256_of(data))
    for entry in head["files"]:
        path = entry["path"]
        if path.startswith("public/") and path.endswith(".jsonl") and path != LINES:
            faults += _differing(path, renaming.renamed(path), anonymous / path)
        elif (path.startswith(MEDIA) or path == "public/model.json") and (
                not (anonymous / path).exists() or (anonymous / path).read_bytes() != (named / path).read_bytes()):
            faults.append(Fault("not_same", path, "this file is not that of the named bundle"))
    if (anonymous / "public/protocol.yaml").read_text(encoding="utf-8") != renaming.protocol:
        faults.append(Fault("not_same", "public/protocol.yaml", "the protocol is not that of the named bundle"))
    return tuple(faults)


def _differing(path: str, wanted: Iterator[bytes], file: Path) -> list[Fault]:
    faults, named, there = [], 0, 0
    for number, (one, other) in enumerate(zip_longest(wanted, _lines(file)), 1):
        named, there = named + (one is not None), there + (other is not None)
        if one is not None and other is not None and one != other and b'"tombstone":' not in one + other:
            faults.append(Fault("not_same", path, "this row is not that of the named bundle", number))
    if named != there:
        return [Fault("not_same", path, f"{there} rows, where the named bundle has {named}")]
    return faults


def _lines(file: Path) -> Iterator[bytes]:
    if file.exists():
        with file.open("rb") as lines:
            yield from lines
