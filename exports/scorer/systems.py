# SPDX-License-Identifier: Apache-2.0
"""Who answers: files of predictions, and the oracle, anti-oracle and constants beside them; and what each says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.errors import N_, Refused, Where
from exports.scorer.asking import ask_in_doubt, refuse_places_beyond
from exports.scorer.extraction import extracted, rules_of, search, shown
from exports.scorer.gold_side import GoldSide
from exports.scorer.metric import UNPARSABLE, Metric, Reply, Row, Unit
from exports.scorer.options import Options
from exports.scorer.predictions import read_predictions
from exports.scorer.tally import ONCE, Run

Asked = Sequence[tuple[Metric, str | None, Sequence[Unit]]]
Say = Callable[[Unit], Sequence[Row]]  # the rows of a system for one unit
Heard = list[list[tuple[Row, Run, Reply]]]


@dataclass(frozen=True, slots=True)
class System:
    """Somebody who answers: a file of predictions, or a baseline (then ``file`` and ``sha256`` are None).

    ``say`` is None for a metric that a baseline does not know. ``people``: its rows are those of raters.
    """

    name: str
    file: str | None
    sha256: str | None
    say: Callable[[Metric], Say | None]
    people: bool = False
    outside: int = 0
    found: dict[str, Any] = field(default_factory=dict)


def from_files(files: Mapping[str, str | Path], side: GoldSide, scored: Sequence[str | None], options: Options,
               elsewhere: Collection[str]) -> list[System]:
    return [_from_file(name, Path(path), side, scored, options, elsewhere) for name, path in files.items()]


def _from_file(name: str, path: Path, side: GoldSide, scored: Sequence[str | None], options: Options,
               elsewhere: Collection[str]) -> System:
    options.tell(f"reading {path.name}")
    read = read_predictions(path, side, scored, readers=options.readers, elsewhere=elsewhere)
    return System(name, read.file, read.sha256,
                  lambda metric: read.of, read.people, read.outside)


def baselines_of(asked: Asked) -> list[System]:
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


def names_once(systems: Sequence[System]) -> None:
    twice = [name for name, n in Counter(system.name for system in systems).items() if n > 1]
    if twice:
        raise Refused(N_("'{name}' is the name of a baseline; give the file another: NAME=FILE"), code="duplicate_key",
                      name=twice[0], where=Where(key=twice[0]))


def heard(system: System, say: Say, metric: Metric, question: str | None, units: Sequence[Unit],
          options: Options) -> tuple[Heard, dict[str, Any] | None]:
    """What the system says to every unit, read by the declared rules; and how often these found what.

    Where no rule was declared and answers seem to mean letters or places, that is asked (Refused).
    """
    if system.file is None:
        return [[(row, _run(row), metric.read(unit, row)) for row in say(unit)] for unit in units], None
    rules = rules_of(options.extract)
    if not rules:
        said = [[(row, _run(row), metric.read(unit, row)) for row in say(unit)] for unit in units]
        if not options.extract:
            ask_in_doubt([*zip(units, said, strict=True)], system=system.name, file=system.file, question=question)
        return said, None
    search(rules, ((unit, row) for unit in units for row in say(unit)), system.file)
    counts: Counter[str] = Counter()
    said = [[_read(metric, unit, row, extracted(rules, unit, row), counts) for row in say(unit)] for unit in units]
    if options.extract[-1].startswith("index"):
        refuse_places_beyond(counts["beyond"], counts["found"], options.extract[-1], system=system.name,
                             file=system.file, question=question, most=max((len(shown(one, {})) for one in units),
                                                                           default=0))
    return said, {"rules": list(options.extract), **{key: counts[key] for key in ("found", "nothing", "beyond")}}


def _read(metric: Metric, unit: Unit, row: Row, read: tuple[Row | None, str | None],
          counts: Counter[str]) -> tuple[Row, Run, Reply]:
    changed, why = read
    counts[why or ("kept" if changed is row else "found")] += 1
    return row, _run(row), UNPARSABLE if changed is None else metric.read(unit, changed)


def _run(row: Row) -> Run:
    run = (row.get("rater"), row.get("condition"), row.get("epoch"))
    return ONCE if run == ONCE else run
