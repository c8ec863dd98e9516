"""Where people differ: the items of one question, most disputed first, each with its answers counted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.agreement.ratings import Ints
from annotation.judgements import Judgements
from annotation.store.tables import Item

CHUNK = 400


@dataclass(frozen=True, slots=True)
class Disputed:
    """``votes``: (value, how many gave it), the most frequent first; ``differ``: the share of pairs that differ."""

    item: UUID
    key: str
    element: str | None
    votes: tuple[tuple[str, int], ...]
    differ: float


@dataclass(frozen=True, slots=True)
class Dispute:
    """``judged``: units with two answers and more; ``differing``: those on which people differ; ``items``: the
    items of these, most disputed first; ``rows``: the first of them with their answers."""

    judged: int
    differing: int
    items: tuple[UUID, ...]
    rows: tuple[Disputed, ...]


def disputed(session: Session, found: Judgements, *, by: str | None = None, limit: int = 100) -> Dispute:
    """The units on which at least two people differ; of one slice (a value of the tag that ``found`` was read by)."""
    ratings = found.ratings if by is None else found.ratings.of_units(found.ratings.slices[by])
    given = ratings.code >= 0
    values = max(1, len(ratings.labels))
    keys, votes = np.unique(ratings.unit[given] * values + ratings.code[given], return_counts=True)
    units = keys // values
    # Of no values at all numpy counts in whole numbers, whatever the weights are.
    people = np.bincount(units, weights=votes, minlength=ratings.n_units).astype(np.float64)
    agree = np.bincount(units, weights=votes * (votes - 1), minlength=ratings.n_units).astype(np.float64)
    pairs = people * (people - 1)
    differ = 1.0 - np.divide(agree, pairs, out=np.ones_like(pairs), where=pairs > 0)
    judged = int((people >= 2).sum())
    places = np.flatnonzero(differ > 1e-12)
    order = places[np.lexsort((places, -people[places], -np.round(differ[places], 9)))]
    shown = order[:limit]
    names = _keys(session, {found.units[int(u)][0] for u in shown})
    rows = tuple(Disputed(found.units[int(u)][0], names[found.units[int(u)][0]], found.units[int(u)][1],
                          _votes(int(u), units, keys, votes, values, ratings.labels), float(differ[u])) for u in shown)
    return Dispute(judged, len(order), tuple(dict.fromkeys(found.units[int(u)][0] for u in order)), rows)


def _votes(unit: int, units: Ints, keys: Ints, votes: Ints, values: int, labels: tuple[str, ...]
           ) -> tuple[tuple[str, int], ...]:
    first, last = np.searchsorted(units, [unit, unit + 1])
    some = [(labels[int(key % values)], int(n)) for key, n in zip(keys[first:last], votes[first:last], strict=True)]
    return tuple(sorted(some, key=lambda vote: -vote[1]))


def _keys(session: Session, items: Collection[UUID]) -> dict[UUID, str]:
    found: dict[UUID, str] = {}
    listed = sorted(items)
    for start in range(0, len(listed), CHUNK):
        found.update(dict(session.execute(
            select(Item.id, Item.key).where(Item.id.in_(listed[start : start + CHUNK]))).all()))
    return found
