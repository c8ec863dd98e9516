# SPDX-License-Identifier: Apache-2.0
"""Conflict ratio: how often a judge's scores of two answers contradict its verdict on the pair (TrustJudge).

arXiv 2509.21117: a conflict is a higher score without a win, or equal scores without a tie. A row gives both,
``scores`` of the two and ``answer``, the verdict; or the verdicts of both orders as a list, which are a tie where they
differ. Scores nearer than the setting ``delta`` (0) are equal. Gold is not used: this is a judge against itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotation.errors import N_
from exports.scorer.metric import REFUSED, UNPARSABLE, Metric, Parts, Reply, Row, Unit, given, metrics, said, unfit
from exports.scorer.metrics import pairs
from exports.scorer.numbers import exact
from exports.scorer.rewards import scores_of


def read(unit: Unit, row: Row) -> Reply:
    """(sign of the difference of scores, sign of the verdict), 1 for the first candidate, 0 for a tie."""
    if row.get("refused"):
        return REFUSED
    scores = scores_of(unit, {"scores": row.get("scores")})
    answer = said(row)
    orders = answer if isinstance(answer, list) and answer else [answer]
    verdicts = [pairs.read(unit, {"answer": one}) if isinstance(one, str) else UNPARSABLE for one in orders]
    if scores is None or any(verdict.status != "given" for verdict in verdicts):
        return UNPARSABLE
    first, second = unit.candidates
    away, delta = scores[first] - scores[second], exact(unit.settings.get("delta")) or 0
    by_score = 0 if abs(away) < delta else (away > 0) - (away < 0)
    named = {verdict.value for verdict in verdicts}
    verdict = named.pop() if len(named) == 1 else "tie"
    return given((by_score, {first: 1, second: -1}.get(verdict, 0)))


def parts(unit: Unit, reply: Reply) -> Parts:
    """``ratio`` over the pairs that could be read, ``coverage`` says how many; ``worst_case`` counts the others as
    conflicts; ``without_ties`` is over pairs that neither scores nor verdict call a tie."""
    if reply.status != "given":
        return {"ratio": (0.0, 0.0), "worst_case": (1.0, 1.0), "without_ties": (0.0, 0.0), "coverage": (0.0, 1.0)}
    score, verdict = reply.value
    clash, decided = float(score != verdict), float(score != 0 and verdict != 0)
    return {"ratio": (clash, 1.0), "worst_case": (clash, 1.0), "without_ties": (clash * decided, decided),
            "coverage": (1.0, 1.0)}


def oracle(unit: Unit) -> Row:
    return {"scores": [2, 1], "answer": "left"}


def anti(unit: Unit) -> Row:
    return {"scores": [2, 1], "answer": "right"}


def constants(units: Sequence[Unit]) -> Mapping[str, Row]:
    """The same score for everything, and always the same verdict."""
    return {name: {"scores": [1, 1], "answer": name} for name in ("left", "right", "tie")}


def check(units: Sequence[Unit]) -> None:
    for unit in units:
        if len(unit.candidates) != 2:
            raise unfit(unit, "conflict_ratio", N_("its item has not two candidates"))


metrics.add("conflict_ratio", Metric(
    name="conflict_ratio", best=0.0, worst=1.0, headline="ratio", asks=True, proportion=True, read=read, parts=parts,
    oracle=oracle, anti=anti, constants=constants, check=check,
))
