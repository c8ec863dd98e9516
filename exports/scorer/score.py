# SPDX-License-Identifier: Apache-2.0
"""Scores files of predictions, and the oracle, anti-oracle and constants beside them, against a bundle.

Memory grows by about a kilobyte for each gold value and half of one for each row of predictions, by the longest file
once, and by the fields of items where a metric asks for one. What is drawn for intervals stays below 32 MB.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import exports.scorer.metrics  # noqa: F401 - registers the metrics
from annotation.collecting import no_collecting
from annotation.errors import N_, Refused, Unknown, Where
from exports.scorer.agreed import where_people_agreed
from exports.scorer.compare import POWER, comparisons
from exports.scorer.figures import Entry, entry_of, report_of
from exports.scorer.gold_side import GoldSide, asked_of, read_bundle, units_of
from exports.scorer.metrics.consistent_accuracy import differences
from exports.scorer.options import Options
from exports.scorer.raters import People, gap, gap_to, people_of
from exports.scorer.systems import Asked, System, baselines_of, from_files, heard, names_once
from exports.scorer.table import table
from exports.scorer.versions import side_by_side

__all__ = ["SCORER_VERSION", "Options", "named_files", "score", "table"]

SCORER_VERSION = "2.0"
Files = Mapping[str, str | Path]


@dataclass(frozen=True, slots=True)
class Computed:
    """What one bundle gives: rows, and people by (system, metric, question)."""

    side: GoldSide
    asked: Asked
    systems: tuple[System, ...]
    entries: tuple[Entry, ...]
    people: Mapping[tuple[str, str, str | None], People]


def score(bundle: str | Path, files: Files, *, metric: str | None = None, baselines: bool = False,
          against: str | Path | None = None, options: Options | None = None) -> dict[str, Any]:
    """The scores of every system as strict JSON values (docs/scorer.md says how).

    ``files`` gives each system's name and its predictions; ``metric`` scores that one alone; ``against`` is another
    version of the bundle. Raises Refused for a bundle or predictions that cannot be read, Unknown for a metric or
    question.
    """
    with no_collecting():  # what was read is gone before the search for circles begins again
        return _report(Path(bundle), files, metric, baselines, None if against is None else Path(against),
                       options or Options())


def _report(bundle: Path, files: Files, metric: str | None, baselines: bool, against: Path | None,
            options: Options) -> dict[str, Any]:
    options.tell(f"reading {bundle.name}")
    side = read_bundle(bundle, held_out=options.held_out)
    other = None if against is None else read_bundle(against, held_out=options.held_out)
    here = _computed(side, files, metric, baselines, options, _ids(other))
    report: dict[str, Any] = {
        "bundle": side.name, "manifest_sha256": side.manifest_sha256, "scorer_version": SCORER_VERSION,
        "settings": {**options.reported(), "power": POWER},
        "systems": report_of(here.entries, _files_of(here.systems)),
        "comparisons": _compared(here.entries, options),
        "gaps": _gaps(here, options),
    }
    if options.shelf_life is not None:
        report["shelf_life"] = _shelf_life(here.entries, options.shelf_life)
    if options.agreed:
        report["agreed"] = where_people_agreed(here.asked, here.entries, options)
    if other is not None:
        there = _computed(other, files, metric, False, options, _ids(side))
        options.tell("comparing versions")
        report["against"] = side_by_side(side, here.entries, other, there.entries, options)
    return report


def _compared(entries: Sequence[Entry], options: Options) -> list[dict[str, Any]]:
    if not options.compare:
        return []
    options.tell("comparing systems")
    return comparisons(entries, options)


def named_files(arguments: Sequence[str]) -> dict[str, Path]:
    """``[NAME=]FILE`` as typed on a command line; a file without a name is called by its stem."""
    found: dict[str, Path] = {}
    for argument in arguments:
        name, mark, path = argument.partition("=")
        if not mark or "/" in name or "\\" in name:  # a path may hold "=" itself
            name, path = Path(argument).stem, argument
        if name in found:
            raise Refused(N_("two files are called '{name}'; give names: NAME=FILE"), code="duplicate_key", name=name,
                          where=Where(file=path, key=name))
        found[name] = Path(path)
    return found


def _ids(side: GoldSide | None) -> Collection[str]:
    return () if side is None else side.items.keys() | side.keys.keys()


def _computed(side: GoldSide, files: Files, metric: str | None, baselines: bool, options: Options,
              elsewhere: Collection[str]) -> Computed:
    asked = [(one, question, units_of(side, one, question, settings))
             for one, question, settings in asked_of(side, metric)]
    systems = from_files(files, side, [question for _, question, _ in asked], options, elsewhere)
    if baselines:
        systems += baselines_of(asked)
    names_once(systems)
    entries: list[Entry] = []
    people: dict[tuple[str, str, str | None], People] = {}
    for n, system in enumerate(systems, 1):
        options.tell(f"scoring {n} of {len(systems)}: {system.name}")
        options.count(n - 1, len(systems))
        rows, found = _entries(system, asked, options)
        entries += rows
        people |= found
    return Computed(side, asked, tuple(systems), tuple(entries), people)


def _entries(system: System, asked: Asked,
             options: Options) -> tuple[list[Entry], dict[tuple[str, str, str | None], People]]:
    found: list[Entry] = []
    people: dict[tuple[str, str, str | None], People] = {}
    for metric, question, units in asked:
        say = system.say(metric)
        if say is None:
            continue
        said, extraction = heard(system, say, metric, question, units, options)
        if system.people:
            some = people_of(system.name, metric, question, units, said, options)
            people[system.name, metric.name, question] = some
            rows: Sequence[Entry] = some.entries
        else:
            rows = [entry_of(system.name, "baseline" if system.file is None else "file", metric, question, units, said,
                             options)]
        for entry in rows:
            if extraction is not None:
                entry.figure["extraction"] = extraction
            if system.outside:
                entry.figure["outside"] = system.outside
        found += rows
    return found, people


def _files_of(systems: Sequence[System]) -> dict[str, dict[str, Any]]:
    about = {system.name: {"file": system.file, "sha256": system.sha256} for system in systems}
    made = {f"{system.name} ({kind})": about[system.name] for system in systems if system.people
            for kind in ("majority", "best person")}
    return about | made


def _gaps(here: Computed, options: Options) -> list[dict[str, Any]]:
    """Every model against every file of people, and against its majority."""
    found = []
    for (system, metric, question), people in here.people.items():
        for entry in here.entries:
            if entry.kind == "file" and (entry.metric.name, entry.question) == (metric, question):
                found.append(gap(entry, system, people, options))
                found += [gap_to(entry, row, options) for row in people.entries if row.kind == "majority"]
    return found


def _shelf_life(entries: Sequence[Entry], names: tuple[str, str]) -> dict[str, Any]:
    """The five differences between a judge trained on weak and one on strong generators."""
    found = []
    for name in names:
        entry = next((entry for entry in entries if entry.system == name
                      and entry.metric.name == "consistent_accuracy"), None)
        if entry is None:
            raise Unknown(N_("There is no system '{name}' scored by consistent_accuracy. There are: {known}."),
                          name=name, known=", ".join(dict.fromkeys(
                              one.system for one in entries if one.metric.name == "consistent_accuracy")) or "none")
        found.append({part: value for part, value in entry.figure["parts"].items()
                      if part in ("weak", "strong", "seen", "unseen") and value is not None})
    return {"weak": names[0], "strong": names[1], "differences": differences(found[0], found[1])}
