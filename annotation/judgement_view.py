"""Judgements: the answers that count to one question as ratings, and which items and people their numbers stand for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload
from uuid import UUID

import numpy as np

from annotation.agreement.ratings import Ints, Ratings
from annotation.judgement_query import STAGES
from annotation.judgement_rows import Rows, of_items, places_of
from annotation.protocol import Protocol
from annotation.questions.base import number_text

NA = "N/A"
SCALES = ("nominal", "ordinal", "interval", "set")

Unit = tuple[UUID, str | None]


class Units(Sequence[Unit]):
    """(item, element or None) by number, each made when it is asked for: of 200,000 hardly any ever is."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows.items)

    @overload
    def __getitem__(self, at: int) -> Unit: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Unit]: ...

    def __getitem__(self, at: int | slice) -> Unit | Sequence[Unit]:
        if isinstance(at, slice):
            return [self._unit(n) for n in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        return self._unit(at % len(self))

    def __iter__(self) -> Iterator[Unit]:
        return (self._unit(n) for n in range(len(self)))

    def _unit(self, at: int) -> Unit:
        return self.rows.item(at), self.rows.elements[int(self.rows.element[at])] or None


@dataclass(frozen=True, slots=True)
class Judgements:
    """``units[u]`` = (item, element or None) and ``people[p]`` belong to the numbers in ``ratings``."""

    units: Units
    people: tuple[UUID, ...]
    ratings: Ratings
    stages: tuple[str, ...]

    def items_of(self, *, by: str | None = None) -> tuple[UUID, ...]:
        """The items behind the numbers (of one slice with ``by``), each once: where a cell leads to."""
        chosen = range(len(self.units)) if by is None else self.ratings.slices.get(by, ())
        return tuple(dict.fromkeys(self.units[int(u)][0] for u in chosen))


def view(rows: Rows, protocol: Protocol, question: str, *, stages: Collection[str] = STAGES,
         clusters: tuple[bytes, tuple[str, ...]] = (b"", ())) -> Judgements:
    """The rows of these stages; what no row names (a unit, a person, a value) has no number.

    Values stand by number, then text (N/A last), people by id: nothing depends on who answered first.
    """
    rows = _of_stages(rows, stages)
    used_people = np.flatnonzero(np.bincount(rows.person, minlength=len(rows.people)))
    names = sorted((rows.people[int(p)], int(p)) for p in used_people)
    person = np.zeros(len(rows.people) + 1, dtype=np.int64)
    person[[old for _, old in names]] = np.arange(len(names))
    labels, numbers, place = values_in_order(rows, protocol, question)
    block, clustered = _blocks(rows, clusters)
    ratings = Ratings(
        unit=rows.unit, person=person[rows.person], code=place[rows.code], labels=labels, numbers=numbers,
        n_units=len(rows.items), question=question, scale=scale_of(protocol, question), block=block,
        clustered=clustered, declared=declared_of(protocol, question))
    present = {STAGES[int(n)] for n in np.unique(rows.stage)}
    return Judgements(Units(rows), tuple(UUID(bytes=one) for one, _ in names), ratings,
                      tuple(stage for stage in stages if stage in present))


def values_in_order(rows: Rows, protocol: Protocol, question: str
                    ) -> tuple[tuple[str, ...], tuple[float | None, ...], Ints]:
    """(labels, their numbers, new place of each value; -1 for N/A where that is a missing value)."""
    used = [rows.values[n] for n in np.flatnonzero(np.bincount(rows.code, minlength=len(rows.values))).tolist()]
    numbers = {text: number for text, number in used if text is not None or counts_na(protocol, question)}
    order = value_order(numbers)
    rank = {text: n for n, text in enumerate(order)}
    place = np.array([*(rank.get(text, -1) for text, _ in rows.values), -1], dtype=np.int64)
    return tuple(NA if text is None else text for text in order), tuple(numbers[text] for text in order), place


def value_order(numbers: Mapping[str | None, float | None]) -> list[str | None]:
    """Values by number, then text; those without a number after them, N/A (None) last."""
    return sorted(numbers, key=lambda text: (text is None, numbers[text] is None, numbers[text] or 0.0, text or ""))


def counts_na(protocol: Protocol, question: str) -> bool:
    """Whether N/A is an answer of its own (``na: {agreement: category}``) and not missing."""
    if not protocol.has_question(question):
        return False
    na = getattr(protocol.question(question), "na", None)
    return getattr(na, "agreement", "missing") == "category"


def scale_of(protocol: Protocol, question: str) -> str:
    scale = protocol.scale_of(question)
    return scale if scale in SCALES else "nominal"


def declared_of(protocol: Protocol, question: str) -> tuple[str, ...]:
    """What the question offers, in its order; () where that is open or depends on the item."""
    if not protocol.has_question(question):
        rows = protocol.derive[question].table or ()
        return tuple(dict.fromkeys(str(value) for row in rows for value in (row.value, row.otherwise)
                                   if value is not None))
    asked = protocol.question(question)
    offered: tuple[str, ...] = ()
    if protocol.scale_of(question) in ("nominal", "ordinal") and not getattr(asked, "options_from", None):
        offered = tuple(option.value for option in getattr(asked, "options", ()))
    elif hasattr(asked, "points"):
        offered = tuple(map(number_text, asked.points))
    return (*offered, NA) if offered and counts_na(protocol, question) else offered


def _of_stages(rows: Rows, stages: Collection[str]) -> Rows:
    """Without the answers of other stages, and without units that have no answer left."""
    keep = np.isin(rows.stage, [n for n, stage in enumerate(STAGES) if stage in stages])
    unit, person, code, stage = rows.unit, rows.person, rows.code, rows.stage
    if not keep.all():
        unit, person, code, stage = unit[keep], person[keep], code[keep], stage[keep]
    there = np.bincount(unit, minlength=len(rows.items)) > 0
    items, element = rows.items, rows.element
    if not there.all():
        unit, items, element = (np.cumsum(there) - 1)[unit], items[there], element[there]
    return replace(rows, items=items, element=element, unit=unit, person=person, code=code, stage=stage)


def _blocks(rows: Rows, clusters: tuple[bytes, tuple[str, ...]]) -> tuple[Ints | None, bool]:
    """What is drawn together: items of one cluster, else the elements of one item; None if each unit stands alone."""
    units, places = places_of(rows, clusters[0]) if clusters[0] else (np.zeros(0, dtype=np.int64),) * 2
    if not len(units) and len(rows.elements) == 1:
        return None, False
    block = of_items(rows)
    if len(units):
        numbers: dict[str, int] = {}
        named = np.array([numbers.setdefault(name, len(numbers)) for name in clusters[1]], dtype=np.int64)
        block = block.copy()
        block[units] = len(rows.items) + named[places]
    alone = len(np.unique(block)) == len(block)
    return None if alone else block, bool(len(units))
