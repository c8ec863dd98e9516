# SPDX-License-Identifier: Apache-2.0
"""Accuracy: the share of gold answers that are given exactly (several answers: exactly the same set)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.errors import N_
from exports.scorer.metric import (
    REFUSED,
    UNPARSABLE,
    Metric,
    Parts,
    Reply,
    Row,
    Unit,
    best_scored,
    given,
    is_number,
    matched,
    metrics,
    named,
    said,
    spoken,
    tidy,
    unfit,
)

MOST_NUMBERS = 20   # a scale; beyond that a constant answer says nothing
MOST_OPTIONS = 100  # where every item has its own options, a constant says nothing either


def read(unit: Unit, row: Row) -> Reply:
    """The answer as an option, a set of options, a number or a text, after the kind of the gold."""
    if row.get("refused"):
        return REFUSED
    answer = said(row)
    if answer is None and unit.choices and isinstance(unit.gold, str):
        top = best_scored(row.get("scores"), unit.options)
        return given(top[0]) if len(top) == 1 else UNPARSABLE
    value = named(unit.choices, answer) if type(answer) is type(unit.gold) is str and unit.choices else _value(
        unit, answer)
    return UNPARSABLE if value is None else given(value)


def _value(unit: Unit, answer: Any) -> Any:
    if isinstance(unit.gold, list):
        several = answer if isinstance(answer, list) else [answer]
        found = [matched(unit, one) for one in several] if unit.choices else [_plain(one) for one in several]
        return None if any(one is None for one in found) else frozenset(found)
    if is_number(unit.gold):
        return _number(answer)
    return matched(unit, answer) if unit.choices else _plain(answer)


def _plain(answer: Any) -> str | None:
    return tidy(answer) if isinstance(answer, str) and answer.strip() else None


def _number(answer: Any) -> float | None:
    if is_number(answer):
        return float(answer)
    try:
        return float(answer) if isinstance(answer, str) and answer.strip().lstrip("+-")[:1].isdigit() else None
    except ValueError:
        return None


RIGHT: Parts = {"accuracy": (1.0, 1.0), "correct": (1.0, 1.0)}
WRONG: Parts = {"accuracy": (0.0, 1.0), "correct": (0.0, 1.0)}


def parts(unit: Unit, reply: Reply) -> Parts:
    return RIGHT if reply.status == "given" and reply.value == _gold(unit) else WRONG


def _gold(unit: Unit) -> Any:
    if unit.choices and type(unit.gold) is str:
        return unit.gold
    if isinstance(unit.gold, list):
        return frozenset(one if unit.choices else tidy(one) for one in unit.gold)
    if is_number(unit.gold):
        return float(unit.gold)
    return unit.gold if unit.choices else tidy(unit.gold)


def oracle(unit: Unit) -> Row:
    """The gold answer by its text, as a system would print it."""
    if unit.choices and isinstance(unit.gold, list):
        return {"answer": [spoken(unit, one) for one in unit.gold]}
    return {"answer": spoken(unit, unit.gold) if unit.choices else unit.gold}


def anti(unit: Unit) -> Row:
    """The first other option; where there is none, an answer that cannot be right."""
    if isinstance(unit.gold, list):
        return {"answer": [one for one in unit.options if one not in unit.gold] or ["\N{EMPTY SET}"]}
    if is_number(unit.gold):
        return {"answer": unit.gold + 1}
    other = [one for one in unit.options if one != unit.gold]
    return {"answer": other[0] if other else f"not {unit.gold}"}


def constants(units: Sequence[Unit]) -> Mapping[str, Row]:
    """Every option of any item, in order of first appearance; of numbers without options, every value of the gold."""
    numbers = sorted({unit.gold for unit in units if not unit.choices and is_number(unit.gold)})
    options = list(dict.fromkeys(value for unit in units for value in unit.options))[:MOST_OPTIONS]
    return {**{value: {"answer": value} for value in options},
            **{f"{value:g}": {"answer": value} for value in numbers[:MOST_NUMBERS]}}


def beside(units: Sequence[Unit], replies: Sequence[Sequence[Reply]]) -> Mapping[str, Any]:
    """How often gold and answers stand at each position of the options (the first is 0).

    ``constant_position``: the accuracy of always naming the option at each position, which is what a constant letter
    would get.
    """
    most = max((len(unit.choices) for unit in units), default=0)
    if not most:
        return {}
    gold, said_at, alone = [0] * most, [0] * most, [0] * most
    choices = {id(unit.choices): unit.options for unit in units}
    alike = Counter([(id(unit.choices), _key(unit.gold), tuple([_key(reply.value) for reply in some
                                                                if reply.status == "given"]))
                     for unit, some in zip(units, replies, strict=True)])
    for (which, gold_key, keys), times in alike.items():
        right, given_ = _set(gold_key), [_set(one) for one in keys]
        for place, option in enumerate(choices[which]):
            gold[place] += times * (option in right)
            alone[place] += times * ({option} == right)
            said_at[place] += times * sum(option in one for one in given_)
    return {"gold_positions": gold, "answer_positions": said_at,
            "constant_position": [count / len(units) for count in alone]}


def _key(value: Any) -> Any:
    return frozenset(value) if type(value) is list else value


def _set(value: Any) -> frozenset[Any]:
    return frozenset(value) if isinstance(value, (list, frozenset)) else frozenset([value])


def check(units: Sequence[Unit]) -> None:
    """Gold answers are among the choices, where there are any."""
    fine: set[tuple[int, str]] = set()  # a choice of options with an answer among them
    for unit in units:
        if type(unit.gold) is str:
            if (id(unit.choices), unit.gold) in fine:
                continue
            fine.add((id(unit.choices), unit.gold))
        values = unit.gold if isinstance(unit.gold, list) else [unit.gold]
        if unit.gold is None or (unit.choices and not is_number(unit.gold)
                                 and any(one not in unit.options for one in values)):
            raise unfit(unit, "accuracy", N_("it is not among the choices"))


metric = metrics.add("accuracy", Metric(
    name="accuracy", best=1.0, worst=0.0, headline="accuracy", asks=True, proportion=True, sums=frozenset({"correct"}),
    read=read, parts=parts, oracle=oracle, anti=anti, constants=constants, check=check, beside=beside,
))
