"""Spans that people marked in one stretch (a text, a recording), and agreement of spans two people at a time.

A span is half open: from ``begin`` up to, not including, ``end``. Exact F1 asks for equal ends and category; overlap
F1 for any shared length with the same category; the mean interval IoU weighs how much is shared. F1 of two people
is the same whoever is called right; for more, the mean over pairs. (As the unmarked rest grows, kappa of the single
characters tends to F1: Hripcsak and Rothschild 2005.)
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.agreement.metric import Metric, metrics
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Linear, divide
from annotation.errors import N_, Refused

NO_SPANS = "nobody marked anything, so there is nothing that could agree"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """``category`` is "" where spans have none."""

    begin: float
    end: float
    category: str = ""

    @property
    def length(self) -> float:
        return self.end - self.begin

    def shared(self, other: Span) -> float:
        return max(0.0, min(self.end, other.end) - max(self.begin, other.begin))


Spans = Sequence[Span]


@dataclass(frozen=True, slots=True)
class Marked:
    """One person's spans of one unit; ``length`` of the whole stretch where it is known; it begins at ``begin``."""

    spans: tuple[Span, ...]
    length: float | None = None
    begin: float = 0.0


def marked_of(label: str) -> Marked:
    """The spans that a label stands for: JSON, a list of spans or ``{"spans": [..], "length": L, "begin": 0}``.

    A span is ``{"start", "end", "label"}`` (or begin, length, category), or a list [start, end, label]. The empty
    text stands for none. Refused for anything else.
    """
    try:
        read = json.loads(label) if label.strip() else []
    except ValueError:
        read = None
    whole: dict[str, Any] = read if isinstance(read, dict) and "spans" in read else {"spans": read}
    if not isinstance(whole["spans"], list):
        raise Refused(N_("an answer of spans is a list of start, end and label"), code="bad_type")
    spans = tuple(sorted(_span(one) for one in whole["spans"]))
    length = whole.get("length")
    return Marked(spans, None if length is None else float(length), float(whole.get("begin", 0.0)))


def _span(one: Any) -> Span:
    try:
        if isinstance(one, dict):
            begin = float(one["start"] if "start" in one else one["begin"])
            end = float(one["end"]) if "end" in one else begin + float(one["length"])
            name = one.get("label", one.get("category"))
        else:
            begin, end, name = float(one[0]), float(one[1]), one[2] if len(one) > 2 else None
    except (KeyError, IndexError, TypeError, ValueError):
        raise Refused(N_("a span has a start and an end, both numbers"), code="bad_type") from None
    if not end > begin:
        raise Refused(N_("a span ends after it begins"), code="bad_value")
    return Span(begin, end, "" if name is None else str(name))


def matched_exactly(one: Spans, other: Spans) -> int:
    """Spans of the one that the other has too; equal spans count as often as both have them."""
    return (Counter(one) & Counter(other)).total()


def matched_by_overlap(one: Spans, other: Spans) -> int:
    """Most pairs of overlapping spans of one category, each span in one pair at most.

    Taken by rising end, each with the free partner that ends first: the most pairs where no two spans of one
    person overlap (intervals), and never too many otherwise.
    """
    rest, found = sorted(other, key=lambda span: span.end), 0
    for span in sorted(one, key=lambda span: span.end):
        partner = next((n for n, free in enumerate(rest)
                        if free.category == span.category and free.shared(span) > 0.0), None)
        if partner is not None:
            del rest[partner]
            found += 1
    return found


def span_f1(one: Spans, other: Spans, *, overlap: bool = False) -> float | None:
    """2 matches / spans of both; None where neither marked anything."""
    total = len(one) + len(other)
    matched = matched_by_overlap(one, other) if overlap else matched_exactly(one, other)
    return None if total == 0 else 2.0 * matched / total


def interval_iou(one: Spans, other: Spans) -> float | None:
    """Mean over the spans of both of the best shared length / united length with one of the other's spans of its
    category (0 without any); None where neither marked anything.
    """
    best = _best(one, other) + _best(other, one)
    return None if not best else sum(best) / len(best)


def _best(one: Spans, other: Spans) -> list[float]:
    return [max((span.shared(each) / (span.length + each.length - span.shared(each)) for each in other
                 if each.category == span.category), default=0.0) for span in one]


def _two(measured: Callable[[Spans, Spans], tuple[float, float]]) -> Callable[[Patterns, Scale], Linear]:
    """A metric that is a sum over pairs of people divided by a sum: (above, below) of two lists of spans.

    Pairs of an item weigh 1 / (m - 1), so that an item counts by its people, not by its pairs.
    """

    def build(patterns: Patterns, scale: Scale) -> Linear:
        marked = [marked_of(label).spans for label in scale.labels]
        features = np.zeros((len(patterns.size), 2))
        for row, cells in enumerate(patterns.cells.tolist()):
            given = [marked[code] for code in cells if code >= 0]
            pairs = [measured(given[i], given[j]) for i in range(len(given)) for j in range(i)]
            features[row] = np.sum(pairs, axis=0) / (len(given) - 1.0)
        return Linear(features, _quotient)

    return build


def _quotient(sums: Floats) -> Floats:
    return divide(sums[:, 0], sums[:, 1])


for _name, _measured in {
    "span_f1": lambda a, b: (2.0 * matched_exactly(a, b), len(a) + len(b)),
    "span_f1_overlap": lambda a, b: (2.0 * matched_by_overlap(a, b), len(a) + len(b)),
    "interval_iou": lambda a, b: (sum(_best(a, b) + _best(b, a)), len(a) + len(b)),
}.items():
    metrics.add(_name, Metric(_name, {None: _two(_measured)}, NO_SPANS, bounds=(0.0, 1.0)))
