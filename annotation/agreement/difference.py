"""The difference of two coefficients with its interval and p: of two slices, sets of people, metrics or rounds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from annotation.agreement.intervals import acceleration, bca, bca_p, holm
from annotation.agreement.jackknife import jackknife_of
from annotation.agreement.ratings import Floats, Ints, Ratings
from annotation.agreement.report import Prepared, prepare
from annotation.agreement.resampling import STOPPED, Cancelled, Progress, Sampled, blocks, bundle, bundles_of
from annotation.agreement.result import Result
from annotation.agreement.slices import LEAST
from annotation.agreement.student import t_tail
from annotation.errors import N_, Refused

PAIRED, INDEPENDENT = "difference_paired", "difference_independent"


@dataclass(frozen=True, slots=True)
class Difference:
    """``value`` = first less second. ``paired``: both were drawn together, because they share items (or clusters).

    ``p``: two-sided, of "there is no difference", by the method of the interval: below 0.05 exactly where the 95 %
    interval leaves 0 out. ``p_holm``: adjusted for all that were asked at once. None with a ``reason`` where undefined.
    """

    first: Result
    second: Result
    value: float | None
    ci: tuple[float, float] | None = None
    ci_level: float = 0.95
    ci_method: str = "bootstrap_bca_" + PAIRED
    p: float | None = None
    p_holm: float | None = None
    se: float | None = None
    paired: bool = False
    seed: int = 0
    replicates: int = 10_000
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return {**asdict(self), "first": self.first.to_dict(), "second": self.second.to_dict(),
                "ci": None if self.ci is None else list(self.ci)}


def difference(first: Prepared, second: Prepared, *, block: Ints | None = None, interval: str = "bca",
               replicates: int = 10_000, seed: int = 0, ci_level: float = 0.95, least: int = LEAST,
               progress: Progress | None = None, cancelled: Cancelled | None = None) -> Difference:
    """Of two prepared statistics whose units have the same numbers; ``block`` (units): what is drawn together.

    Where they share a unit or a block, both are computed on the same draws; else each draws its own. ``interval``:
    ``bca``, or ``jackknife`` at once. Fewer than ``least`` items on a side: the difference without an interval.
    Patterns that came as counts have no units and are taken as independent.
    """
    if interval not in ("bca", "jackknife"):
        raise Refused(N_("A difference has the intervals bca and jackknife, not '{interval}'"), code="unknown",
                      interval=interval)
    joint = _joint(first, second, block)
    paired = joint is not None
    drawn = interval == "bca"
    kind = PAIRED if paired else INDEPENDENT
    out = Difference(_alone(first), _alone(second), None, ci_level=ci_level, paired=paired, seed=seed,
                     ci_method=("bootstrap_bca_" if drawn else "jackknife_t_") + kind,
                     replicates=replicates if drawn else 0)
    for side in (first, second):
        if side.statistic is None or side.base.value is None:
            return replace(out, reason=side.base.reason)
    assert first.statistic is not None and second.statistic is not None  # as they have values
    value = float(first.base.value or 0.0) - float(second.base.value or 0.0)
    out = replace(out, value=value)
    if min(first.base.n_items, second.base.n_items) < least:
        return replace(out, reason=f"no interval: fewer than {least} items on a side")
    one, other = joint if joint is not None else (
        Sampled(first.statistic, bundle(first.patterns)), Sampled(second.statistic, bundle(second.patterns)))
    left, times = _left_out(one, other, paired=paired)
    if not drawn:
        found = jackknife_of(value, left, times, bounds=None, level=ci_level)
        p = None if not found.se else 2.0 * t_tail(abs(value / found.se), float(times.sum()) - 1.0)
        return replace(out, ci=found.pair, se=found.se, reason=found.reason, p=p)
    if replicates == 0:
        return replace(out, reason="no interval: no resamples were asked for")
    draws = _draws(one, other, paired=paired, replicates=replicates, seed=seed, progress=progress, cancelled=cancelled)
    if draws is None:
        return replace(out, reason=STOPPED)
    accel = acceleration(left, times)
    found = bca(value, draws, accel=accel, level=ci_level)
    if found.pair is None:
        return replace(out, reason=found.reason)
    return replace(out, ci=found.pair, se=found.se, p=bca_p(value, draws, accel=accel))


def _alone(side: Prepared) -> Result:
    return replace(side.base, ci_method="none", replicates=0,
                   reason=side.base.reason or "no interval: see that of the difference")


def _joint(first: Prepared, second: Prepared, block: Ints | None) -> tuple[Sampled, Sampled] | None:
    """Both over the same draws, where any unit or block is in both."""
    one, other = first.patterns, second.patterns
    if first.statistic is None or second.statistic is None or not len(one.units) or not len(other.units):
        return None
    mine, theirs = (units if block is None else block[units] for units in (one.units, other.units))
    if not np.isin(mine, theirs).any():
        return None
    units = np.union1d(one.units, other.units)
    of_unit = []
    for patterns in (one, other):
        shown = np.full(len(units), -1, dtype=np.int64)
        shown[np.searchsorted(units, patterns.units)] = patterns.of_unit
        of_unit.append(shown)
    kinds = bundles_of(units if block is None else block[units], tuple(of_unit), (len(one.count), len(other.count)))
    return Sampled(first.statistic, kinds[0]), Sampled(second.statistic, kinds[1])


def _left_out(one: Sampled, other: Sampled, *, paired: bool) -> tuple[Floats, Floats]:
    """The difference without each of what is drawn, and how often that occurs."""
    (a, often), (b, times) = one.left_out(), other.left_out()
    if not paired:  # two samples: what one leaves out, the other keeps
        return np.r_[a - one.value, other.value - b] + (one.value - other.value), np.r_[often, times]
    if len(a) == len(b):
        return a - b, often
    return np.zeros(0), np.zeros(0)  # the two were sampled differently: the interval is then not accelerated


def _draws(one: Sampled, other: Sampled, *, paired: bool, replicates: int, seed: int, progress: Progress | None,
           cancelled: Cancelled | None) -> Floats | None:
    rng, out, done = np.random.default_rng(seed), np.empty(replicates), 0
    for step in blocks(max(one.width, other.width), replicates):
        if cancelled is not None and cancelled():
            return None
        weights = one.kinds.draw(rng, step)
        same = weights if paired else other.kinds.draw(rng, step)
        out[done : done + step] = one.of(weights) - other.of(same)
        done += step
        if progress is not None:
            progress(done, replicates)
    return out


def slices_differ(ratings: Ratings, metric: str, first: str, second: str, *, level: str | None = None,
                  weights: str | None = None, **how: Any) -> Difference:
    """Of two values of the tag in ``ratings.slices``: independent, unless they share items or clusters."""
    sides = [prepare(ratings.of_units(ratings.slices[name]), metric, level=level, weights=weights)
             for name in (first, second)]
    found = difference(*sides, block=ratings.block, **how)
    return replace(found, first=replace(found.first, by={"field": "", "value": first}),
                   second=replace(found.second, by={"field": "", "value": second}))


def people_differ(ratings: Ratings, metric: str, first: Collection[int], second: Collection[int], *,
                  level: str | None = None, weights: str | None = None, **how: Any) -> Difference:
    """Of two sets of people (numbers in ``ratings.person``) on the items of each, on the same draws of items."""
    sides = [prepare(_of_people(ratings, people), metric, level=level, weights=weights) for people in (first, second)]
    return difference(*sides, block=ratings.block, **how)


def metrics_differ(ratings: Ratings, first: tuple[str, str | None], second: tuple[str, str | None], **how: Any
                   ) -> Difference:
    """Of two coefficients, each (name, level), on the same items and the same draws."""
    sides = [prepare(ratings, name, level=level) for name, level in (first, second)]
    return difference(*sides, block=ratings.block, **how)


def all_slices_differ(ratings: Ratings, metric: str, *, field: str = "", names: Sequence[str] | None = None,
                      level: str | None = None, weights: str | None = None, **how: Any) -> tuple[Difference, ...]:
    """Every two slices, with Holm's adjustment over all of them."""
    chosen = sorted(ratings.slices) if names is None else list(names)
    sides = {name: prepare(ratings.of_units(ratings.slices[name]), metric, level=level, weights=weights)
             for name in chosen}
    found = []
    for one, other in combinations(chosen, 2):
        made = difference(sides[one], sides[other], block=ratings.block, **how)
        found.append(replace(made, first=replace(made.first, by={"field": field, "value": one}),
                             second=replace(made.second, by={"field": field, "value": other})))
    return with_holm(found)


def with_holm(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """The same with ``p_holm`` (Holm 1979) over all that have a p."""
    adjusted = iter(holm([one.p for one in differences if one.p is not None]))
    return tuple(one if one.p is None else replace(one, p_holm=next(adjusted)) for one in differences)


def _of_people(ratings: Ratings, people: Collection[int]) -> Ratings:
    rows = np.isin(ratings.person, np.array(sorted(people), dtype=np.int64))
    return replace(ratings, unit=ratings.unit[rows], person=ratings.person[rows], code=ratings.code[rows], slices={})
