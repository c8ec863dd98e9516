"""What people prefer, and how far to trust it: sides, swaps, circles, conflicts with ratings, strengths, length."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy.orm import Session

from annotation import rating_rows
from annotation.agreement.preferences.comparisons import Comparisons
from annotation.agreement.preferences.conflicts import Conflicts, conflicts, conflicts_by_person
from annotation.agreement.preferences.lengths import LengthBias, length_bias
from annotation.agreement.preferences.sides import (
    PositionBias,
    SwapConsistency,
    position_bias,
    swap_consistency,
    swap_consistency_by_person,
)
from annotation.agreement.preferences.strength_intervals import BCA_PEOPLE, strength_intervals
from annotation.agreement.preferences.triads import Violations, violations, violations_by_person
from annotation.agreement.share import share
from annotation.rating_pairs import Pairs, pairwise_names, pairwise_of, read_pairs
from annotation.rating_scores import Scores, read_scores
from annotation.store.project import protocol_now

SETS = (3, 4, 5)
MODELS = ("bradley_terry", "davidson")
ITEM_DRAWS = 2_000  # up to so many items are drawn whole; of more, single judgements, and the method says so
BCA_ITEMS = "bootstrap_bca_items"
NO_ORDER = "no pair whose order is known was decided"
NO_NAMES = ("the candidates have no names that mean the same in several items; say which two fields hold them "
            "(--names model1,model2), or import candidates with ids")


@dataclass(frozen=True, slots=True)
class Strength:
    """``log_strength`` has mean 0 over the names, ``worth`` adds up to 1; intervals None where there are none."""

    name: str
    judgements: int
    log_strength: float | None
    log_strength_ci: tuple[float, float] | None
    worth: float | None
    worth_ci: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class StrengthTable:
    """``model``: bradley_terry (ties left out), davidson (ties modelled, ``tie`` = nu). ``reason`` where undefined."""

    model: str
    rows: tuple[Strength, ...]
    judgements: int
    ties_left_out: int
    tie: float | None
    tie_ci: tuple[float, float] | None
    ci_method: str
    replicates: int
    seed: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class OfPerson:
    """One person's preferences; ``violations`` by size of set, as in the report."""

    person: UUID
    handle: str
    judgements: int
    position: PositionBias
    swap: SwapConsistency | None
    conflicts: Conflicts | None
    violations: tuple[Violations, ...]


