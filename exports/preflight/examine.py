"""Runs every check over the items that would be released."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from sqlalchemy.orm import Session

from annotation.gold import GoldView
from annotation.protocol import Protocol
from exports.preflight.corpus import read_corpus
from exports.preflight.finding import Finding, Work, checks, of_kind, order


def examine(session: Session, protocol: Protocol, values: Mapping[UUID, Sequence[GoldView]], *,
            progress: Callable[[int, int], None] | None = None, cancelled: Callable[[], bool] | None = None,
            ) -> tuple[Finding, ...]:
    """Everything found in these items (gold by item), the weighty first. It reads, and writes nothing.

    ``progress(done, of)`` counts items over all checks. Raises Refused (cancelled) soon after ``cancelled()``.
    """
    work = Work(progress, cancelled, of=(len(checks) + 1) * len(values))
    corpus = read_corpus(session, protocol, values, step=work.step)
    found: list[Finding] = []
    for n, name in enumerate(checks, 1):
        work.done = n * len(values)
        work.step(0)
        for one in checks[name](corpus, work):
            keys = [corpus.entries[at].key for at in one.items]
            if keys:
                found.append(of_kind(one.code, keys, one.evidence))
    work.done = work.of
    work.step(0)
    return tuple(order(found))
