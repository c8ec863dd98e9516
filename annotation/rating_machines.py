"""Models and judges as raters: each against every person, the majority and gold, and against people's own agreement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy import Text, select, type_coerce
from sqlalchemy.orm import Session

from annotation import canonical, rating_rows
from annotation.agreement.machines import DIFFERENCE, EACH_OTHER, PEOPLE, compare
from annotation.agreement.ratings import Ints, Ratings
from annotation.agreement.report import in_order
from annotation.agreement.result import BCA_CLUSTERS, BCA_ITEMS
from annotation.answers import Slot
from annotation.errors import N_, Unknown
from annotation.judgements import Judgements, judgements
from annotation.protocol import Protocol
from annotation.rating_predictions import Predicted
from annotation.rating_rows import Known
from annotation.store.project import protocol_now
from annotation.store.tables import Gold, ItemTag
from annotation.votes import vote_of

NOMINAL = ("accuracy", "cohen_kappa", "krippendorff_alpha")
NUMERIC = (*NOMINAL, "pearson", "mae")
MAJORITY, GOLD = "majority", "gold"
OWN_GOLD = "this machine's own answers are among those that gold was made of"


@dataclass(frozen=True, slots=True)
class Against:
    """One number of one machine. ``kind``: person (``against`` his handle), majority (the value of more than half of
    at least two people), gold, people (mean over people), people_each_other (mean over pairs of people on the same
    items), difference (people less people_each_other; of ``mae``, above 0 is worse). ``n``: answers compared.
    """

    kind: str
    against: str
    metric: str
    weights: str | None
    level: str | None
    value: float | None
    ci: tuple[float, float] | None
    n: int
    reason: str | None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class MachineReport:
    """One machine at one question, over all items or those of one slice (``by``). ``source``: project or file.

    ``answers``: items (elements in a group) that the machine answered and a person or gold too; ``unmatched``: that
    nobody else did. Intervals are BCa over items (``ci_method``), machine and people drawn together.
    """

    machine: str
    source: str
    question: str
    answers: int
    unmatched: int
    people: int
    ci_method: str
    replicates: int
    seed: int
    against: tuple[Against, ...]
    by: dict[str, str] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


def machine_reports(session: Session, questions: Sequence[str] = (), *, predictions: Iterable[Predicted] = (),
                    by: str | None = None, replicates: int = 2_000, seed: int = 0, least: int = 2,
                    progress: Callable[[int, int], None] | None = None,
                    cancelled: Callable[[], bool] | None = None) -> tuple[MachineReport, ...]:
    """Every machine of the project and of ``predictions`` at each question that it answered, then per value of ``by``.

    ``questions``: default all whose answers can be equal. ``least``: a slice with fewer items of the machine is left
    out. Answers of people and of the project's machines are those that count; a machine's answers from a file are
    taken as they are. One query per question, one for gold, one for tags.
    """
    protocol = protocol_now(session)
    foreign: dict[str, list[Predicted]] = {}
    for one in predictions:
        foreign.setdefault(one.question, []).append(one)
    names = tuple(questions) or tuple(
        name for name in protocol.value_names if protocol.scale_of(name) not in ("text", "none"))
    for name in names:
        if name not in protocol.value_names:
            raise Unknown(N_("The protocol has no question '{name}'. There are: {known}."), name=name,
                          known=", ".join(protocol.value_names))
    if by is not None and not any(field.name == by and field.kind == "tag" for field in protocol.fields):
        raise Unknown(N_("'{field}' is not a tag of this protocol. Its tags are: {known}."), field=by,
                      known=", ".join(field.name for field in protocol.fields if field.kind == "tag") or "none")
    known = rating_rows.everybody(session)
    out: list[MachineReport] = []
    for done, name in enumerate(names, 1):
        found = judgements(session, name)
        if foreign.get(name) or any(known[one].kind == "machine" for one in found.people):
            side = side_of(session, protocol, found, name, foreign.get(name, ()), known)
            slices = _slices(session, by, side) if by is not None else {}
            for machine in side.machines:
                out += _reports(side, machine, by, slices, replicates=replicates, seed=seed, least=least,
                                cancelled=cancelled)
        if progress is not None:
            progress(done, len(names))
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Side:
    """All raters of one question. ``machines``: (name, source, place in the ratings); ``people``: handles by place."""

    ratings: Ratings
    items: tuple[UUID, ...]
    machines: tuple[tuple[str, str, int], ...]
    people: Mapping[int, str]
    majority: Ints
    gold: Ints
    by_rule: Ints  # units whose gold is a rule over answers, in which a machine's own may be


def side_of(session: Session, protocol: Protocol, found: Judgements, name: str, foreign: Sequence[Predicted],
            known: Mapping[UUID, Known]) -> Side:
    """People, machines of the project and of ``foreign`` (all about this question), the majority and gold."""
    units = {(item, element or ""): n for n, (item, element) in enumerate(found.units)}
    labels = {label: n for n, label in enumerate(found.ratings.labels)}
    numbers = list(found.ratings.numbers)

    def code_of(text: str | None, number: float | None) -> int:
        if text is None:
            return -1
        if text not in labels:
            labels[text] = len(labels)
            numbers.append(number)
        return labels[text]

    names: dict[str, int] = {}
    rows: list[tuple[int, int, int]] = []
    for one in foreign:
        place = names.setdefault(one.machine, len(found.people) + len(names))
        unit = units.setdefault((one.item, one.element), len(units))
        rows.append((unit, place, code_of(one.text, one.number)))
    gold, by_rule = _gold(session, protocol, name, units, code_of)
    added = np.array(rows, dtype=np.int64).reshape(-1, 3)
    ratings = replace(
        found.ratings, unit=np.r_[found.ratings.unit, added[:, 0]], person=np.r_[found.ratings.person, added[:, 1]],
        code=np.r_[found.ratings.code, added[:, 2]], labels=tuple(labels), numbers=tuple(numbers), n_units=len(units),
        block=_blocks(found.ratings.block, list(units)), slices={})
    people = {n: known[one].handle for n, one in enumerate(found.people) if known[one].kind == "human"}
    if ratings.scale != "nominal" and (ratings.has_numbers or not len(ratings.code)):
        ratings, gold = _ordered(ratings, gold)
    else:
        ratings = replace(ratings, scale="nominal")
    machines = [(known[one].handle, "project", n) for n, one in enumerate(found.people) if known[one].kind == "machine"]
    machines += [(machine, "file", place) for machine, place in names.items()]
    return Side(ratings, tuple(item for item, _ in units), tuple(machines), people,
                _majority(ratings, np.array(list(people), dtype=np.int64)), gold, by_rule)


def _blocks(block: Ints | None, units: Sequence[tuple[UUID, str]]) -> Ints | None:
    """Units of predictions that nobody judged are drawn item by item."""
    if block is None and len({item for item, _ in units}) == len(units):
        return None
    old = np.arange(0) if block is None else block
    names: dict[Any, int] = {}
    of_item = {item: int(old[n]) for n, (item, _) in enumerate(units[:len(old)])}
    return np.array([names.setdefault(of_item.get(item, item), len(names)) for item, _ in units], dtype=np.int64)


def _ordered(ratings: Ratings, gold: Ints) -> tuple[Ratings, Ints]:
    """Codes in the order of their numbers, for people, machines and gold alike."""
    with_gold = replace(ratings, unit=np.r_[ratings.unit, np.arange(len(gold))], code=np.r_[ratings.code, gold],
                        person=np.r_[ratings.person, np.zeros(len(gold), dtype=np.int64)])
    made = in_order(with_gold)
    n = len(ratings.code)
    return replace(made, unit=made.unit[:n], person=made.person[:n], code=made.code[:n]), made.code[n:]


def _majority(ratings: Ratings, people: Ints) -> Ints:
    """Per unit the code of more than half of its people, -1 where there is none or only one person answered."""
    rows = np.flatnonzero((ratings.code >= 0) & np.isin(ratings.person, people))
    out = np.full(ratings.n_units, -1, dtype=np.int64)
    if not len(rows):
        return out
    unit, code = ratings.unit[rows], ratings.code[rows]
    width = len(ratings.labels)
    cells, count = np.unique(unit * width + code, return_counts=True)
    total = np.bincount(unit, minlength=ratings.n_units)[cells // width]
    most = (2 * count > total) & (total > 1)
    out[cells[most] // width] = cells[most] % width
    return out


def _gold(session: Session, protocol: Protocol, name: str, units: Mapping[tuple[UUID, str], int],
          code_of: Callable[[str | None, float | None], int]) -> tuple[Ints, Ints]:
    """Per unit the code of what stands, -1 where nothing does, and whether a rule over answers made it."""
    gold, by_rule = np.full(len(units), -1, dtype=np.int64), np.zeros(len(units), dtype=np.int64)
    if name not in protocol.gold:
        return gold, by_rule
    codes: dict[str, int] = {}  # by the text of an answer, which is canonical: few are different
    for item, element, text, standing in session.execute(
            select(Gold.item, Gold.element, type_coerce(Gold.value_json, Text),
                   type_coerce(Gold.from_json, Text).like('%"standing":"rule"%'))
            .where(Gold.question == name).order_by(Gold.item, Gold.element)):
        unit = units.get((item, element))
        if unit is None:
            continue
        if text not in codes:
            answer = canonical.loads(text)
            vote = vote_of(protocol, Slot(name, element or None), answer, item, None)
            codes[text] = -1 if answer.get("na") else code_of(vote.key, vote.number)
        gold[unit], by_rule[unit] = codes[text], bool(standing)
    return gold, by_rule


def _slices(session: Session, by: str, side: Side) -> dict[str, Ints]:
    tags: dict[UUID, list[str]] = {}
    for item, value in session.execute(select(ItemTag.item, ItemTag.value).where(ItemTag.field == by)):
        tags.setdefault(item, []).append(value)
    found: dict[str, list[int]] = {}
    for unit, item in enumerate(side.items):
        for value in tags.get(item, ()):
            found.setdefault(value, []).append(unit)
    return {value: np.array(found[value], dtype=np.int64) for value in sorted(found)}


def _reports(side: Side, machine: tuple[str, str, int], by: str | None, slices: Mapping[str, Ints], *,
             replicates: int, seed: int, least: int, cancelled: Callable[[], bool] | None) -> list[MachineReport]:
    def report(ratings: Ratings) -> MachineReport:
        return _report(side, ratings, machine, replicates=replicates, seed=seed, cancelled=cancelled)

    out = [report(side.ratings)]
    for value, units in slices.items():
        part = report(side.ratings.of_units(units))
        if part.answers >= least:
            out.append(replace(part, by={"field": by or "", "value": value}))
    return out


def _report(side: Side, ratings: Ratings, machine: tuple[str, str, int], *, replicates: int, seed: int,
            cancelled: Callable[[], bool] | None) -> MachineReport:
    name, source, place = machine
    own = np.unique(ratings.unit[(ratings.person == place) & (ratings.code >= 0)])
    judged = np.isin(ratings.person, np.array(list(side.people), dtype=np.int64)) & (ratings.code >= 0)
    matched = np.isin(own, ratings.unit[judged]) | (side.gold[own] >= 0)
    metrics = NOMINAL if ratings.scale == "nominal" else NUMERIC
    numbers = compare(ratings, place, tuple(side.people), {MAJORITY: side.majority, GOLD: side.gold}, metrics=metrics,
                      level=ratings.scale, replicates=replicates, seed=seed, cancelled=cancelled)
    own_gold = source == "project" and bool(side.by_rule[own].any())
    against = []
    for one in numbers:
        kind = "person" if isinstance(one.against, int) else one.against
        shown = side.people[one.against] if isinstance(one.against, int) else one.against
        weights = None if one.metric != "cohen_kappa" else "unweighted" if ratings.scale == "nominal" else "quadratic"
        against.append(Against(
            kind, shown, one.metric, weights, ratings.scale if one.metric == "krippendorff_alpha" else None, one.value,
            one.ci, one.n, one.reason, OWN_GOLD if own_gold and kind == GOLD else None))
    rank = {kind: n for n, kind in enumerate((PEOPLE, EACH_OTHER, DIFFERENCE, "person", MAJORITY, GOLD))}
    order = {metric: n for n, metric in enumerate(metrics)}
    return MachineReport(
        name, source, ratings.question, int(matched.sum()), int((~matched).sum()),
        len(np.unique(ratings.person[judged & np.isin(ratings.unit, own)])),
        BCA_CLUSTERS if ratings.clustered else BCA_ITEMS, replicates, seed,
        tuple(sorted(against, key=lambda one: (rank[one.kind], one.against, order[one.metric]))))
