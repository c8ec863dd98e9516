"""The files of a bundle that are not rows: made once when a release is drawn, and kept with it ever after.

A later Goldsmith words its card otherwise and has another scorer; a release drawn before stays the same bytes.
"""

from __future__ import annotations

import base64
import io
import lzma
import tarfile
from collections.abc import Iterable, Mapping
from typing import Any

from annotation.protocol import Protocol
from exports.card import Tally, card, citation, licence
from exports.changelog import changelog
from exports.frozen import Frozen
from exports.scorer_file import scorer_file
from exports.shapes import schema_files

FACT = "fixed"  # where they stand among the facts of a release
Row = Mapping[str, Any]


def fixed_files(frozen: Frozen, protocol: Protocol, tally: Tally, hours: Iterable[Row], baseline: Iterable[Row]
                ) -> dict[str, bytes]:
    """Path -> bytes: those kept with the release, or, while it is drawn, made now."""
    if FACT in frozen.facts:
        return unpacked(frozen.facts[FACT])
    return {"CARD.md": card(frozen, protocol, tally, hours, baseline), "CHANGELOG.md": changelog(frozen.facts),
            "CITATION.cff": citation(frozen), "LICENSE": licence(frozen.facts.get("about", {})),
            "scorer.pyz": scorer_file(), **schema_files()}


def packed(files: Mapping[str, bytes]) -> str:
    """The files as a text that JSON can hold: a tar archive, xz, base 64."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for path in sorted(files):
            about = tarfile.TarInfo(path)
            about.size = len(files[path])
            archive.addfile(about, io.BytesIO(files[path]))
    return base64.b64encode(lzma.compress(out.getvalue(), preset=6)).decode()


def unpacked(text: str) -> dict[str, bytes]:
    """What ``packed`` packed."""
    found = {}
    with tarfile.open(fileobj=io.BytesIO(lzma.decompress(base64.b64decode(text)))) as archive:
        for about in archive:
            file = archive.extractfile(about)
            assert file is not None  # nothing but plain files was packed
            found[about.name] = file.read()
    return found