@dataclass(frozen=True, slots=True)
class PreferenceReport:
    """One pairwise question, people and machines apart (``kind``).

    ``judgements`` are independent first ones; repeats enter ``swap`` alone. ``order_unknown``: judgements from files,
    which say nothing of sides. ``left_out``: answers without a value, or about a candidate who is gone.
    ``named_by``: where names across items come from; ``rating``: the question that ``conflicts`` compares with, else
    ``no_rating`` says why there is none. ``prompts``: what pairs of answers belong to.
    """

    question: str
    kind: str
    judgements: int
    ties: int
    items: int
    prompts: int
    repeats: int
    order_unknown: int
    left_out: int
    position: PositionBias
    swap: SwapConsistency
    rating: str | None
    no_rating: str | None
    conflicts: Conflicts | None
    violations: tuple[Violations, ...]
    named_by: str | None
    strengths: tuple[StrengthTable, ...]
    length: LengthBias
    people: tuple[OfPerson, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON; people by handle."""
        out = asdict(self)
        for one in out["people"]:
            del one["person"]
        return out


def preference_reports(session: Session, questions: Sequence[str] = (), *, names: Sequence[str] = (),
                       rating: str | None = None, tolerance: float = 0.0, sets: Sequence[int] = SETS,
                       replicates: int = 2_000, seed: int = 0, progress: Callable[[int, int], None] | None = None,
                       cancelled: Callable[[], bool] | None = None) -> tuple[PreferenceReport, ...]:
    """One report per pairwise question (default: all) and kind of judge, human before machine.

    ``names``: two fields that name the candidates across items. ``rating``: the question of the rating pass, where
    several could be meant; ratings that differ by less than ``tolerance`` count as equal. ``sets``: sizes k of the
    sets in which circles are looked for. Refused where a question compares no pairs.
    """
    protocol = protocol_now(session)
    chosen = tuple(questions) or pairwise_names(protocol)
    for name in chosen:
        pairwise_of(protocol, name)
    known = rating_rows.everybody(session)
    out: list[PreferenceReport] = []
    for done, name in enumerate(chosen, 1):
        pairs = read_pairs(session, name, names=names)
        scores = read_scores(session, pairs, name, rating=rating)
        for kind in ("human", "machine"):
            of_kind = np.array([known[one].kind == kind for one in pairs.people], dtype=bool)
            rows = of_kind[pairs.within.person] if len(pairs.within) else np.zeros(0, dtype=bool)
            if rows.any() or (kind == "human" and not len(pairs.within)):
                out.append(_report(name, kind, pairs, rows, scores, known, tolerance=tolerance, sets=tuple(sets),
                                   replicates=replicates, seed=seed, cancelled=cancelled))
        if progress is not None:
            progress(done, len(chosen))
    return tuple(out)


def _report(name: str, kind: str, pairs: Pairs, rows: np.ndarray, scores: Scores,
            known: Mapping[UUID, rating_rows.Known], *, tolerance: float, sets: tuple[int, ...], replicates: int,
            seed: int, cancelled: Callable[[], bool] | None) -> PreferenceReport:
    first = rows & pairs.counts
    within = pairs.within.rows(first)
    both = pairs.within.rows(rows & pairs.ordered)
    across = _of_rows(pairs, first & pairs.ordered)
    compared = _of_rows(pairs, first)
    return PreferenceReport(
        question=name, kind=kind, judgements=len(within), ties=int((within.outcome == 0).sum()),
        items=len(np.unique(pairs.item[first])), prompts=len(np.unique(within.item)),
        repeats=int((rows & ~pairs.counts).sum()), order_unknown=int((first & ~pairs.ordered).sum()),
        left_out=pairs.left_out,
        position=_position(pairs.within.rows(first & pairs.ordered), across), swap=swap_consistency(both),
        rating=scores.question, no_rating=scores.reason,
        conflicts=None if scores.question is None else conflicts(within, scores.values, tolerance=tolerance),
        violations=tuple(violations(within, k=k) for k in sets), named_by=pairs.named_by,
        strengths=tuple(_strengths(compared, model, pairs, first, replicates=replicates, seed=seed,
                                   cancelled=cancelled) for model in MODELS),
        length=length_bias(within, pairs.lengths),
        people=_by_person(pairs, first, both, within, scores, known, tolerance=tolerance, sets=sets))


def _of_rows(pairs: Pairs, rows: np.ndarray) -> Comparisons | None:
    return None if pairs.across is None else pairs.across.rows(rows[pairs.rows_across])


def _position(shown: Comparisons, named: Comparisons | None) -> PositionBias:
    """The share of first sides over all judgements whose order is known; the model's effect needs names."""
    ties = int((shown.outcome == 0).sum())
    first = share(int((shown.outcome == 1).sum()), len(shown) - ties, nothing=NO_ORDER)
    if named is None or not len(named):
        return PositionBias(first, ties, None, None, None, "wald", "bradley_terry", NO_NAMES)
    return replace(position_bias(_used(named)), first=first, ties=ties)


def _used(comparisons: Comparisons) -> Comparisons:
    """Only the names that occur, so that somebody nobody judged does not stand apart from all others."""
    used, at = np.unique(np.r_[comparisons.first, comparisons.second], return_inverse=True)
    n = len(comparisons)
    return replace(comparisons, first=at[:n], second=at[n:], names=tuple(comparisons.names[k] for k in used))


def _strengths(compared: Comparisons | None, model: str, pairs: Pairs, first: np.ndarray, *, replicates: int,
               seed: int, cancelled: Callable[[], bool] | None) -> StrengthTable:
    if compared is None or not len(compared):
        return StrengthTable(model, (), 0, 0, None, None, BCA_ITEMS, replicates, seed, NO_NAMES)
    compared = _used(compared)
    item = pairs.item[pairs.rows_across][first[pairs.rows_across]]
    whole = len(np.unique(item)) <= ITEM_DRAWS
    # Several people judge one item, so their judgements are no independent draws: items are drawn, as "people".
    drawn = replace(compared, person=item) if whole else compared
    fitted, made = strength_intervals(drawn, model, by_person=whole, replicates=replicates, seed=seed,
                                      cancelled=cancelled)
    if whole and len(np.unique(item)) == 1:
        made = replace(made, reason="no interval: one item only")
    lacking = next((one.reason for one in made.worth if one.pair is None), None)
    counts = np.bincount(np.r_[compared.first, compared.second], minlength=len(compared.names))
    worths = fitted.worths()
    rows = [Strength(
        name, int(counts[k]), None if fitted.log_strength is None else float(fitted.log_strength[k]),
        made.log_strength[k].pair, None if worths is None else float(worths[k]), made.worth[k].pair)
        for k, name in enumerate(fitted.names)]
    return StrengthTable(
        model, tuple(sorted(rows, key=lambda row: (-(row.worth or 0.0), row.name))), int(fitted.comparisons),
        int(fitted.ties_left_out), fitted.tie, None if made.tie is None else made.tie.pair,
        BCA_ITEMS if made.method == BCA_PEOPLE else made.method, replicates, seed,
        fitted.reason or made.reason or lacking)


def _by_person(pairs: Pairs, first: np.ndarray, both: Comparisons, within: Comparisons, scores: Scores,
               known: Mapping[UUID, rating_rows.Known], *, tolerance: float, sets: tuple[int, ...]
               ) -> tuple[OfPerson, ...]:
    swaps = swap_consistency_by_person(both)
    against = {} if scores.question is None else conflicts_by_person(within, scores.values, tolerance=tolerance)
    circles = [violations_by_person(within, k=k) for k in sets]
    out = []
    for place, person in enumerate(pairs.people):
        own = first & (pairs.within.person == place)
        if not own.any():
            continue
        shown = own & pairs.ordered
        out.append(OfPerson(
            person, known[person].handle, int(own.sum()), _position(pairs.within.rows(shown), _of_rows(pairs, shown)),
            swaps.get(person.hex), against.get(person.hex), tuple(found[person.hex] for found in circles)))
    return tuple(sorted(out, key=lambda one: one.handle))
