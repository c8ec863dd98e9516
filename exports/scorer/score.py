# SPDX-License-Identifier: Apache-2.0
"""Scores files of predictions, and the oracle, anti-oracle and constants beside them, against a bundle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import exports.scorer.metrics  # noqa: F401 - registers the metrics
from annotation.errors import N_, Refused, Where
from exports.scorer.estimate import interval
from exports.scorer.gold_side import GoldSide, asked_of, read_bundle, units_of
from exports.scorer.metric import Metric, Row, Unit
from exports.scorer.predictions import read_predictions
from exports.scorer.table import table
from exports.scorer.tally import Tally, things_of

__all__ = ["SCORER_VERSION", "named_files", "score", "table"]

SCORER_VERSION = "1.0"

Say = Callable[[Unit], Sequence[Row]]  # the rows of a system for one unit


@dataclass(frozen=True, slots=True)
class System:
    """Somebody who answers: a file of predictions, or a baseline (then ``file`` and ``sha256`` are None).

    ``say`` is None for a metric that a baseline does not know.
    """

    name: str
    file: str | None
    sha256: str | None
    say: Callable[[Metric], Say | None]


def score(bundle: str | Path, files: Mapping[str, str | Path], *, metric: str | None = None,
          baselines: bool = False) -> dict[str, Any]:
    """The scores of every system as strict JSON values (docs/bundle.md says how).

    ``files`` gives each system's name and its predictions; ``metric`` scores that one alone.
    Raises Refused for a bundle or predictions that cannot be read, Unknown for a metric or question.
    """
    side = read_bundle(Path(bundle))
    asked = [(one, question, units_of(side, one, question, settings))
             for one, question, settings in asked_of(side, metric)]
    systems = [_from_file(name, Path(path), side, [question for _, question, _ in asked])
               for name, path in files.items()]
    if baselines:
        systems += _baselines(asked)
    _names_once(systems)
    return {
        "bundle": side.name,
        "manifest_sha256": side.manifest_sha256,
        "scorer_version": SCORER_VERSION,
        "systems": [_scored(system, asked) for system in systems],
    }


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


def _names_once(systems: Sequence[System]) -> None:
    twice = [name for name, n in Counter(system.name for system in systems).items() if n > 1]
    if twice:
        raise Refused(N_("'{name}' is the name of a baseline; give the file another: NAME=FILE"), code="duplicate_key",
                      name=twice[0], where=Where(key=twice[0]))


def _from_file(name: str, path: Path, side: GoldSide, scored: Sequence[str | None]) -> System:
    read = read_predictions(path, side, scored)
    return System(name, read.file, read.sha256,
                  lambda metric: lambda unit: read.of(unit.id, unit.question, unit.element))


def _baselines(asked: Sequence[tuple[Metric, str | None, Sequence[Unit]]]) -> list[System]:
    """Oracle and anti-oracle for every metric; a constant for the metrics that know its value."""
    constants: dict[str, dict[str, Row]] = {}
    for metric, _, units in asked:
        for value, row in metric.constants(units).items():
            constants.setdefault(value, {})[metric.name] = row
    return [
        System("oracle", None, None, lambda metric: lambda unit: [metric.oracle(unit)]),
        System("anti-oracle", None, None, lambda metric: lambda unit: [metric.anti(unit)]),
        *(System(f"constant:{value}", None, None, _always(rows)) for value, rows in constants.items()),
    ]


def _always(rows: Mapping[str, Row]) -> Callable[[Metric], Say | None]:
    return lambda metric: None if metric.name not in rows else lambda unit: [rows[metric.name]]


def _scored(system: System, asked: Sequence[tuple[Metric, str | None, Sequence[Unit]]]) -> dict[str, Any]:
    figures, slices = [], []
    for metric, question, units in asked:
        say = system.say(metric)
        if say is None:
            continue
        answers = [[(_run(row), metric.read(unit, row)) for row in say(unit)] for unit in units]
        things = things_of(metric, units, answers)
        tally = Tally(metric, things)
        everything = np.arange(len(things))
        ci, ci_method = interval(tally, everything)
        parts = tally.values(everything)
        counts = Counter(reply.status for thing in things for reply in thing.replies())
        figure: dict[str, Any] = {
            "metric": metric.name, "question": question, "value": parts.get(metric.headline), "best": metric.best,
            "worst": metric.worst, "ci": ci, "ci_method": ci_method, "n": len(things), "missing": counts["missing"],
            "refused": counts["refused"], "unparsable": counts["unparsable"], "parts": parts}
        if metric.beside is not None:
            figure["beside"] = metric.beside([unit for thing in things for unit in thing.units],
                                             [[reply for _, reply in some] for thing in things
                                              for some in thing.answers])
        figures.append(figure)
        for field, tag, places in slices_of([thing.first for thing in things]):
            slices.append({"field": field, "value": tag, "metric": metric.name, "question": question,
                           "value_of": tally.values(places).get(metric.headline), "ci": interval(tally, places)[0],
                           "n": len(places)})
    return {"system": system.name, "file": system.file, "predictions_sha256": system.sha256,
            "metrics": figures, "slices": slices}


def _run(row: Row) -> tuple[Any, ...]:
    return (row.get("rater"), row.get("condition"), row.get("epoch"))


def slices_of(units: Sequence[Unit]) -> list[tuple[str, str | None, Any]]:
    """(field, value, places) for every tag; units without a value of that field are a slice of their own (None)."""
    fields = sorted({field for unit in units for field in unit.slices or {}})
    found = []
    for field in fields:
        places: dict[str | None, list[int]] = {}
        for place, unit in enumerate(units):
            value = (unit.slices or {}).get(field)
            values = value if isinstance(value, list) else [value]
            for one in values or [None]:
                places.setdefault(None if one is None else str(one), []).append(place)
        for tag in sorted(places, key=lambda tag: (tag is None, tag or "")):
            found.append((field, tag, np.asarray(places[tag])))
    return found
