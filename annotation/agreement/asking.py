"""What is asked for and whether it suits the answers: the metric by its name, the level, the order of the values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from annotation.agreement.catalogue import metrics
from annotation.agreement.metric import Metric
from annotation.agreement.ratings import Ints, Patterns, Ratings, patterns_of_counts
from annotation.agreement.scale import Scale
from annotation.agreement.sets import DISTANCES
from annotation.errors import N_, Refused

# Known by name, so that a protocol may ask for them today.
LATER = frozenset({"st_iou"})
# What a protocol may name as well and is no coefficient -> the option of ``goldsmith agreement`` that shows it.
ELSEWHERE = {"bradley_terry": "--preferences", "davidson": "--preferences", "dawid_skene": "--people"}
UNORDERED = frozenset({None, "nominal", *DISTANCES})  # levels that ask for no numbers


def find_metric(name: str) -> Metric:
    """The metric; Refused ("comes later") for one that is known but not built, or that is no coefficient; Unknown for
    another name."""
    if name in ELSEWHERE:
        raise Refused(N_("{metric} is no coefficient of agreement; goldsmith agreement {option} shows it"),
                      code="bad_value", metric=name, option=ELSEWHERE[name])
    if name in LATER and name not in metrics:
        raise Refused(N_("The metric {metric} comes later; today there are {known}"), code="comes_later", metric=name,
                      known=", ".join(sorted(metrics)))
    return metrics[name]


def level_for(metric: Metric, question: str, level: str | None, *, scale: str = "nominal", numbers: bool = False
              ) -> str | None:
    """The level to compute on: as asked, else the ``scale`` of the question (sets and texts count as nominal).

    ``numbers``: every answer has one. Refused, in a sentence, where the level does not suit the answers.
    """
    if None in metric.builds:
        if metric.needs_numbers and not numbers:
            raise Refused(N_("The answers to {question} are neither numbers nor in an order, so {metric} does not suit "
                             "them"), code="bad_value", question=question or "this question", metric=metric.name)
        return None
    chosen = level or (scale if scale in metric.builds else "nominal")
    chosen = "masi" if chosen == "set" else chosen  # sets without a named distance
    if chosen not in metric.builds:
        raise Refused(N_("There is no level '{level}'. There are: {known}."), code="unknown", level=chosen,
                      known=", ".join(sorted(str(name) for name in metric.builds)))
    if chosen not in UNORDERED and not numbers:
        raise Refused(N_("The answers to {question} have no order, so the level {level} does not suit them; "
                         "nominal does"), code="bad_value", question=question or "this question", level=chosen)
    return chosen


def needs_order(metric: Metric, level: str | None, weights: str | None) -> bool:
    """Whether codes must stand in the order of their numbers, equal numbers as one value."""
    return level not in UNORDERED or metric.needs_numbers or weights not in (None, "unweighted")


def in_order(ratings: Ratings) -> Ratings:
    """Codes renumbered by their numbers; answers whose numbers are equal become one value, named as the first."""
    known = [float(number) if number is not None else np.nan for number in ratings.numbers]
    new, labels, numbers = _ranked(ratings.labels, np.array(known + [np.nan] * (len(ratings.labels) - len(known))),
                                   np.flatnonzero(np.bincount(ratings.code + 1)[1:]))
    return replace(ratings, code=np.append(new, -1)[ratings.code], labels=labels, numbers=tuple(numbers.tolist()))


def patterns_in_order(patterns: Patterns, scale: Scale, *, least: int = 2) -> tuple[Patterns, Scale]:
    """The same for patterns that came as counts."""
    if len(scale.numbers) < 2 or (np.diff(scale.numbers) > 0.0).all():
        return patterns, scale
    new, labels, numbers = _ranked(scale.labels, scale.numbers, np.arange(patterns.values))
    moved = patterns_of_counts(np.append(new, -1)[patterns.cells], patterns.count, least=least,
                               ordered=patterns.people is not None)
    return moved, replace(scale, labels=labels, numbers=numbers)


def _ranked(labels: tuple[str, ...], numbers: np.ndarray, used: Ints) -> tuple[Ints, tuple[str, ...], np.ndarray]:
    """New code of each old one (-1 where it is not used), and the labels and numbers of the new ones."""
    used = used[np.isfinite(numbers[used])]
    distinct, first, place = np.unique(numbers[used], return_index=True, return_inverse=True)
    new = np.full(len(labels), -1, dtype=np.int64)
    new[used] = place
    return new, tuple(labels[int(c)] for c in used[first]), distinct


def scale_of(ratings: Ratings, patterns: Patterns, level: str | None, weights: str | None = None) -> Scale:
    """What a metric may know of the values of ``patterns``."""
    known = [number if number is not None else np.nan for number in ratings.numbers] or [np.nan] * len(ratings.labels)
    return Scale(tuple(ratings.labels[c] for c in patterns.used), np.array(known, dtype=np.float64)[patterns.used],
                 ratings.declared, level, weights, ratings.period)
