# SPDX-License-Identifier: Apache-2.0
"""People as a baseline: the mean over people, their majority, the best of them, tiers, and a model's gap to them.

A person counts with the items that he or she answered; coverage says how many of all that are. What people left out is
not wrong, unlike a model's gap.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from exports.scorer.compare import common, paired
from exports.scorer.crossed import Share, crossed, share_of
from exports.scorer.figures import Entry, ci_of, entry_of, figure_of
from exports.scorer.metric import UNPARSABLE, Floats, Metric, Reply, Unit, given, is_number
from exports.scorer.options import Options
from exports.scorer.systems import Heard
from exports.scorer.tally import ONCE, Tally, things_of

MOST_TIED = 12  # answers that share the first place, up to which a drawn tie is counted exactly


@dataclass(frozen=True, slots=True)
class People:
    """Each person's own sums, by name."""

    tallies: Mapping[str, Tally]
    entries: tuple[Entry, ...]


def people_of(system: str, metric: Metric, question: str | None, units: Sequence[Unit], said: Heard,
              options: Options) -> People:
    """The rows of the report that stand for people, and what is behind them."""
    by_rater: dict[str, Heard] = {}
    tiers: dict[str, dict[str, None]] = {}
    for place, some in enumerate(said):
        for row, run, reply in some:
            rater = str(row["rater"])
            if rater not in by_rater:
                by_rater[rater] = [[] for _ in units]
            by_rater[rater][place].append((row, (None, *run[1:]), reply))
            if row.get("tier") is not None:
                tiers.setdefault(row["tier"], {})[rater] = None
    tallies = {rater: _own(metric, units, _joined(heard)) for rater, heard in sorted(by_rater.items())}
    total = len(things_of(metric, units, [[] for _ in units]))
    entries = [_mean(system, metric, question, tallies, total, options)]
    for tier, raters in sorted(tiers.items()):
        entries.append(_mean(f"{system} (tier {tier})", metric, question, {one: tallies[one] for one in raters}, total,
                             options))
    for condition in _conditions(by_rater):
        shown = {rater: _own(metric, units, _under(condition, heard)) for rater, heard in sorted(by_rater.items())}
        entries.append(_mean(f"{system} (condition {condition})", metric, question,
                             {rater: tally for rater, tally in shown.items() if len(tally)}, total, options))
    if tallies:
        entries += [_majority(system, metric, question, units, said, total, options),
                    _best(system, metric, question, tallies, total, options)]
    return People(tallies, tuple(entries))


def _joined(heard: Heard) -> Heard:
    """Where a person met every item under one condition alone, the conditions are parts of one run, not runs."""
    if any(len({run for _, run, _ in some}) > 1 for some in heard):
        return heard
    return [[(row, ONCE, reply) for row, _, reply in some] for some in heard]


def _conditions(by_rater: Mapping[str, Heard]) -> list[str]:
    """The conditions under which people answered, where there are several."""
    found = {run[1] for heard in by_rater.values() for some in heard for _, run, _ in some if run[1] is not None}
    return sorted(map(str, found)) if len(found) > 1 else []


def _under(condition: str, heard: Heard) -> Heard:
    return _joined([[(row, (None, None, *run[2:]), reply) for row, run, reply in some if run[1] == condition]
                    for some in heard])


def _own(metric: Metric, units: Sequence[Unit], heard: Heard) -> Tally:
    """One person's sums over what he or she answered (over whole groups, where groups count once)."""
    touched = {metric.group(unit) for unit, some in zip(units, heard, strict=True)
               if some} if metric.group is not None else set()
    mine = [(unit, some) for unit, some in zip(units, heard, strict=True)
            if some or (metric.group is not None and metric.group(unit) in touched)]
    return Tally(metric, things_of(metric, [unit for unit, _ in mine], [some for _, some in mine]))


def _mean(system: str, metric: Metric, question: str | None, tallies: Mapping[str, Tally], total: int,
          options: Options) -> Entry:
    values = {rater: tally.value(np.arange(len(tally))) for rater, tally in tallies.items()}
    keys = {key for tally in tallies.values() for key in tally.keys}
    known = [value for value in values.values() if value is not None]
    if any(tally.is_whole for tally in tallies.values()):
        found, point = None, sum(known) / len(known) if known else None
    else:
        point, found = crossed([share_of(tally) for tally in tallies.values()], options)
    counts = {status: sum(tally.counts[status] for tally in tallies.values())
              for status in ("missing", "refused", "unparsable")}
    figure: dict[str, Any] = {
        "metric": metric.name, "question": question, "value": point, "best": metric.best, "worst": metric.worst,
        **ci_of(found), "n": len(keys), **counts, "parts": {}, "coverage": len(keys) / total if total else None,
        "people": [{"rater": rater, "value": values[rater], "n": len(tally)} for rater, tally in tallies.items()]}
    return Entry(system, "people", metric, question, None, figure, [])


