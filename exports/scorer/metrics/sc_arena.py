# SPDX-License-Identifier: Apache-2.0
"""SC-Arena: a rubric from 0 to 5 as 0 to 100, the mean of each task, and these summed over the tasks.

The fact ``task`` (or the one that the setting ``task`` names) says which task an item is of. ``total`` is the published
figure, the sum over five tasks (at most 500); the value is the mean of the tasks (at most 100 for any number of them),
so that it can be compared where a bundle holds some of them. ``judge_score`` is a mark, or a list of several runs'.
After SUAT-AIRI/SC-Arena @f4480a2.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from exports.scorer.judging import COUNTS, grades, has_failed, judged, judges, on_scale, read_verdict, verdict, withheld
from exports.scorer.metric import Floats, Metric, Parts, Reply, Row, Sums, Unit, metrics, ratio

TOP, TIMES = 5.0, 20.0
TASK = "task:"


def read(unit: Unit, row: Row) -> Reply:
    return read_verdict(row, on_scale(row.get("judge_score"), 0.0, TOP))


def parts(unit: Unit, reply: Reply) -> Parts:
    """``task:NAME`` is the mean of one task over what was judged; ``items`` that of all items."""
    mark, kept = verdict(reply), float(not has_failed(reply))
    task = f"{TASK}{unit.fact('task', 'task')}"
    return {**judged(unit, reply, {"items": None if mark is None else mark * TIMES}),
            task: ((mark or 0.0) * TIMES * kept, kept), f"_worst:{task}": ((mark or 0.0) * TIMES, 1.0)}


def finish(sums: Sums) -> Mapping[str, Floats]:
    mean, total = _tasks(sums, TASK)
    return {"task_mean": withheld(sums, mean), "total": withheld(sums, total),
            "task_mean_worst_case": _tasks(sums, f"_worst:{TASK}")[0]}


def _tasks(sums: Sums, prefix: str) -> tuple[Floats, Floats]:
    """Mean and sum of the tasks; undefined where a task has nothing that was judged."""
    each = np.stack([ratio(one) for name, one in sums.items() if name.startswith(prefix)])
    return each.mean(axis=0), each.sum(axis=0)


metrics.add("sc_arena", Metric(
    name="sc_arena", best=TIMES * TOP, worst=0.0, headline="task_mean", asks=False, proportion=False, sums=COUNTS,
    read=read, parts=parts, finish=finish, beside=judges, oracle=lambda unit: {"judge_score": TOP},
    anti=lambda unit: {"judge_score": 0}, constants=grades(0.0, TOP),
))
