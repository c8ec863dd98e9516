"""Figures of a study: accuracy and time in each condition, and the comparison that was declared, with intervals.

Participants and items are both drawn (crossed, "pigeonhole" bootstrap: Owen 2007), since a test that draws items or
pools trials alone is wrong far too often with few people; for one person accuracy has Wilson's interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.intervals import wilson
from studies.exclusions import excluded
from studies.model import Study
from studies.model_parts import Exclusion
from studies.trial_row import TrialRow

Floats = NDArray[np.float64]
REPLICATES = 2_000
NO_ANSWER = "there is no answer that counts"
NO_PAIR = "in one of the two conditions there is no answer that counts"
LEAST_PEOPLE = LEAST_ITEMS = 2  # in each condition


@dataclass(frozen=True, slots=True)
class Estimate:
    """``low`` and ``high`` bound the 95 % interval; None with ``why`` where there is none. ``n``: answers it is of."""

    value: float | None
    low: float | None = None
    high: float | None = None
    method: str = ""
    why: str = ""
    n: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """One condition. ``accuracy`` over all answers that count but for time, timeouts wrong; times over right answers
    (or all, as declared): ``time`` the geometric mean, ``median`` the median of people's medians, in seconds, of the
    same answers. ``trials`` are all in earnest, so each figure has an ``n`` of its own."""

    condition: str
    people: int
    trials: int
    timeouts: int
    left_out: int
    accuracy: Estimate
    time: Estimate
    median: float | None


@dataclass(frozen=True, slots=True)
class Compared:
    """``second`` against ``first``. ``accuracy``: difference; ``ratio``: of geometric mean times (below 1: faster);
    ``seconds``: difference of geometric means."""

    first: str
    second: str
    accuracy: Estimate
    ratio: Estimate
    seconds: Estimate


@dataclass(frozen=True, slots=True)
class Summary:
    """``sensitivity``: the comparison's ratio under other rules, beside the declared one ("declared")."""

    cells: tuple[Cell, ...]
    compared: tuple[Compared, ...]
    sensitivity: tuple[tuple[str, Estimate], ...]
    people: int
    trials: int


def summarise(study: Study, rows: Sequence[TrialRow], *, replicates: int = REPLICATES, seed: int = 0) -> Summary:
    """All figures; the same rows and seed give the same intervals."""
    main = [row for row in rows if row.kind == "main" and row.standing]
    names = [condition.name for condition in study.conditions]
    cells = tuple(_cell(study, name, [row for row in main if row.planned.condition == name], replicates, seed)
                  for name in names)
    declared = study.analysis.compare
    pairs = [(declared[0], declared[1])] if declared else [(names[0], other) for other in names[1:]]
    compared = tuple(_compare(study, main, pair, replicates, seed) for pair in pairs) if len(names) > 1 else ()
    rules = _sensitivity(study, rows, pairs[0], replicates, seed) if compared and study.timed else ()
    return Summary(cells, compared, rules, len({row.sitting for row in main}), len(main))


# --- one condition --------------------------------------------------------------------------------------------

def _cell(study: Study, name: str, rows: Sequence[TrialRow], replicates: int, seed: int) -> Cell:
    judged = [row for row in rows if answered_for_accuracy(row)]
    timed = [row for row in rows if answered_for_time(study, row)]
    accuracy = _mean(_grid(judged, lambda row: float(bool(row.correct))), replicates, seed, NO_ANSWER)
    if accuracy.low is None and judged and len({row.sitting for row in judged}) == 1:
        bounds = wilson(sum(bool(row.correct) for row in judged), len(judged))
        if bounds is not None:
            accuracy = Estimate(accuracy.value, *bounds, "wilson (one participant)", n=accuracy.n)
    log = _mean(_grid(timed, _log_time), replicates, seed, _no_time(study))
    medians: dict[Any, list[float]] = {}
    for row in timed:
        medians.setdefault(row.sitting, []).append(row.response_time or 0.0)
    return Cell(name, len({row.sitting for row in rows}), len(rows), sum(r.record.outcome == "timeout" for r in rows),
                sum(bool(row.exclusions) for row in rows), accuracy, _exp(log),
                median(median(times) for times in medians.values()) if medians else None)


def answered_for_accuracy(row: TrialRow) -> bool:
    """A trial that says right or wrong; one out of time is wrong, one too fast or slow still an answer."""
    return row.correct is not None and not {"attention", "accuracy"} & set(row.exclusions)


def answered_for_time(study: Study, row: TrialRow) -> bool:
    """A trial whose time is used: kept by the rule, and right where only those of right answers were declared.

    None is where the study is untimed.
    """
    return study.timed and row.counts and row.response_time is not None and (
        bool(row.correct) or row.correct is None or not study.analysis.correct_only)


def _no_time(study: Study) -> str:
    """What is missing where there is no trial whose time is used."""
    if not study.timed:
        return "time is not part of this study"
    return "there is no right answer that counts" if study.analysis.correct_only else NO_ANSWER


def _log_time(row: TrialRow) -> float:
    return math.log(max(row.response_time or 0.0, 1e-6))


# --- two conditions -------------------------------------------------------------------------------------------

def _compare(study: Study, rows: Sequence[TrialRow], pair: tuple[str, str], replicates: int, seed: int) -> Compared:
    def both(used: Callable[[TrialRow], bool], value: Callable[[TrialRow], float],
             how: Literal["diff", "ratio", "exp"], without: str) -> Estimate:
        taken = [row for row in rows if used(row) and row.planned.condition in pair]
        axes = _axes(taken)
        grids = [_grid([row for row in taken if row.planned.condition == name], value, axes) for name in pair]
        return _difference(grids, how, replicates, seed, without)

    def time_used(row: TrialRow) -> bool:
        return answered_for_time(study, row)

    no_time = _no_time(study).replace("there is", "in one of the two conditions there is")
    return Compared(pair[0], pair[1],
                    both(answered_for_accuracy, lambda row: float(bool(row.correct)), "diff", NO_PAIR),
                    both(time_used, _log_time, "ratio", no_time), both(time_used, _log_time, "exp", no_time))


