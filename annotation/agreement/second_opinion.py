"""A second opinion on a coefficient: the same number by a program that shares no line with ours."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from annotation.agreement.asking import find_metric, in_order, needs_order, scale_of
from annotation.agreement.ratings import Floats, Patterns, Ratings, collapse
from annotation.agreement.result import Result

MEMORY = 500_000_000  # bytes that the package krippendorff may take: 24 for each item x value x value (measured)
MOST_VALUES = 1_000   # of a table of two people
LEVELS = ("nominal", "ordinal", "interval", "ratio")
SCHEMES = {None: None, "unweighted": None, "linear": "linear", "quadratic": "quadratic"}


@dataclass(frozen=True, slots=True)
class Opinion:
    """``theirs`` is None where ``program`` ("krippendorff 0.9.0") gives no number, and then ``reason`` says why.

    ``difference`` = ours less theirs; None unless both have a value.
    """

    question: str
    metric: str
    level: str | None
    weights: str | None
    program: str | None
    ours: float | None
    theirs: float | None
    difference: float | None
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class _NoOpinion(Exception):
    """Carries the sentence."""


def second_opinion(ratings: Ratings, result: Result) -> Opinion:
    """``result``, which came from ``ratings``, beside the package krippendorff (its alpha, nominal to ratio, where
    its memory allows) or statsmodels (Cohen; Fleiss, Scott and Randolph where every item has as many answers).
    """
    program, theirs, reason = None, None, None
    check = _CHECKS.get(result.metric)
    if check is None:
        reason = f"no other program here computes {result.metric}"
    else:
        package, compute = check
        program = f"{package} {_version(package)}"
        found = find_metric(result.metric)
        if needs_order(found, result.level, result.weights) and ratings.has_numbers:
            ratings = in_order(ratings)
        patterns = collapse(ratings, least=found.least, ordered=found.ordered)
        try:
            if not len(patterns.count):
                raise _NoOpinion("there is nothing to compare")
            theirs = compute(ratings, patterns, result)
        except _NoOpinion as why:
            reason = str(why)
    both = result.value is not None and theirs is not None
    return Opinion(result.question, result.metric, result.level, result.weights, program, result.value, theirs,
                   result.value - theirs if both else None, reason)  # type: ignore[operator]


def _version(package: str) -> str:
    from importlib.metadata import version  # reads the disk; asked for by this one action

    return version(package)


def _krippendorff(ratings: Ratings, patterns: Patterns, result: Result) -> float:
    if result.level not in LEVELS:
        raise _NoOpinion(f"krippendorff has no level {result.level}")
    items, values = int(patterns.count.sum()), patterns.values
    needed = 24 * items * values * values
    if needed > MEMORY:
        raise _NoOpinion(f"krippendorff would take {needed / 1e9:,.1f} GB for {items:,} items x {values:,} values")
    if values < 2:
        raise _NoOpinion("krippendorff gives no number where everybody always gave the same answer")
    import krippendorff  # heavy, and wanted by this one action

    counts = np.repeat(patterns.shares(), patterns.count, axis=0)
    domain: Floats = np.arange(values, dtype=np.float64)
    if result.level in ("interval", "ratio"):
        domain = scale_of(ratings, patterns, result.level).numbers
    return _number("krippendorff", lambda: krippendorff.alpha(
        value_counts=counts, value_domain=domain, level_of_measurement=result.level))  # type: ignore[arg-type]


def _cohen(ratings: Ratings, patterns: Patterns, result: Result) -> float:
    if result.weights not in SCHEMES:
        raise _NoOpinion(f"statsmodels has no weights {result.weights}")
    if patterns.cells.shape[1] != 2:
        raise _NoOpinion("statsmodels takes two people")
    if patterns.values > MOST_VALUES:
        raise _NoOpinion(f"a table of {patterns.values:,} x {patterns.values:,} answers is too large for statsmodels")
    from statsmodels.stats.inter_rater import cohens_kappa  # heavy, and wanted by this one action

    table = np.zeros((patterns.values, patterns.values))
    np.add.at(table, (patterns.cells[:, 0], patterns.cells[:, 1]), patterns.count)
    scheme = SCHEMES[result.weights]
    numbers = scale_of(ratings, patterns, result.level, result.weights).numbers
    scores = None if scheme is None or not np.isfinite(numbers).all() else numbers
    return _number("statsmodels", lambda: cohens_kappa(table, weights=scores, wt=scheme, return_results=False))


def _fleiss(method: str) -> Callable[[Ratings, Patterns, Result], float]:
    def compute(ratings: Ratings, patterns: Patterns, result: Result) -> float:
        if result.weights not in (None, "unweighted"):
            raise _NoOpinion(f"statsmodels has no weights {result.weights} for many people")
        if len(np.unique(patterns.size)) != 1:
            raise _NoOpinion("statsmodels wants as many answers to every item")
        from statsmodels.stats.inter_rater import fleiss_kappa  # heavy, and wanted by this one action

        offered = scale_of(ratings, patterns, None).categories if method == "randolph" else patterns.values
        shares = patterns.shares()
        table = np.repeat(np.pad(shares, ((0, 0), (0, offered - patterns.values))), patterns.count, axis=0)
        return _number("statsmodels", lambda: fleiss_kappa(table, method=method))

    return compute


def _number(program: str, compute: Callable[[], Any]) -> float:
    """Its number; where it has none (a NaN with a warning, or an error of its own) the sentence that says so."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value = float(compute())
        except (ValueError, ZeroDivisionError, AssertionError):
            value = np.nan
    if not np.isfinite(value):
        raise _NoOpinion(f"{program} gives no number for these answers")
    return value


_CHECKS: dict[str, tuple[str, Callable[[Ratings, Patterns, Result], float]]] = {
    "krippendorff_alpha": ("krippendorff", _krippendorff),
    "cohen_kappa": ("statsmodels", _cohen),
    "fleiss_kappa": ("statsmodels", _fleiss("fleiss")),
    "scott_pi": ("statsmodels", _fleiss("fleiss")),
    "randolph_kappa_free": ("statsmodels", _fleiss("randolph")),
}
