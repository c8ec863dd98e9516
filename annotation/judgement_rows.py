"""The answers of one question as arrays: read from the store once, then only what was touched since."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Select, case, select
from sqlalchemy.orm import Session

from annotation.agreement.ratings import Ints
from annotation.judgement_query import STAGES, raw, which
from annotation.protocol import Protocol
from annotation.store.tables import AnswerRow, Item, Revision

CHUNK = 1_000  # rows taken from the database at a time: more stand in nobody's cache when they are turned
SOME = 400      # items named in one query
Words = NDArray[np.uint64]

Value = tuple[str | None, float | None]  # text (None: N/A) and number


@dataclass(frozen=True, slots=True)
class Rows:
    """One row per answer in ``unit``, ``person``, ``code``, ``stage``; units stand together.

    ``items`` (U, 2) holds the id of each unit's item as two words of 64 bits, ``element`` (U,) a place in
    ``elements``. ``code`` is a place in ``values``, ``person`` in ``people`` (16 bytes each), ``stage`` in ``STAGES``.
    Values and people may stand there that no row names any more.
    """

    items: Words
    element: Ints
    elements: tuple[str, ...]
    unit: Ints
    person: Ints
    code: Ints
    stage: NDArray[np.int8]
    people: tuple[bytes, ...]
    values: tuple[Value, ...]

    def item(self, unit: int) -> UUID:
        return UUID(bytes=self.items[unit].astype(">u8").tobytes())

    def of_people(self, people: Collection[UUID]) -> Rows:
        """The answers of some people only; units without any of them stay."""
        wanted = [n for n, one in enumerate(self.people) if UUID(bytes=one) in people]
        keep = np.isin(self.person, wanted)
        return replace(self, unit=self.unit[keep], person=self.person[keep], code=self.code[keep],
                       stage=self.stage[keep])


def read_rows(session: Session, protocol: Protocol, question: str) -> Rows:
    """All that count, at every stage: in memory about 40 bytes an answer. Time grows with the answers."""
    rows = _empty()
    wanted = which(session, protocol, question, STAGES)
    kinds = session.execute(select(AnswerRow.value_text, AnswerRow.value_num, AnswerRow.na, AnswerRow.stage)
                            .where(*wanted).distinct()).all()
    if not kinds:
        return rows
    numbers = {None if na else text: None if na else number for text, number, na, _ in kinds}
    stages = {stage for *_, stage in kinds}
    # A value that is the same in every row is not fetched with every row.
    columns = {"item": raw(session, AnswerRow.item), "person": raw(session, AnswerRow.person)}
    if len(numbers) > 1:
        columns["text"] = case((AnswerRow.na, None), else_=AnswerRow.value_text)
    if len(stages) > 1:
        columns["stage"] = AnswerRow.stage
    if protocol.group_of(question) is not None or not protocol.has_question(question):
        columns["element"] = AnswerRow.element
    known = _Known(rows, numbers)
    for chunk in fetched(session, select(*columns.values()).where(*wanted)):
        known.add(dict(zip(columns, zip(*chunk, strict=True), strict=True)), len(chunk), stage=next(iter(stages)))
    return known.rows()


def refreshed(session: Session, protocol: Protocol, question: str, rows: Rows, touched: Collection[UUID]) -> Rows:
    """``rows`` with the answers to the ``touched`` items read anew: as reading all, but for the order of units."""
    if not touched:
        return rows
    wanted = sorted(touched)
    words = _words(b"".join(item.bytes for item in wanted))
    stale = _among(rows.items, words)
    keep = ~stale[rows.unit] if len(stale) else np.zeros(0, dtype=bool)
    new_number = np.cumsum(~stale) - 1
    kept = replace(rows, items=rows.items[~stale], element=rows.element[~stale], unit=new_number[rows.unit[keep]],
                   person=rows.person[keep], code=rows.code[keep], stage=rows.stage[keep])
    known = _Known(kept, {})
    for start in range(0, len(wanted), SOME):
        for chunk in fetched(session, select(*_all_columns(session)).where(
                *which(session, protocol, question, STAGES, whole=False),
                AnswerRow.item.in_(wanted[start:start + SOME]))):
            known.take(chunk)
    return known.rows()


def read_parts(session: Session, protocol: Protocol, question: str, part: Any) -> dict[Any, Rows]:
    """The answers apart by what ``part``, a column of ``Revision``, says of the revision they were given in."""
    found: dict[Any, _Known] = {}
    query = (select(*_all_columns(session), part).join(Revision, Revision.id == AnswerRow.revision)
             .where(*which(session, protocol, question, STAGES)))
    for chunk in fetched(session, query):
        parts: dict[Any, list[tuple[Any, ...]]] = {}
        for row in chunk:
            parts.setdefault(row[-1], []).append(row[:-1])
        for name, rows in parts.items():
            found.setdefault(name, _Known(_empty(), {})).take(rows)
    return {name: known.rows() for name, known in found.items()}


def places_of(rows: Rows, ids: bytes) -> tuple[Ints, Ints]:
    """(units, places): for every unit the places in ``ids`` (16 bytes each) that hold its item, as pairs."""
    words = _words(ids)
    order = np.argsort(words[:, 1], kind="stable")
    low = words[order, 1]
    left, right = np.searchsorted(low, rows.items[:, 1], "left"), np.searchsorted(low, rows.items[:, 1], "right")
    times = right - left
    units = np.repeat(np.arange(len(times)), times)
    offset = np.arange(len(units)) - np.repeat(np.cumsum(times) - times, times)
    places = order[np.repeat(left, times) + offset]
    same = rows.items[units, 0] == words[places, 0]
    return units[same], places[same]


def of_items(rows: Rows) -> Ints:
    """(U,) a number for each unit's item, in the order of the ids; equal for the elements of one item."""
    return _numbered(rows.items)[1]


