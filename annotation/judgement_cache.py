"""The answers of a question kept in memory by the store, and brought up to date with what was touched since.

A page that shows agreement reads all answers once (about a second for 600,000) and then, after each submit, those of
one item. What is kept is never a fact: it is equal to what a new reading would give (but for the order of units).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from sqlalchemy.orm import Session

from annotation.judgement_marks import Mark, mark_now, touched_since
from annotation.judgement_rows import Rows, clusters_of, read_rows, refreshed
from annotation.protocol import Protocol
from annotation.store.project import store_of

BUDGET = 3_000_000  # answers kept of all questions together, at about 40 bytes each
T = TypeVar("T")

_new_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Held:
    """``made``: what was computed from just these rows; ``lasting``: what changes only when all is read anew."""

    mark: Mark
    rows: Rows
    clusters: tuple[bytes, tuple[str, ...]]
    lasting: dict[Any, Any] = field(default_factory=dict)
    made: dict[Any, Any] = field(default_factory=dict)

    def once(self, name: Any, make: Callable[[], T]) -> T:
        if name not in self.made:
            self.made[name] = make()
        return cast(T, self.made[name])

    def lastingly(self, name: Any, make: Callable[[], T]) -> T:
        if name not in self.lasting:
            self.lasting[name] = make()
        return cast(T, self.lasting[name])


def held(session: Session, protocol: Protocol, question: str) -> Held:
    """The answers of a question as this session sees them."""
    kept, lock = _kept(session)
    name = (protocol.hash, question)
    with lock:
        mark, old = mark_now(session), kept.pop(name, None)
        touched = None if old is None else touched_since(session, old.mark, mark)
        if old is None or touched is None:
            new = Held(mark, read_rows(session, protocol, question), clusters_of(session))
        elif mark == old.mark:
            new = old
        elif not touched:
            new = Held(mark, old.rows, old.clusters, old.lasting, old.made)
        else:
            new = Held(mark, refreshed(session, protocol, question, old.rows, touched), old.clusters, old.lasting)
        kept[name] = new  # the newest stands last
        while len(kept) > 1 and sum(len(one.rows.unit) for one in kept.values()) > BUDGET:
            kept.pop(next(iter(kept)))
        return new


def is_held(session: Session, protocol: Protocol, question: str) -> bool:
    """Whether the answers of this question are in memory, however old."""
    return (protocol.hash, question) in _kept(session)[0]


def _kept(session: Session) -> tuple[dict[tuple[str, str], Held], threading.RLock]:
    memory = store_of(session).memory
    with _new_lock:
        found: tuple[dict[tuple[str, str], Held], threading.RLock] = memory.setdefault(
            "judgements", ({}, threading.RLock()))
    return found
