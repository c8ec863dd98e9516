# SPDX-License-Identifier: Apache-2.0
"""Adds up: the parts of everything that is scored as one array, and every value from it, for any weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exports.scorer.metric import MISSING, Evaluate, Floats, Metric, Parts, Reply, Unit, ratio

Run = tuple[Any, ...]                          # rater, condition, epoch
Answers = Sequence[tuple[Run, Reply]]          # what a system says to one unit, a row each
ONCE: Run = (None, None, None)


@dataclass(frozen=True, slots=True)
class Thing:
    """What counts once: a unit, or a group of units; with the replies to each unit."""

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
        return [reply for some in self.answers for _, reply in some]


def things_of(metric: Metric, units: Sequence[Unit], answers: Sequence[Answers]) -> list[Thing]:
    """One thing a unit; or one a group, where a unit without a row in one of the group's runs is missing there."""
    if metric.group is None:
        return [Thing((unit,), (some or [(ONCE, MISSING)],)) for unit, some in zip(units, answers, strict=True)]
    groups: dict[str, list[int]] = {}
    for place, unit in enumerate(units):
        groups.setdefault(metric.group(unit), []).append(place)
    found = []
    for places in groups.values():
        runs = tuple(dict.fromkeys(run for place in places for run, _ in answers[place])) or (ONCE,)
        filled = tuple([(run, dict(answers[place]).get(run, MISSING)) for run in runs] for place in places)
        found.append(Thing(tuple(units[place] for place in places), filled))
    return found


class Tally:
    """Parts of things as columns. ``names`` are parts in order, ``columns`` (things, 2 x parts)."""

    def __init__(self, metric: Metric, things: Sequence[Thing]) -> None:
        self.metric = metric
        self.things = things
        rows = [_parts_of(metric, thing) for thing in things]
        self.names = tuple(dict.fromkeys(name for row in rows for name in row)) or (metric.headline,)
        place = {name: 2 * n for n, name in enumerate(self.names)}
        self.columns: Floats = np.zeros((len(rows), 2 * len(self.names)))
        for n, row in enumerate(rows):
            for name, (above, below) in row.items():
                self.columns[n, place[name]] = above
                self.columns[n, place[name] + 1] = below
        codes: dict[str, int] = {}
        self.cluster: NDArray[np.intp] = np.asarray([codes.setdefault(thing.cluster, len(codes)) for thing in things],
                                                    dtype=np.intp)
        points = [(n, thing.first, reply, 1.0 / len(some)) for n, thing in enumerate(things)
                  for some in thing.answers[:1] for _, reply in some] if metric.whole is not None else []
        self._thing = np.asarray([n for n, *_ in points], dtype=np.intp)
        self._share: Floats = np.asarray([share for *_, share in points])
        self._whole: Evaluate | None = None if metric.whole is None else metric.whole(
            [(unit, reply) for _, unit, reply, _ in points])
        # Whether the headline comes from ``whole``, so that sums do not determine it.
        self.is_whole = self._whole is not None and metric.headline in self._whole(np.ones((1, len(points))))

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
        return self._finished(sums)[self.metric.headline]

    def weighted(self, weights: Floats, places: NDArray[np.intp]) -> Floats:
        """(b, places) -> (b,): a headline that comes from ``whole``, with a weight for every thing at ``places``."""
        spread = np.zeros((len(weights), len(self.things)))
        spread[:, places] = weights
        assert self._whole is not None
        return self._whole(spread[:, self._thing] * self._share)[self.metric.headline]

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
            weights = np.zeros((1, len(self.things)))
            weights[:, places] = 1.0
            derived |= self._whole(weights[:, self._thing] * self._share)
        return found | {name: _plain(float(value[0])) for name, value in derived.items()}

    def _finished(self, sums: Floats) -> Mapping[str, Floats]:
        if self.metric.finish is None or not self.things:
            return {}
        return self.metric.finish({name: sums[:, 2 * n:2 * n + 2] for n, name in enumerate(self.names)})


def _parts_of(metric: Metric, thing: Thing) -> Parts:
    """The mean over the rows of a thing (raters, epochs) of its parts."""
    if metric.together is not None:
        each = [metric.together(thing.units, [some[run][1] for some in thing.answers])
                for run in range(len(thing.answers[0]))]
    else:
        assert metric.parts is not None, f"{metric.name} has neither parts nor together"
        each = [metric.parts(thing.first, reply) for _, reply in thing.answers[0]]
    if len(each) == 1:
        return each[0]
    names = dict.fromkeys(name for parts in each for name in parts)
    return {name: (sum(parts.get(name, (0.0, 0.0))[0] for parts in each) / len(each),
                   sum(parts.get(name, (0.0, 0.0))[1] for parts in each) / len(each)) for name in names}


def _count(total: float) -> float | int:
    return int(total) if total == int(total) else total


def _plain(value: float) -> float | None:
    return value if np.isfinite(value) else None
