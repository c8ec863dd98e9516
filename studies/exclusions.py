"""Which trials the analysis leaves out, by the rule that the study declared; every row stays in the files."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, median, stdev

from studies.model import Study
from studies.trial_row import TrialRow

MAD_TO_SD = 1.4826  # of a normal distribution: 1 / Phi^-1(3/4)


def excluded(study: Study, rows: Sequence[TrialRow]) -> None:
    """Fills ``exclusions`` of every standing row in earnest. The order of the rows does not matter.

    ``timeout``: no answer in time (censored; never the deadline taken for a response time). ``too_fast``, ``too_slow``:
    beyond the cut-offs. ``outlier``: farther than ``width`` standard
    deviations from the mean (sd), or ``width`` times 1.4826 median absolute deviations from the median (mad, Leys et
    al. 2013), within participant and condition, of answers that the cut-offs keep, on log seconds where ``log``.
    ``attention``, ``accuracy``: the whole sitting, for too many attention checks missed or too few right answers.
    """
    rule = study.exclusion
    main = [row for row in rows if row.kind == "main" and row.standing]
    for row in main:
        if row.record.outcome == "timeout":
            row.exclusions.append("timeout")
        elif row.response_time is None:
            row.exclusions.append("no_answer")
        elif rule.rt != "none":
            if rule.lowest is not None and row.response_time < rule.lowest:
                row.exclusions.append("too_fast")
            if rule.highest is not None and row.response_time > rule.highest:
                row.exclusions.append("too_slow")
    if rule.rt in ("sd", "mad"):
        cells: dict[tuple[object, str], list[TrialRow]] = defaultdict(list)
        for row in main:
            if not row.exclusions:
                cells[row.sitting, row.planned.condition].append(row)
        for cell in cells.values():
            _outliers(cell, by=rule.rt, width=rule.width, log=rule.log)
    for sitting in _sittings_out(study, rows):
        for row in main:
            if row.sitting == sitting[0]:
                row.exclusions.append(sitting[1])


def _outliers(cell: Sequence[TrialRow], *, by: str, width: float, log: bool) -> None:
    times = [row.response_time or 0.0 for row in cell]
    if log:
        times = [math.log(max(time, 1e-6)) for time in times]
    if len(times) < 3:
        return
    if by == "sd":
        centre, spread = fmean(times), stdev(times)
    else:
        centre = median(times)
        spread = MAD_TO_SD * median(abs(time - centre) for time in times)
    if spread <= 0:
        return
    for row, time in zip(cell, times, strict=True):
        if abs(time - centre) > width * spread:
            row.exclusions.append("outlier")


def _sittings_out(study: Study, rows: Iterable[TrialRow]) -> list[tuple[object, str]]:
    right: dict[object, list[bool]] = defaultdict(list)
    missed: dict[object, int] = defaultdict(int)
    for row in rows:
        if not row.standing or row.correct is None:
            continue
        if row.kind == "main":
            right[row.sitting].append(row.correct)
        elif row.kind == "attention":
            missed[row.sitting] += not row.correct
    out: list[tuple[object, str]] = []
    allowed = study.attention.allowed if study.attention else None
    if allowed is not None:
        out += [(sitting, "attention") for sitting, n in missed.items() if n > allowed]
    least = study.exclusion.accuracy_below
    if least is not None:
        out += [(sitting, "accuracy") for sitting, hits in right.items() if fmean(hits) < least]
    return out
