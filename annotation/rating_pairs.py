"""The judged pairs of one question, read from the store: what stood first, who won, and what the two things were."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy import Text, or_, select, type_coerce
from sqlalchemy.orm import Session

from annotation import canonical, form
from annotation.agreement.preferences.comparisons import FIRST, SECOND, TIE, Comparisons
from annotation.errors import N_, Refused, Unknown
from annotation.protocol import Protocol
from annotation.questions.pairwise import TIES, PairwiseQuestion
from annotation.store.project import protocol_now
from annotation.store.tables import AnswerRow, Item, ItemSecret, ItemVersion, Revision, Round, Task
from annotation.store.types import as_stored, as_uuid

_POSITIONAL = re.compile(r"c[1-9][0-9]*")  # what a candidate is called whose file gave it no id
_LAST = re.compile(r"^(.*?)_?([0-9]|[a-z])$")


@dataclass(frozen=True, slots=True)
class PairItem:
    """One item with two candidates. ``prompt``: what both answer; ``places``: which of its answers they are.

    ``names``: under which they are compared across items, None where they have none. ``lengths``: characters.
    """

    ids: tuple[str, str]
    prompt: int
    places: tuple[int, int]
    names: tuple[str, str] | None
    lengths: tuple[int | None, int | None]


@dataclass(slots=True)
class Prompts:
    """What the candidates answer, each with its candidates by content; numbers stand for both, so no text gets out."""

    fields: tuple[str, ...]
    numbers: dict[str, int] = field(default_factory=dict)
    places: list[dict[str, int]] = field(default_factory=list)    # of a prompt: candidate (name or content) -> place
    contents: list[dict[str, int]] = field(default_factory=list)  # of a prompt: content -> the same place

    def of(self, shown: Mapping[str, Any]) -> str:
        return canonical.dumps({name: shown[name] for name in self.fields if name in shown})

    def number(self, key: str) -> int:
        if key not in self.numbers:
            self.numbers[key] = len(self.numbers)
            self.places.append({})
            self.contents.append({})
        return self.numbers[key]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Judgements of pairs, one row each, in the order of time. ``people``: ids, by the comparisons' places.

    ``within``: what is compared are the answers to one prompt (names are their places, items the prompts).
    ``across``: the same rows that have names across items, or None; ``rows_across``: their places in ``within``.
    ``item``: the item of each row, as a number. ``counts``: independent first judgements; the others are repeats.
    ``ordered``: the order on the screen is known. ``left_out``: answers that name a candidate who is gone, or N/A.
    """

    within: Comparisons
    across: Comparisons | None
    rows_across: np.ndarray
    item: np.ndarray
    counts: np.ndarray
    ordered: np.ndarray
    people: tuple[UUID, ...]
    lengths: Mapping[tuple[str, str], float]
    named_by: str | None
    left_out: int
    prompts: Prompts
    items: Mapping[UUID, PairItem]


def pairwise_of(protocol: Protocol, name: str) -> PairwiseQuestion:
    """The pairwise question of this name; Refused for another type, Unknown for another name."""
    if name not in protocol.value_names:
        raise Unknown(N_("The protocol has no question '{name}'. There are: {known}."), name=name,
                      known=", ".join(protocol.value_names))
    question = protocol.question(name) if protocol.has_question(name) else None
    if not isinstance(question, PairwiseQuestion):
        raise Refused(N_("'{name}' compares no pairs; these do: {known}"), code="bad_value", name=name,
                      known=", ".join(pairwise_names(protocol)) or "none")
    return question


def pairwise_names(protocol: Protocol) -> tuple[str, ...]:
    return tuple(question.name for question in protocol.asked if isinstance(question, PairwiseQuestion))


def read_pairs(session: Session, name: str, *, names: Sequence[str] = ()) -> Pairs:
    """All standing judgements of a pairwise question that count, and blind repeats of them.

    ``names``: the two fields (private ones too) that hold what the first and the second candidate are called across
    items, as ``model1``, ``model2``; without them the candidates' own ids where the file gave any, else two private
    fields whose names differ in their last letter alone. Costs one pass over the answers and one over their items.
    """
    protocol = protocol_now(session)
    question = pairwise_of(protocol, name)
    raw = _rows(session, question.name, protocol.form_hash)
    wanted = {row[0] for row in raw}
    prompts = Prompts(tuple(f.name for f in protocol.fields
                            if not f.private and f.kind != "tag" and f.name != question.on))
    fields = {item: shown for item, shown in _fields(session, question.name) if item in wanted}
    named_by, called = _called(session, protocol, question, fields, tuple(names))
    items = {item: made for item, shown in fields.items()
             if (made := _pair_item(protocol, question, shown, prompts, called.get(item))) is not None}
    return _pairs(raw, items, question, prompts, named_by)


