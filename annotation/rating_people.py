"""How each person works: pace, checks, repeats, the others' majority, and competence where nobody knows the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy.orm import Session

from annotation import rating_rows
from annotation.agreement.others import with_majority_of_others
from annotation.agreement.ratings import Ints, Ratings, ratings_of
from annotation.agreement.report import measure
from annotation.agreement.result import Result
from annotation.agreement.share import Share, Speed, share, speed_of
from annotation.closed_answers import has_classes
from annotation.errors import N_, Unknown
from annotation.judgements import Judgements, judgements
from annotation.protocol import Protocol
from annotation.rating_competence import Competence, competences
from annotation.rating_rows import Checked, Repeated
from annotation.store.project import protocol_now

NO_CHECKS = "no such item was answered"
NO_REPEATS = "nothing was asked again"
NO_MAJORITY = "on no item did the others have a majority"


@dataclass(frozen=True, slots=True)
class Pace:
    """Active seconds per item. ``too_fast``: turns under the protocol's ``min_seconds``; ``warning`` in words."""

    speed: Speed
    min_seconds: float
    too_fast: Share
    warning: str | None


@dataclass(frozen=True, slots=True)
class OnQuestion:
    """One person at one question.

    ``majority``: his answers that are the value of more than half of the others who judged the same. ``repeats``:
    answers given again that were the same; ``repeats_alpha``: Krippendorff's alpha between first and repeat.
    ``gold_checks``, ``attention``: against what was expected. ``competence``: None where it was not asked for.
    """

    question: str
    answers: int
    majority: Share
    repeats: Share
    repeats_alpha: Result
    gold_checks: Share
    attention: Share
    competence: Competence | None


