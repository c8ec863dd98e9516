"""What the section Machines reads, off the window's thread: each machine beside people, from the project and files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from annotation import people
from annotation.errors import N_, Refused
from annotation.rating_machines import Against, MachineReport, machine_reports
from annotation.rating_people import comparable
from annotation.rating_predictions import Predicted, read_predictions
from annotation.reading.opening import open_source
from app.pages.agreement.figure import NOTHING, Figure
from app.pages.agreement.sections import Cancelled, Progress

METRICS = ("krippendorff_alpha", "cohen_kappa", "accuracy", "pearson", "mae")
SIMULATED = "simulated"


@dataclass(frozen=True, slots=True)
class Fault:
    """A file that was left out, and why."""

    file: str
    why: Refused


@dataclass(frozen=True, slots=True)
class Machines:
    """``reports``: whole ones; ``slices``: those of a value of the field asked for. ``simulated``: names of machines
    that no model stands behind. ``predictions``: what the files said, to find items by."""

    reports: tuple[MachineReport, ...]
    slices: tuple[MachineReport, ...]
    simulated: frozenset[str]
    predictions: tuple[Predicted, ...]
    faults: tuple[Fault, ...]
    seconds: float

    def metrics(self) -> tuple[str, ...]:
        """Those that any report has."""
        known = {one.metric for report in self.reports for one in report.against}
        return tuple(metric for metric in METRICS if metric in known)


def figure_of(report: MachineReport, metric: str, kind: str, against: str = "") -> Figure:
    found = next((one for one in report.against if one.metric == metric and one.kind == kind
                  and against in ("", one.against)), None)
    return NOTHING if found is None else as_figure(report, found)


def as_figure(report: MachineReport, one: Against) -> Figure:
    return Figure(one.value, one.ci, one.n, report.ci_method, one.reason or "")


def read_machines(store: Any, files: Sequence[str], question: str, by: str, *, progress: Progress,
                  cancelled: Cancelled) -> Machines | None:
    """``question``: of rows in files that name none, and the only one that is compared ("": all). ``by``: a tag for
    slices, or "". A file that is refused is left out and told. None where it was cancelled."""
    began = perf_counter()
    faults: list[Fault] = []
    predictions: dict[tuple[str, Any, str, str], Predicted] = {}
    with store.read() as session:
        simulated = {view.handle for view in people.people(session)
                     if view.kind == "machine" and SIMULATED in f"{view.handle} {view.name}".casefold()}
        asked = (question,) if question else comparable(store.protocol)
        for file in files:
            try:
                found = read_predictions(session, file, questions=asked if len(asked) == 1 else ())
                known = {(one.machine, one.item, one.element, one.question): one for one in found}
                if known.keys() & predictions.keys():
                    raise Refused(N_("a machine of this name answers the same items in another file"),
                                  code="duplicate_key")
            except Refused as why:
                faults.append(Fault(file, why))
                continue
            predictions |= known
            if says_simulated(file):
                simulated |= {one.machine for one in found}
        reports = machine_reports(session, (question,) if question else (), predictions=predictions.values(),
                                  by=by or None, progress=progress, cancelled=cancelled)
    if cancelled():
        return None
    whole = tuple(one for one in reports if one.by is None)
    return Machines(whole, tuple(one for one in reports if one.by is not None), frozenset(simulated),
                    tuple(predictions.values()), tuple(faults), perf_counter() - began)


def says_simulated(file: str) -> bool:
    """Whether a file of predictions calls itself simulated: in its name, or in the values of its first row."""
    if SIMULATED in Path(file).name.casefold():
        return True
    with open_source(Path(file)) as source:
        first = next(iter(source.records), None)
    if first is None or not isinstance(first.value, dict):
        return False
    return any((key == SIMULATED and value not in (None, "", False, "false", "no")) or (
        isinstance(value, str) and value.casefold().startswith(SIMULATED)) for key, value in first.value.items())
