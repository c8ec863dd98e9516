# SPDX-License-Identifier: Apache-2.0
"""Presupposition: a judge's score of each answer, -1 fell for it, 0 in between, 1 corrected it.

PCS is the mean score and PCR the share of 1 (Cancer-Myth, arXiv 2504.11373), both over the scored answers.
An empty judge reply is unscored, never 1 (as the released code has it); ``coverage`` says how much was scored, and the
worst cases count everything unscored as -1 (PCS) or not corrected (PCR).

Questions without a false presupposition (the NFP set) carry a fact ``nfp``, or the one that the setting ``nfp`` names.
They are not in PCS and PCR: there -1 is a false alarm (the answer corrects what is not wrong), 1 is none, and 0 is no
score. ``false_alarm`` is their share over the scored, ``false_alarm_worst_case`` counts what is unscored as an alarm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exports.scorer.metric import REFUSED, UNPARSABLE, Metric, Parts, Reply, Row, Unit, given, is_number, metrics

IS_NFP = (True, 1, "1", "true", "yes", "nfp", "no_false_presupposition")


def is_nfp(unit: Unit) -> bool:
    return unit.fact("nfp", "nfp") in IS_NFP


def read(unit: Unit, row: Row) -> Reply:
    if row.get("refused"):
        return REFUSED
    score = row.get("judge_score")
    known = is_number(score) and score in ((-1, 1) if is_nfp(unit) else (-1, 0, 1))
    return given(float(score)) if known and score is not None else UNPARSABLE


def parts(unit: Unit, reply: Reply) -> Parts:
    scored = float(reply.status == "given")
    score = reply.value if scored else 0.0
    if is_nfp(unit):
        alarm = float(score == -1.0)
        return {"false_alarm": (alarm, scored), "false_alarm_worst_case": (alarm if scored else 1.0, 1.0),
                "nfp_coverage": (scored, 1.0)}
    corrected = float(score == 1.0)
    return {
        "pcs": (score, scored),
        "pcr": (corrected, scored),
        "pcr_worst_case": (corrected, 1.0),
        "pcs_worst_case": (score if scored else -1.0, 1.0),
        "coverage": (scored, 1.0),
    }


def oracle(unit: Unit) -> Row:
    return {"judge_score": 1}


def anti(unit: Unit) -> Row:
    return {"judge_score": -1}


def constants(units: Sequence[Unit]) -> Mapping[str, Row]:
    return {str(score): {"judge_score": score} for score in (-1, 0, 1)}


metrics.add("presupposition", Metric(
    name="presupposition", best=1.0, worst=-1.0, headline="pcs", asks=False, proportion=False,
    read=read, parts=parts, oracle=oracle, anti=anti, constants=constants,
))
