"""What stands at the head of a bundle: the manifest and the list of checksums."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.protocol import Protocol
from exports.card import Tally
from exports.commitments import secret
from exports.frozen import Frozen
from exports.rows import line, moment
from exports.shapes import SCHEMA

ANONYMOUS = "anonymous"
CARRIED = ("errata", "waivers")


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of a bundle; ``rows`` is None where a file has no rows, ``rows_sha256`` is over its lines' hashes."""

    path: str
    sha256: str
    bytes: int
    rows: int | None
    rows_sha256: str | None = None


def manifest(frozen: Frozen, protocol: Protocol, tally: Tally, files: Iterable[FileEntry],
             private: Mapping[str, str]) -> bytes:
    """The manifest's bytes; ``files``: all files but the manifest, the checksums and private ones.

    ``private``: path -> commitment of each private file. ``anonymous.nonce``: what proves later that an anonymous
    bundle holds the same data.
    """
    return line({
        "schema": SCHEMA, "name": frozen.facts["name"], "version": frozen.version, "kind": frozen.kind,
        "licence": frozen.facts.get("about", {}).get("licence"), "tool": frozen.facts["tool"],
        "created": moment(frozen.created),
        "protocol": {"id": protocol.id, "version": protocol.version, "sha256": protocol.hash,
                     "form_hash": protocol.form_hash},
        "splits": dict(tally.splits), "scorer": scorers(protocol, tally.questions),
        "files": [{"path": one.path, "sha256": one.sha256, "bytes": one.bytes, "rows": one.rows,
                   **({"rows_sha256": one.rows_sha256} if one.rows_sha256 else {})}
                  for one in sorted(files, key=lambda one: one.path)],
        "canary": frozen.facts["canary"],
        "private": {"held_out": sorted(protocol.export.held_out), "items": len(tally.held),
                    "values": tally.held_values,
                    "files": [{"path": path, "commitment": private[path]} for path in sorted(private)]},
        "anonymous": {"nonce": secret(frozen.salt, ANONYMOUS)},
        **{name: [_public(one, tally.held) for one in frozen.facts[name]] for name in CARRIED if name in frozen.facts},
    })


def _public(entry: Mapping[str, Any], held: Collection[str]) -> Mapping[str, Any]:
    """A waiver without the held-out items it is for: that an option is the longest one is a hint."""
    if not held or not isinstance(entry.get("items"), list):
        return entry
    shown = [one for one in entry["items"] if one not in held]
    return {**entry, "items": shown, **({"n": entry["n"] - len(entry["items"]) + len(shown)} if "n" in entry else {})}


def scorers(protocol: Protocol, questions: Iterable[str]) -> list[dict[str, Any]]:
    """The protocol's metrics, each with its question; a bare name takes the one question with gold, if it is one."""
    known = list(questions)
    only = known[0] if len(known) == 1 else None
    return [{"metric": spec.metric,
             "question": spec.question or (None if spec.metric == "presupposition" else only),
             **({"settings": spec.settings} if spec.settings else {})}
            for spec in protocol.scorers()]


def checksums(files: Mapping[str, str]) -> bytes:
    """SHA256SUMS: ``HEX  PATH`` for every file of the bundle but this one, by path."""
    return "".join(f"{files[path]}  {path}\n" for path in sorted(files)).encode()
