# SPDX-License-Identifier: Apache-2.0
"""VisPlotBench: whether the code of a plot runs, and how well the picture fits the task and the gold picture.

``ran`` of the row says whether a picture came out; ``judge_score`` is ``{"task": 0 to 100, "visual": 0 to 100}``. A
plot that did not run is worth 0 in both. ``visplot`` is the pass rate; ``visplot_task`` and ``visplot_visual`` are the
means of the marks, with medians and ``good``, the share from 75 up, beside them. The released code
(TIGER-AI-Lab/VisCoder2 @a03900b) counts a judge that failed as 0 and cuts means to whole numbers: that is
``.._worst_case``, before the cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from exports.scorer.judging import (
    COUNTS,
    complete,
    has_failed,
    is_partial,
    judged,
    judges,
    on_scale,
    read_verdict,
    refused,
    verdict,
)
from exports.scorer.metric import REFUSED, UNPARSABLE, Evaluate, Floats, Metric, Parts, Reply, Row, Unit, metrics

SIDES = ("task", "visual")
TOP, GOOD = 100.0, 75.0
NOT_RUN = {"ran": 0.0, "task": 0.0, "visual": 0.0}


def read(unit: Unit, row: Row) -> Reply:
    """Marks of both sides; where ``ran`` is not said, marks say that there was a picture."""
    if row.get("refused"):
        return REFUSED
    judge, ran = row.get("judge_score"), row.get("ran")
    marks = [on_scale(judge.get(side), 0.0, TOP) if isinstance(judge, Mapping) else None for side in SIDES]
    if not isinstance(ran, bool) and (ran is not None or None in marks):
        return UNPARSABLE
    if ran is False:
        return read_verdict(row, NOT_RUN)
    return read_verdict(row, None if None in marks else {"ran": 1.0, **dict(zip(SIDES, marks, strict=True))})


def parts(unit: Unit, reply: Reply) -> Parts:
    """The pass rate needs no judge: where that failed, the code did run."""
    found, failed = verdict(reply) or NOT_RUN, has_failed(reply)
    kept = float(not failed)
    return {"pass_rate": (1.0 if failed else found["ran"], 1.0),
            **judged(unit, reply, {f"{side}_mean": found[side] for side in SIDES}),
            **{f"{side}_good": (float(found[side] >= GOOD) * kept, kept) for side in SIDES}}


def medians(points: Sequence[tuple[Unit, Reply]]) -> Evaluate:
    """The median of each side over everything, undefined while a judgement failed and the rest is not asked for."""
    failed = np.asarray([has_failed(reply) for _, reply in points], dtype=bool)
    partial = bool(points) and is_partial(points[0][0])

    def evaluate(weights: Floats) -> Mapping[str, Floats]:
        shut = np.zeros(len(weights), dtype=bool) if partial else (weights[:, failed] > 0).any(axis=1)
        kept = weights * ~failed
        found = {}
        for side in SIDES:
            values = np.asarray([(verdict(reply) or NOT_RUN)[side] for _, reply in points], dtype=np.float64)
            found[f"{side}_median"] = np.where(shut, np.nan, weighted_median(values, kept))
        return found

    return evaluate


def weighted_median(values: Floats, weights: Floats) -> Floats:
    """(n,), (b, n) -> (b,): the value in the middle, or the mean of the two there; NaN without weight."""
    order = np.argsort(values, kind="stable")
    if not len(order):
        return np.full(len(weights), np.nan)
    up_to = np.cumsum(weights[:, order], axis=1)
    half = up_to[:, -1:] / 2.0
    near = 1e-9 * half  # shares of raters and epochs are no exact floats
    low, high = np.argmax(up_to >= half - near, axis=1), np.argmax(up_to > half + near, axis=1)
    found: Floats = np.where(half[:, 0] > 0, (values[order][low] + values[order][high]) / 2.0, np.nan)
    return found


def _row(mark: float) -> Row:
    return {"response": "", "ran": True, "judge_score": dict.fromkeys(SIDES, mark)}


for _name, _headline, _best in (("visplot", "pass_rate", 1.0), ("visplot_task", "task_mean", TOP),
                                ("visplot_visual", "visual_mean", TOP)):
    metrics.add(_name, Metric(
        name=_name, best=_best, worst=0.0, headline=_headline, asks=False, proportion=_name == "visplot", sums=COUNTS,
        read=read, parts=parts, finish=complete("task_mean", "visual_mean"), whole=medians, beside=judges,
        oracle=lambda unit: _row(TOP), anti=refused,
        constants=lambda units: {"not run": {"response": "", "ran": False}, "0": _row(0.0)},
    ))
