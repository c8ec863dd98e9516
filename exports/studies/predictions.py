"""The format "predictions": people's answers as rows for the scorer, so that they stand beside the models'."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation import canonical
from exports.studies.trial_csv import put_text
from studies.trial_rows import Sat


def make(sat: Sat, folder: Path) -> int:
    """Write ``predictions.jsonl`` (``rater`` = participant); returns the number of rows.

    Trials in earnest that stand, those out of time as refused (they count as wrong, and apart); what the declared rule
    leaves out for its time alone stays in, since accuracy is over all answers; sittings left out whole are left out.
    """
    lines = []
    for row in sat.rows:
        if row.kind != "main" or not row.standing or {"attention", "accuracy"} & set(row.exclusions):
            continue
        said: dict[str, Any] = {"id": row.planned.key, "question": sat.study.question, "rater": row.participant,
                                "condition": row.planned.condition}
        if row.record.response is None:
            said["refused"] = True
        else:
            said["answer"] = row.record.response
        if row.response_time is not None and sat.study.timed:
            said["seconds"] = row.response_time
        lines.append(canonical.dumps(said))
    put_text(folder / "predictions.jsonl", "".join(line + "\n" for line in lines))
    return len(lines)
