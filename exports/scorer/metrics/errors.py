# SPDX-License-Identifier: Apache-2.0
"""Errors of numbers: root mean square, mean and median of what was answered with a number, beside how much that is.

Only numbers have an error, so these three are over the answered; ``coverage`` is the share of gold that was. There is
no worst value. The median stands beside because one outlier rules a root mean square. Ego3D-Bench takes RMSE in metres:
the setting ``unit`` says what gold is in, and answers in another unit are converted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from exports.scorer.metric import Evaluate, Floats, Metric, Parts, Reply, Sums, Unit, metrics, ratio
from exports.scorer.numbers import check_numbers, constants, far, gold_of, oracle, read

LARGEST = 1e150  # its square is still a float


def error(unit: Unit, reply: Reply) -> float:
    """answer - gold."""
    off = float(reply.value - gold_of(unit))
    return max(-LARGEST, min(LARGEST, off))


def parts(unit: Unit, reply: Reply) -> Parts:
    """``bias`` is the mean signed error."""
    if reply.status != "given":
        return {"_square": (0.0, 0.0), "mae": (0.0, 0.0), "bias": (0.0, 0.0), "coverage": (0.0, 1.0)}
    off = error(unit, reply)
    return {"_square": (off * off, 1.0), "mae": (abs(off), 1.0), "bias": (off, 1.0), "coverage": (1.0, 1.0)}


def finish(sums: Sums) -> Mapping[str, Floats]:
    return {"rmse": np.sqrt(ratio(sums["_square"]))}


def median(points: Sequence[tuple[Unit, Reply]]) -> Evaluate:
    """The median absolute error; of an even number of answers the mean of the two in the middle."""
    errors = np.asarray([abs(error(unit, reply)) if reply.status == "given" else np.nan for unit, reply in points])
    order = np.argsort(errors, kind="stable")[:int(np.isfinite(errors).sum())]
    ordered = errors[order]

    def evaluate(weights: Floats) -> Mapping[str, Floats]:
        if not len(order):
            return {"median_ae": np.full(len(weights), np.nan)}
        up_to = np.cumsum(weights[:, order], axis=1)
        half = up_to[:, -1:] / 2.0
        near = 1e-9 * half  # shares of raters and epochs are no exact floats
        low, high = np.argmax(up_to >= half - near, axis=1), np.argmax(up_to > half + near, axis=1)
        return {"median_ae": np.where(half[:, 0] > 0, (ordered[low] + ordered[high]) / 2.0, np.nan)}

    return evaluate


def _add(name: str) -> None:
    metrics.add(name, Metric(
        name=name, best=0.0, worst=None, headline=name, asks=True, proportion=False, read=read, parts=parts,
        finish=finish, whole=median, oracle=oracle, anti=far, constants=constants,
        check=lambda units: check_numbers(units, name),
    ))


for _name in ("rmse", "mae", "median_ae"):
    _add(_name)
