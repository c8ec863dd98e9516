# SPDX-License-Identifier: Apache-2.0
"""The gold that is kept back: private rows of a bundle, against the commitment that its manifest made to them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotation.errors import N_, Refused, Where
from exports.scorer.lines import json_lines, read_bytes, rows_sha256_of

PRIVATE_GOLD, SALTS = "private/gold.jsonl", "private/salts.jsonl"


def committed_bytes(folder: Path, manifest: Mapping[str, Any], path: str = PRIVATE_GOLD) -> bytes:
    """The bytes of a private file; Refused where it is not there, or not the one that the manifest committed to:
    SHA-256 of the salt's 32 bytes and the hash over the hashes of its lines.
    """
    private = manifest.get("private")
    listed = private.get("files") if isinstance(private, dict) else None
    wanted = {entry.get("path"): entry.get("commitment") for entry in listed or () if isinstance(entry, dict)}
    if not (folder / path).is_file() or path not in wanted:
        raise Refused(N_("{name} holds no {file}: what is held out is scored where the private files are"),
                      code="no_file", name=folder.name, file=path, where=Where(file=str(folder / path)))
    data = read_bytes(folder / path)
    salts = {row.get("path"): row.get("salt") for _, row in json_lines(read_bytes(folder / SALTS), SALTS)}
    try:
        salt = bytes.fromhex(str(salts.get(path, "")))
    except ValueError:
        salt = b""
    made = hashlib.sha256(salt + bytes.fromhex(rows_sha256_of(data))).hexdigest()
    if made != wanted[path]:
        raise Refused(N_("{file} is not the file that the manifest committed to; run verify"), code="hash", file=path,
                      where=Where(file=str(folder / path)))
    return data