@dataclass(frozen=True, slots=True)
class PersonReport:
    """``answered``, ``skipped``: turns; checks, practice and training are not among them. Shares over all questions."""

    person: UUID
    handle: str
    kind: str
    answered: int
    skipped: int
    pace: Pace
    gold_checks: Share
    attention: Share
    repeats: Share
    questions: tuple[OnQuestion, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON: results as everywhere, the person by handle."""
        out = asdict(self)
        del out["person"]
        for made, question in zip(out["questions"], self.questions, strict=True):
            made["repeats_alpha"] = question.repeats_alpha.to_dict()
        return out


def people_report(session: Session, questions: Sequence[str] = (), *, competence: bool = True,
                  replicates: int = 2_000, seed: int = 0, progress: Callable[[int, int], None] | None = None,
                  cancelled: Callable[[], bool] | None = None) -> tuple[PersonReport, ...]:
    """Everybody who answered, skipped or met a check, machines too, by handle. Unknown for another question.

    ``questions``: default all asked and derived values whose answers can be equal (free texts are left out).
    Reads answers, turns and checks once each; everything after is counting, so the cost is that of the rows.
    """
    protocol = protocol_now(session)
    names = tuple(questions) or comparable(protocol)
    for name in names:
        if name not in protocol.value_names:
            raise Unknown(N_("The protocol has no question '{name}'. There are: {known}."), name=name,
                          known=", ".join(protocol.value_names))
    seconds, skipped = rating_rows.seconds_per_task(session), rating_rows.skips(session)
    checks = [one for one in rating_rows.checked(session) if one.question in names]
    repeats = [one for one in rating_rows.repeated(session) if one.question in names]
    known = rating_rows.everybody(session)
    machines = frozenset(one.id for one in known.values() if one.kind == "machine")
    by_question: dict[UUID, list[OnQuestion]] = {}
    for done, name in enumerate(names, 1):
        found = judgements(session, name)  # one question in memory at a time
        for person, answered in _on_question(protocol, name, found, checks, repeats, machines=machines,
                                        with_competence=competence, replicates=replicates, seed=seed,
                                        cancelled=cancelled):
            by_question.setdefault(person, []).append(answered)
        if progress is not None:
            progress(done, len(names))
    out = []
    for one in known.values():
        own = tuple(by_question.get(one.id, ()))
        spent = seconds.get(one.id, [])
        if not (own or spent or skipped.get(one.id)):
            continue
        mine = [check for check in checks if check.person == one.id]
        again = [repeat for repeat in repeats if repeat.person == one.id]
        out.append(PersonReport(
            one.id, one.handle, one.kind, len(spent), skipped.get(one.id, 0),
            pace_of(spent, protocol.quality.min_seconds), _right(mine, "gold_check"), _right(mine, "attention"),
            _equal(again), own))
    return tuple(out)


def comparable(protocol: Protocol) -> tuple[str, ...]:
    """Questions and derived values of which two answers can be the same by more than chance of wording."""
    return tuple(name for name in protocol.value_names if protocol.scale_of(name) not in ("text", "none"))


def pace_of(seconds: Iterable[float], min_seconds: float) -> Pace:
    """Median and quartiles of the turns whose time is known (0 is not), against the protocol's least."""
    known = [one for one in seconds if one > 0.0]
    speed = speed_of(known)
    fast = share(sum(one < min_seconds for one in known), len(known), nothing="no time is known")
    warning = None
    if min_seconds > 0 and speed.median is not None and speed.median < min_seconds:
        warning = (f"half of the answers took less than {speed.median:.1f} s; "
                   f"the protocol expects at least {min_seconds:g} s")
    return Pace(speed, min_seconds, fast, warning)


def _on_question(protocol: Protocol, name: str, found: Judgements, checks: Sequence[Checked],
                 repeats: Sequence[Repeated], *, machines: Collection[UUID], with_competence: bool,
                 replicates: int, seed: int, cancelled: Callable[[], bool] | None) -> list[tuple[UUID, OnQuestion]]:
    ratings = found.ratings
    hits, compared = _with_people(ratings, machines=[n for n, one in enumerate(found.people) if one in machines])
    given = Counter(ratings.person[ratings.code >= 0].tolist())
    place = {person: n for n, person in enumerate(found.people)}
    able = {} if not with_competence else competences(
        ratings, closed=has_classes(protocol, name), seed=seed, cancelled=cancelled)
    mine_checked = _by_person(one for one in checks if one.question == name)
    mine_again = _by_person(one for one in repeats if one.question == name)
    out = []
    for person in dict.fromkeys((*found.people, *mine_checked, *mine_again)):
        n = place.get(person)
        checked, again = mine_checked.get(person, []), mine_again.get(person, [])
        out.append((person, OnQuestion(
            name, 0 if n is None else given[n],
            share(0 if n is None else int(hits[n]), 0 if n is None else int(compared[n]), nothing=NO_MAJORITY),
            _equal(again), _alpha(name, again, ratings.scale, replicates, seed), _right(checked, "gold_check"),
            _right(checked, "attention"), None if n is None else able.get(n))))
    return out


def _with_people(ratings: Ratings, *, machines: Sequence[int]) -> tuple[Ints, Ints]:
    """Hits and comparisons with the majority of the other people; machines are compared, and are nobody's others."""
    size = int(ratings.person.max()) + 1 if len(ratings.person) else 0
    is_machine = np.isin(ratings.person, np.array(machines, dtype=np.int64))
    hits, n = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    for one in (None, *machines):
        rows = ~is_machine if one is None else ~is_machine | (ratings.person == one)
        found = with_majority_of_others(_rows(ratings, rows))
        at = slice(0, len(found.n)) if one is None else slice(one, one + 1)
        hits[at], n[at] = found.hits[at], found.n[at]
    return hits, n


def _rows(ratings: Ratings, rows: np.ndarray) -> Ratings:
    return replace(ratings, unit=ratings.unit[rows], person=ratings.person[rows], code=ratings.code[rows], slices={})


def _by_person(rows: Iterable[Any]) -> dict[UUID, list[Any]]:
    out: dict[UUID, list[Any]] = {}
    for row in rows:
        out.setdefault(row.person, []).append(row)
    return out


def _right(checks: Sequence[Checked], kind: str) -> Share:
    of_kind = [one for one in checks if one.kind == kind]
    return share(sum(one.given == one.expected for one in of_kind), len(of_kind), nothing=NO_CHECKS)


def _equal(repeats: Sequence[Repeated]) -> Share:
    """Share of repeats equal to the first answer; N/A twice is the same answer."""
    return share(sum(one.first == one.again for one in repeats), len(repeats), nothing=NO_REPEATS)


def _alpha(question: str, repeats: Sequence[Repeated], scale: str, replicates: int, seed: int) -> Result:
    """Alpha where a unit is one slot of an item and the raters are the first time and the times after."""
    rows: dict[tuple[Any, ...], str | float | None] = {}
    for one in repeats:
        unit = (one.item, one.element, one.stage)
        numeric = scale != "nominal"
        rows[unit, 0] = one.first_number if numeric else one.first
        rows[unit, one.repeat_no] = one.again_number if numeric else one.again
    ratings = ratings_of([(unit, time, value) for (unit, time), value in rows.items()], question=question)
    result = measure(replace(ratings, scale=scale), "krippendorff_alpha", replicates=replicates, seed=seed)
    return result if repeats else replace(result, reason=NO_REPEATS)
