"""Answer patterns counted where the data is: one GROUP BY over items within another over patterns.

Each item becomes one or a few whole numbers, in which every person has a digit and the digit says what he answered;
items with equal numbers are one pattern. What comes over the line is patterns, not items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy import BigInteger, Integer, and_, case, cast, distinct, func, literal_column, select
from sqlalchemy.orm import Session

from annotation.agreement.asking import find_metric, level_for
from annotation.agreement.ratings import Ints, Ratings, patterns_of_counts
from annotation.agreement.report import measure, measure_patterns, why_nothing
from annotation.agreement.resampling import Cancelled
from annotation.agreement.result import Result
from annotation.agreement.scale import Scale
from annotation.judgement_query import which
from annotation.judgement_view import NA, counts_na, declared_of, scale_of, value_order
from annotation.protocol import Protocol
from annotation.store.tables import AnswerRow, Item, ItemTag

BITS = 62       # of a number that holds a pattern
MOST_SUMS = 4   # such numbers to an item
MOST_VALUES = 60
MOST_PATTERNS = 100_000


@dataclass(frozen=True, slots=True)
class Counted:
    """``cells`` (K, P): the code that each person gave, -1 for no value, -2 where he was not asked; ``count`` (K).
    ``slices``: with a tag, the patterns of its values: value -> ``count`` (K).

    ``people`` name the columns; one who answered at two stages has two.
    """

    cells: Ints
    count: Ints
    labels: tuple[str, ...]
    numbers: tuple[float | None, ...]
    people: tuple[UUID, ...]
    stages: tuple[str, ...]
    slices: dict[str, Ints]
    question: str
    scale: str
    declared: tuple[str, ...]

    def ratings(self) -> Ratings:
        """As ratings of as many units as there are items, which do not say which items they are."""
        names = sorted(set(self.people))
        person_of = np.array([names.index(one) for one in self.people], dtype=np.int64)
        slices, counts, start = {}, [self.count], 0
        if self.slices:
            rest = self.count - sum(self.slices.values())
            counts = [*self.slices.values(), rest]
            for value, count in self.slices.items():
                slices[value] = np.arange(start, start + int(count.sum()))
                start += int(count.sum())
        pattern = np.concatenate([np.repeat(np.arange(len(count)), count) for count in counts])
        shown = self.cells.astype(np.int16)[pattern]
        unit, column = np.nonzero(shown >= -1)
        return Ratings(unit, person_of[column], shown[unit, column].astype(np.int64), self.labels, self.numbers,
                       n_units=len(pattern), question=self.question, scale=self.scale, declared=self.declared,
                       slices=slices)


def counted(session: Session, protocol: Protocol, question: str, *, stages: Sequence[str], by: str | None = None
            ) -> Counted | None:
    """The patterns of a question, and with ``by`` how often each stands in each slice of that tag.

    None where counting says too little or gains nothing: questions of a group and items in clusters (which are drawn
    together), tags of which an item has several, very many people or different answers.
    """
    if protocol.group_of(question) is not None or not protocol.has_question(question):
        return None
    if session.execute(select(Item.id).where(Item.cluster.is_not(None)).limit(1)).first() is not None:
        return None
    wanted = which(session, protocol, question, stages)
    value = case((AnswerRow.na, None), else_=AnswerRow.value_text)
    kinds = session.execute(select(AnswerRow.person, AnswerRow.stage, value, AnswerRow.value_num)
                            .where(*wanted).distinct()).all()
    who = sorted({(person, stage) for person, stage, *_ in kinds}, key=lambda one: (stages.index(one[1]), one[0]))
    numbers = {text: None if text is None else number for *_, text, number in kinds}
    order = value_order(numbers)
    digits = int(BITS / np.log2(len(order) + 1)) if order else 1
    sums = -(-len(who) // digits)
    if not kinds or len(order) > MOST_VALUES or sums > MOST_SUMS or (by is not None and _is_repeated(session, by)):
        return None
    digit = _chosen({text: n for n, text in enumerate(order, 1)}, value)
    keys = []
    for n in range(sums):
        some = who[n * digits:(n + 1) * digits]
        places = [(_is(one, who), _number((len(order) + 1) ** at)) for at, one in enumerate(some)]
        place = case(*places, else_=_number(0))
        keys.append(cast(func.sum(place * digit), BigInteger).label(f"k{n}"))
    items = select(AnswerRow.item.label("item"), *keys).where(*wanted).group_by(AnswerRow.item).subquery()
    columns: list[Any] = [items.c[f"k{n}"] for n in range(sums)]
    query = select(*columns, func.count()).select_from(items)
    if by is not None:
        tag = and_(ItemTag.item == items.c.item, ItemTag.field == by)
        query = select(*columns, ItemTag.value, func.count()).select_from(items).outerjoin(ItemTag, tag)
        columns = [*columns, ItemTag.value]
    found = session.connection().execute(query.group_by(*columns).limit(MOST_PATTERNS + 1)).all()
    if len(found) > MOST_PATTERNS:
        return None
    return _decoded(protocol, question, found, sums, digits, who, order, numbers, stages, by is not None)


def _is(one: tuple[UUID, str], who: Sequence[tuple[UUID, str]]) -> Any:
    if len({stage for _, stage in who}) == 1:
        return AnswerRow.person == one[0]
    return and_(AnswerRow.person == one[0], AnswerRow.stage == one[1])


def _chosen(digits: dict[str | None, int], value: Any) -> Any:
    known = [(AnswerRow.value_text == text, _number(n)) for text, n in digits.items() if text is not None]
    missing = [(AnswerRow.na, _number(digits[None]))] if None in digits else []
    return case(*missing, *known, else_=_number(0))


def _number(n: int) -> Any:
    return literal_column(str(n), BigInteger if n >= 2**31 else Integer)


def _is_repeated(session: Session, field: str) -> bool:
    many = select(func.count(), func.count(distinct(ItemTag.item))).where(ItemTag.field == field)
    rows, items = session.execute(many).one()
    return bool(rows != items)


def _decoded(protocol: Protocol, question: str, found: Sequence[Any], sums: int, digits: int,
             who: Sequence[tuple[UUID, str]], order: Sequence[str | None], numbers: dict[str | None, float | None],
             stages: Sequence[str], sliced: bool) -> Counted:
    keys = np.array([row[:sums] for row in found], dtype=np.int64).reshape(-1, sums)
    distinct_keys, place = np.unique(keys, axis=0, return_inverse=True)
    place = place.reshape(-1)
    times = np.array([row[-1] for row in found], dtype=np.int64)
    count = np.bincount(place, times, len(distinct_keys)).astype(np.int64)
    slices: dict[str, Ints] = {}
    if sliced:
        values = [row[sums] for row in found]
        for value in sorted({value for value in values if value is not None}):
            mine = np.array([one == value for one in values])
            slices[value] = np.bincount(place[mine], times[mine], len(distinct_keys)).astype(np.int64)
    labels = [text for text in order if text is not None]
    code_of = [-2, *(labels.index(text) if text is not None else len(labels) if counts_na(protocol, question) else -1
                     for text in order)]
    base, cells = len(order) + 1, np.empty((len(distinct_keys), len(who)), dtype=np.int64)
    for n in range(len(who)):
        key = distinct_keys[:, n // digits] // base ** (n % digits)
        cells[:, n] = np.array(code_of, dtype=np.int64)[key % base]
    shown: list[str | None] = [*labels, *([None] if None in order and counts_na(protocol, question) else [])]
    return Counted(cells, count, tuple(NA if text is None else text for text in shown),
                   tuple(numbers[text] for text in shown), tuple(person for person, _ in who),
                   tuple(stage for stage in stages if stage in {one for _, one in who}), slices, question,
                   scale_of(protocol, question), declared_of(protocol, question))


def measure_counts(found: Counted, metric: str, *, level: str | None = None, weights: str | None = None,
                   interval: str = "bca", replicates: int = 10_000, seed: int = 0, cancelled: Cancelled | None = None
                   ) -> Result:
    """As ``measure`` of the answers themselves, from their counts: costs by patterns, not by items."""
    if len(set(found.people)) < len(found.people):  # somebody answered an item at two stages
        return measure(found.ratings(), metric, level=level, weights=weights, interval=interval,
                       replicates=replicates, seed=seed, cancelled=cancelled)
    known = find_metric(metric)
    given = found.cells >= 0
    used = np.unique(found.cells[given])
    level = level_for(known, found.question, level, scale=found.scale,
                      numbers=all(found.numbers[int(code)] is not None for code in used))
    patterns = patterns_of_counts(np.where(given, found.cells, -1), found.count, least=known.least,
                                  ordered=known.ordered)
    numbers = np.array([np.nan if number is None else number for number in found.numbers], dtype=np.float64)
    scale = Scale(tuple(found.labels[int(code)] for code in patterns.used), numbers[patterns.used], found.declared,
                  level, weights)
    enters = given.sum(axis=1) >= known.least
    result = measure_patterns(patterns, scale, metric, people=int(given[enters].any(axis=0).sum()),
                              missing=int(((found.cells == -1).sum(axis=1) * found.count).sum()),
                              question=found.question, interval=interval, replicates=replicates, seed=seed,
                              cancelled=cancelled)
    return result if given.any() else replace(result, reason=why_nothing(0, result.n_missing))
