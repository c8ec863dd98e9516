"""Participants: people who sit for studies, known by an opaque handle, without a name, a role or a right."""

from __future__ import annotations

import re
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from annotation import people, trail
from annotation.errors import N_, Refused, Unknown
from annotation.rights import PARTICIPANT
from annotation.store.ids import new_id
from annotation.store.tables import Person, PersonRole
from annotation.store.types import now

_MADE = re.compile(r"p(\d{3,9})")
TRIES = 20


def make(session: Session, *, by: UUID, handle: str | None = None) -> str:
    """A new participant; returns the handle: the one given, else the next of p001, p002, ..

    A handle is never given twice, and is to be opaque: it goes into every export. NotAllowed without the right
    ``study``; Refused for a handle that is taken or no handle.
    """
    people.require_right(session, by, "study")
    if handle is not None:
        handle = people.checked_handle(handle)
        if handle.casefold() in _folded(session) or not (made := _insert(session, handle)):
            raise Refused(N_("there is a person '{handle}' already"), code="exists", handle=handle)
    else:
        made = None
        for _ in range(TRIES):  # somebody else may begin a sitting on the same server at this instant
            handle = _next(session)
            if made := _insert(session, handle):
                break
        if made is None:
            raise Refused(N_("no handle could be made; try again"), code="busy")
    assert handle is not None
    trail.record(session, "participant_add", person=by, ids={"person": made})
    return handle


def find(session: Session, handle: str) -> UUID:
    """The participant with this handle. Unknown where there is none; Refused for somebody who works here."""
    person = people.find(session, handle)
    if not people.is_participant(session, person.id):
        raise Refused(N_("'{handle}' works in this project and cannot sit for its studies"), code="works_here",
                      handle=handle)
    if not person.active:
        raise Unknown(N_("'{handle}' does not take part any more"), handle=handle)
    return person.id


def _insert(session: Session, handle: str) -> UUID | None:
    """The id of the new row, or None where somebody else just took the handle."""
    person = new_id()
    try:
        with session.begin_nested():
            session.execute(insert(Person).values(id=person, handle=handle))
    except IntegrityError:
        return None
    session.execute(insert(PersonRole).values(person=person, role=PARTICIPANT, at=now()))
    return person


def _next(session: Session) -> str:
    numbers = [int(found[1]) for one in _folded(session) if (found := _MADE.fullmatch(one))]
    return f"p{max(numbers, default=0) + 1:03d}"


def _folded(session: Session) -> set[str]:
    return {one.casefold() for one in session.scalars(select(Person.handle))}
