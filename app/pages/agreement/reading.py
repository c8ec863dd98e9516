"""What the section Questions reads, off the window's thread: a row a question with what stands beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from annotation import judgements, status
from annotation.agreement.beside import answer_shares
from annotation.agreement.ratings import Ratings, collapse
from annotation.agreement.report import NO_ANSWERS, NO_PAIRS, measure
from annotation.agreement.result import Result
from annotation.agreement.two_answers import Caution, pairs_of, paradox, specific_agreement
from annotation.errors import Refused
from annotation.judgement_asked import named_of
from app.pages.agreement.meaning import Beside
from app.pages.agreement.sections import Cancelled, Progress

REPLICATES, SEED = 10_000, 0
INTERVALS = ("bca", "percentile", "jackknife", "analytic", "krippendorff")  # the first is the default
DRAWN = frozenset({"bca", "percentile", "krippendorff"})  # what takes a while; the jackknife stands in for it
PERCENT = "percent_agreement"
MOST_ANSWERS = 50  # of which each is looked at by itself


@dataclass(frozen=True, slots=True)
class Asked:
    """A coefficient to compute; None leaves it to the question and the metric. ``chosen``: here, and not by the
    protocol."""

    question: str
    metric: str
    level: str | None = None
    weights: str | None = None
    interval: str | None = None
    chosen: bool = False

    def to_dict(self) -> dict[str, str | None]:
        return {"metric": self.metric, "level": self.level, "weights": self.weights, "interval": self.interval}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: what was asked, what came of it, and what it is read by."""

    asked: Asked
    result: Result
    beside: Beside

    @property
    def name(self) -> tuple[str, str, str | None, str | None]:
        """Which row it is, whatever its figures are."""
        return self.asked.question, self.asked.metric, self.asked.level, self.asked.weights


@dataclass(frozen=True, slots=True)
class Questions:
    """``items``: how many there are at all. ``is_final``: the intervals are those asked for, not the instant ones."""

    rows: tuple[Row, ...]
    items: int
    seconds: float
    is_final: bool

    @property
    def results(self) -> tuple[Result, ...]:
        return tuple(row.result for row in self.rows)

    @property
    def is_judged(self) -> bool:
        """Whether anybody judged anything twice, or there is something else to say of the answers than that."""
        return any(row.result.n_judgements or row.result.reason not in (NO_PAIRS, NO_ANSWERS) for row in self.rows)


def asked_of(protocol: Any, choices: Mapping[str, Mapping[str, str | None]] | None = None) -> tuple[Asked, ...]:
    """The coefficients of the rows, question by question: as chosen here, else as the protocol names them, else alpha.

    Percent agreement has a column of its own, and a row only where nothing else is asked of a question.
    """
    named = [Asked(one.question, one.metric, one.level, one.weights) for one in named_of(protocol)]
    out: list[Asked] = []
    for question in dict.fromkeys(one.question for one in named):
        own = [one for one in named if one.question == question]
        own = [one for one in own if one.metric != PERCENT] or own
        chosen = (choices or {}).get(question)
        if chosen and chosen.get("metric"):
            mine = Asked(question, str(chosen["metric"]), chosen.get("level"), chosen.get("weights"),
                         chosen.get("interval"), chosen=True)
            own = [mine, *(one for one in own[1:] if (one.metric, one.level, one.weights) != (
                mine.metric, mine.level, mine.weights))]
        out += own
    return tuple(out)


def read_questions(store: Any, asked: Sequence[Asked], *, instant: bool, progress: Progress, cancelled: Cancelled
                   ) -> Questions | None:
    """Every row; None where it was cancelled on the way."""
    begun = perf_counter()
    rows: list[Row] = []
    with store.read() as session:
        for question, wanted in _by_question(asked):
            found = judgements.judgements(session, question)
            beside = beside_of(found.ratings)
            for one in wanted:
                if cancelled():
                    return None
                result = measured(found.ratings, one, instant=instant, cancelled=cancelled)
                result = judgements.with_machines(session, found.people, result)
                rows.append(Row(one, replace(result, stage=" + ".join(found.stages) or None), beside))
                progress(len(rows), len(asked))
        total = status.items(session)["total"]
    return None if cancelled() else Questions(tuple(rows), total, perf_counter() - begun, not instant)


def _by_question(asked: Sequence[Asked]) -> Iterator[tuple[str, list[Asked]]]:
    for question in dict.fromkeys(one.question for one in asked):
        yield question, [one for one in asked if one.question == question]


def measured(ratings: Ratings, asked: Asked, *, instant: bool, cancelled: Cancelled | None = None) -> Result:
    """One coefficient; what cannot be computed is a result that says why. ``instant``: with the jackknife's interval,
    which is there at once, in place of one whose resamples take a while."""
    interval = asked.interval or INTERVALS[0]
    try:
        return measure(ratings, asked.metric, level=asked.level, weights=asked.weights,
                       interval="jackknife" if instant and interval in DRAWN else interval, replicates=REPLICATES,
                       seed=SEED, cancelled=cancelled)
    except Refused as why:
        return Result(ratings.question, asked.metric, None, 0, 0, 0, 0, level=asked.level, weights=asked.weights,
                      reason=str(why))


def beside_of(ratings: Ratings) -> Beside:
    """Shares, percent agreement and, of numbers, the mean: over the answers that enter (of items judged twice)."""
    given = ratings.code >= 0
    per_unit = np.bincount(ratings.unit[given], minlength=ratings.n_units)
    twice = replace(ratings, code=np.where(per_unit[ratings.unit] >= 2, ratings.code, -1)) if len(per_unit) else ratings
    shares = answer_shares(twice)
    mean = spread = None
    if ratings.scale == "interval" and ratings.has_numbers:
        codes = twice.code[twice.code >= 0]
        values = np.array([ratings.numbers[int(code)] for code in codes], dtype=np.float64)
        if len(values):
            mean, spread = float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else None
    percent = measure(ratings, PERCENT, interval="none")
    specific, caution = _each(ratings, len(shares))
    paired = per_unit[per_unit >= 2]
    return Beside(shares, specific, percent if percent.value is not None else None, caution,
                  float(np.median(paired)) if len(paired) else 0.0, mean, spread)


def _each(ratings: Ratings, answers: int) -> tuple[tuple[float | None, ...], Caution | None]:
    """Agreement on each answer, and the sentence on prevalence; only of nominal answers that are few."""
    if ratings.scale != "nominal" or not 0 < answers <= MOST_ANSWERS:
        return (), None
    patterns = collapse(ratings)
    pairs, labels = pairs_of(patterns), [ratings.labels[int(code)] for code in patterns.used]
    specific = specific_agreement(pairs)
    unused = [option for option in ratings.declared if option not in labels]
    wide = np.zeros((len(labels) + len(unused),) * 2)
    wide[:len(labels), :len(labels)] = pairs
    return specific if len(specific) == answers else (), paradox(wide, (*labels, *unused)) if len(labels) > 1 else None
