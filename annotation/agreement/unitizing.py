"""Krippendorff's alphas for spans: the 2016 family (u, binary, cu, (k)u) and the alpha_U of 1995 and 2004.

The family (Krippendorff, Mathet, Bouvry and Widloecher 2016; Krippendorff 2019, section 12.6, eqs. 32-38) compares
pieces of the stretch: l_ck is the length that one observer gives c and another k, over ordered pairs of observers,
/ (m - 1); what is not marked is a gap. Chance is l_c. l_.k without pairing a span with itself. Prefer it: its
authors say that alpha_U "turned out to behave not as expected" with more than two observers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from annotation.agreement.metric import Metric, metrics
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.spans import Marked, Spans, marked_of
from annotation.agreement.statistic import Linear, divide
from annotation.errors import N_, Refused

NO_GAP_OR_SPAN = "all is one category (or nothing is marked), so chance agreement is 1 and alpha says nothing"
KINDS = ("u", "binary", "cu")


@dataclass(frozen=True, slots=True)
class Lengths:
    """Sums over any number of stretches: add them to get those of all. Category 0 is the gap.

    ``coincide`` (V + 1, V + 1): l_ck. ``alone`` (V + 1,): squared lengths of spans (plain lengths of gaps, whose
    parts are units of their own). ``paired`` (V + 1,): squared lengths of each span's part that any other observer
    marked too.
    """

    coincide: Floats
    alone: Floats
    paired: Floats

    def flat(self) -> Floats:
        return np.concatenate([self.coincide.ravel(), self.alone, self.paired])


def lengths(observers: Sequence[Spans], categories: Sequence[str], begin: float, length: float) -> Lengths:
    """Of one stretch. Refused where spans of one observer overlap or leave the stretch. Time grows with the number
    of ends times observers squared; memory with the ends times observers.
    """
    names = {name: n + 1 for n, name in enumerate(categories)}
    size, m = len(categories) + 1, len(observers)
    for spans in observers:
        _check(spans, begin, begin + length)
    ends = np.unique([begin, begin + length, *(x for spans in observers for one in spans
                                               for x in (one.begin, one.end))])
    pieces = np.diff(ends)
    value = np.zeros((m, len(pieces)), dtype=np.int64)
    places = [[(names[one.category], *np.searchsorted(ends, (one.begin, one.end)).tolist()) for one in spans]
              for spans in observers]
    for row, spans_at in enumerate(places):
        for name, first, last in spans_at:
            value[row, first:last] = name
    coincide = np.zeros((size, size))
    for i in range(m):
        for j in range(m):
            if i != j:
                np.add.at(coincide, (value[i], value[j]), pieces / (m - 1.0))
    alone, paired, marked = np.zeros(size), np.zeros(size), (value > 0).sum(axis=0)
    for row, spans_at in enumerate(places):
        alone[0] += pieces[value[row] == 0].sum()
        for name, first, last in spans_at:
            alone[name] += pieces[first:last].sum() ** 2
            paired[name] += pieces[first:last][marked[first:last] > 1].sum() ** 2
    return Lengths(coincide, alone, paired)


def _check(spans: Spans, begin: float, end: float) -> None:
    ordered = sorted(spans)
    if any(after.begin < one.end for one, after in pairwise(ordered)):
        raise Refused(N_("two spans of one person overlap; this alpha wants each place to have one category"),
                      code="bad_value")
    if ordered and (ordered[0].begin < begin or max(one.end for one in ordered) > end):
        raise Refused(N_("a span lies outside of what was to be marked"), code="bad_value")


def alphas(sums: Floats, values: int, kind: str | int) -> Floats:
    """(b, F) sums of ``Lengths.flat`` -> (b,): u, binary or cu alpha, or (k)u alpha of category number ``kind`` (from
    1). NaN where expected disagreement is 0.
    """
    v = values + 1
    coincide = sums[:, :v * v].reshape(-1, v, v)
    alone, paired = sums[:, v * v:v * v + v], sums[:, v * v + v:]
    if kind in ("u", "binary"):
        rows, total = coincide.sum(axis=2), coincide.sum(axis=(1, 2))
        if kind == "binary":
            rows = np.column_stack([rows[:, 0], rows[:, 1:].sum(axis=1)])
            observed = coincide[:, 0, 1:].sum(axis=1) + coincide[:, 1:, 0].sum(axis=1)
        else:
            observed = total - np.trace(coincide, axis1=1, axis2=2)
        apart = total * total - (rows * rows).sum(axis=1)
        # 1 - D_o / D_e with D_e = l.. (l..^2 - sum l_c^2) / (l..^2 - sum of what cannot be paired).
        return 1.0 - divide(observed * (total * total - alone.sum(axis=1)), apart * total, least=1e-12 * total**3)
    inner = coincide[:, 1:, 1:]
    rows, total = inner.sum(axis=2), inner.sum(axis=(1, 2))
    if kind == "cu":
        observed = total - np.trace(inner, axis1=1, axis2=2)
        apart = total * total - (rows * rows).sum(axis=1)
        return 1.0 - divide(observed * (total * total - paired[:, 1:].sum(axis=1)), apart * total,
                            least=1e-12 * total**3)
    k = int(kind) - 1
    own = rows[:, k]
    # (k)u: of what coincides with k, the part that is not k, observed over expected.
    return 1.0 - divide((own - inner[:, k, k]) * (own * total - paired[:, k + 1]), own * own * (total - own),
                        least=1e-12 * own * own * total)


def unitizing_alpha(observers: Sequence[Spans], begin: float, length: float, kind: str = "u", *,
                    category: str | None = None) -> float | None:
    """One stretch: ``kind`` u, binary or cu; with ``category``, its (k)u alpha. None where undefined."""
    categories = categories_of(observers)
    if len(observers) < 2 or (category is not None and category not in categories):
        return None
    number: str | int = kind if category is None else categories.index(category) + 1
    flat = lengths(observers, categories, begin, length).flat()
    value = float(alphas(flat[None], len(categories), number)[0])
    return value if np.isfinite(value) else None


def categories_of(observers: Sequence[Spans]) -> list[str]:
    return sorted({one.category for spans in observers for one in spans})


def _statistic(kind: str) -> Callable[[Patterns, Scale], Linear]:
    """Items are stretches; their sums are added, so that resampling items costs what it costs for a mean.

    (categories + 1) (categories + 3) numbers are kept per pattern. Labels are read by ``marked_of``; only cu can do
    without the length of the stretch.
    """

    def build(patterns: Patterns, scale: Scale) -> Linear:
        marked = [marked_of(label) for label in scale.labels]
        categories = categories_of([one.spans for one in marked])
        features = [_lengths_of([marked[code] for code in cells if code >= 0], categories, kind)
                    for cells in patterns.cells.tolist()]
        return Linear(np.stack(features), lambda sums: alphas(sums, len(categories), kind))

    return build


def _lengths_of(people: list[Marked], categories: list[str], kind: str) -> Floats:
    begin, length = stretch_of(people, needed=kind != "cu")
    return lengths([one.spans for one in people], categories, begin, length).flat()


def stretch_of(people: Sequence[Marked], *, needed: bool) -> tuple[float, float]:
    """Where the stretch of one item begins and how long it is; by the spans where nobody says."""
    known = {(one.begin, one.length) for one in people if one.length is not None}
    if len(known) > 1:
        raise Refused(N_("answers to one item disagree about how long it is"), code="bad_value")
    if not known and needed:
        raise Refused(N_("the answers do not say how long what was marked is: {{\"spans\": [..], \"length\": ..}}"),
                      code="missing_value")
    ends = [x for one in people for span in one.spans for x in (span.begin, span.end)] or [0.0]
    begin, length = next(iter(known), (min(ends), max(ends) - min(ends)))
    return begin, float(length or 0.0)


for _kind in KINDS:
    _name = {"u": "unitizing_u_alpha", "binary": "unitizing_binary", "cu": "unitizing_cu_alpha"}[_kind]
    metrics.add(_name, Metric(_name, {None: _statistic(_kind)}, NO_GAP_OR_SPAN))
