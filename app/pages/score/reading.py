"""What the page Score computes off the window's thread: the scores of every file that can be read, and the faults."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.errors import N_, Refused, Where
from exports.scorer.score import score


@dataclass(frozen=True, slots=True)
class System:
    """One row: somebody's score by one metric. ``file`` is None for a baseline."""

    name: str
    file: str | None
    figure: Mapping[str, Any]
    slices: tuple[Mapping[str, Any], ...]

    @property
    def is_baseline(self) -> bool:
        return self.file is None


@dataclass(frozen=True, slots=True)
class Scored:
    """``data`` is what ``goldsmith score --json`` prints; ``faults``: files that were left out, and why."""

    data: Mapping[str, Any]
    faults: tuple[tuple[str, Refused], ...]

    def metrics(self) -> list[tuple[str, str | None]]:
        """(metric, question) in the order of the bundle."""
        return list(dict.fromkeys((one["metric"], one["question"]) for system in self.data["systems"]
                                  for one in system["metrics"]))

    def systems(self, metric: str, question: str | None) -> list[System]:
        """Files first, then baselines, each best first."""
        found = []
        for system in self.data["systems"]:
            for one in system["metrics"]:
                if (one["metric"], one["question"]) == (metric, question):
                    found.append(System(system["system"], system["file"], one, tuple(
                        part for part in system["slices"] if (part["metric"], part["question"]) == (metric, question))))
        return sorted(found, key=lambda one: (one.is_baseline, -_goodness(one.figure)))


def _goodness(figure: Mapping[str, Any]) -> float:
    if figure["value"] is None:
        return float("-inf")
    # Where there is no worst value (RMSE), less is better: its best is 0.
    more_is_better = figure["worst"] is not None and figure["best"] >= figure["worst"]
    return float(figure["value"]) if more_is_better else -float(figure["value"])


def read_scores(bundle: str, files: Mapping[str, str], *, baselines: bool, progress: Callable[[int, int], None],
                cancelled: Callable[[], bool]) -> Scored | None:
    """Score every file; one that is refused is left out and named. None where it was cancelled.

    Raises Refused where the fault is in the bundle.
    """
    left = dict(files)
    faults: list[Any] = []
    while not cancelled():
        progress(len(faults), len(files))
        try:
            data = score(Path(bundle).expanduser(), left, baselines=baselines)
        except Refused as fault:
            name = next((name for name, file in left.items()
                         if fault.where.file == str(Path(file)) or (fault.where.file is None
                                                                    and fault.where.key == name)), None)
            if name is None:
                raise
            faults.append((name, fault))
            del left[name]
            continue
        return Scored(data, tuple(faults))
    return None


def save(file: str, scored: Scored) -> None:
    """Write what ``goldsmith score --json`` prints; Refused where the file cannot be written."""
    answer = {"ok": True, "schema": "goldsmith/score/1", **scored.data}
    try:
        Path(file).write_text(json.dumps(answer, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as fault:
        raise Refused(N_("{file} cannot be written: {why}"), code="unwritable", where=Where(file=file), file=file,
                      why=fault.strerror or "unknown") from None
