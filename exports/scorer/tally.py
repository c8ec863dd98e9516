# SPDX-License-Identifier: Apache-2.0
"""Adds up: the parts of everything that is scored as one array, and every value from it, for any weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exports.scorer.metric import MISSING, Evaluate, Floats, Metric, Parts, Reply, Row, Unit, ratio

Run = tuple[Any, ...]                          # rater, condition, epoch
Answers = Sequence[tuple[Row, Run, Reply]]     # what a system says to one unit
ONCE: Run = (None, None, None)


@dataclass(slots=True)  # as good as frozen, which would make each take three times as long
class Thing:
    """What counts once: a unit, or a group of units; with the replies to each unit, in the order of the runs."""

    units: tuple[Unit, ...]
    answers: tuple[Answers, ...]

    @property
    def first(self) -> Unit:
        return self.units[0]

    @property
    def cluster(self) -> str:
        """What is resampled as one; a thing without a cluster is one of its own."""
        named = next((unit.cluster for unit in self.units if unit.cluster is not None), None)
        return f"c\x00{named}" if named is not None else f"i\x00{self.first.id}"

    def replies(self) -> list[Reply]:
        return [reply for some in self.answers for _, _, reply in some]


def things_of(metric: Metric, units: Sequence[Unit], answers: Sequence[Answers]) -> list[Thing]:
    """One thing a unit, or one a group. Who answers several times is missing where a unit lacks one of the runs."""
    runs = tuple(dict.fromkeys([run for some in answers for _, run, _ in some])) or (ONCE,)
    if metric.group is None:
        return [Thing((unit,), (_filled(some, runs),)) for unit, some in zip(units, answers, strict=True)]
    groups: dict[str, list[int]] = {}
    for place, unit in enumerate(units):
        groups.setdefault(metric.group(unit), []).append(place)
    return [Thing(tuple(units[place] for place in places), tuple(_filled(answers[place], runs) for place in places))
            for places in groups.values()]


def _filled(some: Answers, runs: tuple[Run, ...]) -> Answers:
    if len(some) == len(runs) == 1:
        return some
    given = {run: (row, run, reply) for row, run, reply in some}
    return [given.get(run, ({}, run, MISSING)) for run in runs]


class Tally:
    """Parts of things as columns. ``names`` are parts in order, ``columns`` (things, 2 x parts).

    Who answers in several runs (epochs, conditions) counts with the mean over them; ``runs`` names them, ``by_run``
    (runs, things, 2 x parts) holds each where there are several. ``keys`` are id and element of a thing's first unit,
    ``answered`` says where there is any row.
    """

    def __init__(self, metric: Metric, things: Sequence[Thing]) -> None:
        self.metric = metric
        self.keys = [(thing.first.id, thing.first.element) for thing in things]
        self.runs: tuple[Run, ...] = tuple(run for _, run, _ in things[0].answers[0]) if things else (ONCE,)
        rows = [[_parts_of(metric, thing, run) for thing in things] for run in range(len(self.runs))]
        self.names = tuple(dict.fromkeys(name for some in rows for row in {id(row): row for row in some}.values()
                                         for name in row)) or (metric.headline,)
        each = [_columns(some, self.names) for some in rows]
        self.by_run: Floats | None = np.stack(each) if len(each) > 1 else None
        self.columns: Floats = each[0] if self.by_run is None else self.by_run.mean(axis=0)
        self.answered: NDArray[np.bool_] = np.asarray(
            [any([reply.status != "missing" for some in thing.answers for _, _, reply in some]) for thing in things],
            dtype=np.bool_)
        self.counts = _counted(things)
        self.cluster, self.clusters = _clustered(things)
        points = [(n, thing.first, reply, 1.0 / len(some)) for n, thing in enumerate(things)
                  for some in thing.answers[:1] for _, _, reply in some] if metric.whole is not None else []
        self._thing = np.asarray([n for n, *_ in points], dtype=np.intp)
        self._share: Floats = np.asarray([share for *_, share in points])
        self._whole: Evaluate | None = None if metric.whole is None else metric.whole(
            [(unit, reply) for _, unit, reply, _ in points])
        # Whether the headline comes from ``whole``, so that sums do not determine it.
        self.is_whole = self._whole is not None and metric.headline in self._whole(np.ones((1, len(points))))

    def __len__(self) -> int:
        return len(self.keys)

    def pairs(self, name: str) -> Floats:
        """(things, 2): numerators and denominators of one part."""
        place = 2 * self.names.index(name)
        return self.columns[:, place:place + 2]

    @property
    def needed(self) -> NDArray[np.intp]:
        """The columns that the headline depends on."""
        if self.metric.headline not in self.names:
            return np.arange(self.columns.shape[1])
        place = 2 * self.names.index(self.metric.headline)
        return np.asarray([place, place + 1])

    def headline(self, sums: Floats) -> Floats:
        """(b, needed columns) -> (b,): the metric's value for each row of sums, NaN where it is undefined."""
        if self.metric.headline in self.names:
            return ratio(sums)
        return self._finished(sums).get(self.metric.headline, np.full(len(sums), np.nan))

    def weighted(self, weights: Floats, places: NDArray[np.intp]) -> Floats:
        """(b, places) -> (b,): a headline that comes from ``whole``, with a weight for every thing at ``places``."""
        spread = np.zeros((len(weights), len(self)))
        spread[:, places] = weights
        assert self._whole is not None
        return self._whole(spread[:, self._thing] * self._share)[self.metric.headline]

    def value(self, places: NDArray[np.intp], run: int | None = None) -> float | None:
        """The headline over the things at ``places``; of one run alone where it is named (not for ``whole``)."""
        if not len(places):
            return None
        if self.is_whole:
            return _plain(float(self.weighted(np.ones((1, len(places))), places)[0])) if run is None else None
        columns = self.columns if run is None or self.by_run is None else self.by_run[run]
        return _plain(float(self.headline(columns[places][:, self.needed].sum(axis=0, keepdims=True))[0]))

    def values(self, places: NDArray[np.intp]) -> dict[str, float | int | None]:
        """Every reported value over the things at ``places``; counts for ``sums``, None where undefined."""
        sums = self.columns[places].sum(axis=0, keepdims=True)
        found: dict[str, float | int | None] = {}
        for n, name in enumerate(self.names):
            if name in self.metric.sums:
                found[name] = _count(float(sums[0, 2 * n]))
            elif not name.startswith("_"):
                found[name] = _plain(float(ratio(sums[:, 2 * n:2 * n + 2])[0]))
        derived = dict(self._finished(sums))
        if self._whole is not None:
            weights = np.zeros((1, len(self)))
            weights[:, places] = 1.0
            derived |= self._whole(weights[:, self._thing] * self._share)
        return found | {name: _plain(float(value[0])) for name, value in derived.items()}

    def _finished(self, sums: Floats) -> Mapping[str, Floats]:
        if self.metric.finish is None or not self.keys:
            return {}
        return self.metric.finish({name: sums[:, 2 * n:2 * n + 2] for n, name in enumerate(self.names)})