def _majority(system: str, metric: Metric, question: str | None, units: Sequence[Unit], said: Heard, total: int,
              options: Options) -> Entry:
    """What most people answered; tied answers count as drawn by lot (their mean), numbers as the median."""
    votes = [_voted([reply for _, _, reply in some]) for some in said]
    runs = min(math.lcm(*[len(some) for some in votes if some] or [1]), 60)
    heard: Heard = [[({}, (None, None, run), some[run % len(some)]) for run in range(runs)] if some else []
                    for some in votes]
    asked = [place for place, some in enumerate(heard) if some]
    if metric.group is not None:
        names = {metric.group(units[place]) for place in asked}
        asked = [place for place, unit in enumerate(units) if metric.group(unit) in names]
    entry = entry_of(f"{system} (majority)", "majority", metric, question, [units[place] for place in asked],
                     [heard[place] for place in asked], options)
    assert entry.tally is not None
    entry.figure.pop("runs", None)
    entry.figure.pop("beside", None)
    for status in ("missing", "refused", "unparsable"):
        entry.figure[status] = entry.tally.counts[status] // runs
    entry.figure["coverage"] = len(entry.tally) / total if total else None
    entry.figure["tied"] = sum(len(some) > 1 for some in votes)
    return entry


def _voted(replies: Sequence[Reply]) -> list[Reply]:
    """The replies that share the first place; what could not be read where nobody gave anything else."""
    values = [reply.value for reply in replies if reply.status == "given"]
    if not values:
        return [UNPARSABLE] if replies else []
    if all(is_number(value) or hasattr(value, "numerator") for value in values):
        ordered = sorted(values)
        middle = len(ordered) // 2
        return [given(ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2)]
    counts: dict[str, int] = {}
    by_text: dict[str, Any] = {}
    for value in values:
        text = repr(sorted(value)) if isinstance(value, frozenset) else repr(value)
        counts[text] = counts.get(text, 0) + 1
        by_text.setdefault(text, value)
    most = max(counts.values())
    return [given(by_text[text]) for text, n in counts.items() if n == most][:MOST_TIED]


def _best(system: str, metric: Metric, question: str | None, tallies: Mapping[str, Tally], total: int,
          options: Options) -> Entry:
    """The person with the best value, among those with ``least`` items if there are any. Chosen after the fact, so
    somewhat lucky.
    """
    enough = {rater: one for rater, one in tallies.items() if len(one) >= options.least} or tallies
    values = {rater: one.value(np.arange(len(one))) for rater, one in enough.items()}
    sign = -1.0 if metric.worst is None or metric.best < metric.worst else 1.0
    best = max(values, key=lambda rater: -math.inf if values[rater] is None else sign * (values[rater] or 0.0))
    figure = figure_of(tallies[best], question, options)
    figure.pop("runs", None)
    return Entry(f"{system} (best person)", "best person", metric, question, tallies[best],
                 {**figure, "coverage": len(tallies[best]) / total if total else None, "rater": best}, [])


def gap(model: Entry, system: str, people: People, options: Options) -> dict[str, Any]:
    """How far a model is from people: the mean over people of model less person, each over the items that both
    answered; the interval draws people and items.
    """
    assert model.tally is not None
    shares, models, mine = [], [], []
    keys: set[tuple[str, str | None]] = set()
    row: dict[str, Any] = {"metric": model.metric.name, "question": model.question, "system": model.system,
                           "people": system, "persons": len(people.tallies), "n": 0, "system_value": None,
                           "people_value": None, "gap": None, **ci_of(None)}
    if model.tally.is_whole:
        return {**row, "ci_reason": "no crossed interval for a value that sums do not determine"}
    for person in people.tallies.values():
        places, own = common(model.tally, person)
        if not len(places):
            continue
        keys.update(person.keys[place] for place in own)
        one, other = model.tally.value(places), person.value(own)
        if one is None or other is None:
            continue
        models.append(one)
        mine.append(other)
        shares.append(_difference(model.tally, places, person, own))
    row["persons"], row["n"] = len(shares), len(keys)
    if not shares:
        return {**row, "ci_reason": "nothing was answered by both"}
    point, found = crossed(shares, options)
    return {**row, "system_value": sum(models) / len(models), "people_value": sum(mine) / len(mine), "gap": point,
            **ci_of(found)}


def gap_to(model: Entry, other: Entry, options: Options) -> dict[str, Any]:
    """The same to one row of answers, as the majority's: a paired difference over the items that both answered."""
    assert model.tally is not None and other.tally is not None
    places, own = common(model.tally, other.tally)
    found = paired(model.tally, places, other.tally, own, options)
    return {"metric": model.metric.name, "question": model.question, "system": model.system, "people": other.system,
            "persons": None, "n": len(places), "system_value": found["first_value"],
            "people_value": found["second_value"], "gap": found["difference"], "ci": found["ci"],
            "ci_method": found["ci_method"], "ci_reason": found["ci_reason"]}


def _difference(model: Tally, places: Any, person: Tally, own: Any) -> Share:
    width = len(model.needed)
    columns = np.zeros((len(person), width + len(person.needed)))
    columns[own, :width] = model.columns[places][:, model.needed]
    columns[own, width:] = person.columns[own][:, person.needed]

    def of(sums: Floats) -> Floats:
        return model.headline(sums[:, :width]) - person.headline(sums[:, width:])

    return share_of(person, columns, of)
