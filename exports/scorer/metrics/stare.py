# SPDX-License-Identifier: Apache-2.0
"""STARE (arXiv 2506.04633): the plain mean over groups of tasks, F1 of "yes" in yes/no tasks, accuracy in the others.

The facts ``task`` and ``setting`` (or those that the settings ``task`` and ``cell`` name) give an item's group and its
cell in it (with or without visual simulation); a group is the mean of its cells. A cell is scored by F1 where its
options are called yes and no: letters are drawn anew for every item, so they are read through the options' texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from annotation.errors import N_
from exports.scorer.metric import Floats, Metric, Parts, Reply, Sums, Unit, metrics, ratio, unfit
from exports.scorer.metrics import accuracy
from exports.scorer.metrics.macro_f1 import check as check_choice
from exports.scorer.metrics.macro_f1 import positive


def is_yes_no(unit: Unit) -> bool:
    return {text.strip().casefold() for _, text in unit.choices} == {"yes", "no"}


def parts(unit: Unit, reply: Reply) -> Parts:
    """``accuracy`` over everything (the released scorer's), and ``f1:TASK/CELL`` or ``accuracy:TASK/CELL``."""
    answer = reply.value if reply.status == "given" else None
    hit = float(answer == unit.gold)
    cell = f"{unit.fact('task', 'task')}/{unit.fact('cell', 'setting') or ''}"
    if not is_yes_no(unit):
        return {"accuracy": (hit, 1.0), f"accuracy:{cell}": (hit, 1.0)}
    gold, said = float(unit.gold == positive(unit)), float(answer == positive(unit))
    return {"accuracy": (hit, 1.0), f"f1:{cell}": (2.0 * gold * said, gold + said), f"_items:{cell}": (1.0, 1.0)}


def finish(sums: Sums) -> Mapping[str, Floats]:
    """The mean of the groups; F1 of a cell without any yes, in gold or answers, is 0."""
    groups: dict[str, list[Floats]] = defaultdict(list)
    for name, one in sums.items():
        how, _, cell = name.partition(":")
        task = cell.rpartition("/")[0]
        if how == "f1":
            there = sums[f"_items:{cell}"][:, 1] > 0
            groups[task].append(np.where(there, np.nan_to_num(ratio(one), nan=0.0), np.nan))
        elif how == "accuracy" and cell:
            groups[task].append(ratio(one))
    means = {f"task:{task}": _mean(cells) for task, cells in groups.items()}
    return {"macro": _mean(list(means.values())), **means}


def _mean(values: Sequence[Floats]) -> Floats:
    """The mean of what is defined, for each draw."""
    table = np.stack(values)
    there = np.isfinite(table)
    return ratio(np.stack([np.where(there, table, 0.0).sum(axis=0), there.sum(axis=0)], axis=1))


def check(units: Sequence[Unit]) -> None:
    check_choice(units)
    for unit in units:
        if unit.fact("task", "task") is None:
            raise unfit(unit, "stare", N_("its item does not say its task"))


metrics.add("stare", Metric(
    name="stare", best=1.0, worst=0.0, headline="macro", asks=True, proportion=False, read=accuracy.read, parts=parts,
    finish=finish, oracle=accuracy.oracle, anti=accuracy.anti, constants=accuracy.constants, check=check,
))
