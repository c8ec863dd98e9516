"""Krippendorff's alpha_U of 1995 and 2004, for comparison with older numbers; prefer the family in unitizing.py.

Krippendorff (1995), Sociological Methodology 25, 47-76; (2004), Content Analysis, 2nd ed., section 11.6. For each
category the stretch of each observer is sections: spans of the category and the gaps between them. Lengths are
counted in whole smallest units (characters, frames), as the expected disagreement counts positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotation.agreement.metric import Metric, metrics
from annotation.agreement.ratings import Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.spans import Spans, marked_of
from annotation.agreement.statistic import Linear, divide
from annotation.agreement.unitizing import NO_GAP_OR_SPAN, categories_of, stretch_of
from annotation.errors import N_, Refused


@dataclass(frozen=True, slots=True)
class Section:
    begin: float
    length: float
    is_span: bool


def sections(spans: Spans, category: str, begin: float, length: float) -> list[Section]:
    """One observer's spans of ``category`` and the gaps around them, in their order."""
    out, at = [], begin
    for one in sorted(span for span in spans if span.category == category):
        if one.begin < at:
            raise Refused(N_("two spans of one person overlap, or one lies outside of what was to be marked"),
                          code="bad_value")
        if one.begin > at:
            out.append(Section(at, one.begin - at, False))
        out.append(Section(one.begin, one.length, True))
        at = one.end
    if at > begin + length:
        raise Refused(N_("a span lies outside of what was to be marked"), code="bad_value")
    if at < begin + length:
        out.append(Section(at, begin + length - at, False))
    return out


def observed_disagreement(observers: Sequence[Spans], category: str, begin: float, length: float) -> float:
    """D_oc: squared differences of overlapping sections of two observers, / (m (m - 1) L^2)."""
    m = len(observers)
    each = [sections(spans, category, begin, length) for spans in observers]
    total = sum(_difference(one, other) for i in range(m) for j in range(m) if i != j
                for one in each[i] for other in each[j]
                if one.begin < other.begin + other.length and other.begin < one.begin + one.length)
    return total / (m * (m - 1.0) * length * length)


def _difference(one: Section, other: Section) -> float:
    """delta^2 of two overlapping sections: how far their ends lie apart; a span inside a gap by its length."""
    if one.is_span and other.is_span:
        return (one.begin - other.begin) ** 2 + (one.begin + one.length - other.begin - other.length) ** 2
    if one.is_span == other.is_span:
        return 0.0
    span, gap = (one, other) if one.is_span else (other, one)
    inside = gap.begin <= span.begin and span.begin + span.length <= gap.begin + gap.length
    return span.length**2 if inside else 0.0


def expected_disagreement(observers: Sequence[Spans], category: str, begin: float, length: float) -> float:
    """D_ec: the mean squared difference if the spans of all observers lay anywhere in the stretch."""
    for one in (span for spans in observers for span in spans):
        if one.length != int(one.length) or length != int(length):
            raise Refused(N_("alpha_U counts whole units of length; give begin and length as whole numbers"),
                          code="bad_value")
    m = len(observers)
    each = [one for spans in observers for one in sections(spans, category, begin, length)]
    spans_at, gaps = [one for one in each if one.is_span], [one for one in each if not one.is_span]
    among = (len(spans_at) - 1.0) / 3.0
    total = sum(among * (2.0 * one.length**3 - 3.0 * one.length**2 + one.length) + one.length**2 * sum(
        gap.length - one.length + 1.0 for gap in gaps if gap.length >= one.length) for one in spans_at)
    pairs = m * length * (m * length - 1.0) - sum(one.length * (one.length - 1.0) for one in spans_at)
    return 2.0 * total / length / pairs if pairs > 0.0 else 0.0


def alpha_u(observers: Sequence[Spans], begin: float, length: float, *, category: str | None = None) -> float | None:
    """1 - sum of D_o / sum of D_e over all categories, or of one; None where nothing is expected to disagree."""
    if len(observers) < 2 or length <= 0.0:
        return None
    names = categories_of(observers) if category is None else [category]
    expected = sum(expected_disagreement(observers, name, begin, length) for name in names)
    if expected <= 0.0:
        return None
    return 1.0 - sum(observed_disagreement(observers, name, begin, length) for name in names) / expected


def over_items(patterns: Patterns, scale: Scale) -> Linear:
    """1 - sum of D_o / sum of D_e over items and categories: every item weighs the same, however long it is (the
    sources know one stretch only). Labels as in ``marked_of``, with the length of the item.
    """
    marked = [marked_of(label) for label in scale.labels]
    features = np.zeros((len(patterns.size), 2))
    for row, cells in enumerate(patterns.cells.tolist()):
        people = [marked[code] for code in cells if code >= 0]
        begin, length = stretch_of(people, needed=True)
        spans = [one.spans for one in people]
        features[row] = [sum(of(spans, name, begin, length) for name in categories_of(spans))
                         for of in (observed_disagreement, expected_disagreement)]
    return Linear(features, lambda sums: 1.0 - divide(sums[:, 0], sums[:, 1]))


metrics.add("krippendorff_alpha_u", Metric("krippendorff_alpha_u", {None: over_items}, NO_GAP_OR_SPAN, bounds=None))
