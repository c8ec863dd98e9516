# SPDX-License-Identifier: Apache-2.0
"""Two versions of the gold side by side: what each system gains or loses, and whose rank changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from exports.scorer.compare import common, paired
from exports.scorer.figures import Entry, ci_of
from exports.scorer.gold_side import GoldSide
from exports.scorer.options import Options


def side_by_side(side: GoldSide, entries: Sequence[Entry], other: GoldSide, others: Sequence[Entry],
                 options: Options) -> dict[str, Any]:
    """``before`` is the other version, ``after`` this one. ``common_change`` is over the things that both have, so
    through changed gold alone; its interval is paired.
    """
    rows = []
    ranks, old_ranks = _ranks(entries), _ranks(others)
    by_name = {_name(entry): entry for entry in others}
    for entry in entries:
        old = by_name.get(_name(entry))
        if old is None or entry.kind == "baseline":
            continue
        rows.append(_row(entry, old, ranks.get(_name(entry)), old_ranks.get(_name(entry)), options))
    here, there = _answers(side), _answers(other)
    both = here.keys() & there.keys()
    return {
        "bundle": other.name, "manifest_sha256": other.manifest_sha256,
        "gold": {"common": len(both), "only_here": len(here.keys() - both), "only_there": len(there.keys() - both),
                 "changed": sum(here[key] != there[key] for key in both)},
        "rank_changes": sum(row["rank_before"] != row["rank_after"] for row in rows
                            if row["rank_before"] and row["rank_after"]),
        "systems": rows,
    }


def _row(entry: Entry, old: Entry, rank: int | None, old_rank: int | None, options: Options) -> dict[str, Any]:
    before, after = old.figure["value"], entry.figure["value"]
    row: dict[str, Any] = {
        "system": entry.system, "metric": entry.metric.name, "question": entry.question, "before": before,
        "after": after, "change": None if before is None or after is None else after - before,
        "rank_before": old_rank, "rank_after": rank, "n_common": 0, "common_change": None, **ci_of(None)}
    if entry.tally is None or old.tally is None:
        return row
    places, olds = common(entry.tally, old.tally)
    found = paired(entry.tally, places, old.tally, olds, options)
    return {**row, "n_common": len(places), "common_change": found["difference"],
            **{key: found[key] for key in ("ci", "ci_method", "ci_reason")}}


def _name(entry: Entry) -> tuple[str, str, str | None]:
    return entry.system, entry.metric.name, entry.question


def _ranks(entries: Sequence[Entry]) -> dict[tuple[str, str, str | None], int]:
    """The place of each file of predictions, the best is 1; equal values share a place."""
    found: dict[tuple[str, str, str | None], int] = {}
    for entry in entries:
        if entry.kind != "file" or entry.figure["value"] is None:
            continue
        rivals = [other for other in entries if other.kind == "file" and _name(other)[1:] == _name(entry)[1:]
                  and other.figure["value"] is not None]
        found[_name(entry)] = 1 + sum(_better(other.figure, entry.figure) for other in rivals)
    return found


def _better(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    more = one["worst"] is not None and one["best"] >= one["worst"]
    return bool(one["value"] > other["value"] if more else one["value"] < other["value"])


def _answers(side: GoldSide) -> dict[tuple[Any, ...], Any]:
    return {(row["id"], row.get("element"), row["question"]): (row.get("answer"), bool(row.get("na")))
            for row in side.gold}
