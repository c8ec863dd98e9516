# SPDX-License-Identifier: Apache-2.0
"""What a metric is: how one prediction is read, what it is worth, and what the best and the worst would answer."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from annotation.registry import Registry

TIES = ("tie", "both_good", "both_bad")

# part -> (numerator, denominator) of one prediction; a part's value is the sum of the first over the sum of
# the second over all units, so that "of the items whose gold is 0" needs no special case.
Parts = Mapping[str, tuple[float, float]]
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that is scored: the gold of a question (in an element) of an item.

    ``choices`` are (value, text) in the declared order; ``candidates`` the ids in public order.
    """

    id: str
    question: str | None
    element: str | None
    gold: Any
    choices: tuple[tuple[str, str], ...] = ()
    candidates: tuple[str, ...] = ()
    cluster: str | None = None
    slices: Mapping[str, Any] | None = None

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(value for value, _ in self.choices)


@dataclass(frozen=True, slots=True)
class Reply:
    """A prediction as read: what it says, or why it says nothing."""

    status: Literal["given", "missing", "refused", "unparsable"]
    value: Any = None


MISSING, REFUSED, UNPARSABLE = Reply("missing"), Reply("refused"), Reply("unparsable")


def given(value: Any) -> Reply:
    return Reply("given", value)


@dataclass(frozen=True, slots=True)
class Metric:
    """``headline`` is the part that is the metric's value; ``sums`` are parts given as counts.

    ``asks``: whether it needs a question (else it scores whole items). ``proportion``: whether the
    headline is a share of right and wrong, so that Wilson's interval fits.
    ``oracle`` and ``anti`` give the row of a system that reaches ``best`` and ``worst``;
    ``constants`` the rows of systems that always say the same, by that constant's name.
    """

    name: str
    best: float
    worst: float
    headline: str
    asks: bool
    proportion: bool
    read: Callable[[Unit, Row], Reply]
    parts: Callable[[Unit, Reply], Parts]
    oracle: Callable[[Unit], Row]
    anti: Callable[[Unit], Row]
    constants: Callable[[Sequence[Unit]], Mapping[str, Row]]
    sums: frozenset[str] = frozenset()


metrics: Registry[Metric] = Registry("metric")


def tidy(text: str) -> str:
    """A text as it is compared: NFC, without white space at its ends."""
    return unicodedata.normalize("NFC", text).strip()


def said(row: Row) -> Any:
    """What a row answers: ``answer``, else ``response``, else None."""
    answer = row.get("answer")
    return row.get("response") if answer is None else answer


def matched(unit: Unit, text: Any) -> str | None:
    """The option that ``text`` names by its value or by its exact text; None if none or several."""
    if not isinstance(text, str):
        return None
    wanted = tidy(text)
    if not wanted:
        return None
    for value in unit.options:
        if tidy(value) == wanted:
            return value
    by_text = [value for value, shown in unit.choices if tidy(shown) == wanted]
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