def _clustered(things: Sequence[Thing]) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """The cluster of each thing as a place in the names of all."""
    codes: dict[str, int] = {}
    named: dict[str, int] = {}  # the same, by the name of a first unit's cluster
    places = []
    for thing in things:
        name = thing.units[0].cluster
        place = None if name is None else named.get(name)
        if place is None:
            place = codes.setdefault(thing.cluster, len(codes))
            if name is not None:
                named[name] = place
        places.append(place)
    return np.asarray(places, dtype=np.intp), tuple(codes)


def _counted(things: Sequence[Thing]) -> Counter[str]:
    """Replies by status; a unit that lacks all of several runs is missing once."""
    counts = Counter[str]([reply.status for thing in things for some in thing.answers for _, _, reply in some])
    runs = len(things[0].answers[0]) if things else 1
    if runs > 1 and counts["missing"]:
        counts["missing"] -= (runs - 1) * sum(all(reply.status == "missing" for _, _, reply in some)
                                              for thing in things for some in thing.answers)
    return counts


def _parts_of(metric: Metric, thing: Thing, run: int) -> Parts:
    if metric.together is not None:
        return metric.together(thing.units, [some[run][2] for some in thing.answers])
    assert metric.parts is not None, f"{metric.name} has neither parts nor together"
    return metric.parts(thing.first, thing.answers[0][run][2])


def _columns(rows: Sequence[Parts], names: tuple[str, ...]) -> Floats:
    """(things, 2 x names): zero where a row lacks a part. A row that stands for many things is read once."""
    nothing = (0.0, 0.0)
    ids = [id(row) for row in rows]
    distinct = dict(zip(ids, rows, strict=True))
    table = np.asarray([[row.get(name, nothing) for name in names] for row in distinct.values()],
                       dtype=np.float64).reshape(len(distinct), 2 * len(names))
    if len(distinct) == len(rows):
        return table
    place = {one: n for n, one in enumerate(distinct)}
    return table[[place[one] for one in ids]]


def _count(total: float) -> float | int:
    return int(total) if total == int(total) else total


def _plain(value: float) -> float | None:
    return value if np.isfinite(value) else None
