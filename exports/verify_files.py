"""Checks the files of a bundle against its checksums and its manifest, and names the line that changed.

Of each line eight bytes are kept, and of a file that changed eight more.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import Any

from annotation.errors import Refused
from exports.commitments import commitment
from exports.faults import Fault
from exports.rows import line
from exports.scorer.lines import TOMBSTONE, named_hash, parse
from exports.shapes import lacking
from exports.sinks import HASHES, PREFIX, places, row_at

SUMS, MANIFEST, LINES = "SHA256SUMS", "manifest.json", "public/lines.jsonl"
SALTS, PRIVATE_LINES = "private/salts.jsonl", "private/lines.jsonl"
MEDIA, BINARY = "public/media/", "scorer.pyz"
NEEDED = ("CARD.md", "CHANGELOG.md", "CITATION.cff", "LICENSE", MANIFEST, SUMS, BINARY, "public/protocol.yaml", *(
    f"public/{name}.jsonl" for name in (
        "adjudications", "annotations", "annotators", "baseline", "commitments", "gold", "hours", "items", "lines",
        "signoffs", "soft_labels")))
MOST = 20  # lines named of one file


@dataclass(slots=True)
class Found:
    """What one file that is there holds. ``rows_sha256``: over its lines' hashes, a tombstone standing for its line;
    ``lines``: the first 8 bytes of each hash.
    """

    sha256: str = ""
    size: int = 0
    rows: int = 0
    rows_digest: bytes = b""
    lines: bytearray = field(default_factory=bytearray)
    stones: int = 0

    @property
    def rows_sha256(self) -> str:
        return self.rows_digest.hex()


def paths_of(folder: Path, faults: list[Fault]) -> list[str]:
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


def read(folder: Path, path: str) -> Found:
    """Hashes and size of one file; of a text file its lines too."""
    found, whole = Found(), hashlib.sha256()
    if path.startswith(MEDIA) or path == BINARY:
        with (folder / path).open("rb") as file:
            while piece := file.read(1 << 20):
                whole.update(piece)
                found.size += len(piece)
        found.sha256 = whole.hexdigest()
        return found
    rows = hashlib.sha256()
    with (folder / path).open("rb") as file:
        for raw in file:
            whole.update(raw)
            found.size += len(raw)
            found.rows += raw.endswith(b"\n")
            named = named_hash(raw) if TOMBSTONE in raw else None
            found.stones += named is not None
            digest = hashlib.sha256(raw).digest() if named is None else named
            rows.update(digest)
            found.lines += digest[:PREFIX]
    found.sha256, found.rows_digest = whole.hexdigest(), rows.digest()
    return found


class Files:
    """The files of one bundle, with what its manifest and its checksums say of each."""

    def __init__(self, folder: Path, faults: list[Fault], wanted: str | None) -> None:
        self.folder, self.faults = folder, faults
        self.there = {path: read(folder, path) for path in paths_of(folder, faults)}
        for path in NEEDED:
            if path not in self.there:
                self._fault("missing_file", path, f"{path} is missing")
        self.head = self._head(wanted)
        self.sums = self._sums()

    def check(self, gone_pictures: frozenset[str]) -> None:
        """``gone_pictures``: hashes of pictures of items that were taken out, which need not be there."""
        listed = {entry["path"]: entry for entry in self.head.get("files", ())}
        if self.head and len(listed) < len(self.head["files"]):
            self._fault("duplicate_id", MANIFEST, "a file stands twice in the manifest")
        private = {entry["path"]: entry["commitment"] for entry in self.head.get("private", {}).get("files", ())}
        right = {path: self._is_drawn(path, entry) for path, entry in listed.items() if path in self.there}
        right |= self._committed(private)
        for path in sorted({*listed, *self.sums} - self.there.keys()):
            if not (path.startswith(MEDIA) and Path(path).stem in gone_pictures):
                self._fault("missing_file", path, f"{path} is listed in {'the manifest' if path in listed else SUMS} "
                                                  "and missing")
            if path not in listed and path not in private and self.head:
                self._fault("missing_file", SUMS, f"{SUMS} lists a file that the manifest does not know",
                            self.sums[path][0], path)
        for path in self.there:
            if path not in self.sums and path != SUMS and self.sums:
                self._fault("extra_file", path, f"{path} is not listed in {SUMS}")
            if self.head and path not in listed and path not in private and path not in (
                    MANIFEST, SUMS, SALTS, PRIVATE_LINES):
                self._fault("extra_file", path, f"{path} is not listed in the manifest")
            self._blame(path, right.get(path))
        for path, entry in listed.items():
            self._count(path, entry)
        self._locate(LINES, [path for path in listed if path in self.there], right)
        if PRIVATE_LINES in self.there:
            self._locate(PRIVATE_LINES, [path for path in (*private, SALTS) if path in self.there], right)

    # --- one file --------------------------------------------------------------------------------

    def _is_drawn(self, path: str, entry: Mapping[str, Any]) -> bool:
        found = self.there[path]
        return found.sha256 == entry["sha256"] or (found.stones > 0 and found.rows_sha256 == entry.get("rows_sha256"))

    def _blame(self, path: str, right: bool | None) -> None:
        """``right``: whether the manifest has this file; None where it says nothing of it.

        Where manifest and checksums differ, the file is sound by one of them, and the other one is at fault.
        """
        number, digest = self.sums.get(path, (None, None))
        in_sums = digest is None or digest == self.there[path].sha256
        if right is False:
            is_private = path.startswith("private/")
            self._fault("commitment" if is_private else "hash", path,
                        f"{path} is not the file that the manifest {'commits to' if is_private else 'lists'}")
        if not in_sums and right is not True:
            self._fault("hash", path, f"{path} is not the file that {SUMS} lists")
        if not in_sums and right is not False:
            self._fault("hash", SUMS, f"line {number} does not have the hash of {path}", number, path)

    def _count(self, path: str, entry: Mapping[str, Any]) -> None:
        found = self.there.get(path)
        if found is None:
            return
        if found.size != entry["bytes"] and not found.stones:
            self._fault("count", path, f"{path} has {found.size} bytes, the manifest says {entry['bytes']}")
        rows = found.rows if path.endswith(".jsonl") else None
        if rows != entry["rows"]:
            self._fault("count", path, f"{path} has {rows} rows, the manifest says {entry['rows']}")
        if path.endswith(".jsonl") and entry.get("rows_sha256") != found.rows_sha256:
            self._fault("rows_hash", MANIFEST if self._is_drawn(path, entry) else path,
                        f"the lines of {path} are not those of the manifest's rows_sha256", None, path)

    def _committed(self, private: Mapping[str, str]) -> dict[str, bool]:
        salts = {}
        for row in self._rows(SALTS):
            if isinstance(row, dict) and isinstance(row.get("path"), str) and isinstance(row.get("salt"), str):
                salts[row["path"]] = row["salt"]
        there = [path for path in private if path in self.there]
        if there and SALTS not in self.there:
            self._fault("missing_file", SALTS, "the salts of the private files are missing")
            return {}
        found = {}
        for path in there:
            try:
                found[path] = commitment(salts.get(path, ""), self.there[path].rows_digest) == private[path]
            except ValueError:  # no hexadecimal digits
                found[path] = False
            if not found[path]:
                self._fault("commitment", SALTS, f"with the salt of {path} the manifest's commitment does not follow",
                            self._line_of(SALTS, path), path)
        return found

    def _line_of(self, file: str, path: str) -> int | None:
        return next((number for number, row in enumerate(self._rows(file), 1)
                     if isinstance(row, dict) and row.get("path") == path), None)

    # --- which line ------------------------------------------------------------------------------

    def _locate(self, file: str, paths: list[str], right: Mapping[str, bool]) -> None:
        """Name the lines of files that changed, by the hashes in ``file``; its own rows by the files that did not."""
        if file not in self.there:
            return
        texts = [path for path in paths if path not in (LINES, PRIVATE_LINES, BINARY) and not path.startswith(MEDIA)]
        if right.get(file) is not True:
            self._locate_rows(file, texts, {path for path in texts if right.get(path, path == SALTS)})
            if right.get(file) is False:
                return
        for path in self._differing(file, texts):
            old, new = self._stated(file, path), self.there[path].lines
            for number, what in changed_lines(old, new):
                self._fault("line", path, what, number, self._id_at(path, number))

    def _locate_rows(self, file: str, texts: list[str], sound: set[str]) -> None:
        """Name the rows of ``file`` that are not those of the files that are sound."""
        lines = {path: self.there[path].lines for path in sound}
        made = {(path, first): n for n, (path, first) in enumerate(places(lines), 1)}
        number, last, met = 0, ("", 0), set[tuple[str, int]]()
        for number, row in enumerate(self._rows(file), 1):
            place = ("", 0) if row is None or lacking(file, row) else (row["path"], row["first"])
            if place[0] in sound or place[0] not in texts:
                fits = place in made and place not in met and row == row_at(lines[place[0]], *place)
                met.add(place)
            else:
                fits = row is not None
            if not fits or place <= last:
                self._fault("line", file, "the hashes of these lines are not those of the file", number,
                            place[0] or None)
            last = max(place, last)
        for path, first in sorted(made.keys() - met):
            self._fault("line", file, f"the hashes of {path} from line {first} are missing",
                        made[path, first] if len(sound) == len(texts) else number + 1, path)

    def _hashes(self, file: str, paths: Collection[str]) -> Iterator[tuple[str, bytes]]:
        """Path and hashes of the sound rows of ``file`` about these files."""
        for row in self._rows(file):
            if isinstance(row, dict) and row.get("path") in paths and not lacking(file, row):
                yield row["path"], bytes.fromhex("".join(row["hashes"]))

    def _differing(self, file: str, texts: list[str]) -> list[str]:
        """Whose lines are not those that ``file`` states."""
        at, differing = dict.fromkeys(texts, 0), set()
        for path, hashes in self._hashes(file, frozenset(texts)):
            end = at[path] + len(hashes)
            if self.there[path].lines[at[path]:end] != hashes:
                differing.add(path)
            at[path] = end
        return [path for path in texts if path in differing or at[path] != len(self.there[path].lines)]

    def _stated(self, file: str, path: str) -> bytes:
        return b"".join([hashes for _, hashes in self._hashes(file, (path,))])

    def _id_at(self, path: str, number: int) -> str | None:
        if not path.endswith(".jsonl"):
            return None
        with (self.folder / path).open("rb") as file:
            row = _value(next(islice(file, number - 1, None), b""))
        found = (row.get("id") or row.get("annotator")) if isinstance(row, dict) else None
        return found if isinstance(found, str) else None

    def _rows(self, path: str) -> Iterator[Any]:
        """The value of each line, None where it is no JSON."""
        if path not in self.there:
            return
        with (self.folder / path).open("rb") as file:
            yield from map(_value, file)

    # --- the two lists ---------------------------------------------------------------------------

    def _head(self, wanted: str | None) -> dict[str, Any]:
        """The manifest where its keys can be relied on, else {}."""
        if MANIFEST not in self.there:
            return {}
        sha256 = self.there[MANIFEST].sha256
        if wanted is not None and wanted.strip().lower() != sha256:
            self._fault("manifest_hash", MANIFEST, f"the manifest's SHA-256 is {sha256}, not {wanted.strip().lower()}")
        raw = (self.folder / MANIFEST).read_bytes()
        try:
            head = parse(raw.decode())
        except (UnicodeDecodeError, Refused) as fault:
            self._fault("bad_json", MANIFEST, f"{MANIFEST}: {fault}", 1)
            return {}
        if not isinstance(head, dict):
            self._fault("bad_json", MANIFEST, f"{MANIFEST} is not a JSON object", 1)
            return {}
        if line(head) != raw:
            self._fault("not_canonical", MANIFEST, f"{MANIFEST} is not canonical JSON", 1)
        bad = lacking(MANIFEST, head)
        for key in bad:
            self._fault("bad_field", MANIFEST, f"{MANIFEST}: '{key}' is missing, unknown or not of its kind", 1)
        return {} if bad else head

    def _sums(self) -> dict[str, tuple[int, str]]:
        """Path -> (line, hash)."""
        if SUMS not in self.there:
            return {}
        listed: dict[str, tuple[int, str]] = {}
        lines = (self.folder / SUMS).read_bytes().decode(errors="replace").split("\n")
        if lines[-1] != "":
            self._fault("not_canonical", SUMS, f"{SUMS} does not end with a line feed", len(lines))
        last = ""
        for number, one in enumerate(lines if lines[-1] else lines[:-1], 1):
            digest, gap, path = one[:64], one[64:66], one[66:]
            if gap != "  " or not path or len(digest) < 64 or set(digest) - set("0123456789abcdef"):
                self._fault("bad_field", SUMS, f"line {number} is not 'HEX  PATH'", number)
            elif path in listed:
                self._fault("duplicate_id", SUMS, f"{path} stands twice", number, path)
            else:
                listed[path] = (number, digest)
            if path < last:
                self._fault("not_canonical", SUMS, f"{SUMS} is not sorted by path", number)
            last = max(path, last)
        if not listed:
            self._fault("bad_field", SUMS, f"{SUMS} lists no file", 1)
        if MANIFEST in self.there and MANIFEST in listed and listed[MANIFEST][1] != self.there[MANIFEST].sha256:
            self._fault("hash", MANIFEST, f"{MANIFEST} is not the file that {SUMS} lists", 1)
        return listed

    def _fault(self, code: str, file: str, message: str, line: int | None = None, id: str | None = None) -> None:
        self.faults.append(Fault(code, file, message, line, id))


def _value(raw: bytes) -> Any:
    """The value of a line, None where it is no JSON."""
    try:
        return parse(raw.decode())
    except (UnicodeDecodeError, Refused):
        return None


def changed_lines(stated: bytes | bytearray, found: bytes | bytearray) -> list[tuple[int, str]]:
    """(line, what) of the first lines that differ; both are the first 8 bytes of each line's hash."""
    old, new = memoryview(stated).cast("Q"), memoryview(found).cast("Q")
    start = next((n for n, (one, other) in enumerate(zip(old, new, strict=False)) if one != other),
                 min(len(old), len(new)))
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if len(old) == len(new):
        return [*islice(((start + n + 1, "this line is not the one that was released")
                         for n, (one, other) in enumerate(zip(old, new, strict=True)) if one != other), MOST)]
    if max(len(old), len(new)) > 50 * HASHES:
        return [(start + 1, "from here on the lines are not those that were released")]
    told: list[tuple[int, str]] = []
    for kind, a, b, c, d in SequenceMatcher(None, old.tolist(), new.tolist(), autojunk=False).get_opcodes():
        if kind == "delete":
            told.append((start + c + 1, f"{b - a} lines are missing before this one" if b - a > 1 else
                         "a line is missing before this one"))
        elif kind != "equal":
            told += [(start + n + 1, "this line is not one that was released") for n in range(c, d)]
    return told[:MOST]
