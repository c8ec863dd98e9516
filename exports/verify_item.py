"""Checks what the rows of one item say about each other, whichever files they stand in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.protocol import Protocol
from exports.faults import Fault, Faults
from exports.verify_gold import Said, check_gold
from exports.verify_kept import Kept
from exports.verify_lines import SALTS, Numbered, Row

ITEMS, SIGNOFFS, PRIVATE = "public/items.jsonl", "public/signoffs.jsonl", "private/items.jsonl"
SOFT, COMMITMENTS = "public/soft_labels.jsonl", "public/commitments.jsonl"
SAID = tuple((f"{home}/{name}.jsonl", name) for home in ("public", "private")
             for name in ("annotations", "adjudications", "gold"))
Rows = Mapping[str, Sequence[Numbered]]


class Items:
    """Takes the items one by one. ``worked``: person -> on how many public items; ``splits``: split -> items."""

    def __init__(self, protocol: Protocol | None, head: Mapping[str, Any], people: Mapping[str, Row], kept: Kept,
                 faults: Faults) -> None:
        self.protocol, self.head, self.people, self.kept, self.faults = protocol, head, people, kept, faults
        self.worked, self.splits = Counter[str](), Counter[str]()
        self.item: Row | None = None
        self.gone: Row | None = None
        self.said = Said()
        self._by: set[str] = set()

    def take(self, rows: Rows) -> tuple[Row | None, Row | None]:
        """All rows with one id, by file. Returns the item, or the tombstone in its place, where there is one."""
        self.item = self.gone = None
        self.said, self._by = Said(), set()
        for number, row in rows.get(ITEMS, ()):
            self._item(number, row)
        self.kept.begin(self.item, self.gone)
        takes = {"annotations": self._annotation, "adjudications": self._adjudication, "gold": self._gold}
        for path, name in SAID:
            for number, row in rows.get(path, ()):
                takes[name](path, number, row)
        for path, person in ((PRIVATE, None), (SIGNOFFS, "signer")):
            for number, row in rows.get(path, ()):
                self._known(path, number, row, person)
        self.worked.update(self._by)
        if self.item is not None and self.protocol is not None:
            check_gold(self.protocol, self.item, self.said, self.faults)
        self.kept.end(rows.get(SOFT, ()), rows.get(COMMITMENTS, ()), rows.get(SALTS, ()))
        return self.item, self.gone

    def _item(self, number: int, row: Row) -> None:
        self.splits[row["split"]] += 1
        if "tombstone" in row:
            self.gone = row
            return
        self.item = row
        if self.head and (not self.head["canary"] or row["canary"] != self.head["canary"]):
            self._fault("canary", ITEMS, number, row["id"], "the canary is not that of the manifest")
        ids = [one.get("id") for value in row["fields"].values() if isinstance(value, list)
               for one in value if isinstance(one, dict)]
        for one in row["candidates"]:
            if one not in ids:
                self._fault("unknown_id", ITEMS, number, row["id"], f"the candidate {one} is not in the fields")

    def _known(self, path: str, number: int, row: Row, person: str | None = None) -> bool:
        if self.item is None and self.gone is None:
            self._fault("unknown_id", path, number, row["id"], "there is no such item")
            return False
        if person is not None and row[person] not in self.people:
            self._fault("unknown_id", path, number, row["id"], f"there is no annotator '{row[person]}'")
        return True

    def _annotation(self, path: str, number: int, row: Row) -> None:
        if self._known(path, number, row, "annotator"):
            if path.startswith("public/"):
                self._by.add(row["annotator"])
            item = self._standing(path, number, row)
            if item is None:
                return
            if row["counts"] or row["rev"] == item["rev"]:  # an earlier text had other choices
                self._fits(item, path, number, row)
            self.said.annotation(row)
            self.kept.take("annotations", path, number, row)

    def _adjudication(self, path: str, number: int, row: Row) -> None:
        if self._known(path, number, row, "adjudicator"):
            if path.startswith("public/"):
                self._by.add(row["adjudicator"])
            item = self._standing(path, number, row)
            if item is None:
                return
            self._fits(item, path, number, row)
            for one in row["inputs"]:
                if one["annotator"] not in self.people:
                    self._fault("unknown_id", path, number, row["id"], "an input is of no annotator")
            self.said.adjudication(row)
            self.kept.take("adjudications", path, number, row)

    def _gold(self, path: str, number: int, row: Row) -> None:
        if "tombstone" in row:
            self.kept.lost.add((row["id"], row["element"], row["question"]))
        item = self._standing(path, number, row) if self._known(path, number, row) else None
        if item is not None:
            self._fits(item, path, number, row)
            if self.head and row["protocol"] != self.head["protocol"].get("sha256"):
                self._fault("bad_field", path, number, row["id"], "the protocol is not that of the manifest")
            if row["rev"] != item["rev"]:
                self._fault("bad_field", path, number, row["id"], "rev is not that of the item")
            if self.head and row["frozen_at"] != self.head["created"]:
                self._fault("bad_field", path, number, row["id"], "it was not frozen when the release was drawn")
            self.said.gold(path, number, row)
            self.kept.take("gold", path, number, row)

    def _standing(self, path: str, number: int, row: Row) -> Row | None:
        """The item, unless a tombstone stands here; of an item that was taken out every row is one."""
        if "tombstone" in row:
            self.said.lost(row)
            return None
        if self.gone is not None:
            self._fault("bad_field", path, number, row["id"], "the item was taken out, and this row of it stands")
            return None
        return self.item

    def _fits(self, item: Row, path: str, number: int, row: Row) -> None:
        """An answer to a question with a closed list is one of it."""
        options, answer = item["choices"].get(row["question"]), row["answer"]
        if not isinstance(options, list) or answer is None:
            return  # what is kept back whole; a verdict whose reason is kept back still names its choice
        known = [one["id"] for one in options]
        if not all(isinstance(one, str) and one in known for one in (answer if isinstance(answer, list) else [answer])):
            self._fault("bad_field", path, number, row["id"], f"the answer to {row['question']} is none of the choices")

    def _fault(self, code: str, file: str, number: int | None, id: str, message: str) -> None:
        self.faults[file].append(Fault(code, file, message, number, id))
