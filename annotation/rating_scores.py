"""The ratings of the very things that were compared in pairs, by the same people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import canonical
from annotation.errors import N_, Refused, Unknown
from annotation.judgements import Judgements, judgements
from annotation.protocol import Protocol
from annotation.rating_pairs import Pairs, pairwise_of
from annotation.store.project import protocol_now
from annotation.store.tables import AnswerRow, Item, ItemVersion


@dataclass(frozen=True, slots=True)
class Scores:
    """``values``: (person, prompt, place), as the comparisons name them -> rating. ``question`` None: ``reason``."""

    question: str | None
    reason: str | None = None
    values: Mapping[tuple[str, str, str], float] = field(default_factory=dict)


def read_scores(session: Session, pairs: Pairs, name: str, *, rating: str | None = None) -> Scores:
    """Ratings that count, found in one of two places, whichever the protocol has.

    In a group over the compared candidates: the element that was rated is the candidate of that item. Else in items
    of their own (TrustJudge's rating pass): an item that shows what a pair's item shows, but one text or picture
    in place of the two candidates, rates the candidate with that content. ``rating``: the question, where several
    could be meant. Of two ratings of the same thing by one person the mean counts.
    """
    protocol = protocol_now(session)
    question = pairwise_of(protocol, name)
    if rating is not None and rating not in protocol.value_names:
        raise Unknown(N_("The protocol has no question '{name}'. There are: {known}."), name=rating,
                      known=", ".join(protocol.value_names))
    if rating is not None and not _is_number(protocol, rating):
        raise Refused(N_("'{name}' gives no numbers to compare pairs with"), code="bad_value", name=rating)
    chosen = (rating,) if rating is not None else _meant(protocol, question.on)
    if not chosen:
        return Scores(None, "the protocol asks for no rating of what is compared")
    if len(chosen) > 1:
        return Scores(None, f"several ratings could be meant: {', '.join(chosen)}; say which")
    found = judgements(session, chosen[0])
    grouped = _list_of(protocol, chosen[0]) == question.on
    at = _in_groups(pairs, found) if grouped else _by_content(session, protocol, pairs, found, question.on)
    if not at:
        return Scores(None, f"no rating by {chosen[0]} is of something that was compared")
    sums: dict[tuple[str, str, str], list[float]] = {}
    ratings = found.ratings
    people = [person.hex for person in found.people]
    rows = np.flatnonzero(ratings.code >= 0)
    for unit, person, code in zip(ratings.unit[rows].tolist(), ratings.person[rows].tolist(),
                                  ratings.code[rows].tolist(), strict=True):
        number = ratings.numbers[code]
        if unit in at and number is not None:
            sums.setdefault((people[person], *at[unit]), []).append(float(number))
    return Scores(chosen[0], None, {key: sum(all_) / len(all_) for key, all_ in sums.items()})


def _is_number(protocol: Protocol, name: str) -> bool:
    return protocol.scale_of(name) in ("ordinal", "interval")


def _list_of(protocol: Protocol, name: str) -> str | None:
    """The list over whose elements a question, or a derived value, repeats."""
    if protocol.has_question(name):
        group = protocol.group_of(name)
        return None if group is None else group.for_each
    derive = protocol.derive[name]
    if derive.table is not None:
        return None
    part = getattr(derive, derive.operation)
    if part.across is not None:  # one value over all elements
        return None
    lists = {_list_of(protocol, one) for one in ([part.of] if isinstance(part.of, str) else part.of)}
    return lists.pop() if len(lists) == 1 else None


def _meant(protocol: Protocol, on: str) -> tuple[str, ...]:
    """Ratings of the candidates themselves before ratings in other items; a total before its parts."""
    numbers = [name for name in protocol.value_names if _is_number(protocol, name)]
    inside = [name for name in numbers if _list_of(protocol, name) == on]
    totals = [name for name in inside if name in protocol.derive]
    if len(totals) == 1:
        return (totals[0],)
    alone = [name for name in numbers if protocol.has_question(name) and _list_of(protocol, name) is None]
    return tuple(inside or alone)


def _in_groups(pairs: Pairs, found: Judgements) -> dict[int, tuple[str, str]]:
    out = {}
    for unit, (item, element) in enumerate(found.units):
        one = pairs.items.get(item)
        if one is not None and element in one.ids:
            out[unit] = (str(one.prompt), str(one.places[one.ids.index(element)]))
    return out


def _by_content(session: Session, protocol: Protocol, pairs: Pairs, found: Judgements, on: str
                ) -> dict[int, tuple[str, str]]:
    kinds = {one.name: one.kind for one in protocol.fields if not one.private and one.kind != "tag" and one.name != on}
    shown: dict[UUID, Any] = {item: fields for item, fields in session.execute(
        select(Item.id, ItemVersion.fields_json).join(ItemVersion, ItemVersion.id == Item.current)
        .where(Item.id.in_(select(AnswerRow.item).where(AnswerRow.question == found.ratings.question).distinct())))}
    out = {}
    for unit, (item, _) in enumerate(found.units):
        fields = shown.get(item, {})
        for name, kind in kinds.items():
            if name not in fields:
                continue
            # The rated thing is the one field without which the item shows what a pair's item shows.
            prompt = pairs.prompts.numbers.get(pairs.prompts.of({k: v for k, v in fields.items() if k != name}))
            content = canonical.dumps({"image": fields[name]} if kind == "image" else {"text": fields[name]})
            place = None if prompt is None else pairs.prompts.contents[prompt].get(content)
            if place is not None:
                out[unit] = (str(prompt), str(place))
                break
    return out
