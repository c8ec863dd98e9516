"""One statistic for many slices of the items at once: patterns are found once, and one count gives all slices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotation.agreement.intervals import Interval, acceleration, bca
from annotation.agreement.jackknife import jackknife_of
from annotation.agreement.notes import notes_on, prevalence
from annotation.agreement.ratings import Floats, Ints, Patterns, Ratings
from annotation.agreement.report import (
    DRAWN,
    Prepared,
    method_for,
    prepare,
    too_few_or_many,
    why_nothing,
    why_undefined,
    with_interval,
)
from annotation.agreement.resampling import BLOCK, STOPPED, Bundles, Cancelled, Progress, Sampled, percentile
from annotation.agreement.result import NONE as NO_INTERVAL
from annotation.agreement.result import Result
from annotation.agreement.statistic import Linear, Statistic

LEAST = 20          # fewer items than this: the value is shown, an interval is not
TABLE = 20_000_000  # most cells of the table of slices x patterns; beyond it slice by slice


def measure_slices(ratings: Ratings, metric: str, field: str, *, level: str | None = None, weights: str | None = None,
                   interval: str = "bca", replicates: int = 10_000, seed: int = 0, ci_level: float = 0.95,
                   least: int = LEAST, progress: Progress | None = None, cancelled: Cancelled | None = None
                   ) -> tuple[Result, ...]:
    """The statistic for each value of the tag ``field`` (``ratings.slices``), in the order of the values.

    Each is what ``measure`` says of those items alone, to the last digit, but for what a metric takes from the whole
    question: the categories of an open question and the period of a circle are the same for all slices. Slices of
    fewer than ``least`` items have a value and no interval. A unit may be in several slices.
    Time: one pass over the answers, then by the patterns that occur in each slice. With a jackknife a thousand slices
    take tenths of a second, a thousand draws for each of them seconds. Memory: slices x patterns.
    """
    found = _Slices(ratings, sorted(ratings.slices))
    whole = prepare(ratings, metric, level=level, weights=weights)
    method_for(whole.metric, interval)
    alone = (whole.metric.ordered or ratings.block is not None or interval in ("analytic", "krippendorff")
             or len(found.names) * len(whole.patterns.count) > TABLE or not len(whole.patterns.count))
    made = (_one_by_one(found, metric, level, weights, interval, replicates, seed, ci_level, least, cancelled) if alone
            else _together(found, whole, interval, replicates, seed, ci_level, least, cancelled))
    out = []
    for result, name in zip(made, found.names, strict=True):
        out.append(replace(result, by={"field": field, "value": name}))
        if progress is not None:
            progress(len(out), len(found.names))
    return tuple(out)


class _Slices:
    """The answers of each slice without a search through all of them for each."""

    def __init__(self, ratings: Ratings, names: Sequence[str]) -> None:
        self.ratings, self.names = ratings, names
        self.order = np.argsort(ratings.unit, kind="stable")
        self.size = np.bincount(ratings.unit, minlength=ratings.n_units)
        self.start = np.cumsum(self.size) - self.size

    def units(self, name: str) -> Ints:
        return np.asarray(self.ratings.slices[name], dtype=np.int64)

    def rows(self, units: Ints) -> tuple[Ints, Ints]:
        """Rows of the ratings that belong to ``units``, and the place in ``units`` of each."""
        size = self.size[units]
        place = np.repeat(np.arange(len(units)), size)
        within = np.arange(len(place)) - np.repeat(np.cumsum(size) - size, size)
        return self.order[self.start[units][place] + within], place

    def ratings_of(self, name: str) -> Ratings:
        units = np.unique(self.units(name))
        rows, place = self.rows(units)
        all_of = self.ratings
        return replace(all_of, unit=place, person=all_of.person[rows], code=all_of.code[rows], n_units=len(units),
                       block=None if all_of.block is None else all_of.block[units], slices={})


def _one_by_one(found: _Slices, metric: str, level: str | None, weights: str | None, interval: str, replicates: int,
                seed: int, ci_level: float, least: int, cancelled: Cancelled | None) -> Iterator[Result]:
    for name in found.names:
        prepared = prepare(found.ratings_of(name), metric, level=level, weights=weights)
        few = prepared.statistic is not None and prepared.base.n_items < least
        result = with_interval(prepared, interval="none" if few else interval, replicates=replicates, seed=seed,
                               ci_level=ci_level, cancelled=cancelled)
        yield result if not few else replace(
            result, reason=_too_few(least), replicates=replicates if interval in DRAWN else 0,
            ci_method=method_for(prepared.metric, interval, clustered=prepared.clustered))


def guarded(result: Result, least: int = LEAST) -> Result:
    """A result of one slice, without its interval where that would come from fewer than ``least`` items."""
    if result.ci is None or result.n_items >= least:
        return result
    return replace(result, ci=None, se=None, ci_method=NO_INTERVAL, replicates=0, reason=_too_few(least))


def _too_few(least: int) -> str:
    return f"no interval: fewer than {least} items"


@dataclass(frozen=True, slots=True)
class _Counts:
    """By slice (S): units, people, judgements and missing values; ``table`` (S, K): units of each pattern."""

    table: Floats
    people: Ints
    missing: Ints
    given: Ints


def _counts(found: _Slices, patterns: Patterns, least: int) -> _Counts:
    ratings, slices = found.ratings, len(found.names)
    kinds = len(patterns.count)
    pattern = np.full(ratings.n_units, -1, dtype=np.int64)
    pattern[patterns.units] = patterns.of_unit
    table = np.zeros((slices, kinds))
    people, missing, given = (np.zeros(slices, dtype=np.int64) for _ in range(3))
    code = ratings.code >= 0
    for place, name in enumerate(found.names):
        units = np.unique(found.units(name))
        shown = pattern[units]
        table[place] = np.bincount(shown[shown >= 0], minlength=kinds)
        rows, of = found.rows(units)
        there = code[rows]
        missing[place], given[place] = len(rows) - int(there.sum()), int(there.sum())
        enters = there & (shown[of] >= 0)
        people[place] = np.count_nonzero(np.bincount(ratings.person[rows[enters]]))
    return _Counts(table, people, missing, given)


def _together(found: _Slices, whole: Prepared, interval: str, replicates: int, seed: int, ci_level: float, least: int,
              cancelled: Cancelled | None) -> Iterator[Result]:
    patterns, scale, metric = whole.patterns, whole.scale, whole.metric
    counts = _counts(found, patterns, metric.least)
    statistic = whole.statistic or metric.builds[scale.level](patterns, scale)
    values = _values(statistic, counts.table)
    shown = prevalence(patterns, counts.table)
    rank = np.empty(len(patterns.count), dtype=np.int64)
    rank[np.lexsort(patterns.cells.T[::-1])] = np.arange(len(rank))
    drawn = interval in DRAWN
    base = replace(whole.base, value=None, reason=None, ci_level=ci_level, seed=seed,
                   ci_method=method_for(metric, interval), replicates=replicates if drawn else 0)
    for place in range(len(found.names)):
        weights, people = counts.table[place], int(counts.people[place])
        items = int(weights.sum())
        result = replace(base, n_items=items, n_people=people, n_judgements=int(weights @ patterns.size),
                         n_missing=int(counts.missing[place]))
        why = why_nothing(counts.given[place], counts.missing[place]) if not items else too_few_or_many(metric, people)
        if why is None and not np.isfinite(values[place]):
            why = why_undefined(metric, _part(patterns, weights, np.flatnonzero(weights)), scale)
        if why is not None:
            yield replace(result, reason=why)
            continue
        value, made = float(values[place]), None
        if interval == "none" or (drawn and replicates == 0):
            reason = "no interval was asked for" if interval == "none" else "no interval: no resamples were asked for"
        elif items < max(2, least):
            reason = _too_few(max(2, least))
        else:
            present = np.flatnonzero(weights)
            present = present[np.lexsort((rank[present], -weights[present]))]
            made = _interval(whole, statistic, weights, present, value, interval, replicates, seed, ci_level, cancelled)
            reason = made.reason or ""
        ci = made.pair if made is not None else None
        note = notes_on(shown, scale, items=items, people=people, drawn=items, clustered=False, place=place,
                        asked=made is not None, there=ci is not None)
        yield replace(result, value=value, ci=ci, reason=None if ci else reason, note="; ".join(note) or None,
                      se=made.se if made is not None and ci else None)


def _values(statistic: Statistic, table: Floats) -> Floats:
    step = max(1, BLOCK // max(1, table.shape[1], statistic.width))
    parts = [statistic.evaluate(table[start : start + step]) for start in range(0, len(table), step)]
    return np.concatenate(parts) if parts else np.zeros(0)


def _part(patterns: Patterns, weights: Floats, present: Ints) -> Patterns:
    """Those of the patterns that are ``present``, with the same values."""
    return replace(patterns, cells=patterns.cells[present], size=patterns.size[present],
                   count=weights[present].astype(np.int64), of_unit=present[:0], units=present[:0])


def _interval(whole: Prepared, statistic: Statistic, weights: Floats, present: Ints, value: float, interval: str,
              replicates: int, seed: int, ci_level: float, cancelled: Cancelled | None) -> Interval:
    part = _part(whole.patterns, weights, present)
    one = (Linear(statistic.features[present], statistic.finish) if isinstance(statistic, Linear)
           else whole.metric.builds[whole.scale.level](part, whole.scale))
    sampled = Sampled(one, Bundles(part.count, len(present)))
    if interval == "jackknife":
        return jackknife_of(value, *sampled.left_out(), bounds=whole.metric.bounds, level=ci_level)
    draws = sampled.draws(np.random.default_rng(seed), replicates, cancelled=cancelled)
    if draws is None:
        return Interval(None, None, STOPPED)
    if interval == "percentile":
        return percentile(draws, level=ci_level)
    return bca(sampled.value, draws, accel=acceleration(*sampled.left_out()), level=ci_level)
