"""Checks what a bundle counts from its own rows, and what it keeps back: held-out gold and its commitments.

Rows come item by item, and of an item nothing is kept but what it adds to the counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from exports.commitments import commitment
from exports.faults import Fault, Faults
from exports.rows import line
from exports.summaries import Sums, soft_labels
from exports.verify_lines import SALTS, Numbered, Row

Place = tuple[str | None, str | None, str | None]
SOFT, COMMITMENTS, SECRET = "public/soft_labels.jsonl", "public/commitments.jsonl", "private/gold.jsonl"
HOURS, BASELINE = "public/hours.jsonl", "public/baseline.jsonl"
# The questions under which faults are told, in this order.
LABELS, UNLABELLED, LEAKS = "soft labels", "soft labels that are missing", "soft labels of held-out items"
SUMMED, COMMITTED, KEPT, OPENED = "hours and baseline", "commitments", "what is kept back", "values opened"
UNOPENED, UNASKED = "commitments without a value", "salts without a commitment"


class Kept:
    """``opened``: the held-out gold is there, so that it can be held against its commitments."""

    def __init__(self, held_out: frozenset[str], faults: Faults, *, opened: bool) -> None:
        self.held_out, self.faults, self.opened = held_out, faults, opened
        self.sums, self.values, self.held = Sums(), 0, 0
        self.begin(None, None)

    def begin(self, item: Row | None, gone: Row | None) -> None:
        """The next item, or the tombstone in its place, or rows of no item."""
        self.item, self.gone = item, gone
        one = item or gone
        self.is_held = one is not None and one["split"] in self.held_out
        self.held += self.is_held
        self.rows: dict[str, list[Row]] = {"gold": [], "annotations": [], "adjudications": []}
        self.secret: dict[Place, tuple[int, Row]] = {}  # held-out gold that is there
        self.lost: set[Place] = set()  # and that was taken out

    def take(self, kind: str, path: str, number: int, row: Row) -> None:
        """A row of the item, which is there."""
        if self.is_held and path.startswith("public/"):
            self._fault(path, "leak", path, number, row["id"], "the item is held out, and this says something of its "
                                                               "answer")
        elif not self.is_held and path.startswith("private/"):
            self._fault(path, "bad_field", path, number, row["id"], "the item is not held out, and this row of it is "
                                                                    "private")
        elif self.is_held and kind == "gold":
            self.secret[_place(row)] = (number, row)
        elif not self.is_held:
            self.rows[kind].append(row)

    def end(self, soft: Sequence[Numbered], committed: Sequence[Numbered], salts: Sequence[Numbered]) -> None:
        """What follows from the item's rows."""
        wanted = dict[Any, Row]()
        if self.item is not None:
            gold, said = self.rows["gold"], self.rows["annotations"]
            self.sums.take(self.item["choices"], gold, said, self.rows["adjudications"])
            wanted = {_place(row): row for row in soft_labels(gold, said)}
        if self.item is not None and self.is_held:
            for number, row in soft:
                self._fault(LEAKS, "leak", SOFT, number, row["id"], "the item is held out, and this tells its answers")
        else:
            self._same(LABELS, SOFT, wanted, ("id", "element", "question"), soft)
        if committed or salts or self.secret:
            self._commitments(committed, salts)

    def check_sums(self, found: Mapping[str, Sequence[Numbered]], *, complete: bool) -> None:
        """Soft labels, hours and people against gold follow from the rows; not where some were taken out."""
        if not complete:
            self.faults.forget(LABELS)
            self.faults.forget(UNLABELLED)
            return
        hours = {(row["annotator"], row["stage"]): row for row in self.sums.hours()}
        baseline = {(row["question"], row["annotator"], row["answers"]): row for row in self.sums.baseline()}
        self._same(HOURS, HOURS, hours, ("annotator", "stage"), found.get(HOURS, ()))
        self._same(BASELINE, BASELINE, baseline, ("question", "annotator", "answers"), found.get(BASELINE, ()))

    def _same(self, question: str, path: str, wanted: dict[Any, Row], names: tuple[str, ...],
              found: Sequence[Numbered]) -> None:
        for number, row in found:
            right = wanted.pop(tuple([row[name] for name in names]), None)
            if "tombstone" not in row and (right is None or not _is_same(right, row)):
                self._fault(question, "count", path, number, row.get("id") or row.get("annotator"),
                            "that is not what the rows of the bundle give" if right else "no row gives it")
        for row in wanted.values():
            self._fault(f"{question} that are missing", "count", path, None, row.get("id") or row.get("annotator"),
                        f"the row of {', '.join(str(row[name]) for name in names if row[name])} is missing")

    def _commitments(self, found: Sequence[Numbered], salts: Sequence[Numbered]) -> None:
        """Held-out values are committed to, one by one; with the private files, that they are what was committed to."""
        self.values += len(found)
        for number, row in found:
            if self.item is None and self.gone is None:
                self._fault(COMMITTED, "unknown_id", COMMITMENTS, number, row["id"], "there is no such item")
            elif not self.is_held:
                self._fault(COMMITTED, "bad_field", COMMITMENTS, number, row["id"], "the item is not held out")
        if not self.opened:
            return
        committed = {_place(row): (number, row["commitment"]) for number, row in found}
        salted = {_place(row): (number, row["salt"]) for number, row in salts if row["path"] is None}
        for place, (number, row) in self.secret.items():
            if place not in committed or place not in salted:
                self._fault(OPENED, "commitment", SECRET, number, row["id"],
                            "this value was not committed to" if place not in committed else "its salt is missing")
                continue
            if commitment(salted[place][1], sha256(line(row)).digest()) != committed[place][1]:
                for file, at in ((SECRET, number), (SALTS, salted[place][0]), (COMMITMENTS, committed[place][0])):
                    self._fault(OPENED, "commitment", file, at, row["id"],
                                f"{row['question']}: value, salt and commitment do not fit together")
        for place, (number, _) in committed.items():
            if place not in self.secret and place not in self.lost:
                self._fault(UNOPENED, "commitment", COMMITMENTS, number, place[0],
                            f"{place[2]}: the value is not in private/gold.jsonl")
        for place, (number, _) in salted.items():
            if place not in committed:
                self._fault(UNASKED, "commitment", SALTS, number, place[0], "no commitment has this salt")

    def check_counts(self, head: Mapping[str, Any]) -> None:
        """How much is held out, against the manifest."""
        for what, count in (("values", self.values), ("items", self.held)):
            if head["private"][what] != count:
                self._fault(KEPT, "count", "manifest.json", 1, None,
                            f"{count} {what} are held out, the manifest says {head['private'][what]}")

    def _fault(self, question: str, code: str, file: str, number: int | None, id: Any, message: str) -> None:
        self.faults[question].append(Fault(code, file, message, number, id if isinstance(id, str) else None))


def _place(row: Mapping[str, Any]) -> Place:
    return row["id"], row["element"], row["question"]


def _is_same(right: Row, found: Row) -> bool:
    bare = {key: value for key, value in found.items() if key != "nonce"}
    return line(right) == line(bare)
