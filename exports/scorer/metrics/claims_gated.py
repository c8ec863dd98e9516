# SPDX-License-Identifier: Apache-2.0
"""Claims as records, with a gate: where a main claim is wrong, everything that hangs on it is wrong (LiveDRBench).

Gold and answer are lists of entries: a record ``{key: value}``, or a table, which is a list of records. The judge rates
values from 0 (unrelated) to 3 (close match); 2 and more is a hit. ``judge_score`` has an entry for each entry: of a
record ``{key: rating}``, of a table a list with ``{"gold": n, "ratings": {..}}`` for each row of the answer, ``gold``
being the place of the gold row with the same primary keys (null for none; each row of gold is met once).
P = hits / keys of the answer, R = hits / keys of gold; the value is the mean F1 over items, ``category_f1`` the mean of
the categories (the fact ``category``). The item's fact ``eval_info``, else the settings, name ``main_claims`` and
``ignore_keys``. A main claim of a record rated below 2 closes the whole item, one of a row that row.

After the released code (microsoft/livedrbench @6ff85b6, MIT; described, not copied). Own decisions: a main claim that
the answer leaves out closes the gate too; a rating that the judge left out is a failed judgement. With the setting
``multiply`` P, R and F1 of the entries are multiplied (materials by titles of papers) and not counted together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from annotation.errors import N_
from exports.scorer.judging import COUNTS, complete, has_failed, judged, judges, read_verdict, verdict, withheld
from exports.scorer.metric import (
    REFUSED,
    UNPARSABLE,
    Floats,
    Metric,
    Parts,
    Reply,
    Row,
    Sums,
    Unit,
    is_number,
    metrics,
    no_constants,
    ratio,
    said,
    unfit,
)
from exports.scorer.metrics.claims import harmonic

HIT, MOST = 2, 3
Record = Mapping[str, Any]
Counts = tuple[int, int, int]  # hits, keys of the answer, keys of gold


def names(unit: Unit, key: str) -> frozenset[str]:
    info = unit.fact("eval_info", "eval_info")
    source = info if isinstance(info, Mapping) and key in info else unit.settings
    return frozenset(source.get(key) or ())


def is_table(entry: Any) -> bool:
    return isinstance(entry, list) and all(isinstance(row, Mapping) for row in entry)


def ratings(gold: Record, answer: Record, judge: Any, ignored: frozenset[str]) -> dict[str, int] | None:
    """A rating for each key of gold, 0 for those that are not answered; None where the judge left one out."""
    if not isinstance(judge, Mapping):
        return None
    found = {}
    for key in gold:
        rating: Any = judge.get(key) if key in answer else 0
        if key in ignored and rating is None:
            continue
        if not is_number(rating) or rating not in range(MOST + 1):
            return None
        found[key] = int(rating)
    return found


def rows_of(gold: Any, answer: Any, judge: Any, ignored: frozenset[str]) -> list[tuple[dict[str, int], Record]] | None:
    """(ratings by key, gold record) of every matched record of one entry; None where the judge failed."""
    if isinstance(gold, Mapping):
        found = ratings(gold, answer, judge, ignored)
        return None if found is None else [(found, gold)]
    if not isinstance(judge, list) or len(judge) != len(answer):
        return None
    rows, met = [], set()
    for row, said_of in zip(answer, judge, strict=True):
        place = said_of.get("gold", -1) if isinstance(said_of, Mapping) else -1
        if place is None:
            continue
        if isinstance(place, bool) or place not in range(len(gold)) or place in met:
            return None
        met.add(place)
        found = ratings(gold[place], row, said_of.get("ratings"), ignored)
        if found is None:
            return None
        rows.append((found, gold[place]))
    return rows


def keys(entry: Any, ignored: frozenset[str]) -> int:
    return sum(len(record.keys() - ignored) for record in ([entry] if isinstance(entry, Mapping) else entry))


def read(unit: Unit, row: Row) -> Reply:
    """(counts of each entry, whether a gate was closed); an answer of another shape than gold is unparsable."""
    if row.get("refused"):
        return REFUSED
    answer, judge = said(row), row.get("judge_score")
    if not isinstance(answer, list) or len(answer) != len(unit.gold) or any(
            not (isinstance(one, Mapping) if isinstance(gold, Mapping) else is_table(one))
            for one, gold in zip(answer, unit.gold, strict=True)):
        return UNPARSABLE
    if not isinstance(judge, list) or len(judge) != len(unit.gold):
        return read_verdict(row, None)
    ignored, main = names(unit, "ignore_keys"), names(unit, "main_claims")
    entries = [rows_of(gold, one, marks, ignored) for gold, one, marks in zip(unit.gold, answer, judge, strict=True)]
    read_entries = [one for one in entries if one is not None]
    if len(read_entries) < len(entries):
        return read_verdict(row, None)

    def is_shut(rated: dict[str, int]) -> bool:
        return any(rating < HIT for key, rating in rated.items() if key in main)

    item = any(is_shut(rated) for some, gold in zip(read_entries, unit.gold, strict=True) if isinstance(gold, Mapping)
               for rated, _ in some)
    counts = [(0 if item else sum(rating >= HIT for rated, _ in some if not is_shut(rated)
                                  for key, rating in rated.items() if key not in ignored),
               keys(one, ignored), keys(gold, ignored))
              for some, one, gold in zip(read_entries, answer, unit.gold, strict=True)]
    return read_verdict(row, (counts, item or any(is_shut(rated) for some in read_entries for rated, _ in some)))


def three(counts: Sequence[Counts]) -> tuple[float, float, float]:
    hits, claimed, wanted = (sum(one) for one in zip(*counts, strict=True))
    precision, recall = hits / claimed if claimed else 0.0, hits / wanted if wanted else 0.0
    return precision, recall, harmonic(precision, recall)


def parts(unit: Unit, reply: Reply) -> Parts:
    found, kept = verdict(reply), float(not has_failed(reply))
    values = (0.0, 0.0, 0.0)
    if found is not None:
        each = [three([one]) for one in found[0]] if unit.settings.get("multiply") else [three(found[0])]
        values = tuple(float(np.prod([one[n] for one in each])) for n in range(3))  # type: ignore[assignment]
    closed = float(found is not None and found[1])
    return {**judged(unit, reply, dict(zip(("precision", "recall", "f1"), values, strict=True))),
            "gate_closed": (closed, kept), f"_of:{unit.fact('category', 'category')}": (values[2] * kept, kept)}


def finish(sums: Sums) -> Mapping[str, Floats]:
    each = np.stack([ratio(one) for name, one in sums.items() if name.startswith("_of:")])
    there = np.isfinite(each)
    mean = ratio(np.stack([np.where(there, each, 0.0).sum(axis=0), there.sum(axis=0)], axis=1))
    return {**complete("precision", "recall", "f1")(sums), "category_f1": withheld(sums, mean)}


def _judged(unit: Unit, rating: int) -> Row:
    """Gold itself as the answer, with every value rated so."""
    judge = [dict.fromkeys(gold, rating) if isinstance(gold, Mapping) else
             [{"gold": n, "ratings": dict.fromkeys(row, rating)} for n, row in enumerate(gold)] for gold in unit.gold]
    return {"answer": unit.gold, "judge_score": judge}


def check(units: Sequence[Unit]) -> None:
    for unit in units:
        if not isinstance(unit.gold, list) or not unit.gold or not all(
                one and (isinstance(one, Mapping) or is_table(one)) for one in unit.gold):
            raise unfit(unit, "claims_gated", N_("it is not a list of records and tables"))


metrics.add("claims_gated", Metric(
    name="claims_gated", best=1.0, worst=0.0, headline="f1", asks=True, proportion=False, sums=COUNTS, read=read,
    parts=parts, finish=finish, beside=judges, oracle=lambda unit: _judged(unit, MOST),
    anti=lambda unit: _judged(unit, 0), constants=no_constants, check=check,
))
