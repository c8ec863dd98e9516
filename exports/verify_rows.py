"""Checks the rows of a bundle: their shape, their order, their ids, and what one file says about another.

All files are read side by side, item by item, since all are in the order of ids. So memory holds the rows of one
item, all people, twelve bytes an item (its cluster and split) and a hundred a picture, however many items there are.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from annotation.collecting import no_collecting
from annotation.errors import ProtocolError
from annotation.protocol import Protocol, loads
from exports.faults import Fault, Faults
from exports.verify_item import COMMITMENTS, ITEMS, PRIVATE, SAID, SIGNOFFS, SOFT, Items, Rows
from exports.verify_kept import BASELINE, HOURS, Kept
from exports.verify_lines import SALTS, Numbered, Reader, Row, Unsorted

ANNOTATORS, MODEL, PROTOCOL = "public/annotators.jsonl", "public/model.json", "public/protocol.yaml"
BY_ITEM = (ITEMS, *(path for path, _ in SAID), PRIVATE, SIGNOFFS, SOFT, COMMITMENTS, SALTS)
# Under which question a fault is told, in this order; those of rows under their file.
GOLD = tuple(f"gold of {path}" for path, name in SAID if name == "gold")
ORDER = (PROTOCOL, ITEMS, ANNOTATORS, *(path for path, _ in SAID), PRIVATE, SIGNOFFS, *GOLD, MODEL, "people", "splits",
         "clusters", SOFT, HOURS, BASELINE)


def check_rows(folder: Path, there: frozenset[str], head: Mapping[str, Any], faults: list[Fault]) -> Book:
    """Append the faults of all rows; returns what was read."""
    with no_collecting():
        try:
            book = Book(folder, there, head)
            book.check()
        except Unsorted:  # begun anew, with rows put in order on disk, which takes longer
            book = Book(folder, there, head, sorts=True)
            book.check()
    faults += book.faults.told()
    return book


class Book:
    """Reads a bundle once. ``count`` rows, ``stones`` of them tombstones, of items whose pictures (``gone_pictures``)
    need not be there. ``sorts``: rows are out of order, and put in order.
    """

    def __init__(self, folder: Path, there: frozenset[str], head: Mapping[str, Any], *, sorts: bool = False) -> None:
        self.folder, self.there, self.head, self.sorts = folder, there, head, sorts
        self.faults = Faults()
        for question in ORDER:
            self.faults[question]
        self.people: dict[str, Row] = {}
        self.gone_pictures: frozenset[str] = frozenset()
        self._readers: dict[str, Reader] = {}
        self._named, self._gone = set[bytes](), set[bytes]()
        self._clusters, self._splits, self._numbers = array("Q"), array("I"), dict[str, int]()

    @property
    def count(self) -> int:
        return sum(one.count for one in self._readers.values())

    @property
    def stones(self) -> int:
        return sum(one.stones for one in self._readers.values())

    def check(self) -> None:
        protocol = self._protocol()
        for number, row in self._rows(ANNOTATORS):
            self.people[row["annotator"]] = {**row, "_line": number}
        held = frozenset((self.head.get("private") or {}).get("held_out", []))
        kept = Kept(held, self.faults, opened="private/gold.jsonl" in self.there)
        items = Items(protocol, self.head, self.people, kept, self.faults)
        for rows in side_by_side({path: self._rows(path) for path in BY_ITEM}):
            item, gone = items.take(rows)
            if item is not None:
                self._item(item)
            elif gone is not None:
                self._gone |= {bytes.fromhex(one) for one in gone["media"]}
        if protocol is not None:
            self._model(protocol)
        self._counts(items)
        sums = {path: [*self._rows(path)] for path in (HOURS, BASELINE)}
        kept.check_sums(sums, complete=not self.stones)
        if self.head:
            kept.check_counts(self.head)
        self._media()

    def _rows(self, path: str) -> Iterator[Numbered]:
        if path not in self.there:
            return iter(())
        self._readers[path] = Reader(self.folder, path, self.faults[path], sorts=self.sorts)
        return self._readers[path].rows()

    def _protocol(self) -> Protocol | None:
        if PROTOCOL not in self.there:
            return None
        try:
            return loads((self.folder / PROTOCOL).read_text(encoding="utf-8"), PROTOCOL)
        except (ProtocolError, UnicodeDecodeError) as fault:
            self._fault(PROTOCOL, "bad_field", PROTOCOL, None, None, f"the protocol cannot be read: {fault}")
            return None

    def _item(self, row: Row) -> None:
        cluster = row["cluster"]
        if cluster is not None:
            self._clusters.append(_mark(cluster))
            self._splits.append(self._numbers.setdefault(row["split"], len(self._numbers)))
        for one in row["media"]:
            if one["sha256"] is not None:
                self._named.add(bytes.fromhex(one["sha256"]))
            elif self.head and self.head["kind"] == "final":
                self._fault("pictures", "missing_file", ITEMS, None, row["id"],
                            "a picture of a final release is missing")

    def _counts(self, items: Items) -> None:
        for name, row in self.people.items():
            found = items.worked[name]
            if row["items"] != found:
                self._fault("people", "count", ANNOTATORS, row["_line"], name,
                            f"{name} worked on {found} items, not {row['items']}")
        if self.head and ITEMS in self.there and dict(items.splits) != self.head["splits"]:
            self._fault("splits", "count", "manifest.json", None, None, "the splits of the items are not those stated")
        where: dict[str, str] = {}
        torn = self._torn()
        for row in self._readers[ITEMS].again() if torn else ():
            if row["cluster"] is not None and "tombstone" not in row and _mark(row["cluster"]) in torn and (
                    where.setdefault(row["cluster"], row["split"]) != row["split"]):
                self._fault("clusters", "bad_field", ITEMS, None, row["id"],
                            "the items of one cluster stand in two splits")

    def _torn(self) -> frozenset[int]:
        """Marks of clusters that seem to stand in several splits."""
        marks, splits = np.array(self._clusters, copy=False), np.array(self._splits, copy=False)
        if not len(marks) or (splits == splits[0]).all():
            return frozenset()
        by = np.argsort(marks, kind="stable")
        marks, splits = marks[by], splits[by]
        return frozenset(marks[1:][(marks[1:] == marks[:-1]) & (splits[1:] != splits[:-1])].tolist())

    def _model(self, protocol: Protocol) -> None:
        """model.json says what the model part of the protocol says."""
        if (MODEL in self.there) != (protocol.model is not None):
            self._fault(MODEL, "extra_file" if MODEL in self.there else "missing_file", MODEL, None, None,
                        "what models are asked stands in one of protocol and model.json alone")
        elif protocol.model is not None:
            raw, reader = (self.folder / MODEL).read_bytes(), Reader(self.folder, MODEL, self.faults[MODEL])
            row = reader.parsed(1, raw.removesuffix(b"\n"))
            if row is not None and reader.shaped(1, row) and row != protocol.model.model_dump(mode="json"):
                self._fault(MODEL, "bad_field", MODEL, 1, None, "what models are asked is not what the protocol says")

    def _media(self) -> None:
        self.gone_pictures = frozenset(one.hex() for one in self._gone - self._named)
        there = {bytes.fromhex(stem): path for stem, path in self._pictures() if is_hash(stem)}
        for sha256 in sorted(self._named - there.keys()):
            self._fault("pictures", "missing_file", f"public/media/{sha256.hex()}", None, None,
                        "a picture that an item names is missing")
        strange = [(stem, path) for stem, path in self._pictures()
                   if not is_hash(stem) or bytes.fromhex(stem) not in self._named]
        for _, path in sorted(strange):
            self._fault("pictures", "extra_file", path, None, None, "no item names this picture")

    def _pictures(self) -> Iterator[tuple[str, str]]:
        return ((Path(path).stem, path) for path in self.there if path.startswith("public/media/"))

    def _fault(self, question: str, code: str, file: str, number: int | None, id: str | None, message: str) -> None:
        self.faults[question].append(Fault(code, file, message, number, id))


def side_by_side(files: Mapping[str, Iterator[Numbered]]) -> Iterator[Rows]:
    """The rows of one id after the other, by file; in every file they are in the order of ids."""
    ahead = {path: one for path, rows in files.items() if (one := next(rows, None)) is not None}
    while ahead:
        least = min(row["id"] or "" for _, row in ahead.values())
        found: dict[str, list[Numbered]] = {}
        for path in [path for path, (_, row) in ahead.items() if (row["id"] or "") == least]:
            mine, rows, one = found.setdefault(path, []), files[path], ahead.pop(path)
            while (one[1]["id"] or "") == least:
                mine.append(one)
                following = next(rows, None)
                if following is None:
                    break
                one = following
            else:
                ahead[path] = one
        yield found


def is_hash(name: str) -> bool:
    return len(name) == 64 and not set(name) - set("0123456789abcdef")


def _mark(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
