# SPDX-License-Identifier: Apache-2.0
"""Pairs: which of two is better, with ties that must match (Deutsch, Foster and Freitag 2023, "Ties Matter")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotation.errors import N_
from exports.scorer.metric import (
    REFUSED,
    TIES,
    UNPARSABLE,
    Metric,
    Parts,
    Reply,
    Row,
    Unit,
    best_scored,
    given,
    matched,
    metrics,
    said,
    tidy,
    unfit,
)

SIDES = {"left": 0, "A": 0, "right": 1, "B": 1}


def read(unit: Unit, row: Row) -> Reply:
    """A candidate id, a side in public order, or a tie; or two scores, equal ones being a tie."""
    if row.get("refused"):
        return REFUSED
    answer = said(row)
    if answer is None:
        top = best_scored(row.get("scores"), unit.candidates)
        return UNPARSABLE if not top else given(top[0] if len(top) == 1 else "tie")
    if not isinstance(answer, str):
        return UNPARSABLE
    text = tidy(answer)
    if text in unit.candidates:
        return given(text)
    if text in SIDES and SIDES[text] < len(unit.candidates):
        return given(unit.candidates[SIDES[text]])
    if text in TIES:
        return given("tie")
    option = matched(unit, text)
    return UNPARSABLE if option is None else given("tie" if option in TIES else option)


def parts(unit: Unit, reply: Reply) -> Parts:
    """``no_gold_ties_half_credit``: over gold without ties, half a point for a tie;
    ``decided_only``: over pairs where neither gold nor the answer is a tie; the last two are shares of ties.
    """
    gold = "tie" if unit.gold in TIES else unit.gold
    answer = reply.value if reply.status == "given" else None
    right, gold_tie, tie = float(answer == gold), gold == "tie", answer == "tie"
    return {
        "strict": (right, 1.0),
        "no_gold_ties_half_credit": (0.0, 0.0) if gold_tie else (0.5 if tie else right, 1.0),
        "decided_only": (0.0, 0.0) if gold_tie or tie else (right, 1.0),
        "gold_ties": (float(gold_tie), 1.0),
        "pred_ties": (float(tie), 1.0),
    }


def right(unit: Unit, reply: Reply) -> bool:
    """Whether the same one is better; every kind of tie is a tie."""
    return parts(unit, reply)["strict"][0] == 1.0


def oracle(unit: Unit) -> Row:
    return {"answer": unit.gold}


def anti(unit: Unit) -> Row:
    """The other candidate; the left one where gold is a tie."""
    other = [one for one in unit.candidates if one != unit.gold]
    return {"answer": other[0] if other else None}


def constants(units: Sequence[Unit]) -> Mapping[str, Row]:
    """left, right, and each tie that the question offers."""
    offered = {value for unit in units for value in unit.options} | {unit.gold for unit in units}
    return {name: {"answer": name} for name in ("left", "right", *(tie for tie in TIES if tie in offered))}


def check(units: Sequence[Unit]) -> None:
    """Gold is a candidate or a tie."""
    for unit in units:
        if unit.gold not in unit.candidates and unit.gold not in TIES:
            raise unfit(unit, "pairs", N_("it is not among the choices"))


metrics.add("pairs", Metric(
    name="pairs", best=1.0, worst=0.0, headline="strict", asks=True, proportion=True,
    read=read, parts=parts, oracle=oracle, anti=anti, constants=constants, check=check,
))
