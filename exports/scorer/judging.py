# SPDX-License-Identifier: Apache-2.0
"""What a judge said of an answer, and what follows where it said nothing that can be read.

Two rules for every judged metric. An answer that is missing, refused or unreadable is worth the least. A judge that
failed (no ``judge_score``, or one that is not on the scale) says nothing about the answer: it is no score and never the
best one. So there are three figures: ``NAME_judged`` leaves failed judgements out, ``NAME_worst_case`` counts them as
worth the least, and ``NAME`` itself is undefined while a judgement failed, unless the setting ``partial`` is true (then
it is ``NAME_judged``). ``coverage`` is the share without a failed judgement, ``judge_failed`` their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.errors import N_, Refused
from exports.scorer.metric import (
    REFUSED,
    UNPARSABLE,
    Finish,
    Floats,
    Parts,
    Reply,
    Row,
    Sums,
    Unit,
    given,
    is_number,
    ratio,
    said,
)

COUNTS = frozenset({"judge_failed"})  # for ``Metric.sums``
FAILED = N_("judgements that could not be read: {n}; the setting partial leaves them out")


@dataclass(frozen=True, slots=True)
class Verdict:
    """``value`` is None where the judge failed; ``human`` is what people said of the same answer, if they did."""

    value: Any
    judge: str | None = None
    human: float | None = None


def read_verdict(row: Row, value: Any, human: float | None = None) -> Reply:
    """The judgement, with the judge's name and the hash of its prompt.

    An answer that is no text and that nobody judged is the fault of who gave it, and not of a judge: it is unparsable.
    """
    if row.get("refused"):
        return REFUSED
    answer = said(row)
    if value is None and "judge_score" not in row and not (isinstance(answer, (str, list)) and answer):
        return UNPARSABLE
    names = [str(row[key]) for key in ("judge", "prompt_hash") if row.get(key)]
    return given(Verdict(value, " ".join(names) or None, human))


def verdict(reply: Reply) -> Any:
    """What the judge said; None where it failed, and where there is no answer."""
    return reply.value.value if reply.status == "given" else None


def has_failed(reply: Reply) -> bool:
    return reply.status == "given" and reply.value.value is None


def is_partial(unit: Unit) -> bool:
    return unit.settings.get("partial") is True


def on_scale(value: Any, low: float, high: float) -> float | None:
    """A number of the scale (true and false on 0 to 1), or the mean of several runs if every run can be read."""
    if isinstance(value, list):
        runs = [None if isinstance(one, list) else on_scale(one, low, high) for one in value]
        read = [one for one in runs if one is not None]
        return sum(read) / len(read) if read and len(read) == len(runs) else None
    if isinstance(value, bool):
        return float(value) if (low, high) == (0.0, 1.0) else None
    return float(value) if is_number(value) and low <= value <= high else None


def scale_of(unit: Unit, low: float = 0.0, high: float = 1.0) -> tuple[float, float]:
    """The setting ``scale`` as [lowest, highest]; it was checked before."""
    low, high = unit.settings.get("scale", (low, high))
    return float(low), float(high)


def check_scale(units: Sequence[Unit]) -> None:
    """Refused where the setting ``scale`` is not two rising numbers."""
    for unit in units[:1]:  # settings are the same for all units of a metric
        scale = unit.settings.get("scale", [0, 1])
        if not isinstance(scale, list) or len(scale) != 2 or not all(map(is_number, scale)) or scale[0] >= scale[1]:
            raise Refused(N_("the setting 'scale' is '{value}', which is not the lowest and the highest grade"),
                          code="bad_field", value=str(scale)[:80])


def judged(unit: Unit, reply: Reply, values: Mapping[str, float | None], worst: float = 0.0) -> Parts:
    """The parts of one reply: ``values`` by name, which are not looked at where the judge failed or nobody answered."""
    failed = has_failed(reply)
    kept = float(not failed)
    found: dict[str, tuple[float, float]] = {}
    for name, value in values.items():
        worth = worst if value is None or reply.status != "given" or failed else value
        found[f"{name}_judged"] = (worth * kept, kept)
        found[f"{name}_worst_case"] = (worth, 1.0)
    return {**found, "coverage": (kept, 1.0), "judge_failed": (1.0 - kept, 1.0),
            "_withheld": (float(failed and not is_partial(unit)), 1.0)}


def withheld(sums: Sums, value: Floats) -> Floats:
    """The value where no judgement failed, else undefined."""
    return np.where(sums["_withheld"][:, 0] > 0.0, np.nan, value)


def complete(*names: str) -> Finish:
    """Each name's figure over everything, if no judgement failed."""
    return lambda sums: {name: withheld(sums, ratio(sums[f"{name}_judged"])) for name in names}


def judges(units: Sequence[Unit], replies: Sequence[Sequence[Reply]]) -> Mapping[str, Any]:
    """How much each judge (with its prompt's hash) judged, and why there is no value if there is none."""
    counts = Counter(reply.value.judge or "(not named)" for some in replies for reply in some
                     if reply.status == "given")
    failed = sum(has_failed(reply) for some in replies for reply in some)
    why = {} if not failed or is_partial(units[0]) else {"undefined": FAILED.format(n=failed)}
    return {"judges": dict(sorted(counts.items())), **why}


def grades(low: float, high: float) -> Callable[[Sequence[Unit]], Mapping[str, Row]]:
    """A judge that always gives the lowest, and one that always gives the highest grade."""
    return lambda units: {f"{grade:g}": {"judge_score": grade} for grade in (low, high)}


def refused(unit: Unit) -> Row:
    """The answer that is worth the least whatever the judge."""
    return {"refused": True}
