"""Gold that stands on little: one answer, answers that hardly agree, an item that somebody flagged."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.orm import aliased

from annotation.store.tables import Flag
from exports.preflight.corpus import Corpus
from exports.preflight.finding import Found, Work, checks, kind

LEAST_AGREEMENT = 0.5  # share of agreeing pairs of people: of three, two against one is 1/3

kind("flagged", "warn", "weak", "1 item is flagged, and nobody has taken that back",
     "{n} items are flagged, and nobody has taken that back")
kind("low_agreement", "warn", "weak", "1 item has gold on which fewer than half of all pairs of people agree",
     "{n} items have gold on which fewer than half of all pairs of people agree")
kind("single_answer", "warn", "weak", "1 item has gold from one answer, where the protocol wants several people",
     "{n} items have gold from one answer, where the protocol wants several people")
kind("one_person_each", "info", "weak", "1 item has gold from one person, as the protocol says",
     "{n} items have gold from one person, as the protocol says")


@checks.register("weak")
def weak(corpus: Corpus, work: Work) -> Iterator[Found]:
    """What somebody decided (an adjudicator, a verifier) is not weak, whatever people had said before. Pairs of
    people agree or not where there are categories: two numbers may be near and are hardly ever the same.
    """
    low: dict[str, list[int]] = {}
    single: set[int] = set()
    closed = {name for name in corpus.protocol.gold if corpus.protocol.scale_of(name) in ("nominal", "ordinal")}
    for at, entry in enumerate(corpus.entries):
        for view in entry.gold:
            if view.standing != "rule" or view.rule == "gold":
                continue
            if view.question in closed and view.agreement is not None and view.agreement < LEAST_AGREEMENT:
                low.setdefault(view.question, []).append(at)
            if view.n <= 1:
                single.add(at)
        if at % 1000 == 999:
            work.step(1000)
    if low:
        yield Found("low_agreement", {at for some in low.values() for at in some},
                    {"below": LEAST_AGREEMENT, "values": {name: len(some) for name, some in sorted(low.items())}})
    several = corpus.protocol.workflow.people_per_item > 1
    yield Found("single_answer" if several else "one_person_each", single)
    other = aliased(Flag)
    flagged = set(corpus.session.scalars(select(Flag.item).where(
        Flag.cancels.is_(None), ~select(other.id).where(other.cancels == Flag.id).exists())))
    yield Found("flagged", [at for at, entry in enumerate(corpus.entries) if entry.id in flagged])
