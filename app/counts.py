"""The numbers in the rail: what waits for this person at Work and at Adjudicate."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy.orm import Session

from annotation import tasks


def waiting_counts(session: Session, person: UUID) -> dict[str, int]:
    """``{"work": items, "adjudicate": items}``."""
    counts = {"work": 0, "adjudicate": 0}
    for row in tasks.waiting(session, person):
        counts["adjudicate" if row.stage == "adjudicate" else "work"] += row.items
    return counts
