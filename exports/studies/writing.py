"""Writes the trials of a study in one of the formats, into a new folder that appears whole or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.orm import Session

from annotation.errors import N_, Refused, Unknown
from exports.placing import placed
from exports.studies import bids, predictions, psych_ds, stimuli, trial_csv
from studies import trial_rows
from studies.trial_rows import Sat

FORMATS: dict[str, Callable[[Session, Sat, Path], int]] = {
    "csv": lambda _, sat, folder: trial_csv.make(sat, folder),
    "bids": lambda session, sat, folder: bids.make(sat, folder, stimuli.read(session, sat)),
    "psych-ds": lambda _, sat, folder: psych_ds.make(sat, folder),
    "predictions": lambda _, sat, folder: predictions.make(sat, folder)}


@dataclass(frozen=True, slots=True)
class Written:
    """``left_out``: sittings that are not in the files, by why."""

    out: str
    format: str
    rows: int
    participants: int
    left_out: dict[str, int]
    files: tuple[tuple[str, str, int], ...]


def write_study(session: Session, study_hash: str, out: str | Path, *, format: str = "csv", pilots: bool = False
                ) -> Written:
    """Write the completed sittings of a study to ``out``, a new or empty folder; ``pilots``: the pilots alone.

    Refused where there is nothing to write. ``Written.files``: (path, SHA-256, bytes).
    """
    if format not in FORMATS:
        raise Unknown(N_("no format is called '{format}'; there is: {known}"), format=format, known=", ".join(FORMATS))
    sat = trial_rows.read(session, study_hash, pilots=pilots)
    if not sat.rows:
        raise Refused(N_("nobody has completed a sitting of this study yet"), code="empty")
    with placed(out) as folder:
        n = FORMATS[format](session, sat, folder)
        files = tuple((path.relative_to(folder).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest(),
                       path.stat().st_size) for path in sorted(folder.rglob("*")) if path.is_file())
    return Written(str(out), format, n, len(sat.participants), sat.left_out, files)
