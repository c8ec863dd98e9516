"""A person's own day: how many answers, how long, at what pace."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.store.tables import Revision, Withdrawal


@dataclass(frozen=True, slots=True)
class Today:
    """Milliseconds; ``wall_ms`` counts the time an item was on the screen, ``active_ms`` the part with hands on it.
    ``median_ms`` is None where nothing was timed."""

    answered: int
    active_ms: int
    wall_ms: int
    median_ms: float | None


def today(session: Session, person: UUID, *, since: datetime) -> Today:
    """The answers a person submitted since a moment (the local midnight) that were not withdrawn.

    A task that was submitted twice counts once, with all its time since that moment: what its last revision has more
    than the last one before.
    """
    last = _last_per_task(session, Revision.person == person, Revision.at >= since,
                          ~select(Withdrawal.id).where(Withdrawal.revision == Revision.id).exists())
    old = _last_per_task(session, Revision.person == person, Revision.at < since, Revision.task.in_(
        select(Revision.task).where(Revision.person == person, Revision.at >= since,
                                    Revision.supersedes.is_not(None))))
    spent = {task: tuple(max(0, ms - before) for ms, before in zip(times, old.get(task, (0, 0)), strict=True))
             for task, times in last.items()}
    timed = [active for active, _ in spent.values() if active > 0]
    return Today(len(spent), sum(active for active, _ in spent.values()), sum(wall for _, wall in spent.values()),
                 median(timed) if timed else None)


def _last_per_task(session: Session, *which: Any) -> dict[UUID, tuple[int, int]]:
    """(active, wall) of the last revision of each task among these."""
    rows = session.execute(select(Revision.task, Revision.active_ms, Revision.wall_ms).where(*which)
                           .order_by(Revision.id))
    return {task: (active, wall) for task, active, wall in rows}