def _empty() -> Rows:
    return Rows(_words(b""), _none(), ("",), _none(), _none(), _none(), np.zeros(0, dtype=np.int8), (), ())


def _all_columns(session: Session) -> tuple[Any, ...]:
    return (raw(session, AnswerRow.item), AnswerRow.element, raw(session, AnswerRow.person), AnswerRow.value_text,
            AnswerRow.value_num, AnswerRow.na, AnswerRow.stage)


def fetched(session: Session, query: Select[Any]) -> Iterator[list[tuple[Any, ...]]]:
    """Rows as the driver gives them: a Row of each would take longer than the query."""
    cursor: Any = session.connection().execute(query).cursor
    while chunk := cursor.fetchmany(CHUNK):
        yield chunk


class _Known:
    """Answers gathered chunk by chunk, added to those of ``base``, in which their items are not."""

    def __init__(self, base: Rows, numbers: dict[str | None, float | None]) -> None:
        self.base, self.numbers = base, numbers
        self._elements = {name: n for n, name in enumerate(base.elements)}
        self._people = {one: n for n, one in enumerate(base.people)}
        self._values: dict[str | None, int] = {text: n for n, (text, _) in enumerate(base.values)}
        for text in numbers:
            self._values.setdefault(text, len(self._values))
        self._stages = {name: n for n, name in enumerate(STAGES)}
        self._ids: list[bytes] = []
        self._parts: list[tuple[Ints, Ints, Ints, Ints]] = []

    def add(self, columns: Mapping[str, Sequence[Any]], n: int, *, stage: str = STAGES[0]) -> None:
        """A column that is missing holds in every row the element "", the only value, the ``stage``."""
        self._ids.append(b"".join(columns["item"]))
        self._parts.append((_coded(columns.get("element"), self._elements, n),
                            _coded(columns["person"], self._people, n), _coded(columns.get("text"), self._values, n),
                            _coded(columns.get("stage"), self._stages, n, self._stages[stage])))

    def take(self, chunk: Sequence[tuple[Any, ...]]) -> None:
        """Rows of ``_all_columns``."""
        item, element, person, text, number, na, stage = zip(*chunk, strict=True)
        text = tuple(None if missing else value for missing, value in zip(na, text, strict=True))
        self.numbers.update(zip(text, number, strict=True))
        self.add({"item": item, "element": element, "person": person, "text": text, "stage": stage}, len(chunk))

    def rows(self) -> Rows:
        if not self._parts:
            return self.base
        base, words = self.base, _words(b"".join(self._ids))
        place, person, code, stage = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        first, unit = _units(words, place, len(self._elements))
        unit = np.r_[base.unit, unit + len(base.items)]
        order = np.argsort(unit, kind="stable")
        before = {text: number for text, number in base.values}
        values = tuple((text, None if text is None else self.numbers.get(text, before.get(text)))
                       for text in self._values)
        return Rows(np.r_[base.items, words[first]], np.r_[base.element, place[first]], tuple(self._elements),
                    unit[order], np.r_[base.person, person][order], np.r_[base.code, code][order],
                    np.r_[base.stage, stage.astype(np.int8)][order], tuple(self._people), values)


def _coded(things: Sequence[Any] | None, known: dict[Any, int], n: int, every: int = 0) -> Ints:
    if things is None:
        return np.full(n, every, dtype=np.int64)
    for thing in dict.fromkeys(things):
        known.setdefault(thing, len(known))
    return np.fromiter(map(known.__getitem__, things), dtype=np.int64, count=n)


def _units(words: Words, element: Ints, elements: int) -> tuple[Ints, Ints]:
    """(first row of each unit, unit of each row): a unit is an item and an element."""
    first, item = _numbered(words)
    if elements == 1:
        return first, item
    _, first, unit = np.unique(item * elements + element, return_index=True, return_inverse=True)
    return first, unit


def _numbered(words: Words) -> tuple[Ints, Ints]:
    """(first place of each id, number of each): by the second half, which is random, and a look at the first."""
    _, first, number = np.unique(words[:, 1], return_index=True, return_inverse=True)
    if not (words[first[number], 0] == words[:, 0]).all():  # ids that were not drawn
        _, first, number = np.unique(words, axis=0, return_index=True, return_inverse=True)
        number = number.reshape(-1)
    return first, number


def _among(items: Words, some: Words) -> NDArray[np.bool_]:
    """(U,) whether each id is one of ``some``."""
    found = np.isin(items[:, 1], some[:, 1])
    pairs = {(int(high), int(low)) for high, low in some}
    for at in np.flatnonzero(found):
        found[at] = (int(items[at, 0]), int(items[at, 1])) in pairs
    return found


def _words(ids: bytes) -> Words:
    return np.frombuffer(ids, dtype=">u8").astype(np.uint64).reshape(-1, 2)


def _none() -> Ints:
    return np.zeros(0, dtype=np.int64)


def clusters_of(session: Session) -> tuple[bytes, tuple[str, ...]]:
    """(ids joined, cluster of each) of the items that stand in a cluster."""
    query = select(raw(session, Item.id), Item.cluster).where(Item.cluster.is_not(None))
    found = [row for chunk in fetched(session, query) for row in chunk]
    return b"".join(item for item, _ in found), tuple(cluster for _, cluster in found)
