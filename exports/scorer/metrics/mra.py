# SPDX-License-Identifier: Apache-2.0
"""Mean relative accuracy: the share of ten thresholds, 0.50 to 0.95, that a number's relative error meets.

VSI-Bench: (1/10) sum over theta of 1[ |answer - gold| / gold <= 1 - theta ]. Its released code has ``<=`` (``mra``),
its paper ``<`` (``mra_lt``). Exact fractions: floats decide some of the thresholds wrongly. An answer that is missing
or no number meets none; gold that is not above 0 is refused.
"""

from __future__ import annotations

from fractions import Fraction

from exports.scorer.metric import Metric, Parts, Reply, Unit, metrics
from exports.scorer.numbers import check_positive, constants, far, gold_of, oracle, read

ALLOWED = tuple(Fraction(percent, 100) for percent in range(50, 0, -5))  # 1 - theta


def error(unit: Unit, reply: Reply) -> Fraction | None:
    """|answer - gold| / gold; None without a number."""
    if reply.status != "given":
        return None
    found: Fraction = abs(reply.value - gold_of(unit)) / gold_of(unit)
    return found


def at_most(unit: Unit, reply: Reply) -> Parts:
    off = error(unit, reply)
    return {"mra": (0.0 if off is None else float(sum(off <= allowed for allowed in ALLOWED)), float(len(ALLOWED)))}


def below(unit: Unit, reply: Reply) -> Parts:
    off = error(unit, reply)
    return {"mra": (0.0 if off is None else float(sum(off < allowed for allowed in ALLOWED)), float(len(ALLOWED)))}


metrics.add("mra", Metric(
    name="mra", best=1.0, worst=0.0, headline="mra", asks=True, proportion=False, read=read, parts=at_most,
    oracle=oracle, anti=far, constants=constants, check=lambda units: check_positive(units, "mra"),
))
metrics.add("mra_lt", Metric(
    name="mra_lt", best=1.0, worst=0.0, headline="mra", asks=True, proportion=False, read=read, parts=below,
    oracle=oracle, anti=far, constants=constants, check=lambda units: check_positive(units, "mra_lt"),
))
