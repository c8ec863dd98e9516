"""Checks what a bundle counts from its own rows, and what it keeps back: held-out gold and its commitments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from exports.commitments import commitment
from exports.faults import Fault
from exports.rows import line
from exports.summaries import Sums, soft_labels

Row = dict[str, Any]
Numbered = Sequence[tuple[int, Row]]
Place = tuple[str | None, str | None, str | None]


class Kept:
    """Rows of gold, annotations and adjudications by item, as they come."""

    SUMS = ("public/soft_labels.jsonl", "public/hours.jsonl", "public/baseline.jsonl")

    def __init__(self, held_out: frozenset[str], items: Mapping[str, Row], gone: Mapping[str, Row],
                 faults: list[Fault]) -> None:
        self.held_out, self.items, self.faults = held_out, items, faults
        self.gone = gone
        self.by_item: dict[str, dict[str, list[Row]]] = {}
        self.secret: dict[Place, tuple[int, Row]] = {}  # held-out gold that is there
        self.lost: set[Place] = set()  # and that was taken out

    def take(self, kind: str, path: str, number: int, row: Row) -> None:
        is_held = self.items[row["id"]]["split"] in self.held_out
        if is_held and path.startswith("public/"):
            self._fault("leak", path, number, row["id"], "the item is held out, and this says something of its answer")
        elif not is_held and path.startswith("private/"):
            self._fault("bad_field", path, number, row["id"], "the item is not held out, and this row of it is private")
        elif is_held and kind == "gold":
            self.secret[_place(row)] = (number, row)
        elif not is_held:
            self.by_item.setdefault(row["id"], {}).setdefault(kind, []).append(row)

    def check_sums(self, found: Mapping[str, Numbered], *, complete: bool) -> None:
        """Soft labels, hours and people against gold follow from the rows; not where some were taken out."""
        sums, soft = Sums(), dict[Place, Row]()
        for item in self.items.values():
            rows = self.by_item.get(item["id"], {})
            gold, said = rows.get("gold", []), rows.get("annotations", [])
            sums.take(item["choices"], gold, said, rows.get("adjudications", []))
            soft |= {_place(row): row for row in soft_labels(gold, said)}
        hours = {(row["annotator"], row["stage"]): row for row in sums.hours()}
        baseline = {(row["question"], row["annotator"], row["answers"]): row for row in sums.baseline()}
        checks: tuple[tuple[str, dict[Any, Row], tuple[str, ...]], ...] = (
            ("public/soft_labels.jsonl", soft, ("id", "element", "question")),
            ("public/hours.jsonl", hours, ("annotator", "stage")),
            ("public/baseline.jsonl", baseline, ("question", "annotator", "answers")))
        for path, wanted, names in checks:
            self._same(path, wanted, names, found.get(path, ()), complete=complete)

    def _same(self, path: str, wanted: dict[Any, Row], names: tuple[str, ...], found: Numbered, *, complete: bool
              ) -> None:
        for number, row in found:
            if row.get("id") in self.items and self.items[row["id"]]["split"] in self.held_out:
                self._fault("leak", path, number, row["id"], "the item is held out, and this tells its answers")
                continue
            right = wanted.pop(tuple(row[name] for name in names), None)
            if complete and "tombstone" not in row and (right is None or line(right) != line(_bare(row))):
                self._fault("count", path, number, row.get("id") or row.get("annotator"),
                            "that is not what the rows of the bundle give" if right else "no row gives it")
        for row in wanted.values() if complete else ():
            self._fault("count", path, None, row.get("id") or row.get("annotator"),
                        f"the row of {', '.join(str(row[name]) for name in names if row[name])} is missing")

    def check_commitments(self, found: Numbered, salts: Numbered, head: Mapping[str, Any], *, opened: bool) -> None:
        """Held-out values are committed to, one by one; with the private files, that they are what was committed to."""
        path = "public/commitments.jsonl"
        for number, row in found:
            item = self.items.get(row["id"]) or self.gone.get(row["id"])
            if item is None:
                self._fault("unknown_id", path, number, row["id"], "there is no such item")
            elif item["split"] not in self.held_out:
                self._fault("bad_field", path, number, row["id"], "the item is not held out")
        if head:
            n = sum(item["split"] in self.held_out for item in (*self.items.values(), *self.gone.values()))
            for what, count in (("values", len(found)), ("items", n)):
                if head["private"][what] != count:
                    self._fault("count", "manifest.json", 1, None,
                                f"{count} {what} are held out, the manifest says {head['private'][what]}")
        if not opened:
            return
        committed = {_place(row): (number, row["commitment"]) for number, row in found}
        salted = {_place(row): (number, row["salt"]) for number, row in salts if row["path"] is None}
        for place, (number, row) in self.secret.items():
            if place not in committed or place not in salted:
                self._fault("commitment", "private/gold.jsonl", number, row["id"],
                            "this value was not committed to" if place not in committed else "its salt is missing")
                continue
            if commitment(salted[place][1], sha256(line(row)).digest()) != committed[place][1]:
                for file, at in (("private/gold.jsonl", number), ("private/salts.jsonl", salted[place][0]),
                                 (path, committed[place][0])):
                    self._fault("commitment", file, at, row["id"],
                                f"{row['question']}: value, salt and commitment do not fit together")
        for place, (number, _) in committed.items():
            if place not in self.secret and place not in self.lost:
                self._fault("commitment", path, number, place[0], f"{place[2]}: the value is not in private/gold.jsonl")
        for place, (number, _) in salted.items():
            if place not in committed:
                self._fault("commitment", "private/salts.jsonl", number, place[0], "no commitment has this salt")

    def _fault(self, code: str, file: str, number: int | None, id: str | None, message: str) -> None:
        self.faults.append(Fault(code, file, message, number, id))


def _place(row: Mapping[str, Any]) -> Place:
    return row["id"], row["element"], row["question"]


def _bare(row: Row) -> Row:
    return {key: value for key, value in row.items() if key != "nonce"}
