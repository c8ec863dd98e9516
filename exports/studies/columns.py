"""The columns of a trial: name, what it means, unit and values; the same in every format and in its dictionary."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from annotation.version import VERSION
from studies.model import Study
from studies.trial_row import MICRO, TrialRow
from studies.trial_rows import Sat

Kind = Literal["string", "number", "integer", "boolean"]
Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Column:
    """``value(row)`` in its own type; None is missing. ``levels``: {value: meaning} where only these can be."""

    name: str
    kind: Kind
    about: str
    value: Callable[[TrialRow], Value]
    unit: str = ""
    levels: dict[str, str] = field(default_factory=dict)

    def said(self) -> dict[str, Any]:
        """The column as an entry of a data dictionary."""
        said: dict[str, Any] = {"name": self.name, "type": self.kind, "description": self.about}
        if self.unit:
            said["unit"] = self.unit
        if self.levels:
            said["levels"] = self.levels
        return said


OUTCOMES = {"answered": "an answer in time", "timeout": "no answer before the deadline",
            "skipped": "passed over", "aborted": "broken off; shown again where its place counts"}
KINDS = {"practice": "practice, never analysed", "main": "in earnest", "attention": "attention check, never analysed"}


def columns_of(sat: Sat) -> tuple[Column, ...]:
    """Every column that this study's trials have, in the order of the files."""
    study = sat.study
    fixed = _fixed(study)
    facets = sorted({name for row in sat.rows for name in row.planned.facets} - {study.task})
    called = free_names(facets, [column.name for column in fixed], "item_")
    return (*fixed, *(_facet(name, called[name]) for name in facets))


def free_names(names: Iterable[str], taken: Iterable[str], before: str) -> dict[str, str]:
    """{name: column}: what a project calls its own never stands in the place of a column of ours, or of another."""
    wanted = tuple(names)
    used = {*taken}
    found: dict[str, str] = {}
    for name in sorted(wanted, key=lambda one: one in used):  # who can keep a name keeps it
        free = name
        while free in used:
            free = before + free
        used.add(free)
        found[name] = free
    return {name: found[name] for name in wanted}


def _facet(name: str, called: str) -> Column:
    return Column(called, "string", f"the item's field '{name}'", lambda row: row.planned.facets.get(name))


