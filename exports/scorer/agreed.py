# SPDX-License-Identifier: Apache-2.0
"""Scores where people agreed ("at least 2 of 3"), with what people themselves reach there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from annotation.errors import N_, Refused
from exports.scorer.estimate import estimate
from exports.scorer.figures import Entry, ci_of
from exports.scorer.options import Options
from exports.scorer.people import ceiling, where_agreed
from exports.scorer.systems import Asked

_SHARE = re.compile(r"\s*([0-9]{1,4})\s*(?:/|of|\s)\s*([0-9]{1,4})\s*")


def share_of(text: str) -> tuple[int, int]:
    """``2/3`` or ``2 of 3`` as typed; Refused for anything else."""
    found = _SHARE.fullmatch(text)
    least, of = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 0 < least <= of:
        raise Refused(N_("'{text}' is no share of people; write it as 2/3"), code="bad_value", text=text[:80])
    return least, of


def where_people_agreed(asked: Asked, entries: Sequence[Entry], options: Options) -> list[dict[str, Any]]:
    """A table per share, metric and question: the value of every system over the things whose every unit at least
    ``of`` people answered, at least ``least`` in ``of`` of them alike.

    ``ceiling``: how often a person gives gold's answer there (the mean over people; gold was made from these answers,
    so it is somewhat high).
    """
    found = []
    for least, of in options.agreed:
        for metric, question, units in asked:
            kept = where_agreed(units, least, of)
            keys = {(unit.id, unit.element) for unit in kept}
            whole = keys
            if metric.group is not None:
                broken = {metric.group(unit) for unit in units if (unit.id, unit.element) not in keys}
                whole = {(unit.id, unit.element) for unit in kept if metric.group(unit) not in broken}
            rows = [_row(entry, whole, options) for entry in entries
                    if (entry.metric.name, entry.question) == (metric.name, question) and entry.tally is not None]
            found.append({"least": least, "of": of, "metric": metric.name, "question": question, "n": len(kept),
                          "left_out": len(units) - len(kept), "ceiling": ceiling(kept), "systems": rows})
    return found


def _row(entry: Entry, keys: set[tuple[str, str | None]], options: Options) -> Mapping[str, Any]:
    assert entry.tally is not None
    places = np.asarray([place for place, key in enumerate(entry.tally.keys) if key in keys], dtype=np.intp)
    row: dict[str, Any] = {"system": entry.system, "value": None, "ci": None, "ci_method": None,
                           "ci_reason": "n too small", "n": len(places)}
    if len(places) < options.least:
        return row
    return {**row, "value": entry.tally.value(places),
            **ci_of(estimate(entry.tally, places, replicates=options.replicates, seed=options.seed))}
