"""The answers that count, as ratings, and the numbers of agreement that are made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.agreement.ratings import Ratings
from annotation.agreement.report import measure
from annotation.agreement.resampling import Cancelled, Progress
from annotation.agreement.result import Result
from annotation.agreement.slices import LEAST, guarded, measure_slices
from annotation.errors import N_, Refused, Unknown
from annotation.judgement_asked import Asked, asked_of, comes_later, without_value
from annotation.judgement_cache import held, is_held
from annotation.judgement_counts import Counted, counted, measure_counts
from annotation.judgement_marks import mark_now
from annotation.judgement_query import STAGES
from annotation.judgement_slices import BY_REVISION, OTHERS, answer_slices, check_by, is_tag, item_slices
from annotation.judgement_view import Judgements, view
from annotation.protocol import Protocol
from annotation.store.project import protocol_now, store_of
from annotation.store.tables import Person

__all__ = ["STAGES", "Judgements", "agreement", "judgements", "slice_items", "slices", "with_machines"]


def judgements(session: Session, question: str, *, by: str | None = None,
               stages: Sequence[str] | None = None) -> Judgements:
    """All answers that count to one question or derived value, of items that are not withdrawn.

    Counting is a fact kept with each answer: standing, first of a repeat, round main, given without sight of
    others' (``annotate``, and ``verify`` where it was blind). ``by``: a tag or a public field, whose values become
    ``ratings.slices``. Unknown for another question, stage or field. The first call reads all answers, a later one
    those of the items that were touched since; the same object where nothing was.
    """
    protocol, wanted = _checked(session, question, stages)
    if by is not None and by in OTHERS:
        raise Unknown(N_("'{field}' makes slices of answers, not of items"), field=by)
    if by is not None:
        check_by(protocol, by)
    kept = held(session, protocol, question)
    found = kept.once(("view", wanted), lambda: view(kept.rows, protocol, question, stages=wanted,
                                                     clusters=kept.clusters))
    if by is None:
        return found
    return kept.once(("view", wanted, by), lambda: replace(found, ratings=replace(
        found.ratings, slices=item_slices(session, kept, protocol, found, by))))


def slices(session: Session, question: str, by: str, *, stages: Sequence[str] | None = None) -> dict[str, Ratings]:
    """The ratings of every week (``week``), version of the protocol (``protocol``), group of people (``person-group``:
    the roles, and machines), or value of a tag or of a public field, in the order of the names.
    """
    if by not in OTHERS:
        ratings = judgements(session, question, by=by, stages=stages).ratings
        return {name: ratings.of_units(ratings.slices[name]) for name in sorted(ratings.slices)}
    return {name: part.ratings for name, part in _parts(session, question, by, stages).items()}


def slice_items(session: Session, question: str, by: str, value: str) -> tuple[UUID, ...]:
    """The items behind one of ``slices``: where its number leads to; () where there is no such slice."""
    if by not in OTHERS:
        return judgements(session, question, by=by).items_of(by=value)
    part = _parts(session, question, by, None).get(value)
    return part.items_of() if part is not None else ()


def _parts(session: Session, question: str, by: str, stages: Sequence[str] | None) -> dict[str, Judgements]:
    protocol, wanted = _checked(session, question, stages)
    found = judgements(session, question, stages=wanted)
    kept = held(session, protocol, question)

    def read() -> dict[str, Judgements]:
        return answer_slices(session, kept, protocol, found, by, stages=wanted)

    return kept.once(("parts", wanted, by), read) if by in BY_REVISION else read()  # roles change without an answer


def agreement(session: Session, questions: Sequence[str] = (), *, metric: str | Sequence[str] | None = None,
              level: str | None = None, weights: str | None = None, by: str | None = None,
              stages: Sequence[str] | None = None, interval: str = "bca", replicates: int = 10_000, seed: int = 0,
              least: int = LEAST, progress: Progress | None = None, cancelled: Cancelled | None = None
              ) -> tuple[Result, ...]:
    """The results that a protocol asks for; or, for ``questions`` or one ``metric`` or several, those. ``by``: also
    per slice, of which those with fewer than ``least`` items have no interval.

    A metric asked for by name that is not built yet, or does not suit the answers, is Refused; one that only the
    protocol names is a result without a value that says so, and the others are there. A server counts for itself
    (``judgement_counts``).
    """
    protocol = protocol_now(session)
    if by is not None:
        check_by(protocol, by)
    metrics = (metric,) if isinstance(metric, str) else tuple(metric or ())
    specs = asked_of(protocol, questions, metrics, level, weights)
    out: list[Result] = []
    for done, asked in enumerate(specs, 1):
        try:
            results = _measured(session, asked, by, stages, interval, replicates, seed, least, cancelled)
        except Refused as why:
            if not asked.named or why.code in ("cancelled", "unknown"):
                raise
            results = [without_value(asked, str(why))]
        out += [replace(result, protocol=f"{protocol.id} {protocol.version}") for result in results]
        if progress is not None:
            progress(done, len(specs))
    return tuple(out)


def _measured(session: Session, asked: Asked, by: str | None, stages: Sequence[str] | None, interval: str,
              replicates: int, seed: int, least: int, cancelled: Cancelled | None) -> list[Result]:
    protocol, wanted = _checked(session, asked.question, stages)
    tag = by if by is not None and is_tag(protocol, by) else None
    found = _counted(session, protocol, asked.question, wanted, tag) if tag == by else None
    source: Counted | Judgements = found or judgements(session, asked.question, stages=wanted,
                                                       by=None if by in OTHERS else by)
    stage = " + ".join(source.stages) or None
    if asked.later:
        return [replace(comes_later(asked), stage=stage)]

    def one(ratings: Ratings) -> Result:
        return measure(ratings, asked.metric, level=asked.level, weights=asked.weights, interval=interval,
                       replicates=replicates, seed=seed, cancelled=cancelled)

    if isinstance(source, Counted) and by is None:
        results = [measure_counts(source, asked.metric, level=asked.level, weights=asked.weights, interval=interval,
                                  replicates=replicates, seed=seed, cancelled=cancelled)]
    else:
        ratings = source.ratings() if isinstance(source, Counted) else source.ratings
        results = [one(ratings)]
        if by is not None and by in OTHERS:
            for name, part in slices(session, asked.question, by, stages=wanted).items():
                results.append(replace(guarded(one(part), least), by={"field": by, "value": name}))
        elif by is not None:
            results += measure_slices(ratings, asked.metric, by, level=asked.level, weights=asked.weights,
                                      interval=interval, replicates=replicates, seed=seed, least=least,
                                      cancelled=cancelled)
    results[0] = with_machines(session, source.people, results[0])
    return [replace(result, stage=stage) for result in results]


def with_machines(session: Session, who: Sequence[UUID], result: Result) -> Result:
    """The result with a note where some of those who answered (``who``) are machines: they count in ``n_people``."""
    known = set(session.scalars(select(Person.id).where(Person.kind == "machine")))
    found = len(known & set(who)) if known else 0
    if not found or not result.n_people:
        return result
    note = ("one of those who answered is a machine and counts as a person here" if found == 1 else
            f"{found} of those who answered are machines and count as people here")
    return replace(result, note=f"{result.note}; {note}" if result.note else note)


def _counted(session: Session, protocol: Protocol, question: str, stages: tuple[str, ...], by: str | None
             ) -> Counted | None:
    """Counts by the server, unless the answers are in memory, or are better read: somebody looks at them while
    others work on, so that after each submit the touched items alone are read. A file is as near as memory: there
    reading takes two thirds of the time of counting (measured), and serves whatever is asked next.
    """
    if session.get_bind().dialect.name == "sqlite" or is_held(session, protocol, question):
        return None
    memory, name = store_of(session).memory, ("counted", protocol.hash, question, stages, by)
    mark, kept = mark_now(session), memory.get(name)
    if kept is not None:
        found: Counted | None = kept[1] if kept[0] == mark else None
        return found
    memory[name] = (mark, counted(session, protocol, question, stages=stages, by=by))
    made: Counted | None = memory[name][1]
    if made is not None and by is not None and not made.slices:
        return None  # the other way says why
    return made


def _checked(session: Session, question: str, stages: Sequence[str] | None) -> tuple[Protocol, tuple[str, ...]]:
    protocol = protocol_now(session)
    if question not in protocol.value_names:
        raise Unknown(N_("The protocol has no question '{name}'. There are: {known}."), name=question,
                      known=", ".join(protocol.value_names))
    wanted = STAGES if stages is None else tuple(stages)
    for stage in wanted:
        if stage not in STAGES:
            raise Unknown(N_("There are no judgements at the stage '{stage}'. There are at: {known}."), stage=stage,
                          known=", ".join(STAGES))
    return protocol, wanted
