"""The items of a bundle where an answer is worth less than gold, those on which people agreed most first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from annotation import assign, recheck
from annotation.done import Done
from exports.scorer.gold_side import GOLD, asked_of, read_bundle, units_of
from exports.scorer.held_out import PRIVATE_GOLD
from exports.scorer.lines import json_lines, read_bytes
from exports.scorer.metric import Metric, Reply, Row, Unit, said
from exports.scorer.options import Options
from exports.scorer.systems import from_files, heard

LONG = 400  # characters of an answer


@dataclass(frozen=True, slots=True)
class Place:
    """Where to look: a system's file, a metric, and maybe a slice (field, value)."""

    system: str
    file: str
    metric: str
    question: str | None
    slice: tuple[str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class Differing:
    """One unit. ``key`` is None in a bundle without keys. ``status`` of what was answered; ``runs`` of ``of`` differ.
    ``agreement`` of the ``n`` people behind gold."""

    id: str
    key: str | None
    element: str | None
    gold: str
    answer: str
    status: str
    runs: int
    of: int
    n: int | None
    agreement: float | None


@dataclass(frozen=True, slots=True)
class Found:
    """``asked``: how many units there are at that place."""

    place: Place
    rows: tuple[Differing, ...]
    asked: int


def read_differing(bundle: str, place: Place, options: Options, cancelled: Callable[[], bool]) -> Found | None:
    """None where nobody waits for it any more. Raises Refused as scoring does."""
    side = read_bundle(Path(bundle).expanduser(), held_out=options.held_out)
    metric, question, settings = next(one for one in asked_of(side, place.metric)
                                      if (one[0].name, one[1]) == (place.metric, place.question))
    units = units_of(side, metric, question, settings)
    [system] = from_files({place.system: place.file}, side, [question], options, ())
    say = system.say(metric)
    if cancelled() or say is None:
        return None
    replies, _ = heard(system, say, metric, question, units, options)
    if cancelled():
        return None
    behind = _behind(Path(bundle).expanduser() / (PRIVATE_GOLD if options.held_out else GOLD), question)
    found, asked = [], 0
    for unit, some in zip(units, replies, strict=True):
        if not _in_slice(unit, place.slice) or (system.people and not some):
            continue  # what a person was not asked is not wrong
        asked += 1
        best = metric.read(unit, metric.oracle(unit))
        apart = [(row, reply) for row, _, reply in some if _differs(metric, unit, reply, best)]
        if apart or not some:
            found.append(_row(unit, apart, len(some), best, behind.get((unit.id, unit.element), (None, None))))
    found.sort(key=lambda one: (-(one.agreement or 0.0), -(one.n or 0), one.key or one.id, one.element or ""))
    return Found(place, tuple(found), asked)


def _behind(gold: Path, question: str | None) -> dict[tuple[str, str | None], tuple[int | None, float | None]]:
    """How many people are behind each gold value of a question, and how far they agree."""
    found: dict[tuple[str, str | None], tuple[int | None, float | None]] = {}
    for _, row in json_lines(read_bytes(gold), str(gold)):
        if row.get("question") == question and "id" in row:
            agreement = row.get("agreement") or {}
            found[row["id"], row.get("element")] = row.get("n"), agreement.get("value")
    return found


def _in_slice(unit: Unit, wanted: tuple[str, str | None] | None) -> bool:
    if wanted is None:
        return True
    value = (unit.slices or {}).get(wanted[0])
    values = value if isinstance(value, list) else [value]
    return wanted[1] in [None if one is None else str(one) for one in values or [None]]


def _differs(metric: Metric, unit: Unit, reply: Reply, best: Reply) -> bool:
    """Worth less than the best, where a reply has a worth of its own; else not the same value."""
    if reply.status != "given":
        return True
    if metric.parts is not None:
        mine, its = metric.parts(unit, reply), metric.parts(unit, best)
        if metric.headline in mine and metric.headline in its:
            return tuple(mine[metric.headline]) != tuple(its[metric.headline])
    return bool(reply.value != best.value)


def _row(unit: Unit, apart: Sequence[tuple[Row, Reply]], of: int, best: Reply,
         behind: tuple[int | None, float | None]) -> Differing:
    row, reply = apart[0] if apart else ({}, Reply("missing"))
    return Differing(unit.id, unit.facts.get("key"), unit.element,
                     _words(unit, unit.gold if unit.gold is not None else best.value),
                     _words(unit, said(row) if said(row) is not None else row.get("judge_score", row.get("scores"))),
                     reply.status, len(apart) or 1, max(of, 1), *behind)


def _words(unit: Unit, value: Any) -> str:
    """An answer as it is read: options by their texts."""
    if value is None:
        return ""
    texts = {name: text for name, text in unit.choices if text}
    some = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
    text = ", ".join(str(texts.get(str(one), one)) for one in some)
    return text if len(text) <= LONG else f"{text[:LONG - 1]}…"


# --- the project's items ------------------------------------------------------------------------------------------

def items_of(session: Any, keys: Sequence[str]) -> tuple[UUID, ...]:
    """The items of this project with these keys; Unknown where it has none with one of them."""
    return assign.find_keys(session, keys)


def send(session: Any, keys: Sequence[str], *, by: UUID, why: str, question: str | None,
         chosen: Mapping[str, Any]) -> Done:
    """These items to a round of looking again."""
    return recheck.send(session, assign.find_keys(session, keys), by=by, why=why, question=question, chosen=chosen)