def _sensitivity(study: Study, rows: Sequence[TrialRow], pair: tuple[str, str], replicates: int, seed: int
                 ) -> tuple[tuple[str, Estimate], ...]:
    own = study.exclusion
    rules = {"declared": own, "none": Exclusion(), "sd 2.5": Exclusion(rt="sd"), "sd 2.5, log": Exclusion(
        rt="sd", log=True), "mad 2.5": Exclusion(rt="mad"), "mad 2.5, log": Exclusion(rt="mad", log=True)}
    found = []
    for name, rule in rules.items():
        other = study.model_copy(update={"exclusion": rule.model_copy(update={"accuracy_below": own.accuracy_below})})
        again = [replace(row, exclusions=[]) for row in rows]
        excluded(other, again)  # by attention checks, too, which are no trials in earnest
        main = [row for row in again if row.kind == "main" and row.standing]
        found.append((name, _compare(other, main, pair, replicates, seed).ratio))
    return tuple(found)


# --- crossed bootstrap ----------------------------------------------------------------------------------------

Axes = tuple[dict[Any, int], dict[str, int]]


@dataclass(frozen=True, slots=True)
class _Grid:
    """Sums and counts by participant (rows) and item (columns)."""

    sums: Floats
    counts: Floats


def _axes(rows: Iterable[TrialRow]) -> Axes:
    people: dict[Any, int] = {}
    items: dict[str, int] = {}
    for row in rows:
        people.setdefault(row.sitting, len(people))
        items.setdefault(row.planned.item, len(items))
    return people, items


def _grid(rows: Sequence[TrialRow], value: Callable[[TrialRow], float], axes: Axes | None = None) -> _Grid:
    people, items = axes or _axes(rows)
    sums, counts = np.zeros((len(people), len(items))), np.zeros((len(people), len(items)))
    for row in rows:
        at = people[row.sitting], items[row.planned.item]
        sums[at] += value(row)
        counts[at] += 1
    return _Grid(sums, counts)


def _mean(grid: _Grid, replicates: int, seed: int, without: str = NO_ANSWER) -> Estimate:
    n = grid.counts.sum()
    if not n:
        return Estimate(None, why=without)
    point = float(grid.sums.sum() / n)
    return replace(_interval(point, [grid], lambda one: one[0], replicates, seed), n=int(n))


def _difference(grids: Sequence[_Grid], how: Literal["diff", "ratio", "exp"], replicates: int, seed: int,
                without: str = NO_PAIR) -> Estimate:
    counts = [grid.counts.sum() for grid in grids]
    if not all(counts):
        return Estimate(None, why=without)

    def of(means: Sequence[Any]) -> Any:
        first, second = means
        if how == "exp":
            return np.exp(second) - np.exp(first)
        return np.exp(second - first) if how == "ratio" else second - first

    point = float(of([grid.sums.sum() / n for grid, n in zip(grids, counts, strict=True)]))
    return replace(_interval(point, grids, of, replicates, seed), n=int(sum(counts)))


def _interval(point: float, grids: Sequence[_Grid], of: Callable[[Sequence[Any]], Any], replicates: int, seed: int
              ) -> Estimate:
    """Percentiles of draws in which participants and items are drawn with replacement, the same for all grids.

    Where each person has one condition (vary: between), people of all conditions are drawn together, too: with few
    of them such intervals hold what they should more often than those of people drawn by condition.
    """
    people, items = grids[0].counts.shape
    if min(np.count_nonzero(grid.counts.sum(axis=1)) for grid in grids) < LEAST_PEOPLE:
        return Estimate(point, why="one participant says nothing about others")
    if min(np.count_nonzero(grid.counts.sum(axis=0)) for grid in grids) < LEAST_ITEMS:
        return Estimate(point, why="one item says nothing about others")
    rng = np.random.default_rng(seed)
    who = rng.multinomial(people, np.full(people, 1 / people), size=replicates).astype(np.float64)
    what = rng.multinomial(items, np.full(items, 1 / items), size=replicates).astype(np.float64)
    means = []
    for grid in grids:
        total = ((who @ grid.sums) * what).sum(axis=1)
        n = ((who @ grid.counts) * what).sum(axis=1)
        means.append(np.divide(total, n, out=np.full(replicates, np.nan), where=n > 0))
    drawn = np.asarray(of(means))
    drawn = drawn[np.isfinite(drawn)]
    if len(drawn) < replicates // 2:
        return Estimate(point, why="too few answers to draw from")
    if np.ptp(drawn) < 1e-12:
        return Estimate(point, why="all answers are alike, so drawing them again says nothing")
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Estimate(point, float(low), float(high), "crossed bootstrap, percentiles")


def _exp(log: Estimate) -> Estimate:
    return replace(log, value=None if log.value is None else math.exp(log.value),
                   low=None if log.low is None else math.exp(log.low),
                   high=None if log.high is None else math.exp(log.high))


def mean_of_people(rows: Iterable[TrialRow], value: Callable[[TrialRow], float | None]) -> dict[Any, float]:
    """{sitting: mean}, for plots of one point a person."""
    found: dict[Any, list[float]] = {}
    for row in rows:
        one = value(row)
        if one is not None:
            found.setdefault(row.sitting, []).append(one)
    return {sitting: fmean(values) for sitting, values in found.items()}
