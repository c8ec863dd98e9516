"""The format "psych-ds": one CSV a participant under data/, every column described in dataset_description.json."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from annotation.version import VERSION
from exports.studies.bids import label, labels
from exports.studies.columns import columns_of, values_of
from exports.studies.trial_csv import participant_columns, participants, put_csv, put_json, put_text
from studies.trial_row import TrialRow
from studies.trial_rows import Sat


def make(sat: Sat, folder: Path) -> int:
    """Write the data set; returns the number of rows of trials."""
    columns = columns_of(sat)
    names = [column.name for column in columns]
    by_person: dict[str, list[tuple[int, TrialRow]]] = defaultdict(list)
    for n, row in enumerate(sat.rows, 1):
        by_person[row.participant].append((n, row))
    data = folder / "data"
    data.mkdir()
    study = label(sat.study.id) or "study"
    subjects = labels(by_person)
    for handle, rows in by_person.items():
        put_csv(data / f"study-{study}_subject-{subjects[handle]}_data.csv", names,
                [values_of(columns, row, n) for n, row in rows])
    people, lines = participants(sat)
    put_csv(data / f"study-{study}_description-participants_data.csv", people, lines)
    about = participant_columns(sat)
    variables: list[dict[str, Any]] = []
    for column in columns:
        # One name may stand in both tables, and is described once.
        told = f"{column.about}; of participants: {about[column.name]}" if column.name in about else column.about
        said: dict[str, Any] = {"@type": "PropertyValue", "name": column.name, "description": told}
        if column.unit:
            said["unitText"] = column.unit
        if column.levels:
            said["valuePattern"] = "|".join(column.levels)
        variables.append(said)
    variables += [{"@type": "PropertyValue", "name": name, "description": about[name]} for name in people
                  if name not in names]
    put_json(folder / "dataset_description.json", {
        "@context": "https://schema.org", "@type": "Dataset", "name": sat.study.title,
        "description": f"Trials of the study {sat.study.id}, version {sat.study.version}; times in seconds.",
        "version": str(sat.study.version), "creator": {"@type": "SoftwareApplication", "name": f"Goldsmith {VERSION}"},
        "variableMeasured": variables})
    put_text(folder / "README.md", f"# {sat.study.title}\n\nOne file a participant under data/; what each column means "
             "stands in dataset_description.json. The study's file is materials/study.yaml.\n")
    put_text(folder / "materials" / "study.yaml", sat.study.text)
    return len(sat.rows)
