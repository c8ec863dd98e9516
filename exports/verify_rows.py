"""Checks the rows of a bundle: their shape, their order, their ids, and what one file says about another."""

from __future__ import annotations

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
from exports.shapes import BY_PATH, lacking
from exports.verify_gold import Said, check_gold
from exports.verify_kept import Kept

Row = dict[str, Any]
ITEMS, ANNOTATORS, SIGNOFFS = "public/items.jsonl", "public/annotators.jsonl", "public/signoffs.jsonl"
COMMITMENTS, SALTS, PRIVATE = "public/commitments.jsonl", "private/salts.jsonl", "private/items.jsonl"
MODEL = "public/model.json"


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
        self._texts: dict[str, str] = {}
        self.count = self.stones = 0
        self.gone: dict[str, Row] = {}
        self.kept = Kept(frozenset(), self.items, self.gone, faults)
        self.gone_pictures: frozenset[str] = frozenset()

    def check(self) -> None:
        protocol = self._protocol()
        held = (self.head.get("private") or {}).get("held_out", [])
        self.kept = Kept(frozenset(held), self.items, self.gone, self.faults)
        for number, row in self._rows(ITEMS):
            self._item(number, row)
        for number, row in self._rows(ANNOTATORS):
            self.people[row["annotator"]] = {**row, "_line": number}
        for home in ("public", "private"):
            for name, take in (("annotations", self._annotation), ("adjudications", self._adjudication),
                               ("gold", self._gold)):
                for number, row in self._rows(path := f"{home}/{name}.jsonl"):
                    take(path, number, row)
        for number, row in self._rows(PRIVATE):
            self._known(PRIVATE, number, row)
        for number, row in self._rows(SIGNOFFS):
            self._known(SIGNOFFS, number, row, "signer")
        if protocol is not None:
            check_gold(protocol, self.items, self.said, self.faults)
            self._model(protocol)
        self._counts()
        self.kept.check_sums({path: [*self._rows(path)] for path in Kept.SUMS if path in self.there},
                             complete=not self.stones)
        self.kept.check_commitments([*self._rows(COMMITMENTS)], [*self._rows(SALTS)], self.head,
                                    opened="private/gold.jsonl" in self.there)
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
        for number, raw in enumerate(_lines(self.folder / path), 1):
            self.count += 1
            if not raw.endswith(b"\n"):
                self._fault("not_canonical", path, number, None, "the last line does not end with a line feed")
            row = self._parsed(path, number, raw.removesuffix(b"\n"))
            if row is None or not self._shaped(path, number, row):
                continue
            place = order(path, row)
            if place < last:
                self._fault("not_canonical", path, number, row.get("id"), "the rows are not in order")
            last = max(place, last)
            mine = tuple(_fold(row.get(key)) for key in BY_PATH[path].unique)
            if mine in seen:
                self._fault("duplicate_id", path, number, row.get("id") or row.get("annotator"),
                            f"the same stands in line {seen[mine]}")
                continue
            seen[mine] = number
            self.stones += "tombstone" in row
            yield number, self._lean(row)

    def _lean(self, row: Row) -> Row:
        """The same row with one object for equal texts: rows repeat keys, ids and words, and all are kept."""
        one = self._texts.setdefault
        return {one(key, key): one(value, value) if type(value) is str and key != "nonce" else value
                for key, value in row.items()}

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
        bad = lacking(path, row)
        for key in bad:
            self._fault("bad_field", path, number, row.get("id") or row.get("annotator"),
                        f"'{key}' is missing, unknown or not of its kind")
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

    def _known(self, path: str, number: int, row: Row, person: str | None = None) -> bool:
        if row["id"] not in self.items and row["id"] not in self.gone:
            self._fault("unknown_id", path, number, row["id"], "there is no such item")
            return False
        if person is not None and row[person] not in self.people:
            self._fault("unknown_id", path, number, row["id"], f"there is no annotator '{row[person]}'")
        return True

    def _annotation(self, path: str, number: int, row: Row) -> None:
        if self._known(path, number, row, "annotator"):
            if path.startswith("public/"):
                self.worked.setdefault(row["annotator"], set()).add(row["id"])
            if self._is_gone(path, number, row):
                return
            if row["counts"] or row["rev"] == self.items[row["id"]]["rev"]:  # an earlier text had other choices
                self._fits(path, number, row)
            self.said.annotation(row)
            self.kept.take("annotations", path, number, row)

    def _adjudication(self, path: str, number: int, row: Row) -> None:
        if self._known(path, number, row, "adjudicator"):
            if path.startswith("public/"):
                self.worked.setdefault(row["adjudicator"], set()).add(row["id"])
            if self._is_gone(path, number, row):
                return
            self._fits(path, number, row)
            for one in row["inputs"]:
                if one["annotator"] not in self.people:
                    self._fault("unknown_id", path, number, row["id"], "an input is of no annotator")
            self.said.adjudication(row)
            self.kept.take("adjudications", path, number, row)

    def _gold(self, path: str, number: int, row: Row) -> None:
        if "tombstone" in row:
            self.kept.lost.add((row["id"], row["element"], row["question"]))
        if self._known(path, number, row) and not self._is_gone(path, number, row):
            self._fits(path, number, row)
            if self.head and row["protocol"] != self.head["protocol"].get("sha256"):
                self._fault("bad_field", path, number, row["id"], "the protocol is not that of the manifest")
            if row["rev"] != self.items[row["id"]]["rev"]:
                self._fault("bad_field", path, number, row["id"], "rev is not that of the item")
            if self.head and row["frozen_at"] != self.head["created"]:
                self._fault("bad_field", path, number, row["id"], "it was not frozen when the release was drawn")
            self.said.gold(path, number, row)
            self.kept.take("gold", path, number, row)

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
        if not isinstance(options, list) or row["answer"] is None:
            return  # what is kept back whole; a verdict whose reason is kept back still names its choice
        known = {one.get("id") for one in options if isinstance(one, dict)}
        answers = row["answer"] if isinstance(row["answer"], list) else [row["answer"]]
        if not all(isinstance(one, str) and one in known for one in answers):
            self._fault("bad_field", path, number, row["id"], f"the answer to {row['question']} is none of the choices")

    def _counts(self) -> None:
        for name, row in self.people.items():
            found = len(self.worked.get(name, ()))
            if row["items"] != found:
                self._fault("count", ANNOTATORS, row["_line"], name, 
                            f"{name} worked on {found} items, not {row['items']}")
        if self.head and ITEMS in self.there:
            splits = Counter(row["split"] for row in (*self.items.values(), *self.gone.values()))
            if dict(splits) != self.head["splits"]:
                self._fault("count", "manifest.json", None, None, "the splits of the items are not those stated")
        where: dict[str, str] = {}
        for row in self.items.values():
            if row["cluster"] is not None and where.setdefault(row["cluster"], row["split"]) != row["split"]:
                self._fault("bad_field", ITEMS, None, row["id"], "the items of one cluster stand in two splits")

    def _model(self, protocol: Protocol) -> None:
        """model.json says what the model part of the protocol says."""
        if (MODEL in self.there) != (protocol.model is not None):
            self._fault("extra_file" if MODEL in self.there else "missing_file", MODEL, None, None,
                        "what models are asked stands in one of protocol and model.json alone")
        elif protocol.model is not None:
            raw = (self.folder / MODEL).read_bytes()
            row = self._parsed(MODEL, 1, raw.removesuffix(b"\n"))
            if row is not None and self._shaped(MODEL, 1, row) and row != protocol.model.model_dump(mode="json"):
                self._fault("bad_field", MODEL, 1, None, "what models are asked is not what the protocol says")

    def _media(self) -> None:
        named = set()
        for row in self.items.values():
            for one in row["media"]:
                if one["sha256"] is None:
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


def order(path: str, row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Where a row stands in its file."""
    if path.startswith(("public/lines", "private/lines")):
        return row["path"], row["first"]
    if path == SALTS:
        return (row["path"] is None, row["path"] or "", *by_place(row))
    if path == "public/baseline.jsonl":
        return row["question"], row["annotator"] or "", row["answers"]
    if path == "public/hours.jsonl":
        return row["annotator"], row["stage"]
    return by_place(row)


def _lines(file: Path) -> Iterator[bytes]:
    with file.open("rb") as lines:
        yield from lines


def _fold(value: Any) -> str:
    return unicodedata.normalize("NFC", str(value or "")).casefold()


