# SPDX-License-Identifier: Apache-2.0
"""Open-ended answers, graded by a judge: the mean grade, how good the judge is, and the mean corrected for its bias.

The setting ``scale`` is [lowest, highest] grade (0 and 1); ``score`` is the mean grade with the lowest as 0 and the
highest as 1. A row may say ``human_score`` beside ``judge_score``: the grade (or grades) that people gave the same
answer. From the answers that both graded come

``corrected``      judge's mean + mean of (people - judge), the difference estimator (prediction-powered inference,
                   Angelopoulos et al. 2023, arXiv 2301.09633, eq. for a mean). It may leave 0 to 1 by chance.
``rogan_gladen``   (p + specificity - 1) / (sensitivity + specificity - 1) of a yes-no judge (Rogan and Gladen 1978),
                   cut to 0 to 1; undefined for a judge that is no better than a coin.
``judge_quality``  share of equal grades, mean absolute difference, Cohen's kappa of the grades and Krippendorff's alpha
                   (interval; nominal for a yes-no judge) of judge and people.

Both corrections assume that the answers graded twice are a random sample of the graded ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from exports.scorer.coefficients import alpha, cohen_kappa
from exports.scorer.judging import (
    COUNTS,
    check_scale,
    grades,
    has_failed,
    judged,
    judges,
    on_scale,
    read_verdict,
    scale_of,
    verdict,
    withheld,
)
from exports.scorer.metric import Floats, Metric, Parts, Reply, Row, Sums, Unit, metrics, ratio


def read(unit: Unit, row: Row) -> Reply:
    low, high = scale_of(unit)
    return read_verdict(row, on_scale(row.get("judge_score"), low, high), on_scale(row.get("human_score"), low, high))


def both(unit: Unit, reply: Reply) -> tuple[float, float] | None:
    """Judge's and people's grade from 0 to 1, where both are there."""
    low, high = scale_of(unit)
    if verdict(reply) is None or reply.value.human is None:
        return None
    return (verdict(reply) - low) / (high - low), (reply.value.human - low) / (high - low)


def parts(unit: Unit, reply: Reply) -> Parts:
    low, high = scale_of(unit)
    said, kept = verdict(reply), float(not has_failed(reply))
    score = None if said is None else (said - low) / (high - low)
    found = {**judged(unit, reply, {"score": score}), "grade": ((low if said is None else said) * kept, kept),
             "_judged": (float(score is not None), kept), "_of_judged": (score or 0.0, float(score is not None)),
             "human": (0.0, 0.0), "_gap": (0.0, 0.0), "sensitivity": (0.0, 0.0), "specificity": (0.0, 0.0)}
    twice = both(unit, reply)
    if twice is not None:
        judge, people = twice
        found |= {"human": (people, 1.0), "_gap": (people - judge, 1.0)}
        if {judge, people} <= {0.0, 1.0}:
            found |= {"sensitivity": (judge * people, people),
                      "specificity": ((1.0 - judge) * (1.0 - people), 1.0 - people)}
    return found


def finish(sums: Sums) -> Mapping[str, Floats]:
    share, right, wrong = ratio(sums["_judged"]), ratio(sums["sensitivity"]), ratio(sums["specificity"])
    better = right + wrong - 1.0
    gladen = np.divide(ratio(sums["_of_judged"]) + wrong - 1.0, better, out=np.full_like(better, np.nan),
                       where=better > 0)
    score = ratio(sums["score_judged"])
    # Where nothing was judged there is nothing to correct.
    return {"score": withheld(sums, score),
            "corrected": withheld(sums, np.where(share == 0, score, score + share * ratio(sums["_gap"]))),
            "rogan_gladen": withheld(sums, np.where(share == 0, score, share * np.clip(gladen, 0.0, 1.0)))}


def beside(units: Sequence[Unit], replies: Sequence[Sequence[Reply]]) -> Mapping[str, Any]:
    twice = [pair for unit, some in zip(units, replies, strict=True) for reply in some
             if (pair := both(unit, reply)) is not None]
    level = "nominal" if all(set(pair) <= {0.0, 1.0} for pair in twice) else "interval"
    n = len(twice)
    quality = {
        "n": n,
        "agreement": sum(one == other for one, other in twice) / n if n else None,
        "mae": sum(abs(one - other) for one, other in twice) / n if n else None,
        "cohen_kappa": cohen_kappa(twice),
        "krippendorff_alpha": alpha(twice, level),
        "level": level,
    }
    return {**judges(units, replies), "judge_quality": quality}


def _row(grade: float) -> Row:
    return {"judge_score": grade, "human_score": grade}


for _name, _headline in (("judged", "score"), ("judged_corrected", "corrected")):
    metrics.add(_name, Metric(
        name=_name, best=1.0, worst=0.0, headline=_headline, asks=False, proportion=False, sums=COUNTS, read=read,
        parts=parts, finish=finish, beside=beside, check=check_scale, oracle=lambda unit: _row(scale_of(unit)[1]),
        anti=lambda unit: _row(scale_of(unit)[0]),
        constants=lambda units: grades(*scale_of(units[0]))(units) if units else {},
    ))
