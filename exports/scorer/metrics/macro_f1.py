# SPDX-License-Identifier: Apache-2.0
"""F1 of choices: its mean over the options (macro), or that of one positive option.

A missing, refused or unreadable answer is no option's answer: it lowers the recall of its gold option alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from annotation.errors import N_
from exports.scorer.metric import Floats, Metric, Parts, Reply, Sums, Unit, metrics, ratio, unfit
from exports.scorer.metrics.accuracy import anti, constants, oracle, read


def parts(unit: Unit, reply: Reply) -> Parts:
    """``f1:OPTION``, precision and recall of each, and accuracy (which is the micro F1 of complete answers)."""
    answer = reply.value if reply.status == "given" else None
    found: dict[str, tuple[float, float]] = {"accuracy": (float(answer == unit.gold), 1.0)}
    for option in unit.options:
        gold, said = float(unit.gold == option), float(answer == option)
        found[f"f1:{option}"] = (2.0 * gold * said, gold + said)
        found[f"precision:{option}"] = (gold * said, said)
        found[f"recall:{option}"] = (gold * said, gold)
    return found


def macro(sums: Sums) -> Mapping[str, Floats]:
    """The mean F1 over the options that are in gold or answered, and the mean recall over those in gold."""
    return {"macro_f1": _mean_of(sums, "f1:"), "balanced_accuracy": _mean_of(sums, "recall:")}


def _mean_of(sums: Sums, prefix: str) -> Floats:
    """The mean over the options where the part is defined, of each draw."""
    values = np.stack([ratio(one) for name, one in sums.items() if name.startswith(prefix)]
                      or [np.full(len(next(iter(sums.values()))), np.nan)])
    there = np.isfinite(values)
    return ratio(np.stack([np.where(there, values, 0.0).sum(axis=0), there.sum(axis=0)], axis=1))


def positive(unit: Unit) -> str:
    """The setting ``positive`` (an option or its text, in any case), else the option called yes, else the first."""
    wanted = str(unit.settings.get("positive", "yes")).strip().casefold()
    named = [value for value, text in unit.choices if wanted in (value.casefold(), text.strip().casefold())]
    return (named or list(unit.options))[0]


def binary(unit: Unit, reply: Reply) -> Parts:
    answer = reply.value if reply.status == "given" else None
    gold, said = float(unit.gold == positive(unit)), float(answer == positive(unit))
    return {"f1": (2.0 * gold * said, gold + said), "precision": (gold * said, said), "recall": (gold * said, gold),
            "accuracy": (float(answer == unit.gold), 1.0)}


def check(units: Sequence[Unit]) -> None:
    """Gold is one option of several."""
    for unit in units:
        if not isinstance(unit.gold, str) or unit.gold not in unit.options:
            raise unfit(unit, "macro_f1", N_("it is not among the choices"))


metrics.add("macro_f1", Metric(
    name="macro_f1", best=1.0, worst=0.0, headline="macro_f1", asks=True, proportion=False,
    read=read, parts=parts, finish=macro, oracle=oracle, anti=anti, constants=constants, check=check,
))
metrics.add("f1", Metric(
    name="f1", best=1.0, worst=0.0, headline="f1", asks=True, proportion=False,
    read=read, parts=binary, oracle=oracle, anti=anti, constants=constants, check=check,
))
