"""The format "csv": every trial in one table (RFC 4180, seconds), a data dictionary, participants, and displays."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from exports.studies.columns import Column, Value, columns_of, free_names, values_of
from studies.trial_rows import Sat

README = """\
# {title}

Trials of the study {id}, version {version}: {n} rows of {people} participants.{pilot}

- `trials.csv`: one row a showing of an item; practice, attention checks and showings that were broken off included
  (see block_type, outcome, standing). Times in seconds. Empty cells are missing, and nothing else is: answers such as
  NA, None or n/a are words (pandas: `read_csv(.., keep_default_na=False, na_values=[""])`).
- `trials.json`: what each column means.
- `participants.csv`, `participants.json`: what people said of themselves, and the display of their sitting.
- `study.yaml`: the study's file, exactly as it was used.

The analysis that the study declared uses rows with block_type main, standing true and exclusion_flags [].
"""


def make(sat: Sat, folder: Path) -> int:
    """Write the files; returns the number of rows of trials."""
    columns = columns_of(sat)
    rows = [values_of(columns, row, n) for n, row in enumerate(sat.rows, 1)]
    put_csv(folder / "trials.csv", [column.name for column in columns], rows)
    put_json(folder / "trials.json", dictionary(sat, columns))
    names, people = participants(sat)
    put_csv(folder / "participants.csv", names, people)
    put_json(folder / "participants.json", {"columns": [{"name": name, "description": about}
                                                        for name, about in participant_columns(sat).items()]})
    put_text(folder / "study.yaml", sat.study.text)
    put_text(folder / "README.md", README.format(
        title=sat.study.title, id=sat.study.id, version=sat.study.version, n=len(rows), people=len(sat.participants),
        pilot=" All of them are pilots: they do not count." if any(row.pilot for row in sat.rows) else ""))
    return len(rows)


def dictionary(sat: Sat, columns: Iterable[Column]) -> dict[str, Any]:
    """The data dictionary of ``trials.csv``."""
    return {"study": sat.study.id, "version": sat.study.version, "study_sha256": sat.study.hash,
            "title": sat.study.title, "missing": "", "encoding": "UTF-8", "decimal": ".",
            "sittings_left_out": sat.left_out, "columns": [column.said() for column in columns]}


# --- participants ---------------------------------------------------------------------------------------------

DISPLAY = {
    "display_verdict": ("verdict", "whether frames kept the rhythm of the screen: measured, not claimed"),
    "frame_period": ("median_us", "measured median time between two frames, in seconds"),
    "frame_sd": ("sd_us", "standard deviation of the time between two frames, in seconds"),
    "claimed_refresh_rate": ("claimed_hz", "what the screen says of itself, in frames a second"),
}


BEFORE = {"participant_id": "an opaque name for who sat", "language": "the language of the instructions"}
AFTER = {"pixels_per_mm": "as the screen was calibrated with a card held against it"}
OLDEST = 89  # higher ages could tell who it is (BIDS caps there, too)


def participant_columns(sat: Sat) -> dict[str, str]:
    """{column: what it means} of the table of participants."""
    called = answer_columns(sat)
    return {**BEFORE, **{called[one.name]: one.text for one in sat.study.demographics},
            **{name: about for name, (_, about) in DISPLAY.items()}, **AFTER}


def answer_columns(sat: Sat) -> dict[str, str]:
    """{question: column} of what was asked of people; a question is never called as a column of ours."""
    return free_names([one.name for one in sat.study.demographics], [*BEFORE, *DISPLAY, *AFTER], "said_")


def participants(sat: Sat) -> tuple[list[str], list[list[Value]]]:
    """Names and rows; free comments of the end are left out, since they may say who somebody is."""
    names, called = list(participant_columns(sat)), answer_columns(sat)
    rows: list[list[Value]] = []
    for one in sat.participants:
        said: dict[str, Value] = {"participant_id": one.handle, "language": one.language,
                                  "pixels_per_mm": one.calibration.get("px_per_mm")}
        for demographic in sat.study.demographics:
            value = one.demographics.get(demographic.name)
            said[called[demographic.name]] = _age(value) if demographic.name == "age" else value
        for name, (key, _) in DISPLAY.items():
            value = one.display.get(key)
            said[name] = value / 1_000_000 if value is not None and key.endswith("_us") else value
        rows.append([said.get(name) for name in names])
    return names, rows


def _age(value: Value) -> Value:
    """A number, also where it was said as a text, and no older than ``OLDEST``; other words stay."""
    try:
        age = float("nan" if value is None else value)
    except ValueError:
        return value
    return min(age, OLDEST) if math.isfinite(age) else value


# --- files ----------------------------------------------------------------------------------------------------

def cell(value: Value, missing: str = "") -> str:
    """A value as it stands in a table: true/false, numbers with a point and never in powers of ten."""
    if value is None:
        return missing
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".") if value == value else missing
    return str(value)


def put_csv(path: Path, names: Sequence[str], rows: Iterable[Sequence[Value]]) -> None:
    """RFC 4180: CRLF, quotes doubled, one header, no delimiter at the end of a line."""
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(names)
    table.writerows([cell(value) for value in row] for row in rows)
    path.write_bytes(out.getvalue().encode())


def put_json(path: Path, value: Any) -> None:
    put_text(path, json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def put_text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
