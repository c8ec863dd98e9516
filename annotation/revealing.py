"""Before results of others are shown to somebody who answers here, that is recorded."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation import people, trail
from annotation.store.project import Store
from annotation.store.tables import Task

ANSWERING = frozenset({"annotator", "verifier"})


def is_to_be_recorded(session: Session, person: UUID) -> bool:
    """Whether showing results to ``person`` has to be recorded first: he answers here or did, and it was not yet."""
    answers = bool(ANSWERING & set(people.by_id(session, person).roles)) or session.execute(
        select(Task.id).where(Task.person == person, Task.state.in_(("submitted", "withdrawn"))).limit(1)
    ).first() is not None
    return answers and not trail.was_revealed(session, person)


def reveal_results(store: Store, person: UUID) -> bool:
    """Remember that ``person`` is shown what comes of others' answers to the project; whether a line was written.

    Call it before agreement or gold is shown. Nothing is written for somebody who neither answers nor has answered,
    nor a second time. Raises what keeps the store from being written (StoreLocked, where another program writes),
    but for a folder that nobody can write: no answer is changed there either.
    """
    with store.read() as session:
        if not is_to_be_recorded(session, person):
            return False
    if store.is_frozen:
        return False
    with store.write() as session:
        trail.reveal(session, person)
    return True
