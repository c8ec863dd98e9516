"""What to read beside a kappa: how uneven the answers are, what is left without that, and agreement on each answer.

With two answers and two people whose table is [[a, b], [c, d]] (a: both gave the first answer, d: both the second):
prevalence index (a - d) / n, bias index (b - c) / n, PABAK = 2 p_o - 1 (Byrt, Bishop & Carlin 1993), positive
agreement 2a / (2a + b + c) and negative 2d / (2d + b + c) (Cicchetti & Feinstein 1990).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.agreement.metric import Build, Metric, metrics
from annotation.agreement.percent import item_agreement
from annotation.agreement.ratings import Floats, Patterns
from annotation.agreement.scale import Scale
from annotation.agreement.statistic import Linear, divide
from annotation.agreement.two_people import kappa_of_table
from annotation.errors import N_, Refused

GAP = 0.1  # a first decimal: where kappa and its even-handed counterpart differ by less nobody needs a sentence


@dataclass(frozen=True, slots=True)
class TwoAnswers:
    """Indices of a 2 x 2 table; None where there is nothing to divide by (nobody gave that answer)."""

    prevalence: float
    bias: float
    pabak: float
    positive: float | None
    negative: float | None


def two_answers(table: Floats) -> TwoAnswers:
    """Of counts (2, 2), rows the first person, the positive answer first. Refused for another shape or no items."""
    if table.shape != (2, 2):
        raise Refused(N_("Prevalence and bias are for two answers, and there are {count}; see each against the rest"),
                      code="bad_value", count=len(table))
    n = float(table.sum())
    if n == 0.0:
        raise Refused(N_("Nobody judged the same item twice"), code="undefined")
    (a, b), (c, d) = table.tolist()
    both = specific_agreement(table)
    return TwoAnswers((a - d) / n, (b - c) / n, 2.0 * (a + d) / n - 1.0, both[0], both[1])


def specific_agreement(pairs: Floats) -> tuple[float | None, ...]:
    """For each answer: of the answers that meet it, the share that is equal: 2 n_cc / (n_c. + n_.c).

    Dice (1945), Fleiss (1975), Cicchetti & Feinstein (1990). ``pairs`` (q, q): a table of two people, or
    ``pairs_of``. None where nobody gave it.
    """
    met = pairs.sum(axis=0) + pairs.sum(axis=1)
    return tuple(float(2.0 * same / all_) if all_ > 0.0 else None
                 for same, all_ in zip(np.diag(pairs), met, strict=True))


def pairs_of(patterns: Patterns) -> Floats:
    """(V, V) pairs of answers to the same item, symmetric; an item with m answers counts m / 2 like its answers."""
    table = patterns.shares()
    weight = patterns.count / np.maximum(patterns.size - 1.0, 1.0)
    # An answer does not meet itself; and half the ordered pairs, so that two people's items count once.
    return ((table * weight[:, None]).T @ table - np.diag(weight @ table)) / 2.0


@dataclass(frozen=True, slots=True)
class Caution:
    """A sentence to stand beside a number; template and values apart, so that it can be translated."""

    template: str
    values: dict[str, Any]

    def __str__(self) -> str:
        return self.template.format(**self.values)


def paradox(pairs: Floats, labels: tuple[str, ...]) -> Caution | None:
    """Says when a kappa is low only because nearly everybody gives one answer (Feinstein & Cicchetti 1990).

    ``pairs`` (q, q): a table of two people or ``pairs_of``; ``labels`` (q,), with options nobody chose. The sentence
    comes where kappa lies ``GAP`` or more below the value that the same percentages would have with evenly used
    answers (PABAK; with more than two answers Brennan & Prediger's). None otherwise: no judgement of good or bad.
    """
    n, q = float(pairs.sum()), len(labels)
    if n == 0.0 or q < 2:
        return None
    used = (pairs.sum(axis=0) + pairs.sum(axis=1)) / (2.0 * n)
    most = int(used.argmax())
    observed = float(np.trace(pairs)) / n
    even = (observed - 1.0 / q) / (1.0 - 1.0 / q)
    kappa = kappa_of_table(pairs).value
    if kappa is None:
        return Caution(N_("Everybody always answered {answer}: no coefficient that corrects for chance can say "
                          "anything."), {"answer": labels[most]})
    if even - kappa < GAP:
        return None
    values: dict[str, Any] = {"answer": labels[most], "share": f"{100.0 * used[most]:.0f}",
                              "percent": f"{100.0 * observed:.0f}", "kappa": f"{kappa:z.2f}", "even": f"{even:z.2f}"}
    if q > 2:
        return Caution(N_("{share} % of the answers are {answer}. With {percent} % agreement kappa is {kappa}; if all "
                          "answers were used equally often the same percentage would give {even} (Brennan-Prediger)."),
                       values)
    index = two_answers(pairs)
    values |= {"index": f"{abs(index.prevalence):.2f}", "other": labels[1 - most],
               "agreed": _percent(specific_agreement(pairs)[most]),
               "rest": _percent(specific_agreement(pairs)[1 - most])}
    return Caution(N_("{share} % of the answers are {answer} (prevalence index {index}). With {percent} % agreement "
                      "kappa is {kappa}; if both answers were used equally often the same percentage would give "
                      "{even} (PABAK). Agreement on {answer}: {agreed} %, on {other}: {rest} %."), values)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100.0 * share:.0f}"


def _codes(scale: Scale) -> tuple[int, int]:
    """Codes of the positive and the negative answer: the options in their order; -2 for one that nobody gave."""
    options = list(dict.fromkeys([*scale.declared, *scale.labels]))
    if len(options) > 2:
        raise Refused(N_("Prevalence and bias are for two answers, and there are {count}; see each against the rest"),
                      code="bad_value", count=len(options))
    places = [scale.labels.index(option) if option in scale.labels else -2 for option in options]
    return places[0] if places else -2, places[1] if len(places) > 1 else -2


def _specific(which: int) -> Build:
    def build(patterns: Patterns, scale: Scale) -> Linear:
        given = (patterns.cells == _codes(scale)[which]).sum(axis=1).astype(np.float64)
        others = np.maximum(patterns.size - 1.0, 1.0)
        return Linear(np.column_stack([given * (given - 1.0) / others, given]),
                      lambda sums: divide(sums[:, 0], sums[:, 1]))

    return build


def prevalence_index(patterns: Patterns, scale: Scale) -> Linear:
    """Share of the first answer less share of the second, items alike: (a - d) / n for two people."""
    first, second = ((patterns.cells == code).sum(axis=1) for code in _codes(scale))
    return Linear(np.column_stack([(first - second) / patterns.size, np.ones(len(first))]),
                  lambda sums: divide(sums[:, 0], sums[:, 1]))


def bias_index(patterns: Patterns, scale: Scale) -> Linear:
    """How much more often the first person gives the first answer: (b - c) / n, of ordered patterns of two people."""
    positive, _ = _codes(scale)
    both = (patterns.cells >= 0).all(axis=1)
    gave = (patterns.cells == positive).astype(np.float64)
    return Linear(np.column_stack([both * (gave[:, 0] - gave[:, -1]), both]),
                  lambda sums: divide(sums[:, 0], sums[:, 1]))


def pabak(patterns: Patterns, scale: Scale) -> Linear:
    """2 p_o - 1, for two answers the coefficient of Brennan and Prediger."""
    _codes(scale)
    return Linear(np.column_stack([item_agreement(patterns), np.ones(len(patterns.size))]),
                  lambda sums: 2.0 * divide(sums[:, 0], sums[:, 1]) - 1.0)


NEVER = "nobody gave this answer"
for name, build in {"positive_agreement": _specific(0), "negative_agreement": _specific(1)}.items():
    metrics.add(name, Metric(name, {None: build}, NEVER, bounds=(0.0, 1.0)))
metrics.add("prevalence_index", Metric("prevalence_index", {None: prevalence_index}))
metrics.add("pabak", Metric("pabak", {None: pabak}))
metrics.add("bias_index", Metric("bias_index", {None: bias_index}, "nobody judged the same item twice", ordered=True,
                                 people=(2, 2)))