def _rows(session: Session, name: str, form_hash: str) -> list[Any]:
    """(item, person, value, na, counts, order as text), first judgements and blind repeats, in the order of time."""
    blind = (AnswerRow.repeat_no > 0, Revision.shown == "nothing", ~Revision.after_reveal,
             Task.round.in_(select(Round.id).where(Round.kind.in_(("main", "recheck")))))
    return list(session.execute(
        select(as_stored(session, AnswerRow.item), as_stored(session, AnswerRow.person), AnswerRow.value_text,
               AnswerRow.na, AnswerRow.counts, type_coerce(Task.order_json, Text))
        .join(Revision, Revision.id == AnswerRow.revision).join(Task, Task.id == Revision.task)
        .where(AnswerRow.question == name, AnswerRow.element == "", AnswerRow.form_hash == form_hash,
               AnswerRow.stage.in_(("annotate", "verify")), or_(AnswerRow.counts, blind[0] & blind[1] & blind[2]
                                                                & blind[3]),
               AnswerRow.item.not_in(select(Item.id).where((Item.state == "withdrawn") | (Item.kind != "item"))))
        .order_by(AnswerRow.revision)))


def _fields(session: Session, name: str) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    rows: Any = session.execute(
        select(as_stored(session, Item.id), ItemVersion.fields_json).join(ItemVersion, ItemVersion.id == Item.current)
        .where(Item.id.in_(select(AnswerRow.item).where(AnswerRow.question == name).distinct())))
    return iter(rows)


def _pair_item(protocol: Protocol, question: PairwiseQuestion, shown: Mapping[str, Any], prompts: Prompts,
               called: tuple[str, str] | None) -> PairItem | None:
    found = form.elements(protocol, shown, question.on)
    if len(found) != 2:
        return None
    prompt = prompts.number(prompts.of(shown))
    places = []
    for position, one in enumerate(found):
        content = content_of(one.value)
        known = prompts.places[prompt]
        place = known.setdefault(called[position] if called else content, len(known))
        prompts.contents[prompt].setdefault(content, place)
        places.append(place)
    left, right = (_length(one.value) for one in found)
    return PairItem((found[0].id, found[1].id), prompt, (places[0], places[1]), called, (left, right))


def _length(candidate: Mapping[str, Any]) -> int | None:
    """Characters of a candidate that is a text and nothing else."""
    text = candidate.get("text")
    return len(text) if isinstance(text, str) and "image" not in candidate else None


def content_of(candidate: Mapping[str, Any]) -> str:
    """What a candidate is, whatever its id."""
    return canonical.dumps({key: value for key, value in candidate.items() if key in ("text", "image")})


def _called(session: Session, protocol: Protocol, question: PairwiseQuestion, fields: Mapping[Any, Mapping[str, Any]],
            names: tuple[str, ...]) -> tuple[str | None, dict[Any, tuple[str, str]]]:
    """Where names across items come from, in words, and the two names of each item that has them."""
    for one in names:
        if not protocol.has_field(one):
            raise Unknown(N_("The protocol has no field '{name}'. There are: {known}."), name=one,
                          known=", ".join(f.name for f in protocol.fields))
    if names and len(names) != 2:
        raise Refused(N_("two fields name the two candidates, as model1,model2; there are {n}"), code="bad_value",
                      n=len(names))
    if not names:
        ids = {item: tuple(one.id for one in form.elements(protocol, shown, question.on))
               for item, shown in fields.items()}
        if any(not _POSITIONAL.fullmatch(id) for pair in ids.values() for id in pair):
            return f"ids of {question.on}", {item: (pair[0], pair[1]) for item, pair in ids.items() if len(pair) == 2}
        names = twin_fields(protocol)
    if not names:
        return None, {}
    secret = _secrets(session, question.name) if any(protocol.field(one).private for one in names) else {}
    out = {}
    for item, shown in fields.items():
        both = {**shown, **secret.get(item, {})}
        if all(both.get(one) not in (None, "") for one in names):
            out[item] = (str(both[names[0]]), str(both[names[1]]))
    return ", ".join(names), out


