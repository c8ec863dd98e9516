"""From ratings and the name of a metric to a Result, whole or by slice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from annotation.agreement.catalogue import metrics
from annotation.agreement.metric import Metric, weights_for
from annotation.agreement.ratings import Patterns, Ratings, collapse
from annotation.agreement.resampling import Progress, bootstrap
from annotation.agreement.result import BCA_CLUSTERS, BCA_ITEMS, Result
from annotation.agreement.scale import Scale
from annotation.agreement.sets import DISTANCES
from annotation.errors import N_, Refused

NO_ANSWERS = "nobody has answered"
NO_PAIRS = "nobody judged the same item twice"

# Known by name, so that a protocol may ask for them today.
LATER = frozenset({
    "gwet_ac1", "gwet_ac2", "cohen_kappa", "fleiss_kappa", "scott_pi", "conger_kappa", "bennett_s_brennan_prediger",
    "randolph_kappa_free", "light_kappa", "icc", "kendall_w", "kendall_tau_b", "krippendorff_alpha_u", "span_f1",
    "masi_distance", "jaccard_distance", "positive_agreement", "dawid_skene", "bradley_terry", "davidson", "st_iou",
})
LATER_LEVELS = frozenset({"ratio", "circular"})
UNORDERED = frozenset({None, "nominal", *DISTANCES})  # levels that ask for no numbers


def find_metric(name: str) -> Metric:
    """The metric; Refused ("comes later") for one that is known but not built, Unknown for another name."""
    if name in LATER and name not in metrics:
        raise Refused(N_("The metric {metric} comes later; today there are {known}"), code="comes_later", metric=name,
                      known=", ".join(sorted(metrics)))
    return metrics[name]


def level_for(metric: Metric, ratings: Ratings, level: str | None) -> str | None:
    """The level to compute on: as asked, else the scale of the question (sets and texts count as nominal)."""
    if None in metric.builds:
        if metric.needs_numbers and not ratings.has_numbers:
            raise Refused(N_("The answers to {question} are neither numbers nor in an order, so {metric} does not suit "
                             "them"), code="bad_value", question=ratings.question or "this question",
                          metric=metric.name)
        return None
    chosen = level or (ratings.scale if ratings.scale in metric.builds else "nominal")
    chosen = "masi" if chosen == "set" else chosen  # sets without a named distance
    if chosen in LATER_LEVELS:
        raise Refused(N_("The level {level} comes later; today there are {known}"), code="comes_later", level=chosen,
                      known=", ".join(sorted(str(name) for name in metric.builds)))
    if chosen not in metric.builds:
        raise Refused(N_("There is no level '{level}'. There are: {known}."), code="unknown", level=chosen,
                      known=", ".join(sorted(str(name) for name in metric.builds)))
    if chosen not in UNORDERED and not ratings.has_numbers:
        raise Refused(N_("The answers to {question} have no order, so the level {level} does not suit them; "
                         "nominal does"), code="bad_value", question=ratings.question or "this question", level=chosen)
    return chosen


def measure(ratings: Ratings, metric: str, *, level: str | None = None, weights: str | None = None,
            replicates: int = 10_000, seed: int = 0, progress: Progress | None = None,
            cancelled: Callable[[], bool] | None = None) -> Result:
    """One statistic with its BCa interval over items. ``replicates`` = 0: the value alone."""
    found = find_metric(metric)
    level, weights = level_for(found, ratings, level), weights_for(found, weights)
    if level not in UNORDERED or found.needs_numbers or weights not in (None, "unweighted"):
        ratings = in_order(ratings)
    patterns = collapse(ratings, least=found.least, ordered=found.ordered)
    base = replace(_count(ratings, patterns, found.name, level, replicates, seed, found.least),
                   weights=weights)
    if not len(patterns.count):
        return replace(base, reason=NO_PAIRS if (ratings.code >= 0).any() else NO_ANSWERS)
    if why := _too_few_or_many(found, base):
        return replace(base, reason=why)
    scale = scale_of(ratings, patterns, level, weights)
    statistic = found.builds[level](patterns, scale)
    value = float(statistic.evaluate(patterns.count.astype(np.float64)[None])[0])
    if not np.isfinite(value):
        return replace(base, reason=(found.why and found.why(patterns, scale)) or found.constant)
    if replicates == 0:
        return replace(base, value=value, reason="no interval: no resamples were asked for")
    interval = bootstrap(statistic, patterns, replicates=replicates, seed=seed, progress=progress, cancelled=cancelled)
    return replace(base, value=value, ci=interval.pair, reason=interval.reason)


def measure_by(ratings: Ratings, metric: str, field: str, *, level: str | None = None, replicates: int = 10_000,
               seed: int = 0, progress: Progress | None = None,
               cancelled: Callable[[], bool] | None = None) -> tuple[Result, ...]:
    """The statistic for each value of the tag ``field``, in the order of the values."""
    out = []
    for done, value in enumerate(sorted(ratings.slices), 1):
        result = measure(ratings.of_units(ratings.slices[value]), metric, level=level, replicates=replicates, seed=seed,
                         cancelled=cancelled)
        out.append(replace(result, by={"field": field, "value": value}))
        if progress is not None:
            progress(done, len(ratings.slices))
    return tuple(out)


def in_order(ratings: Ratings) -> Ratings:
    """Codes renumbered by their numbers; answers whose numbers are equal become one value, named as the first."""
    used = np.unique(ratings.code[ratings.code >= 0]).tolist()
    named: dict[float, str] = {}
    for c in used:
        named.setdefault(float(ratings.numbers[c] or 0.0), ratings.labels[c])
    numbers = sorted(named)
    place = {number: n for n, number in enumerate(numbers)}
    new = np.array([place.get(float(x), -1) if x is not None else -1 for x in ratings.numbers] + [-1], dtype=np.int64)
    return replace(ratings, code=new[ratings.code], labels=tuple(named[x] for x in numbers), numbers=tuple(numbers))


def scale_of(ratings: Ratings, patterns: Patterns, level: str | None, weights: str | None = None) -> Scale:
    """What a metric may know of the values of ``patterns``."""
    known = [number if number is not None else np.nan for number in ratings.numbers] or [np.nan] * len(ratings.labels)
    return Scale(tuple(ratings.labels[c] for c in patterns.used), np.array(known, dtype=np.float64)[patterns.used],
                 ratings.declared, level, weights, ratings.period)


def _too_few_or_many(metric: Metric, counted: Result) -> str | None:
    fewest, most = metric.people
    if counted.n_people < fewest:
        return f"{metric.name} needs {fewest} people, and {counted.n_people} judged"
    if most is not None and counted.n_people > most:
        return f"{metric.name} is for {most} people, and {counted.n_people} judged; see it for each pair"
    return None


def _count(ratings: Ratings, patterns: Patterns, metric: str, level: str | None, replicates: int, seed: int,
           least: int) -> Result:
    given = ratings.code >= 0
    per_unit = np.bincount(ratings.unit[given], minlength=ratings.n_units)
    enters = per_unit[ratings.unit[given]] >= least
    return Result(
        question=ratings.question, metric=metric, level=level, value=None, n_items=int(patterns.count.sum()),
        n_people=len(np.unique(ratings.person[given][enters])), n_judgements=int(enters.sum()),
        n_missing=int((~given).sum()), replicates=replicates, seed=seed,
        ci_method=BCA_CLUSTERS if ratings.clustered else BCA_ITEMS,
    )
