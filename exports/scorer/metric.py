# SPDX-License-Identifier: Apache-2.0
"""What a metric is: how a prediction is read, what it is worth, and what the best and the worst would answer.

A metric is one file in ``metrics/``. It says, from the simplest to the most general:

``parts``     (numerator, denominator) of one reply by name; a part's value is sum over sum. Most metrics need no more.
              A name that begins with ``_`` is not reported and only feeds ``finish``; a name left out is (0, 0).
``finish``    further values from the sums of parts, for headlines that are no ratio of sums (RMSE, F1, a mean of
              subsets). It gets sums of shape (b, 2) by name, b draws at once, and gives (b,); NaN is undefined.
              A bootstrap over clusters is so one matrix product and one call.
``group``     the name of the thing that a unit belongs to (the rotations of one question, the pairs of one prompt);
              then ``together`` gives the parts of a whole group, with one reply per unit in the order of the file.
``whole``     for what no sum determines (a median, the best threshold): it gets all (unit, reply) and gives a
              function from weights (b, n) to values (b,) by name.
``beside``    facts that are reported and have no interval: histograms of positions.
``check``     refuses gold that this metric cannot score, so that no figure hides it.

Only one of ``parts`` and ``together`` is given. ``exports/scorer/tally.py`` adds up, ``estimate.py`` gives intervals.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from annotation.errors import N_, Refused, Where
from annotation.registry import Registry

TIES = ("tie", "both_good", "both_bad")
GOLD_FILE = "public/gold.jsonl"
SHORT = 64  # letters of a text that is kept once for all who give it

Floats = NDArray[np.float64]
Parts = Mapping[str, tuple[float, float]]
Sums = Mapping[str, Floats]                               # part -> (b, 2): numerators, denominators
Finish = Callable[[Sums], Mapping[str, Floats]]
Evaluate = Callable[[Floats], Mapping[str, Floats]]       # weights (b, n) -> values (b,) by name
Row = Mapping[str, Any]


@lru_cache(maxsize=1024)
def _values(choices: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    return tuple(value for value, _ in choices)


@dataclass(slots=True)  # as good as frozen, which would make each take three times as long
class Unit:
    """One thing that is answered: the gold of a question (in an element) of an item.

    ``choices`` are (value, text) in the declared order; ``candidates`` the ids in public order; ``facts`` the
    item's fields and slices by name; ``settings`` what the bundle says of this metric beside its question.
    """

    id: str
    question: str | None
    element: str | None
    gold: Any
    choices: tuple[tuple[str, str], ...] = ()
    candidates: tuple[str, ...] = ()
    cluster: str | None = None
    slices: Mapping[str, Any] | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def options(self) -> tuple[str, ...]:
        return _values(self.choices)

    def fact(self, setting: str, otherwise: str) -> Any:
        """The fact whose name stands in ``settings[setting]``, else the fact called ``otherwise``; None without it."""
        return self.facts.get(str(self.settings.get(setting, otherwise)))


@dataclass(slots=True)  # as above: nothing is ever changed
class Reply:
    """A prediction as read: what it says, or why it says nothing."""

    status: Literal["given", "missing", "refused", "unparsable"]
    value: Any = None


MISSING, REFUSED, UNPARSABLE = Reply("missing"), Reply("refused"), Reply("unparsable")


def given(value: Any) -> Reply:
    return _given_text(value) if type(value) is str and len(value) < SHORT else Reply("given", value)


@lru_cache(maxsize=4096)
def _given_text(value: str) -> Reply:
    """Most replies are the same few texts: one object for each."""
    return Reply("given", value)


@dataclass(frozen=True, slots=True)
class Metric:
    """``headline`` is the part that is the metric's value; ``sums`` are parts given as counts.

    ``worst`` None: there is no worst value (RMSE). ``asks``: whether it needs a question (else it scores whole
    items). ``proportion``: whether the headline is a share of right and wrong, so that Wilson's interval fits.
    ``oracle`` and ``anti`` give the row of a system that reaches ``best`` and ``worst``;
    ``constants`` the rows of systems that always say the same, by that constant's name.
    """

    name: str
    best: float
    worst: float | None
    headline: str
    asks: bool
    proportion: bool
    read: Callable[[Unit, Row], Reply]
    oracle: Callable[[Unit], Row]
    anti: Callable[[Unit], Row]
    constants: Callable[[Sequence[Unit]], Mapping[str, Row]]
    parts: Callable[[Unit, Reply], Parts] | None = None
    sums: frozenset[str] = frozenset()
    group: Callable[[Unit], str] | None = None
    together: Callable[[Sequence[Unit], Sequence[Reply]], Parts] | None = None
    finish: Finish | None = None
    whole: Callable[[Sequence[tuple[Unit, Reply]]], Evaluate] | None = None
    beside: Callable[[Sequence[Unit], Sequence[Sequence[Reply]]], Mapping[str, Any]] | None = None
    check: Callable[[Sequence[Unit]], None] | None = None


metrics: Registry[Metric] = Registry("metric")


def ratio(sums: Floats) -> Floats:
    """(b, 2) -> (b,): numerator over denominator, NaN where that is 0."""
    below = sums[:, 1]
    return np.divide(sums[:, 0], below, out=np.full(len(sums), np.nan), where=below > 0)


def unfit(unit: Unit, metric: str, why: str) -> Refused:
    """The refusal of a gold answer; ``why`` is a sentence of the metric's own."""
    return Refused(N_("{metric} cannot score the gold answer '{answer}' of {id} ({question}): {why}"), code="bad_field",
                   metric=metric, answer=str(unit.gold)[:80], id=unit.id, question=unit.question, why=why,
                   where=Where(file=GOLD_FILE, key=unit.question, item=unit.id))


def no_constants(units: Sequence[Unit]) -> Mapping[str, Row]:
    """For metrics where always saying the same is no answer at all."""
    return {}


def tidy(text: str) -> str:
    """A text as it is compared: NFC, without white space at its ends."""
    return unicodedata.normalize("NFC", text).strip()


def said(row: Row) -> Any:
    """What a row answers: ``answer``, else ``response``, else None."""
    answer = row.get("answer")
    return row.get("response") if answer is None else answer


def matched(unit: Unit, text: Any) -> str | None:
    """The option that ``text`` names by its value or by its exact text; None if none or several."""
    return named(unit.choices, text) if isinstance(text, str) else None


@lru_cache(maxsize=4096)
def named(choices: tuple[tuple[str, str], ...], text: str) -> str | None:
    """The value of the option that a text names; None if none or several."""
    wanted = tidy(text)
    if not wanted:
        return None
    for value, _ in choices:
        if tidy(value) == wanted:
            return value
    by_text = [value for value, shown in choices if tidy(shown) == wanted]
    return by_text[0] if len(by_text) == 1 else None


def spoken(unit: Unit, value: str) -> str:
    """An option's text where that names it alone, else its value: what a well-behaved system would print."""
    text = dict(unit.choices).get(value, "")
    return text if text and matched(unit, text) == value else value


def best_scored(scores: Any, names: Sequence[str]) -> tuple[str, ...]:
    """The names with the highest score; ``scores`` is a mapping by name or a list in the order of ``names``."""
    if isinstance(scores, list):
        scores = dict(zip(names, scores, strict=False)) if len(scores) == len(names) else {}
    if not isinstance(scores, Mapping) or not names or any(not is_number(scores.get(name)) for name in names):
        return ()
    top = max(scores[name] for name in names)
    return tuple(name for name in names if scores[name] == top)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
