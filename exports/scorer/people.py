# SPDX-License-Identifier: Apache-2.0
"""What each person answered: the annotations of a bundle, read when a metric asks for them and not before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.errors import N_, Refused, Where
from exports.scorer.lines import is_listed, json_lines, read_bytes
from exports.scorer.metric import Unit

ANNOTATIONS = "public/annotations.jsonl"
Place = tuple[str, str | None, str | None]  # item, element, question


class Annotations:
    """The answers of people by item, element and question; a bundle without the file has none.

    Only answers that count (independent, and part of agreement and gold) and that are neither N/A nor kept back (of
    what is withheld it may be the reason alone); of a person who answered twice the later row. Raises Refused, when
    first asked, where the file is not the one listed.
    """

    def __init__(self, folder: Path, sha256: str | None) -> None:
        self._folder, self._sha256 = folder, sha256
        self._by_place: dict[Place, dict[str, Any]] | None = None

    def at(self, place: Place) -> Mapping[str, Any]:
        """Answer by pseudonym."""
        if self._by_place is None:
            self._by_place = self._read()
        return self._by_place.get(place, {})

    def _read(self) -> dict[Place, dict[str, Any]]:
        path = self._folder / ANNOTATIONS
        if self._sha256 is None and not path.is_file():
            return {}
        data = read_bytes(path)
        if not is_listed(data, self._sha256 or ""):
            raise Refused(N_("{file} is not the file that the manifest lists; run verify"), code="hash",
                          file=ANNOTATIONS, where=Where(file=str(path)))
        found: dict[Place, dict[str, Any]] = {}
        for line, row in json_lines(data, str(path)) if data else ():
            if not isinstance(row.get("id"), str) or not isinstance(row.get("annotator"), str):
                raise Refused(N_("line {line} of {file} lacks 'id' or 'annotator'"), code="bad_field", line=line,
                              file=ANNOTATIONS, where=Where(file=str(path), line=line))
            if row.get("counts") and not row.get("na") and row.get("answer") is not None:
                place = (row["id"], row.get("element"), row.get("question"))
                found.setdefault(place, {})[row["annotator"]] = row.get("answer")
        return found


class Fields:
    """The fields of items by public id, read when a metric asks for one and not before: most of a bundle is fields."""

    def __init__(self, read: Callable[[], Mapping[str, Any]]) -> None:
        self._read = read
        self._by_id: Mapping[str, Any] | None = None

    def of(self, id: str) -> Mapping[str, Any]:
        if self._by_id is None:
            self._by_id = self._read()
        return self._by_id.get(id) or {}


class Item(Mapping[str, Any]):
    """What is read of an item of the bundle. As a mapping it is the facts that metrics ask for: its key, fields and
    slices by name, put together when asked, since 200,000 items would carry as many dictionaries."""

    __slots__ = ("_fields", "annotations", "candidates", "choices", "cluster", "id", "key", "slices")

    def __init__(self, id: str, row: Mapping[str, Any], choices: Mapping[str, Any], slices: Mapping[str, Any],
                 annotations: Annotations, fields: Fields) -> None:
        self.id, self.choices, self.slices, self.annotations, self._fields = id, choices, slices, annotations, fields
        self.key, self.cluster = row.get("key"), row.get("cluster")
        self.candidates: Sequence[Any] = row.get("candidates") or ()

    def _all(self) -> dict[str, Any]:
        return {"key": self.key, **self._fields.of(self.id), **self.slices}

    def __getitem__(self, name: str) -> Any:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def answers(unit: Unit) -> Mapping[str, Any]:
    """Answer by pseudonym; empty where the bundle holds none that count."""
    item = unit.facts
    return item.annotations.at((unit.id, unit.element, unit.question)) if isinstance(item, Item) else {}


def shares(unit: Unit) -> dict[str, float]:
    """The share of people for each option, in the declared order; empty where nobody named one."""
    named = [one for one in answers(unit).values() if one in unit.options]
    return {option: named.count(option) / len(named) for option in unit.options} if named else {}


def agreeing(unit: Unit) -> tuple[int, int]:
    """How many people gave the most frequent answer, and how many answered."""
    said = [str(one) for one in answers(unit).values()]
    return max(map(said.count, said), default=0), len(said)


def where_agreed(units: Sequence[Unit], least: int, of: int) -> list[Unit]:
    """The units that at least ``of`` people answered and at least ``least`` in ``of`` of them alike (2 of 3)."""
    found = []
    for unit in units:
        alike, n = agreeing(unit)
        if n >= of and alike * of >= least * n:
            found.append(unit)
    return found


def ceiling(units: Sequence[Unit]) -> float | None:
    """How often a person gives gold's answer: the mean over people of the share of their answers that are gold's.

    Gold was made from these answers, so this is somewhat more than a person who had no part in it would reach.
    """
    right: dict[str, list[float]] = {}
    for unit in units:
        for person, said in answers(unit).items():
            right.setdefault(person, []).append(float(said == unit.gold))
    return sum(sum(one) / len(one) for one in right.values()) / len(right) if right else None