def twin_fields(protocol: Protocol) -> tuple[str, ...]:
    """Two private fields as ``model1`` and ``model2``, or ``model_a`` and ``model_b``; () unless one pair is such."""
    stems: dict[str, list[str]] = {}
    for one in protocol.fields:
        match = _LAST.match(one.name) if one.private and one.kind in ("text", "tag") else None
        if match is not None and match[1]:
            stems.setdefault(match[1], []).append(one.name)
    twins = [tuple(found) for found in stems.values() if len(found) == 2]
    return twins[0] if len(twins) == 1 else ()


def _secrets(session: Session, name: str) -> dict[Any, Mapping[str, Any]]:
    return {item: secret for item, secret in session.execute(
        select(as_stored(session, Item.id), ItemSecret.fields_json)
        .join(ItemSecret, ItemSecret.item_version == Item.current)
        .where(Item.id.in_(select(AnswerRow.item).where(AnswerRow.question == name).distinct())))}


def _pairs(raw: Sequence[Any], items: Mapping[Any, PairItem], question: PairwiseQuestion, prompts: Prompts,
           named_by: str | None) -> Pairs:
    people: dict[Any, int] = {}
    number = {item: n for n, item in enumerate(items)}
    orders: dict[str | None, tuple[str, ...] | None] = {}
    rows: list[tuple[int, int, int, int, int, int, bool, bool]] = []
    turned: list[bool] = []
    for item, person, value, na, counts, order in raw:
        one = items.get(item)
        if one is None or na or (value not in one.ids and value not in TIES) or one.places[0] == one.places[1]:
            continue
        if order not in orders:
            orders[order] = _shown(order, question)
        shown = orders[order]
        known = shown is not None and (not shown or set(one.ids) <= set(shown))
        turn = bool(shown) and known and shown is not None and shown.index(one.ids[1]) < shown.index(one.ids[0])
        outcome = TIE if value in TIES else FIRST if value == one.ids[turn] else SECOND
        rows.append((one.places[turn], one.places[1 - turn], outcome, people.setdefault(person, len(people)),
                     one.prompt, number[item], bool(counts), known))
        turned.append(turn)
    table = np.array(rows, dtype=np.int64).reshape(-1, 8)
    labels = tuple(str(n) for n in range(max(map(len, prompts.places), default=0)))
    ids = tuple(as_uuid(person) for person in people)
    within = Comparisons(first=table[:, 0], second=table[:, 1], outcome=table[:, 2], person=table[:, 3],
                         item=table[:, 4], names=labels, people=tuple(one.hex for one in ids),
                         items=tuple(str(n) for n in range(len(prompts.numbers))))
    listed = list(items.values())
    across, kept = _across(within, listed, table[:, 5], np.array(turned, dtype=bool))
    return Pairs(within, across, kept, table[:, 5], table[:, 6] > 0, table[:, 7] > 0, ids, _lengths(listed), named_by,
                 len(raw) - len(rows), prompts, {as_uuid(item): one for item, one in items.items()})


def _shown(order: str | None, question: PairwiseQuestion) -> tuple[str, ...] | None:
    """The candidates' ids from left to right; () as imported; None where no order is known (answers from a file)."""
    if order is None or order == "null":
        return None
    found = (canonical.loads(order) or {}).get("candidates", {}).get(question.on)
    return tuple(found) if found else ()


def _across(within: Comparisons, items: Sequence[PairItem], item: np.ndarray, turned: np.ndarray
            ) -> tuple[Comparisons | None, np.ndarray]:
    """The rows under names that mean the same in every item; what is compared with itself is left out."""
    names = sorted({name for one in items if one.names for name in one.names})
    place = {name: n for n, name in enumerate(names)}
    sides = np.array([[place[name] for name in one.names] if one.names else [-1, -1] for one in items],
                     dtype=np.int64).reshape(-1, 2)
    of_row = sides[item] if len(item) else np.zeros((0, 2), dtype=np.int64)
    kept = np.flatnonzero((of_row[:, 0] >= 0) & (of_row[:, 0] != of_row[:, 1]))
    if not names:
        return None, kept
    turn = turned[kept].astype(np.int64)
    rows = np.arange(len(kept))
    part = within.rows(kept)
    return Comparisons(first=of_row[kept][rows, turn], second=of_row[kept][rows, 1 - turn], outcome=part.outcome,
                       person=part.person, item=part.item, names=tuple(names), people=part.people,
                       items=part.items), kept


def _lengths(items: Sequence[PairItem]) -> dict[tuple[str, str], float]:
    return {(str(one.prompt), str(place)): float(length) for one in items
            for place, length in zip(one.places, one.lengths, strict=True) if length}
