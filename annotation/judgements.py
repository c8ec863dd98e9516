"""The answers that count, as ratings: one query from the store to the numbers of agreement."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast
from uuid import UUID

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.agreement.metric import metrics
from annotation.agreement.ratings import Ints, Ratings
from annotation.agreement.report import find_metric, measure, measure_by
from annotation.agreement.result import Result
from annotation.errors import N_, Refused, Unknown
from annotation.protocol import Protocol
from annotation.protocol_parts import AgreementSpec
from annotation.store.project import protocol_now
from annotation.store.tables import AnswerRow, Item, ItemTag
from annotation.store.types import as_stored, as_uuid

STAGES = ("annotate", "verify")
NA = "N/A"


@dataclass(frozen=True, slots=True)
class Judgements:
    """``units[u]`` = (item, element or None) and ``people[p]`` belong to the numbers in ``ratings``."""

    units: tuple[tuple[UUID, str | None], ...]
    people: tuple[UUID, ...]
    ratings: Ratings
    stages: tuple[str, ...]

    def items_of(self, *, by: str | None = None) -> tuple[UUID, ...]:
        """The items behind the numbers (of one slice with ``by``), each once: where a cell leads to."""
        chosen = range(len(self.units)) if by is None else self.ratings.slices.get(by, ())
        return tuple(dict.fromkeys(self.units[int(u)][0] for u in chosen))


def judgements(session: Session, question: str, *, by: str | None = None,
               stages: Sequence[str] | None = None) -> Judgements:
    """All answers that count to one question or derived value, of items that are not withdrawn.

    Counting is a fact kept with each answer: standing, first of a repeat, round main, given without sight of
    others' (``annotate``, and ``verify`` where it was blind). Unknown for another question.
    """
    protocol = protocol_now(session)
    if question not in protocol.value_names:
        raise Unknown(N_("The protocol has no question '{name}'. There are: {known}."), name=question,
                      known=", ".join(protocol.value_names))
    wanted = tuple(stages) if stages is not None else STAGES
    rows = session.execute(
        select(as_stored(session, AnswerRow.item), AnswerRow.element, as_stored(session, AnswerRow.person),
               AnswerRow.value_text, AnswerRow.value_num, AnswerRow.na, AnswerRow.stage)
        .where(AnswerRow.question == question, AnswerRow.counts, AnswerRow.repeat_no == 0,
               AnswerRow.stage.in_(wanted), AnswerRow.form_hash == protocol.form_hash,
               AnswerRow.item.not_in(select(Item.id).where((Item.state == "withdrawn") | (Item.kind != "item")))))
    seen: dict[tuple[Any, str], int] = {}
    persons: dict[Any, int] = {}
    values: dict[str | None, int] = {}
    numbers: list[float | None] = []
    used: set[str] = set()
    na_counts = _counts_na(protocol, question)
    unit_of, person_of, code_of = array("q"), array("q"), array("q")
    for item, element, person, text, number, na, stage in rows:
        unit_of.append(seen.setdefault((item, element), len(seen)))
        person_of.append(persons.setdefault(person, len(persons)))
        used.add(stage)
        if na and not na_counts:
            code_of.append(-1)
            continue
        key = None if na else text
        if key not in values:
            values[key] = len(values)
            numbers.append(None if na else number)
        code_of.append(values[key])
    units = [(as_uuid(item), element) for item, element in seen]
    people = [as_uuid(person) for person in persons]
    clusters = dict(session.execute(select(Item.id, Item.cluster).where(Item.cluster.is_not(None))).all())
    labels, code, ordered = _in_order(values, numbers, _array(code_of))
    scale = protocol.scale_of(question)
    ratings = Ratings(
        unit=_array(unit_of), person=_array(person_of), code=code, labels=labels, numbers=ordered,
        n_units=len(units), question=question,
        scale=scale if scale in ("nominal", "ordinal", "interval") else "nominal",
        block=_blocks([item for item, _ in units], clusters),
        clustered=any(item in clusters for item, _ in units),
        slices=_slices(session, by, [item for item, _ in units]) if by is not None else {},
    )
    return Judgements(tuple((item, element or None) for item, element in units), tuple(people), ratings,
                      tuple(stage for stage in wanted if stage in used))


def agreement(session: Session, questions: Sequence[str] = (), *, metric: str | None = None, level: str | None = None,
              by: str | None = None, replicates: int = 10_000, seed: int = 0,
              progress: Callable[[int, int], None] | None = None,
              cancelled: Callable[[], bool] | None = None) -> tuple[Result, ...]:
    """The results that a protocol asks for; or, for ``questions`` or a ``metric``, those. ``by``: also per slice.

    A metric asked for by name that is not built yet is Refused; one that only the protocol names is a
    result without a value that says so.
    """
    protocol = protocol_now(session)
    if metric is not None:
        find_metric(metric)
    if by is not None and not any(field.name == by and field.kind == "tag" for field in protocol.fields):
        tags = ", ".join(field.name for field in protocol.fields if field.kind == "tag") or "none"
        raise Unknown(N_("'{field}' is not a tag of this protocol. Its tags are: {known}."), field=by, known=tags)
    specs = _specs(protocol, questions, metric, level)
    said = f"{protocol.id} {protocol.version}"
    out: list[Result] = []
    read: dict[str, Judgements] = {}
    for done, spec in enumerate(specs, 1):
        if spec.question not in read:
            read = {spec.question: judgements(session, spec.question, by=by)}  # one question in memory at a time
        found = read[spec.question]
        name = str(spec.metric)
        if name not in metrics:
            results: tuple[Result, ...] = (_later(found.ratings, name),)
        else:
            results = (measure(found.ratings, name, level=spec.level, replicates=replicates, seed=seed,
                               cancelled=cancelled),)
            if by is not None:
                results += measure_by(found.ratings, name, by, level=spec.level, replicates=replicates, seed=seed,
                                      cancelled=cancelled)
        out += [replace(result, stage=" + ".join(found.stages) or None, protocol=said) for result in results]
        if progress is not None:
            progress(done, len(specs))
    return tuple(out)


def _specs(protocol: Protocol, questions: Sequence[str], metric: str | None, level: str | None
           ) -> list[AgreementSpec]:
    for name in questions:
        if name not in protocol.value_names:
            raise Unknown(N_("The protocol has no question '{name}'. There are: {known}."), name=name,
                          known=", ".join(protocol.value_names))
    if metric is None and not questions:
        chosen = list(protocol.agreement) or [
            AgreementSpec(question=name, metric="krippendorff_alpha") for name in protocol.value_names
            if protocol.scale_of(name) in ("nominal", "ordinal", "interval")]
    elif metric is None:
        chosen = [spec for name in questions for spec in (
            [spec for spec in protocol.agreement if spec.question == name]
            or [AgreementSpec(question=name, metric="krippendorff_alpha")])]
    else:
        names = questions or tuple(dict.fromkeys(spec.question for spec in protocol.agreement)) or protocol.value_names
        chosen = [AgreementSpec.model_construct(question=name, metric=cast(Any, metric), level=None) for name in names]
    if level is None:
        return chosen
    return [spec.model_copy(update={"level": level}) for spec in chosen]


def _later(ratings: Ratings, metric: str) -> Result:
    return Result(question=ratings.question, metric=metric, value=None, n_items=0, n_people=0, n_judgements=0,
                  n_missing=0, reason=f"{metric} comes later")


def _counts_na(protocol: Protocol, question: str) -> bool:
    """Whether N/A is an answer of its own (``na: {agreement: category}``) and not missing."""
    if not protocol.has_question(question):
        return False
    na = getattr(protocol.question(question), "na", None)
    return getattr(na, "agreement", "missing") == "category"


def _in_order(values: dict[str | None, int], numbers: list[float | None], code: Ints
              ) -> tuple[tuple[str, ...], Ints, tuple[float | None, ...]]:
    """Values by number, then text (N/A last), so that nothing depends on who answered first."""
    order = sorted(values, key=lambda text: (text is None, numbers[values[text]] is None,
                                             numbers[values[text]] or 0.0, text or ""))
    rank = {text: n for n, text in enumerate(order)}
    place = np.array([*(rank[text] for text in values), -1], dtype=np.int64)
    return (tuple(NA if text is None else text for text in order), place[code] if len(code) else code,
            tuple(numbers[values[text]] for text in order))


def _array(values: array[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def _blocks(items: list[UUID], clusters: dict[UUID, str | None]) -> Ints | None:
    """What is drawn together: items of one cluster, else the elements of one item; None if each unit stands alone."""
    names: dict[str | UUID, int] = {}
    block = [names.setdefault(clusters.get(item) or item, len(names)) for item in items]
    return np.array(block, dtype=np.int64) if len(names) < len(items) else None


def _slices(session: Session, field: str, items: list[UUID]) -> dict[str, Ints]:
    tags: dict[UUID, list[str]] = {}
    for item, value in session.execute(select(ItemTag.item, ItemTag.value).where(ItemTag.field == field)):
        tags.setdefault(item, []).append(value)
    found: dict[str, list[int]] = {}
    for unit, item in enumerate(items):
        for value in tags.get(item, ()):
            found.setdefault(value, []).append(unit)
    if items and not found:
        raise Refused(N_("No answered item carries the tag {field}"), code="bad_value", field=field)
    return {value: np.array(units, dtype=np.int64) for value, units in found.items()}