def _fixed(study: Study) -> tuple[Column, ...]:
    deadline = study.trial.deadline
    conditions = {one.name: one.label or f"shows {', '.join(one.shows)}" for one in study.conditions}

    def number(key: str) -> Callable[[TrialRow], Value]:
        return lambda row: row.record.quality.get(key)

    def seconds(key: str) -> Callable[[TrialRow], Value]:
        return lambda row: _seconds(row.record.quality.get(key))

    return (
        Column("row_id", "integer", "the number of this row, from 1", lambda row: None),
        Column("study_id", "string", "the study", lambda row: study.id),
        Column("study_version", "integer", "the version of the study's file", lambda row: study.version),
        Column("participant_id", "string", "an opaque name for who sat", lambda row: row.participant),
        Column("session_id", "integer", "the how-manieth sitting of the study this was", lambda row: row.number + 1),
        Column("list_id", "integer", "which list of items and conditions the person was given, from 1",
               lambda row: row.list_no + 1),
        Column("pilot", "boolean", "whether the sitting was a pilot", lambda row: row.pilot),
        Column("block", "string", "the block's name", lambda row: row.block_name),
        Column("block_type", "string", "what the trial is for", lambda row: row.kind, levels=KINDS),
        Column("trial_index", "integer", "the how-manieth trial of the sitting as shown", lambda row: row.index),
        Column("trial_index_in_block", "integer", "the how-manieth trial of its block as shown",
               lambda row: row.index_in_block),
        Column("item_id", "string", "the item's key in the project", lambda row: row.planned.key),
        Column("task", "string", "the kind of task", lambda row: row.planned.facets.get(study.task or "")),
        Column("condition", "string", "which view of the item was shown",
               lambda row: row.planned.condition, levels=conditions),
        Column("option_order", "string", "the options' values in the order shown, as a JSON list",
               lambda row: json.dumps(row.planned.options, ensure_ascii=False)),
        Column("correct_response", "string", "the right option's value", lambda row: row.planned.correct),
        Column("correct_position", "integer", "the right option's place as shown, from 1",
               lambda row: row.planned.correct_position),
        Column("response", "string", "the chosen option's value", lambda row: row.record.response),
        Column("response_key", "string", "the key that was pressed", number("response_key")),
        Column("response_device", "string", "what it was pressed on; times of keys and of the pointer do not compare",
               number("response_device"), levels={"keyboard": "a key", "pointer": "mouse or touch"}),
        Column("accuracy", "integer", "1 right, 0 wrong or no answer in time",
               lambda row: None if row.correct is None else int(row.correct), levels={"1": "right", "0": "wrong"}),
        Column("response_time", "number",
               "from the onset of the screen that starts the clock to the key, by the key's own time stamp",
               lambda row: row.response_time, "s"),
        Column("response_time_receipt", "number", "the same by when the program saw the key; differs where it was busy",
               lambda row: row.response_time_receipt, "s"),
        Column("key_time_source", "string", "where the time of the key comes from", number("key_time_source"),
               levels={"event": "the window system's time stamp", "receipt": "when the program saw it"}),
        Column("outcome", "string", "how the trial ended", lambda row: row.record.outcome, levels=OUTCOMES),
        Column("deadline", "number", "how long an answer was waited for", lambda row: deadline, "s"),
        Column("trial_onset", "number",
               "onset of the screen that starts the clock, from when the program was started for this sitting",
               lambda row: _seconds(row.record.onset_us), "s"),
        Column("onset_method", "string", "how the onset was measured", number("onset_method")),
        Column("onset_frame_interval", "number", "time between the frame of the onset and the one before it",
               seconds("onset_frame_interval_us"), "s"),
        Column("dropped_frames", "integer", "frames that took more than 1.2 times the measured period",
               number("dropped_frames")),
        Column("preload", "number", "time it took to make the stimulus ready, before the trial", seconds("preload_us"),
               "s"),
        Column("n_early_keys", "integer", "keys pressed before an answer was taken", number("early_keys")),
        Column("n_extra_keys", "integer", "keys pressed that were no answer", number("extra_keys")),
        Column("n_held_keys", "integer", "keys that were down already; they answer nothing", number("held_keys")),
        Column("n_escape_keys", "integer", "how often Esc was pressed; after the trial it was asked about",
               number("escape_keys")),
        Column("focus_lost_time", "number", "how long the window did not have the keyboard", seconds("focus_lost_us"),
               "s"),
        Column("suspended_time", "number", "how long the machine slept", seconds("suspended_us"), "s"),
        Column("flags", "string", "what disturbed the trial, as a JSON list",
               lambda row: json.dumps(row.record.quality.get("flags") or [])),
        Column("resumed", "boolean", "whether the sitting had been interrupted and gone on with before this trial",
               lambda row: row.resumed),
        Column("attempt", "integer", "the how-manieth showing of this trial, from 1", lambda row: row.record.attempt),
        Column("standing", "boolean", "whether this showing is the one that counts for its trial",
               lambda row: row.standing),
        Column("confidence", "integer", "what was said after the answer, from 1 (lowest)", number("confidence")),
        Column("fixation", "number", "planned time of the fixation cross", lambda row: row.planned.fixation_us / MICRO,
               "s"),
        Column("gap", "number", "planned time between the trial before and the fixation",
               lambda row: row.planned.gap_us / MICRO, "s"),
        Column("seed", "integer", "the seed of the sitting's plan", lambda row: row.seed),
        Column("date", "string", "the day on which the sitting was begun (UTC)", lambda row: f"{row.begun:%Y-%m-%d}"),
        Column("software", "string", "what showed the trials", lambda row: f"Goldsmith {VERSION}"),
        Column("exclusion_flags", "string",
               "why the declared rule leaves the row out of the analysis, as a JSON list; [] keeps it",
               lambda row: json.dumps(row.exclusions)),
    )


def values_of(columns: tuple[Column, ...], row: TrialRow, number: int) -> list[Value]:
    """One row's values, in the order of the columns."""
    return [number if column.name == "row_id" else column.value(row) for column in columns]


def _seconds(us: Any) -> float | None:
    return None if us is None else us / MICRO
