"""From ratings, or counts of patterns, and the name of a metric to a Result with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotation.agreement import result as names
from annotation.agreement.asking import LATER as LATER
from annotation.agreement.asking import find_metric as find_metric
from annotation.agreement.asking import in_order as in_order
from annotation.agreement.asking import level_for, needs_order, patterns_in_order, scale_of
from annotation.agreement.columns import why_incomplete, why_unrelated
from annotation.agreement.intervals import Interval
from annotation.agreement.jackknife import jackknife
from annotation.agreement.metric import Metric, weights_for
from annotation.agreement.notes import notes_on, prevalence
from annotation.agreement.pair_bootstrap import COVERAGE, bootstrap_of_pairs
from annotation.agreement.ratings import Patterns, Ratings, collapse
from annotation.agreement.resampling import Cancelled, Progress, bootstrap, bundle
from annotation.agreement.result import Result
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Statistic
from annotation.errors import N_, Refused

NO_ANSWERS = "nobody has answered"
ALL_MISSING = "every answer is N/A or empty, which counts as missing"
NO_PAIRS = "nobody judged the same item twice"

# The interval by its name -> what the result calls it over items, and over clusters of items.
METHODS = {
    "bca": (names.BCA_ITEMS, names.BCA_CLUSTERS),
    "percentile": (names.PERCENTILE_ITEMS, names.PERCENTILE_CLUSTERS),
    "jackknife": (names.JACKKNIFE_ITEMS, names.JACKKNIFE_CLUSTERS),
    "krippendorff": (names.KRIPPENDORFF, names.KRIPPENDORFF),
    "analytic": ("analytic", "analytic"),
    "none": (names.NONE, names.NONE),
}
LARGEST, SMALLEST = 1e100, 1e-100  # of numbers: beyond these their squares times counts leave a double
DRAWN = ("bca", "percentile", "krippendorff")  # methods that need replicates


@dataclass(frozen=True, slots=True)
class Prepared:
    """A metric on patterns before any interval. ``statistic`` is None where ``base`` has no value but a reason."""

    metric: Metric
    scale: Scale
    patterns: Patterns
    base: Result
    statistic: Statistic | None = None
    clustered: bool = False


def prepare(ratings: Ratings, metric: str, *, level: str | None = None, weights: str | None = None) -> Prepared:
    """The value and what its intervals are made of. Refused where the level or the weights do not suit the answers."""
    found = find_metric(metric)
    level = level_for(found, ratings.question, level, scale=ratings.scale, numbers=ratings.has_numbers)
    weights = weights_for(found, weights)
    if needs_order(found, level, weights) and ratings.has_numbers:
        ratings = in_order(ratings)
    patterns = collapse(ratings, least=found.least, ordered=found.ordered)
    given = ratings.code >= 0
    all_given = bool(given.all())
    unit, person = (ratings.unit, ratings.person) if all_given else (ratings.unit[given], ratings.person[given])
    if int(patterns.size @ patterns.count) < len(unit):
        person = person[np.bincount(unit, minlength=ratings.n_units)[unit] >= found.least]
    base = Result(ratings.question, found.name, None, int(patterns.count.sum()),
                  int(np.count_nonzero(np.bincount(person))), len(person),
                  0 if all_given else int((~given).sum()), level=level, weights=weights)
    if not len(patterns.count):
        base = replace(base, reason=why_nothing(len(unit), base.n_missing))
    return _prepared(found, patterns, scale_of(ratings, patterns, level, weights), base, ratings.clustered)


def prepare_patterns(patterns: Patterns, scale: Scale, metric: str, *, people: int, judgements: int | None = None,
                     missing: int = 0, question: str = "", clustered: bool = False) -> Prepared:
    """The same for patterns that were counted elsewhere (``patterns_of_counts``), as by a GROUP BY in a database.

    ``scale``: of the values of ``patterns``; its ``level`` and ``weights`` are what is computed, None for the
    metric's own. ``people``, ``judgements``: how many enter. Nothing here grows with the items.
    """
    found = find_metric(metric)
    known = bool(np.isfinite(scale.numbers).all())
    scale = replace(scale, level=level_for(found, question, scale.level, numbers=known),
                    weights=weights_for(found, scale.weights))
    if needs_order(found, scale.level, scale.weights) and known:
        patterns, scale = patterns_in_order(patterns, scale, least=found.least)
    entered = int(patterns.size @ patterns.count)
    base = Result(question, found.name, None, int(patterns.count.sum()), people,
                  entered if judgements is None else judgements, missing, level=scale.level, weights=scale.weights)
    if not len(patterns.count):
        base = replace(base, reason=NO_PAIRS)
    return _prepared(found, patterns, scale, base, clustered)


def _prepared(metric: Metric, patterns: Patterns, scale: Scale, base: Result, clustered: bool) -> Prepared:
    without = Prepared(metric, scale, patterns, base, None, clustered)
    if base.reason is not None:
        return without
    if why := too_few_or_many(metric, base.n_people) or _too_far(metric, scale):
        return replace(without, base=replace(base, reason=why))
    statistic = metric.builds[scale.level](patterns, scale)
    value = float(statistic.evaluate(patterns.count.astype(np.float64)[None])[0])
    if not np.isfinite(value):
        return replace(without, base=replace(base, reason=why_undefined(metric, patterns, scale)))
    return replace(without, base=replace(base, value=value), statistic=statistic)


def why_nothing(given: int, missing: int) -> str:
    """Why nothing can be compared where no unit has two values: of ``given`` values and ``missing`` ones."""
    return NO_PAIRS if given else ALL_MISSING if missing else NO_ANSWERS


def why_undefined(metric: Metric, patterns: Patterns, scale: Scale) -> str:
    """The reason in words for a value that is not defined on these patterns."""
    return _too_far(metric, scale) or (metric.why and metric.why(patterns, scale)) or metric.constant or (
        f"{metric.name} is not defined on these answers")


def _too_far(metric: Metric, scale: Scale) -> str | None:
    """Why numbers are beyond the arithmetic, in words: their squares are infinite, or 0 although they differ."""
    known = scale.numbers[np.isfinite(scale.numbers)]
    if not len(known) or scale.level == "ordinal" or not needs_order(metric, scale.level, scale.weights):
        return None
    far = float(np.abs(known).max())
    if far > LARGEST:
        return f"answers as large as {far:g} cannot be calculated with; {LARGEST:g} is the limit"
    apart = float(known.max() - known.min())  # both are finite and far below the largest double
    if 0.0 < apart < SMALLEST:
        return f"the answers differ by {apart:g} at most, which cannot be calculated with; {SMALLEST:g} is the limit"
    return None


def with_interval(prepared: Prepared, *, interval: str = "bca", replicates: int = 10_000, seed: int = 0,
                  ci_level: float = 0.95, progress: Progress | None = None, cancelled: Cancelled | None = None
                  ) -> Result:
    """The result with the interval that is asked for, or with the reason why there is none. Refused for an interval
    that this metric does not have, and a level of confidence that is none.
    """
    method = method_for(prepared.metric, interval, clustered=prepared.clustered)
    if not 0.0 < ci_level < 1.0:
        raise Refused(N_("A level of confidence lies between 0 and 1, as 0.95 does"), code="bad_value")
    drawn = interval in DRAWN
    base = replace(prepared.base, ci_method=method, ci_level=ci_level, seed=seed, replicates=replicates if drawn else 0)
    if prepared.statistic is None or base.value is None:
        return base
    patterns, scale = prepared.patterns, prepared.scale
    if interval == "none" or (drawn and replicates == 0):
        why = "no interval was asked for" if interval == "none" else "no interval: no resamples were asked for"
        return replace(base, reason=why, note=_said(_notes(prepared, asked=False)))
    if interval == "analytic":
        return _analytic(prepared, base)
    if interval == "jackknife":
        found = jackknife(prepared.statistic, patterns, bounds=prepared.metric.bounds, level=ci_level)
    elif interval == "krippendorff":
        found = bootstrap_of_pairs(patterns, scale, base.value, replicates=replicates, seed=seed, level=ci_level,
                                   progress=progress, cancelled=cancelled)
    else:
        found = bootstrap(prepared.statistic, patterns, replicates=replicates, seed=seed, level=ci_level,
                          accelerated=interval == "bca", progress=progress, cancelled=cancelled)
    return _with(prepared, base, found, [COVERAGE] if interval == "krippendorff" else [])


def method_for(metric: Metric, interval: str, *, clustered: bool = False) -> str:
    """What a result calls this interval; Refused for an unknown one, and for one that the metric does not have."""
    if interval not in METHODS:
        raise Refused(N_("There is no interval '{interval}'. There are: {known}."), code="unknown", interval=interval,
                      known=", ".join(METHODS))
    if interval == "krippendorff" and metric.name != "krippendorff_alpha":
        raise Refused(N_("Krippendorff's bootstrap is for krippendorff_alpha, not for {metric}"), code="bad_value",
                      metric=metric.name)
    if interval == "analytic" and metric.analytic is None:
        raise Refused(N_("{metric} has no interval in closed form; jackknife is at once too"), code="bad_value",
                      metric=metric.name)
    return METHODS[interval][clustered]


def _analytic(prepared: Prepared, base: Result) -> Result:
    closed = prepared.metric.analytic and prepared.metric.analytic(prepared.patterns, prepared.scale)
    if not closed or not -np.inf < closed.low <= closed.high < np.inf:
        return replace(base, reason="no interval: its closed form is not defined on these answers")
    more = []
    if prepared.patterns.block is not None:
        more.append("the closed form takes items as independent, and some belong together: it is too narrow")
    if base.ci_level != 0.95:
        more.append("the closed form is made for 95 %")
    found = Interval(closed.low, closed.high, None, 0, closed.se)
    return _with(prepared, replace(base, ci_method=closed.method, ci_level=0.95), found, more)


def _with(prepared: Prepared, base: Result, found: Interval, more: Sequence[str]) -> Result:
    said = [*more, *_notes(prepared, there=found.pair is not None)]
    return replace(base, ci=found.pair, reason=found.reason, se=found.se if found.pair else None, note=_said(said))


def _notes(prepared: Prepared, *, asked: bool = True, there: bool = False) -> list[str]:
    drawn = bundle(prepared.patterns).drawn if prepared.clustered else prepared.base.n_items
    found = prevalence(prepared.patterns, prepared.patterns.count.astype(np.float64)[None])
    said = notes_on(found, prepared.scale, items=prepared.base.n_items, people=prepared.base.n_people, drawn=drawn,
                    clustered=prepared.clustered, asked=asked, there=there)
    return [*_left_out(prepared), *said]


def _left_out(prepared: Prepared) -> list[str]:
    """What a metric that compares whole columns leaves out, which n_items does not say."""
    if prepared.metric.why not in (why_incomplete, why_unrelated):
        return []
    patterns = prepared.patterns
    lacking = int(patterns.count[(patterns.cells < 0).any(axis=1)].sum())
    return [f"of {prepared.base.n_items:,} items {lacking:,} without an answer of everybody are left out"] \
        if lacking else []


def _said(sentences: Sequence[str]) -> str | None:
    return "; ".join(sentences) or None


def measure(ratings: Ratings, metric: str, *, level: str | None = None, weights: str | None = None,
            interval: str = "bca", replicates: int = 10_000, seed: int = 0, ci_level: float = 0.95,
            progress: Progress | None = None, cancelled: Cancelled | None = None) -> Result:
    """One statistic with its interval over items, or over blocks of them where they have any.

    ``interval``: ``bca`` (the default), ``percentile``, ``jackknife`` (at once), ``analytic`` (closed form, where the
    metric has one), ``krippendorff`` (too narrow, under its own name), ``none``. ``replicates`` = 0: the value alone.
    The same seed gives the same interval. Time: one pass over the answers, then by patterns, not by items; where
    hardly two items have the same answers, each replicate costs a pass over the items. Memory: a few times the answers.
    """
    return with_interval(prepare(ratings, metric, level=level, weights=weights), interval=interval,
                         replicates=replicates, seed=seed, ci_level=ci_level, progress=progress, cancelled=cancelled)


def instant(ratings: Ratings, metric: str, *, level: str | None = None, weights: str | None = None) -> Result:
    """The statistic with its jackknife interval: what to show while ``measure`` draws."""
    return measure(ratings, metric, level=level, weights=weights, interval="jackknife")


def measure_patterns(patterns: Patterns, scale: Scale, metric: str, *, people: int, judgements: int | None = None,
                     missing: int = 0, question: str = "", clustered: bool = False, interval: str = "bca",
                     replicates: int = 10_000, seed: int = 0, ci_level: float = 0.95,
                     progress: Progress | None = None, cancelled: Cancelled | None = None) -> Result:
    """As ``measure`` of patterns with their counts (``prepare_patterns``); costs by patterns alone."""
    prepared = prepare_patterns(patterns, scale, metric, people=people, judgements=judgements, missing=missing,
                                question=question, clustered=clustered)
    return with_interval(prepared, interval=interval, replicates=replicates, seed=seed, ci_level=ci_level,
                         progress=progress, cancelled=cancelled)


def too_few_or_many(metric: Metric, people: int) -> str | None:
    """Why so many people do not suit the metric, in words; None where they do."""
    fewest, most = metric.people
    if people < fewest:
        return f"{metric.name} needs {fewest} people, and {people} judged"
    if most is not None and people > most:
        return f"{metric.name} is for {most} people, and {people} judged; see it for each pair"
    return None
