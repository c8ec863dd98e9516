# SPDX-License-Identifier: Apache-2.0
"""TED: how many of its grading notes a dialogue agent achieves, and how early, in the best of k trials.

Every trial is a row (an ``epoch`` each). ``judge_score`` is ``{"notes": [..], "turns": n}``: for each note the turn at
which it was achieved (from 1), false where it never was, or a list of these by several runs of the judge, of which the
majority counts (at a turn: more than half have it by then); true where the turn is not known, which counts as the last.
With p(t) the share of notes achieved by turn t, T the setting ``turns`` (else the dialogue's own number; p stays as it
is after the dialogue's end, and what is achieved after T does not count):

``progress`` p(T), ``auc`` the area under p from turn 1 to T by trapezoids over T - 1, ``ppt`` p(T) over the first turn
with that progress (0 for none), ``success`` p(T) = 1. ``max_.._at_k`` is the expected best of k trials drawn without
replacement from the n of a unit: sum over the sorted values of v_i C(i-1, k-1) / C(n, k); ``pass_at_k`` that of
``success``. ``mean_..`` is the mean over trials. ``k`` is a setting, else the most trials that a unit has.

After arXiv 2603.15483 and SAP-samples/agent-quality-inspect (Apache-2.0). Own decisions: trials that lack up to k are
trials without progress; with one turn the area is the progress at that turn. The item's fact ``notes`` (a list, or
their number) says how many verdicts a judgement must have.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeGuard

import numpy as np

from annotation.errors import N_, Refused
from exports.scorer.judging import (
    COUNTS,
    complete,
    has_failed,
    is_partial,
    judged,
    judges,
    read_verdict,
    refused,
    verdict,
)
from exports.scorer.metric import Evaluate, Floats, Metric, Parts, Reply, Row, Unit, metrics, no_constants

NAMES = ("progress", "auc", "ppt", "success")
AT_K = {"progress": "max_progress_at_k", "auc": "max_auc_at_k", "ppt": "max_ppt_at_k", "success": "pass_at_k"}


def turn_of(note: Any, turns: int) -> float | None:
    """When a note was achieved, infinite for never; None where the judge (or one of its runs) failed."""
    if isinstance(note, list):
        runs = [None if isinstance(one, list) else turn_of(one, turns) for one in note]
        read = sorted(one for one in runs if one is not None)
        return read[len(read) // 2] if read and len(read) == len(runs) else None
    if isinstance(note, bool):
        return float(turns) if note else math.inf
    return float(note) if isinstance(note, int) and 1 <= note <= turns else None


def curve(judge: Any, wanted: int | None, limit: int | None) -> list[float] | None:
    """p(1) .. p(T); None where the judge failed."""
    if not isinstance(judge, Mapping):
        return None
    notes, turns = judge.get("notes"), judge.get("turns")
    if not isinstance(notes, list) or not notes or not _counts(turns) or (wanted is not None and len(notes) != wanted):
        return None
    read = [turn_of(note, turns) for note in notes]
    achieved = [one for one in read if one is not None]
    if len(achieved) < len(read):
        return None
    return [sum(one <= turn for one in achieved) / len(achieved) for turn in range(1, (limit or turns) + 1)]


def _counts(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def figures(progress: Sequence[float]) -> dict[str, float]:
    """The four figures of one trial."""
    last = progress[-1]
    area = sum((one + other) / 2.0 for one, other in pairwise(progress))
    return {"progress": last, "auc": area / (len(progress) - 1) if len(progress) > 1 else last,
            "ppt": last / (1 + progress.index(last)) if last > 0 else 0.0, "success": float(last == 1.0)}


def read(unit: Unit, row: Row) -> Reply:
    notes = unit.fact("notes", "notes")
    wanted = len(notes) if isinstance(notes, list) else notes if _counts(notes) else None
    found = curve(row.get("judge_score"), wanted, unit.settings.get("turns"))
    return read_verdict(row, None if found is None else figures(found))


def parts(unit: Unit, reply: Reply) -> Parts:
    found = verdict(reply) or {}
    return judged(unit, reply, {f"mean_{name}": found.get(name) for name in NAMES})


def best_of(values: Sequence[float], k: int) -> float:
    """The expected best of k without replacement; values that lack up to k are 0."""
    ordered = sorted([*values, *[0.0] * (k - len(values))])
    return sum(value * math.comb(place, k - 1) for place, value in enumerate(ordered)) / math.comb(len(ordered), k)


def at_k(points: Sequence[tuple[Unit, Reply]]) -> Evaluate:
    """A weighted mean over units; undefined where a trial of a unit with weight was not judged."""
    trials: dict[tuple[Any, ...], list[int]] = {}
    for place, (unit, _) in enumerate(points):
        trials.setdefault((unit.id, unit.question, unit.element), []).append(place)
    places = list(trials.values())
    k = (points[0][0].settings.get("k") if points else None) or max(map(len, places), default=1)
    partial = bool(points) and is_partial(points[0][0])
    failed = np.asarray([any(has_failed(points[place][1]) for place in some) for some in places], dtype=bool)
    worst = {name: np.asarray([best_of([_value(points[place][1], name) for place in some], k) for some in places])
             for name in NAMES}
    read_ones = [[place for place in some if not has_failed(points[place][1])] for some in places]
    left = {name: np.asarray([best_of([_value(points[place][1], name) for place in some], k) for some in read_ones])
            for name in NAMES} if partial else worst
    there = np.asarray([float(bool(some) or not partial) for some in read_ones])
    order = np.asarray([place for some in places for place in some], dtype=np.intp)
    starts = np.cumsum([0, *map(len, places)])[:-1]

    def evaluate(weights: Floats) -> Mapping[str, Floats]:
        each = np.add.reduceat(weights[:, order], starts, axis=1) if places else np.zeros((len(weights), 0))
        some_read = each * there
        shut = np.zeros(len(weights), dtype=bool) if partial else (each[:, failed] > 0).any(axis=1)

        found = {AT_K[name]: np.where(shut, np.nan, _mean(some_read, left[name])) for name in NAMES}
        return {**found, **{f"{AT_K[name]}_worst_case": _mean(each, worst[name]) for name in NAMES}}

    return evaluate


def _mean(weights: Floats, values: Floats) -> Floats:
    total = weights.sum(axis=1)
    return np.divide(weights @ values, total, out=np.full(len(total), np.nan), where=total > 0)


def _value(reply: Reply, name: str) -> float:
    found = verdict(reply)
    return 0.0 if found is None else float(found[name])


def beside(units: Sequence[Unit], replies: Sequence[Sequence[Reply]]) -> Mapping[str, Any]:
    """``trials``: how many units have how many of them; a unit without any has one that is missing."""
    counts: dict[str, int] = {}
    for some in replies:
        counts[str(len(some))] = counts.get(str(len(some)), 0) + 1
    return {**judges(units, replies), "trials": counts}


def check(units: Sequence[Unit]) -> None:
    for unit in units[:1]:  # settings are the same for all units of a metric
        for name in ("k", "turns"):
            if unit.settings.get(name) is not None and not _counts(unit.settings[name]):
                raise Refused(N_("ted: the setting '{name}' is '{value}', which is no whole number from 1 up"),
                              code="bad_field", name=name, value=str(unit.settings[name])[:80])


def oracle(unit: Unit) -> Row:
    """Every note at the first turn."""
    notes = unit.fact("notes", "notes")
    return {"judge_score": {"notes": [1] * (len(notes) if isinstance(notes, list) else notes or 1), "turns": 1}}


metrics.add("ted", Metric(
    name="ted", best=1.0, worst=0.0, headline="max_progress_at_k", asks=False, proportion=False, sums=COUNTS, read=read,
    parts=parts, finish=complete(*(f"mean_{name}" for name in NAMES)), whole=at_k, beside=beside, oracle=oracle,
    anti=refused, constants=no_constants, check=check,
))
