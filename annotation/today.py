"""A person's own day: how many answers, how long, at what pace."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from statistics import median
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

    A task that was submitted twice counts once, its times add up.
    """
    rows = session.execute(select(Revision.task, Revision.active_ms, Revision.wall_ms).where(
        Revision.person == person, Revision.at >= since,
        ~select(Withdrawal.id).where(Withdrawal.revision == Revision.id).exists())).all()
    spent: dict[UUID, int] = {}
    for task, active, _wall in rows:
        spent[task] = spent.get(task, 0) + active
    timed = [ms for ms in spent.values() if ms > 0]
    return Today(len(spent), sum(spent.values()), sum(wall for _, _, wall in rows), median(timed) if timed else None)
