"""Checks the rows of a bundle: their shape, their order, their ids, and what one file says about another."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from annotation.errors import ProtocolError, Refused
from annotation.protocol import Protocol, loads
from exports.faults import Fault
from exports.rows import by_place, line
from exports.scorer.lines import parse
from exports.verify_gold import Said, check_gold

Row = dict[str, Any]
Kinds = tuple[type, ...]
PUBLIC_ID = re.compile(r"(?!\d+$)[A-Za-z0-9._-]{1,64}")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
NONE = type(None)
SHAPES: dict[str, dict[str, Kinds]] = {
    "public/items.jsonl": {
        "id": (str,), "key": (str,), "rev": (int,), "split": (str,), "cluster": (str, NONE), "slices": (dict,),
        "fields": (dict,), "choices": (dict,), "candidates": (list,), "media": (list,), "canary": (str,)},
    "public/gold.jsonl": {
        "id": (str,), "rev": (int,), "element": (str, NONE), "question": (str,), "answer": (object,), "rule": (str,),
        "n": (int,), "agreement": (dict, NONE), "standing": (str,), "signed": (bool,), "protocol": (str,),
        "frozen_at": (str,)},
    "public/annotations.jsonl": {
        "id": (str,), "rev": (int,), "element": (str, NONE), "question": (str,), "stage": (str,), "round": (str,),
        "annotator": (str,), "answer": (object,), "day": (str,), "seconds": (int, float), "shown": (str,),
        "shown_order": (list, NONE), "counts": (bool,)},
    "public/adjudications.jsonl": {
        "id": (str,), "element": (str, NONE), "question": (str,), "adjudicator": (str,), "inputs": (list,),
        "answer": (object,), "reason": (str, NONE), "day": (str,), "gold_before": (object,)},
    "public/annotators.jsonl": {"annotator": (str,), "kind": (str,), "roles": (list,), "items": (int,)},
    "private/items.jsonl": {"id": (str,), "fields": (dict,)},
}
UNIQUE: dict[str, tuple[str, ...]] = {
    "public/items.jsonl": ("id",), "public/gold.jsonl": ("id", "element", "question"),
    "public/annotations.jsonl": ("id", "element", "question", "stage", "round", "annotator"),
    "public/adjudications.jsonl": ("id", "element", "question"), "public/annotators.jsonl": ("annotator",),
    "private/items.jsonl": ("id",),
}
# What a tombstone says: which row stood here, and the hash of its line.
STONE: dict[str, Kinds] = {"tombstone": (str,), "day": (str,), "why": (str,)}
STONES: dict[str, dict[str, Kinds]] = {
    path: {**STONE, **{key: SHAPES[path][key] for key in (*UNIQUE[path], *more)}} for path, more in {
        "public/items.jsonl": ("split", "media"), "public/gold.jsonl": (), "public/annotations.jsonl": ("counts",),
        "public/adjudications.jsonl": ("adjudicator",)}.items()}
ITEMS, GOLD, ANNOTATIONS, ADJUDICATIONS, ANNOTATORS, PRIVATE = SHAPES


def check_rows(folder: Path, there: frozenset[str], head: Mapping[str, Any], faults: list[Fault]) -> Book:
    """Append the faults of all rows; returns what was read."""
    book = Book(folder, there, head, faults)
    book.check()
    return book


class Book:
    """What was read so far, so that later files can be held against it.

    ``count`` rows, ``stones`` of them tombstones, of items whose pictures (``gone_pictures``) need not be there.
    """

    def __init__(self, folder: Path, there: frozenset[str], head: Mapping[str, Any], faults: list[Fault]) -> None:
        self.folder, self.there, self.head, self.faults = folder, there, head, faults
        self.items: dict[str, Row] = {}
        self.people: dict[str, Row] = {}
        self.worked: dict[str, set[str]] = {}
        self.said = Said()
        self.count = self.stones = 0
        self.gone: dict[str, Row] = {}
        self.gone_pictures: frozenset[str] = frozenset()

    def check(self) -> None:
        protocol = self._protocol()
        for number, row in self._rows(ITEMS):
            self._item(number, row)
        for _, row in self._rows(ANNOTATORS):
            self.people[row["annotator"]] = row
        for number, row in self._rows(ANNOTATIONS):
            self._annotation(number, row)
        for number, row in self._rows(ADJUDICATIONS):
            self._adjudication(number, row)
        for number, row in self._rows(GOLD):
            self._gold(number, row)
        for number, row in self._rows(PRIVATE):
            self._known(PRIVATE, number, row)
        if protocol is not None:
            check_gold(protocol, self.items, self.said, self.faults)
        self._counts()
        self._media()

    def _protocol(self) -> Protocol | None:
        path = "public/protocol.yaml"
        if path not in self.there:
            return None
        try:
            return loads((self.folder / path).read_text(encoding="utf-8"), path)
        except (ProtocolError, UnicodeDecodeError) as fault:
            self.faults.append(Fault("bad_field", path, f"the protocol cannot be read: {fault}"))
            return None

    # --- reading ---------------------------------------------------------------------------------

    def _rows(self, path: str) -> Iterator[tuple[int, Row]]:
        """Rows whose shape is right, each with its line; everything else is a fault."""
        if path not in self.there:
            return
        seen: dict[tuple[str, ...], int] = {}
        last: tuple[str, ...] = ()
        raw = (self.folder / path).read_bytes()
        lines = raw.split(b"\n")
        if raw and lines[-1]:
            self._fault("not_canonical", path, len(lines), None, "the last line does not end with a line feed")
        for number, one in enumerate(lines if lines[-1] else lines[:-1], 1):
            self.count += 1
            row = self._parsed(path, number, one)
            if row is None or not self._shaped(path, number, row):
                continue
            place = by_place(row)
            if place < last:
                self._fault("not_canonical", path, number, row.get("id"), "the rows are not in order")
            last = max(place, last)
            mine = tuple(_fold(row.get(key)) for key in UNIQUE[path])
            if mine in seen:
                self._fault("duplicate_id", path, number, row.get("id") or row.get("annotator"),
                            f"the same stands in line {seen[mine]}")
                continue
            seen[mine] = number
            self.stones += "tombstone" in row
            yield number, row

    def _parsed(self, path: str, number: int, raw: bytes) -> Row | None:
        try:
            row = parse(raw.decode())
            same = line(row) == raw + b"\n"
        except (UnicodeDecodeError, Refused) as fault:
            self._fault("bad_json", path, number, None, str(fault))
            return None
        if not isinstance(row, dict):
            self._fault("bad_json", path, number, None, "the line is not a JSON object")
            return None
        if not same:
            self._fault("not_canonical", path, number, row.get("id"), "the line is not canonical JSON")
        return row

    def _shaped(self, path: str, number: int, row: Row) -> bool:
        bad = [key for key, kinds in shape_of(path, row).items() if key not in row or not isinstance(row[key], kinds)
               or (isinstance(row[key], bool) and not {bool, object} & set(kinds))]
        if "id" in SHAPES[path] and "id" not in bad and not PUBLIC_ID.fullmatch(row["id"]):
            bad.append("id")
        if "day" in row and "day" not in bad and not DAY.fullmatch(row["day"]):
            bad.append("day")
        for key in bad:
            self._fault("bad_field", path, number, row.get("id"), f"'{key}' is missing or not of its kind")
        return not bad

    # --- one file against another ----------------------------------------------------------------

    def _item(self, number: int, row: Row) -> None:
        if "tombstone" in row:
            self.gone[row["id"]] = row
            return
        self.items[row["id"]] = row
        if self.head and (not self.head["canary"] or row["canary"] != self.head["canary"]):
            self._fault("canary", ITEMS, number, row["id"], "the canary is not that of the manifest")
        ids = [one.get("id") for value in row["fields"].values() if isinstance(value, list)
               for one in value if isinstance(one, dict)]
        for one in row["candidates"]:
            if one not in ids:
                self._fault("unknown_id", ITEMS, number, row["id"], f"the candidate {one} is not in the fields")
        for name, options in row["choices"].items():
            if not isinstance(options, list) or not all(
                    isinstance(one, dict) and isinstance(one.get("id"), str) for one in options):
                self._fault("bad_field", ITEMS, number, row["id"], f"the choices of {name} are not a list of ids")

    def _known(self, path: str, number: int, row: Row, person: str | None = None) -> bool:
        if row["id"] not in self.items and row["id"] not in self.gone:
            self._fault("unknown_id", path, number, row["id"], "there is no such item")
            return False
        if person is not None and row[person] not in self.people:
            self._fault("unknown_id", path, number, row["id"], f"there is no annotator '{row[person]}'")
        return True

    def _annotation(self, number: int, row: Row) -> None:
        if self._known(ANNOTATIONS, number, row, "annotator"):
            self.worked.setdefault(row["annotator"], set()).add(row["id"])
            if self._is_gone(ANNOTATIONS, number, row):
                return
            if row["counts"] or row["rev"] == self.items[row["id"]]["rev"]:  # an earlier text had other choices
                self._fits(ANNOTATIONS, number, row)
            self.said.annotation(row)

    def _adjudication(self, number: int, row: Row) -> None:
        if self._known(ADJUDICATIONS, number, row, "adjudicator"):
            self.worked.setdefault(row["adjudicator"], set()).add(row["id"])
            if self._is_gone(ADJUDICATIONS, number, row):
                return
            self._fits(ADJUDICATIONS, number, row)
            for one in row["inputs"]:
                if not isinstance(one, dict) or one.get("annotator") not in self.people:
                    self._fault("unknown_id", ADJUDICATIONS, number, row["id"], "an input is of no annotator")
            self.said.adjudication(row)

    def _gold(self, number: int, row: Row) -> None:
        if self._known(GOLD, number, row) and not self._is_gone(GOLD, number, row):
            self._fits(GOLD, number, row)
            if self.head and row["protocol"] != self.head["protocol"].get("sha256"):
                self._fault("bad_field", GOLD, number, row["id"], "the protocol is not that of the manifest")
            if row["rev"] != self.items[row["id"]]["rev"]:
                self._fault("bad_field", GOLD, number, row["id"], "rev is not that of the item")
            self.said.gold(number, row)

    def _is_gone(self, path: str, number: int, row: Row) -> bool:
        """Whether a tombstone stands here; of an item that was taken out every row is one."""
        if "tombstone" in row:
            self.said.lost(row)
        elif row["id"] in self.gone:
            self._fault("bad_field", path, number, row["id"], "the item was taken out, and this row of it stands")
        return "tombstone" in row or row["id"] in self.gone

    def _fits(self, path: str, number: int, row: Row) -> None:
        """An answer to a question with a closed list is one of it."""
        options = self.items[row["id"]]["choices"].get(row["question"])
        if not isinstance(options, list) or row["answer"] is None or row.get("withheld") is True:
            return
        known = {one.get("id") for one in options if isinstance(one, dict)}
        answers = row["answer"] if isinstance(row["answer"], list) else [row["answer"]]
        if not all(isinstance(one, str) and one in known for one in answers):
            self._fault("bad_field", path, number, row["id"], f"the answer to {row['question']} is none of the choices")

    def _counts(self) -> None:
        for name, row in self.people.items():
            found = len(self.worked.get(name, ()))
            if row["items"] != found:
                self._fault("count", ANNOTATORS, None, name, f"{name} worked on {found} items, not {row['items']}")
        if self.head and ITEMS in self.there:
            splits = Counter(row["split"] for row in (*self.items.values(), *self.gone.values()))
            if dict(splits) != self.head["splits"]:
                self._fault("count", "manifest.json", None, None, "the splits of the items are not those stated")
        where: dict[str, str] = {}
        for row in self.items.values():
            if row["cluster"] is not None and where.setdefault(row["cluster"], row["split"]) != row["split"]:
                self._fault("bad_field", ITEMS, None, row["id"], "the items of one cluster stand in two splits")

    def _media(self) -> None:
        named = set()
        for row in self.items.values():
            for one in row["media"]:
                if not isinstance(one, dict) or not {"field", "element", "sha256"} <= one.keys():
                    self._fault("bad_field", ITEMS, None, row["id"], "a row of media lacks a key")
                elif one["sha256"] is None:
                    if self.head and self.head["kind"] == "final":
                        self._fault("missing_file", ITEMS, None, row["id"], "a picture of a final release is missing")
                else:
                    named.add(one["sha256"])
        self.gone_pictures = frozenset(
            one for row in self.gone.values() for one in row["media"] if isinstance(one, str)) - named
        there = {Path(path).stem: path for path in self.there if path.startswith("public/media/")}
        for sha256 in sorted(named - there.keys()):
            self._fault("missing_file", f"public/media/{sha256}", None, None, "a picture that an item names is missing")
        for sha256 in sorted(there.keys() - named):
            self._fault("extra_file", there[sha256], None, None, "no item names this picture")

    def _fault(self, code: str, file: str, number: int | None, id: str | None, message: str) -> None:
        self.faults.append(Fault(code, file, message, number, id if isinstance(id, str) else None))


def shape_of(path: str, row: Mapping[str, Any]) -> dict[str, Kinds]:
    return STONES[path] if "tombstone" in row and path in STONES else SHAPES[path]


def _fold(value: Any) -> str:
    return unicodedata.normalize("NFC", str(value or "")).casefold()


