"""To which files the rows of an item go, and what is counted while they go by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from exports.card import Tally
from exports.rows import ItemRows, Rows
from exports.sinks import Gathered
from exports.summaries import Sums, soft_labels
from exports.tombstones import Gone

PUBLIC = tuple(f"public/{name}.jsonl" for name in (
    "items", "gold", "annotations", "adjudications", "soft_labels", "signoffs", "commitments"))
PRIVATE = tuple(f"private/{name}.jsonl" for name in ("items", "gold", "annotations", "adjudications"))
SALTS = "private/salts.jsonl"


class Taken:
    """What is known of the items that went by. ``shown``: pictures of items that are not gone."""

    def __init__(self) -> None:
        self.sums, self.tally = Sums(), Tally()
        self.shown = set[str | None]()

    def add(self, later: Taken) -> None:
        """What is known of the items that follow."""
        self.sums.add(later.sums)
        self.tally.add(later.tally)
        self.shown |= later.shown

    def take(self, sink: Callable[[str], Gathered], made: Rows, gone: Gone, rows: ItemRows) -> None:
        """Put the rows of one item that ``made`` has made into their files."""
        self.tally.take(rows)
        sink("public/items.jsonl").row(rows.item)
        if gone.items and rows.item["id"] not in gone.items:
            self.shown |= {one["sha256"] for one in rows.item["media"]}
        for row in rows.signoffs:
            sink("public/signoffs.jsonl").row(row)
        if rows.private is not None:
            sink("private/items.jsonl").row(rows.private)
        home = "private" if rows.held_out else "public"
        for name, some in (("annotations", rows.annotations), ("adjudications", rows.adjudications)):
            target = sink(f"{home}/{name}.jsonl")
            for row in some:
                target.row(row)
        if rows.held_out:
            for gold in rows.gold:
                committed, salt = made.committed(gold, sink("private/gold.jsonl").row(gold))
                sink("public/commitments.jsonl").row(committed)
                sink(SALTS).row(salt)
            return
        for gold in rows.gold:
            sink("public/gold.jsonl").row(gold)
        people = {row["annotator"] for row in rows.annotations} if gone.people else ()
        for soft in soft_labels(rows.gold, rows.annotations):
            sink("public/soft_labels.jsonl").row(soft, people=people)
        self.sums.take(rows.item["choices"], rows.gold, rows.annotations, rows.adjudications)


def counted(some: Iterable[ItemRows]) -> Counter[str]:
    """How many rows ``Taken.take`` puts into each file."""
    found: Counter[str] = Counter()
    for rows in some:
        found["public/items.jsonl"] += 1
        found["public/signoffs.jsonl"] += len(rows.signoffs)
        found["private/items.jsonl"] += rows.private is not None
        home = "private" if rows.held_out else "public"
        for name, own in (("annotations", rows.annotations), ("adjudications", rows.adjudications),
                          ("gold", rows.gold)):
            found[f"{home}/{name}.jsonl"] += len(own)
        for path in ("public/commitments.jsonl", SALTS) if rows.held_out else ("public/soft_labels.jsonl",):
            found[path] += len(rows.gold)
    return found
