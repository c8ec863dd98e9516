"""What the page Score computes off the window's thread: the scores of every file that can be read, and the faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from annotation.errors import Refused
from exports.prediction_readers import READERS
from exports.scorer.options import Options
from exports.scorer.outputs import write
from exports.scorer.score import score

PEOPLE = ("people", "majority", "best person")
_ORDER = {kind: n for n, kind in enumerate((*PEOPLE, "file", "baseline"))}


@dataclass(frozen=True, slots=True)
class System:
    """One row: somebody's score by one metric. ``kind``: file, baseline, or one of PEOPLE."""

    name: str
    file: str | None
    kind: str
    figure: Mapping[str, Any]
    slices: tuple[Mapping[str, Any], ...]

    @property
    def is_baseline(self) -> bool:
        return self.kind == "baseline"

    @property
    def is_people(self) -> bool:
        return self.kind in PEOPLE


@dataclass(frozen=True, slots=True)
class Scored:
    """``data`` is what ``goldsmith score --json`` prints; ``faults``: files that were left out, and why.
    ``no_other``: why there is no other version of the gold beside this one, though one was named."""

    data: Mapping[str, Any]
    faults: tuple[tuple[str, Refused], ...]
    no_other: Refused | None = None

    def metrics(self) -> list[tuple[str, str | None]]:
        """(metric, question) in the order of the bundle."""
        return list(dict.fromkeys((one["metric"], one["question"]) for system in self.data["systems"]
                                  for one in system["metrics"]))

    def systems(self, metric: str, question: str | None) -> list[System]:
        """People first, then files, then baselines, each best first."""
        found = []
        for system in self.data["systems"]:
            for one in system["metrics"]:
                if (one["metric"], one["question"]) == (metric, question):
                    found.append(System(system["system"], system["file"], system["kind"], one, tuple(
                        part for part in system["slices"] if (part["metric"], part["question"]) == (metric, question))))
        return sorted(found, key=lambda one: (_ORDER.get(one.kind, 0), -_goodness(one.figure)))

    def comparisons(self, metric: str, question: str | None) -> list[Mapping[str, Any]]:
        """Every two files, then every file with people; both as rows of ``goldsmith score``."""
        gaps = [{**one, "first": one["system"], "second": one["people"], "difference": one["gap"], "p": None,
                 "p_holm": None, "p_method": None, "mcnemar": None, "finding": "", "left_out": None}
                for one in self.data["gaps"]]
        return [one for one in (*self.data["comparisons"], *gaps)
                if (one["metric"], one["question"]) == (metric, question)]

    def versions(self, metric: str, question: str | None) -> list[Mapping[str, Any]]:
        """What each system gains or loses by this version of the gold, against the other."""
        return [one for one in self.data.get("against", {}).get("systems", ())
                if (one["metric"], one["question"]) == (metric, question)]


def turned(one: Mapping[str, Any]) -> dict[str, Any]:
    """A comparison seen from the other side: the second less the first."""
    counts = one["mcnemar"]
    return {**one, "first": one["second"], "second": one["first"],
            "first_value": one.get("second_value", one.get("people_value")),
            "second_value": one.get("first_value", one.get("system_value")),
            "difference": None if one["difference"] is None else -one["difference"],
            "ci": None if one["ci"] is None else [-one["ci"][1], -one["ci"][0]],
            "mcnemar": None if counts is None else {**counts, "first_only": counts["second_only"],
                                                    "second_only": counts["first_only"]}}


def _goodness(figure: Mapping[str, Any]) -> float:
    if figure["value"] is None:
        return float("-inf")
    # Where there is no worst value (RMSE), less is better: its best is 0.
    more_is_better = figure["worst"] is not None and figure["best"] >= figure["worst"]
    return float(figure["value"]) if more_is_better else -float(figure["value"])


def options_of(extract: str, *, held_out: bool) -> Options:
    """``extract``: a rule by which answers are read off texts, or "" for as they are."""
    return Options(extract=(extract,) if extract else (), held_out=held_out, readers=READERS)


class _Stopped(Exception):
    """Nobody waits for these scores any more."""


def read_scores(bundle: str, files: Mapping[str, str], *, baselines: bool, other: str, options: Options,
                progress: Callable[[int, int], None], cancelled: Callable[[], bool]) -> Scored | None:
    """Score every file; one that is refused is left out and named, as is the bundle ``other`` of another version.
    None soon after it was cancelled. ``progress`` counts systems.

    Raises Refused where the fault is in the bundle.
    """
    left = dict(files)
    faults: list[Any] = []
    no_other: Refused | None = None

    def look(_text: str = "") -> None:
        if cancelled():
            raise _Stopped

    options = replace(options, tell=look, count=progress)
    while not cancelled():
        try:
            data = score(Path(bundle).expanduser(), left, baselines=baselines, options=options,
                         against=Path(other).expanduser() if other else None)
        except _Stopped:
            return None
        except Refused as fault:
            name = next((name for name, file in left.items()
                         if fault.where.file == str(Path(file)) or (fault.where.file is None
                                                                    and fault.where.key == name)), None)
            if name is not None:
                faults.append((name, fault))
                del left[name]
            elif other:  # without it, a fault of the bundle itself is met again
                no_other, other = fault, ""
            else:
                raise
            continue
        return Scored(data, tuple(faults), no_other)
    return None


def save(file: str, scored: Scored) -> None:
    """Write the scores in the format of the file's ending; Refused where the file cannot be written."""
    write(scored.data, file)
