# SPDX-License-Identifier: Apache-2.0
"""Space-time IoU: the overlap of two time intervals over their union, where the camera is right (GTR-Bench).

(1/N) sum of 1[camera = gold camera] |T n T_gold| / |T u T_gold|. An answer is ``{"camera": .., "interval": [a, b]}``;
one of several legs a list of these in order, worth the mean of its legs. Ends are numbers (seconds) or clock times
``hh:mm:ss.mmm``; an interval may also be one text ``a-b``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
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
    given,
    metrics,
    no_constants,
    said,
    tidy,
    unfit,
)
from exports.scorer.numbers import exact

CLOCK = re.compile(r"(?:([0-9]+):)?([0-9]+):([0-9]+(?:\.[0-9]+)?)")
Leg = tuple[str, Fraction, Fraction]


def moment(value: Any) -> Fraction | None:
    """Seconds of a number or a clock time (``hh:mm:ss`` or ``mm:ss``)."""
    found = CLOCK.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        return exact(value)
    return Fraction(found[1] or 0) * 3600 + Fraction(found[2]) * 60 + Fraction(found[3])


def legs(value: Any) -> tuple[Leg, ...] | None:
    """The legs of an answer; None where one is no camera with an interval, or ends before it starts."""
    found = []
    for one in value if isinstance(value, list) else [value]:
        camera, span = (one.get("camera"), one.get("interval")) if isinstance(one, Mapping) else (None, None)
        ends = span.split("-") if isinstance(span, str) else span
        if not isinstance(camera, str) or not tidy(camera) or not isinstance(ends, list) or len(ends) != 2:
            return None
        start, end = moment(ends[0]), moment(ends[1])
        if start is None or end is None or end < start:
            return None
        found.append((tidy(camera), start, end))
    return tuple(found) or None


def overlap(one: Leg, other: Leg) -> Fraction:
    """Intersection over union of two intervals; two equal moments overlap wholly."""
    shared = min(one[2], other[2]) - max(one[1], other[1])
    union = (one[2] - one[1]) + (other[2] - other[1]) - max(shared, Fraction(0))
    return Fraction(one[1:] == other[1:]) if union == 0 else max(shared, Fraction(0)) / union


def read(unit: Unit, row: Row) -> Reply:
    """As many legs as gold has."""
    if row.get("refused"):
        return REFUSED
    found, gold = legs(said(row)), legs(unit.gold)
    return given(found) if found is not None and gold is not None and len(found) == len(gold) else UNPARSABLE


def parts(unit: Unit, reply: Reply) -> Parts:
    """``camera``: the share of legs with the right camera; ``iou``: the mean overlap whatever the camera."""
    gold = legs(unit.gold) or ()
    answered = zip(reply.value, gold, strict=True) if reply.status == "given" else ()
    both = [(one[0] == leg[0], overlap(one, leg)) for one, leg in answered]
    n = len(gold)
    return {"st_iou": (float(sum((iou for same, iou in both if same), Fraction(0)) / n), 1.0),
            "camera": (float(Fraction(sum(same for same, _ in both), n)), 1.0),
            "iou": (float(sum((iou for _, iou in both), Fraction(0)) / n), 1.0)}


def oracle(unit: Unit) -> Row:
    return {"answer": unit.gold}


def anti(unit: Unit) -> Row:
    """The right times at no camera."""
    each = unit.gold if isinstance(unit.gold, list) else [unit.gold]
    return {"answer": [{**one, "camera": f"not {one['camera']}"} for one in each]}


def check(units: Sequence[Unit]) -> None:
    for unit in units:
        if legs(unit.gold) is None:
            raise unfit(unit, "st_iou", N_("it is no camera with an interval"))


metrics.add("st_iou", Metric(
    name="st_iou", best=1.0, worst=0.0, headline="st_iou", asks=True, proportion=False, read=read, parts=parts,
    oracle=oracle, anti=anti, constants=no_constants, check=check,
))
