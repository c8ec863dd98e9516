"""How reliable adjudicators are: decisions that a second one made again without sight of the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from annotation import rating_rows
from annotation.agreement.ratings import ratings_of
from annotation.agreement.report import measure
from annotation.agreement.result import Result
from annotation.agreement.share import Share, share
from annotation.answers import Slot
from annotation.store.project import protocol_now
from annotation.store.tables import Adjudication, Item
from annotation.votes import vote_of

NONE = "no decision was made again by a second adjudicator without sight of the first"


@dataclass(frozen=True, slots=True)
class AdjudicatorPair:
    """Two adjudicators, in the order of their handles, whoever was first."""

    one: str
    other: str
    same: Share


@dataclass(frozen=True, slots=True)
class AdjudicatorCheck:
    """One question. ``same``: share of decisions made twice with the same value (Wilson). ``alpha``: Krippendorff's
    between first and second decision, on the level of the question.
    """

    question: str
    same: Share
    alpha: Result
    pairs: tuple[AdjudicatorPair, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return {**asdict(self), "alpha": self.alpha.to_dict()}


def adjudicator_check(session: Session, questions: Sequence[str] = (), *, replicates: int = 2_000, seed: int = 0
                      ) -> tuple[AdjudicatorCheck, ...]:
    """Every question with a decision that was made twice, blind, both of which stand; ``questions``: of these only.

    What is decided is what people differ on, so this is agreement on the hard items, not on all.
    """
    protocol = protocol_now(session)
    rows = [row for row in _pairs(session) if not questions or row.question in questions]
    known = rating_rows.everybody(session)
    out = []
    for name in dict.fromkeys(row.question for row in rows):
        if name not in protocol.value_names:
            continue
        judged: list[tuple[Any, int, str | float | None]] = []
        by_pair: dict[tuple[str, str], list[bool]] = {}
        numeric = protocol.scale_of(name) in ("ordinal", "interval")
        for row in (row for row in rows if row.question == name):
            slot = Slot(name, row.element or None)
            votes = [vote_of(protocol, slot, answer, row.item, None) for answer in (row.first, row.second)]
            unit = (row.item, row.element)
            judged += [(unit, n, None if vote.answer.get("na") else vote.number if numeric else vote.key)
                       for n, vote in enumerate(votes)]
            one, other = sorted((known[row.by].handle, known[row.again].handle))
            by_pair.setdefault((one, other), []).append(votes[0].key == votes[1].key)
        same = [hit for hits in by_pair.values() for hit in hits]
        ratings = replace(ratings_of(judged, question=name),
                          scale=protocol.scale_of(name) if numeric else "nominal")
        out.append(AdjudicatorCheck(
            name, share(sum(same), len(same), nothing=NONE),
            measure(ratings, "krippendorff_alpha", replicates=replicates, seed=seed),
            tuple(AdjudicatorPair(one, other, share(sum(hits), len(hits), nothing=NONE))
                  for (one, other), hits in sorted(by_pair.items()))))
    return tuple(out)


def twice(session: Session, question: str) -> tuple[Twice, ...]:
    """The decisions of one question that were made twice, each beside the other, in the order of the second."""
    return tuple(one for one in _pairs(session) if one.question == question)


@dataclass(frozen=True, slots=True)
class Twice:
    """One decision and the blind one beside it: who made them, and both answers."""

    item: UUID
    element: str
    question: str
    by: UUID
    first: Any
    again: UUID
    second: Any


def _pairs(session: Session) -> list[Twice]:
    first, cancel, undone = aliased(Adjudication), aliased(Adjudication), aliased(Adjudication)
    return [Twice(*row) for row in session.execute(
        select(first.item, first.element, first.question, first.by, first.value_json, Adjudication.by,
               Adjudication.value_json)
        .join(first, first.id == Adjudication.second_of).join(Item, Item.id == first.item)
        .where(Item.state != "withdrawn", Adjudication.value_json.is_not(None), first.value_json.is_not(None),
               ~select(cancel.id).where(cancel.cancels == Adjudication.id).exists(),
               ~select(undone.id).where(undone.cancels == first.id).exists())
        .order_by(Adjudication.id))]
