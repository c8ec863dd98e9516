"""The format "bids": behavioural data by the Brain Imaging Data Structure, one folder a participant."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from annotation.version import VERSION
from exports.studies.columns import Column, Value, columns_of, free_names, values_of
from exports.studies.stimuli import Stimuli
from exports.studies.trial_csv import cell, participant_columns, participants, put_json, put_text
from studies.trial_row import TrialRow
from studies.trial_rows import Sat

BIDS = "1.10.0"
RENAMED = {"condition": "trial_type"}
FIRST = ("trial_type", "response_time")
# Words of the standard for the columns of trials that a field of an item may have for its own.
STIM_FILE, STIM_FILES = "stim_file", "stim_files"
MEANT = frozenset({"trial_type", "onset", "duration", STIM_FILE, STIM_FILES})
_GONE = "\nPictures that were shown and are not in the project any more, so in no row: {n}.\n"
SPACES = re.compile(r"[\t\r\n]+")
# Words that the standard knows for two columns; anything else is missing there and stands under another name.
KNOWN = {"sex": {"male", "m", "M", "Male", "MALE", "female", "f", "F", "Female", "FEMALE", "other", "o", "O", "Other",
                 "OTHER"},
         "handedness": {"left", "l", "L", "Left", "LEFT", "right", "r", "R", "Right", "RIGHT", "ambidextrous", "a",
                        "A", "Ambidextrous", "AMBIDEXTROUS"}}


def make(sat: Sat, folder: Path, stimuli: Stimuli) -> int:
    """Write the data set; returns the number of rows."""
    columns = columns_of(sat)
    own = _pictured(stimuli)
    task = label(sat.study.id) or "study"
    put_json(folder / "dataset_description.json", {
        "Name": sat.study.title, "BIDSVersion": BIDS, "DatasetType": "raw",
        "GeneratedBy": [{"Name": "Goldsmith", "Version": VERSION, "Description": "human study, timed trials"}]})
    put_text(folder / "README.md", f"# {sat.study.title}\n\n"
             f"Behavioural data of the study {sat.study.id}, version {sat.study.version}. Times in seconds. "
             f"What each column means stands beside each table. The study's file is code/study.yaml.\n"
             + (_GONE.format(n=stimuli.gone) if stimuli.gone else ""))
    stimuli.put(folder / "stimuli")
    put_text(folder / "code" / "study.yaml", sat.study.text)
    put_text(folder / "CHANGES", f"1.0.0 {max((row.begun for row in sat.rows), default=None) or ''!s:.10}\n"
             "  - Exported.\n")
    subjects = labels(one.handle for one in sat.participants)
    by_person: dict[str, list[tuple[int, TrialRow]]] = defaultdict(list)
    for n, row in enumerate(sat.rows, 1):
        by_person[row.participant].append((n, row))
    for handle, rows in by_person.items():
        _subject(folder, subjects[handle], task, sat, columns, own, rows)
    _participants(folder, sat, subjects)
    return len(sat.rows)


def label(text: str) -> str:
    """Letters and digits of ASCII only, as the standard wants labels: "Ümit" is Umit."""
    return re.sub(r"[^A-Za-z0-9]", "", unicodedata.normalize("NFKD", text))


def labels(handles: Iterable[str]) -> dict[str, str]:
    """{handle: label}, none alike, on a disk that knows no capitals too: where two would be, hex digits of the
    handle's SHA-256 tell the later ones apart, and make up one that has no letter of ASCII."""
    found: dict[str, str] = {}
    used: set[str] = set()
    for handle in dict.fromkeys(handles):
        made, digest = label(handle), hashlib.sha256(handle.encode()).hexdigest()
        if not made or made.casefold() in used:
            made += next(digest[:n] for n in range(6, 65) if (made + digest[:n]).casefold() not in used)
        used.add(made.casefold())
        found[handle] = made
    return found


def _pictured(stimuli: Stimuli) -> tuple[Column, ...]:
    """Columns for what was shown, where pictures were: the standard's takes one file, ours has all of them."""
    if not stimuli.files:
        return ()
    first = Column(STIM_FILE, "string", "the first picture that was shown, in the folder stimuli",
                   lambda row: next(iter(stimuli.of(row)), None))
    if all(len(names) < 2 for names in stimuli.shown.values()):
        return (first,)
    return first, Column(STIM_FILES, "string", "all pictures that were shown, in their order, as a JSON list of files "
                         "in the folder stimuli", lambda row: json.dumps(stimuli.of(row)))


def _subject(folder: Path, subject: str, task: str, sat: Sat, columns: tuple[Column, ...], own: tuple[Column, ...],
             rows: list[tuple[int, TrialRow]]) -> None:
    names = [*_names(columns), *(column.name for column in own)]
    columns = (*columns, *own)
    order = sorted(range(len(names)), key=lambda n: (names[n] not in FIRST, FIRST.index(names[n]) if names[n] in FIRST
                                                     else n))
    place = folder / f"sub-{subject}" / "beh"
    stem = f"sub-{subject}_task-{task}_beh"
    table = [[values[at] for at in order] for values in (values_of(columns, row, n) for n, row in rows)]
    put_tsv(place / f"{stem}.tsv", [names[at] for at in order], table)
    put_json(place / f"{stem}.json", {
        "TaskName": task, "TaskDescription": sat.study.title,
        "Instructions": "\n\n".join(sat.study.words("en").instructions) or sat.study.title,
        **{names[at]: _described(columns[at]) for at in order}})


def _names(columns: Iterable[Column]) -> list[str]:
    """What the columns are called here: none as a word of the standard that means something else."""
    of_ours = {RENAMED.get(column.name, column.name): column.name for column in columns if column.name not in MEANT}
    called = free_names((column.name for column in columns if column.name in MEANT), (*MEANT, *of_ours), "item_")
    return [RENAMED.get(column.name) or called.get(column.name, column.name) for column in columns]


def _described(column: Column) -> dict[str, Any]:
    said: dict[str, Any] = {"Description": column.about}
    if column.unit:
        said["Units"] = column.unit
    if column.levels:
        said["Levels"] = column.levels
    return said


def _participants(folder: Path, sat: Sat, subjects: dict[str, str]) -> None:
    about = participant_columns(sat)
    names, rows = participants(sat)
    told = [*free_names(names, ["species"], "said_").values()]
    out: list[list[Value]] = []
    for row in rows:
        said = dict(zip(names, row, strict=True))
        line: list[Value] = []
        for name in names:
            value = said[name]
            if name == "participant_id":
                value = f"sub-{subjects[str(value)]}"
            elif name in KNOWN and value is not None and str(value) not in KNOWN[name]:
                value = None
            elif name == "age" and not isinstance(value, (int, float)):
                value = None
            line.append(value)
        out.append(line)
    put_tsv(folder / "participants.tsv", told, out)
    put_json(folder / "participants.json",
             {told[n]: {"Description": about[name]} for n, name in enumerate(names)})


def put_tsv(path: Path, names: list[str], rows: list[list[Value]]) -> None:
    """Real tabs, ``n/a`` for what is missing; tabs and line ends inside a text become one space."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["\t".join(names), *("\t".join(_tsv_cell(value) for value in row) for row in rows)]
    path.write_bytes(("\n".join(lines) + "\n").encode())


def _tsv_cell(value: Value) -> str:
    """Readers take a quote at the beginning of a cell for one that holds tabs, up to the next quote."""
    text = SPACES.sub(" ", cell(value, "n/a")) or "n/a"
    return '"' + text.replace('"', '""') + '"' if text.startswith('"') else text
