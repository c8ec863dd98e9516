# SPDX-License-Identifier: Apache-2.0
"""Claims: the share of an answer's claims that is supported, and the share of gold's claims that it covers.

P = supported / claimed, R = covered / gold, F1 their harmonic mean (RAGChecker, arXiv 2408.08067); both lists empty:
1, one of them: 0. ``precision``, ``recall`` and ``f1`` are means over items, ``micro_`` those over all claims. Gold is
the list of claims. People or a judge match, claim by claim: ``judge_score`` is ``{"supported": [..], "covered":
[..]}``, one true or false for each claim of the answer and of gold. A number from 0 to 1 stands for a claim that is
worth as much as its sub-claims (their precision under ``supported``, their recall under ``covered``). With the setting
``match: exact`` nobody judges: texts are compared without regard to case, and gold may list several texts for a claim.

``claims_at_k``: F1@K of LongFact (arXiv 2403.18802): R = min(supported / K, 1), and 0 where nothing is supported; it
needs no gold but the setting ``k``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from annotation.errors import N_, Refused
from exports.scorer.judging import (
    COUNTS,
    complete,
    has_failed,
    judged,
    judges,
    on_scale,
    read_verdict,
    verdict,
    withheld,
)
from exports.scorer.metric import (
    UNPARSABLE,
    Floats,
    Metric,
    Parts,
    Reply,
    Row,
    Sums,
    Unit,
    metrics,
    no_constants,
    ratio,
    said,
    tidy,
    unfit,
)

Marks = tuple[float, ...]


def marks(value: Any, length: int | None) -> Marks | None:
    """A worth from 0 to 1 for each claim; None where one is missing: lists are never cut to fit."""
    if not isinstance(value, list) or (length is not None and len(value) != length):
        return None
    read = [on_scale(one, 0.0, 1.0) for one in value if not isinstance(one, list)]
    found = tuple(one for one in read if one is not None)
    return found if len(found) == len(value) else None


def read(unit: Unit, row: Row) -> Reply:
    """(supported, covered), both or neither."""
    answer = said(row)
    listed = len(answer) if isinstance(answer, list) else None
    if unit.settings.get("match") == "exact":
        if not row.get("refused") and not (isinstance(answer, list) and all(isinstance(one, str) for one in answer)):
            return UNPARSABLE
        return read_verdict(row, None if listed is None else exact(answer, unit.gold))
    judge = row.get("judge_score")
    if not isinstance(judge, Mapping):
        return read_verdict(row, None)
    supported, covered = marks(judge.get("supported"), listed), marks(judge.get("covered"), len(unit.gold))
    return read_verdict(row, None if supported is None or covered is None else (supported, covered))


def exact(answer: Sequence[str], gold: Sequence[Any]) -> tuple[Marks, Marks]:
    """Every gold claim is met by one claim of the answer, the first that fits."""
    accepted = [{tidy(one).casefold() for one in (claim if isinstance(claim, list) else [claim])} for claim in gold]
    supported, covered = [0.0] * len(answer), [0.0] * len(gold)
    for place, claim in enumerate(answer):
        free = [n for n, texts in enumerate(accepted) if tidy(claim).casefold() in texts and not covered[n]]
        if free:
            supported[place] = covered[free[0]] = 1.0
    return tuple(supported), tuple(covered)


def harmonic(precision: float, recall: float) -> float:
    return 2.0 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def three(supported: Marks, covered: Marks) -> dict[str, float]:
    """P, R and F1 of one item."""
    if not supported or not covered:
        same = float(not supported and not covered)
        return {"precision": same, "recall": same, "f1": same}
    precision, recall = sum(supported) / len(supported), sum(covered) / len(covered)
    return {"precision": precision, "recall": recall, "f1": harmonic(precision, recall)}


def parts(unit: Unit, reply: Reply) -> Parts:
    """An item that was not answered claims nothing and covers nothing: all three are 0, also where gold is empty."""
    found = verdict(reply)
    if found is None:
        below = 0.0 if has_failed(reply) else float(len(unit.gold))
        return {**judged(unit, reply, dict.fromkeys(("precision", "recall", "f1"))),
                "micro_precision": (0.0, 0.0), "micro_recall": (0.0, below)}
    supported, covered = found
    return {**judged(unit, reply, three(supported, covered)),
            "micro_precision": (float(sum(supported)), float(len(supported))),
            "micro_recall": (float(sum(covered)), float(len(covered)))}


def finish(sums: Sums) -> Mapping[str, Floats]:
    """``micro_f1`` is 0 where gold has claims and none was made, and undefined where neither has any."""
    precision, recall = ratio(sums["micro_precision"]), ratio(sums["micro_recall"])
    none = np.isnan(precision) & np.isnan(recall)
    above, below = np.nan_to_num(precision), np.nan_to_num(recall)
    micro = np.divide(2.0 * above * below, above + below, out=np.zeros_like(above), where=above + below > 0)
    return {**complete("precision", "recall", "f1")(sums), "micro_f1": withheld(sums, np.where(none, np.nan, micro))}


def oracle(unit: Unit) -> Row:
    first = [claim[0] if isinstance(claim, list) else claim for claim in unit.gold]
    every = [1] * len(unit.gold)
    return {"answer": first, "judge_score": {"supported": every, "covered": every}}


def anti(unit: Unit) -> Row:
    """One claim that nothing supports."""
    return {"answer": ["\N{EMPTY SET}"], "judge_score": {"supported": [0], "covered": [0] * len(unit.gold)}}


def check(units: Sequence[Unit]) -> None:
    for unit in units:
        if not isinstance(unit.gold, list):
            raise unfit(unit, "claims", N_("it is not a list of claims"))


def read_at_k(unit: Unit, row: Row) -> Reply:
    answer, judge = said(row), row.get("judge_score")
    supported = marks(judge.get("supported"), len(answer) if isinstance(answer, list) else None) if isinstance(
        judge, Mapping) else None
    return read_verdict(row, supported)


def parts_at_k(unit: Unit, reply: Reply) -> Parts:
    supported = verdict(reply) or ()
    total = float(sum(supported))
    precision = total / len(supported) if supported else 0.0
    recall = min(total / unit.settings["k"], 1.0)
    return judged(unit, reply, {"precision": precision, "recall_at_k": recall,
                                "f1_at_k": harmonic(precision, recall)})


def check_k(units: Sequence[Unit]) -> None:
    for unit in units[:1]:  # settings are the same for all units of a metric
        k = unit.settings.get("k")
        if not isinstance(k, int) or isinstance(k, bool) or k < 1:
            raise Refused(N_("claims_at_k needs the setting 'k', a number of claims from 1 up; it is '{value}'"),
                          code="bad_field", value=str(k)[:80])


metrics.add("claims", Metric(
    name="claims", best=1.0, worst=0.0, headline="f1", asks=True, proportion=False, sums=COUNTS, read=read, parts=parts,
    finish=finish, beside=judges, oracle=oracle, anti=anti, constants=no_constants, check=check,
))
metrics.add("claims_at_k", Metric(
    name="claims_at_k", best=1.0, worst=0.0, headline="f1_at_k", asks=False, proportion=False, sums=COUNTS,
    read=read_at_k, parts=parts_at_k, finish=complete("precision", "recall_at_k", "f1_at_k"), beside=judges,
    oracle=lambda unit: {"judge_score": {"supported": [1] * unit.settings["k"]}},
    anti=lambda unit: {"judge_score": {"supported": [0]}}, constants=no_constants, check=check_k,
))
