"""Counting people's error rates anew, and with them the gold of the rule dawid_skene.

Error rates hang on all answers of a question, so they are counted when somebody asks for it and not with every submit:
between two counts gold stays what the last count and the item's own answers make of it, whoever looks and
whenever. A release is refused while there are answers that were not counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from annotation import canonical, gold, people, stages, trail
from annotation.agreement.competence.em import CONSTANT, estimate
from annotation.done import Done
from annotation.errors import N_, Refused
from annotation.gold_model import as_json, read_models, with_models, write_model
from annotation.gold_posterior import GoldModel
from annotation.gold_votes import NA_KEY
from annotation.judgement_view import NA
from annotation.judgements import judgements
from annotation.protocol import Protocol
from annotation.rating_competence import RESTARTS, SMOOTHING
from annotation.store.project import protocol_now
from annotation.store.tables import AnswerRow, Gold, Item
from annotation.votes import CHUNK, read_facts, settled

TOUCHED = frozenset({"gold", "adjudication", "progress", "items"})
STORED = 9  # digits of a stored rate: more than any posterior shows


@dataclass(frozen=True, slots=True)
class Counted:
    """One question: from how many answers of how many people; ``reason`` where error rates cannot be told."""

    question: str
    answers: int
    people: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class Recount:
    """``changed``: items whose gold, or what is due of them, is other than before."""

    questions: tuple[Counted, ...]
    items: int
    changed: int


def recount(session: Session, *, by: UUID, progress: Callable[[int, int], None] | None = None) -> Done:
    """Count the error rates of every question with the rule dawid_skene, and gold with them (a ``Recount``).

    Dawid & Skene (1979) by EM from vote shares, 3 restarts, 0.1 labels of prior in each cell. Signed items keep what
    was signed. Not undone: counting again with other answers is how it changes. Refused where no rule asks for it.
    """
    people.require_right(session, by, "release")
    protocol = protocol_now(session)
    names = with_models(protocol)
    if not names:
        raise Refused(N_("no gold rule of this protocol counts people's error rates (dawid_skene)"), code="bad_value")
    models = {name: count_model(session, protocol, name) for name in names}
    for name, model in models.items():
        write_model(session, protocol, name, model)
    items = list(session.scalars(select(AnswerRow.item).where(AnswerRow.question.in_(names)).distinct()
                                 .order_by(AnswerRow.item)))
    changed = 0
    for start in range(0, len(items), CHUNK):
        changed += _refresh(session, protocol, items[start:start + CHUNK])
        if progress is not None:
            progress(min(start + CHUNK, len(items)), len(items))
    trail.record(session, "recount", person=by, ids={},
                 payload={name: canonical.sha256(as_json(model)) for name, model in models.items()})
    told = tuple(Counted(name, model.answers, len(model.people), model.reason) for name, model in models.items())
    return Done("Recount gold", TOUCHED, None, Recount(told, len(items), changed))


def stale_models(session: Session) -> tuple[str, ...]:
    """Questions whose answers are others than those that the error rates were counted from (or never were)."""
    protocol = protocol_now(session)
    models = read_models(session, protocol)
    return tuple(name for name in with_models(protocol)
                 if name not in models or _seen(session, protocol, name) != (models[name].answers, models[name].newest))


def require_counted(session: Session) -> None:
    """Refused (code ``stale_model``) while a release would hold gold by error rates that are out of date."""
    stale = stale_models(session)
    if stale:
        raise Refused(N_("there are answers to {names} since people's error rates were counted; "
                         "recount first: goldsmith gold PROJECT --recount"), code="stale_model", names=", ".join(stale))


def count_model(session: Session, protocol: Protocol, name: str) -> GoldModel:
    """The error rates by all answers that count, without writing."""
    found = judgements(session, name)
    answers, newest = _seen(session, protocol, name)
    na_is_class = protocol.has_question(name) and getattr(
        getattr(protocol.question(name), "na", None), "agreement", "") == "category"
    truth = estimate(found.ratings, smoothing=SMOOTHING, restarts=RESTARTS)
    keys = tuple(NA_KEY if na_is_class and label == NA else label for label in truth.votes.labels)
    none = GoldModel(keys, na_is_class=na_is_class, answers=answers, newest=newest)
    if truth.reason == CONSTANT:  # the one answer that everybody gave is certain, and there is no error to count
        return replace(none, shares=(1.0,))
    if truth.confusion is None or truth.marginals is None:
        return replace(none, reason=truth.reason)
    rates: dict[str, tuple[tuple[float, ...], ...]] = {
        found.people[person].hex: tuple(tuple(round(float(rate), STORED) for rate in row) for row in matrix)
        for person, matrix in zip(truth.votes.people.tolist(), truth.confusion, strict=True)}
    return replace(none, shares=tuple(round(float(one), STORED) for one in truth.marginals), people=rates)


def _seen(session: Session, protocol: Protocol, name: str) -> tuple[int, str | None]:
    """How many answers count now, and the last revision among them."""
    n, newest = session.execute(
        select(func.count(), func.max(AnswerRow.revision)).where(
            AnswerRow.question == name, AnswerRow.counts, AnswerRow.repeat_no == 0,
            AnswerRow.form_hash == protocol.form_hash, AnswerRow.stage.in_(("annotate", "verify")),
            AnswerRow.item.not_in(select(Item.id).where((Item.state == "withdrawn") | (Item.kind != "item"))))).one()
    return n, None if newest is None else newest.hex


def _refresh(session: Session, protocol: Protocol, items: list[UUID]) -> int:
    """Gold and stages of the items among these for which the new rates make a difference."""
    kept: dict[UUID, list[dict[str, Any]]] = {}
    for row in session.execute(select(*gold.COLUMNS).where(Gold.item.in_(items)).order_by(Gold.element, Gold.question)):
        kept.setdefault(row.item, []).append(row._asdict())
    adjudicates = "adjudicate" in protocol.workflow.stages
    changed = 0
    for facts in read_facts(session, protocol, items):
        if facts.signed is not None:
            continue
        found = settled(protocol, facts)
        rows = gold.rows_of(facts.item, found, locked=False)
        wanted = sorted(rows, key=lambda row: (row["element"], row["question"]))
        # Without a value an item may have become due for adjudication, or have ceased to be.
        if wanted != kept.get(facts.item, []) or (adjudicates and found.missing):
            stages.refresh(session, facts.item)
            changed += 1
    return changed
